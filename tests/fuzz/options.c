/* Flags: the input's lines are the words of a command line, for options_parse alone and for a whole program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/program.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_WORDS = 32 };

struct values {
    bool flag, given;
    int number, even, choice;
    double real, open;
    uint64_t seed;
    const char *text;
};

static void check_values(const struct values *v, char **argv, int argc)
{
    bool from_argv = v->text == NULL;
    for (int i = 1; i < argc && !from_argv; i++) {
        from_argv = v->text >= argv[i] && v->text <= argv[i] + strlen(argv[i]);
    }
    EXPECT(from_argv);
    EXPECT(v->number >= -5 && v->number <= 1000);
    EXPECT(v->even >= 2 && v->even <= 64 && v->even % 2 == 0);
    EXPECT(v->real >= 1 && v->real <= 1e12);
    EXPECT(v->open > 0 && v->open <= 1);
    EXPECT(v->choice >= 0 && v->choice <= 2);
}

enum { N_SPECS = 9 };

static void make_specs(struct option_spec specs[N_SPECS], struct values *v)
{
    const struct option_spec made[] = {
        {.name = "flag", .letter = 'f', .kind = OPTION_FLAG, .target = &v->flag, .help = "a flag"},
        {.name = "number",
         .letter = 'n',
         .kind = OPTION_INT,
         .target = &v->number,
         .given = &v->given,
         .min = -5,
         .max = 1000,
         .value = "N",
         .help = "a whole number"},
        {.name = "even",
         .kind = OPTION_INT,
         .target = &v->even,
         .min = 2,
         .max = 64,
         .even = true,
         .value = "N",
         .help = "an even number"},
        {.name = "real",
         .kind = OPTION_DOUBLE,
         .target = &v->real,
         .min = 1,
         .max = 1e12,
         .value = "X",
         .help = "a number"},
        {.name = "open",
         .kind = OPTION_DOUBLE,
         .target = &v->open,
         .min = 0,
         .max = 1,
         .min_exclusive = true,
         .value = "X",
         .help = "above 0"},
        {.name = "seed", .kind = OPTION_SEED, .target = &v->seed, .value = "N", .help = "a seed"},
        {.name = "text", .kind = OPTION_STRING, .target = &v->text, .value = "TEXT", .help = "any text"},
        {.name = "choice",
         .kind = OPTION_CHOICE,
         .target = &v->choice,
         .choices = "half|interleaved|none",
         .help = "one of three"},
        {.name = NULL}};
    *v = (struct values){.number = 1, .even = 2, .real = 2, .open = 1, .seed = 7};
    memcpy(specs, made, sizeof made);
}

/* A command line, which owns its words. */
struct words {
    char *text;
    char *argv[MAX_WORDS + 2];
    int argc;
};

static void split_words(struct words *words, const uint8_t *data, size_t size)
{
    static char program[] = "program";
    words->text = fuzz_alloc(size + 1);
    if (size > 0) {
        memcpy(words->text, data, size);
    }
    words->text[size] = '\0';
    words->argv[0] = program;
    words->argc = 1;
    for (char *word = words->text; word != NULL && words->argc <= MAX_WORDS;) {
        char *end = strchr(word, '\n');
        words->argv[words->argc++] = word;
        word = end != NULL ? end + 1 : NULL;
        if (end != NULL) {
            *end = '\0';
        }
    }
    words->argv[words->argc] = NULL;
}

void fuzz_options(const uint8_t *data, size_t size)
{
    struct values v;
    struct option_spec specs[N_SPECS];
    struct words words;
    struct error error = {STATUS_OK, ""};
    make_specs(specs, &v);
    split_words(&words, data, size);
    if (options_parse(specs, words.argc, words.argv, &error) == STATUS_OK) {
        check_values(&v, words.argv, words.argc);
    } else {
        EXPECT(error.status == STATUS_USAGE);
        fuzz_check_error(&error);
    }
    free(words.text);
}

static enum status count_step(void *settings, FILE *out, struct error *error)
{
    (void)error;
    ++*(int *)settings;
    fputs("   done\n", out);
    return STATUS_OK;
}

static enum status write_row(void *settings, struct table *table, struct error *error)
{
    (void)error;
    *(int *)settings += 100;
    table_int(table, 1);
    return STATUS_OK;
}

/* Whatever the words, a program ends with 0 and nothing on err, or with 2, one line there, and nothing done. */
void fuzz_program(const uint8_t *data, size_t size)
{
    static const struct program_step steps[] = {
        {"One", count_step, NULL}, {"Two", count_step, "What is next?"}, {.title = NULL}};
    static const struct program_data data_sets[] = {{"rows", "row", "one row", write_row},
                                                    {NULL, NULL, NULL, NULL}};
    static const struct program_figure figures[] = {{NULL, NULL, NULL}};
    static FILE *out;
    static char message[4096];
    struct values v;
    struct option_spec specs[N_SPECS];
    struct words words;
    int done = 0;
    const struct program program = {.name = "program",
                                    .short_name = "p",
                                    .title = "A program",
                                    .options = specs,
                                    .settings = &done,
                                    .steps = steps,
                                    .data = data_sets,
                                    .figures = figures};
    out = out != NULL ? out : fopen("/dev/null", "w");
    memset(message, 0, sizeof message);
    FILE *err = fmemopen(message, sizeof message, "w");
    EXPECT(out != NULL && err != NULL);
    make_specs(specs, &v);
    split_words(&words, data, size);
    int code = program_run(&program, words.argc, words.argv, out, err);
    fclose(err);
    if (code == 0) {
        EXPECT(message[0] == '\0' && (done <= 2 || done == 100));
        check_values(&v, words.argv, words.argc);
    } else {
        const char *end = strchr(message, '\n');
        EXPECT(code == 2 && done == 0);
        EXPECT(strncmp(message, "program: ", 9) == 0 && end != NULL && end[1] == '\0');
    }
    free(words.text);
}
