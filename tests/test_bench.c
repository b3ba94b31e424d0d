/* What would make the benchmark lie without a word: statistics, counts of operations and bytes, a roof that reads less
 * than it says. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/utf8.h"
#include "tests/bench/derived.h"
#include "tests/bench/random_model.h"
#include "tests/bench/report.h"
#include "tests/bench/roofs.h"
#include "tests/bench/texts.h"
#include "tests/bench/work.h"
#include "tests/support/files.h"
#include "tests/support/test.h"
#include "tests/support/tokens.h"

/* ---- Statistics ---- */

START_TEST(median_is_the_middle_or_the_mean_of_two)
{
    const double odd[] = {9, 1, 5}, even[] = {8, 2, 1, 4};
    ck_assert_double_eq(report_median(odd, 3), 5);
    ck_assert_double_eq(report_median(even, 4), 3);
    ck_assert_double_eq(report_median(odd, 1), 9);
}
END_TEST

/* Three rounds in which the machine is fast, slow and slower: shares 0.9, 0.8, 0.6. The medians are 40 and 50, the bests
 * 90 and 100. */
static struct report *three_rounds(void)
{
    struct report *report = calloc(1, sizeof *report);
    ck_assert_ptr_nonnull(report);
    report_add(report, "decode", "GB/s", 90, 100);
    report_add(report, "decode", "GB/s", 40, 50);
    report_add(report, "decode", "GB/s", 18, 30);
    report_add(report, "roof", "GB/s", 7, 0);
    return report;
}

START_TEST(share_is_the_median_of_quotients)
{
    struct report *report = three_rounds();
    report_add(report, "other", "s", 2, 1);
    report_add(report, "other", "s", 1, 2);
    ck_assert_double_eq(report_value(report, "decode"), 40);
    ck_assert_double_eq(report_last(report, "decode"), 18);
    ck_assert_double_eq_tol(report_share(report_find(report, "decode")), 0.8, 1e-15);
    ck_assert_double_eq_tol(report_spread(report_find(report, "decode")), 0.3, 1e-15);
    ck_assert_double_eq_tol(report_share(report_find(report, "other")), 1.25, 1e-15); /* not 1.5 / 1.5 */
    ck_assert_double_eq(report_share(report_find(report, "roof")), 0);
    free(report);
}
END_TEST

START_TEST(what_was_not_measured_makes_no_line)
{
    struct report *report = three_rounds();
    report_add(report, "nothing", "GB/s", NAN, 0);
    report_add(report, "nothing", "GB/s", 1, NAN);
    report_add(report, "nothing", "GB/s", INFINITY, 0);
    report_add(report, "decode", "GB/s", NAN, 100);
    ck_assert_ptr_null(report_find(report, "nothing"));
    ck_assert(isnan(report_value(report, "nothing")));
    ck_assert_int_eq(report_find(report, "decode")->n, 3);
    free(report);
}
END_TEST

START_TEST(more_rounds_and_lines_than_there_is_room_for_are_left_out)
{
    struct report *report = calloc(1, sizeof *report);
    ck_assert_ptr_nonnull(report);
    for (int i = 0; i < 2 * REPORT_MAX_LINES; i++) {
        char name[16];
        snprintf(name, sizeof name, "line %d", i);
        report_add(report, name, "s", i, 0);
        report_add(report, "line 0", "s", 5, 0);
    }
    ck_assert_int_eq(report->n_lines, REPORT_MAX_LINES);
    ck_assert_int_eq(report_find(report, "line 0")->n, REPORT_MAX_ROUNDS);
    free(report);
}
END_TEST

START_TEST(file_has_value_roof_and_their_quotient)
{
    struct report *report = three_rounds();
    char *folder = fresh_folder("bench-report"), *path = test_path(folder, "bench.tsv");
    size_t size;
    ck_assert(report_write(report, path));
    char *text = read_bytes(path, &size);
    ck_assert_str_eq(text, "name\tvalue\tunit\troof\tratio\n"
                           "decode\t40\tGB/s\t50\t0.8000\n"
                           "roof\t7\tGB/s\t-\t-\n");
    free(text);
    free(path);
    free(folder);
    free(report);
}
END_TEST

START_TEST(file_that_cannot_be_written_is_no_success)
{
    struct report *report = three_rounds();
    ck_assert(!report_write(report, "no-such-folder/bench.tsv"));
    free(report);
}
END_TEST

static char *printed(const struct report *report)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    report_print(report, out);
    fclose(out);
    return text;
}

