#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "tests/support/test.h"

/* One flag of every kind. */
struct values {
    bool flag, n_given;
    int n, even, choice;
    double x, rate;
    uint64_t seed;
    const char *text;
};

static struct values values;
static struct error error;

static enum status parse(const char *first, ...)
{
    static const char empty[] = "";
    const struct option_spec specs[] = {
        {.name = "n", .letter = 'n', .kind = OPTION_INT, .target = &values.n, .given = &values.n_given},
        {.name = "even", .kind = OPTION_INT, .target = &values.even, .min = 2, .max = 64, .even = true},
        {.name = "x", .kind = OPTION_DOUBLE, .target = &values.x, .min = -10, .max = 1e12},
        {.name = "rate",
         .kind = OPTION_DOUBLE,
         .target = &values.rate,
         .min = 0,
         .max = 1,
         .min_exclusive = true},
        {.name = "seed", .kind = OPTION_SEED, .target = &values.seed},
        {.name = "text", .letter = 't', .kind = OPTION_STRING, .target = &values.text},
        {.name = "layout", .kind = OPTION_CHOICE, .target = &values.choice, .choices = "half|interleaved"},
        {.name = "flag", .letter = 'f', .kind = OPTION_FLAG, .target = &values.flag},
        {.name = NULL}};
    char *argv[16] = {(char *)empty};
    int argc = 1;
    va_list list;
    va_start(list, first);
    for (const char *word = first; word != NULL; word = va_arg(list, const char *)) {
        argv[argc++] = (char *)word;
    }
    va_end(list);
    values = (struct values){.n = 1, .even = 4, .x = 0.5, .rate = 0.5, .seed = 7, .text = "default"};
    error.message[0] = '\0';
    return options_parse(specs, argc, argv, &error);
}

#define ACCEPTS(...) ck_assert_msg(parse(__VA_ARGS__, NULL) == STATUS_OK, "%s", error.message)
#define REFUSES(expected, ...)                                                                               \
    do {                                                                                                     \
        ck_assert_int_eq(parse(__VA_ARGS__, NULL), STATUS_USAGE);                                            \
        ck_assert_str_eq(error.message, expected);                                                           \
    } while (0)

START_TEST(without_flags_the_defaults_stay)
{
    ck_assert_int_eq(parse(NULL), STATUS_OK);
    ck_assert(values.n == 1 && !values.n_given && !values.flag && values.seed == 7);
    ck_assert_str_eq(values.text, "default");
}
END_TEST

START_TEST(every_kind_takes_its_value)
{
    ACCEPTS("--n", "-5", "--even=6", "--x", "-1e-3", "--seed", "18446744073709551615", "--text", "",
            "--layout", "interleaved", "--flag");
    ck_assert(values.n == -5 && values.n_given && values.even == 6 && values.x == -1e-3);
    ck_assert(values.seed == UINT64_MAX && values.choice == 1 && values.flag);
    ck_assert_str_eq(values.text, "");
    ACCEPTS("-n", "3", "-fttext", "--n", "4"); /* letters in one word; the last value wins */
    ck_assert(values.n == 4 && values.flag);
    ck_assert_str_eq(values.text, "text");
    ACCEPTS("--text", "--flag"); /* a value may look like a flag */
    ck_assert(!values.flag);
}
END_TEST

START_TEST(bounds_are_inclusive_unless_said)
{
    ACCEPTS("--even", "2", "--x", "-10", "--rate", "1");
    REFUSES("--even 0: expected an even whole number from 2 to 64", "--even", "0");
    REFUSES("--even 66: expected an even whole number from 2 to 64", "--even", "66");
    REFUSES("--even 3: expected an even whole number from 2 to 64", "--even", "3");
    REFUSES("--x -10.1: expected a number from -10 to 1e+12", "--x", "-10.1");
    REFUSES("--rate 0: expected a number above 0 and at most 1", "--rate", "0");
}
END_TEST

