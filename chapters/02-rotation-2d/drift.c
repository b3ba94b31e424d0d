/* Step 6: why a position's rotation is computed from its angle, and never from the position before. */
#include <math.h>
#include <stdbool.h>

#include "chapters/02-rotation-2d/steps.h"

enum { LAST = 1000000, POINTS_PER_DECADE = 20 };

/* One point rotated again and again by the same small angle, in float32 and in float64. */
struct walk {
    struct rotation r;
    float cosine32, sine32;
    float x32, y32;
    struct point p64;
};

static struct walk walk_start(const struct settings *s)
{
    struct rotation r = rotation_from_angle(s->theta);
    return (struct walk){.r = r,
                         .cosine32 = (float)r.cosine,
                         .sine32 = (float)r.sine,
                         .x32 = (float)s->point.x,
                         .y32 = (float)s->point.y,
                         .p64 = s->point};
}

static void walk_step(struct walk *w)
{
    float x = w->x32 * w->cosine32 - w->y32 * w->sine32;
    w->y32 = w->x32 * w->sine32 + w->y32 * w->cosine32;
    w->x32 = x;
    w->p64 = rotation_apply(w->r, w->p64);
}

/* Distances to the exact point, as a share of its length. */
struct drift {
    double steps32, once32, steps64, once64;
};

/* The rotation by n theta, but for one rounding: n theta = high + low exactly (fma does not round the product), and
 * cos(high + low) = cos(high) - low sin(high) up to low^2. */
static struct rotation exact_multiple(double theta, int n)
{
    double high = n * theta;
    double low = fma(n, theta, -high);
    return (struct rotation){cos(high) - low * sin(high), sin(high) + low * cos(high)};
}

static double distance(double x, double y, struct point truth, double length)
{
    return hypot(x - truth.x, y - truth.y) / (length > 0 ? length : 1);
}

static struct drift measure(const struct settings *s, const struct walk *w, int n)
{
    struct point truth = rotation_apply(exact_multiple(s->theta, n), s->point);
    double length = rotation_norm(s->point);
    struct rotation whole = rotation_from_angle(n * s->theta);
    struct point once = rotation_apply(whole, s->point);
    struct walk jump = *w;
    jump.cosine32 = (float)whole.cosine;
    jump.sine32 = (float)whole.sine;
    jump.x32 = (float)s->point.x;
    jump.y32 = (float)s->point.y;
    walk_step(&jump);
    return (struct drift){.steps32 = distance((double)w->x32, (double)w->y32, truth, length),
                          .once32 = distance((double)jump.x32, (double)jump.y32, truth, length),
                          .steps64 = distance(w->p64.x, w->p64.y, truth, length),
                          .once64 = distance(once.x, once.y, truth, length)};
}

static bool is_power_of_ten(int n)
{
    while (n % 10 == 0) {
        n /= 10;
    }
    return n == 1;
}

enum status step_drift(void *settings, FILE *out, struct error *error)
{
    const struct settings *s = settings;
    (void)error;
    struct walk w = walk_start(s);
    double length = rotation_norm(s->point);
    fputs("   Distance to the exact point, as a share of the length:\n\n"
          "                      float32                    float64\n"
          "     rotations   by steps    at once        by steps    at once\n",
          out);
    for (int n = 1; n <= LAST; n++) {
        walk_step(&w);
        if (is_power_of_ten(n)) {
            struct drift d = measure(s, &w, n);
            fprintf(out, "     %9d   %8.1e   %8.1e        %8.1e   %8.1e\n", n, d.steps32, d.once32, d.steps64,
                    d.once64);
        }
    }
    fprintf(out,
            "\n   By steps every rounding stays in: the float32 length is %.6f times what\n"
            "   it was. At once only the angle, its cosine and its sine are rounded: that is\n"
            "   why RoPE computes each position's angle from 0.  ./chapter2 --plot drift\n",
            length > 0 ? hypot((double)w.x32, (double)w.y32) / length : 1.0);
    return STATUS_OK;
}

/* 1, 2, 3, ... first and then, evenly on a log axis, up to LAST. */
static int next_place(int n)
{
    int next = (int)(n * pow(10, 1.0 / POINTS_PER_DECADE) + 0.5);
    next = next > n ? next : n + 1;
    return next < LAST || n == LAST ? next : LAST;
}

enum status data_drift(void *settings, struct table *table, struct error *error)
{
    const struct settings *s = settings;
    (void)error;
    struct walk w = walk_start(s);
    int place = 1;
    for (int n = 1; n <= LAST; n++) {
        walk_step(&w);
        if (n == place) {
            struct drift d = measure(s, &w, n);
            table_int(table, n);
            table_float(table, d.steps32);
            table_float(table, d.once32);
            table_float(table, d.steps64);
            table_float(table, d.once64);
            place = next_place(n);
        }
    }
    return STATUS_OK;
}
