/* The program as a user sees it. What its modules compute is held to the goldens by test_decoder_block.c; here the
 * printed claims are checked against algebra. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/run_program.h"
#include "tests/support/test.h"

/* Values printed with two to five decimals, rounding left over by another kernel included. */
static const double absolute = 2e-5, relative = 0.011;

START_TEST(prints_its_walk_through)
{
    struct run run;
    run_program(&run, NULL, "chapter5", NULL);
    assert_output_like(&run, "chapter5.txt", absolute, relative);
    run_free(&run);
}
END_TEST

START_TEST(every_step_stands_alone)
{
    struct run all, one;
    run_program(&all, NULL, "chapter5", NULL);
    for (int step = 1; step <= 11; step++) {
        char number[8];
        snprintf(number, sizeof number, "%d", step);
        run_program(&one, NULL, "chapter5", "--step", number, NULL);
        ck_assert_int_eq(one.exit_code, 0);
        assert_contains(all.out, strstr(one.out, "\n\n")); /* from the blank line under the heading on */
        run_free(&one);
    }
    run_free(&all);
}
END_TEST

/* Exactly 0 is a claim about bits, whatever the kernel: the words, not a tolerance. */
START_TEST(what_must_be_zero_is_exactly_zero)
{
    struct run run;
    run_program(&run, NULL, "chapter5", NULL);
    assert_contains(run.out, "the same bytes. Difference: 0\n");
    assert_contains(run.out, "   0, 0, 0; not 0/0. NaN in the two padding tokens changes the others by 0:\n");
    assert_contains(run.out, "the outputs before it change by 0, exactly.\n");
    assert_contains(run.out, "Twice with one seed the outputs differ by 0, ");
    assert_contains(run.out, "nothing is dropped: twice differs by 0.\n");
    run_free(&run);
}
END_TEST

START_TEST(shapes_are_those_of_the_block)
{
    static const struct {
        const char *operation;
        int n_rows, n_cols;
    } expected[] = {{"x", 6, 40},
                    {"input_layernorm", 6, 40},
                    {"q_proj", 6, 40},
                    {"k_proj", 6, 10},
                    {"v_proj", 6, 10},
                    {"q_rotated", 6, 40},
                    {"k_rotated", 6, 10},
                    {"attention.weights", 24, 6},
                    {"attention", 6, 40},
                    {"o_proj", 6, 40},
                    {"residual", 6, 40},
                    {"post_attention_layernorm", 6, 40},
                    {"mlp.gate_proj", 6, 17},
                    {"mlp.up_proj", 6, 17},
                    {"mlp.act", 6, 17},
                    {"mlp.down_proj", 6, 40},
                    {"output", 6, 40}};
    struct run run;
    run_program(&run, NULL, "chapter5", "--data", "shapes", "--d-model", "40", "--n-heads", "4",
                "--n-kv-heads", "1", "--d-ff", "17", "--seq-len", "6", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 17);
    for (int row = 0; row < 17; row++) {
        ck_assert_str_eq(tsv_cell(run.out, row, "operation"), expected[row].operation);
        ck_assert(tsv_number(run.out, row, "n_rows") == expected[row].n_rows);
        ck_assert(tsv_number(run.out, row, "n_cols") == expected[row].n_cols);
        ck_assert(tsv_number(run.out, row, "rms") > 0);
    }
    /* the norm weights are around 1, and a rotation keeps the length */
    ck_assert(fabs(tsv_number(run.out, 1, "rms") - 1) < 0.1);
    ck_assert(fabs(tsv_number(run.out, 5, "rms") - tsv_number(run.out, 2, "rms")) < 1e-6);
    run_free(&run);
}
END_TEST

START_TEST(attention_rows_sum_to_one)
{
    struct run run;
    run_program(&run, NULL, "chapter5", "--data", "attention", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 4 * 8 * 8);
    double sum[4][8] = {{0}};
    for (int row = 0; row < 4 * 8 * 8; row++) {
        int head = (int)tsv_number(run.out, row, "head"), query = (int)tsv_number(run.out, row, "query");
        double weight = tsv_number(run.out, row, "weight");
        sum[head][query] += weight;
        ck_assert(tsv_number(run.out, row, "key") <= query ? weight > 0 : weight == 0);
    }
    for (int head = 0; head < 4; head++) {
        for (int query = 0; query < 8; query++) {
            ck_assert(fabs(sum[head][query] - 1) < 1e-6);
        }
    }
    run_free(&run);
}
END_TEST

