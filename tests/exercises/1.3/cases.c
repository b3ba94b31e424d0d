#include "child.h"
#include "exercises.h"

/* Sums of at most 9 products: float32 and any order of summation stay within 1e-5 of the largest term. */
static void one(const char *name, const double *query, const double *key, const double *a, int d,
                double largest)
{
    ex_case(name);
    ex_doubles("c_q,p_q", query, 2 * d);
    ex_doubles("c_k,p_k", key, 2 * d);
    ex_doubles("A", a, d * d);
    double *terms = ex_out_doubles("terms", 4, 1e-5 * largest, 0);
    four_terms(terms, query, key, a, d);
    ex_end();
}

void exercise_cases(void)
{
    const double query[] = {2, 3, 5, 7}, key[] = {1, 10, 1, 100};
    one("the example: A has one element", query, key, (const double[]){0, 1, 0, 0}, 2, 500);
    one("A is the identity", query, key, (const double[]){1, 0, 0, 1}, 2, 705);
    one("A is on its diagonal only", query, key, (const double[]){-1, 0, 0, 0.5}, 2, 345);
    one("one element: d 1", (const double[]){3, -2}, (const double[]){-4, 5}, (const double[]){0.5}, 1, 8);
    one("d 3, a content of zeros", (const double[]){0, 0, 0, 1, -1, 2}, (const double[]){1, 2, 3, -3, 0.5, 4},
        (const double[]){1, 2, 3, -4, 5, 6, 7, -8, 9}, 3, 60);
    one("large and small", (const double[]){1e8, 1, 1e-3, 2}, (const double[]){-1e4, 3, 2, 1e-6},
        (const double[]){1, -2, 3, 4}, 2, 1e12);
}
