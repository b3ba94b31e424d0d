#include <math.h>

#include "common/adam.h"
#include "tests/support/test.h"

/* Steps against the reference's Adam: tests/test_train.c. Here: what follows from the formula alone. */

START_TEST(the_first_step_is_the_learning_rate_whatever_the_gradient)
{
    double p[4] = {1, 1, 1, 1};
    const double g[4] = {1e-3, -5, 1e6, 0};
    const double expected[4] = {1 - 0.01 * 1e-3 / (1e-3 + 1e-8), 1.01, 0.99, 1}; /* m_hat = g, v_hat = g^2 */
    double moments[8];
    struct adam adam;
    adam_init(&adam, 0.01, moments, 4);
    adam_step(&adam, p, g);
    assert_near64(p, expected, 4, 1e-10, 0); /* 5 / (5 + 1e-8) differs from 1 by 2e-9, times 0.01 */
    ck_assert_int_eq(adam.t, 1);
}
END_TEST

START_TEST(a_valley_is_walked_to_its_bottom)
{
    double p[2] = {3, -2}; /* loss = 50 p0^2 + p1^2 / 2: slopes a hundred times apart */
    double moments[4];
    struct adam adam;
    adam_init(&adam, 0.05, moments, 2);
    for (int i = 0; i < 2000; i++) {
        const double g[2] = {100 * p[0], p[1]};
        adam_step(&adam, p, g);
    }
    const double bottom[2] = {0, 0};
    assert_near64(p, bottom, 2, 1e-3, 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("adam");
    add_test(suite, "the first step is the learning rate",
             the_first_step_is_the_learning_rate_whatever_the_gradient);
    add_test(suite, "a valley is walked to its bottom", a_valley_is_walked_to_its_bottom);
    return suite;
}
