/* Expected values: GPT-2's table, of which a few entries are known from its vocabulary. */
#include "common/byte_level.h"

#include <string.h>

#include "common/utf8.h"
#include "tests/support/test.h"

static void assert_bytes(const char *spelling, const char *bytes, long n)
{
    struct byte_level map;
    byte_level_init(&map);
    char out[32];
    ck_assert_int_eq(byte_level_decode(&map, out, spelling, strlen(spelling)), n);
    if (n > 0) {
        ck_assert_mem_eq(out, bytes, (size_t)n);
    }
}

START_TEST(known_spellings)
{
    assert_bytes("Hello!~", "Hello!~", 7);
    assert_bytes("\u0120the", " the", 4);            /* Ġ */
    assert_bytes("\u010a\u010d\u0109", "\n\r\t", 3); /* Ċ č ĉ */
    assert_bytes("\u0100", "\0", 1);
    assert_bytes("\u0121\u0122", "\x7f\x80", 2);
    assert_bytes("\u0142\u0143", "\xa0\xad", 2);
    assert_bytes("\u00a1\u00ac\u00ae\u00ff", "\xa1\xac\xae\xff", 4);
    assert_bytes("\u00e4\u00bd\u0142", "\xe4\xbd\xa0", 3);
    assert_bytes("", "", 0);
}
END_TEST

START_TEST(other_characters_stand_for_no_byte)
{
    assert_bytes("a b", NULL, -1);
    assert_bytes("\u00ad", NULL, -1);
    assert_bytes("\u00a0", NULL, -1);
    assert_bytes("\u0144", NULL, -1);
    assert_bytes("\u4f60", NULL, -1);
    assert_bytes("\xc4", NULL, -1);
    assert_bytes("\x80", NULL, -1);
}
END_TEST

START_TEST(the_table_ends_where_it_ends)
{
    struct {
        struct byte_level map;
        int16_t behind;
    } both = {.behind = 77};
    byte_level_init(&both.map);
    ck_assert_int_eq(both.behind, 77);
}
END_TEST

START_TEST(each_byte_has_one_spelling)
{
    struct byte_level map;
    byte_level_init(&map);
    int seen[256] = {0};
    for (int32_t c = 0; c < 0x400; c++) {
        char text[4], out[4];
        int n = utf8_write(text, c);
        if (byte_level_decode(&map, out, text, (size_t)n) == 1) {
            seen[(unsigned char)out[0]]++;
        }
    }
    for (int byte = 0; byte < 256; byte++) {
        ck_assert_int_eq(seen[byte], 1);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("byte_level");
    add_test(suite, "known spellings", known_spellings);
    add_test(suite, "other characters", other_characters_stand_for_no_byte);
    add_test(suite, "the end", the_table_ends_where_it_ends);
    add_test(suite, "each byte", each_byte_has_one_spelling);
    return suite;
}
