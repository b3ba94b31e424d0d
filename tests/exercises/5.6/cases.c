#include <math.h>

#include "child.h"
#include "exercises.h"

enum { MAX = 8 };

/* The parts of the example. */
static void half(double *out, const double *in, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = in[i] / 2;
    }
}

static void plus_18(double *out, const double *in, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = in[i] + 18;
    }
}

static void quarter(double *out, const double *in, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = in[i] / 4;
    }
}

static void plus_1(double *out, const double *in, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = in[i] + 1;
    }
}

/* Parts that do not commute with each other. */
static void rms_norm(double *out, const double *in, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += in[i] * in[i];
    }
    double scale = 1 / sqrt(sum / n + 1e-6);
    for (int i = 0; i < n; i++) {
        out[i] = in[i] * scale;
    }
}

static void half_rms_norm(double *out, const double *in, int n)
{
    rms_norm(out, in, n);
    half(out, out, n);
}

static void backwards(double *out, const double *in, int n)
{
    double copy[MAX];
    for (int i = 0; i < n; i++) {
        copy[i] = in[n - 1 - i] - i;
    }
    for (int i = 0; i < n; i++) {
        out[i] = copy[i];
    }
}

static void square(double *out, const double *in, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = in[i] * in[i];
    }
}

/* A student's sums are float64's own; only the order of two additions is free. */
static void one(const char *name, const double *x, int n, const char *text, const part_function *parts)
{
    double scratch[MAX];
    ex_case(name);
    ex_doubles("x", x, n);
    ex_text("parts", text);
    double *out = ex_out_doubles("out", n, 1e-6, 1e-6);
    pre_norm_block(out, x, n, parts[0], parts[1], parts[2], parts[3], scratch);
    ex_end();
}

void exercise_cases(void)
{
    static const part_function example[] = {half, plus_18, quarter, plus_1};
    static const part_function block[] = {rms_norm, backwards, half_rms_norm, square};
    const char *const example_text = "attention_norm v/2, attention v+18, ffn_norm v/4, ffn v+1";
    const char *const block_text =
        "attention_norm v/rms(v), attention(v)[i] = v[n-1-i]-i, ffn_norm v/rms(v)/2, ffn v*v";
    one("the example", (const double[]){4}, 1, example_text, example);
    one("several elements, odd width", (const double[]){3, -4, 0.5, 2, -1}, 5, block_text, block);
    one("zeros", (const double[]){0, 0, 0}, 3, block_text, block);
    one("a large stream", (const double[]){3e5, -4e5}, 2, block_text, block);
    one("one element", (const double[]){-2}, 1, block_text, block);
}
