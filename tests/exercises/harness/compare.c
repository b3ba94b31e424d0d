#include "compare.h"

#include <math.h>
#include <string.h>

bool compare_element(const struct array *got, const struct array *expected, int i)
{
    if (got->mark[i] != MARK_NUMBER || expected->mark[i] != MARK_NUMBER) {
        return got->mark[i] == expected->mark[i];
    }
    if (isinf(expected->value[i])) {
        return got->value[i] == expected->value[i];
    }
    double bound = expected->absolute + expected->relative * fabs(expected->value[i]);
    return fabs(got->value[i] - expected->value[i]) <= bound;
}

/* The first element that is wrong; -1: the guard; -2: another output than expected; n: none. */
static int first_wrong(const struct array *got, const struct array *expected)
{
    if (got->n != expected->n || got->type != expected->type || strcmp(got->name, expected->name) != 0) {
        return -2;
    }
    for (int i = 0; i < expected->n; i++) {
        if (!compare_element(got, expected, i)) {
            return i;
        }
    }
    bool same_guards =
        got->broken_before == expected->broken_before && got->broken_after == expected->broken_after;
    return same_guards ? expected->n : -1;
}

/* False with *output and *element at the first difference of one case. */
static bool case_equal(const struct one_case *got, const struct one_case *expected, int *output, int *element)
{
    *output = 0;
    *element = -2;
    if (strcmp(got->name, expected->name) != 0) {
        return false;
    }
    for (int o = 0; o < expected->n_outputs; o++) {
        *output = o;
        if (o >= got->n_outputs) {
            return false;
        }
        *element = first_wrong(&got->output[o], &expected->output[o]);
        if (*element != expected->output[o].n) {
            return false;
        }
    }
    *element = -2;
    return got->ended && got->n_outputs == expected->n_outputs;
}

bool compare_case(const struct one_case *got, const struct one_case *expected)
{
    int output = 0;
    int element = 0;
    return case_equal(got, expected, &output, &element);
}

bool compare_records(const struct record *got, const struct record *expected, struct difference *first)
{
    for (int c = 0; c < expected->n_cases; c++) {
        *first = (struct difference){c, 0, -2};
        if (c >= got->n_cases ||
            !case_equal(&got->cases[c], &expected->cases[c], &first->output_index, &first->element)) {
            return false;
        }
    }
    *first = (struct difference){expected->n_cases - 1, 0, -2};
    return got->ended && !got->garbled && got->n_cases == expected->n_cases && expected->n_cases > 0;
}

int compare_misconception(const struct record *got, const struct record *variants, int n_variants)
{
    struct difference ignored;
    for (int v = 1; v < n_variants; v++) {
        if (compare_records(got, &variants[v], &ignored)) {
            return v;
        }
    }
    return -1;
}
