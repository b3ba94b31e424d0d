/* tests/bad-input/cases.tsv: a small bad input, a command on it, and exactly what the command must say.
 *
 * Columns: name, input (make_input.h), command, exit code, message. In command and message @ is the input's folder;
 * the message is what follows "<program>: " on standard error, where nothing else may stand; standard output must stay
 * empty. A word of the command may stand in single quotes. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bad-input/make_input.h"
#include "tests/support/files.h"
#include "tests/support/run_program.h"
#include "tests/support/test.h"

enum { COLUMNS = 5, MAX_CASES = 400, MAX_WORDS = 32, MAX_BYTES = 1 << 18 };

static char text[MAX_BYTES];
static char *cases[MAX_CASES][COLUMNS];
static int n_cases;

/* Before the suite runs Check's assertions cannot be used. */
static void need(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "tests/bad-input/cases.tsv: case %d: %s\n", n_cases + 1, what);
        exit(EXIT_FAILURE);
    }
}

/* Cuts a line into its columns. */
static void read_case(char *line)
{
    need(n_cases < MAX_CASES, "more cases than MAX_CASES");
    for (int column = 0; column < COLUMNS; column++) {
        char *tab = strchr(line, '\t');
        need((tab == NULL) == (column == COLUMNS - 1), "expected five columns");
        cases[n_cases][column] = line;
        if (tab != NULL) {
            *tab = '\0';
            line = tab + 1;
        }
    }
    n_cases++;
}

static void read_cases(void)
{
    FILE *file = fopen("tests/bad-input/cases.tsv", "rb");
    need(file != NULL, "the file cannot be read");
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    need(size > 0 && size < sizeof text, "a file of another size was expected");
    text[size] = '\0';
    char *line = strchr(text, '\n'); /* the first line names the columns */
    while (line != NULL && line[1] != '\0') {
        char *end = strchr(line + 1, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        read_case(line + 1);
        line = end;
    }
}

/* A copy of text with @ replaced; the caller frees. */
static char *put_folder(const char *from, const char *folder)
{
    char *out = test_alloc((strlen(from) + 1) * (strlen(folder) + 1));
    char *at = out;
    while (*from != '\0') {
        bool here = *from == '@';
        size_t length = here ? strlen(folder) : 1;
        memcpy(at, here ? folder : from, length);
        at += length;
        from++;
    }
    *at = '\0';
    return out;
}

/* Cuts a command into words; quoted ones may hold spaces, or nothing. */
static int split(char *command, char *words[MAX_WORDS + 1])
{
    int n = 0;
    for (char *at = command; *at != '\0'; n++) {
        ck_assert_int_lt(n, MAX_WORDS);
        bool quoted = *at == '\'';
        words[n] = at + quoted;
        at += quoted + strcspn(at + quoted, quoted ? "'" : " ");
        if (*at != '\0') {
            *at++ = '\0';
        }
        at += strspn(at, " ");
        unescape(words[n]);
    }
    words[n] = NULL;
    return n;
}

START_TEST(the_message_is_exactly_this)
{
    char *const *line = cases[_i];
    struct run run;
    char *words[MAX_WORDS + 1];
    char expected[2048];
    char *folder = fresh_folder("bad-input");
    make_input(folder, line[1]);
    char *command = put_folder(line[2], folder);
    char *message = put_folder(line[4], folder);
    ck_assert_int_ge(split(command, words), 1);
    run_words(&run, NULL, words);
    snprintf(expected, sizeof expected, "%s: %s\n", words[0], message);
    ck_assert_msg(strcmp(run.err, expected) == 0, "%s: standard error:\n%sexpected:\n%s", line[0], run.err,
                  expected);
    ck_assert_msg(run.exit_code == atoi(line[3]), "%s: exit code %d, expected %s", line[0], run.exit_code,
                  line[3]);
    ck_assert_msg(run.out_size == 0, "%s: standard output: %s", line[0], run.out);
    run_free(&run);
    free(command);
    free(message);
    free(folder);
}
END_TEST

static bool has_any(const char *message, const char *const words[])
{
    while (*words != NULL && strstr(message, *words) == NULL) {
        words++;
    }
    return *words != NULL;
}

/* Where it is (a file or a flag), what was found and what was expected; what the system and the JSON parser say is
 * enough for the latter two. Messages on wrong usage name the flag. */
START_TEST(every_message_says_where_what_and_what_else)
{
    static const char *const found[] = {"found", "missing", "absent", "has no such", NULL};
    static const char *const others[] = {"not valid JSON: ", ": No such file or directory",
                                         ": Not a directory", ": Too many levels of symbolic links", NULL};
    for (int i = 0; i < n_cases; i++) {
        const char *message = cases[i][4];
        char where[64];
        snprintf(where, sizeof where, "%.*s", (int)strcspn(message, ":/ "), message);
        ck_assert_msg(message[0] == '@' || message[0] == '-' || strstr(cases[i][2], where) != NULL,
                      "%s: no file and no flag: %s", cases[i][0], message);
        ck_assert_msg(strcmp(cases[i][3], "2") == 0 || has_any(message, others) ||
                          (strstr(message, "expected ") != NULL && has_any(message, found)),
                      "%s: found or expected is missing: %s", cases[i][0], message);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("bad_input");
    read_cases();
    add_test(suite, "the table", every_message_says_where_what_and_what_else);
    for (int i = 0; i < n_cases; i++) {
        TCase *tcase = tcase_create(cases[i][0]);
        tcase_set_timeout(tcase, 60);
        tcase_add_loop_test(tcase, the_message_is_exactly_this, i, i + 1);
        suite_add_tcase(suite, tcase);
    }
    return suite;
}
