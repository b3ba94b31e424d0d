/* rotation.h: rotations of the plane, in floating point and exactly in integers.
 * Introduced in chapter 2. Any book of linear algebra; the integers: Gauss 1832.
 *
 * A rotation is kept as its cosine and sine. Three ways to write the same thing:
 *
 *     [ c  -s ]
 *     [ s   c ]   (a matrix)       e^(i theta) = c + i s   (a complex number)       theta   (an angle, radians)
 *
 * Positive angles turn from the x axis towards the y axis. */
#ifndef COMMON_ROTATION_H
#define COMMON_ROTATION_H

#include <stdbool.h>
#include <stdint.h>

struct point {
    double x, y;
};

struct rotation {
    double cosine, sine;
};

/* theta in radians, finite. cosine^2 + sine^2 is 1 within rounding. */
struct rotation rotation_from_angle(double theta);
/* The angle in -pi .. pi. */
double rotation_angle(struct rotation r);

/*     (x, y) -> (x c - y s, x s + y c)
 *
 * Keeps the norm. This is what RoPE does to every pair of a query and a key (chapter 3). */
struct point rotation_apply(struct rotation r, struct point p);
/* The same as a product of complex numbers, (c + i s)(x + i y), left to the compiler's complex type. */
struct point rotation_apply_complex(struct rotation r, struct point p);

/* First b, then a: the angles add. Rotations of the plane commute. */
struct rotation rotation_compose(struct rotation a, struct rotation b);
/* The transposed matrix; the angle changes its sign. */
struct rotation rotation_inverse(struct rotation r);

double rotation_norm(struct point p); /* no overflow, no underflow: hypot */

/* ---- Exactly, in integers ----------------------------------------------------------------------------------------
 *
 * 3^2 + 4^2 = 5^2, so the matrix of the Gaussian integer 3 + 4i,
 *
 *     M_1 = [ 3  -4 ]     is 5 times the rotation by atan2(4, 3) = 0.9273 radians,
 *           [ 4   3 ]
 *
 * and M_m = M_1^m is 5^m times the rotation by m times that angle. All entries are integers: no rounding anywhere.
 *
 *     M_m^T M_n = 25^m M_(n-m)          for 0 <= m <= n
 *
 * is RoPE's R_m^T R_n = R_(n-m), times the two scales' product. Entries are at most 5^m in size, those of M_m^T M_n
 * at most 5^(m+n): every m + n up to ROTATION_EXACT_LIMIT fits. */

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 rotation_int;
enum { ROTATION_INT_BITS = 128, ROTATION_EXACT_LIMIT = 54 }; /* 5^54 < 2^127 < 5^55 */
#else
typedef int64_t rotation_int;
enum { ROTATION_INT_BITS = 64, ROTATION_EXACT_LIMIT = 27 }; /* 5^27 < 2^63 < 5^28 */
#endif

struct rotation_exact {
    rotation_int m[2][2];
};

/* Each of these returns false, with *out unchanged, where a product or a sum does not fit rotation_int. out may be one
 * of the inputs. */

/* *out = base^m; requires m >= 0. */
bool rotation_int_power(rotation_int *out, int base, int m);
/* M_m; requires m >= 0. */
bool rotation_exact_power(struct rotation_exact *out, int m);
/* a b */
bool rotation_exact_multiply(struct rotation_exact *out, const struct rotation_exact *a,
                             const struct rotation_exact *b);
/* factor * a */
bool rotation_exact_scale(struct rotation_exact *out, const struct rotation_exact *a, rotation_int factor);
/* out = a v. out, v [2] */
bool rotation_exact_apply(rotation_int *out, const struct rotation_exact *a, const rotation_int *v);
/* *out = a . b. a, b [2] */
bool rotation_exact_dot(rotation_int *out, const rotation_int *a, const rotation_int *b);

struct rotation_exact rotation_exact_transpose(const struct rotation_exact *a);
bool rotation_exact_equal(const struct rotation_exact *a, const struct rotation_exact *b);

/* Decimal digits, because printf knows no 128 bits; returns text. ROTATION_INT_TEXT bytes hold any value. */
enum { ROTATION_INT_TEXT = 41 };
char *rotation_int_text(char *text, rotation_int value);

#endif