/* The score is one number behind every prefix; the weight falls as keys come in. */
START_TEST(a_prefix_keeps_the_score)
{
    struct run run;
    run_program(&run, NULL, "chapter5", "--data", "prefix", NULL);
    int n = tsv_rows(run.out);
    double score = tsv_number(run.out, 0, "score"), first = tsv_number(run.out, 0, "weight");
    ck_assert(tsv_number(run.out, n - 1, "prefix") == 1000);
    for (int row = 1; row < n; row++) {
        ck_assert(fabs(tsv_number(run.out, row, "score") - score) < 1e-5);
        ck_assert(tsv_number(run.out, row, "n_keys") == tsv_number(run.out, row, "prefix") + 2);
        ck_assert(tsv_number(run.out, row, "weight") < first);
        ck_assert(tsv_number(run.out, row, "output_change") > 0.1);
    }
    ck_assert(tsv_number(run.out, n - 1, "weight") < 0.01);
    run_free(&run);
}
END_TEST

START_TEST(identical_tokens_share_their_attention)
{
    struct run run;
    run_program(&run, NULL, "chapter5", "--data", "identical", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 12);
    for (int m = 0; m < 12; m++) {
        ck_assert(fabs(tsv_number(run.out, m, "first_weight") - 1.0 / (m + 1)) < 1e-6);
        ck_assert(tsv_number(run.out, m, "change") < 1e-5);
        ck_assert(m < 2 || tsv_number(run.out, m, "change_behind") > 0.1);
    }
    run_free(&run);
}
END_TEST

/* What a query may see, by the words of each mask's name. */
START_TEST(masks_are_what_they_are_called)
{
    struct run run;
    run_program(&run, NULL, "chapter5", "--data", "masks", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 4 * 64 + 3 * 8 + 8);
    for (int row = 0; row < tsv_rows(run.out); row++) {
        char name[32];
        snprintf(name, sizeof name, "%s", tsv_cell(run.out, row, "name"));
        int query = (int)tsv_number(run.out, row, "query"), key = (int)tsv_number(run.out, row, "key");
        int visible = (int)tsv_number(run.out, row, "visible"), causal = key <= query;
        if (strcmp(name, "all ones") == 0) {
            ck_assert_int_eq(visible, 1);
        } else if (strcmp(name, "left padding of 3") == 0) {
            ck_assert_int_eq(visible, causal && key > 2);
        } else if (strcmp(name, "packed 3 + 5") == 0) {
            ck_assert_int_eq(visible, causal && (key > 2) == (query > 2));
        } else {
            ck_assert_int_eq(visible, causal); /* causal, a piece, a decode: causal by slot */
        }
    }
    run_free(&run);
}
END_TEST

/* Two branches of about the same size are added 16 times; the norm's output stays at 1. */
START_TEST(the_stream_grows_and_the_norm_does_not)
{
    struct run run;
    run_program(&run, NULL, "chapter5", "--data", "stream", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 16);
    for (int layer = 0; layer < 16; layer++) {
        ck_assert(fabs(tsv_number(run.out, layer, "normed") - 1) < 0.1);
        ck_assert(layer == 0 ||
                  tsv_number(run.out, layer, "stream") > tsv_number(run.out, layer - 1, "stream"));
    }
    run_free(&run);
}
END_TEST

/* 2 * n_kv_heads * head_dim * 4 bytes; parameters: matrices, their biases, two norms. */
START_TEST(bytes_and_parameters_are_right)
{
    struct run run;
    int attention = 64 * 64 + 64 + 64 * 64, rest = 3 * 64 * 176 + 2 * 64, per_kv_head = 2 * (16 * 64 + 16);
    char line[80];
    run_program(&run, NULL, "chapter5", "--step", "8", NULL);
    const int kv_heads[] = {4, 2, 1};
    const char *const names[] = {"multi-head", "grouped", "multi-query"};
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "     %-14s %8d %10d %12d %14d\n", names[i], kv_heads[i], 4 / kv_heads[i],
                 attention + rest + kv_heads[i] * per_kv_head, 2 * kv_heads[i] * 16 * 4);
        assert_contains(run.out, line);
    }
    assert_contains(run.out, "     as it is              2          7        24576       0.75 GiB\n");
    run_free(&run);
}
END_TEST

