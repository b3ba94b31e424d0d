/* Random text of many scripts through the functions that `make fuzz` drives, which compare the tokenizer with its slow
 * way (a merge loop of a few lines), decode what was encoded to the NFC text, and hold NFC to utf8proc. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/test.h"

enum { LAST = 0x10FFFF, MAX_BYTES = 4096 };

static uint64_t state;

/* splitmix64 (Steele et al. 2014). */
static uint64_t random_bits(void)
{
    uint64_t z = state += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

static uint32_t random_below(uint32_t n)
{
    return (uint32_t)(random_bits() % n);
}

static bool is_scalar(uint32_t c)
{
    return c <= LAST && !(c >= 0xD800 && c <= 0xDFFF);
}

static size_t put(uint8_t *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (uint8_t)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint8_t first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = n - 1; i > 0; i--) {
        out[i] = (uint8_t)(0x80 | (c & 0x3F));
        c >>= 6;
    }
    out[0] = (uint8_t)(first[n] | c);
    return n;
}

/* Where letters, marks, digits and white space of many scripts stand, and what composes, decomposes or is reordered. */
static const struct range {
    uint32_t first, last;
} scripts[] = {
    {0x20, 0x7E},       {0x00, 0x1F},       {0x80, 0xFF},       {0x100, 0x24F},      {0x300, 0x36F},
    {0x370, 0x3FF},     {0x400, 0x52F},     {0x530, 0x58F},     {0x591, 0x5F4},      {0x600, 0x6FF},
    {0x900, 0x97F},     {0x980, 0x9FE},     {0xA00, 0xA76},     {0xB00, 0xB77},      {0xB80, 0xBFA},
    {0xC00, 0xC7F},     {0xD00, 0xD7F},     {0xD80, 0xDF4},     {0xE00, 0xE5B},      {0xE80, 0xEDF},
    {0xF00, 0xFDA},     {0x1000, 0x109F},   {0x10A0, 0x10FF},   {0x1100, 0x11FF},    {0x1200, 0x137C},
    {0x1780, 0x17F9},   {0x1AB0, 0x1ACE},   {0x1DC0, 0x1DFF},   {0x1E00, 0x1EFF},    {0x1F00, 0x1FFE},
    {0x2000, 0x206F},   {0x20D0, 0x20F0},   {0x2100, 0x218B},   {0x2190, 0x22FF},    {0x2E80, 0x2FD5},
    {0x3000, 0x303F},   {0x3040, 0x30FF},   {0x3400, 0x34FF},   {0x4E00, 0x9FFF},    {0xA960, 0xA97C},
    {0xAC00, 0xD7A3},   {0xD7B0, 0xD7FB},   {0xE000, 0xE0FF},   {0xF900, 0xFAD9},    {0xFB1D, 0xFB4F},
    {0xFE00, 0xFE2F},   {0xFF00, 0xFFFD},   {0xFFFE, 0xFFFF},   {0x10400, 0x1044F},  {0x11080, 0x110C2},
    {0x11100, 0x11147}, {0x1D15E, 0x1D164}, {0x1D400, 0x1D7FF}, {0x1E8D0, 0x1E8D6},  {0x1F300, 0x1F9FF},
    {0x20000, 0x200FF}, {0x2F800, 0x2FA1D}, {0xE0001, 0xE01EF}, {0xFFFFE, 0x10000F}, {0x10FF00, 0x10FFFF}};

/* What the split regex and the control tokens look at. */
static const char *const words[] = {" ",
                                    "  ",
                                    "\n",
                                    "\r\n",
                                    "\t",
                                    " \n ",
                                    "the",
                                    " the",
                                    "ing",
                                    "'s",
                                    "'LL",
                                    "'re",
                                    "'\xc5\xbf",
                                    "K",
                                    "123",
                                    " 4",
                                    "!!",
                                    ".\n\n",
                                    "<|im_end|>",
                                    "<|im_start",
                                    "|>",
                                    "e\xcc\x81",
                                    "\xc2\xa0",
                                    "\xe2\x80\xa8",
                                    "\xe3\x80\x80",
                                    "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80",
                                    "aaaaaaaaaaaaaaaa",
                                    "\xcc\x81\xcc\xa3\xcc\x95"};

