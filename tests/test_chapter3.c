#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/run_program.h"
#include "tests/support/test.h"

static const double full_turn = 6.283185307179586;

/* Runs chapter3 with up to four words of flags and fails unless it succeeds. */
static struct run succeed(const char *a, const char *b, const char *c, const char *d)
{
    struct run run;
    run_program(&run, NULL, "chapter3", a, b, c, d, NULL);
    ck_assert_msg(run.exit_code == 0, "%s", run.err);
    return run;
}

static struct run data_set(const char *name)
{
    struct run run = succeed("--data", name, NULL, NULL);
    ck_assert_str_eq(run.err, "");
    return run;
}

/* The numbers of the line that starts with label (after blanks); fails unless there are n. */
static void numbers_after(double *out, int n, const char *text, const char *label)
{
    const char *line = strstr(text, label);
    ck_assert_msg(line != NULL, "no \"%s\" in:\n%s", label, text);
    const char *at = line + strlen(label);
    for (int i = 0; i < n; i++) {
        char *end;
        out[i] = strtod(at, &end);
        ck_assert_msg(end != at, "%s: number %d is missing in:\n%s", label, i, text);
        at = end;
    }
}

/* ---- The walk-through ---- */

START_TEST(the_walk_through)
{
    struct run run = succeed(NULL, NULL, NULL, NULL);
    /* Rounding errors (1e-10 and the like) differ by compiler and C library; everything else is far larger. */
#ifdef __SIZEOF_INT128__ /* without it the whole numbers end at m + n = 27 */
    assert_output_like(&run, "chapter3.txt", 2e-7, 2e-5);
#endif
    assert_contains(run.err, "Speed on this machine"); /* the one number that varies stays off stdout */
    run_free(&run);
}
END_TEST

START_TEST(frequencies)
{
    struct run run = succeed("--step", "1", NULL, NULL);
    double row[4];
    /* Pair 22 turns in 4096 tokens, pair 23 does not: 4096 * 10^(-4 * 23 / 32) / 2 pi < 1; and so on. */
    numbers_after(row, 4, run.out, "     10000         4096   0 to ");
    ck_assert(row[0] == 22);
    numbers_after(row, 4, run.out, "     10000        32768   0 to ");
    ck_assert(row[0] == 29);
    assert_near64(&row[3], &(double){32768 * pow(1e4, -31 / 32.0) / full_turn}, 1, 0, 1e-3);
    numbers_after(row, 4, run.out, "     1000000       4096   0 to ");
    ck_assert(row[0] == 15);
    numbers_after(row, 4, run.out, "     1000000      32768   0 to ");
    ck_assert(row[0] == 19);
    assert_near64(&row[1], &(double){32768 / full_turn}, 1, 0, 1e-3);
    assert_near64(&row[2], &(double){32768 * 1e-3 / full_turn}, 1, 0, 1e-3);
    run_free(&run);
}
END_TEST

/* 44 = 7 turns and 0.0177 radians; how many distances collide is counted here from the angle itself, not by a chord. */
START_TEST(collisions_of_one_and_of_many)
{
    int n = 0;
    for (int distance = 1; distance < 4096; distance++) {
        double left = fabs(remainder(distance, full_turn));
        n += left <= 2.0 * asin(0.025); /* a chord of 0.05 */
    }
    struct run run = succeed("--step", "2", NULL, NULL);
    double found;
    assert_contains(run.out, "7 turns and 0.0177\n");
    assert_contains(run.out, "(the first: 44)");
    numbers_after(&found, 1, run.out, "pair 0 alone");
    assert_near64(&found, &(double){n}, 1, 0, 0);
    numbers_after(&found, 1, run.out, "all pairs");
    ck_assert(found == 0);
    numbers_after(&found, 1, run.out, "the last pair alone");
    ck_assert(found == 4095); /* it turns by less than 0.0064 radians altogether */
    run_free(&run);
}
END_TEST

START_TEST(prefill_decode_and_both_forms_differ_by_nothing)
{
    struct run run = succeed("--step", "3", NULL, NULL);
    double x;
    numbers_after(&x, 1, run.out, "against row 16 of a prefill of 17:");
    ck_assert(x == 0);
    numbers_after(&x, 1, run.out, "decoded at 15, a common slip:");
    ck_assert(x > 0.1);
    numbers_after(&x, 1, run.out, "(the identity):");
    ck_assert(x == 0);
    run_free(&run);
    for (int layout = 0; layout < 2; layout++) {
        run = succeed("--step", "4", "--layout", layout == 0 ? "half" : "interleaved");
        numbers_after(&x, 1, run.out, "Largest difference at position 100:");
        ck_assert(x == 0);
        run_free(&run);
    }
}
END_TEST

