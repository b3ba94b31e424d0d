/* report.h: tells the student what came out. */
#ifndef EXERCISES_REPORT_H
#define EXERCISES_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "record.h"
#include "run.h"
#include "text.h"

enum state {
    STATE_DONE,
    STATE_NOT_STARTED,
    STATE_WRONG,
    STATE_CRASH,
    STATE_TIMEOUT,
    STATE_TOO_MUCH,
    STATE_BUILD_FAILED,
    STATE_CANNOT_CHECK
};

/* Everything that is known about one exercise after its run. */
struct verdict {
    const char *id, *title, *file; /* "3.4", its title, the student's file */
    const char *messages;          /* path of messages.tsv */
    enum state state;
    struct record *variants;
    int n_variants;
    struct record got;
    struct run run;
    int case_index, output_index, element; /* first difference, see compare.h */
    int misconception;                     /* index of the variant, or -1 */
    int cases_right;
    char place[256];       /* CRASH: file:line, or "" */
    char *build_log;       /* the compiler's output, or NULL */
    bool prediction;       /* the exercise asks what a program prints: do not show it */
    bool signals_as_codes; /* exit codes 129 to 159 of CHILD are signals */
    double seconds;        /* the time limit */
};

struct style {
    enum language language;
    bool plain; /* one thing a line, in reading order, no columns */
    bool colour;
};

/* "DONE", "NOT STARTED", …: the state's name in a language. */
const char *report_state(enum language language, enum state state);

/* The whole explanation. */
void report_explain(FILE *out, const struct verdict *verdict, const struct style *style);

/* One line: id, title, state, and for a wrong one the misconception. */
void report_line(FILE *out, const struct verdict *verdict, const struct style *style);

/* One line for programs: id, state (English), cases right, cases, misconception, message, separated by tabs. */
void report_record(FILE *out, const struct verdict *verdict);

#endif
