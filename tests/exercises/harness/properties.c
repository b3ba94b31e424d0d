#include "properties.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

struct writer {
    FILE *out;
    enum language language;
    int n;
};

static void say(struct writer *w, enum text which, ...)
{
    va_list arguments;
    va_start(arguments, which);
    fputs("    - ", w->out);
    vfprintf(w->out, text(w->language, which), arguments);
    fputc('\n', w->out);
    va_end(arguments);
    w->n++;
}

static bool near(const struct array *expected, double value, double target)
{
    return fabs(value - target) <= expected->absolute + expected->relative * fabs(target) + 1e-300;
}

/* Whether all of the elements first, first + step, … below end are right; false when there is none. */
static bool all_right(const struct array *got, const struct array *expected, int first, int end, int step)
{
    for (int i = first; i < end; i += step) {
        if (!compare_element(got, expected, i)) {
            return false;
        }
    }
    return first < end;
}

static int count_marks(const struct array *array, enum mark mark)
{
    int n = 0;
    for (int i = 0; i < array->n; i++) {
        n += array->mark[i] == mark;
    }
    return n;
}

static int count_infinite(const struct array *array)
{
    int n = 0;
    for (int i = 0; i < array->n; i++) {
        n += isinf(array->value[i]) != 0;
    }
    return n;
}

static void say_parts(struct writer *w, const struct array *got, const struct array *expected)
{
    int n = expected->n;
    bool first = n >= 2 && all_right(got, expected, 0, n / 2, 1);
    bool second = n >= 2 && all_right(got, expected, n / 2, n, 1);
    bool even = n >= 4 && all_right(got, expected, 0, n, 2);
    bool odd = n >= 4 && all_right(got, expected, 1, n, 2);
    int right = 0;
    for (int i = 0; i < n; i++) {
        right += compare_element(got, expected, i);
    }
    if (first) {
        say(w, TEXT_P_FIRST_HALF);
    } else if (second) {
        say(w, TEXT_P_SECOND_HALF);
    } else if (even) {
        say(w, TEXT_P_EVEN);
    } else if (odd) {
        say(w, TEXT_P_ODD);
    } else if (right > 0 && n > 1) {
        say(w, TEXT_P_ELEMENTS, right, n);
    }
}

static void say_signs(struct writer *w, const struct array *got, const struct array *expected)
{
    bool negated = true;
    bool magnitude = true;
    bool some = false;
    for (int i = 0; i < expected->n; i++) {
        some = some || expected->value[i] != 0;
        negated = negated && near(expected, -got->value[i], expected->value[i]);
        magnitude = magnitude && near(expected, fabs(got->value[i]), fabs(expected->value[i]));
    }
    if (some && negated) {
        say(w, TEXT_P_SIGN);
    } else if (some && magnitude) {
        say(w, TEXT_P_MAGNITUDE);
    }
}