START_TEST(mixed_layouts_break_the_score)
{
    struct run run = succeed("--step", "5", NULL, NULL);
    double right[4], mixed[4];
    numbers_after(right, 4, run.out, "both in the layout half");
    numbers_after(mixed, 4, run.out, "mixed: q in halves, k interleaved");
    for (int i = 1; i < 4; i++) {
        ck_assert(right[i] == right[0]);
        ck_assert(fabs(mixed[i] - mixed[0]) > 0.5);
    }
    ck_assert(mixed[0] == right[0]); /* k at position 0 */
    run_free(&run);
}
END_TEST

START_TEST(the_proof_holds_for_a_linear_angle_only)
{
    struct run run = succeed("--step", "6", NULL, NULL);
    double first[5], last[5], change[3];
    assert_contains(run.out, "line 4 holds");
    numbers_after(first, 5, run.out, "bfloat16\n");
    numbers_after(last, 3, run.out, "  1000003    1000000");
    assert_near64(last, &first[2], 1, 1e-9, 0);     /* |q||k| 2^-33 and a little */
    assert_near64(&last[1], &first[2], 1, 1e-4, 0); /* 64 products of float32 */
    assert_near64(&last[2], &first[2], 1, 0.5, 0);  /* of bfloat16 */
    run_free(&run);
    run = succeed("--step", "7", NULL, NULL);
    numbers_after(change, 3, run.out, "change of a score under a shift");
    ck_assert(change[0] > 0 && change[0] < 4e-9);
    ck_assert(change[1] > 1e-7 && change[1] < 1e-4);
    ck_assert(change[2] > 1e-2 && change[2] < 1);
    numbers_after(change, 3, run.out, "|(R_m q).(R_n k) - q.(R_(n-m) k)|");
    ck_assert(change[0] > 0 && change[0] < 4e-9);
    ck_assert(change[2] > 1e-2 && change[2] < 1);
    run_free(&run);
    for (int angle = 0; angle < 2; angle++) {
        run = succeed("--step", "6", "--angle", angle == 0 ? "square" : "sqrt");
        assert_contains(run.out, "line 4 FAILS");
        run_free(&run);
        run = succeed("--step", "7", "--angle", angle == 0 ? "square" : "sqrt");
        numbers_after(change, 3, run.out, "change of a score under a shift");
        ck_assert(change[0] > 1);
        assert_contains(run.out, "depends on the position");
        run_free(&run);
    }
}
END_TEST

START_TEST(in_whole_numbers_nothing_is_lost)
{
    struct run run = succeed("--step", "8", NULL, NULL);
    /* (3+4i)^3 = -117 + 44i: (2,-1) . M_3 (1,3) = 2(-117 - 132) - (44 - 351) = -191; times 25^24. */
    assert_contains(run.out, "-191 ");
    assert_contains(run.out, ": 0 differ.");
#ifdef __SIZEOF_INT128__
    assert_contains(run.out, "-678568312650895677506923675537109375 0\n");
    /* Pairs m <= n with m + n <= 54: 28 * 28 = 784; of those some scores of q and k need more than 127 bits. */
    double pairs;
    numbers_after(&pairs, 1, run.out, "All");
    ck_assert(pairs > 700 && pairs <= 784);
#endif
    run_free(&run);
}
END_TEST

START_TEST(scores_by_distance)
{
    struct run run = succeed("--step", "9", NULL, NULL);
    double row[8], expected[8];
    static const double distances[] = {0, 1, 10, 100, 999, 1000, 1001, 4000};
    for (int d = 0; d < 8; d++) { /* equal vectors: the mean cosine */
        expected[d] = 0;
        for (int i = 0; i < 32; i++) {
            expected[d] += cos(distances[d] * pow(1e6, -i / 32.0)) / 32;
        }
    }
    numbers_after(row, 8, run.out, "q = k = all ones");
    assert_near64(row, expected, 8, 5.1e-4, 0);
    numbers_after(row, 8, run.out, "q = R_(-1000) k");
    ck_assert(row[5] == 1.0);
    for (int d = 0; d < 8; d++) {
        ck_assert(d == 5 || row[d] < 0.98);
    }
    numbers_after(row, 8, run.out, "random, rms");
    for (int d = 0; d < 8; d++) { /* 1/sqrt(64), and the noise of 1000 trials */
        assert_near64(&row[d], &(double){0.125}, 1, 0.015, 0);
    }
    run_free(&run);
}
END_TEST

