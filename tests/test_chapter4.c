#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/run_program.h"
#include "tests/support/test.h"

enum { N_LAYERS = 7, N_TARGETS = 3, N_POINTS = 21 };

static const char *const layer_names[N_LAYERS] = {"ReLU", "GELU",  "SiLU",  "bilinear",
                                                  "GLU",  "GEGLU", "SwiGLU"};
static const char *const target_names[N_TARGETS] = {"product", "smooth", "piecewise"};

/* Losses after hundreds of steps: other mathematical libraries round differently, which training may enlarge. */
START_TEST(the_output_at_the_defaults)
{
    struct run run;
    run_program(&run, NULL, "chapter4", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    ck_assert_str_eq(run.err, ""); /* no progress bar: not a terminal */
    assert_output_like(&run, "chapter4.txt", 0.02, 0.05);
    run_free(&run);
}
END_TEST

/* The line that starts with text, after its white space; fails the test when there is none. */
static const char *find_line(const char *out, const char *text)
{
    const char *line = strstr(out, text);
    ck_assert_msg(line != NULL, "no line '%s' in:\n%s", text, out);
    return line + strlen(text);
}

/* What step 8 must say about a gate, made from the numbers of its own row "SwiGLU - SiLU". */
static void check_verdict(const char *out, const char *with, const char *without)
{
    static const char *const words[3] = {"better on", "level on", "worse on"};
    char text[200];
    int side[N_TARGETS];
    snprintf(text, sizeof text, "   %-6s - %s ", with, without);
    const char *row = find_line(out, text);
    for (int target = 0; target < N_TARGETS; target++) {
        double mean = 0;
        double half = 0;
        int used = 0;
        ck_assert_int_eq(sscanf(row, "%lf ± %lf%n", &mean, &half, &used), 2);
        side[target] = mean + half < 0 ? 0 : mean - half > 0 ? 2 : 1;
        row += used;
    }
    size_t n = (size_t)snprintf(text, sizeof text, "   %s against %s:", with, without);
    bool first = true;
    for (int word = 0; word < 3; word++) {
        bool open = false;
        for (int target = 0; target < N_TARGETS; target++) {
            if (side[target] == word) {
                const char *separator = open ? "," : first ? " " : "; ";
                n += (size_t)snprintf(text + n, sizeof text - n, "%s%s %s", separator,
                                      open ? "" : words[word], target_names[target]);
                open = true;
                first = false;
            }
        }
    }
    snprintf(text + n, sizeof text - n, ".\n");
    assert_contains(out, text);
}

static double number_of(const char *tsv, const char *target, const char *layer, const char *column)
{
    int n = tsv_rows(tsv);
    for (int row = 0; row < n; row++) {
        if (strcmp(tsv_cell(tsv, row, "target"), target) == 0 &&
            strcmp(tsv_cell(tsv, row, "layer"), layer) == 0) {
            return tsv_number(tsv, row, column);
        }
    }
    ck_abort_msg("no row %s %s", target, layer);
    return 0;
}

/* The text names the layer that the data set shows to be lowest; short runs, whose winners differ from the defaults'. */
START_TEST(the_text_follows_the_numbers)
{
    static const char *const steps[3] = {"1", "30", "120"};
    for (int i = 0; i < 3; i++) {
        struct run text;
        struct run data;
        run_program(&text, NULL, "chapter4", "--step", "8", "--steps", steps[i], "--seeds", "3", NULL);
        run_program(&data, NULL, "chapter4", "--data", "losses", "--steps", steps[i], "--seeds", "3", NULL);
        for (int target = 0; target < N_TARGETS; target++) {
            int best = 0;
            for (int layer = 1; layer < N_LAYERS; layer++) {
                if (number_of(data.out, target_names[target], layer_names[layer], "mean") <
                    number_of(data.out, target_names[target], layer_names[best], "mean")) {
                    best = layer;
                }
            }
            char line[80];
            snprintf(line, sizeof line, "   %-10s lowest: %s; ", target_names[target], layer_names[best]);
            assert_contains(text.out, line);
        }
        check_verdict(text.out, "GEGLU", "GELU");
        check_verdict(text.out, "SwiGLU", "SiLU");
        run_free(&text);
        run_free(&data);
    }
}
END_TEST

START_TEST(losses_are_the_ends_of_the_curves)
{
    struct run losses;
    struct run curves;
    run_program(&losses, NULL, "chapter4", "--data", "losses", "--steps", "47", "--seeds", "2", NULL);
    run_program(&curves, NULL, "chapter4", "--data", "curves", "--steps", "47", "--seeds", "2", NULL);
    ck_assert_int_eq(tsv_rows(losses.out), N_TARGETS * N_LAYERS);
    ck_assert_int_eq(tsv_rows(curves.out), N_TARGETS * N_LAYERS * N_POINTS);
    for (int i = 0; i < N_TARGETS * N_LAYERS; i++) {
        int layer = i % N_LAYERS;
        int end = i * N_POINTS + N_POINTS - 1;
        ck_assert_str_eq(tsv_cell(losses.out, i, "layer"), layer_names[layer]);
        ck_assert_int_eq((int)tsv_number(losses.out, i, "gated"), layer >= 3);
        ck_assert_int_eq((int)tsv_number(losses.out, i, "d_ff"), layer >= 3 ? 16 : 24);
        ck_assert_int_eq((int)tsv_number(losses.out, i, "parameters"), 288); /* 2 * 6 * 24 = 3 * 6 * 16 */
        double rate = tsv_number(losses.out, i, "learning_rate");
        ck_assert(rate == 0.01 || rate == 0.03 || rate == 0.1 || rate == 0.3);
        ck_assert_int_eq((int)tsv_number(curves.out, end, "step"), 47);
        ck_assert_int_eq((int)tsv_number(curves.out, end - 20, "step"), 0);
        ck_assert(tsv_number(losses.out, i, "mean") == tsv_number(curves.out, end, "mean"));
        ck_assert(tsv_number(losses.out, i, "half") == tsv_number(curves.out, end, "half"));
    }
    /* Two seeds a and b: the mean is in the middle, the deviation |a - b| / sqrt 2, the half width 12.706 |a - b| / 2
     * (Student's t with one degree of freedom). The file has nine digits. */
    for (int row = 0; row < tsv_rows(curves.out); row++) {
        double a = tsv_number(curves.out, row, "lowest");
        double b = tsv_number(curves.out, row, "highest");
        double expected[2] = {(a + b) / 2, 12.706 * (b - a) / 2};
        double got[2] = {tsv_number(curves.out, row, "mean"), tsv_number(curves.out, row, "half")};
        assert_near64(got, expected, 2, 2e-7 * b, 0);
    }
    run_free(&losses);
    run_free(&curves);
}
END_TEST

START_TEST(threads_do_not_change_a_digit)
{
    struct run one;
    struct run three;
    setenv("OMP_NUM_THREADS", "1", 1);
    run_program(&one, NULL, "chapter4", "--data", "curves", "--steps", "25", "--seeds", "3", NULL);
    setenv("OMP_NUM_THREADS", "3", 1);
    run_program(&three, NULL, "chapter4", "--data", "curves", "--steps", "25", "--seeds", "3", NULL);
    ck_assert_int_eq(one.exit_code, 0);
    ck_assert_str_eq(one.out, three.out);
    run_free(&one);
    run_free(&three);
}
END_TEST

/* What theory says before any training: one channel of the bilinear layer is a product, two of ReLU's are |a - b|. */
START_TEST(each_expected_layer_learns_its_target)
{
    struct run run;
    run_program(&run, NULL, "chapter4", "--data", "losses", "--seeds", "2", "--lr", "0.1", NULL);
    ck_assert(number_of(run.out, "product", "bilinear", "mean") < 1e-4);
    ck_assert(number_of(run.out, "piecewise", "ReLU", "mean") < 1e-3);
    ck_assert(number_of(run.out, "smooth", "bilinear", "mean") >
              0.3); /* no quadratic form is close to a sine */
    ck_assert(number_of(run.out, "smooth", "SwiGLU", "learning_rate") == 0.1);
    run_free(&run);
}
END_TEST

/* The chapter's warning: one learning rate for all turns the order of two layers round. */
START_TEST(one_learning_rate_for_all_changes_the_winner)
{
    struct run fair;
    struct run unfair;
    run_program(&fair, NULL, "chapter4", "--data", "losses", "--target", "smooth", NULL);
    run_program(&unfair, NULL, "chapter4", "--data", "losses", "--target", "smooth", "--lr", "0.01", NULL);
    ck_assert(number_of(fair.out, "smooth", "SwiGLU", "mean") >
              number_of(fair.out, "smooth", "GELU", "mean"));
    ck_assert(number_of(unfair.out, "smooth", "SwiGLU", "mean") <
              number_of(unfair.out, "smooth", "GELU", "mean"));
    run_free(&fair);
    run_free(&unfair);
}
END_TEST

static double value_of(const char *name, double x)
{
    if (strcmp(name, "sigmoid") == 0) {
        return 1 / (1 + exp(-x));
    }
    if (strcmp(name, "relu") == 0) {
        return fmax(x, 0);
    }
    if (strcmp(name, "gelu") == 0) {
        return x / 2 * (1 + erf(x / sqrt(2)));
    }
    if (strcmp(name, "gelu_tanh") == 0) {
        return x / 2 * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
    }
    return x / (1 + exp(-x));
}

START_TEST(the_activations_file_holds_values_and_slopes)
{
    static const char *const names[5] = {"sigmoid", "relu", "gelu", "gelu_tanh", "silu"};
    const double h = 1e-5;
    struct run run;
    run_program(&run, NULL, "chapter4", "--data", "activations", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 241);
    for (int row = 0; row < 241; row++) {
        double x = tsv_number(run.out, row, "x");
        for (int i = 0; i < 5; i++) {
            char column[32];
            snprintf(column, sizeof column, "%s_slope", names[i]);
            double got[2] = {tsv_number(run.out, row, names[i]), tsv_number(run.out, row, column)};
            double expected[2] = {value_of(names[i], x),
                                  (value_of(names[i], x + h) - value_of(names[i], x - h)) / (2 * h)};
            if (row == 120 && i == 1) {
                expected[1] = 0; /* ReLU has no slope at 0; 0 is the usual choice */
            }
            assert_near64(got, expected, 2, 5e-9, 0); /* nine digits of a value up to 6 */
        }
    }
    run_free(&run);
}
END_TEST

/* Shazeer 2020, table 1, copied here a second time. */
START_TEST(published_figures_stand_as_printed)
{
    struct run run;
    run_program(&run, NULL, "chapter4", "--step", "9", NULL);
    assert_contains(run.out, "ReLU           1.997 (deviation 0.005)    1.677\n");
    assert_contains(run.out, "GELU           1.983 (deviation 0.005)    1.679\n");
    assert_contains(run.out, "Swish = SiLU   1.994 (deviation 0.003)    1.683\n");
    assert_contains(run.out, "bilinear       1.960 (deviation 0.005)    1.648\n");
    assert_contains(run.out, "GLU            1.982 (deviation 0.006)    1.663\n");
    assert_contains(run.out, "GEGLU          1.942 (deviation 0.004)    1.633\n");
    assert_contains(run.out, "SwiGLU         1.944 (deviation 0.010)    1.636\n");
    run_free(&run);
}
END_TEST

/* Case 58, and parameter counts worked out by hand: 3 * 4096 * 11008, 3 * 896 * 4864. */
START_TEST(key_numbers_are_right)
{
    struct run run;
    run_program(&run, NULL, "chapter4", "--step", "2", NULL);
    assert_contains(run.out, "SwiGLU: SiLU(gate) up     -0.5379   0.0000  -5.2848\n");
    assert_contains(run.out, "the two exchanged         -1.7616   0.0000  -0.2846 ");
    run_free(&run);
    run_program(&run, NULL, "chapter4", "--step", "6", NULL);
    assert_contains(run.out, "4096   11008    2.69   135266304\n");
    assert_contains(run.out, "896    4864    5.43    13074432\n");
    assert_contains(run.out, "here, with a gate                        6      16    2.67         288\n");
    run_free(&run);
    run_program(&run, NULL, "chapter4", "--step", "4", "--d-model", "17", "--d-ff", "31", NULL);
    assert_contains(run.out, "W1 [42, 17]");
    assert_contains(run.out, "one matrix against two       0\n");
    run_free(&run);
}
END_TEST

START_TEST(extreme_flags_work)
{
    static const char *const flags[3][12] = {{"--d-model", "3", "--d-ff", "1", "--steps", "1", "--seeds",
                                              "31", "--lr", "0.001", "--target", "product"},
                                             {"--d-model", "64", "--d-ff", "256", "--steps", "2", "--seeds",
                                              "2", "--lr", "10", "--target", "smooth"},
                                             {"--d-model", "5", "--d-ff", "7", "--steps", "300", "--seeds",
                                              "2", "--lr", "10", "--target", "piecewise"}};
    for (int i = 0; i < 3; i++) {
        struct run run;
        const char *const *f = flags[i];
        run_program(&run, NULL, "chapter4", f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10],
                    f[11], NULL);
        ck_assert_int_eq(run.exit_code, 0);
        assert_contains(run.out, "Still missing");
        ck_assert_ptr_null(strstr(run.out, "inf "));
        ck_assert_ptr_null(strstr(run.out, "nan ±"));
        run_free(&run);
    }
}
END_TEST

