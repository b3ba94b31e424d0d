/* Steps that prove it: algebra, then numbers, then whole numbers. */
#include <math.h>
#include <stdbool.h>

#include "common/rotation.h"
#include "score.h"

enum { DISTANCE = 3, MAX_SHIFT = 1000000 };

static const int shifts[] = {0, 100, 10000, MAX_SHIFT};

/* ---- The proof ---- */

static void print_line_4(FILE *out, enum angle_map angle)
{
    double difference = angle_argument(angle, 103) - angle_argument(angle, 100);
    double of_distance = angle_argument(angle, DISTANCE);
    bool holds = fabs(difference - of_distance) < 1e-9;
    fprintf(out, "     at 103 and 100:  a(103) - a(100) = %.4g,  a(3) = %.4g:  line 4 %s\n", difference,
            of_distance, holds ? "holds" : "FAILS");
}

enum status step_proof(void *context, FILE *out, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    struct rotary rotary = rotary_from(s);
    double q[MAX_HEAD_DIM], k[MAX_HEAD_DIM];
    struct rng rng;
    rng_init(&rng, s->seed);
    random_head(&rng, q, s->head_dim);
    random_head(&rng, k, s->head_dim);
    fprintf(out, "   R_m turns pair i by a(m) theta_i. The score of q at m and k at n:\n\n"
                 "     1  (R_m q) . (R_n k) = q^T R_m^T R_n k       a dot product is a product\n"
                 "     2                    = q^T R_m^-1 R_n k      the transpose turns back\n"
                 "     3                    = q^T R[a(n)-a(m)] k    angles of rotations add\n"
                 "     4                    = q^T R[a(n-m)] k       a is linear: RoPE's a(m) = m\n\n");
    print_line_4(out, rotary.angle);
    fprintf(out, "          q at       k at              float64        float32     bfloat16\n");
    for (int i = 0; i < 4; i++) {
        struct scores score = rotary_scores(&rotary, q, k, shifts[i] + DISTANCE, shifts[i]);
        fprintf(out, "     %9d  %9d  %19.13f  %13.7f  %11.4f\n", shifts[i] + DISTANCE, shifts[i], score.f64,
                score.f32, score.bf16);
    }
    fprintf(out, "   %s  ./chapter3 --angle %s --step 6\n",
            rotary.angle == ANGLE_LINEAR ? "Break it:" : "Right again:",
            rotary.angle == ANGLE_LINEAR ? "square" : "linear");
    return STATUS_OK;
}

/* ---- In numbers ---- */

static void keep_largest(struct scores *worst, const struct scores *a, const struct scores *b)
{
    worst->f64 = fmax(worst->f64, fabs(a->f64 - b->f64));
    worst->f32 = fmax(worst->f32, fabs(a->f32 - b->f32));
    worst->bf16 = fmax(worst->bf16, fabs(a->bf16 - b->bf16));
}

enum status step_precision(void *context, FILE *out, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    struct rotary rotary = rotary_from(s);
    struct scores from_distance = {0, 0, 0}, from_shift = {0, 0, 0};
    double q[MAX_HEAD_DIM], k[MAX_HEAD_DIM];
    struct rng rng;
    rng_init(&rng, s->seed);
    for (int trial = 0; trial < s->trials; trial++) {
        random_head(&rng, q, s->head_dim);
        random_head(&rng, k, s->head_dim);
        int m = rng_below(&rng, 1024), n = rng_below(&rng, 1024), shift = rng_below(&rng, MAX_SHIFT + 1);
        struct scores here = rotary_scores(&rotary, q, k, m, n);
        struct scores there = rotary_scores(&rotary, q, k, m + shift, n + shift);
        struct scores relative = rotary_scores(&rotary, q, k, 0, n - m);
        keep_largest(&from_distance, &there, &relative);
        keep_largest(&from_shift, &there, &here);
    }
    fprintf(out,
            "   Largest difference over %d random pairs, shifted by up to %d:\n"
            "                                                float64    float32   bfloat16\n"
            "     |(R_m q).(R_n k) - q.(R_(n-m) k)|     %12.1e %10.1e %10.1e\n"
            "     change of a score under a shift       %12.1e %10.1e %10.1e\n",
            s->trials, MAX_SHIFT, from_distance.f64, from_distance.f32, from_distance.bf16, from_shift.f64,
            from_shift.f32, from_shift.bf16);
    if (s->angle == ANGLE_LINEAR) {
        fprintf(out, "   What is left is rounding: near 10^6 radians float64 steps by 2^-33; the\n"
                     "   narrow types round cosines and products (their angles are float64).\n");
    } else {
        fprintf(out, "   No type is to blame: with this angle the score depends on the position.\n");
    }
    return STATUS_OK;
}

/* ---- In integers ---- */

/* Both sides of (M_m q) . (M_n k) = q . (25^m M_(n-m) k). False where a number does not fit the integer type. */
static bool integer_sides(rotation_int *left, rotation_int *right, int m, int n)
{
    static const rotation_int q[2] = {2, -1}, k[2] = {1, 3};
    struct rotation_exact at_m, at_n, between;
    rotation_int turned_q[2], turned_k[2], expected[2], factor;
    return rotation_exact_power(&at_m, m) && rotation_exact_power(&at_n, n) &&
           rotation_exact_power(&between, n - m) && rotation_exact_apply(turned_q, &at_m, q) &&
           rotation_exact_apply(turned_k, &at_n, k) && rotation_exact_dot(left, turned_q, turned_k) &&
           rotation_int_power(&factor, 25, m) && rotation_exact_scale(&between, &between, factor) &&
           rotation_exact_apply(expected, &between, k) && rotation_exact_dot(right, q, expected);
}

enum status step_integers(void *context, FILE *out, struct error *error)
{
    (void)context;
    (void)error;
    char text[ROTATION_INT_TEXT];
    int n_pairs = 0, n_different = 0;
    rotation_int left, right;
    fprintf(out, "   Chapter 2's M_m = (3+4i)^m turns by whole numbers and grows by 5^m. A score\n"
                 "   of q = (2,-1), k = (1,3), three apart, is 25^m times the one at m = 0:\n"
                 "      m   n   (M_m q) . (M_n k)                     minus 25^m q . (M_3 k)\n");
    for (int m = 0; m <= 24; m += 12) {
        if (integer_sides(&left, &right, m, m + DISTANCE)) {
            fprintf(out, "     %2d  %2d   %-37s", m, m + DISTANCE, rotation_int_text(text, left));
            fprintf(out, " %s\n", rotation_int_text(text, left - right));
        }
    }
    for (int m = 0; 2 * m <= ROTATION_EXACT_LIMIT; m++) {
        for (int n = m; m + n <= ROTATION_EXACT_LIMIT; n++) {
            if (integer_sides(&left, &right, m, n)) {
                n_pairs++;
                n_different += left != right;
            }
        }
    }
    fprintf(out,
            "   All %d pairs m <= n that fit %d bits: %d differ. The method is exact;\n"
            "   only floating point is not.\n",
            n_pairs, (int)ROTATION_INT_BITS, n_different);
    return STATUS_OK;
}
