#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/rotation.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

static const double pi = 3.14159265358979323846;

static void assert_point(struct point got, double x, double y, double tolerance)
{
    const double values[2] = {got.x, got.y};
    const double expected[2] = {x, y};
    assert_near64(values, expected, 2, tolerance, 0);
}

/* 1e-15 for a sine and a cosine rounded once, times vectors of norm up to 5. */
START_TEST(rotations_match_the_golden)
{
    struct golden golden;
    size_t n_angles = 0;
    golden_open(&golden, "ch2_rotation");
    double *theta = golden_f64(&golden, "rot2d.theta", &n_angles);
    double *v = golden_f64(&golden, "rot2d.v", NULL);
    double *expected = golden_f64(&golden, "rot2d.out", NULL);
    for (size_t t = 0; t < n_angles; t++) {
        struct rotation r = rotation_from_angle(theta[t]);
        for (size_t i = 0; i < 3; i++) {
            struct point p = {v[2 * i], v[2 * i + 1]};
            const double *e = expected + (t * 3 + i) * 2;
            assert_point(rotation_apply(r, p), e[0], e[1], 3e-15);
            assert_point(rotation_apply_complex(r, p), e[0], e[1], 3e-15);
        }
    }
    ck_assert_uint_eq(n_angles, 7);
    free(theta);
    free(v);
    free(expected);
    golden_close(&golden);
}
END_TEST

START_TEST(a_quarter_turn_takes_x_to_y)
{
    struct rotation quarter = rotation_from_angle(pi / 2);
    assert_point(rotation_apply(quarter, (struct point){1, 0}), 0, 1, 1e-15);
    assert_point(rotation_apply(quarter, (struct point){0, 1}), -1, 0, 1e-15);
}
END_TEST

START_TEST(composition_adds_angles_and_the_inverse_takes_back)
{
    for (int i = 0; i <= 16; i++) {
        double a = -3 + 0.37 * i;
        for (int j = 0; j <= 14; j++) {
            double b = -3 + 0.41 * j;
            struct rotation ab = rotation_compose(rotation_from_angle(a), rotation_from_angle(b));
            assert_point((struct point){ab.cosine, ab.sine}, cos(a + b), sin(a + b), 1e-15);
            struct rotation back = rotation_compose(rotation_inverse(rotation_from_angle(a)), ab);
            assert_point((struct point){back.cosine, back.sine}, cos(b), sin(b), 1e-15);
        }
        double angle = rotation_angle(rotation_from_angle(a));
        assert_near64(&angle, &a, 1, 1e-15, 0);
    }
}
END_TEST

static double dot(struct point a, struct point b)
{
    return a.x * b.x + a.y * b.y;
}

START_TEST(norm_and_dot_are_kept)
{
    struct point p = {3, -4};
    struct point q = {0.5, 2};
    struct rotation r = rotation_from_angle(1.2345);
    ck_assert(rotation_norm(p) == 5.0);
    ck_assert(fabs(rotation_norm(rotation_apply(r, p)) - 5.0) <= 2e-15);
    ck_assert(fabs(dot(rotation_apply(r, p), rotation_apply(r, q)) - -6.5) <= 4e-15);
    ck_assert(isfinite(rotation_norm((struct point){1e300, 1e300})));
}
END_TEST

START_TEST(small_powers_by_hand)
{
    /* (3+4i)^2 = -7 + 24i, (3+4i)^3 = -117 + 44i */
    static const int expected[][2] = {{1, 0}, {3, 4}, {-7, 24}, {-117, 44}};
    for (int m = 0; m < 4; m++) {
        struct rotation_exact power;
        ck_assert(rotation_exact_power(&power, m));
        ck_assert(power.m[0][0] == expected[m][0] && power.m[1][0] == expected[m][1]);
        ck_assert(power.m[0][1] == -expected[m][1] && power.m[1][1] == expected[m][0]);
    }
}
END_TEST

/* Every m <= n with m + n up to the limit L, of which there are (L/2 + 1)^2 for an even and (L+1)(L+3)/4 for an odd L. */
START_TEST(the_relative_rotation_is_exact)
{
    int n_checked = 0;
    for (int n = 0; n <= ROTATION_EXACT_LIMIT; n++) {
        for (int m = 0; m <= n && m + n <= ROTATION_EXACT_LIMIT; m++) {
            struct rotation_exact a;
            struct rotation_exact b;
            struct rotation_exact left;
            struct rotation_exact right;
            rotation_int scale = 0;
            ck_assert(rotation_exact_power(&a, m) && rotation_exact_power(&b, n));
            a = rotation_exact_transpose(&a);
            ck_assert(rotation_exact_multiply(&left, &a, &b));
            ck_assert(rotation_exact_power(&right, n - m) && rotation_int_power(&scale, 25, m));
            ck_assert(rotation_exact_scale(&right, &right, scale));
            ck_assert(rotation_exact_equal(&left, &right));
            n_checked++;
        }
    }
    ck_assert_int_eq(n_checked, ROTATION_INT_BITS == 128 ? 784 : 210);
}
END_TEST

