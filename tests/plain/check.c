#include "tests/plain/check.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_TESTS = 1024, MAX_ENTRIES = 32, FAILED = 1 };

struct entry {
    const TTest *test;
    int expected_signal, first, end;
};

struct TCase {
    double timeout;
    void (*set_up)(void), (*tear_down)(void);
    struct entry entries[MAX_ENTRIES];
    int n;
};

struct Suite {
    const char *name;
    TCase *cases[MAX_TESTS];
    int n;
};

struct SRunner {
    Suite *suite;
    int failed;
};

static void *need(void *memory)
{
    if (memory == NULL) {
        abort();
    }
    return memory;
}

Suite *suite_create(const char *name)
{
    Suite *suite = need(calloc(1, sizeof *suite));
    suite->name = name;
    return suite;
}

TCase *tcase_create(const char *name)
{
    (void)name;
    TCase *tcase = need(calloc(1, sizeof *tcase));
    tcase->timeout = 4;
    return tcase;
}

void suite_add_tcase(Suite *suite, TCase *tcase)
{
    if (suite->n == MAX_TESTS) {
        abort();
    }
    suite->cases[suite->n++] = tcase;
}

void tcase_set_timeout(TCase *tcase, double seconds)
{
    tcase->timeout = seconds;
}

void tcase_add_unchecked_fixture(TCase *tcase, void (*set_up)(void), void (*tear_down)(void))
{
    tcase->set_up = set_up;
    tcase->tear_down = tear_down;
}

void plain_add(TCase *tcase, const TTest *test, int expected_signal, int first, int end)
{
    if (tcase->n == MAX_ENTRIES) {
        abort();
    }
    tcase->entries[tcase->n++] = (struct entry){test, expected_signal, first, end};
}

SRunner *srunner_create(Suite *suite)
{
    SRunner *runner = need(calloc(1, sizeof *runner));
    runner->suite = suite;
    return runner;
}

void plain_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%d: ", file, line);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    fflush(NULL);
    _exit(FAILED);
}

void plain_str_eq(const char *file, int line, const char *a, const char *b)
{
    if (a == NULL || b == NULL || strcmp(a, b) != 0) {
        plain_fail(file, line, "got \"%s\", expected \"%s\"", a != NULL ? a : "NULL", b != NULL ? b : "NULL");
    }
}

/* As there, a slow machine or an emulator may take so many times the limit. */
static double timeout_multiplier(void)
{
    const char *text = getenv("CK_TIMEOUT_MULTIPLIER");
    return text != NULL ? strtod(text, NULL) : 1;
}

/* One test in a process of its own. */
static int passes(const struct entry *entry, int i, double timeout)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm((unsigned)(timeout_multiplier() * timeout));
        entry->test->run(i);
        fflush(NULL);
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return 0;
    }
    if (entry->expected_signal != 0) {
        return WIFSIGNALED(status) && WTERMSIG(status) == entry->expected_signal;
    }
    if (WIFSIGNALED(status)) {
        printf("%s:%d: ended by signal %d\n", entry->test->file, entry->test->line, WTERMSIG(status));
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void srunner_run_all(SRunner *runner, enum print_output mode)
{
    (void)mode;
    int checks = 0;
    for (int c = 0; c < runner->suite->n; c++) {
        const TCase *tcase = runner->suite->cases[c];
        if (tcase->set_up != NULL) {
            tcase->set_up(); /* once, in this process: every test gets a copy */
        }
        for (int e = 0; e < tcase->n; e++) {
            for (int i = tcase->entries[e].first; i < tcase->entries[e].end; i++) {
                checks++;
                if (!passes(&tcase->entries[e], i, tcase->timeout)) {
                    runner->failed++;
                    printf("failed: %s\n", tcase->entries[e].test->name);
                }
            }
        }
        if (tcase->tear_down != NULL) {
            tcase->tear_down();
        }
    }
    printf("%d%%: Checks: %d, Failures: %d, Errors: 0\n",
           checks > 0 ? 100 * (checks - runner->failed) / checks : 0, checks, runner->failed);
}

int srunner_ntests_failed(const SRunner *runner)
{
    return runner->failed;
}

void srunner_free(SRunner *runner)
{
    for (int c = 0; c < runner->suite->n; c++) {
        free(runner->suite->cases[c]);
    }
    free(runner->suite);
    free(runner);
}
