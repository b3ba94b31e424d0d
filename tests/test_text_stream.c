/* Expected values: case 21 (Hugging Face's decoder), and utf8_repair of the whole text, whatever the cuts. */
#include "common/text_stream.h"

#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "common/utf8.h"
#include "tests/support/test.h"

static void assert_pushed(struct text_stream *stream, const char *piece, const char *expected)
{
    char out[64];
    size_t n = text_stream_push(stream, piece, strlen(piece), out);
    ck_assert_uint_eq(n, strlen(expected));
    ck_assert_mem_eq(out, expected, n);
}

START_TEST(a_character_in_three_tokens_appears_once)
{
    struct text_stream stream = {{0}, 0};
    assert_pushed(&stream, "\xf0\x9f", "");
    assert_pushed(&stream, "\xab", "");
    assert_pushed(&stream, "\xa8", "\xf0\x9f\xab\xa8");
    char out[3];
    ck_assert_uint_eq(text_stream_end(&stream, out), 0);
}
END_TEST

START_TEST(what_cannot_be_completed_is_one_replacement)
{
    struct text_stream stream = {{0}, 0};
    assert_pushed(&stream, "\xf0\x9f", "");
    assert_pushed(&stream, ",", "\xef\xbf\xbd,");
    assert_pushed(&stream, "a\xe4\xbd", "a");
    char out[3];
    ck_assert_uint_eq(text_stream_end(&stream, out), 3);
    ck_assert_mem_eq(out, "\xef\xbf\xbd", 3);
    ck_assert_uint_eq(text_stream_end(&stream, out), 0);
    assert_pushed(&stream, "", "");
}
END_TEST

START_TEST(cuts_change_nothing)
{
    struct rng rng;
    rng_init(&rng, 2);
    for (int trial = 0; trial < 20000; trial++) {
        char text[40];
        size_t size = rng_next(&rng) % sizeof text;
        for (size_t i = 0; i < size; i++) {
            static const char likely[] = "a\xe4\xbd\xa0\xf0\x9f\xab\xed\xc3\xff\x80\x90";
            text[i] = likely[rng_next(&rng) % (sizeof likely - 1)];
        }
        struct error error;
        char *expected;
        size_t n_expected;
        ck_assert_int_eq(utf8_repair(&expected, &n_expected, text, size, &error), STATUS_OK);
        struct text_stream stream = {{0}, 0};
        char got[3 * sizeof text + 9];
        size_t n = 0;
        for (size_t at = 0; at < size;) {
            size_t length = 1 + rng_next(&rng) % (size - at);
            size_t room = 3 * length + 9;
            char *out = test_alloc(room); /* exactly as large as promised: the sanitizer sees one byte more */
            size_t written = text_stream_push(&stream, text + at, length, out);
            ck_assert_uint_le(written, room);
            memcpy(got + n, out, written);
            free(out);
            n += written;
            at += length;
        }
        n += text_stream_end(&stream, got + n);
        ck_assert_uint_eq(n, n_expected);
        ck_assert_mem_eq(got, expected, n);
        free(expected);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("text_stream");
    add_test(suite, "a character in three tokens", a_character_in_three_tokens_appears_once);
    add_test(suite, "what cannot be completed", what_cannot_be_completed_is_one_replacement);
    add_test(suite, "cuts", cuts_change_nothing);
    return suite;
}
