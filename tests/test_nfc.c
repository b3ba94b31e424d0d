/* Expected values: Unicode Standard Annex 15 (figures 3 to 5, table 4), and utf8proc's own normalization. */
#include "common/nfc.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utf8proc.h>

#include "common/rng.h"
#include "common/utf8.h"
#include "tests/support/test.h"

static void assert_normal(const char *text, const char *expected)
{
    struct error error;
    char *out;
    size_t n;
    ck_assert_int_eq(nfc_normalize(&out, &n, text, strlen(text), &error), STATUS_OK);
    ck_assert_uint_eq(n, strlen(expected));
    ck_assert_mem_eq(out, expected, n);
    free(out);
}

START_TEST(the_standard_s_examples)
{
    assert_normal("", "");
    assert_normal("e\u0301", "\u00e9");
    assert_normal("\u212b", "\u00c5");               /* a singleton */
    assert_normal("\u2126", "\u03a9");               /* another */
    assert_normal("s\u0323\u0307", "\u1e69");        /* two marks */
    assert_normal("\u1e0b\u0323", "\u1e0d\u0307");   /* reordered, then composed differently */
    assert_normal("q\u0307\u0323", "q\u0323\u0307"); /* reordered, nothing to compose */
    assert_normal("\ufb01", "\ufb01");               /* compatibility forms stay */
    assert_normal("\u1e9b\u0323", "\u1e9b\u0323");   /* as in table 4 */
    assert_normal("\u0958", "\u0915\u093c");         /* excluded from composition */
    assert_normal("\u1100\u1161\u11a8", "\uac01");   /* Hangul */
    assert_normal("\uac00\u11a8", "\uac01");
    assert_normal("a\u0301\u0301", "\u00e1\u0301"); /* the second is blocked */
    assert_normal("\u0344", "\u0308\u0301");
}
END_TEST

/* Case 10: Hugging Face's NFC is Unicode 9's, ours that of the installed utf8proc. What Unicode 9 assigns is the same in
 * both; marks that came later (U+07FD in 11, U+11930 in 13) are handled when utf8proc knows them. */
START_TEST(unicode_9_and_later_marks)
{
    assert_normal("a\u08d4\u0323", "\u1ea1\u08d4");
    assert_normal("a\u0301\u08d3", "\u00e1\u08d3");
    int knows_07fd = utf8proc_get_property(0x07fd)->combining_class != 0;
    assert_normal("\u07f3\u07fd", knows_07fd ? "\u07fd\u07f3" : "\u07f3\u07fd");
    int32_t parts[32];
    int boundary = 0;
    int knows_11938 = utf8proc_decompose_char(0x11938, parts, 32, UTF8PROC_DECOMPOSE, &boundary) == 2;
    assert_normal("\U00011935\U00011930", knows_11938 ? "\U00011938" : "\U00011935\U00011930");
}
END_TEST

START_TEST(random_text_is_as_utf8proc_s)
{
    static const int32_t pools[][2] = {{0x20, 0x7e},     {0xc0, 0x17f},    {0x300, 0x36f},
                                       {0x591, 0x5c7},   {0x610, 0x65f},   {0x900, 0x9ff},
                                       {0x1100, 0x11ff}, {0x1e00, 0x1fff}, {0x3040, 0x30ff},
                                       {0xac00, 0xac40}, {0xf900, 0xfaff}, {0x1d150, 0x1d170}};
    struct rng rng;
    rng_init(&rng, 3);
    for (int trial = 0; trial < 30000; trial++) {
        char text[200];
        size_t size = 0;
        for (int i = (int)(rng_next(&rng) % 30); i > 0; i--) {
            const int32_t *pool = pools[rng_next(&rng) % (sizeof pools / sizeof pools[0])];
            int32_t c = pool[0] + (int32_t)(rng_next(&rng) % (uint32_t)(pool[1] - pool[0] + 1));
            size += (size_t)utf8_write(text + size, c);
        }
        utf8proc_uint8_t *expected = NULL;
        utf8proc_ssize_t n_expected = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)size,
                                                   &expected, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
        ck_assert_int_ge(n_expected, 0);
        struct error error;
        char *out;
        size_t n;
        ck_assert_int_eq(nfc_normalize(&out, &n, text, size, &error), STATUS_OK);
        ck_assert_uint_eq(n, (size_t)n_expected);
        ck_assert_mem_eq(out, expected, n);
        if (nfc_is_trivial(text, size)) {
            ck_assert_uint_eq(n, size);
            ck_assert_mem_eq(out, text, n);
        }
        free(out);
        free(expected);
    }
}
END_TEST

/* The definition of what nfc_is_trivial lets pass, character by character. */
START_TEST(trivial_characters_never_change_nor_join_what_stands_before)
{
    enum { N = 0x110000 };
    unsigned char *joins = test_alloc(N);
    memset(joins, 0, N);
    for (int32_t c = 0; c < N; c++) {
        int32_t parts[32];
        int boundary = 0;
        utf8proc_ssize_t n =
            utf8proc_decompose_char(c, parts, 32, UTF8PROC_DECOMPOSE | UTF8PROC_STABLE, &boundary);
        if (n > 1) {
            joins[parts[n - 1]] = 1;
        }
    }
    for (int32_t c = 0; c < N; c++) {
        if (c >= 0xd800 && c <= 0xdfff) {
            continue;
        }
        char text[4];
        size_t size = (size_t)utf8_write(text, c);
        if (!nfc_is_trivial(text, size)) {
            continue;
        }
        ck_assert_msg(!joins[c] && utf8proc_get_property(c)->combining_class == 0, "U+%04X", (unsigned)c);
        struct error error;
        char *out;
        size_t n;
        ck_assert_int_eq(nfc_normalize(&out, &n, text, size, &error), STATUS_OK);
        ck_assert_msg(n == size && memcmp(out, text, n) == 0, "U+%04X changes", (unsigned)c);
        free(out);
    }
    free(joins);
}
END_TEST

START_TEST(a_letter_with_two_hundred_thousand_marks_takes_no_square)
{
    enum { N = 100000 };
    char *text = test_alloc(4 * N + 1);
    static const char acute[2] = {'\xcc', '\x81'}, grave_below[2] = {'\xcc', '\x96'}; /* U+0301, U+0316 */
    text[0] = 'q';
    for (int i = 0; i < N; i++) {
        memcpy(text + 1 + 2 * i, acute, 2);
        memcpy(text + 1 + 2 * (N + i), grave_below, 2); /* a lower class: all of them move to the front */
    }
    clock_t start = clock();
    struct error error;
    char *out;
    size_t n;
    ck_assert_int_eq(nfc_normalize(&out, &n, text, 4 * N + 1, &error), STATUS_OK);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_uint_eq(n, 4 * N + 1);
    ck_assert_mem_eq(out + 1, "\u0316", 2);
    ck_assert_mem_eq(out + 1 + 2 * N, "\u0301", 2);
    /* The square would be 10^10 steps; sanitizers and valgrind take this one to a tenth of the limit. */
    ck_assert_msg(seconds < 5, "%.1f s", seconds);
    free(out);
    free(text);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("nfc");
    add_test(suite, "the standard's examples", the_standard_s_examples);
    add_test(suite, "Unicode 9 and later", unicode_9_and_later_marks);
    add_test(suite, "random text", random_text_is_as_utf8proc_s);
    add_test(suite, "trivial characters", trivial_characters_never_change_nor_join_what_stands_before);
    add_test(suite, "many marks", a_letter_with_two_hundred_thousand_marks_takes_no_square);
    return suite;
}
