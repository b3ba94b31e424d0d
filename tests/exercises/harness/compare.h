/* compare.h: a student's run against what is right and against what the known misconceptions give. */
#ifndef EXERCISES_COMPARE_H
#define EXERCISES_COMPARE_H

#include "record.h"

/* Where two runs differ first. */
struct difference {
    int case_index, output_index,
        element; /* element -1: a guard is broken; -2: the case or output is missing */
};

/* Whether element i of got is right. A NaN or an unwritten element matches only the same in expected. */
bool compare_element(const struct array *got, const struct array *expected, int i);
/* A whole case: all outputs are there, are right and have whole guards. */
bool compare_case(const struct one_case *got, const struct one_case *expected);
/* All cases; fills *first when not. */
bool compare_records(const struct record *got, const struct record *expected, struct difference *first);

/* The one variant (from 1 on) that gives just what got gives in every case, or -1. */
int compare_misconception(const struct record *got, const struct record *variants, int n_variants);

#endif
