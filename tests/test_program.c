/* The framework as a user meets it: through chapter 1's program, and through small programs of this file. */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/program.h"
#include "tests/support/run_program.h"
#include "tests/support/test.h"

/* Runs a shell command, in which $P is chapter 1's program; returns its exit code, and its output in text. */
static int shell(char *text, size_t size, const char *command)
{
    char path[512];
    const char *bin = getenv("BIN");
    snprintf(path, sizeof path, "%s/chapter1", bin != NULL ? bin : ".");
    setenv("P", path, 1);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    size_t n = 0;
    for (size_t got = 1; got > 0 && n < size - 1; n += got) {
        got = fread(text + n, 1, size - 1 - n, pipe);
    }
    text[n] = '\0';
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void assert_80_columns(const char *text)
{
    int column = 0;
    for (; *text != '\0'; text++) {
        bool continues = ((unsigned char)*text & 0xc0) == 0x80; /* inside a UTF-8 letter */
        column = *text == '\n' ? 0 : column + !continues;
        ck_assert_msg(column <= 80, "wider than 80 columns before: %.40s", text);
    }
}

START_TEST(help_names_everything_within_80_columns)
{
    struct run run;
    run_program(&run, NULL, "chapter1", "--help", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    ck_assert_uint_eq(run.err_size, 0);
    static const char *const expected[] = {"usage: ./chapter1 [flags]",
                                           "--d-model N",
                                           "(default 512)",
                                           "--step K",
                                           "--data NAME",
                                           "--plot NAME",
                                           "--help",
                                           "steps (--step)\n   1  ",
                                           "data sets (--data)\n  heatmap ",
                                           "figures (--plot)\n  heatmap "};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_contains(run.out, expected[i]);
    }
    assert_80_columns(run.out);
    run_free(&run);
    run_program(&run, NULL, "chapter1", "--d-model", "64", "--help", NULL); /* help shows the values in use */
    assert_contains(run.out, "(default 64)");
    run_free(&run);
}
END_TEST

START_TEST(lists_name_the_data_sets_and_figures)
{
    struct run run;
    run_program(&run, NULL, "chapter1", "--data", "list", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    static const char *const data_sets[] = {"  heatmap ", "  wavelengths ", "  similarity ", "  terms "};
    for (int i = 0; i < 4; i++) {
        assert_contains(run.out, data_sets[i]);
    }
    assert_80_columns(run.out);
    run_free(&run);
    run_program(&run, NULL, "chapter1", "--plot", "list", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    for (int i = 0; i < 4; i++) {
        assert_contains(run.out, data_sets[i]);
    }
    run_free(&run);
}
END_TEST

START_TEST(one_step_is_that_step_alone)
{
    struct run run;
    run_program(&run, NULL, "chapter1", "--step", "3", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    assert_contains(run.out, "\n3  A position's row\n");
    ck_assert_ptr_null(strstr(run.out, "\n2  "));
    ck_assert_ptr_null(strstr(run.out, "\n4  "));
    ck_assert_ptr_null(strstr(run.out, "Try"));
    run_free(&run);
}
END_TEST

START_TEST(wrong_usage_is_one_line_and_2)
{
    assert_refuses("chapter1", 2, "--bad: no such flag; see --help", "--bad");
    assert_refuses("chapter1", 2, "-h: no such flag; see --help", "-h");
    assert_refuses("chapter1", 2, "extra: not a flag; see --help", "extra", "--step");
    assert_refuses("chapter1", 2, "--step: needs a value", "--step");
    assert_refuses("chapter1", 2, "--step 9: expected a whole number from 0 to 8", "--step", "9");
    assert_refuses("chapter1", 2, "--d-model 64x: expected a whole number from 2 to 2048", "--d-model",
                   "64x");
    assert_refuses("chapter1", 2, "--base 1,5: expected a number from 1 to 1e+12", "--base", "1,5");
    assert_refuses("chapter1", 2, "--help=yes: takes no value", "--help=yes");
    assert_refuses("chapter1", 2, "--data none: no such data set; '--data list' names them", "--data",
                   "none");
    assert_refuses("chapter1", 2, "--plot none: no such figure; '--plot list' names them", "--plot", "none");
}
END_TEST

START_TEST(output_that_cannot_be_written_is_an_error)
{
    char text[512];
    static const char *const commands[] = {"$RUN \"$P\" 2>&1 >/dev/full",
                                           "$RUN \"$P\" --data terms 2>&1 >/dev/full",
                                           "$RUN \"$P\" --help 2>&1 >/dev/full"};
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) {
        return; /* this system has no such device */
    }
    fclose(full);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(shell(text, sizeof text, commands[i]), 1);
        ck_assert_str_eq(text, "chapter1: standard output: could not be written: No space left on device\n");
    }
}
END_TEST

START_TEST(a_closed_output_is_an_error)
{
    char text[512];
    ck_assert_int_eq(shell(text, sizeof text, "$RUN \"$P\" 2>&1 >&-"), 1);
    ck_assert_str_eq(text, "chapter1: standard output: is closed\n");
}
END_TEST

/* The reader of the data (true) leaves at once, and the program starts when it has: only what goes to stderr remains to
 * be read. With SIGPIPE ignored the write fails with EPIPE instead: as quiet. */
START_TEST(a_reader_that_has_gone_away_ends_it_quietly)
{
    char text[512];
    shell(text, sizeof text, "exec 3>&1; { sleep 0.2; $RUN \"$P\" --data terms 2>&3; } | true");
    ck_assert_str_eq(text, "");
    shell(text, sizeof text,
          "exec 3>&1; trap '' PIPE; { sleep 0.2; $RUN \"$P\" --data terms 2>&3; echo $? >&3; } | true");
    ck_assert_str_eq(text, "1\n");
}
END_TEST

/* Data written under a comma locale would plot as zeros. No program calls setlocale. */
START_TEST(numbers_have_points_in_every_locale)
{
    char plain[65536];
    char german[65536];
    ck_assert_int_eq(shell(plain, sizeof plain, "LC_ALL=C $RUN \"$P\" --data wavelengths"), 0);
    ck_assert_int_eq(shell(german, sizeof german,
                           "LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 $RUN \"$P\" --data wavelengths"),
                     0);
    ck_assert_str_eq(plain, german);
    ck_assert_ptr_null(strchr(plain, ','));
    ck_assert_ptr_nonnull(strchr(plain, '.'));
    ck_assert_int_eq(shell(german, sizeof german, "LC_ALL=de_DE.UTF-8 $RUN \"$P\" --base 1.5 --step 2"), 0);
    assert_contains(german, "base 1.5");
}
END_TEST

/* ---- Small programs ---- */

static enum status step_ok(void *settings, FILE *out, struct error *error)
{
    (void)error;
    fprintf(out, "   n is %d\n", *(int *)settings);
    return STATUS_OK;
}

static enum status step_fails(void *settings, FILE *out, struct error *error)
{
    (void)settings;
    fputs("   half\n", out);
    return error_set(error, STATUS_IO, "model.bin: not found");
}

static enum status check_even(void *settings, struct error *error)
{
    int n = *(int *)settings;
    return n % 2 == 0 ? STATUS_OK : error_set(error, STATUS_USAGE, "--n %d: must be even here", n);
}

static enum status run_instead(void *settings, FILE *out, FILE *err, int *code, struct error *error)
{
    (void)err;
    int n = *(int *)settings;
    if (n == 42 || n == 44) {
        fputs("my own way\n", out);
        *code = 3;
    }
    return n == 44 ? error_set(error, STATUS_IO, "model.bin: not found") : STATUS_OK;
}

static enum status check_data(void *settings, const char *name, struct error *error)
{
    return *(int *)settings == 46 ? error_set(error, STATUS_USAGE, "--data %s: not with 46", name)
                                  : STATUS_OK;
}

static enum status write_n(void *settings, struct table *table, struct error *error)
{
    (void)error;
    table_int(table, *(int *)settings);
    return STATUS_OK;
}

static char printed[4096];
static char complained[512];

static void read_back(FILE *file, char *text, size_t size)
{
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* With n where no flag says another; out is closed. */
static int run_small_to(FILE *out, int n, const char *flag, const char *value)
{
    const struct option_spec options[] = {
        {.name = "n", .kind = OPTION_INT, .target = &n, .value = "N", .help = "a number"}, {.name = NULL}};
    static const struct program_step steps[] = {
        {"First", step_ok, NULL}, {"Second", step_fails, NULL}, {NULL, NULL, NULL}};
    static const struct program_data data[] = {{"n", "n", "the number", write_n}, {NULL, NULL, NULL, NULL}};
    const struct program program = {.name = "small",
                                    .short_name = "ch0",
                                    .title = "Small",
                                    .options = options,
                                    .settings = &n,
                                    .check = check_even,
                                    .check_data = check_data,
                                    .run = run_instead,
                                    .steps = steps,
                                    .data = data};
    char *argv[] = {(char *)"small", (char *)flag, (char *)value, NULL};
    FILE *err = tmpfile();
    ck_assert(out != NULL && err != NULL);
    int code = program_run(&program, flag != NULL ? 3 : 1, argv, out, err);
    read_back(out, printed, sizeof printed);
    read_back(err, complained, sizeof complained);
    return code;
}

static int run_small(const char *flag, const char *value)
{
    return run_small_to(tmpfile(), 2, flag, value);
}

START_TEST(a_failing_step_ends_the_program_with_1)
{
    ck_assert_int_eq(run_small(NULL, NULL), 1);
    ck_assert_str_eq(printed, "Small\n\n1  First\n   n is 2\n\n2  Second\n   half\n");
    ck_assert_str_eq(complained, "small: model.bin: not found\n");
    ck_assert_int_eq(run_small("--step", "1"), 0);
    ck_assert_str_eq(printed, "Small\n\n1  First\n   n is 2\n");
    ck_assert_str_eq(complained, "");
}
END_TEST

START_TEST(a_check_of_several_flags_is_wrong_usage)
{
    ck_assert_int_eq(run_small("--n", "3"), 2);
    ck_assert_str_eq(printed, "");
    ck_assert_str_eq(complained, "small: --n 3: must be even here\n");
}
END_TEST

START_TEST(a_program_may_go_its_own_way)
{
    ck_assert_int_eq(run_small("--n", "42"), 3);
    ck_assert_str_eq(printed, "my own way\n");
    ck_assert_int_eq(run_small("--n", "44"), 1);
    ck_assert_str_eq(printed, "my own way\n");
    ck_assert_str_eq(complained, "small: model.bin: not found\n");
}
END_TEST

/* One line, though both the output and the step have failed. */
START_TEST(a_full_disk_and_a_failing_step_are_one_line)
{
    for (int n = 2; n <= 44; n += 42) {
        FILE *full = fopen("/dev/full", "w");
        if (full == NULL) {
            return; /* this system has no such device */
        }
        ck_assert_int_eq(run_small_to(full, n, NULL, NULL), 1);
        ck_assert_str_eq(complained,
                         "small: standard output: could not be written: No space left on device\n");
    }
}
END_TEST

START_TEST(a_data_set_is_refused_before_its_header)
{
    ck_assert_int_eq(run_small_to(tmpfile(), 46, "--data", "n"), 2);
    ck_assert_str_eq(printed, "");
    ck_assert_str_eq(complained, "small: --data n: not with 46\n");
}
END_TEST

START_TEST(data_is_the_table_and_nothing_else)
{
    ck_assert_int_eq(run_small("--data", "n"), 0);
    ck_assert_str_eq(printed, "n\n2\n");
    ck_assert_str_eq(complained, "");
}
END_TEST

START_TEST(the_exit_code_tells_usage_from_failure)
{
    struct error error;
    FILE *err = tmpfile();
    ck_assert_ptr_nonnull(err);
    error_set(&error, STATUS_USAGE, "a");
    ck_assert_int_eq(program_fail("p", &error, err), 2);
    error_set(&error, STATUS_LIMIT, "b");
    ck_assert_int_eq(program_fail("p", &error, err), 1);
    read_back(err, complained, sizeof complained);
    ck_assert_str_eq(complained, "p: a\np: b\n");
}
END_TEST

START_TEST(questions_need_a_terminal)
{
    assert_refuses("chapter2", 2, "--ask: needs a terminal to ask on", "--ask");
}
END_TEST

/* A program that asks before each of four steps, on the terminal whose other side is typed to. */
static void run_asking(int slave)
{
    static const struct program_step steps[] = {{"First", step_ok, "One?"},
                                                {"Second", step_ok, "Two?"},
                                                {"Third", step_ok, "Three?"},
                                                {"Fourth", step_ok, "Four?"},
                                                {NULL, NULL, NULL}};
    static const struct option_spec options[] = {{.name = NULL}};
    int n = 2;
    const struct program program = {.name = "asks",
                                    .short_name = "ch0",
                                    .title = "Asks",
                                    .options = options,
                                    .settings = &n,
                                    .steps = steps};
    char *argv[] = {(char *)"asks", (char *)"--ask", NULL};
    dup2(slave, 0);
    alarm(60);
    _exit(program_run(&program, 2, argv, fdopen(slave, "w"), stderr));
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (text = strstr(text, what); text != NULL; text = strstr(text + 1, what)) {
        n++;
    }
    return n;
}

/* A line of several words answers one question; at the end of the input (Ctrl-D) the second is the last. */
START_TEST(a_line_answers_one_question)
{
    char seen[4096];
    int status = 0;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(slave, 0);
    ck_assert_int_eq((int)write(master, "a long answer\n\x04", 15), 15);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        run_asking(slave);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(slave); /* the last one: then reading ends, after all that was written */
    size_t length = 0;
    for (ssize_t n = 1; n > 0; length += n > 0 ? (size_t)n : 0) {
        n = read(master, seen + length, sizeof seen - 1 - length);
    }
    seen[length] = '\0';
    ck_assert_int_eq(count(seen, "?"), 2 * 2); /* the mark in front, and that of the question */
    ck_assert_int_eq(count(seen, "   > "), 2);
    ck_assert_int_eq(count(seen, "n is 2"), 4);
    close(master);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("program");
    add_test(suite, "help", help_names_everything_within_80_columns);
    add_test(suite, "lists", lists_name_the_data_sets_and_figures);
    add_test(suite, "one step", one_step_is_that_step_alone);
    add_test(suite, "wrong usage", wrong_usage_is_one_line_and_2);
    add_test(suite, "output that cannot be written", output_that_cannot_be_written_is_an_error);
    add_test(suite, "a closed output", a_closed_output_is_an_error);
    add_test(suite, "a reader that has gone away", a_reader_that_has_gone_away_ends_it_quietly);
    add_test(suite, "numbers have points in every locale", numbers_have_points_in_every_locale);
    add_test(suite, "a failing step", a_failing_step_ends_the_program_with_1);
    add_test(suite, "a check of several flags", a_check_of_several_flags_is_wrong_usage);
    add_test(suite, "its own way", a_program_may_go_its_own_way);
    add_test(suite, "full disk and failure", a_full_disk_and_a_failing_step_are_one_line);
    add_test(suite, "refused data set", a_data_set_is_refused_before_its_header);
    add_test(suite, "data is the table", data_is_the_table_and_nothing_else);
    add_test(suite, "exit codes", the_exit_code_tells_usage_from_failure);
    add_test(suite, "questions need a terminal", questions_need_a_terminal);
    add_test(suite, "one line a question", a_line_answers_one_question);
    return suite;
}
