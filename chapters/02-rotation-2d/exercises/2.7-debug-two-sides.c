/* Exercise 2.7: find the fault in a proof
 *
 * M_m is the matrix of (3 + 4i)^m. It turns by m times an angle, and it makes every length 5^m times as long. M_m^T, the
 * transpose, turns back. For 0 <= m <= n both sides of this identity are the same integers, without any rounding:
 *
 *     M_m^T M_n  =  (a factor) M_(n-m)
 *
 * left   [2]: the first column of the left side
 * right  [2]: the first column of the right side
 * m, n   0 <= m <= n, m + n at most 20: nothing overflows
 *
 * By hand: m = 1, n = 1. M_1 = [3 -4; 4 3], so M_1^T M_1 = [3 4; -4 3] [3 -4; 4 3], first column 3*3 + 4*4 = 25 and
 * -4*3 + 3*4 = 0: left = {25, 0}. M_0 is [1 0; 0 1].
 *
 * The code below finds both sides equal for m = 0, and different for every other m. It has one fault: which of the two
 * sides is right? Check it with:  make exercise EX=2.7 */
#include <stdint.h>

#include "exercises.h"

static void multiply(int64_t *z)
{
    int64_t re = z[0];
    z[0] = 3 * re - 4 * z[1];
    z[1] = 4 * re + 3 * z[1];
}

void two_sides(int64_t *left, int64_t *right, int m, int n)
{
    EXERCISE_TODO("find the fault, fix it, then delete this line");
    int64_t a[2] = {1, 0}, b[2] = {1, 0}, scale = 1;
    right[0] = 1;
    right[1] = 0;
    for (int i = 0; i < m; i++) {
        multiply(a);
        scale *= 5;
    }
    for (int i = 0; i < n; i++) {
        multiply(b);
    }
    for (int i = 0; i < n - m; i++) {
        multiply(right);
    }
    left[0] = a[0] * b[0] + a[1] * b[1];
    left[1] = a[0] * b[1] - a[1] * b[0];
    right[0] *= scale;
    right[1] *= scale;
}
