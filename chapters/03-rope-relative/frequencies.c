/* Steps on angles: how fast each pair turns, why there are many speeds, and what narrow types do to an angle. */
#include <math.h>

#include "angle_types.h"
#include "common/bf16.h"
#include "score.h"

static const double full_turn = 6.283185307179586;

/* ---- Frequencies ---- */

/* The pairs worth a column: the first two, the two in the middle, the last; each once. Returns how many. */
static int notable_pairs(int pairs[5], int n_pairs)
{
    const int wanted[5] = {0, 1, n_pairs / 2 - 1, n_pairs / 2, n_pairs - 1};
    int n = 0, last = -1;
    for (int i = 0; i < 5; i++) {
        if (wanted[i] > last && wanted[i] < n_pairs) {
            last = pairs[n++] = wanted[i];
        }
    }
    return n;
}

/* Two rows: which pairs come round within 4096 and 32768 tokens, and how often the notable ones do. */
static void print_turns(FILE *out, int head_dim, double theta)
{
    static const double contexts[] = {4096, 32768};
    double inv_freq[MAX_PAIRS];
    int n_pairs = head_dim / 2;
    rope_inv_freq(inv_freq, head_dim, theta);
    for (int c = 0; c < 2; c++) {
        int n_round = 0;
        while (n_round < n_pairs && contexts[c] * inv_freq[n_round] >= full_turn) {
            n_round++;
        }
        fprintf(out, "     %-10.10g %7.0f   0 to %-4d %12.4g %12.4g %12.4g\n", theta, contexts[c],
                n_round - 1, contexts[c] * inv_freq[0] / full_turn,
                contexts[c] * inv_freq[n_pairs / 2] / full_turn,
                contexts[c] * inv_freq[n_pairs - 1] / full_turn);
    }
}

enum status step_frequencies(void *context, FILE *out, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    struct rotary rotary = rotary_from(s);
    int pairs[5];
    int n = notable_pairs(pairs, s->head_dim / 2);
    fprintf(out, "   Pair i turns by %.10g^(-2i/%d) radians a token.\n     pair           ", s->theta,
            s->head_dim);
    for (int i = 0; i < n; i++) {
        fprintf(out, "%11d", pairs[i]);
    }
    fprintf(out, "\n     radians a token");
    for (int i = 0; i < n; i++) {
        fprintf(out, "%11.4g", rotary.inv_freq[pairs[i]]);
    }
    fprintf(out, "\n     tokens a turn  ");
    for (int i = 0; i < n; i++) {
        fprintf(out, "%11.*f", rotary.inv_freq[pairs[i]] > 0.01 ? 2 : 0,
                full_turn / rotary.inv_freq[pairs[i]]);
    }
    char middle[24], last[24];
    snprintf(middle, sizeof middle, "pair %d", s->head_dim / 4);
    snprintf(last, sizeof last, "pair %d", s->head_dim / 2 - 1);
    fprintf(out,
            "\n   Which pairs come round at all within a context, and how often:\n"
            "     theta       tokens   pairs     turns: pair 0 %12s %12s\n",
            middle, last);
    print_turns(out, s->head_dim, 1e4);
    print_turns(out, s->head_dim, 1e6);
    if (s->theta != 1e4 && s->theta != 1e6) {
        print_turns(out, s->head_dim, s->theta);
    }
    fprintf(out, "   See it:  ./chapter3 --plot bands   and  --plot wavelengths\n");
    return STATUS_OK;
}

/* ---- Collisions ---- */

/* How many of the distances 1 .. below-1 all pairs first .. last-1 take for 0, to within 0.05; *smallest is the first of
 * them, 0 when there is none. */
static int count_collisions(const double *inv_freq, int first, int last, int below, int *smallest)
{
    int n = 0;
    *smallest = 0;
    for (int distance = 1; distance < below; distance++) {
        if (largest_chord(inv_freq, first, last, distance) <= 0.05 && n++ == 0) {
            *smallest = distance;
        }
    }
    return n;
}

/* One row: how many distances the pairs first .. last-1 take for 0. */
static void print_collisions(FILE *out, const char *label, const struct rotary *rotary, int first, int last,
                             int below)
{
    int smallest;
    int n = count_collisions(rotary->inv_freq, first, last, below, &smallest);
    fprintf(out, "     %-22s %6d", label, n);
    if (n > 0) {
        fprintf(out, "   (the first: %d)", smallest);
    }
    fputc('\n', out);
}

enum status step_collisions(void *context, FILE *out, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    struct rotary rotary = rotary_from(s);
    int n_pairs = s->head_dim / 2;
    fprintf(out,
            "   Pair 0 turns by 1 radian. After 44 tokens it has made 7 turns and %.4f\n"
            "   radians: 44 looks like 0. Distances 1 to %d that look like 0, every\n"
            "   pair within 0.05 of its start (on a circle of radius 1):\n",
            44.0 - 7.0 * full_turn, s->positions - 1);
    print_collisions(out, "pair 0 alone", &rotary, 0, 1, s->positions);
    for (int n = 2; n <= 4 && n < n_pairs; n *= 2) {
        char label[40];
        snprintf(label, sizeof label, "pairs 0 to %d", n - 1);
        print_collisions(out, label, &rotary, 0, n, s->positions);
    }
    print_collisions(out, "all pairs", &rotary, 0, n_pairs, s->positions);
    print_collisions(out, "the last pair alone", &rotary, n_pairs - 1, n_pairs, s->positions);
    fprintf(out, "   Fast pairs tell neighbours apart, slow ones far tokens.  --plot collisions\n");
    return STATUS_OK;
}

/* ---- Types ---- */

enum status step_bf16_angles(void *context, FILE *out, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    static const int positions[] = {257, 4095, 32767};
    fprintf(out, "   bfloat16 keeps 8 binary digits. The largest error of a cosine, by what the\n"
                 "   angle was computed in (against float64):\n     position                      ");
    for (int p = 0; p < 3; p++) {
        fprintf(out, "%11d", positions[p]);
    }
    fprintf(out, "\n     the position as bfloat16      ");
    for (int p = 0; p < 3; p++) {
        fprintf(out, "%11.0f", (double)bf16_round((float)positions[p]));
    }
    static const char *const labels[] = {"float64, cosine to float32", "float32 (Hugging Face)",
                                         "bfloat16 frequency", "bfloat16 frequency, position"};
    for (int type = 0; type < N_ANGLE_TYPES; type++) {
        fprintf(out, "\n     %-30s", labels[type]);
        for (int p = 0; p < 3; p++) {
            fprintf(out, "%11.1e", largest_cosine_error(s->head_dim, s->theta, type, positions[p]));
        }
    }
    fprintf(out, "\n   Rounding the cosine is harmless, the angle not.  --plot angle-error\n");
    return STATUS_OK;
}
