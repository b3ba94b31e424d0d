/* Steps 4 and 5: the identity behind RoPE without a single rounding error. */
#include <stdbool.h>

#include "chapters/02-rotation-2d/steps.h"

/* Both sides of M_m^T M_n = 25^m M_(n-m), m <= n; false when something does not fit the integer type. */
static bool both_sides(struct rotation_exact *left, struct rotation_exact *right, int m, int n)
{
    struct rotation_exact m_m;
    struct rotation_exact m_n;
    struct rotation_exact m_rest;
    rotation_int scale = 0;
    if (!rotation_exact_power(&m_m, m) || !rotation_exact_power(&m_n, n) ||
        !rotation_exact_power(&m_rest, n - m) || !rotation_int_power(&scale, 25, m)) {
        return false;
    }
    m_m = rotation_exact_transpose(&m_m);
    return rotation_exact_multiply(left, &m_m, &m_n) && rotation_exact_scale(right, &m_rest, scale);
}

static void print_integers(FILE *out, const char *what, const struct rotation_exact *a)
{
    char first[ROTATION_INT_TEXT];
    char second[ROTATION_INT_TEXT];
    fprintf(out, "     %-18s first column %12s, %12s\n", what, rotation_int_text(first, a->m[0][0]),
            rotation_int_text(second, a->m[1][0]));
}

enum status step_integers(void *settings, FILE *out, struct error *error)
{
    (void)settings;
    (void)error;
    static const int m = 2;
    static const int n = 5;
    struct rotation_exact left;
    struct rotation_exact right;
    struct rotation_exact power;
    fputs("   3*3 + 4*4 = 5*5, so [3 -4; 4 3], the matrix of 3+4i, is a rotation times 5,\n"
          "   and M_m, the matrix of (3+4i)^m, one times 5^m. All entries are integers.\n\n",
          out);
    if (!rotation_exact_power(&power, m) || !both_sides(&left, &right, m, n)) {
        return error_set(error, STATUS_LIMIT, "powers %d and %d: do not fit %d bits", m, n,
                         ROTATION_INT_BITS);
    }
    print_integers(out, "M_2", &power);
    if (rotation_exact_power(&power, n)) {
        print_integers(out, "M_5", &power);
    }
    print_integers(out, "M_2^T M_5", &left);
    print_integers(out, "25^2 M_3", &right);
    fputs("\n   Why the factor: M_m = 5^m R_m, and M_n = 5^n R_n. Then\n"
          "   M_m^T M_n = 5^(m+n) R_(n-m) = 25^m 5^(n-m) R_(n-m) = 25^m M_(n-m).\n",
          out);
    return STATUS_OK;
}

/* How many pairs m <= n with m + n <= limit were compared, and how many of them differ. */
static bool compare_all(int limit, int *n_pairs, int *n_different)
{
    *n_pairs = 0;
    *n_different = 0;
    for (int n = 0; n <= limit; n++) {
        for (int m = 0; m <= n && m + n <= limit; m++) {
            struct rotation_exact left;
            struct rotation_exact right;
            if (!both_sides(&left, &right, m, n)) {
                return false;
            }
            *n_pairs += 1;
            *n_different += !rotation_exact_equal(&left, &right);
        }
    }
    return true;
}

enum status step_limit(void *settings, FILE *out, struct error *error)
{
    (void)settings;
    int n_pairs = 0;
    int n_different = 0;
    char text[ROTATION_INT_TEXT];
    rotation_int power = 0;
    if (!compare_all(ROTATION_EXACT_LIMIT, &n_pairs, &n_different) ||
        !rotation_int_power(&power, 5, ROTATION_EXACT_LIMIT)) {
        return error_set(error, STATUS_LIMIT, "m + n up to %d: does not fit %d bits", ROTATION_EXACT_LIMIT,
                         ROTATION_INT_BITS);
    }
    fprintf(out,
            "   No entry of M_m^T M_n is above 5^(m+n), and in %d bits fits\n\n"
            "     5^%d = %s\n\n"
            "   but not 5^%d (%s). Every m <= n with m + n <= %d:\n"
            "   %d pairs compared, %d different.\n",
            ROTATION_INT_BITS, ROTATION_EXACT_LIMIT, rotation_int_text(text, power), ROTATION_EXACT_LIMIT + 1,
            rotation_int_power(&power, 5, ROTATION_EXACT_LIMIT + 1) ? "not refused: a mistake" : "refused",
            ROTATION_EXACT_LIMIT, n_pairs, n_different);
    return STATUS_OK;
}
