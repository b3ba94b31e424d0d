#include "common/rotation.h"

#include <complex.h>
#include <math.h>

#include "common/require.h"

struct rotation rotation_from_angle(double theta)
{
    REQUIRE(isfinite(theta));
    return (struct rotation){cos(theta), sin(theta)};
}

double rotation_angle(struct rotation r)
{
    return atan2(r.sine, r.cosine);
}

struct point rotation_apply(struct rotation r, struct point p)
{
    return (struct point){p.x * r.cosine - p.y * r.sine, p.x * r.sine + p.y * r.cosine};
}

struct point rotation_apply_complex(struct rotation r, struct point p)
{
    double complex product = (r.cosine + r.sine * I) * (p.x + p.y * I);
    return (struct point){creal(product), cimag(product)};
}

struct rotation rotation_compose(struct rotation a, struct rotation b)
{
    return (struct rotation){a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine};
}

struct rotation rotation_inverse(struct rotation r)
{
    return (struct rotation){r.cosine, -r.sine};
}

double rotation_norm(struct point p)
{
    return hypot(p.x, p.y);
}

/* ---- Exactly, in integers ---- */

/* *out = a b + c d. Signed overflow is undefined in C: the compiler's checked operations say so instead. */
static bool sum_of_products(rotation_int *out, rotation_int a, rotation_int b, rotation_int c, rotation_int d)
{
    rotation_int ab = 0;
    rotation_int cd = 0;
    rotation_int sum = 0;
    if (__builtin_mul_overflow(a, b, &ab) || __builtin_mul_overflow(c, d, &cd) ||
        __builtin_add_overflow(ab, cd, &sum)) {
        return false;
    }
    *out = sum;
    return true;
}

bool rotation_int_power(rotation_int *out, int base, int m)
{
    REQUIRE(m >= 0);
    rotation_int power = 1;
    for (int i = 0; i < m; i++) {
        if (__builtin_mul_overflow(power, (rotation_int)base, &power)) {
            return false;
        }
    }
    *out = power;
    return true;
}

bool rotation_exact_multiply(struct rotation_exact *out, const struct rotation_exact *a,
                             const struct rotation_exact *b)
{
    struct rotation_exact product;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            if (!sum_of_products(&product.m[i][j], a->m[i][0], b->m[0][j], a->m[i][1], b->m[1][j])) {
                return false;
            }
        }
    }
    *out = product;
    return true;
}

bool rotation_exact_power(struct rotation_exact *out, int m)
{
    REQUIRE(m >= 0);
    static const struct rotation_exact three_plus_four_i = {{{3, -4}, {4, 3}}};
    struct rotation_exact power = {{{1, 0}, {0, 1}}};
    for (int i = 0; i < m; i++) {
        if (!rotation_exact_multiply(&power, &three_plus_four_i, &power)) {
            return false;
        }
    }
    *out = power;
    return true;
}

bool rotation_exact_scale(struct rotation_exact *out, const struct rotation_exact *a, rotation_int factor)
{
    struct rotation_exact diagonal = {{{factor, 0}, {0, factor}}};
    return rotation_exact_multiply(out, &diagonal, a);
}

bool rotation_exact_apply(rotation_int *out, const struct rotation_exact *a, const rotation_int *v)
{
    rotation_int x = 0;
    rotation_int y = 0;
    if (!sum_of_products(&x, a->m[0][0], v[0], a->m[0][1], v[1]) ||
        !sum_of_products(&y, a->m[1][0], v[0], a->m[1][1], v[1])) {
        return false;
    }
    out[0] = x;
    out[1] = y;
    return true;
}

bool rotation_exact_dot(rotation_int *out, const rotation_int *a, const rotation_int *b)
{
    return sum_of_products(out, a[0], b[0], a[1], b[1]);
}

struct rotation_exact rotation_exact_transpose(const struct rotation_exact *a)
{
    return (struct rotation_exact){{{a->m[0][0], a->m[1][0]}, {a->m[0][1], a->m[1][1]}}};
}

bool rotation_exact_equal(const struct rotation_exact *a, const struct rotation_exact *b)
{
    return a->m[0][0] == b->m[0][0] && a->m[0][1] == b->m[0][1] && a->m[1][0] == b->m[1][0] &&
           a->m[1][1] == b->m[1][1];
}

char *rotation_int_text(char *text, rotation_int value)
{
    char digits[ROTATION_INT_TEXT];
    int n = 0;
    bool negative = value < 0;
    do {
        int digit = (int)(value % 10); /* keeps value's sign: the smallest integer has no positive twin */
        digits[n++] = (char)('0' + (digit < 0 ? -digit : digit));
        value /= 10;
    } while (value != 0);
    char *end = text;
    if (negative) {
        *end++ = '-';
    }
    while (n > 0) {
        *end++ = digits[--n];
    }
    *end = '\0';
    return text;
}
