/* check.h: as much of Check as the kernels' tests need, for cross-building them where Check is not built for arm64.
 *
 * Tests run in this process, one after the other; the first that fails ends it. */
#ifndef TESTS_ARM64_CHECK_H
#define TESTS_ARM64_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    void (*run)(void);
} TTest;
typedef struct {
    const char *name;
    int n_tests;
} Suite, TCase, SRunner;

enum { CK_NORMAL };

#define START_TEST(test)                                                                                     \
    static void test##_run(void);                                                                            \
    static const TTest test##_case = {#test, test##_run}, *const test = &test##_case;                        \
    static void test##_run(void)
#define END_TEST

#define ck_abort_msg(...)                                                                                    \
    do {                                                                                                     \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                      \
        fprintf(stderr, __VA_ARGS__);                                                                        \
        fprintf(stderr, "\n");                                                                               \
        exit(EXIT_FAILURE);                                                                                  \
    } while (0)
#define ck_assert_msg(condition, ...)                                                                        \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            ck_abort_msg(__VA_ARGS__);                                                                       \
    } while (0)
#define ck_assert(condition)           ck_assert_msg(condition, "%s", #condition)
#define ck_assert_int_eq(a, b)         ck_assert((a) == (b))
#define ck_assert_int_ge(a, b)         ck_assert((a) >= (b))
#define ck_assert_uint_eq(a, b)        ck_assert((a) == (b))
#define ck_assert_str_eq(a, b)         ck_assert(strcmp(a, b) == 0)
#define ck_assert_ptr_eq(a, b)         ck_assert((a) == (b))
#define ck_assert_ptr_null(pointer)    ck_assert((pointer) == NULL)
#define ck_assert_ptr_nonnull(pointer) ck_assert((pointer) != NULL)

Suite *suite_create(const char *name);

#endif
