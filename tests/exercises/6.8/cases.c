#include <stdio.h>
#include <string.h>

#include "child.h"
#include "exercises.h"

enum { MAX = 8 };

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The answers are shown as numbers, which also makes all NaNs alike. Rounding has one right result: no tolerance.
 * (In front of the arrow the float32, behind it the bfloat16:)
 *     3F808000 3F80   3F818000 3F82   3F808001 3F81   3E89CCD5 3E8A   7F7F7FFF 7F7F   7F7F8000 7F80   7F7FFFFF 7F80
 *     00008000 0000   00008001 0001   00018000 0002   007FFFFF 0080   80000000 8000 */
static void one(const char *name, const uint32_t *bits, int n)
{
    char text[12 * MAX];
    int used = 0;
    for (int i = 0; i < n; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%08lX", i > 0 ? " " : "",
                         (unsigned long)bits[i]);
    }
    ex_case(name);
    ex_text("bits", text);
    float *out = ex_out_floats("rounded", n, 0, 0);
    for (int i = 0; i < n; i++) {
        out[i] = float_of((uint32_t)round_to_bfloat16(float_of(bits[i])) << 16);
    }
    ex_end();
}

void exercise_cases(void)
{
    one("the example: 257 and 259", (const uint32_t[]){0x43808000, 0x43818000}, 2);
    one("beside the middle", (const uint32_t[]){0x3F807FFF, 0x3F808001, 0x3E89CCD5, 0x3F817FFF}, 4);
    one("exact already", (const uint32_t[]){0x3F800000, 0xC0400000, 0x00000000}, 3);
    one("negative", (const uint32_t[]){0xBF808000, 0xBF818000, 0xBF80C000, 0xBF804000}, 4);
    one("around the largest", (const uint32_t[]){0x7F7F7FFF, 0x7F7F8000, 0x7F7FFFFF, 0xFF7FFFFF}, 4);
    one("infinities", (const uint32_t[]){0x7F800000, 0xFF800000}, 2);
    one("NaN", (const uint32_t[]){0x7FC00000, 0x7F800001, 0x7FFFFFFF, 0xFFFFFFFF}, 4);
    one("below the normal numbers", (const uint32_t[]){0x00008000, 0x00008001, 0x00018000, 0x007FFFFF}, 4);
}