START_TEST(table_names_what_misses_its_aim)
{
    struct report *report = three_rounds();
    report_add(report, "load", "s", 3, 2);
    report_add(report, "a name of 20 letters", "GFLOP/s", 9999999, 1);
    report_add(report, "a name of 20 letters", "GFLOP/s", 0.00001, 1);
    report_aim(report, "a name of 20 letters", 5);
    report_aim(report, "decode", 0.8);
    report_aim(report, "load", -1.6);
    char *text = printed(report);
    ck_assert_ptr_nonnull(strstr(text, "every aim is reached"));
    free(text);
    report_aim(report, "decode", 0.81);
    report_aim(report, "load", -1.4);
    text = printed(report);
    ck_assert_ptr_nonnull(strstr(text, "not reached: decode load\n"));
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        ck_assert_uint_le(strlen(line), 80);
    }
    free(text);
    free(report);
}
END_TEST

/* ---- The fit of a n + b n^2 ---- */

START_TEST(fit_finds_what_the_times_were_made_from)
{
    const double n[] = {64, 512, 2048, 8192};
    double seconds[4], a, b;
    for (int i = 0; i < 4; i++) {
        seconds[i] = 2e-3 * n[i] + 3e-8 * n[i] * n[i];
    }
    double largest = derived_fit(n, seconds, 4, &a, &b);
    ck_assert_double_eq_tol(a, 2e-3, 1e-12);
    ck_assert_double_eq_tol(b, 3e-8, 1e-17);
    ck_assert_double_lt(largest, 1e-9);
}
END_TEST

/* One second each for n = 1 and 2: with x = n and y = n^2, least squares asks for 5 a + 9 b = 3 and 9 a + 17 b = 5, so
 * a = 3/2 and b = -1/2 exactly; with n = 1 twice there is nothing to tell a from b. */
START_TEST(fit_needs_two_lengths)
{
    const double two[] = {1, 2}, same[] = {1, 1}, seconds[] = {1, 1};
    double a, b;
    ck_assert_double_lt(derived_fit(two, seconds, 2, &a, &b), 1e-12);
    ck_assert_double_eq_tol(a, 1.5, 1e-12);
    ck_assert_double_eq_tol(b, -0.5, 1e-12);
    ck_assert(isnan(derived_fit(same, seconds, 2, &a, &b)));
}
END_TEST

START_TEST(fit_tells_how_far_it_is_off)
{
    const double n[] = {1, 2, 3}, seconds[] = {1, 2, 4};
    double a, b;
    double largest = derived_fit(n, seconds, 3, &a, &b);
    for (int i = 0; i < 3; i++) {
        double off = fabs((a * n[i] + b * n[i] * n[i]) / seconds[i] - 1);
        ck_assert_double_le(off, largest * (1 + 1e-12));
    }
    ck_assert_double_gt(largest, 0.01);
}
END_TEST

/* ---- Counts ---- */

static double elements(const struct tensor *tensor)
{
    return (double)tensor->rows * tensor->cols;
}

/* 2 operations for each weight of a matrix and token; the head for the last token alone. */
START_TEST(operations_are_two_for_each_weight_and_token)
{
    struct random_model random;
    struct error error;
    ck_assert_int_eq(random_model_init(&random, SHAPE_SMALL, false, &error), STATUS_OK);
    double weights = 0;
    for (int l = 0; l < random.model.config.n_layers; l++) {
        const struct decoder_block_weights *w = &random.model.layers[l];
        weights += elements(&w->w_q) + elements(&w->w_k) + elements(&w->w_v) + elements(&w->w_o) +
                   elements(&w->ffn.w_gate) + elements(&w->ffn.w_up) + elements(&w->ffn.w_down);
    }
    double expected = 2 * (7 * weights + elements(&random.model.head));
    ck_assert_double_eq(random_model_product_flops(&random, 7, 1), expected);
    random_model_free(&random);
}
END_TEST

START_TEST(attention_counts_every_pair_once)
{
    struct random_model random;
    struct error error;
    ck_assert_int_eq(random_model_init(&random, SHAPE_SMALL, false, &error), STATUS_OK);
    const struct model_config *c = &random.model.config;
    double expected = 0;
    for (int query = 0; query < 9; query++) {
        for (int key = 0; key <= query; key++) {
            expected += 2 * 2.0 * c->head_dim * c->n_heads * c->n_layers; /* a score and a value, 2 each */
        }
    }
    ck_assert_double_eq(random_model_attention_flops(&random, 9), expected);
    random_model_free(&random);
}
END_TEST

/* Qwen2.5-0.5B has 494 032 768 parameters (its model card says 0.49 B), 2 bytes each. */
START_TEST(shape_is_that_of_qwen2_0_5b)
{
    ck_assert_uint_eq(random_model_bytes(SHAPE_QWEN2_0_5B), 2 * (size_t)494032768);
}
END_TEST

