/* Flags: the input's lines are the words of a command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
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

void fuzz_options(const uint8_t *data, size_t size)
{
    struct values v = {.number = 1, .even = 2, .real = 2, .open = 1, .seed = 7};
    const struct option_spec specs[] = {
        {.name = "flag", .letter = 'f', .kind = OPTION_FLAG, .target = &v.flag, .help = "a flag"},
        {.name = "number",
         .letter = 'n',
         .kind = OPTION_INT,
         .target = &v.number,
         .given = &v.given,
         .min = -5,
         .max = 1000,
         .value = "N",
         .help = "a whole number"},
        {.name = "even",
         .kind = OPTION_INT,
         .target = &v.even,
         .min = 2,
         .max = 64,
         .even = true,
         .value = "N",
         .help = "an even number"},
        {.name = "real",
         .kind = OPTION_DOUBLE,
         .target = &v.real,
         .min = 1,
         .max = 1e12,
         .value = "X",
         .help = "a number"},
        {.name = "open",
         .kind = OPTION_DOUBLE,
         .target = &v.open,
         .min = 0,
         .max = 1,
         .min_exclusive = true,
         .value = "X",
         .help = "above 0"},
        {.name = "seed", .kind = OPTION_SEED, .target = &v.seed, .value = "N", .help = "a seed"},
        {.name = "text", .kind = OPTION_STRING, .target = &v.text, .value = "TEXT", .help = "any text"},
        {.name = "choice",
         .kind = OPTION_CHOICE,
         .target = &v.choice,
         .choices = "half|interleaved|none",
         .help = "one of three"},
        {.name = NULL}};
    char *text = fuzz_alloc(size + 1);
    char program[] = "program";
    char *argv[MAX_WORDS + 2] = {program};
    int argc = 1;
    struct error error = {STATUS_OK, ""};
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    for (char *word = text; word != NULL && argc <= MAX_WORDS;) {
        char *end = strchr(word, '\n');
        argv[argc++] = word;
        word = end != NULL ? end + 1 : NULL;
        if (end != NULL) {
            *end = '\0';
        }
    }
    argv[argc] = NULL;
    if (options_parse(specs, argc, argv, &error) == STATUS_OK) {
        check_values(&v, argv, argc);
    } else {
        EXPECT(error.status == STATUS_USAGE);
        fuzz_check_error(&error);
    }
    free(text);
}
