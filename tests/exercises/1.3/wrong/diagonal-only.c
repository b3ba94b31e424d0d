#include "exercises.h"

static double through(const double *x, const double *a, const double *y, int d)
{
    double sum = 0;
    for (int i = 0; i < d; i++) {
        sum += x[i] * a[i * d + i] * y[i];
    }
    return sum;
}

void four_terms(double *terms, const double *query, const double *key, const double *a, int d)
{
    const double *query_content = query, *query_position = query + d;
    const double *key_content = key, *key_position = key + d;
    terms[0] = through(query_content, a, key_content, d);
    terms[1] = through(query_content, a, key_position, d);
    terms[2] = through(query_position, a, key_content, d);
    terms[3] = through(query_position, a, key_position, d);
}
