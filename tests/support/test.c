#include "tests/support/test.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void add_test(Suite *suite, const char *name, const TTest *test)
{
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, test);
    suite_add_tcase(suite, tcase);
}

void add_abort_test(Suite *suite, const char *name, const TTest *test)
{
    const char *fork_mode = getenv("CK_FORK");
    if (fork_mode != NULL && strcmp(fork_mode, "no") == 0) {
        return;
    }
    TCase *tcase = tcase_create(name);
    tcase_add_test_raise_signal(tcase, test, SIGABRT);
    suite_add_tcase(suite, tcase);
}

/* The comparisons so far: how many are bad, and the worst of them relative to its bound. */
struct worst {
    size_t n_bad, index;
    double got, expected, error, bound, excess;
};

static void compare(struct worst *worst, size_t index, double got, double expected, double absolute,
                    double relative)
{
    double error = fabs(got - expected);
    double bound = absolute + relative * fabs(expected);
    if (error <= bound || (isinf(expected) && got == expected)) {
        return;
    }
    double excess = isnan(error) ? HUGE_VAL : error / bound;
    if (worst->n_bad == 0 || excess > worst->excess) {
        *worst = (struct worst){worst->n_bad, index, got, expected, error, bound, excess};
    }
    worst->n_bad++;
}

static void report(const struct worst *worst, const char *file, int line, const char *what, size_t n)
{
    if (worst->n_bad > 0) {
        ck_abort_msg(
            "%s:%d: %s: %zu of %zu differ; worst at [%zu]: got %.17g, expected %.17g, error %.3g > %.3g",
            file, line, what, worst->n_bad, n, worst->index, worst->got, worst->expected, worst->error,
            worst->bound);
    }
}

void assert_near_at(const char *file, int line, const char *what, const float *got, const double *expected,
                    size_t n, double absolute, double relative)
{
    struct worst worst = {0, 0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        compare(&worst, i, (double)got[i], expected[i], absolute, relative);
    }
    report(&worst, file, line, what, n);
}

void assert_near64_at(const char *file, int line, const char *what, const double *got, const double *expected,
                      size_t n, double absolute, double relative)
{
    struct worst worst = {0, 0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        compare(&worst, i, got[i], expected[i], absolute, relative);
    }
    report(&worst, file, line, what, n);
}

void assert_bits16_at(const char *file, int line, const char *what, const uint16_t *got,
                      const uint16_t *expected, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (got[i] != expected[i]) {
            ck_abort_msg("%s:%d: %s[%zu]: got 0x%04x, expected 0x%04x", file, line, what, i, (unsigned)got[i],
                         (unsigned)expected[i]);
        }
    }
}

void *test_alloc(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    ck_assert_ptr_nonnull(memory);
    return memory;
}
