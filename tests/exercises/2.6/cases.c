#include <stdint.h>

#include "child.h"
#include "exercises.h"

/* A part in two pieces, both exact in a double: what stands before the last nine digits, and these. Nothing is rounded
 * here, so nothing is let pass.
 *
 * Known from elsewhere: |(3 + 4i)^m| = 5^m, so no part is above it, and 5^27 = 7450580596923828125 is the last power of
 * 5 that fits. Both parts of (3 + 4i)^28 would have to be below 2^63, a quarter of 5^28: then its length would be below 5^28. */
static void one(const char *name, int m)
{
    enum { NINE_DIGITS = 1000000000 };
    int64_t power[2] = {-1, -1};
    ex_case(name);
    ex_int("m", m);
    ex_text("power", "-1 and -1 before the call");
    int fits = gauss_power(power, m);
    double *real = ex_out_doubles("real_part,last_9_digits", 2, 0, 0);
    double *imaginary = ex_out_doubles("imag_part,last_9_digits", 2, 0, 0);
    real[0] = (double)(power[0] / NINE_DIGITS);
    real[1] = (double)(power[0] % NINE_DIGITS);
    imaginary[0] = (double)(power[1] / NINE_DIGITS);
    imaginary[1] = (double)(power[1] % NINE_DIGITS);
    ex_result_int("returns", fits);
    ex_end();
}

void exercise_cases(void)
{
    one("the example: m 2", 2);
    one("m 0 is 1", 0);
    one("m 1 is 3 + 4i", 1);
    one("m 5", 5);
    one("m 14: more than 32 bits", 14);
    one("m 25: more than a double's 53 bits", 25);
    one("m 27, the last that fits", 27);
    one("m 28 does not fit", 28);
    one("m 63 does not fit", 63);
}
