/* A hash is right when tables stay fast: few of a realistic set of keys meet in one slot. */
#include "common/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

enum { BITS = 16, N_SLOTS = 1 << BITS };

static int fullest(const unsigned short *count)
{
    int most = 0;
    for (int i = 0; i < N_SLOTS; i++) {
        most = count[i] > most ? count[i] : most;
    }
    return most;
}

/* 65536 keys at random over as many slots: the fullest slot has 8 or 9; above 20 the keys are clearly not scattered. */

START_TEST(pairs_of_small_numbers_scatter)
{
    unsigned short *low = calloc(N_SLOTS, sizeof *low), *high = calloc(N_SLOTS, sizeof *high);
    ck_assert(low != NULL && high != NULL);
    for (uint64_t left = 0; left < 256; left++) {
        for (uint64_t right = 0; right < 256; right++) {
            uint32_t hash = hash_number(left << 21 | right);
            low[hash % N_SLOTS]++;
            high[hash >> (32 - BITS)]++;
        }
    }
    ck_assert_int_le(fullest(low), 20);
    ck_assert_int_le(fullest(high), 20);
    free(low);
    free(high);
}
END_TEST

START_TEST(numbered_words_scatter)
{
    unsigned short *count = calloc(N_SLOTS, sizeof *count);
    ck_assert(count != NULL);
    for (int i = 0; i < N_SLOTS; i++) {
        char word[32];
        snprintf(word, sizeof word, " variable_%d", i);
        count[hash_bytes(word, strlen(word)) % N_SLOTS]++;
    }
    ck_assert_int_le(fullest(count), 20);
    free(count);
}
END_TEST

START_TEST(length_and_every_byte_count)
{
    char bytes[40] = {0};
    for (size_t size = 1; size < sizeof bytes; size++) {
        uint32_t zeros = hash_bytes(bytes, size);
        ck_assert_uint_ne(zeros, hash_bytes(bytes, size - 1));
        for (size_t i = 0; i < size; i++) {
            bytes[i] = 1;
            ck_assert_uint_ne(hash_bytes(bytes, size), zeros);
            bytes[i] = 0;
        }
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("hash");
    add_test(suite, "pairs of numbers", pairs_of_small_numbers_scatter);
    add_test(suite, "words", numbered_words_scatter);
    add_test(suite, "length and bytes", length_and_every_byte_count);
    return suite;
}
