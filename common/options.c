#include "common/options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/require.h"

enum { MAX_OPTIONS = 64, FIRST_ID = 256, HELP_COLUMN = 27, HELP_WIDTH = 80 };

static enum status bad_value(const struct option_spec *spec, const char *text, const char *expected,
                             struct error *error)
{
    bool quote = text[0] == '\0' || strchr(text, ' ') != NULL;
    return error_set(error, STATUS_USAGE, quote ? "--%s '%s': expected %s" : "--%s %s: expected %s",
                     spec->name, text, expected);
}

/* "a number from 2 to 1024", for the message of a refused value. */
static void describe_range(char *out, size_t size, const struct option_spec *spec)
{
    const char *noun = spec->kind == OPTION_DOUBLE ? "a number"
                       : spec->even                ? "an even whole number"
                                                   : "a whole number";
    if (spec->min == spec->max) {
        snprintf(out, size, "%s", noun);
    } else {
        snprintf(out, size,
                 spec->min_exclusive ? "%s above %.10g and at most %.10g" : "%s from %.10g to %.10g", noun,
                 spec->min, spec->max);
    }
}

static bool in_range(const struct option_spec *spec, double value)
{
    if (spec->min == spec->max) {
        return true;
    }
    bool above = spec->min_exclusive ? value > spec->min : value >= spec->min;
    return above && value <= spec->max;
}

/* strtol and strtod would skip white space in front. */
static bool starts_number(const char *text)
{
    return text[0] != '\0' && strchr("+-.0123456789", text[0]) != NULL;
}

static enum status set_int(const struct option_spec *spec, const char *text, struct error *error)
{
    char expected[96];
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    bool complete = starts_number(text) && end != text && *end == '\0' && errno == 0 && value >= INT32_MIN &&
                    value <= INT32_MAX;
    if (!complete || !in_range(spec, (double)value) || (spec->even && value % 2 != 0)) {
        describe_range(expected, sizeof expected, spec);
        return bad_value(spec, text, expected, error);
    }
    *(int *)spec->target = (int)value;
    return STATUS_OK;
}

static enum status set_double(const struct option_spec *spec, const char *text, struct error *error)
{
    char expected[96];
    char *end = NULL;
    double value = strtod(text, &end);
    if (!starts_number(text) || end == text || *end != '\0' || !isfinite(value) || !in_range(spec, value)) {
        describe_range(expected, sizeof expected, spec);
        return bad_value(spec, text, expected, error);
    }
    *(double *)spec->target = value;
    return STATUS_OK;
}

static enum status set_seed(const struct option_spec *spec, const char *text, struct error *error)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0) { /* strtoull would take "-1" */
        return bad_value(spec, text, "a whole number from 0 to 18446744073709551615", error);
    }
    *(uint64_t *)spec->target = value;
    return STATUS_OK;
}

static enum status set_choice(const struct option_spec *spec, const char *text, struct error *error)
{
    size_t length = strlen(text);
    int index = 0;
    for (const char *choice = spec->choices; choice != NULL; index++) {
        const char *bar = strchr(choice, '|');
        size_t choice_length = bar != NULL ? (size_t)(bar - choice) : strlen(choice);
        if (choice_length == length && memcmp(choice, text, length) == 0) {
            *(int *)spec->target = index;
            return STATUS_OK;
        }
        choice = bar != NULL ? bar + 1 : NULL;
    }
    return bad_value(spec, text, spec->choices, error);
}

static enum status set_value(const struct option_spec *spec, const char *text, struct error *error)
{
    if (spec->given != NULL) {
        *spec->given = true;
    }
    switch (spec->kind) {
    case OPTION_FLAG: *(bool *)spec->target = true; return STATUS_OK;
    case OPTION_INT: return set_int(spec, text, error);
    case OPTION_DOUBLE: return set_double(spec, text, error);
    case OPTION_SEED: return set_seed(spec, text, error);
    case OPTION_CHOICE: return set_choice(spec, text, error);
    case OPTION_STRING: *(const char **)spec->target = text; return STATUS_OK;
    }
    return STATUS_OK;
}

/* getopt's own tables, filled from the specs. A letter is the option's id; an option without one gets FIRST_ID + i. */
static void build_tables(const struct option_spec *specs, struct option *long_options, char *letters)
{
    int n = 0;
    *letters++ = '+'; /* stop at the first word that is no flag, or errors would quote that word */
    *letters++ = ':'; /* report a missing value as ':' and print nothing */
    for (; specs[n].name != NULL; n++) {
        REQUIRE(n < MAX_OPTIONS);
        bool takes_value = specs[n].kind != OPTION_FLAG;
        long_options[n] =
            (struct option){specs[n].name, takes_value ? required_argument : no_argument, NULL, FIRST_ID + n};
        if (specs[n].letter != '\0') {
            *letters++ = specs[n].letter;
            if (takes_value) {
                *letters++ = ':';
            }
        }
    }
    long_options[n] = (struct option){NULL, 0, NULL, 0};
    *letters = '\0';
}