START_TEST(half_a_number_is_none)
{
    static const char *const bad_int[] = {
        "12x", "", " 5", "5 ", "1.5", "0x10", "2147483648", "99999999999999999999", "-", "--5", "1e3"};
    for (size_t i = 0; i < sizeof bad_int / sizeof bad_int[0]; i++) {
        ck_assert_msg(parse("--n", bad_int[i], NULL) == STATUS_USAGE, "--n '%s' was taken", bad_int[i]);
        ck_assert_int_eq(values.n, 1);
    }
    static const char *const bad_double[] = {"1,5", "", " 1", "1e", "nan", "inf", "-inf", "1e999", ".", "x"};
    for (size_t i = 0; i < sizeof bad_double / sizeof bad_double[0]; i++) {
        ck_assert_msg(parse("--x", bad_double[i], NULL) == STATUS_USAGE, "--x '%s' was taken", bad_double[i]);
        ck_assert(values.x == 0.5);
    }
    static const char *const bad_seed[] = {"-1", "", "+1", " 1", "18446744073709551616", "1.0"};
    for (size_t i = 0; i < sizeof bad_seed / sizeof bad_seed[0]; i++) {
        ck_assert_msg(parse("--seed", bad_seed[i], NULL) == STATUS_USAGE, "--seed '%s' was taken",
                      bad_seed[i]);
        ck_assert_uint_eq(values.seed, 7);
    }
    REFUSES("--n '': expected a whole number", "--n", "");
}
END_TEST

START_TEST(the_message_names_the_word)
{
    REFUSES("--bad: no such flag; see --help", "--bad");
    REFUSES("--bad=3: no such flag; see --help", "--n", "2", "--bad=3");
    REFUSES("-q: no such flag; see --help", "-fq");
    REFUSES("--x: needs a value", "--x");
    REFUSES("-n: needs a value", "-n");
    REFUSES("--flag=1: takes no value", "--flag=1");
    REFUSES("word: not a flag; see --help", "word", "--x");
    REFUSES("word: not a flag; see --help", "--flag", "word");
    REFUSES("-: not a flag; see --help", "-");
    REFUSES("--layout Half: expected half|interleaved", "--layout", "Half");
    REFUSES("--layout ha: expected half|interleaved", "--layout", "ha");
    REFUSES("--layout a?b: expected half|interleaved", "--layout", "a\nb");
}
END_TEST

/* getopt keeps its place inside a word of several letters: the next call went on there, in memory that may be gone.
 * Found by make fuzz TARGET=options. */
START_TEST(an_error_inside_a_word_leaves_nothing_behind)
{
    char word[] = "-fzfff";
    char *argv[] = {word, word, NULL};
    bool flag = false;
    const struct option_spec specs[] = {{.name = "flag", .letter = 'f', .kind = OPTION_FLAG, .target = &flag},
                                        {.name = NULL}};
    ck_assert_int_eq(options_parse(specs, 2, argv, &error), STATUS_USAGE);
    ck_assert_str_eq(error.message, "-z: no such flag; see --help");
    memset(word, 'z', strlen(word));
    ACCEPTS("-n", "5");
    ck_assert_int_eq(values.n, 5);
}
END_TEST

START_TEST(help_shows_defaults_and_stays_within_80_columns)
{
    static int n = 512;
    static int choice = 1;
    static double x = 1e6;
    static uint64_t seed = UINT64_MAX;
    static const char *text = NULL;
    const struct option_spec specs[] = {
        {.name = "d-model", .letter = 'd', .kind = OPTION_INT, .target = &n, .value = "N", .help = "width"},
        {.name = "layout",
         .kind = OPTION_CHOICE,
         .target = &choice,
         .choices = "half|interleaved",
         .help = "pairs"},
        {.name = "theta",
         .kind = OPTION_DOUBLE,
         .target = &x,
         .value = "X",
         .help =
             "a help text of many words that does not fit on one line and so is broken between its words"},
        {.name = "seed", .kind = OPTION_SEED, .target = &seed, .value = "N", .help = "of everything"},
        {.name = "model", .kind = OPTION_STRING, .target = &text, .value = "DIR", .help = "no default"},
        {.name = NULL}};
    char help[2048];
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    options_help(specs, file);
    rewind(file);
    help[fread(help, 1, sizeof help - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(help, "  -d, --d-model N          width (default 512)\n"
                           "      --layout half|interleaved\n"
                           "                           pairs (default interleaved)\n"
                           "      --theta X            a help text of many words that does not fit on one\n"
                           "                           line and so is broken between its words (default\n"
                           "                           1000000)\n"
                           "      --seed N             of everything (default 18446744073709551615)\n"
                           "      --model DIR          no default\n");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("options");
    add_test(suite, "without flags the defaults stay", without_flags_the_defaults_stay);
    add_test(suite, "every kind takes its value", every_kind_takes_its_value);
    add_test(suite, "bounds", bounds_are_inclusive_unless_said);
    add_test(suite, "half a number is none", half_a_number_is_none);
    add_test(suite, "the message names the word", the_message_names_the_word);
    add_test(suite, "inside a word", an_error_inside_a_word_leaves_nothing_behind);
    add_test(suite, "help", help_shows_defaults_and_stays_within_80_columns);
    return suite;
}
