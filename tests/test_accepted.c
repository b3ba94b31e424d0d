/* The table in chapter 6's README of what is accepted and what is refused: every entry is made, on a copy of the bundled
 * model, and given to the program.
 *
 * A row: what · a file · accepted · refused · words of the message. In the third and fourth column each text between
 * backquotes is a change of the file, or two with " and " between:
 *     KEY = JSON           a value; slashes step inside: added_tokens/0/id
 *     KEY absent           taken out
 *     VERB …               a step of bad-input/make_input.h, without the file's name
 *     tests/…              another folder, as it is
 * In a row whose file is "flags" they are flags instead. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bad-input/make_input.h"
#include "tests/support/files.h"
#include "tests/support/run_program.h"
#include "tests/support/test.h"

enum { COLUMNS = 5, MAX_ENTRIES = 300, MAX_BYTES = 1 << 16, MAX_WORDS = 24, MAX_TEXT = 1024 };
enum column { WHAT, WHERE, ACCEPTED, REFUSED, MESSAGE };

static const char page[] = "chapters/06-qwen2.5/README.md";
static char text[MAX_BYTES];

static struct entry {
    const char *what, *file, *change, *message;
    bool accepted;
} entries[MAX_ENTRIES];
static int n_entries;

/* Before the suite runs Check's assertions cannot be used. */
static void need(bool condition, const char *what, const char *line)
{
    if (!condition) {
        fprintf(stderr, "%s: the table: %s: %.80s\n", page, what, line);
        exit(EXIT_FAILURE);
    }
}

/* Cuts what stands between the next two backquotes out of *cell; NULL when there is no more. */
static const char *next_span(char **cell)
{
    char *start = strchr(*cell, '`');
    char *end = start != NULL ? strchr(start + 1, '`') : NULL;
    if (end == NULL) {
        need(start == NULL, "a backquote without another", *cell);
        return NULL;
    }
    *end = '\0';
    *cell = end + 1;
    return start + 1;
}

/* Cuts a row into cells. \| is a bar inside a cell. */
static void split_row(char *row, char *cells[COLUMNS])
{
    char *out = row + 1;
    int n = 0;
    cells[n++] = out;
    for (const char *at = row + 1; *at != '\0'; at++) {
        if (at[0] == '\\' && at[1] == '|') {
            *out++ = *++at;
        } else if (*at == '|') {
            *out++ = '\0';
            if (at[1] != '\0') {
                need(n < COLUMNS, "more than five columns", row);
                cells[n++] = out;
            }
        } else {
            *out++ = *at;
        }
    }
    need(n == COLUMNS, "fewer than five columns", row);
}

static void read_row(char *row)
{
    char *cells[COLUMNS];
    split_row(row, cells);
    char *where = cells[WHERE];
    char *words = cells[MESSAGE];
    const char *message = next_span(&words);
    const char *file = next_span(&where);
    for (int column = ACCEPTED; column <= REFUSED; column++) {
        for (const char *change = next_span(&cells[column]); change != NULL;
             change = next_span(&cells[column])) {
            need(n_entries < MAX_ENTRIES, "more entries than MAX_ENTRIES", cells[WHAT]);
            need(column == ACCEPTED || message != NULL, "no words of the message", cells[WHAT]);
            entries[n_entries++] = (struct entry){cells[WHAT], file, change, message, column == ACCEPTED};
        }
    }
}

static void read_table(void)
{
    FILE *stream = fopen(page, "rb");
    need(stream != NULL, "the page cannot be read", "");
    size_t size = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    text[size] = '\0';
    char *line = strstr(text, "\n## What is accepted");
    line = line != NULL ? strstr(line, "\n|") : NULL;
    need(size < sizeof text - 1 && line != NULL, "not found", "");
    for (int row = 0; line[1] == '|'; row++) {
        char *end = strchr(line + 1, '\n');
        need(end != NULL, "the page ends in it", line);
        *end = '\0';
        if (row >= 2) { /* after the names of the columns and the line below them */
            read_row(line + 1);
        }
        line = end;
    }
}

/* One change as a step of make_input.h, behind what description holds. */
static void describe(char description[MAX_TEXT], const char *file, const char *change)
{
    size_t length = strlen(description);
    const char *gap = strchr(change, ' ');
    const char *rest = gap != NULL ? gap : "";
    int first = (int)strcspn(change, " ");
    if (strncmp(rest, " = ", 3) == 0) {
        snprintf(description + length, MAX_TEXT - length, " ; set %s %.*s %s", file, first, change, rest + 3);
    } else if (strcmp(rest, " absent") == 0) {
        snprintf(description + length, MAX_TEXT - length, " ; unset %s %.*s", file, first, change);
    } else {
        snprintf(description + length, MAX_TEXT - length, " ; %.*s %s%s", first, change, file, rest);
    }
}

static bool is_folder(const struct entry *entry)
{
    return strncmp(entry->change, "tests/", strlen("tests/")) == 0;
}

/* Makes the entry's folder. */
static void make_folder(const char *folder, const struct entry *entry)
{
    char description[MAX_TEXT] = "tiny";
    char change[MAX_TEXT];
    snprintf(change, sizeof change, "%s", entry->change);
    ck_assert_msg(entry->file != NULL, "%s: no file in the second column", entry->what);
    for (char *next = change; next != NULL;) {
        char *end = strstr(next, " and ");
        if (end != NULL) {
            *end = '\0';
        }
        describe(description, entry->file, next);
        next = end != NULL ? end + strlen(" and ") : NULL;
    }
    make_input(folder, description);
}

