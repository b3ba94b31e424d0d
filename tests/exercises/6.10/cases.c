#include <stdio.h>

#include "child.h"
#include "exercises.h"

enum { MAX = 12 };

/* answer[i] is asked when i bytes have come. Exact. */
static void one(const char *name, const char *text, int n)
{
    char bytes[3 * MAX + 1] = "";
    for (int i = 0; i < n; i++) {
        snprintf(bytes + 3 * i - (i > 0), 4, "%s%02X", i > 0 ? " " : "", (unsigned)(uint8_t)text[i]);
    }
    ex_case(name);
    ex_text("text", bytes);
    int *answer = ex_out_ints("answer", n + 1);
    for (int i = 0; i <= n; i++) {
        answer[i] = printable_bytes((const uint8_t *)text, i);
    }
    ex_end();
}

void exercise_cases(void)
{
    one("the example: a and e with an accent", "a\xC3\xA9", 3);
    one("an emoji", "\xF0\x9F\x98\x80", 4);
    one("Chinese", "\xE4\xBD\xA0\xE5\xA5\xBD", 6);
    one("all lengths, an emoji in the middle", "b\xF0\x9F\xAB\xA8\xC3\xBC\xE2\x82\xAC!", 11);
    one("first bytes F3, F4 and F1", "\xF3\xA0\x81\xA7\xF4\x8F\xBF\xBF\xF1\x80\x80\x80", 12);
    one("letters only", "Once", 4);
    one("nothing", "", 0);
}
