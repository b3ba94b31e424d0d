/* exercises.h: the functions of chapter 2's exercises. Plain arrays; angles in radians; positions from 0.
 * Each is written in its own file beside this one; make exercise EX=2.1 builds and checks it. */
#ifndef CHAPTER2_EXERCISES_H
#define CHAPTER2_EXERCISES_H

#include <stdint.h>

#include "../../exercise.h"

void turn_point(double *point, double angle);                          /* 2.1 */
void predict_angles(double *answer);                                   /* 2.2 */
void compose(double *both, const double *first, const double *second); /* 2.3 */
void turn_back(double *point, const double *matrix);                   /* 2.4 */
void turn_positions(double *z, int n, double theta);                   /* 2.5 */
int gauss_power(int64_t *power, int m);                                /* 2.6 */
void two_sides(int64_t *left, int64_t *right, int m, int n);           /* 2.7 */

#endif
