#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/run_program.h"
#include "tests/support/test.h"

static double number_after(const char *text, const char *words)
{
    const char *found = strstr(text, words);
    ck_assert_msg(found != NULL, "'%s' is not in:\n%s", words, text);
    return strtod(found + strlen(words), NULL);
}

/* Errors of float64 differ from machine to machine, below 1e-7; float32 steps are the same everywhere. */
START_TEST(the_walk_through_at_its_defaults)
{
    struct run run;
    run_program(&run, NULL, "chapter2", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    ck_assert_uint_eq(run.err_size, 0);
#ifdef __SIZEOF_INT128__ /* without it step 5 ends at m + n = 27 */
    assert_output_like(&run, "chapter2.txt", 1e-7, 1e-6);
#endif
    for (const char *line = run.out; *line != '\0'; line += strcspn(line, "\n") + 1) {
        ck_assert_msg(strcspn(line, "\n") <= 81, "too wide: %.90s",
                      line); /* the title has one 2-byte letter */
    }
    run_free(&run);
}
END_TEST

/* A quarter turn takes (2, 1) to (-1, 2). */
START_TEST(a_quarter_turn)
{
    struct run run;
    run_program(&run, NULL, "chapter2", "--step", "1", "--theta", "1.5707963267948966", "--x", "2", "--y",
                "1", NULL);
    const char *last = strstr(run.out, "[         1 ]");
    ck_assert(last == NULL);
    assert_contains(run.out, "[        -1 ]");
    assert_contains(run.out, "[         2 ]");
    run_free(&run);
}
END_TEST

START_TEST(composition_and_difference)
{
    struct run run;
    run_program(&run, NULL, "chapter2", "--step", "2", "--theta", "0.1", NULL);
    ck_assert(fabs(number_after(run.out, "R_n R_m            cos") - cos(1.0)) <= 5.1e-8);
    ck_assert(fabs(number_after(run.out, "R_(m+n)            cos") - cos(1.0)) <= 5.1e-8);
    ck_assert(fabs(number_after(run.out, "R_n transposed R_m cos") - cos(0.4)) <= 5.1e-8);
    ck_assert(fabs(number_after(run.out, "R_(m-n)            cos") - cos(0.4)) <= 5.1e-8);
    ck_assert(number_after(run.out, "R_n transposed R_n cos") == 1.0);
    run_free(&run);
}
END_TEST

/* By hand: (3+4i)^2 = -7+24i; ^3 = -117+44i; 625 (-117+44i) = -73125+27500i; ^5 = -237-3116i. */
START_TEST(integers_are_exact)
{
    struct run run;
    run_program(&run, NULL, "chapter2", "--step", "4", NULL);
    assert_contains(run.out, "M_2                first column           -7,           24\n");
    assert_contains(run.out, "M_5                first column         -237,        -3116\n");
    assert_contains(run.out, "M_2^T M_5          first column       -73125,        27500\n");
    assert_contains(run.out, "25^2 M_3           first column       -73125,        27500\n");
    run_free(&run);
    run_program(&run, NULL, "chapter2", "--step", "5", NULL);
#ifdef __SIZEOF_INT128__
    assert_contains(run.out, "5^54 = 55511151231257827021181583404541015625\n");
    assert_contains(
        run.out,
        "but not 5^55 (refused). Every m <= n with m + n <= 54:\n   784 pairs compared, 0 different.");
#else
    assert_contains(run.out, "5^27 = 7450580596923828125\n");
    assert_contains(
        run.out,
        "but not 5^28 (refused). Every m <= n with m + n <= 27:\n   210 pairs compared, 0 different.");
#endif
    run_free(&run);
}
END_TEST

/* At once: the cosine, the sine, two products and a sum are rounded to float32, 2^-24 each at most. By steps: the
 * length grows by the rounded matrix's own, sqrt(c*c + s*s), to the power of the number of steps; the roundings of the
 * products wander around that. */
START_TEST(a_million_steps_drift_and_one_does_not)
{
    struct run run;
    run_program(&run, NULL, "chapter2", "--data", "drift", NULL);
    int last = tsv_rows(run.out) - 1;
    ck_assert_int_gt(last, 50);
    for (int row = 0; row <= last; row++) {
        double n = tsv_number(run.out, row, "rotations");
        ck_assert(tsv_number(run.out, row, "once_f32") <= 3 * 0x1p-24);
        ck_assert(tsv_number(run.out, row, "once_f64") <= 3 * 0x1p-53 + 0.1 * n * 0x1p-53);
        ck_assert(tsv_number(run.out, row, "steps_f64") <= 3 * n * 0x1p-53);
    }
    ck_assert(tsv_number(run.out, last, "rotations") == 1000000);
    double c = (double)(float)cos(0.1);
    double s = (double)(float)sin(0.1);
    double grown = pow(c * c + s * s, 500000);
    double error = tsv_number(run.out, last, "steps_f32");
    ck_assert_msg(error >= fabs(grown - 1) - 1e-3, "%g, the length alone accounts for %g", error, grown - 1);
    run_free(&run);
    run_program(&run, NULL, "chapter2", "--step", "6", NULL);
    double printed = number_after(run.out, "the float32 length is ");
    assert_near64(&printed, &grown, 1, 1e-3, 0);
    run_free(&run);
}
END_TEST

START_TEST(the_orbit_keeps_its_norm)
{
    struct run run;
    run_program(&run, NULL, "chapter2", "--data", "orbit", "--theta", "0.7", "--x", "-1", "--y", "0", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 61);
    for (int step = 0; step <= 60; step++) {
        double got[3] = {tsv_number(run.out, step, "x"), tsv_number(run.out, step, "y"),
                         tsv_number(run.out, step, "norm")};
        double expected[3] = {-cos(0.7 * step), -sin(0.7 * step), 1};
        assert_near64(got, expected, 3, 1e-9, 1e-8);
    }
    run_free(&run);
}
END_TEST

START_TEST(extremes_run)
{
    static const char *const flags[][2] = {{"--theta", "0"}, {"--theta", "-1e6"}, {"--theta", "1e-300"},
                                           {"--x", "1e6"},   {"--x", "1e-300"},   {"--y", "-0.0"}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        struct run run;
        run_program(&run, NULL, "chapter2", flags[i][0], flags[i][1], NULL);
        ck_assert_int_eq(run.exit_code, 0);
        ck_assert_ptr_null(strstr(run.out, "nan"));
        run_free(&run);
    }
    struct run run;
    run_program(&run, NULL, "chapter2", "--x", "0", "--y", "0", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    ck_assert_ptr_null(strstr(run.out, "nan"));
    run_free(&run);
}
END_TEST

START_TEST(bad_flags_are_refused)
{
    assert_refuses("chapter2", 2, "--theta 1e7: expected a number from -1000000 to 1000000", "--theta",
                   "1e7");
    assert_refuses("chapter2", 2, "--theta pi: expected a number from -1000000 to 1000000", "--theta", "pi");
    assert_refuses("chapter2", 2, "--x inf: expected a number from -1000000 to 1000000", "--x", "inf");
    assert_refuses("chapter2", 2, "--step 7: expected a whole number from 0 to 6", "--step", "7");
    assert_refuses("chapter2", 2, "--data waves: no such data set; '--data list' names them", "--data",
                   "waves");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chapter2");
    add_test(suite, "the walk-through", the_walk_through_at_its_defaults);
    add_test(suite, "a quarter turn", a_quarter_turn);
    add_test(suite, "composition and difference", composition_and_difference);
    add_test(suite, "integers are exact", integers_are_exact);
    add_test(suite, "a million steps", a_million_steps_drift_and_one_does_not);
    add_test(suite, "the orbit", the_orbit_keeps_its_norm);
    add_test(suite, "extremes", extremes_run);
    add_test(suite, "bad flags", bad_flags_are_refused);
    return suite;
}
