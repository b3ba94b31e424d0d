/* What breaking the bundled model costs, and its loss by position, against float64
 * (tests/goldens/tiny-stories-ablation.json, -positions.json). Each is one run of several seconds.
 *
 * Tolerances: 2e-6 relative, and 1e-5 where the perplexity is above 100: there float32 and float64 lose the same digits
 * of larger logits.
 *
 * Without optimization or under a sanitizer the whole text would take minutes: such a build scores one window of it, for
 * what it is made for (memory errors, coverage), and leaves the values to the ordinary build. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/golden.h"
#include "tests/support/run_program.h"
#include "tests/support/test.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(SANITIZED) || defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
static const char windows[] = "1";
#else
static const char windows[] = "0"; /* all that the golden has */
#endif

/* Compares with the golden where all of its text was scored. */
static void check_value(double got, double expected, double absolute, double relative)
{
    if (windows[0] == '0') {
        assert_near64(&got, &expected, 1, absolute, relative);
    } else {
        ck_assert(got > 0 && got < 1e6);
    }
}

static int row_of(const char *tsv, const char *fault)
{
    for (int row = 0; row < tsv_rows(tsv); row++) {
        if (strcmp(tsv_cell(tsv, row, "fault"), fault) == 0) {
            return row;
        }
    }
    ck_abort_msg("no row '%s' in:\n%s", fault, tsv);
    return -1;
}

START_TEST(every_fault_costs_what_it_costs)
{
    struct run run;
    const char *fault = NULL;
    json_t *value = NULL;
    json_t *golden = json_load_file(golden_path("tiny-stories-ablation.json"), 0, NULL);
    ck_assert_ptr_nonnull(golden);
    run_program(&run, NULL, "chapter6", "--data", "ablation", "--threads", "1", "--windows", windows, NULL);
    ck_assert_msg(run.exit_code == 0, "%s", run.err);
    json_object_foreach(json_object_get(golden, "perplexity"), fault, value)
    {
        double expected = json_real_value(value);
        double got = tsv_number(run.out, row_of(run.out, fault), "perplexity");
        check_value(got, expected, 0, expected > 100 ? 1e-5 : 2e-6);
        golden_mark("tiny-stories-ablation.json", fault);
    }
    ck_assert_int_eq(tsv_rows(run.out), 17);
    /* positions 0, 2, 3, 4, …: computed with the golden's float64 program */
    double shifted = 10.561781656396285;
    double got = tsv_number(run.out, row_of(run.out, "decode_positions_off_by_one"), "perplexity");
    check_value(got, shifted, 0, 2e-6);
    json_decref(golden);
    run_free(&run);
}
END_TEST

START_TEST(table_shows_the_cost_in_nats)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "--ablate", "--windows", "1", "--threads", "1", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    assert_contains(run.out, "gate_up_swapped");
    const char *none = strstr(run.out, "  none ");
    const char *no_norm = strstr(run.out, "  no_norm ");
    ck_assert(none != NULL && no_norm != NULL);
    double whole = 0;
    double nats = 0;
    double broken = 0;
    double cost = 0;
    ck_assert_int_eq(sscanf(none, " none %lf %lf", &whole, &nats), 2);
    ck_assert_int_eq(sscanf(no_norm, " no_norm %lf %lf", &broken, &cost), 2);
    double zero = 0;
    double expected = log(broken / whole);
    assert_near64(&nats, &zero, 1, 1e-12, 0);
    assert_near64(&cost, &expected, 1, 1e-4, 0);
    run_free(&run);
}
END_TEST

START_TEST(loss_by_position_is_that_of_float64)
{
    static const struct {
        const char *key, *column;
    } models[] = {{"trained_to_1024", "trained_to_1024"},
                  {"trained_to_320", "trained_to_320"},
                  {"trained_to_320_positions_scaled", "positions_scaled"}};
    struct run run;
    json_t *golden = json_load_file(golden_path("tiny-stories-positions.json"), 0, NULL);
    ck_assert_ptr_nonnull(golden);
    run_program(&run, NULL, "chapter6", "--data", "positions", "--threads", "1", "--windows", windows, NULL);
    ck_assert_msg(run.exit_code == 0, "%s", run.err);
    ck_assert_int_eq(tsv_rows(run.out), 16);
    for (size_t m = 0; m < 3; m++) {
        const json_t *losses = json_object_get(golden, models[m].key);
        ck_assert_uint_eq(json_array_size(losses), 16);
        for (int b = 0; b < 16; b++) {
            double expected = json_real_value(json_array_get(losses, (size_t)b));
            double got = tsv_number(run.out, b, models[m].column);
            check_value(got, expected, 5e-7, 2e-6); /* the golden has six decimals */
            ck_assert_int_eq((int)tsv_number(run.out, b, "position"), 64 * b);
        }
        golden_mark("tiny-stories-positions.json", models[m].key);
    }
    json_decref(golden);
    run_free(&run);
}
END_TEST

/* 11.10316742766968: the golden's float64 program over all 77 windows. */
START_TEST(perplexity_of_a_file)
{
    struct run run;
    double got = 0;
    double expected = 11.10316742766968;
    run_program(&run, NULL, "chapter6", "--perplexity", "chapters/06-qwen2.5/tiny-stories/held-out.txt",
                "--windows", windows, "--threads", "1", NULL);
    ck_assert_int_eq(sscanf(run.out, "perplexity %lf", &got), 1);
    check_value(got, expected, 5e-5, 2e-6); /* printed with six digits */
    assert_contains(run.out, windows[0] == '0' ? "77 windows of 256 tokens from 19867" : "1 windows of 256");
    run_free(&run);
}
END_TEST

START_TEST(a_text_may_be_shorter_than_a_window)
{
    struct run run;
    char path[] = "/tmp/chapter6-text-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    ck_assert_ptr_nonnull(file);
    fputs("  One day, a cat\n", file);
    fclose(file);
    run_program(&run, NULL, "chapter6", "--perplexity", path, NULL);
    ck_assert_int_eq(run.exit_code, 0);
    assert_contains(run.out, "1 windows of 6 tokens from 6"); /* 5 and the end of the document */
    run_free(&run);
    file = fopen(path, "w");
    fclose(file);
    run_program(&run, NULL, "chapter6", "--perplexity", path, NULL);
    ck_assert_int_eq(run.exit_code, 1);
    assert_contains(run.err, "expected 2 tokens at least, found 0");
    run_free(&run);
    remove(path);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chapter6 ablation");
    add_test(suite, "every fault", every_fault_costs_what_it_costs);
    add_test(suite, "the table", table_shows_the_cost_in_nats);
    add_test(suite, "loss by position", loss_by_position_is_that_of_float64);
    add_test(suite, "perplexity", perplexity_of_a_file);
    add_test(suite, "a short text", a_text_may_be_shorter_than_a_window);
    return suite;
}
