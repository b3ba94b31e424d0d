/* exercises.h: the functions of chapter 3's exercises. Plain arrays, row-major; positions from 0; angles in radians.
 * Each is written in its own file beside this one; make exercise EX=3.1 builds and checks it. */
#ifndef CHAPTER3_EXERCISES_H
#define CHAPTER3_EXERCISES_H

#include "../../exercise.h"

void inverse_frequencies(double *frequency, int head_dim, double theta); /* 3.1 */

#endif