static void say_factor(struct writer *w, const struct array *got, const struct array *expected)
{
    int largest = 0;
    for (int i = 1; i < expected->n; i++) {
        if (fabs(expected->value[i]) > fabs(expected->value[largest])) {
            largest = i;
        }
    }
    double factor = got->value[largest] / expected->value[largest];
    double offset = got->value[0] - expected->value[0];
    bool same_factor = expected->value[largest] != 0 && fabs(factor) > 1e-12 && expected->n > 1;
    bool same_offset = expected->n > 1;
    for (int i = 0; i < expected->n; i++) {
        same_factor = same_factor && near(expected, got->value[i] / factor, expected->value[i]);
        same_offset = same_offset && near(expected, got->value[i] - offset, expected->value[i]);
    }
    if (same_factor && !near(expected, factor, -1)) {
        say(w, TEXT_P_FACTOR, factor);
    } else if (same_offset) {
        say(w, TEXT_P_OFFSET, offset);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool all_different(const struct array *array)
{
    for (int i = 0; i < array->n; i++) {
        for (int j = 0; j < i; j++) {
            if (array->value[i] == array->value[j]) {
                return false;
            }
        }
    }
    return true;
}

/* Another order: reversed, moved round, or any. */
static void say_order(struct writer *w, const struct array *got, const struct array *expected)
{
    int n = expected->n;
    if (n < 2) {
        return;
    }
    bool reversed = true;
    for (int i = 0; i < n; i++) {
        reversed = reversed && near(expected, got->value[n - 1 - i], expected->value[i]);
    }
    if (reversed) {
        say(w, TEXT_P_REVERSED);
        return;
    }
    for (int shift = -2; shift <= 2; shift++) {
        bool same =
            n > 3 && shift != 0 && all_different(expected); /* equal elements look moved when they are not */
        for (int i = 0; i < n; i++) {
            int from = i + shift;
            same = same && (from < 0 || from >= n || near(expected, got->value[from], expected->value[i]));
        }
        if (same) {
            say(w, TEXT_P_SHIFTED, shift);
            return;
        }
    }
    double *a = malloc(2 * (size_t)n * sizeof *a);
    if (a == NULL) {
        return;
    }
    double *b = a + n;
    memcpy(a, got->value, (size_t)n * sizeof *a);
    memcpy(b, expected->value, (size_t)n * sizeof *b);
    qsort(a, (size_t)n, sizeof *a, by_value);
    qsort(b, (size_t)n, sizeof *b, by_value);
    bool same = true;
    for (int i = 0; i < n; i++) {
        same = same && near(expected, a[i], b[i]);
    }
    free(a);
    if (same) {
        say(w, TEXT_P_ORDER);
    }
}

static void say_norm(struct writer *w, const struct array *got, const struct array *expected)
{
    double a = 0;
    double b = 0;
    double product = 0;
    double worst = 0;
    for (int i = 0; i < expected->n; i++) {
        product += got->value[i] * expected->value[i];
        a += got->value[i] * got->value[i];
        b += expected->value[i] * expected->value[i];
        double size = fabs(expected->value[i]);
        worst = fmax(worst, size > 0 ? fabs(got->value[i] - expected->value[i]) / size : HUGE_VAL);
    }
    if (worst < 0.01) {
        say(w, TEXT_P_CLOSE, worst);
    } else if (expected->n > 1 && expected->type == 'd') {
        bool kept = fabs(sqrt(a) - sqrt(b)) <= 1e-5 * sqrt(b);
        bool turned = product < 0.999 * sqrt(a) * sqrt(b); /* one huge element may hide all the others */
        if (kept && turned) {
            say(w, TEXT_P_NORM);
        } else if (!kept) {
            say(w, TEXT_P_NORM_NOT, sqrt(a), sqrt(b));
        }
    }
}

static void say_same_as_input(struct writer *w, const struct one_case *c, const struct array *got)
{
    for (int k = 0; k < c->n_inputs; k++) {
        const struct array *input = &c->input[k];
        bool same = input->n == got->n && got->n > 1 && input->type != 't';
        for (int i = 0; same && i < got->n; i++) {
            same = got->mark[i] == MARK_NUMBER && got->value[i] == input->value[i];
        }
        if (same) {
            say(w, TEXT_P_INPUT, input->name);
            return;
        }
    }
}

static void say_cases(struct writer *w, const struct record *got, const struct record *expected)
{
    int n_right = 0;
    const char *name = "";
    for (int c = 0; c < expected->n_cases && c < got->n_cases; c++) {
        if (compare_case(&got->cases[c], &expected->cases[c])) {
            n_right++;
            name = expected->cases[c].name;
        }
    }
    if (n_right == 1) {
        say(w, TEXT_P_ONLY_CASE, name);
    } else if (w->n == 0 || n_right > 1) {
        say(w, TEXT_CASES_RIGHT, n_right, expected->n_cases);
    }
}

void properties_write(FILE *out, enum language language, const struct record *got,
                      const struct record *expected, int case_index, int output_index)
{
    struct writer w = {out, language, 0};
    const struct one_case *wanted = &expected->cases[case_index];
    bool there = case_index < got->n_cases && output_index < got->cases[case_index].n_outputs &&
                 output_index < wanted->n_outputs &&
                 got->cases[case_index].output[output_index].n == wanted->output[output_index].n;
    if (there) {
        const struct array *a = &got->cases[case_index].output[output_index];
        const struct array *b = &wanted->output[output_index];
        int unwritten = count_marks(a, MARK_UNWRITTEN);
        int nan = count_marks(b, MARK_NAN) == 0 ? count_marks(a, MARK_NAN) : 0;
        int infinite = count_infinite(a);
        if (unwritten > 0) {
            say(&w, TEXT_P_UNWRITTEN, unwritten, a->n);
        }
        if (nan > 0) {
            say(&w, TEXT_P_NAN, nan, a->n);
        }
        if (infinite > 0 && count_infinite(b) == 0) {
            say(&w, TEXT_P_INFINITE, infinite, a->n);
        }
        say_same_as_input(&w, wanted, a);
        say_parts(&w, a, b);
        if (unwritten + nan + infinite == 0) {
            bool constant = a->n > 1;
            for (int i = 1; i < a->n; i++) {
                constant = constant && a->value[i] == a->value[0];
            }
            if (constant) {
                say(&w, TEXT_P_CONSTANT, a->value[0]);
            } else {
                say_factor(&w, a, b);
                say_order(&w, a, b);
            }
            say_signs(&w, a, b);
            say_norm(&w, a, b);
        }
    }
    say_cases(&w, got, expected);
}
