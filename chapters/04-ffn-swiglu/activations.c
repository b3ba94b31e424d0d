/* Step 1: the functions between two matrices. */
#include <math.h>

#include "chapter4.h"
#include "common/activation.h"

enum { N_SHOWN = 5 };

static const enum activation shown[N_SHOWN] = {ACTIVATION_SIGMOID, ACTIVATION_RELU, ACTIVATION_GELU,
                                               ACTIVATION_GELU_TANH, ACTIVATION_SILU};

/* Where SiLU stops falling: its derivative changes sign once, between -2 and -1. */
static double silu_minimum(void)
{
    double below = -2;
    double above = -1;
    for (int i = 0; i < 60; i++) {
        double middle = (below + above) / 2;
        if (activation_derivative(ACTIVATION_SILU, middle) < 0) {
            below = middle;
        } else {
            above = middle;
        }
    }
    return above;
}

static double largest_difference(double *at)
{
    double largest = 0;
    for (int i = 0; i <= 10000; i++) {
        double x = i * 1e-3;
        double difference =
            fabs(activation_f64(ACTIVATION_GELU, x) - activation_f64(ACTIVATION_GELU_TANH, x));
        if (difference > largest) {
            largest = difference;
            *at = x;
        }
    }
    return largest;
}

/* As printf would, but that compilers and libraries differ in the sign of a NaN. */
static void print_float(FILE *out, float value)
{
    if (isnan(value)) {
        fprintf(out, "%10s", "nan");
    } else {
        fprintf(out, "%10.4g", (double)value);
    }
}

enum status step_activations(void *settings, FILE *out, struct error *error)
{
    (void)settings;
    (void)error;
    double minimum = silu_minimum();
    const double x[] = {-100, -3, minimum, 0, 1, 3, 100};
    fprintf(out, "   Two matrices in a row are one matrix. A function between them changes that:\n\n"
                 "            x    sigmoid       ReLU       GELU  GELU tanh       SiLU\n");
    for (size_t row = 0; row < sizeof x / sizeof *x; row++) {
        fprintf(out, "   %10.4g", x[row]);
        for (int i = 0; i < N_SHOWN; i++) {
            fprintf(out, " %10.4g", activation_f64(shown[i], x[row]) + 0.0); /* + 0.0: no "-0" */
        }
        fputc('\n', out);
    }
    double at = 0;
    double difference = largest_difference(&at);
    float hundred = 100;
    fprintf(out,
            "\n   SiLU(x) = x sigmoid(x) is never below %.6f (at x = %.6f) and has no\n"
            "   bound above: a gate that is not a door. GELU's tanh form is off by at most\n"
            "   %.1e (x = %.2f). Both:  ./chapter4 --plot activations\n\n"
            "   In float32 each half of sigmoid needs its own formula:\n\n"
            "                      x = 100   x = -100\n   e^x / (1 + e^x)  ",
            activation_f64(ACTIVATION_SILU, minimum), minimum, difference, at);
    print_float(out, expf(hundred) / (1 + expf(hundred)));
    print_float(out, expf(-hundred) / (1 + expf(-hundred)));
    fprintf(out, "\n   1 / (1 + e^-x)   ");
    print_float(out, 1 / (1 + expf(-hundred)));
    print_float(out, 1 / (1 + expf(hundred)));
    fputc('\n', out);
    return STATUS_OK;
}

enum status write_activations(void *settings, struct table *table, struct error *error)
{
    (void)settings;
    (void)error;
    for (int i = -120; i <= 120; i++) {
        double x = i * 0.05;
        table_float(table, x);
        for (int j = 0; j < N_SHOWN; j++) {
            table_float(table, activation_f64(shown[j], x));
        }
        for (int j = 0; j < N_SHOWN; j++) {
            table_float(table, activation_derivative(shown[j], x));
        }
    }
    return STATUS_OK;
}
