#include "tests/support/run_program.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test.h"

enum { MAX_ARGUMENTS = 64 };

static char *read_all(FILE *file, size_t *size)
{
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = test_alloc(*size + 1);
    ck_assert_uint_eq(fread(text, 1, *size, file), *size);
    text[*size] = '\0';
    fclose(file);
    return text;
}

unsigned run_time_limit(void)
{
    const char *multiplier = getenv("CK_TIMEOUT_MULTIPLIER");
    double factor = multiplier != NULL ? strtod(multiplier, NULL) : 1;
    return (unsigned)(60 * (factor >= 1 && factor <= 1000 ? factor : 1));
}

/* Runs in the child: never returns. */
static void become(char **argv, FILE *in, FILE *out, FILE *err)
{
    dup2(fileno(in), 0);
    dup2(fileno(out), 1);
    dup2(fileno(err), 2);
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    setenv("LC_ALL", "C", 1);
    alarm(run_time_limit());
    execvp(argv[0], argv); /* a path, or an emulator's name */
    _exit(127);
}

static void run_argv(struct run *run, const char *input, char **argv)
{
    FILE *in = tmpfile();
    FILE *out = tmpfile();
    FILE *err = tmpfile();
    ck_assert(in != NULL && out != NULL && err != NULL);
    if (input != NULL) {
        fputs(input, in);
    }
    fflush(in);
    rewind(in);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        become(argv, in, out, err);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    run->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ck_assert_msg(run->exit_code != 127, "%s: could not be started", argv[0]);
    fclose(in);
    run->out = read_all(out, &run->out_size);
    run->err = read_all(err, &run->err_size);
}

void run_words(struct run *run, const char *input, char **words)
{
    char path[512];
    char *argv[MAX_ARGUMENTS + 1];
    const char *bin = getenv("BIN");
    int n = 0;
    char *emulator = getenv("RUN");
    if (emulator != NULL) {
        argv[n++] = emulator;
    }
    snprintf(path, sizeof path, "%s/%s", bin != NULL ? bin : ".", words[0]);
    argv[n++] = path;
    for (words++; *words != NULL; words++) {
        ck_assert_int_lt(n, MAX_ARGUMENTS);
        argv[n++] = *words;
    }
    argv[n] = NULL;
    run_argv(run, input, argv);
}

static void run_list(struct run *run, const char *input, const char *program, va_list list)
{
    char *words[MAX_ARGUMENTS + 1] = {(char *)program};
    int n = 1;
    for (char *word = va_arg(list, char *); word != NULL; word = va_arg(list, char *)) {
        ck_assert_int_lt(n, MAX_ARGUMENTS);
        words[n++] = word;
    }
    words[n] = NULL;
    run_words(run, input, words);
}

void run_program(struct run *run, const char *input, const char *program, ...)
{
    va_list list;
    va_start(list, program);
    run_list(run, input, program, list);
    va_end(list);
}

void run_free(struct run *run)
{
    free(run->out);
    free(run->err);
}

void assert_contains_at(const char *file, int line, const char *haystack, const char *text)
{
    ck_assert_msg(strstr(haystack, text) != NULL, "%s:%d: '%s' is not in:\n%s", file, line, text, haystack);
}

void assert_refuses_at(const char *file, int line, const char *program, int code, const char *message, ...)
{
    struct run run;
    char expected[1024];
    va_list list;
    va_start(list, message);
    run_list(&run, NULL, program, list);
    va_end(list);
    snprintf(expected, sizeof expected, "%s: %s\n", program, message);
    ck_assert_msg(run.exit_code == code, "%s:%d: exit code %d, expected %d; stderr: %s", file, line,
                  run.exit_code, code, run.err);
    ck_assert_msg(strcmp(run.err, expected) == 0, "%s:%d: stderr\n%sexpected\n%s", file, line, run.err,
                  expected);
    ck_assert_msg(run.out_size == 0, "%s:%d: stdout is not empty: %s", file, line, run.out);
    run_free(&run);
}

