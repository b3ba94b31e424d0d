/* program.h: what all six programs have in common, from argv to the exit code.
 * Introduced in chapter 1.
 *
 * A chapter's main() fills a struct program (its steps, data sets and figures) and returns program_run(…). The flags
 * that every program has are handled here:
 *
 *     --help         what the program does, its flags with their defaults, its steps, data sets and figures
 *     --step K       only step K
 *     --ask          on a terminal: asks for a prediction before each step, and waits for it
 *     --data NAME    one data set as TSV on standard output, and nothing else; --data list names them
 *     --plot NAME    one figure, drawn now by gnuplot; --plot list names them
 *
 * Output goes to out, errors to err as one line "<program>: <what>: <why>". Exit codes: 0; 1 for a failure; 2 for
 * wrong usage. Standard output is checked: a full disk or a closed descriptor is an error; a reader that has gone
 * away (EPIPE) ends the program quietly with 1. */
#ifndef COMMON_PROGRAM_H
#define COMMON_PROGRAM_H

#include <stdio.h>

#include "common/options.h"
#include "common/status.h"
#include "common/table.h"

/* One numbered step of a walk-through. run prints what belongs under the title, indented by three spaces. */
struct program_step {
    const char *title;
    enum status (*run)(void *settings, FILE *out, struct error *error);
    const char *ask; /* what --ask asks before it, one line; NULL: nothing */
};

/* write: table_begin(table, out, columns) has been called already. */
struct program_data {
    const char *name;
    const char *columns; /* "position pair cos" */
    const char *help;    /* one line for --data list */
    enum status (*write)(void *settings, struct table *table, struct error *error);
};

struct program_figure {
    const char *name;      /* the script is plots/<short_name>-<name>.gp */
    const char *data_sets; /* the data sets it reads, separated by spaces */
    const char *help;      /* the point that the figure makes, one line */
};

struct program {
    const char *name;       /* "chapter3" */
    const char *short_name; /* "ch3": the prefix of its figures and data files */
    const char *title;      /* "Chapter 3 · RoPE: rotate by position, and only the distance remains" */
    const struct option_spec *options;
    void *settings; /* what the options' targets point into; handed to every function here */

    /* Checks what one flag alone cannot say (d_model divisible by n_heads), and opens what every step and data set
     * needs: what it refuses is refused before anything is printed. NULL: nothing to check. */
    enum status (*check)(void *settings, struct error *error);
    /* One line under the title with the values in use; NULL: none. */
    void (*heading)(void *settings, FILE *out);
    /* What to try next and what is still missing, after the last step; NULL: nothing. */
    void (*closing)(void *settings, FILE *out);
    /* What a data set would refuse is refused here, before its header is printed; also for the data of a figure. NULL:
     * nothing to check. */
    enum status (*check_data)(void *settings, const char *name, struct error *error);
    /* Replaces the walk-through when neither --data nor --plot is given (chapter 6's modes); NULL: the steps. Sets the
     * exit code; below 0 means: not my case, run the steps. */
    enum status (*run)(void *settings, FILE *out, FILE *err, int *code, struct error *error);

    const struct program_step *steps; /* ends with title NULL; NULL: no steps */
    const struct program_data *data;  /* ends with name NULL; NULL: none */
    const struct program_figure *figures;
};

/* The whole program. Returns the exit code. */
int program_run(const struct program *program, int argc, char **argv, FILE *out, FILE *err);

/* Prints "<program>: <message>\n" and returns the exit code that belongs to the error: 2 for usage, 1 otherwise. */
int program_fail(const char *program_name, const struct error *error, FILE *err);

#endif
