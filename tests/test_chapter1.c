#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/run_program.h"
#include "tests/support/test.h"

static const double two_pi = 6.283185307179586;

static double number_after(const char *text, const char *words)
{
    const char *found = strstr(text, words);
    ck_assert_msg(found != NULL, "'%s' is not in:\n%s", words, text);
    return strtod(found + strlen(words), NULL);
}

/* 10000^(-2 pair / 512), by another way than the program's. */
static double frequency(int pair)
{
    return exp(-log(10000.0) * pair / 256);
}

static double cosine_sum(int distance)
{
    double sum = 0;
    for (int pair = 0; pair < 256; pair++) {
        sum += cos(distance * frequency(pair));
    }
    return sum;
}

/* 1.1e-4 absolute: the last of four printed decimals may round the other way where log and cos differ in a last bit;
 * spreads that are rounding (1e-12) differ from machine to machine. The numbers themselves are held below. */
START_TEST(the_walk_through_at_its_defaults)
{
    struct run run;
    run_program(&run, NULL, "chapter1", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    ck_assert_uint_eq(run.err_size, 0);
    assert_output_like(&run, "chapter1.txt", 1.1e-4, 1e-5);
    run_free(&run);
}
END_TEST

START_TEST(lines_stay_within_80_columns)
{
    struct run run;
    static const char *const widths[] = {"2", "3", "5", "512"};
    for (int i = 0; i < 4; i++) {
        run_program(&run, NULL, "chapter1", "--d-model", widths[i], NULL);
        ck_assert_int_eq(run.exit_code, 0);
        for (const char *line = run.out; *line != '\0'; line += strcspn(line, "\n") + 1) {
            ck_assert_msg(strcspn(line, "\n") <= 81, "too wide: %.90s",
                          line); /* the title has one 2-byte letter */
        }
        run_free(&run);
    }
}
END_TEST

/* Computed apart, in Python from the formula in the program's comment. */
START_TEST(word_order_shows_only_with_positions)
{
    struct run run;
    run_program(&run, NULL, "chapter1", "--step", "1", NULL);
    assert_contains(run.out, "dog     0.5531  0.1214  0.3622  0.0890      0.5531  0.1214  0.3622  0.0890");
    assert_contains(run.out, "man     0.5644  0.0366  0.3342  0.1873      0.5644  0.0366  0.3342  0.1873");
    assert_contains(run.out, "dog     0.9498  0.7720  0.4061  1.0706      1.3311  0.2044  0.3835  0.9885");
    assert_contains(run.out, "man     1.4358 -0.3954  0.2687  1.4559      0.9366  0.6481  0.3601  1.2152");
    double without = number_after(run.out, "Largest difference: ");
    ck_assert(without >= 0 && without <= 1e-15);
    const char *second = strstr(strstr(run.out, "Largest") + 1, "Largest difference: ");
    ck_assert(fabs(number_after(second, "difference: ") - 1.0435) <= 0.0051); /* two decimals are printed */
    run_free(&run);
}
END_TEST

START_TEST(wavelengths_follow_the_formula)
{
    struct run run;
    run_program(&run, NULL, "chapter1", "--data", "wavelengths", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 256);
    for (int pair = 0; pair < 256; pair++) {
        double got[2] = {tsv_number(run.out, pair, "frequency"), tsv_number(run.out, pair, "wavelength")};
        double expected[2] = {frequency(pair), two_pi / frequency(pair)};
        assert_near64(got, expected, 2, 0, 1e-8); /* nine digits are printed */
        ck_assert(tsv_number(run.out, pair, "max_len") == 5000);
    }
    run_free(&run);
}
END_TEST

START_TEST(the_heat_map_shows_the_encoding)
{
    struct run run;
    run_program(&run, NULL, "chapter1", "--data", "heatmap", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 48 * 32);
    for (int row = 0; row < 48 * 32; row += 37) {
        int element = (int)tsv_number(run.out, row, "element");
        double angle = tsv_number(run.out, row, "position") * frequency(element / 2);
        double got = tsv_number(run.out, row, "value");
        double expected = element % 2 == 0 ? sin(angle) : cos(angle);
        assert_near64(&got, &expected, 1, 1e-9, 1e-8);
    }
    ck_assert(tsv_number(run.out, 31, "element") == 511); /* first and last pair are there */
    run_free(&run);
}
END_TEST

START_TEST(similarity_depends_on_the_distance_until_projected)
{
    struct run run;
    double most = 0;
    run_program(&run, NULL, "chapter1", "--data", "similarity", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 201);
    for (int row = 0; row < 201; row++) {
        double got[2] = {tsv_number(run.out, row, "near"), tsv_number(run.out, row, "far")};
        double expected[2] = {cosine_sum(row - 100), cosine_sum(row - 100)};
        assert_near64(got, expected, 2, 1e-9, 1e-8);
        most = fmax(most, fabs(tsv_number(run.out, row, "near_projected") -
                               tsv_number(run.out, row, "far_projected")));
    }
    ck_assert(tsv_number(run.out, 100, "near") == 256);
    /* A projected product is random with deviation 256 / sqrt(512), about 11: two places agree nowhere near. */
    ck_assert(most > 11);
    run_free(&run);
}
END_TEST

/* Before the projections two of four terms stay, after them one. */
START_TEST(a_shift_moves_the_terms_that_hold_a_position)
{
    static const char *const column[] = {"cc",           "cp",           "pc",           "pp",
                                         "projected_cc", "projected_cp", "projected_pc", "projected_pp"};
    static const int stays[] = {1, 0, 0, 1, 1, 0, 0, 0};
    struct run run;
    run_program(&run, NULL, "chapter1", "--data", "terms", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 201);
    for (int c = 0; c < 8; c++) {
        double lowest = INFINITY;
        double highest = -INFINITY;
        for (int row = 0; row < 201; row += 5) {
            double value = tsv_number(run.out, row, column[c]);
            lowest = fmin(lowest, value);
            highest = fmax(highest, value);
        }
        ck_assert_msg(stays[c] ? highest - lowest <= 1e-7 : highest - lowest > 0.5, "%s: from %g to %g",
                      column[c], lowest, highest);
    }
    double pp = tsv_number(run.out, 0, "pp");
    double expected = cosine_sum(3) / sqrt(512);
    assert_near64(&pp, &expected, 1, 0, 1e-8);
    run_free(&run);
}
END_TEST

START_TEST(rows_are_rotations_of_earlier_rows)
{
    struct run run;
    run_program(&run, NULL, "chapter1", "--step", "6", NULL);
    static const char *const lines[] = {"k =    1: rotated row p against row p + k, largest error",
                                        "k = 1000: rotated row p against row p + k, largest error"};
    for (int i = 0; i < 2; i++) {
        ck_assert(number_after(run.out, lines[i]) <= 1e-12 + 4 * 0x1p-53 * 6000);
    }
    run_free(&run);
}
END_TEST

START_TEST(dropout_switches_off_its_share_and_keeps_the_mean)
{
    static const char *const rates[] = {"0", "0.1", "0.5"};
    for (int i = 0; i < 3; i++) {
        struct run run;
        run_program(&run, NULL, "chapter1", "--step", "7", "--dropout", rates[i], NULL);
        double rate = strtod(rates[i], NULL);
        double share = number_after(run.out, "In training ") / 100;
        ck_assert(fabs(share - rate) <= 0.0005 + 5 * sqrt(rate * (1 - rate) / 32768)); /* printed to 0.1% */
        double before = number_after(run.out, "but for chance: ");
        double after = number_after(run.out, "before, ");
        /* The mean square of the elements is 1 + 1/2 + their own: below 2. Five standard deviations of the mean. */
        ck_assert(fabs(before - after) <= 1e-4 + 5 * sqrt(2 * rate / (1 - rate) / 32768));
        run_free(&run);
    }
}
END_TEST

/* A pair turns once within L positions when its wavelength is at most L: i <= 64 log10(L / 2 pi) of 256. */
START_TEST(unseen_phases_are_counted)
{
    static const struct {
        const char *line;
        int length;
    } cases[] = {{"trained on    512 positions:", 512},
                 {"trained on   2048 positions:", 2048},
                 {"trained on   5000 positions:", 5000},
                 {"trained on 100000 positions:", 100000}};
    struct run run;
    run_program(&run, NULL, "chapter1", "--step", "8", NULL);
    for (int i = 0; i < 4; i++) {
        int turning = (int)floor(64 * log10(cases[i].length / two_pi)) + 1;
        ck_assert_int_eq((int)number_after(run.out, cases[i].line), turning < 256 ? 256 - turning : 0);
    }
    assert_contains(run.out, "learned, 2048 rows   position 3000: the learned table has rows 0 to 2047");
    assert_contains(run.out, "position 100000: 0.0357 -0.9994"); /* sin and cos of 100000 radians */
    run_free(&run);
}
END_TEST

START_TEST(an_odd_width_shows_in_the_spread)
{
    struct run run;
    run_program(&run, NULL, "chapter1", "--step", "4", "--d-model", "5", NULL);
    assert_contains(run.out, "The width is odd");
    run_free(&run);
}
END_TEST

START_TEST(extremes_run)
{
    static const char *const flags[][2] = {
        {"--d-model", "2"}, {"--d-model", "2047"}, {"--max-len", "16"},   {"--base", "1"},
        {"--base", "1e12"}, {"--dropout", "0.99"}, {"--max-len", "2048"}, {"--seed", "18446744073709551615"}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        struct run run;
        run_program(&run, NULL, "chapter1", flags[i][0], flags[i][1], NULL);
        ck_assert_msg(run.exit_code == 0, "%s %s: %d %s", flags[i][0], flags[i][1], run.exit_code, run.err);
        ck_assert_ptr_null(strstr(run.out, "nan"));
        run_free(&run);
    }
    static const char *const data[] = {"heatmap", "wavelengths", "similarity", "terms"};
    for (int i = 0; i < 4; i++) {
        struct run run;
        run_program(&run, NULL, "chapter1", "--d-model", "3", "--data", data[i], NULL);
        ck_assert_int_eq(run.exit_code, 0);
        ck_assert_int_gt(tsv_rows(run.out), 0);
        run_free(&run);
    }
}
END_TEST

START_TEST(bad_flags_are_refused)
{
    assert_refuses("chapter1", 2, "--d-model 1: expected a whole number from 2 to 2048", "--d-model", "1");
    assert_refuses("chapter1", 2, "--max-len 15: expected a whole number from 16 to 65536", "--max-len",
                   "15");
    assert_refuses("chapter1", 2, "--base 0.5: expected a number from 1 to 1e+12", "--base", "0.5");
    assert_refuses("chapter1", 2, "--dropout 1: expected a number from 0 to 0.99", "--dropout", "1");
    assert_refuses("chapter1", 2, "--dropout nan: expected a number from 0 to 0.99", "--dropout", "nan");
    assert_refuses("chapter1", 2, "--seed -1: expected a whole number from 0 to 18446744073709551615",
                   "--seed", "-1");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chapter1");
    add_test(suite, "the walk-through", the_walk_through_at_its_defaults);
    add_test(suite, "80 columns", lines_stay_within_80_columns);
    add_test(suite, "word order", word_order_shows_only_with_positions);
    add_test(suite, "wavelengths", wavelengths_follow_the_formula);
    add_test(suite, "the heat map", the_heat_map_shows_the_encoding);
    add_test(suite, "similarity", similarity_depends_on_the_distance_until_projected);
    add_test(suite, "the four terms", a_shift_moves_the_terms_that_hold_a_position);
    add_test(suite, "rows are rotations of rows", rows_are_rotations_of_earlier_rows);
    add_test(suite, "dropout", dropout_switches_off_its_share_and_keeps_the_mean);
    add_test(suite, "unseen phases", unseen_phases_are_counted);
    add_test(suite, "an odd width", an_odd_width_shows_in_the_spread);
    add_test(suite, "extremes", extremes_run);
    add_test(suite, "bad flags", bad_flags_are_refused);
    return suite;
}
