/* Expected values: the Unicode Standard, section 3.9, tables 3-6 to 3-11, and utf8proc as a second decoder. */
#include "common/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "common/rng.h"
#include "tests/support/test.h"
#include "tests/support/tokens.h"

static void assert_repaired(const char *text, size_t size, const char *expected)
{
    struct error error;
    char *out;
    size_t n;
    ck_assert_int_eq(utf8_repair(&out, &n, text, size, &error), STATUS_OK);
    ck_assert_uint_eq(n, strlen(expected));
    ck_assert_mem_eq(out, expected, n);
    ck_assert(utf8_is_valid(out, n));
    ck_assert(utf8_is_valid(text, size) == (n == size && memcmp(text, out, n) == 0));
    free(out);
}

#define BAD "\xef\xbf\xbd"

START_TEST(maximal_parts_become_one_replacement_each)
{
    assert_repaired("", 0, "");
    assert_repaired("abc", 3, "abc");
    /* tables 3-8 to 3-11 */
    assert_repaired("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", 9, BAD BAD BAD BAD BAD BAD BAD BAD "A");
    assert_repaired("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", 9, BAD BAD BAD BAD BAD BAD BAD BAD "A");
    assert_repaired("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", 9, BAD BAD BAD BAD BAD "A" BAD BAD "B");
    assert_repaired("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", 9, BAD BAD BAD BAD "A");
    assert_repaired("\xe4\xbd\xa0\xe5\xa5", 5, "\xe4\xbd\xa0" BAD);
}
END_TEST

START_TEST(every_character_comes_back)
{
    for (int32_t c = 0; c <= 0x10ffff; c++) {
        if (c >= 0xd800 && c <= 0xdfff) {
            continue;
        }
        char text[4];
        utf8proc_uint8_t expected[4];
        int n = utf8_write(text, c);
        expect(n == utf8proc_encode_char(c, expected));
        expect(memcmp(text, expected, (size_t)n) == 0);
        int32_t read;
        expect(utf8_read(text, (size_t)n, &read) == n);
        expect(read == c);
        for (int cut = 1; cut < n; cut++) {
            expect(utf8_read(text, (size_t)cut, &read) == cut);
            expect(read == UTF8_UNFINISHED);
        }
    }
}
END_TEST

START_TEST(any_bytes_are_judged_as_utf8proc_does)
{
    struct rng rng;
    rng_init(&rng, 1);
    static const unsigned char likely[] = {0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf,
                                           0xe0, 0xe1, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5};
    for (int trial = 0; trial < 200000; trial++) {
        unsigned char bytes[4];
        for (int i = 0; i < 4; i++) {
            bytes[i] = likely[rng_next(&rng) % sizeof likely];
        }
        utf8proc_int32_t expected;
        utf8proc_ssize_t n = utf8proc_iterate(bytes, 4, &expected);
        int32_t read;
        int used = utf8_read((const char *)bytes, 4, &read);
        expect((read >= 0) == (n > 0));
        if (n > 0) {
            expect(read == expected);
            expect(used == n);
        }
    }
}
END_TEST

/* Cut anywhere, with the rest still lying behind: valid only between two characters. */
START_TEST(what_lies_behind_the_end_does_not_count)
{
    static const char text[] =
        "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xb6z"; /* of one, two, three, four bytes, and one */
    static const bool between[] = {true, true,  false, true,  false, false,
                                   true, false, false, false, true,  true};
    expect(sizeof text == sizeof between / sizeof between[0]);
    for (size_t size = 0; size < sizeof text; size++) {
        expect(utf8_is_valid(text, size) == between[size]);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("utf8");
    add_test(suite, "maximal parts", maximal_parts_become_one_replacement_each);
    add_test(suite, "every character", every_character_comes_back);
    add_test(suite, "the end", what_lies_behind_the_end_does_not_count);
    add_test(suite, "any bytes", any_bytes_are_judged_as_utf8proc_does);
    return suite;
}
