/* measures.h: the list of what is measured, and the rounds. */
#ifndef TESTS_BENCH_MEASURES_H
#define TESTS_BENCH_MEASURES_H

#include "tests/bench/report.h"
#include "tests/bench/work.h"

struct measuring {
    struct bench *bench;
    struct report *report;
    const char *program; /* this one: run again to measure a start */
    const char *folder;  /* of the model that is started */
    const char *only;    /* NULL: all; or what a name must begin with */
    double seconds;      /* for the rounds; the first is made whole */
    int min_rounds;
};

/* Measures all in rounds, then what follows from the medians. */
void measure_rounds(const struct measuring *on);

/* Whether the line of that name is wanted. */
bool measure_wanted(const struct measuring *on, const char *name);

#endif
