#include "exercises.h"

int printable_bytes(const uint8_t *text, int n)
{
    (void)text;
    return n;
}
