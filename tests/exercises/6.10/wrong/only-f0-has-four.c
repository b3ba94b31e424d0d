#include "exercises.h"

int printable_bytes(const uint8_t *text, int n)
{
    int start = n; /* of the last character */
    while (start > 0 && (text[start - 1] & 0xC0) == 0x80) {
        start--;
    }
    if (start == 0) {
        return 0;
    }
    start--;
    int length = text[start] < 0x80 ? 1 : text[start] < 0xE0 ? 2 : text[start] == 0xF0 ? 4 : 3;
    return n - start >= length ? n : start;
}
