/* yours.h: what `make chapterN-yours && ./chapterN-yours` is written with: a chapter's main checks, once with the
 * student's functions and once with the project's, side by side.
 *
 * A chapter's exercises/yours.c says what its functions are, fills that struct twice and lists its checks:
 *
 *     struct functions { void (*inverse_frequencies)(double *frequency, int head_dim, double theta); };
 *
 *     static double last_frequency(const void *functions)
 *     {
 *         const struct functions *f = functions;
 *         double frequency[32];
 *         f->inverse_frequencies(frequency, 64, 1e6);
 *         return frequency[31];
 *     }
 *
 *     static const struct yours_check checks[] = {{NULL, "One angle per pair (step 1)", NULL, 0},
 *                                                 {"3.1", "radians a token, pair 31", last_frequency, 1e-12},
 *                                                 {NULL, NULL, NULL, 0}};
 *     return yours_run(argc, argv, "Chapter 3", checks, &yours, &project);
 *
 * Each side of each check runs in a process of its own: an exercise that is not started, crashes or does not end
 * costs its own line and no other. An exercise's function must not have the name of one in common/: both are linked. */
#ifndef CHAPTERS_YOURS_H
#define CHAPTERS_YOURS_H

#include <stddef.h>

struct yours_check {
    const char *exercise; /* "3.1", the exercise to look at when the line differs; NULL: a line of text */
    const char *what;     /* at most 36 columns; NULL ends the list */
    double (*value)(const void *functions);
    double tolerance; /* absolute; NaN never agrees */
};

/* Prints the checks to stdout. Takes no arguments but --help: with it one line and 0, with any other one line on stderr and 2. Returns main's exit status: 1 when a line differs, crashes or does not end; what is not
 * started is no failure. */
int yours_run(int argc, char **argv, const char *title, const struct yours_check *checks, const void *yours,
              const void *project);

#endif
