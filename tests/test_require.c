#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/require.h"
#include "tests/support/test.h"

static int count_calls(int *calls)
{
    return ++*calls;
}

START_TEST(a_true_condition_is_evaluated_once_and_passes)
{
    int calls = 0;
    REQUIRE(count_calls(&calls) == 1);
    ck_assert_int_eq(calls, 1);
}
END_TEST

START_TEST(a_false_condition_aborts)
{
    int n = 0;
    REQUIRE(n > 0);
}
END_TEST

/* The message names the place, the function and the expression. */
START_TEST(the_message_says_where_and_what)
{
    int ends[2];
    char text[256] = "";
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(ends[1], 2);
        require_failed("n > 0", "common/x.c", 12, "x_make");
    }
    close(ends[1]);
    ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
    close(ends[0]);
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    const char *message = "common/x.c:12: x_make requires n > 0\n";
    if (getenv("RUN") != NULL) { /* an emulator has a line of its own to say after it */
        ck_assert_int_eq(strncmp(text, message, strlen(message)), 0);
    } else {
        ck_assert_str_eq(text, message);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("require");
    add_test(suite, "a true condition passes", a_true_condition_is_evaluated_once_and_passes);
    add_abort_test(suite, "a false condition aborts", a_false_condition_aborts);
    add_test(suite, "the message says where and what", the_message_says_where_and_what);
    return suite;
}
