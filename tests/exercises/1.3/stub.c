/* Exercise 1.3: find the fault in a score's four terms
 *
 * A token's vector is the sum of its content c and its position p. A score (c + p)_q^T A (c + p)_k has four terms:
 *
 *     terms[0] = c_q^T A c_k        terms[2] = p_q^T A c_k
 *     terms[1] = c_q^T A p_k        terms[3] = p_q^T A p_k        x^T A y = sum over i, j of x[i] A[i, j] y[j]
 *
 * terms  [4]
 * query  [2, d]: c_q, then p_q
 * key    [2, d]: c_k, then p_k
 * a      [d, d], row by row
 *
 * By hand: d 2, A = {0, 1, 0, 0}, so x^T A y = x[0] * y[1]. With c_q = {2, 3}, p_q = {5, 7}, c_k = {1, 10} and
 * p_k = {1, 100} the terms are 2*10 = 20, 2*100 = 200, 5*10 = 50 and 5*100 = 500.
 *
 * The code below is right whenever A is the identity. It has one fault. Check it with:  make exercise EX=1.3 */
#include "exercises.h"

static double through(const double *x, const double *a, const double *y, int d)
{
    double sum = 0;
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            sum += x[i] * a[j * d + i] * y[j];
        }
    }
    return sum;
}

void four_terms(double *terms, const double *query, const double *key, const double *a, int d)
{
    EXERCISE_TODO("find the fault, fix it, then delete this line");
    const double *query_content = query, *query_position = query + d;
    const double *key_content = key, *key_position = key + d;
    terms[0] = through(query_content, a, key_content, d);
    terms[1] = through(query_content, a, key_position, d);
    terms[2] = through(query_position, a, key_content, d);
    terms[3] = through(query_position, a, key_position, d);
}
