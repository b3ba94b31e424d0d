#include <string.h>

#include "exercises.h"

enum { NO_ROTATION = 1, KEYS_TWICE = 3, DECODE_TOO_HIGH = 6, NO_MASK = 7, BY_MODULO = 8, EXCHANGED = 11 };

void name_the_fault(int *fault)
{
    static const int seen[6] = {EXCHANGED, KEYS_TWICE, BY_MODULO, DECODE_TOO_HIGH, NO_ROTATION, NO_MASK};
    memcpy(fault, seen, sizeof seen);
}
