/* check.h: the part of Check's interface that the tests use, in one small file, for machines that Check is not built for
 * (32-bit, musl, arm64 under an emulator): make TESTER=plain test. The real Check is the default.
 *
 * As there, every test runs in a process of its own, a failed assertion ends it, and the last line counts:
 * "100%: Checks: 12, Failures: 0, Errors: 0". */
#ifndef TESTS_PLAIN_CHECK_H
#define TESTS_PLAIN_CHECK_H

#include <stdint.h>
#include <string.h>

typedef struct TTest {
    const char *name;
    void (*run)(int _i);
    const char *file;
    int line;
} TTest;
typedef struct TCase TCase;
typedef struct Suite Suite;
typedef struct SRunner SRunner;
enum print_output { CK_SILENT, CK_MINIMAL, CK_NORMAL, CK_VERBOSE, CK_ENV };

#define START_TEST(test_name)                                                                                \
    static void test_name##_run(int _i);                                                                     \
    static const TTest test_name##_test = {#test_name, test_name##_run, __FILE__, __LINE__};                 \
    static const TTest *const test_name = &test_name##_test;                                                 \
    static void test_name##_run(int _i)                                                                      \
    {                                                                                                        \
        (void)_i;
#define END_TEST }

Suite *suite_create(const char *name);
TCase *tcase_create(const char *name);
void suite_add_tcase(Suite *suite, TCase *tcase);
void tcase_set_timeout(TCase *tcase, double seconds);
void plain_add(TCase *tcase, const TTest *test, int expected_signal, int first, int end);
#define tcase_add_test(tcase, test)                      plain_add(tcase, test, 0, 0, 1)
#define tcase_add_test_raise_signal(tcase, test, signal) plain_add(tcase, test, signal, 0, 1)
#define tcase_add_loop_test(tcase, test, first, end)     plain_add(tcase, test, 0, first, end)
#define tcase_add_loop_test_raise_signal(tcase, test, signal, first, end)                                    \
    plain_add(tcase, test, signal, first, end)
void tcase_add_unchecked_fixture(TCase *tcase, void (*set_up)(void), void (*tear_down)(void));

SRunner *srunner_create(Suite *suite);
void srunner_run_all(SRunner *runner, enum print_output mode);
int srunner_ntests_failed(const SRunner *runner);
void srunner_free(SRunner *runner);

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
_Noreturn void
plain_fail(const char *file, int line, const char *format, ...);

#define ck_abort_msg(...)             plain_fail(__FILE__, __LINE__, __VA_ARGS__)
#define ck_assert_msg(condition, ...) ((condition) ? (void)0 : plain_fail(__FILE__, __LINE__, "" __VA_ARGS__))
#define ck_assert(condition)          ck_assert_msg(condition, "%s", #condition)

#define plain_compare(type, format, a, operator, b)                                                          \
    do {                                                                                                     \
        type plain_a = (a);                                                                                  \
        type plain_b = (b);                                                                                  \
        if (!(plain_a operator plain_b)) {                                                                   \
            plain_fail(__FILE__, __LINE__, "%s: %" format " is not " #operator" %" format, #a, plain_a,      \
                       plain_b);                                                                             \
        }                                                                                                    \
    } while (0)
#define ck_assert_int_eq(a, b)    plain_compare(intmax_t, PRIdMAX, a, ==, b)
#define ck_assert_int_ne(a, b)    plain_compare(intmax_t, PRIdMAX, a, !=, b)
#define ck_assert_int_lt(a, b)    plain_compare(intmax_t, PRIdMAX, a, <, b)
#define ck_assert_int_le(a, b)    plain_compare(intmax_t, PRIdMAX, a, <=, b)
#define ck_assert_int_gt(a, b)    plain_compare(intmax_t, PRIdMAX, a, >, b)
#define ck_assert_int_ge(a, b)    plain_compare(intmax_t, PRIdMAX, a, >=, b)
#define ck_assert_uint_eq(a, b)   plain_compare(uintmax_t, PRIuMAX, a, ==, b)
#define ck_assert_uint_ne(a, b)   plain_compare(uintmax_t, PRIuMAX, a, !=, b)
#define ck_assert_uint_lt(a, b)   plain_compare(uintmax_t, PRIuMAX, a, <, b)
#define ck_assert_uint_le(a, b)   plain_compare(uintmax_t, PRIuMAX, a, <=, b)
#define ck_assert_uint_gt(a, b)   plain_compare(uintmax_t, PRIuMAX, a, >, b)
#define ck_assert_uint_ge(a, b)   plain_compare(uintmax_t, PRIuMAX, a, >=, b)
#define ck_assert_float_eq(a, b)  plain_compare(double, "g", (double)(a), ==, (double)(b))
#define ck_assert_float_le(a, b)  plain_compare(double, "g", (double)(a), <=, (double)(b))
#define ck_assert_double_eq(a, b) plain_compare(double, "g", a, ==, b)
#define ck_assert_double_ne(a, b) plain_compare(double, "g", a, !=, b)
#define ck_assert_double_le(a, b) plain_compare(double, "g", a, <=, b)
#define ck_assert_double_lt(a, b) plain_compare(double, "g", a, <, b)
#define ck_assert_double_gt(a, b) plain_compare(double, "g", a, >, b)
#define ck_assert_double_eq_tol(a, b, tolerance)                                                             \
    plain_compare(double, "g", (a) - (b) < 0 ? (b) - (a) : (a) - (b), <=, tolerance)
#define ck_assert_ptr_eq(a, b)    ck_assert_msg((const void *)(a) == (const void *)(b), "%s is not %s", #a, #b)
#define ck_assert_ptr_ne(a, b)    ck_assert_msg((const void *)(a) != (const void *)(b), "%s is %s", #a, #b)
#define ck_assert_ptr_null(a)     ck_assert_msg((a) == NULL, "%s is not NULL", #a)
#define ck_assert_ptr_nonnull(a)  ck_assert_msg((a) != NULL, "%s is NULL", #a)
#define ck_assert_str_eq(a, b)    plain_str_eq(__FILE__, __LINE__, a, b)
#define ck_assert_str_ne(a, b)    ck_assert_msg(strcmp(a, b) != 0, "%s and %s are equal", #a, #b)
#define ck_assert_mem_eq(a, b, n) ck_assert_msg(memcmp(a, b, n) == 0, "%s and %s differ", #a, #b)
#define ck_assert_mem_ne(a, b, n) ck_assert_msg(memcmp(a, b, n) != 0, "%s and %s are equal", #a, #b)

void plain_str_eq(const char *file, int line, const char *a, const char *b);

#include <inttypes.h>

#endif
