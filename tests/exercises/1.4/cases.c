#include <math.h>
#include <stdlib.h>

#include "child.h"
#include "exercises.h"

/* The row of position p times scale is turned; the result is known: the row of p + k times scale.
 * Tolerance: in float32 the angle k * frequency is off by about 2e-7 of itself. */
static void one(const char *name, int p, int k, int d_model, double scale)
{
    double row[8];
    for (int j = 0; j < d_model; j++) {
        double angle = p * pow(10000, -2.0 * (j / 2) / d_model);
        row[j] = scale * (j % 2 == 0 ? sin(angle) : cos(angle));
    }
    ex_case(name);
    ex_int("k", k);
    ex_int("d_model", d_model);
    double *inout = ex_inout_doubles("row", row, d_model, scale * (1e-6 + 5e-7 * abs(k)), 0);
    move_on(inout, k, d_model);
    ex_end();
}

void exercise_cases(void)
{
    one("the example: from position 0 to 1", 0, 1, 2, 1);
    one("from 5 to 8", 5, 3, 6, 1);
    one("back from 5 to 3", 5, -2, 4, 1);
    one("from 4990 to 5000, eight elements", 4990, 10, 8, 1);
    one("nowhere: k 0", 7, 0, 4, 1);
    one("far: k 20000", 3, 20000, 4, 1);
    one("a row multiplied by 22.6, as embeddings are", 2, 4, 4, 22.6);
    one("a row of zeros", 2, 4, 4, 0);
}
