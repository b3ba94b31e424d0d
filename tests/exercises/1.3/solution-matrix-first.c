#include "exercises.h"

/* A y for each of the key's two vectors, then two dot products with it. */
void four_terms(double *terms, const double *query, const double *key, const double *a, int d)
{
    for (int k = 0; k < 2; k++) {
        terms[k] = terms[2 + k] = 0;
        for (int i = 0; i < d; i++) {
            double element = 0;
            for (int j = 0; j < d; j++) {
                element += a[i * d + j] * key[k * d + j];
            }
            terms[k] += query[i] * element;
            terms[2 + k] += query[d + i] * element;
        }
    }
}
