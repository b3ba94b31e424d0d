/* Exercise 6.3: top-p
 *
 * Keeps the fewest likeliest tokens whose probabilities together reach top_p, and shares all of the probability among
 * them. The others get 0. Of equally likely tokens the one with the lower index comes first. At least one is kept.
 *
 * out           [n], yours to fill; sums to 1
 * probability   [n], in no order, sums to 1
 * top_p         above 0, at most 1
 *
 * By hand: probability = {0.125, 0.5, 0.25, 0.125}, top_p 0.7. The likeliest is 0.5, not yet enough; with 0.25 it is 0.75,
 * enough. These two are divided by 0.75: out = {0, 0.667, 0.333, 0}.
 *
 * Check it with:  make exercise EX=6.3 */
#include "exercises.h"

void cut_to_top_p(double *out, const double *probability, int n, double top_p)
{
    EXERCISE_TODO("the fewest likeliest, and their sum back to 1");
}