START_TEST(the_other_steps)
{
    struct run run = succeed("--step", "10", NULL, NULL);
    double row[6];
    numbers_after(row, 6, run.out, "     added");
    ck_assert(row[5] > 1); /* the score of the same pair changes when both shift */
    numbers_after(row, 6, run.out, "     rotated");
    ck_assert(row[5] < 1e-10);
    run_free(&run);
    run = succeed("--step", "12", NULL, NULL);
    numbers_after(row, 3, run.out, "[batch, heads, seq, head_dim]");
    ck_assert(row[0] == 64 && row[1] == 320 && row[2] == 0);
    numbers_after(row, 3, run.out, "[tokens, heads, head_dim] packed");
    ck_assert(row[0] == 896 && row[1] == 64 && row[2] == 0);
    assert_contains(run.out, "query head 13 and as key head 1, apart by 0.\n");
    run_free(&run);
    run = succeed("--step", "13", NULL, NULL);
    numbers_after(row, 1, run.out, "changes by");
    ck_assert(row[0] < 1e-12);
    numbers_after(row, 1, run.out, "with V as it is, by");
    ck_assert(row[0] > 0.5);
    run_free(&run);
}
END_TEST

/* ---- Data ---- */

START_TEST(data_bands)
{
    struct run run = data_set("bands");
    ck_assert_int_eq(tsv_rows(run.out), 64 * 32);
    for (int row = 0; row < 64 * 32; row += 17) {
        double position = tsv_number(run.out, row, "position"), pair = tsv_number(run.out, row, "pair");
        double got = tsv_number(run.out, row, "cos");
        assert_near64(&got, &(double){cos(position * pow(1e6, -pair / 32))}, 1, 1e-9, 1e-8);
    }
    run_free(&run);
}
END_TEST

START_TEST(data_wavelengths)
{
    struct run run = data_set("wavelengths");
    ck_assert_int_eq(tsv_rows(run.out), 64);
    for (int row = 0; row < 64; row++) {
        double theta = row < 32 ? 1e4 : 1e6;
        ck_assert(tsv_number(run.out, row, "theta") == theta);
        ck_assert(tsv_number(run.out, row, "pair") == row % 32);
        double got = tsv_number(run.out, row, "wavelength");
        assert_near64(&got, &(double){full_turn * pow(theta, (row % 32) / 32.0)}, 1, 0, 1e-8);
    }
    run_free(&run);
}
END_TEST

START_TEST(data_decay)
{
    struct run run = data_set("decay");
    int peak = 0;
    ck_assert_int_eq(tsv_rows(run.out), 501);
    for (int row = 0; row <= 500; row++) {
        ck_assert(tsv_number(run.out, row, "distance") == 4 * row);
        ck_assert(fabs(tsv_number(run.out, row, "random")) < 0.6);
        if (tsv_number(run.out, row, "turned") > tsv_number(run.out, peak, "turned")) {
            peak = row;
        }
    }
    ck_assert_int_eq(peak, 250); /* 1000 tokens back */
    ck_assert(tsv_number(run.out, 0, "equal") == 1.0);
    ck_assert(tsv_number(run.out, 250, "turned") == 1.0);
    run_free(&run);
}
END_TEST

START_TEST(data_collisions)
{
    struct run run = data_set("collisions");
    ck_assert_int_eq(tsv_rows(run.out), 400);
    double got = tsv_number(run.out, 43, "one");
    assert_near64(&got, &(double){44 - 7 * full_turn}, 1, 1e-6, 0);
    for (int row = 0; row < 400; row++) {
        ck_assert(tsv_number(run.out, row, "many") > 0.5);
    }
    run_free(&run);
}
END_TEST

START_TEST(data_shift)
{
    struct run run = data_set("shift");
    int n = tsv_rows(run.out);
    ck_assert(tsv_number(run.out, n - 1, "shift") == 1000000);
    for (int row = 0; row < n; row++) {
        ck_assert(tsv_number(run.out, row, "rope") < 1e-9);
        ck_assert(tsv_number(run.out, row, "sinusoidal") > 1);
        ck_assert(tsv_number(run.out, row, "square") > 1);
    }
    run_free(&run);
}
END_TEST