/* Takes the next word (or the newline) of *text; false at the end. */
static bool next_word(const char **text, const char **word, size_t *length)
{
    *text += strspn(*text, " ");
    *word = *text;
    *length = **text == '\n' ? 1 : strcspn(*text, " \n");
    *text += *length;
    return *length > 0;
}

/* A word is a number with, perhaps, punctuation around it: "(0.25," counts. Everything around must be equal. */
static bool same_word(const char *a, size_t a_length, const char *b, size_t b_length, double absolute,
                      double relative)
{
    if (a_length == b_length && memcmp(a, b, a_length) == 0) {
        return true;
    }
    char x[128];
    char y[128];
    snprintf(x, sizeof x, "%.*s", (int)a_length, a);
    snprintf(y, sizeof y, "%.*s", (int)b_length, b);
    size_t before = strcspn(x, "+-.0123456789");
    if (before != strcspn(y, "+-.0123456789") || memcmp(x, y, before) != 0) {
        return false;
    }
    char *x_end = NULL;
    char *y_end = NULL;
    double got = strtod(x + before, &x_end);
    double expected = strtod(y + before, &y_end);
    if (x_end == x + before || y_end == y + before || strcmp(x_end, y_end) != 0) {
        return false;
    }
    return fabs(got - expected) <= absolute + relative * fabs(expected);
}

static void compare_text(const char *got, const char *expected, const char *path, double absolute,
                         double relative)
{
    int line = 1;
    for (;;) {
        const char *a = NULL;
        const char *b = NULL;
        size_t a_length = 0;
        size_t b_length = 0;
        bool more_got = next_word(&got, &a, &a_length);
        bool more_expected = next_word(&expected, &b, &b_length);
        if (!more_got && !more_expected) {
            return;
        }
        ck_assert_msg(more_got && more_expected && same_word(a, a_length, b, b_length, absolute, relative),
                      "%s:%d: printed '%.*s' where '%.*s' is expected", path, line, (int)a_length, a,
                      (int)b_length, b);
        line += *a == '\n';
    }
}

void assert_output_like(const struct run *run, const char *name, double absolute, double relative)
{
    char path[256];
    snprintf(path, sizeof path, "tests/expected/%s", name);
    if (getenv("UPDATE_EXPECTED") != NULL) {
        FILE *file = fopen(path, "wb");
        ck_assert_ptr_nonnull(file);
        fwrite(run->out, 1, run->out_size, file);
        fclose(file);
        return;
    }
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s: missing", path);
    size_t size = 0;
    char *expected = read_all(file, &size);
    compare_text(run->out, expected, path, absolute, relative);
    free(expected);
}

const char *tsv_cell(const char *tsv, int row, const char *column)
{
    static char cell[4096];
    int index = 0;
    const char *name = tsv;
    size_t length = strcspn(name, "\t\n");
    while (length != strlen(column) || memcmp(name, column, length) != 0) {
        ck_assert_msg(name[length] == '\t', "the TSV has no column '%s'", column);
        name += length + 1;
        length = strcspn(name, "\t\n");
        index++;
    }
    const char *line = tsv;
    for (int i = 0; i <= row; i++) {
        line = strchr(line, '\n');
        ck_assert_msg(line != NULL && line[1] != '\0', "the TSV has no row %d", row);
        line++;
    }
    for (int i = 0; i < index; i++) {
        line += strcspn(line, "\t\n");
        ck_assert_msg(*line == '\t', "row %d of the TSV is short", row);
        line++;
    }
    snprintf(cell, sizeof cell, "%.*s", (int)strcspn(line, "\t\n"), line);
    return cell;
}

double tsv_number(const char *tsv, int row, const char *column)
{
    const char *cell = tsv_cell(tsv, row, column);
    char *end = NULL;
    double value = strtod(cell, &end);
    ck_assert_msg(end != cell && *end == '\0', "'%s' in column '%s' is not a number", cell, column);
    return value;
}

int tsv_rows(const char *tsv)
{
    int lines = 0;
    for (; *tsv != '\0'; tsv++) {
        lines += *tsv == '\n';
    }
    return lines - 1;
}