static size_t random_text(uint8_t text[MAX_BYTES])
{
    size_t n = 0;
    size_t limit = 1 + random_below(random_below(8) == 0 ? MAX_BYTES - 64 : 96);
    const struct range *script = &scripts[random_below(sizeof scripts / sizeof scripts[0])];
    while (n < limit) {
        uint32_t kind = random_below(16);
        uint32_t c = 0;
        if (kind == 0) {
            script = &scripts[random_below(sizeof scripts / sizeof scripts[0])];
        }
        if (kind <= 3) {
            const char *word = words[random_below(sizeof words / sizeof words[0])];
            memcpy(text + n, word, strlen(word)); /* NOLINT(bugprone-not-null-terminated-result): bytes */
            n += strlen(word);
            continue;
        }
        if (kind == 4) {
            c = random_below(LAST + 1);
        } else if (kind == 5) { /* marks: every class, on anything */
            c = 0x300 + random_below(0x70);
        } else if (kind == 6) { /* a syllable in parts */
            n += put(text + n, 0x1100 + random_below(19));
            n += put(text + n, 0x1161 + random_below(21));
            c = 0x11A7 + random_below(28);
        } else {
            c = script->first + random_below(script->last - script->first + 1);
        }
        if (is_scalar(c)) {
            n += put(text + n, c);
        }
    }
    return n;
}

START_TEST(random_texts)
{
    uint8_t text[MAX_BYTES];
    size_t bytes = 0;
    for (int i = 0; i < 1000; i++) {
        state = (uint64_t)_i * 1000000 + (uint64_t)i;
        size_t n = random_text(text);
        fuzz_tokenizer_encode(text, n);
        fuzz_nfc(text, n);
        bytes += n;
    }
    ck_assert_uint_gt(bytes, 100000);
}
END_TEST

/* The same, with bytes changed: no longer UTF-8. */
START_TEST(damaged_texts)
{
    uint8_t text[MAX_BYTES];
    for (int i = 0; i < 500; i++) {
        state = 7000000 + (uint64_t)i;
        size_t n = random_text(text);
        for (uint32_t k = 1 + random_below(4); k > 0; k--) {
            text[random_below((uint32_t)n)] = (uint8_t)random_below(256);
        }
        fuzz_tokenizer_encode(text, n);
        fuzz_nfc(text, n);
    }
}
END_TEST

/* Every code point that UTF-8 can hold, 61 at a time, then each followed by two marks that change places. */
START_TEST(every_code_point)
{
    static const uint8_t marks[] = "\xcc\x81\xcc\xa3 ";
    uint8_t text[MAX_BYTES];
    size_t n = 0;
    int inside = 0;
    int seen = 0;
    for (uint32_t c = 0; c <= LAST; c++) {
        if (is_scalar(c)) {
            n += put(text + n, c);
            if (c < 0x3400 || (c >= 0xF900 && c < 0x20000)) {
                memcpy(text + n, marks, sizeof marks - 1);
                n += sizeof marks - 1;
            }
            inside++;
            seen++;
        }
        if (inside == 61 || c == LAST) {
            fuzz_nfc(text, n);
            if (c < 0x20000 || c >= 0xE0000) { /* planes 2 to 13 hold ideographs or nothing */
                fuzz_tokenizer_encode(text, n);
            }
            n = 0;
            inside = 0;
        }
    }
    ck_assert_int_eq(seen, LAST + 1 - 0x800);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("random_text");
    TCase *tcase = tcase_create("random texts");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, random_texts, 0, 2);
    tcase_add_test(tcase, damaged_texts);
    tcase_add_test(tcase, every_code_point);
    suite_add_tcase(suite, tcase);
    return suite;
}
