/* child.h: what an exercise's cases.c is written with.
 *
 * cases.c defines exercise_cases(). For every case it names the inputs, asks for output buffers, calls the student's
 * function and ends the case:
 *
 *     void exercise_cases(void)
 *     {
 *         ex_case("head_dim 4, theta 10000");
 *         ex_int("head_dim", 4);
 *         ex_real("theta", 1e4);
 *         double *out = ex_out_doubles("inv_freq", 2, 0, 1e-12);
 *         inverse_frequencies(out, 4, 1e4);
 *         ex_end();
 *     }
 *
 * This runs in the child process, together with the student's code. It knows no right answer: it only writes what came
 * out to a pipe; the judge compares. Output buffers are filled with a mark and stand between guard zones, so that an
 * element never written and a write outside are told apart from a wrong number.
 *
 * Tolerances (absolute + relative * |expected|) are stored with the expected values when these are generated; say in
 * cases.c where each comes from. They must let pass another order of summation, and float where double is given. */
#ifndef EXERCISES_CHILD_H
#define EXERCISES_CHILD_H

#include <stdint.h>

void exercise_cases(void); /* in cases.c */

/* Begins a case. name: shown to the student; unique within the exercise. */
void ex_case(const char *name);

/* Inputs, as they are shown to the student. */
void ex_int(const char *name, long long value);
void ex_real(const char *name, double value);
void ex_text(const char *name, const char *value);
void ex_doubles(const char *name, const double *values, int n);
void ex_floats(const char *name, const float *values, int n);
void ex_ints(const char *name, const int *values, int n);

/* Output buffers for the student's function, valid until ex_end. */
double *ex_out_doubles(const char *name, int n, double absolute, double relative);
float *ex_out_floats(const char *name, int n, double absolute, double relative);
int *ex_out_ints(const char *name, int n); /* compared exactly */

/* The same for a buffer that the function changes in place; it begins with the given values, which are shown as an
 * input of the same name. */
double *ex_inout_doubles(const char *name, const double *values, int n, double absolute, double relative);
float *ex_inout_floats(const char *name, const float *values, int n, double absolute, double relative);
int *ex_inout_ints(const char *name, const int *values, int n);

/* Results that a function returns. */
void ex_result_real(const char *name, double value, double absolute, double relative);
void ex_result_int(const char *name, long long value);

/* Ends the case: checks the guards and sends the outputs. */
void ex_end(void);

#endif
