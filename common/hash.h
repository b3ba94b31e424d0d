/* hash.h: numbers that scatter well over a table of 2^k slots.
 * Introduced in chapter 6.
 *
 * Multiplying by an odd constant carries every bit upwards, so the high bits of the product depend on all bits below:
 * Fibonacci hashing, Knuth, The Art of Computer Programming 3, section 6.4. */
#ifndef COMMON_HASH_H
#define COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>

uint32_t hash_bytes(const char *bytes, size_t size);

static inline uint32_t hash_number(uint64_t number)
{
    number *= UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio */
    number ^= number >> 32;
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

#endif
