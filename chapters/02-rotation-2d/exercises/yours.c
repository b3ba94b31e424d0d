/* make chapter2-yours && ./chapter2-yours: the walk-through's checks with your functions beside the project's.
 *
 * Each check is written once, for a struct of functions; it is run with yours and with the project's. */
#include <math.h>

#include "../../yours.h"
#include "common/rotation.h"
#include "exercises.h"

struct functions {
    void (*turn_point)(double *point, double angle);
    void (*compose)(double *both, const double *first, const double *second);
    void (*turn_back)(double *point, const double *matrix);
    void (*turn_positions)(double *z, int n, double theta);
    int (*gauss_power)(int64_t *power, int m);
    void (*two_sides)(int64_t *left, int64_t *right, int m, int n);
};

/* ---- The project's side, behind the exercises' signatures ---- */

static void project_turn(double *point, double angle)
{
    struct point turned = rotation_apply(rotation_from_angle(angle), (struct point){point[0], point[1]});
    point[0] = turned.x;
    point[1] = turned.y;
}

static void project_compose(double *both, const double *first, const double *second)
{
    struct rotation r =
        rotation_compose((struct rotation){second[0], second[1]}, (struct rotation){first[0], first[1]});
    both[0] = r.cosine;
    both[1] = r.sine;
}

static void project_back(double *point, const double *matrix)
{
    double scale = hypot(matrix[0], matrix[2]);
    struct rotation r = {matrix[0] / scale, matrix[2] / scale};
    struct point back = rotation_apply(rotation_inverse(r), (struct point){point[0], point[1]});
    point[0] = back.x / scale;
    point[1] = back.y / scale;
}

static void project_positions(double *z, int n, double theta)
{
    for (int p = 0; p < n; p++) {
        struct point turned =
            rotation_apply_complex(rotation_from_angle(p * theta), (struct point){z[2 * p], z[2 * p + 1]});
        z[2 * p] = turned.x;
        z[2 * p + 1] = turned.y;
    }
}

/* The project's integers have 128 bits where the compiler has them: narrowed here. */
static int project_power(int64_t *power, int m)
{
    struct rotation_exact exact;
    if (!rotation_exact_power(&exact, m)) {
        return 0;
    }
    for (int row = 0; row < 2; row++) {
        if ((int64_t)exact.m[row][0] != exact.m[row][0]) {
            return 0;
        }
    }
    power[0] = (int64_t)exact.m[0][0];
    power[1] = (int64_t)exact.m[1][0];
    return 1;
}

static void project_sides(int64_t *left, int64_t *right, int m, int n)
{
    struct rotation_exact a, b, difference;
    rotation_int factor = 0;
    if (!rotation_exact_power(&a, m) || !rotation_exact_power(&b, n) ||
        !rotation_exact_power(&difference, n - m) || !rotation_int_power(&factor, 25, m)) {
        return;
    }
    a = rotation_exact_transpose(&a);
    if (!rotation_exact_multiply(&a, &a, &b) || !rotation_exact_scale(&difference, &difference, factor)) {
        return;
    }
    for (int row = 0; row < 2; row++) {
        left[row] = (int64_t)a.m[row][0];
        right[row] = (int64_t)difference.m[row][0];
    }
}

/* ---- The checks ---- */

static double turned_x(const void *functions)
{
    const struct functions *f = functions;
    double point[2] = {3, -4};
    f->turn_point(point, 0.1);
    return point[0];
}

static double turned_length(const void *functions)
{
    const struct functions *f = functions;
    double point[2] = {3, -4};
    f->turn_point(point, 100);
    return hypot(point[0], point[1]);
}

/* The score of q at position m with k at position n: RoPE's line. */
static double score(const struct functions *f, int m, int n)
{
    double q[2] = {3, -4}, k[2] = {1, 2};
    f->turn_point(q, m * 0.1);
    f->turn_point(k, n * 0.1);
    return q[0] * k[0] + q[1] * k[1];
}