/* The answers of exercise 5.7. */
START_TEST(what_an_exercise_asks_for_is_printed)
{
    struct run run;
    run_program(&run, NULL, "chapter5", "--d-model", "96", "--n-heads", "6", "--n-kv-heads", "3", "--seq-len",
                "10", NULL);
    assert_contains(run.out, "     k_proj                    [10, 3, 16] "); /* 48 */
    assert_contains(run.out, "     grouped               3          2        78720            384\n");
    assert_contains(run.out, "     multi-query           1          6        72512            128\n");
    assert_contains(run.out, "   a cache the 10 tokens would have cost 55 passes of one token, not 10.\n");
    assert_contains(run.out, "     3      0.25000 ");
    run_free(&run);
}
END_TEST

START_TEST(threads_change_nothing)
{
    struct run one, two;
    setenv("OMP_NUM_THREADS", "1", 1);
    run_program(&one, NULL, "chapter5", "--data", "prefix", NULL);
    setenv("OMP_NUM_THREADS", "2", 1);
    run_program(&two, NULL, "chapter5", "--data", "prefix", NULL);
    ck_assert_str_eq(one.out, two.out);
    run_free(&one);
    run_free(&two);
}
END_TEST

START_TEST(other_values_work_too)
{
    static const char *const cases[][8] = {
        {"--seq-len", "2", "--seed", "0"},
        {"--d-model", "2", "--n-heads", "1", "--n-kv-heads", "1", "--d-ff", "1"},
        {"--n-heads", "32", "--n-kv-heads", "1", "--seq-len", "33"},
        {"--n-kv-heads", "4", "--dropout", "0"},
        {"--d-model", "42", "--n-heads", "7", "--n-kv-heads", "7", "--d-ff", "13"},
        {"--dropout", "0.99", "--seed", "18446744073709551615"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const *c = cases[i];
        struct run run;
        run_program(&run, NULL, "chapter5", c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], NULL);
        ck_assert_int_eq(run.exit_code, 0);
        ck_assert_ptr_null(strstr(run.out, "nan"));
        assert_contains(run.out, "the outputs before it change by 0, exactly.\n");
        run_free(&run);
    }
}
END_TEST

START_TEST(refuses_what_makes_no_block)
{
    assert_refuses("chapter5", 2, "--d-model 60 --n-heads 4: d_model must be n_heads times an even head_dim",
                   "--d-model", "60");
    assert_refuses("chapter5", 2, "--d-model 64 --n-heads 3: d_model must be n_heads times an even head_dim",
                   "--n-heads", "3");
    assert_refuses("chapter5", 2, "--n-heads 4 --n-kv-heads 3: n_heads must be a multiple of n_kv_heads",
                   "--n-kv-heads", "3");
    assert_refuses("chapter5", 2, "--data nonsense: no such data set; '--data list' names them", "--data",
                   "nonsense");
    assert_refuses("chapter5", 2, "--plot nonsense: no such figure; '--plot list' names them", "--plot",
                   "nonsense");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chapter5");
    add_test(suite, "prints_its_walk_through", prints_its_walk_through);
    add_test(suite, "every_step_stands_alone", every_step_stands_alone);
    add_test(suite, "what_must_be_zero_is_exactly_zero", what_must_be_zero_is_exactly_zero);
    add_test(suite, "shapes_are_those_of_the_block", shapes_are_those_of_the_block);
    add_test(suite, "attention_rows_sum_to_one", attention_rows_sum_to_one);
    add_test(suite, "a_prefix_keeps_the_score", a_prefix_keeps_the_score);
    add_test(suite, "identical_tokens_share_their_attention", identical_tokens_share_their_attention);
    add_test(suite, "masks_are_what_they_are_called", masks_are_what_they_are_called);
    add_test(suite, "the_stream_grows_and_the_norm_does_not", the_stream_grows_and_the_norm_does_not);
    add_test(suite, "bytes_and_parameters_are_right", bytes_and_parameters_are_right);
    add_test(suite, "what_an_exercise_asks_for_is_printed", what_an_exercise_asks_for_is_printed);
    add_test(suite, "threads_change_nothing", threads_change_nothing);
    add_test(suite, "other_values_work_too", other_values_work_too);
    add_test(suite, "refuses_what_makes_no_block", refuses_what_makes_no_block);
    return suite;
}