START_TEST(bad_flags_are_refused)
{
    assert_refuses("chapter4", 2, "--d-model 2: expected a whole number from 3 to 64", "--d-model", "2");
    assert_refuses("chapter4", 2, "--d-ff 0: expected a whole number from 1 to 256", "--d-ff", "0");
    assert_refuses("chapter4", 2, "--steps many: expected a whole number from 1 to 20000", "--steps", "many");
    assert_refuses("chapter4", 2, "--seeds 1: expected a whole number from 2 to 31", "--seeds", "1");
    assert_refuses("chapter4", 2, "--target sum: expected product|smooth|piecewise|all", "--target", "sum");
    assert_refuses("chapter4", 2, "--lr -1: expected a number from 0 to 10", "--lr", "-1");
    assert_refuses("chapter4", 2, "--lr nan: expected a number from 0 to 10", "--lr", "nan");
    assert_refuses("chapter4", 2, "--data loss: no such data set; '--data list' names them", "--data",
                   "loss");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chapter4");
    add_test(suite, "the output at the defaults", the_output_at_the_defaults);
    add_test(suite, "the text follows the numbers", the_text_follows_the_numbers);
    add_test(suite, "losses are the ends of the curves", losses_are_the_ends_of_the_curves);
    add_test(suite, "threads do not change a digit", threads_do_not_change_a_digit);
    add_test(suite, "each expected layer learns its target", each_expected_layer_learns_its_target);
    add_test(suite, "one rate for all changes the winner", one_learning_rate_for_all_changes_the_winner);
    add_test(suite, "the activations file", the_activations_file_holds_values_and_slopes);
    add_test(suite, "published figures", published_figures_stand_as_printed);
    add_test(suite, "key numbers", key_numbers_are_right);
    add_test(suite, "extreme flags work", extreme_flags_work);
    add_test(suite, "bad flags are refused", bad_flags_are_refused);
    return suite;
}
