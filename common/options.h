/* options.h: command-line flags, declared as a table over getopt_long.
 * Introduced in chapter 1.
 *
 *     struct settings s = {.head_dim = 64, .theta = 1e6};
 *     const struct option_spec specs[] = {
 *         {.name = "head-dim", .kind = OPTION_INT, .target = &s.head_dim, .min = 2, .max = 1024, .even = true,
 *          .value = "N", .help = "width of one head"},
 *         {.name = "theta", .kind = OPTION_DOUBLE, .target = &s.theta, .min = 1, .max = 1e12, .value = "X", .help = "…"},
 *         {.name = NULL}};
 *
 * The target holds the default before, and the given value after. Numbers must be complete ("12x" is refused) and
 * inside min..max; the decimal point is a point in every locale. */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "common/status.h"

enum option_kind {
    OPTION_FLAG,   /* no value; target bool *, set to true */
    OPTION_INT,    /* target int * */
    OPTION_DOUBLE, /* target double *; nan and inf are refused */
    OPTION_SEED,   /* target uint64_t *, decimal */
    OPTION_STRING, /* target const char **; points into argv */
    OPTION_CHOICE  /* target int *: the index of the value in choices */
};

struct option_spec {
    const char *name; /* without the dashes; NULL ends the table */
    char letter;      /* one-letter form, or 0 */
    enum option_kind kind;
    void *target;
    bool *given;     /* set to true when the flag is present; --help then shows no default: without the flag
                          * another rule holds, which help names. NULL: the target's value is the default */
    double min, max; /* inclusive; min == max: no bounds */
    bool min_exclusive;  /* the value must be above min */
    bool even;           /* OPTION_INT only: odd values are refused */
    const char *choices; /* "half|interleaved" */
    const char *value;   /* the placeholder that --help shows: "N" */
    const char *help;    /* one line; options_help adds the default */
};

/* Reads argv[1..]. Anything that is not a flag of the table, a missing or a bad value, or a word that is not a flag:
 * STATUS_USAGE, and the message names it. */
enum status options_parse(const struct option_spec *specs, int argc, char **argv, struct error *error);

/* Writes one aligned entry per flag with its default (the targets' values now), at most 80 columns wide. */
void options_help(const struct option_spec *specs, FILE *out);

#endif
