/* Steps 2, 3 and 6: the encoding itself. */
#include <math.h>
#include <stdlib.h>

#include "chapters/01-sinusoidal-pe/steps.h"
#include "common/sinusoidal.h"

static const double two_pi = 6.283185307179586;

enum { HEATMAP_POSITIONS = 48, HEATMAP_PAIRS = 16, N_SHOWN = 5, N_SAMPLES = 200 };

/* N_SHOWN pairs from the first to the last; repeated ones, with few pairs, are left to the caller. */
static int shown_pair(int i, int n_pairs)
{
    return i * (n_pairs - 1) / (N_SHOWN - 1);
}

enum status step_wavelengths(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    (void)error;
    int n_pairs = sinusoidal_pairs(s->d_model);
    fprintf(out,
            "   Elements 2i and 2i+1 are the sine and the cosine of position * frequency_i,\n"
            "   frequency_i = %.10g^(-2i/%d).\n\n"
            "       pair i     frequency     one turn every\n",
            s->base, s->d_model);
    for (int i = 0, last = -1; i < N_SHOWN; i++) {
        int pair = shown_pair(i, n_pairs);
        if (pair != last) {
            double frequency = sinusoidal_frequency(pair, s->d_model, s->base);
            fprintf(out, "     %8d  %12.6g  %12.6g positions\n", pair, frequency, two_pi / frequency);
        }
        last = pair;
    }
    fputs(s->base == 1
              ? "\n   With base 1 every pair turns alike: a clock with one hand, and after one turn\n"
                "   places look the same.  Right again: without --base 1\n"
              : "\n   Like the hands of a clock: the fast ones tell neighbours apart, the slow\n"
                "   ones far places.  ./chapter1 --plot wavelengths\n",
          out);
    return STATUS_OK;
}

static void print_row(FILE *out, const double *row, int d_model, int position)
{
    fprintf(out, "     %8d", position);
    for (int i = 0; i < 4 && i < d_model; i++) {
        fprintf(out, " %8.4f", row[i]);
    }
    if (d_model > 4) {
        fputs("  ...", out);
        for (int i = d_model > 6 ? d_model - 2 : 4; i < d_model; i++) {
            fprintf(out, " %9.6f", row[i]);
        }
    }
    fputc('\n', out);
}

enum status step_rows(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    double *row = malloc((size_t)s->d_model * sizeof *row);
    if (row == NULL) {
        return error_no_memory(error, "row", (size_t)s->d_model * sizeof *row);
    }
    fprintf(out, "     position  the first elements, and the last of %d\n", s->d_model);
    for (int position = 0; position < 4; position++) {
        sinusoidal_row(row, position, s->d_model, s->base);
        print_row(out, row, s->d_model, position);
    }
    fprintf(out, "\n   pe[pos, 2i] = sin, pe[pos, 2i+1] = cos%s.\n   ./chapter1 --plot heatmap\n",
            s->d_model % 2 != 0 ? "; the odd last is a sine" : "");
    free(row);
    return STATUS_OK;
}

/* Rotates the sine and cosine of an angle by `turn`: what the addition theorems say about angle + turn. */
static void rotate_row(double *row, const double *turn, int n_pairs)
{
    for (int i = 0; i < n_pairs; i++) {
        double sine = row[2 * i];
        double cosine = row[2 * i + 1];
        row[2 * i] = sine * cos(turn[i]) + cosine * sin(turn[i]);
        row[2 * i + 1] = cosine * cos(turn[i]) - sine * sin(turn[i]);
    }
}

/* The largest difference between row p rotated by k steps and row p + k, for N_SAMPLES positions p up to max_len. */
static double largest_rotation_error(const struct settings *s, double *row, double *later, double *turn,
                                     int k)
{
    int n_pairs = s->d_model / 2; /* the whole ones */
    double largest = 0;
    for (int i = 0; i < n_pairs; i++) {
        turn[i] = k * sinusoidal_frequency(i, s->d_model, s->base);
    }
    for (int sample = 0; sample < N_SAMPLES; sample++) {
        int p = (int)((long long)sample * (s->max_len - 1) / (N_SAMPLES - 1));
        sinusoidal_row(row, p, s->d_model, s->base);
        sinusoidal_row(later, p + k, s->d_model, s->base);
        rotate_row(row, turn, n_pairs);
        for (int i = 0; i < 2 * n_pairs; i++) {
            largest = fmax(largest, fabs(row[i] - later[i]));
        }
    }
    return largest;
}

enum status step_rotation(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    size_t bytes = checked_product(3 * (size_t)s->d_model, sizeof(double));
    double *row = malloc(bytes);
    if (row == NULL) {
        return error_no_memory(error, "rows", bytes);
    }
    double *later = row + s->d_model;
    double *turn = later + s->d_model;
    fputs("   Each pair is a point on a circle. k positions on, it stands k * frequency\n"
          "   radians further, wherever it started:\n\n"
          "     [ cos(a+t) ]   [ cos t  -sin t ] [ cos a ]     a = position * frequency\n"
          "     [ sin(a+t) ] = [ sin t   cos t ] [ sin a ]     t = k * frequency\n\n",
          out);
    static const int steps[] = {1, 7, 1000};
    for (int i = 0; i < 3; i++) {
        fprintf(out, "     k = %4d: rotated row p against row p + k, largest error %7.1e\n", steps[i],
                largest_rotation_error(s, row, later, turn, steps[i]));
    }
    fprintf(out, "\n   for %d positions p below %d. No p in t: one rotation serves them all.\n", N_SAMPLES,
            s->max_len);
    free(row);
    return STATUS_OK;
}

enum status data_heatmap(void *settings, struct table *table, struct error *error)
{
    const struct settings *s = settings;
    double *row = malloc((size_t)s->d_model * sizeof *row);
    if (row == NULL) {
        return error_no_memory(error, "row", (size_t)s->d_model * sizeof *row);
    }
    int whole = s->d_model / 2;
    int n_pairs = whole < HEATMAP_PAIRS ? whole : HEATMAP_PAIRS;
    for (int position = 0; position < HEATMAP_POSITIONS; position++) {
        sinusoidal_row(row, position, s->d_model, s->base);
        for (int i = 0; i < 2 * n_pairs; i++) {
            int pair = n_pairs > 1 ? i / 2 * (whole - 1) / (n_pairs - 1) : 0;
            int element = 2 * pair + i % 2;
            table_int(table, position);
            table_int(table, i);
            table_int(table, element);
            table_float(table, row[element]);
        }
    }
    free(row);
    return STATUS_OK;
}

enum status data_wavelengths(void *settings, struct table *table, struct error *error)
{
    const struct settings *s = settings;
    (void)error;
    for (int pair = 0; pair < sinusoidal_pairs(s->d_model); pair++) {
        double frequency = sinusoidal_frequency(pair, s->d_model, s->base);
        table_int(table, pair);
        table_float(table, frequency);
        table_float(table, two_pi / frequency);
        table_int(table, s->max_len);
    }
    return STATUS_OK;
}
