#include "tests/support/test.h"

#include <math.h>

static Suite the_suite;

Suite *suite_create(const char *name)
{
    the_suite = (Suite){name, 0};
    return &the_suite;
}

void add_test(Suite *suite, const char *name, const TTest *test)
{
    printf("%s: %s\n", suite->name, name);
    fflush(stdout);
    test->run();
    suite->n_tests++;
}

void assert_near_at(const char *file, int line, const char *what, const float *got, const double *expected,
                    size_t n, double absolute, double relative)
{
    for (size_t i = 0; i < n; i++) {
        double error = fabs((double)got[i] - expected[i]);
        ck_assert_msg(error <= absolute + relative * fabs(expected[i]),
                      "%s:%d: %s[%zu]: got %.9g, expected %.9g", file, line, what, i, (double)got[i],
                      expected[i]);
    }
}

void *test_alloc(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

int main(void)
{
    Suite *suite = make_suite();
    printf("%s: %d tests passed\n", suite->name, suite->n_tests);
    return suite->n_tests > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
