#include <stdio.h>

#include "child.h"
#include "exercises.h"

enum { MAX = 8 };

/* Widening is exact: no tolerance. */
static void one(const char *name, const uint16_t *bits, int n)
{
    char text[8 * MAX];
    int used = 0;
    for (int i = 0; i < n; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s0x%04X", i > 0 ? " " : "", bits[i]);
    }
    ex_case(name);
    ex_text("bits", text);
    float *out = ex_out_floats("out", n, 0, 0);
    widen_bfloat16(out, bits, n);
    ex_end();
}

void exercise_cases(void)
{
    one("the example", (const uint16_t[]){0xC040}, 1);
    one("ordinary numbers", (const uint16_t[]){0x3F80, 0x4049, 0xBF00, 0x4380, 0x0000}, 5);
    one("the largest and the smallest", (const uint16_t[]){0x7F7F, 0xFF7F, 0x0080, 0x0001, 0x807F}, 5);
    one("infinities and NaN", (const uint16_t[]){0x7F80, 0xFF80, 0x7FC0}, 3);
}
