/* test.h: what every test file uses beside Check.
 *
 * A test file defines make_suite(); tests/support/main.c runs it. Comparisons fail on NaN: they are written
 * !(error <= tolerance). */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

#include <check.h>
#include <stddef.h>
#include <stdint.h>

Suite *make_suite(void);

/* Adds one test case per function, so that a failure names it. */
void add_test(Suite *suite, const char *name, const TTest *test);

/* Adds a test that must end in REQUIRE's abort(): a caller's bug. Left out when Check runs tests in its own process
 * (CK_FORK=no, under valgrind), where the abort would end them all. */
void add_abort_test(Suite *suite, const char *name, const TTest *test);

/* Fails unless |got[i] - expected[i]| <= absolute + relative * |expected[i]| for every i; prints the number of bad
 * elements and, for the worst, its index, both values, the error and the bound. */
#define assert_near(got, expected, n, absolute, relative)                                                    \
    assert_near_at(__FILE__, __LINE__, #got, got, expected, n, absolute, relative)
void assert_near_at(const char *file, int line, const char *what, const float *got, const double *expected,
                    size_t n, double absolute, double relative);

/* The same for float64 results. */
#define assert_near64(got, expected, n, absolute, relative)                                                  \
    assert_near64_at(__FILE__, __LINE__, #got, got, expected, n, absolute, relative)
void assert_near64_at(const char *file, int line, const char *what, const double *got, const double *expected,
                      size_t n, double absolute, double relative);

/* Fails unless both are the same bits; prints the first index that differs. For bfloat16 results. */
#define assert_bits16(got, expected, n) assert_bits16_at(__FILE__, __LINE__, #got, got, expected, n)
void assert_bits16_at(const char *file, int line, const char *what, const uint16_t *got,
                      const uint16_t *expected, size_t n);

/* malloc that fails the test instead of returning NULL. The caller frees. */
void *test_alloc(size_t bytes);

#endif