START_TEST(saved_model_is_the_one_in_memory)
{
    struct random_model random;
    struct qwen2 loaded;
    struct error error;
    char *folder = fresh_folder("bench-saved");
    ck_assert_int_eq(random_model_init(&random, SHAPE_SMALL, false, &error), STATUS_OK);
    ck_assert_int_eq(random_model_save(&random, folder, &error), STATUS_OK);
    ck_assert_int_eq(qwen2_load(&loaded, folder, &error), STATUS_OK);
    const struct tensor *made = &random.model.layers[1].ffn.w_down, *read = &loaded.layers[1].ffn.w_down;
    ck_assert_int_eq(made->rows, read->rows);
    ck_assert_int_eq(memcmp(made->data, read->data, 2 * (size_t)made->rows * (size_t)made->cols), 0);
    qwen2_free(&loaded);
    random_model_free(&random);
    free(folder);
}
END_TEST

/* ---- The roof of reading: all bytes, and none behind them ---- */

static int read_in_a_child(const void *bytes, size_t n_bytes, int probe)
{
    int status;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        (void)signal(SIGSEGV, SIG_DFL);
        (void)roof_read(bytes, n_bytes, 1, probe);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

START_TEST(every_probe_reads_every_page_and_no_more)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE),
                 n_pages = 1300; /* more than one piece and not a multiple */
    unsigned char *bytes = mmap(NULL, (n_pages + 1) * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(bytes != MAP_FAILED);
    ck_assert_int_eq(mprotect(bytes + n_pages * page, page, PROT_NONE), 0);
    static const size_t some[] = {0, 1, 127, 128, 300, 511, 512, 1023, 1100, 1298, 1299};
    for (int probe = 0; probe < N_READ_PROBES; probe++) {
        ck_assert_int_eq(read_in_a_child(bytes, n_pages * page, probe), 0);
        for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
            ck_assert_int_eq(mprotect(bytes + some[i] * page, page, PROT_NONE), 0);
            ck_assert_int_eq(read_in_a_child(bytes, n_pages * page, probe), SIGSEGV);
            ck_assert_int_eq(mprotect(bytes + some[i] * page, page, PROT_READ), 0);
        }
    }
    munmap(bytes, (n_pages + 1) * page);
}
END_TEST

START_TEST(every_machine_multiplies_float32)
{
    bool any = false;
    for (int i = 0; roof_multiply_name(i) != NULL; i++) {
        any = any || !roof_multiply_is_bf16(i);
        ck_assert_double_gt(roof_multiply(i, 1), 0);
    }
    ck_assert(any);
}
END_TEST

/* ---- The texts ---- */

START_TEST(texts_are_what_they_are_called)
{
    struct texts texts;
    struct error error;
    ck_assert_int_eq(texts_init(&texts, qwen_tokenizer_folder(), &error), STATUS_OK);
    for (int kind = 0; kind < N_TEXTS; kind++) {
        const struct text *text = &texts.text[kind];
        size_t n_chinese = 0, n_characters = 0;
        int32_t code_point;
        ck_assert(utf8_is_valid(text->bytes, text->size));
        ck_assert_uint_ge(text->size, 100000);
        for (size_t at = 0; at < text->size; n_characters++) {
            at += (size_t)utf8_read(text->bytes + at, text->size - at, &code_point);
            n_chinese += code_point >= 0x4e00 && code_point <= 0x9fa5;
        }
        if (kind == TEXT_CHINESE) {
            ck_assert_uint_ge(n_chinese * 100, n_characters * 85);
        } else {
            ck_assert_uint_le(n_chinese * 100, n_characters);
        }
        ck_assert(isfinite(texts_encode(&texts, (enum text_kind)kind)));
    }
    texts_free(&texts);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("bench");
    add_test(suite, "median", median_is_the_middle_or_the_mean_of_two);
    add_test(suite, "share", share_is_the_median_of_quotients);
    add_test(suite, "not_measured", what_was_not_measured_makes_no_line);
    add_test(suite, "no_room", more_rounds_and_lines_than_there_is_room_for_are_left_out);
    add_test(suite, "file", file_has_value_roof_and_their_quotient);
    add_test(suite, "file_unwritable", file_that_cannot_be_written_is_no_success);
    add_test(suite, "aims", table_names_what_misses_its_aim);
    add_test(suite, "fit", fit_finds_what_the_times_were_made_from);
    add_test(suite, "fit_two_lengths", fit_needs_two_lengths);
    add_test(suite, "fit_error", fit_tells_how_far_it_is_off);
    add_test(suite, "operations", operations_are_two_for_each_weight_and_token);
    add_test(suite, "attention", attention_counts_every_pair_once);
    add_test(suite, "shape", shape_is_that_of_qwen2_0_5b);
    add_test(suite, "saved_model", saved_model_is_the_one_in_memory);
    const char *fork_mode = getenv("CK_FORK");
    if (fork_mode == NULL ||
        strcmp(fork_mode, "no") != 0) { /* valgrind leaves out a load whose value is not used */
        add_test(suite, "read_probes", every_probe_reads_every_page_and_no_more);
    }
    add_test(suite, "multiply", every_machine_multiplies_float32);
    add_test(suite, "texts", texts_are_what_they_are_called);
    return suite;
}
