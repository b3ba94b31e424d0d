#include "exercises.h"

/* Character by character from the front. */
int printable_bytes(const uint8_t *text, int n)
{
    int complete = 0;
    while (complete < n) {
        int length = 1;
        for (int bit = 0x40; text[complete] >= 0xC0 && (text[complete] & bit) != 0; bit >>= 1) {
            length++;
        }
        if (complete + length > n) {
            break;
        }
        complete += length;
    }
    return complete;
}
