/* Step 1: the smallest attention there is, on three words in two orders. Chapter 5 builds the real one. */
#include <math.h>

#include "chapters/01-sinusoidal-pe/steps.h"
#include "common/sinusoidal.h"

enum { N_WORDS = 3, WIDTH = 4 };

enum word { DOG, BITES, MAN };
static const char *const name[N_WORDS] = {"dog", "bites", "man"};
/* Chosen by hand; any three different vectors do. */
static const double embedding[N_WORDS][WIDTH] = {
    {0.9, 0.1, 0.4, -0.3}, {-0.2, 0.8, 0.5, 0.1}, {0.7, -0.4, 0.2, 0.6}};

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < WIDTH; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* out[i] = sum_j softmax_j(x[i] . x[j] / sqrt(width)) x[j]: every word looks at every word. A trained model looks at
 * W_q x, W_k x and W_v x instead; without positions these are as blind to the order as x is. */
static void attend(double out[N_WORDS][WIDTH], double x[N_WORDS][WIDTH])
{
    for (int i = 0; i < N_WORDS; i++) {
        double total = 0;
        for (int e = 0; e < WIDTH; e++) {
            out[i][e] = 0;
        }
        for (int j = 0; j < N_WORDS; j++) {
            double weight = exp(dot(x[i], x[j]) / sqrt(WIDTH));
            total += weight;
            for (int e = 0; e < WIDTH; e++) {
                out[i][e] += weight * x[j][e];
            }
        }
        for (int e = 0; e < WIDTH; e++) {
            out[i][e] /= total;
        }
    }
}

/* The attention output of each word (not of each place) of a sentence. With a base, the row of the word's position is
 * added first. */
static void outputs(double by_word[N_WORDS][WIDTH], const enum word sentence[N_WORDS], const double *base)
{
    double x[N_WORDS][WIDTH];
    double out[N_WORDS][WIDTH];
    for (int position = 0; position < N_WORDS; position++) {
        double row[WIDTH] = {0};
        if (base != NULL) {
            sinusoidal_row(row, position, WIDTH, *base);
        }
        for (int e = 0; e < WIDTH; e++) {
            x[position][e] = embedding[sentence[position]][e] + row[e];
        }
    }
    attend(out, x);
    for (int position = 0; position < N_WORDS; position++) {
        for (int e = 0; e < WIDTH; e++) {
            by_word[sentence[position]][e] = out[position][e];
        }
    }
}

/* Prints both sentences' outputs side by side, and returns the largest difference between them. */
static double compare(FILE *out, const double *base)
{
    static const enum word sentence[2][N_WORDS] = {{DOG, BITES, MAN}, {MAN, BITES, DOG}};
    double output[2][N_WORDS][WIDTH];
    double largest = 0;
    outputs(output[0], sentence[0], base);
    outputs(output[1], sentence[1], base);
    for (int word = 0; word < N_WORDS; word++) {
        fprintf(out, "     %-6s", name[word]);
        for (int s = 0; s < 2; s++) {
            fputs(s == 1 ? "    " : "", out);
            for (int e = 0; e < WIDTH; e++) {
                fprintf(out, " %7.4f", output[s][word][e]);
            }
        }
        fputc('\n', out);
        for (int e = 0; e < WIDTH; e++) {
            largest = fmax(largest, fabs(output[0][word][e] - output[1][word][e]));
        }
    }
    return largest;
}

enum status step_word_order(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    (void)error;
    fputs("   Attention gives each word a mixture of all words, by how well they match.\n"
          "   What each word gets in two sentences (4 numbers a word, no projections):\n\n"
          "             dog bites man                       man bites dog\n",
          out);
    double without = compare(out, NULL);
    fprintf(out,
            "\n   Largest difference: %.1g. Who bites whom is lost: attention sees a set.\n"
            "   The same, with a row for the position added to each word first:\n\n",
            without);
    double with = compare(out, &s->base);
    fprintf(out, "\n   Largest difference: %.2f.\n", with);
    return STATUS_OK;
}