static double score_near(const void *functions)
{
    return score(functions, 7, 3);
}

static double score_far(const void *functions)
{
    return score(functions, 1007, 1003);
}

/* The angle of a rotation by 0.7, then by second. */
static double angle_after(const struct functions *f, double second)
{
    double both[2];
    f->compose(both, (double[]){cos(0.7), sin(0.7)}, (double[]){cos(second), sin(second)});
    return atan2(both[1], both[0]);
}

static double angle_of_sum(const void *functions)
{
    return angle_after(functions, 0.3);
}

static double angle_of_difference(const void *functions)
{
    return angle_after(functions, -0.3);
}

static double undone_x(const void *functions)
{
    const struct functions *f = functions;
    double point[2] = {2, 11};
    f->turn_back(point, (double[]){3, -4, 4, 3});
    return point[0];
}

static double complex_imaginary(const void *functions)
{
    const struct functions *f = functions;
    double z[] = {3, -4, 3, -4, 3, -4, 3, -4};
    f->turn_positions(z, 4, 0.1);
    return z[7];
}

static double largest_power(const void *functions)
{
    const struct functions *f = functions;
    int64_t power[2];
    int m = 0;
    while (m < 64 && f->gauss_power(power, m + 1)) {
        m++;
    }
    return m;
}

static double last_digits(const void *functions)
{
    const struct functions *f = functions;
    int64_t power[2] = {0, 0};
    f->gauss_power(power, 27);
    return (double)(power[0] % 1000000);
}

/* How many of the pairs m <= n with m + n <= 20 have two equal sides; there are 121. */
static double equal_pairs(const void *functions)
{
    const struct functions *f = functions;
    int equal = 0;
    for (int m = 0; m <= 10; m++) {
        for (int n = m; m + n <= 20; n++) {
            int64_t left[2] = {0, 0}, right[2] = {1, 1};
            f->two_sides(left, right, m, n);
            equal += left[0] == right[0] && left[1] == right[1];
        }
    }
    return equal;
}

static double entry_of_left(const void *functions)
{
    const struct functions *f = functions;
    int64_t left[2] = {0, 0}, right[2] = {0, 0};
    f->two_sides(left, right, 2, 5);
    return (double)left[0];
}

int main(int argc, char **argv)
{
    static const struct yours_check checks[] = {
        {NULL, "The matrix turns and keeps the length (step 1): point (3, -4)", NULL, 0},
        {"2.1", "x after 0.1 radians", turned_x, 1e-5},
        {"2.1", "the length after 100 radians", turned_length, 1e-5},
        {NULL, "Angles add, the transpose turns back (step 2): 0.1 radians a position", NULL, 0},
        {"2.3", "by 0.7, then 0.3", angle_of_sum, 1e-5},
        {"2.3", "by 0.7, then -0.3", angle_of_difference, 1e-5},
        {"2.4", "x before the matrix of 3 + 4i", undone_x, 1e-5},
        {"2.1", "score, q at 7, k at 3", score_near, 1e-3},
        {"2.1", "score, q at 1007, k at 1003: the same", score_far, 1e-3},
        {NULL, "The same as one complex product (step 3)", NULL, 0},
        {"2.5", "3 - 4i at position 3, imaginary part", complex_imaginary, 1e-5},
        {NULL, "Only the difference remains, proven in integers (steps 4, 5)", NULL, 0},
        {"2.6", "the largest power in 64 bits", largest_power, 0},
        {"2.6", "last six digits of the real part", last_digits, 0},
        {"2.7", "an entry of M_2^T M_5", entry_of_left, 0},
        {"2.7", "pairs m, n with equal sides, of 121", equal_pairs, 0},
        {NULL, NULL, NULL, 0},
    };
    const struct functions yours = {turn_point, compose, turn_back, turn_positions, gauss_power, two_sides};
    const struct functions project = {project_turn,      project_compose, project_back,
                                      project_positions, project_power,   project_sides};
    return yours_run(argc, argv, "Chapter 2 with your functions", checks, &yours, &project);
}