/* Against arithmetic modulo 2^64, which C defines for unsigned integers: the low halves must agree. */
START_TEST(large_powers_agree_modulo_2_to_the_64)
{
    uint64_t re = 1;
    uint64_t im = 0;
    for (int m = 0; m <= ROTATION_EXACT_LIMIT; m++) {
        struct rotation_exact power;
        ck_assert(rotation_exact_power(&power, m));
        ck_assert_uint_eq((uint64_t)power.m[0][0], re);
        ck_assert_uint_eq((uint64_t)power.m[1][0], im);
        uint64_t next = 3 * re - 4 * im;
        im = 4 * re + 3 * im;
        re = next;
    }
}
END_TEST

START_TEST(equal_means_all_four)
{
    const struct rotation_exact m = {{{1, 2}, {3, 4}}};
    ck_assert(rotation_exact_equal(&m, &m));
    for (int i = 0; i < 4; i++) {
        struct rotation_exact other = m;
        other.m[i / 2][i % 2] = 9;
        ck_assert(!rotation_exact_equal(&m, &other));
        ck_assert(!rotation_exact_equal(&other, &m));
    }
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
    rotation_int power = 7;
    ck_assert(rotation_int_power(&power, 5, ROTATION_EXACT_LIMIT));
    rotation_int largest = power;
    ck_assert(!rotation_int_power(&power, 5, ROTATION_EXACT_LIMIT + 1));
    ck_assert(power == largest); /* unchanged */
    struct rotation_exact m = {{{1, 2}, {3, 4}}};
    struct rotation_exact before = m;
    ck_assert(!rotation_exact_power(&m, 2 * ROTATION_EXACT_LIMIT));
    ck_assert(rotation_exact_equal(&m, &before));
    ck_assert(!rotation_exact_scale(&m, &m, largest) || !rotation_exact_scale(&m, &m, 5));
    struct rotation_exact far;
    ck_assert(rotation_exact_power(&far, ROTATION_EXACT_LIMIT));
    ck_assert(!rotation_exact_multiply(&m, &far, &far));
    rotation_int v[2] = {largest, largest};
    ck_assert(!rotation_exact_apply(v, &before, v) && v[0] == largest && v[1] == largest);
    rotation_int dot = 11;
    ck_assert(!rotation_exact_dot(&dot, v, v) && dot == 11);
}
END_TEST

START_TEST(apply_and_dot_work_in_place)
{
    struct rotation_exact m;
    rotation_int v[2] = {2, -1};
    rotation_int dot = 0;
    ck_assert(rotation_exact_power(&m, 1));
    ck_assert(rotation_exact_apply(v, &m, v)); /* (3+4i)(2-i) = 10 + 5i */
    ck_assert(v[0] == 10 && v[1] == 5);
    ck_assert(rotation_exact_dot(&dot, v, v));
    ck_assert(dot == 125); /* 25 times the norm before */
}
END_TEST

START_TEST(integers_as_text)
{
    char text[ROTATION_INT_TEXT];
    ck_assert_str_eq(rotation_int_text(text, 0), "0");
    ck_assert_str_eq(rotation_int_text(text, -7), "-7");
    ck_assert_str_eq(rotation_int_text(text, INT64_MIN), "-9223372036854775808");
    ck_assert_str_eq(rotation_int_text(text, INT64_MAX), "9223372036854775807");
#ifdef __SIZEOF_INT128__
    rotation_int most = (((rotation_int)1 << 126) - 1) * 2 + 1;
    ck_assert_str_eq(rotation_int_text(text, most), "170141183460469231731687303715884105727");
    ck_assert_str_eq(rotation_int_text(text, -most - 1), "-170141183460469231731687303715884105728");
    rotation_int power = 0;
    ck_assert(rotation_int_power(&power, 5, 54));
    ck_assert_str_eq(rotation_int_text(text, power), "55511151231257827021181583404541015625");
#endif
}
END_TEST

/* What the README says: an angle of a million radians in float32 is rounded to sixteenths. */
START_TEST(float32_is_coarse_at_a_million)
{
    ck_assert(nextafterf(1e6f, INFINITY) - 1e6f == 1.0f / 16);
}
END_TEST

START_TEST(an_infinite_angle_is_the_callers_bug)
{
    rotation_from_angle(INFINITY);
}
END_TEST

START_TEST(a_negative_power_is_the_callers_bug)
{
    struct rotation_exact m;
    rotation_exact_power(&m, -1);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("rotation");
    add_test(suite, "rotations match the golden", rotations_match_the_golden);
    add_test(suite, "a quarter turn takes x to y", a_quarter_turn_takes_x_to_y);
    add_test(suite, "composition and inverse", composition_adds_angles_and_the_inverse_takes_back);
    add_test(suite, "norm and dot are kept", norm_and_dot_are_kept);
    add_test(suite, "small powers by hand", small_powers_by_hand);
    add_test(suite, "the relative rotation is exact", the_relative_rotation_is_exact);
    add_test(suite, "large powers modulo 2^64", large_powers_agree_modulo_2_to_the_64);
    add_test(suite, "what does not fit is refused", what_does_not_fit_is_refused);
    add_test(suite, "equal", equal_means_all_four);
    add_test(suite, "apply and dot in place", apply_and_dot_work_in_place);
    add_test(suite, "integers as text", integers_as_text);
    add_test(suite, "float32 at a million", float32_is_coarse_at_a_million);
    add_abort_test(suite, "an infinite angle", an_infinite_angle_is_the_callers_bug);
    add_abort_test(suite, "a negative power", a_negative_power_is_the_callers_bug);
    return suite;
}