/* getopt gives only ids from its tables, so one of the specs has it. */
static const struct option_spec *find_spec(const struct option_spec *specs, int id)
{
    if (id >= FIRST_ID) {
        return &specs[id - FIRST_ID];
    }
    while (specs->name != NULL && specs->letter != id) {
        specs++;
    }
    REQUIRE(specs->name != NULL);
    return specs;
}

/* What getopt refused: a flag without its value, a value for a flag that takes none, or no flag of ours. The word is
 * quoted as it was typed, but for a bad letter, which may stand inside a word of several. */
static enum status refuse(int id, const char *word, struct error *error)
{
    const char *why = id == ':'            ? "needs a value"
                      : optopt >= FIRST_ID ? "takes no value"
                                           : "no such flag; see --help";
    if (optopt > 0 && optopt < FIRST_ID && strncmp(word, "--", 2) != 0) {
        return error_set(error, STATUS_USAGE, "-%c: %s", optopt, why);
    }
    return error_set(error, STATUS_USAGE, "%s: %s", word, why);
}

enum status options_parse(const struct option_spec *specs, int argc, char **argv, struct error *error)
{
    struct option long_options[MAX_OPTIONS + 1];
    char letters[2 * MAX_OPTIONS + 3]; /* "+:", a letter and perhaps a colon each, NUL */
    build_tables(specs, long_options, letters);
    opterr = 0;
    optind = 0; /* not 1: getopt then also forgets the place inside a word where an earlier call stopped */
    for (;;) {
        int next = optind > 0 ? optind : 1;
        const char *word = next < argc ? argv[next] : "";
        int id = getopt_long(argc, argv, letters, long_options, NULL);
        if (id == -1) {
            break;
        }
        if (id == '?' || id == ':') {
            return refuse(id, word, error);
        }
        enum status status = set_value(find_spec(specs, id), optarg, error);
        if (status != STATUS_OK) {
            return status;
        }
    }
    if (optind < argc) {
        return error_set(error, STATUS_USAGE, "%s: not a flag; see --help", argv[optind]);
    }
    return STATUS_OK;
}

/* The value that the target holds now, as the user would type it; "" for none. */
static void describe_default(char *out, size_t size, const struct option_spec *spec)
{
    out[0] = '\0';
    if (spec->given != NULL) {
        return;
    }
    switch (spec->kind) {
    case OPTION_FLAG: break;
    case OPTION_INT: snprintf(out, size, "%d", *(int *)spec->target); break;
    case OPTION_DOUBLE: snprintf(out, size, "%.10g", *(double *)spec->target); break;
    case OPTION_SEED: snprintf(out, size, "%llu", (unsigned long long)*(uint64_t *)spec->target); break;
    case OPTION_STRING:
        if (*(const char **)spec->target != NULL) {
            snprintf(out, size, "%s", *(const char **)spec->target);
        }
        break;
    case OPTION_CHOICE: {
        const char *choice = spec->choices;
        for (int i = 0; i < *(int *)spec->target; i++) {
            choice = strchr(choice, '|') + 1;
        }
        snprintf(out, size, "%.*s", (int)strcspn(choice, "|"), choice);
        break;
    }
    }
}

/* Writes text from HELP_COLUMN on, breaking lines between words. column is where the cursor stands. */
static void write_wrapped(FILE *out, int column, const char *text)
{
    while (*text != '\0') {
        int word = (int)strcspn(text, " ");
        if (column + 1 + word > HELP_WIDTH || column < HELP_COLUMN) {
            if (column >= HELP_COLUMN) {
                fputc('\n', out);
                column = 0;
            }
            fprintf(out, "%*s", HELP_COLUMN - column, "");
            column = HELP_COLUMN;
        } else {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, (size_t)word, out);
        column += word;
        text += word;
        text += *text == ' ';
    }
    fputc('\n', out);
}

void options_help(const struct option_spec *specs, FILE *out)
{
    for (; specs->name != NULL; specs++) {
        char left[64];
        char initial[64];
        char text[512];
        const char *value = specs->kind == OPTION_CHOICE ? specs->choices : specs->value;
        snprintf(left, sizeof left, "  %s%c%s --%s%s%s", specs->letter != '\0' ? "-" : " ",
                 specs->letter != '\0' ? specs->letter : ' ', specs->letter != '\0' ? "," : " ", specs->name,
                 value != NULL ? " " : "", value != NULL ? value : "");
        describe_default(initial, sizeof initial, specs);
        snprintf(text, sizeof text, initial[0] != '\0' ? "%s (default %s)" : "%s", specs->help, initial);
        int column = fprintf(out, "%s", left);
        if (column >= HELP_COLUMN - 1) {
            fputc('\n', out);
            column = 0;
        }
        write_wrapped(out, column, text);
    }
}
