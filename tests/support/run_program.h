/* run_program.h: runs one of the six programs and keeps what it printed, to test it as a user sees it. */
#ifndef TESTS_SUPPORT_RUN_PROGRAM_H
#define TESTS_SUPPORT_RUN_PROGRAM_H

#include <stddef.h>

struct run {
    int exit_code; /* 128 + signal when a signal ended it */
    char *out;     /* NUL-terminated; out_size counts any NUL inside */
    size_t out_size;
    char *err;
    size_t err_size;
};

/* run_program(&run, NULL, "chapter3", "--step", "2", NULL): the program of the build under test ($BIN), without a
 * shell, standard input from input (NULL: empty). LC_ALL=C, NO display, so that nothing depends on the machine.
 * Fails the test when the program cannot be started or runs longer than run_time_limit. */
void run_program(struct run *run, const char *input, const char *program, ...);
/* The same with the program and its flags in a list that ends with NULL. */
void run_words(struct run *run, const char *input, char **words);
void run_free(struct run *run);
/* The seconds that a program may take: a minute, times CK_TIMEOUT_MULTIPLIER, which says how much longer everything takes
 * under a sanitizer or an emulator. */
unsigned run_time_limit(void);

/* Fails unless text stands in haystack; prints haystack. */
#define assert_contains(haystack, text) assert_contains_at(__FILE__, __LINE__, haystack, text)
void assert_contains_at(const char *file, int line, const char *haystack, const char *text);

/* Fails unless the run's output equals tests/expected/<name> word by word: numbers may differ by
 * absolute + relative * |expected| (other compilers and kernels round differently), every other word and the line
 * structure must be the same. With UPDATE_EXPECTED=1 in the environment the file is written instead; read its diff
 * before committing it: what it says must have been checked against an independent source by another test. */
void assert_output_like(const struct run *run, const char *name, double absolute, double relative);

/* Runs the program with the flags and fails unless it exits with code, prints nothing on stdout and exactly
 * "<program>: <message>\n" on stderr. */
#define assert_refuses(program, code, message, ...)                                                          \
    assert_refuses_at(__FILE__, __LINE__, program, code, message, __VA_ARGS__, NULL)
void assert_refuses_at(const char *file, int line, const char *program, int code, const char *message, ...);

/* One cell of a TSV text, row 0 being the first after the header; fails the test when there is none. In a static
 * buffer. tsv_rows: the number of rows after the header. */
const char *tsv_cell(const char *tsv, int row, const char *column);
double tsv_number(const char *tsv, int row, const char *column);
int tsv_rows(const char *tsv);

#endif