/* Case 13, computed in float64 outside this project. */
START_TEST(data_angle_error)
{
    static const struct {
        int position;
        double float32, bf16_frequency;
    } cases[] = {{257, NAN, 0.097}, {4095, 2.1e-5, 1.23}, {32767, 4.8e-4, 1.85}, {131071, 1.0e-3, NAN}};
    struct run run = data_set("angle-error");
    int n_found = 0;
    for (int row = 0; row < tsv_rows(run.out); row++) {
        ck_assert(tsv_number(run.out, row, "rounded_once") <= 0x1p-25 + 1e-12);
        for (int i = 0; i < 4; i++) {
            if (tsv_number(run.out, row, "position") != cases[i].position) {
                continue;
            }
            double float32 = tsv_number(run.out, row, "float32");
            double bf16_frequency = tsv_number(run.out, row, "bf16_frequency");
            if (!isnan(cases[i].float32)) { /* two digits are given */
                assert_near64(&float32, &cases[i].float32, 1, 0, 0.025);
            }
            if (!isnan(cases[i].bf16_frequency)) {
                assert_near64(&bf16_frequency, &cases[i].bf16_frequency, 1, 0, 0.006);
            }
            n_found++;
        }
    }
    ck_assert_int_eq(n_found, 4);
    run_free(&run);
    run = succeed("--step", "11", NULL, NULL);
    assert_contains(run.out, "257       4095      32767\n");
    assert_contains(run.out, "256       4096      32768\n");
    run_free(&run);
}
END_TEST

/* ---- Flags ---- */

START_TEST(any_settings_give_finite_numbers)
{
    static const char *const flags[][2] = {
        {"--head-dim", "2"}, {"--head-dim", "6"},   {"--head-dim", "1024"},      {"--theta", "1"},
        {"--theta", "1e12"}, {"--positions", "2"},  {"--positions", "131072"},   {"--trials", "1"},
        {"--angle", "sqrt"}, {"--angle", "square"}, {"--layout", "interleaved"}, {"--seed", "0"},
    };
    static const char *const data[] = {"bands", "wavelengths", "decay", "collisions", "shift", "angle-error"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        struct run run =
            succeed(flags[i][0], flags[i][1], i == 2 ? "--trials" : "--step", i == 2 ? "10" : "0");
        ck_assert(strstr(run.out, "nan") == NULL && strstr(run.out, "inf") == NULL);
        ck_assert(strstr(run.out, ": 0 differ.") != NULL);
        run_free(&run);
        run = succeed(flags[i][0], flags[i][1], "--data", data[i % 6]);
        ck_assert(strstr(run.out, "nan") == NULL && strstr(run.out, "inf") == NULL && tsv_rows(run.out) > 0);
        run_free(&run);
    }
}
END_TEST

START_TEST(bad_flags_are_refused)
{
    assert_refuses("chapter3", 2, "--head-dim 63: expected an even whole number from 2 to 1024", "--head-dim",
                   "63");
    assert_refuses("chapter3", 2, "--head-dim 1026: expected an even whole number from 2 to 1024",
                   "--head-dim", "1026");
    assert_refuses("chapter3", 2, "--theta 0: expected a number from 1 to 1e+12", "--theta", "0");
    assert_refuses("chapter3", 2, "--layout neox: expected half|interleaved", "--layout", "neox");
    assert_refuses("chapter3", 2, "--data rope: no such data set; '--data list' names them", "--data",
                   "rope");
    assert_refuses("chapter3", 2, "--plot rope: no such figure; '--plot list' names them", "--plot", "rope");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chapter3");
    add_test(suite, "the walk-through", the_walk_through);
    add_test(suite, "frequencies", frequencies);
    add_test(suite, "collisions", collisions_of_one_and_of_many);
    add_test(suite, "prefill, decode, rotate_half", prefill_decode_and_both_forms_differ_by_nothing);
    add_test(suite, "mixed layouts", mixed_layouts_break_the_score);
    add_test(suite, "the proof", the_proof_holds_for_a_linear_angle_only);
    add_test(suite, "whole numbers", in_whole_numbers_nothing_is_lost);
    add_test(suite, "scores by distance", scores_by_distance);
    add_test(suite, "added, shapes, values", the_other_steps);
    add_test(suite, "data bands", data_bands);
    add_test(suite, "data wavelengths", data_wavelengths);
    add_test(suite, "data decay", data_decay);
    add_test(suite, "data collisions", data_collisions);
    add_test(suite, "data shift", data_shift);
    add_test(suite, "data angle-error (case 13)", data_angle_error);
    add_test(suite, "any settings", any_settings_give_finite_numbers);
    add_test(suite, "bad flags", bad_flags_are_refused);
    return suite;
}
