#include "common/hash.h"

#include <string.h>

uint32_t hash_bytes(const char *bytes, size_t size)
{
    uint64_t state = size;
    while (size >= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        state = (state ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        state ^= state >> 32;
        bytes += 8;
        size -= 8;
    }
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) {
        word = word << 8 | (unsigned char)bytes[i];
    }
    return hash_number(state ^ word);
}