static void add_words(char *words[MAX_WORDS], int *n, char *line)
{
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
        ck_assert_int_lt(*n, MAX_WORDS - 1);
        words[(*n)++] = strcmp(word, "''") == 0 ? word + 2 : word;
    }
    words[*n] = NULL;
}

/* Runs the program on a folder, NULL: the bundled one; flags stand for a prompt. */
static void run_on(struct run *run, const char *folder, const char *flags)
{
    char start[] = "chapter6 --threads 1 --greedy --repetition-penalty 1 -n 4";
    char more[MAX_TEXT];
    char model[] = "--model";
    char *words[MAX_WORDS];
    int n = 0;
    snprintf(more, sizeof more, "%s", flags);
    add_words(words, &n, start);
    if (folder != NULL) {
        words[n++] = model;
        words[n++] = (char *)folder;
    }
    add_words(words, &n, more);
    run_words(run, "Hi!\n", words);
}

static const char *flags_for(const struct entry *entry)
{
    if (strcmp(entry->file, "flags") == 0) {
        return entry->change;
    }
    if (is_folder(entry)) { /* these have no tokenizer */
        return "--ids 1,2,3,4 --data logits";
    }
    if (strstr(entry->file, "chat_template") != NULL || strcmp(entry->file, "tokenizer_config.json") == 0) {
        return "--chat";
    }
    /* Several tokens: the first alone would not show how positions are turned. */
    return entry->accepted ? "--prompt Once,upon,a,time --data logits" : "--prompt Once,upon,a,time --text";
}

START_TEST(the_table_is_right)
{
    const struct entry *entry = &entries[_i];
    char *folder = fresh_folder("accepted");
    struct run run;
    const char *flags = flags_for(entry);
    bool flags_only = strcmp(entry->file, "flags") == 0;
    if (!flags_only && !is_folder(entry)) {
        make_folder(folder, entry);
    }
    run_on(&run, flags_only ? NULL : is_folder(entry) ? entry->change : folder, flags);
    if (!entry->accepted) {
        ck_assert_msg(run.exit_code == (flags_only && run.exit_code == 2 ? 2 : 1) && run.out_size == 0,
                      "%s: %s: exit code %d", entry->what, entry->change, run.exit_code);
        ck_assert_msg(strstr(run.err, entry->message) != NULL,
                      "%s: %s: the message is:\n%sexpected in it: %s", entry->what, entry->change, run.err,
                      entry->message);
    } else {
        ck_assert_msg(run.exit_code == 0 && run.out_size > 0, "%s: %s: %s", entry->what, entry->change,
                      run.err);
    }
    /* What is accepted of the bundled model must be the same model. */
    if (entry->accepted && !flags_only && !is_folder(entry)) {
        struct run bundled;
        run_on(&bundled, NULL, flags);
        ck_assert_msg(strcmp(run.out, bundled.out) == 0, "%s: %s: runs as another model", entry->what,
                      entry->change);
        run_free(&bundled);
    }
    run_free(&run);
    free(folder);
}
END_TEST

/* No kind of model that people have may be forgotten. */
START_TEST(the_table_is_whole)
{
    static const char *const kinds[] = {"\"llama\"",
                                        "\"qwen3\"",
                                        "\"qwen2_moe\"",
                                        "\"qwen2_vl\"",
                                        "Qwen2ForSequenceClassification",
                                        "\"type\": \"yarn\"",
                                        "\"rope_type\": \"yarn\"",
                                        "\"type\": \"linear\"",
                                        "\"rope_type\": \"linear\"",
                                        "\"type\": \"dynamic\"",
                                        "\"rope_type\": \"dynamic\"",
                                        "\"type\": \"longrope\"",
                                        "\"rope_type\": \"longrope\"",
                                        "use_sliding_window = true",
                                        "sliding_attention",
                                        "dual_chunk_attention_config = {",
                                        "\"gptq\"",
                                        "\"awq\"",
                                        "\"fp8\"",
                                        "\"bitsandbytes\"",
                                        "hidden_act = \"gelu\"",
                                        "num_hidden_layers = ",
                                        "rename model.norm.weight",
                                        "duplicate model.norm.weight",
                                        "normalizer = {\"type\": \"NFKC\"}",
                                        "pre_tokenizer = {\"type\": \"ByteLevel\"",
                                        "decoder = {",
                                        "added_tokens/2/id = 2048",
                                        "fill model.norm.weight ff"};
    static const char lm_head[] = "duplicate model.embed_tokens.weight lm_head.weight";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        int n = 0;
        for (int k = 0; k < n_entries; k++) {
            n += !entries[k].accepted && strstr(entries[k].change, kinds[i]) != NULL;
        }
        ck_assert_msg(n > 0, "nothing refused with %s", kinds[i]);
    }
    int accepted = 0;
    bool copied_head = false;
    for (int k = 0; k < n_entries; k++) {
        accepted += entries[k].accepted;
        copied_head = copied_head || (entries[k].accepted && strcmp(entries[k].change, lm_head) == 0);
    }
    ck_assert(copied_head);
    ck_assert_int_ge(accepted, 40);
    ck_assert_int_ge(n_entries - accepted, 80);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("accepted");
    read_table();
    add_test(suite, "all kinds", the_table_is_whole);
    for (int i = 0; i < n_entries; i++) {
        TCase *tcase = tcase_create(entries[i].change);
        tcase_set_timeout(tcase, 60);
        tcase_add_loop_test(tcase, the_table_is_right, i, i + 1);
        suite_add_tcase(suite, tcase);
    }
    return suite;
}
