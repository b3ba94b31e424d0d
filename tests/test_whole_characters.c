/* The ids must be the same with and without the shortcut: encoding that starts from bytes only is the reference. */
#include "common/whole_characters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/bpe.h"
#include "common/rng.h"
#include "common/tokenizer_file.h"
#include "common/utf8.h"
#include "tests/support/test.h"
#include "tests/support/tokens.h"

static struct tokenizer_parts parts;
static struct error error;

static void load(void)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/tokenizer.json", qwen_tokenizer_folder());
    ck_assert_msg(tokenizer_file_read(&parts, path, &error) == STATUS_OK, "%s", error.message);
}

static void unload(void)
{
    tokenizer_file_free(&parts);
}

START_TEST(the_ids_are_those_that_bytes_give)
{
    struct bpe from_bytes = parts.bpe;
    from_bytes.characters.id = test_alloc(0x10000 * sizeof *from_bytes.characters.id);
    memset(from_bytes.characters.id, 0xff, 0x10000 * sizeof *from_bytes.characters.id);
    struct rng rng;
    rng_init(&rng, 6);
    struct bpe_workspace workspace = {0};
    struct token_ids expected = {0}, got = {0};
    for (int trial = 0; trial < 60000; trial++) {
        char text[64];
        size_t n = 0;
        for (int i = 1 + rng_below(&rng, 8); i > 0; i--) {
            static const int32_t block[][2] = {{0x4e00, 0x5200}, {0x4e00, 0x5200}, {0x3000, 0x100},
                                               {0xac00, 0x2ba4}, {0x80, 0x780},    {0xff00, 0xf0},
                                               {0x20, 0x5f},     {0x1f300, 0x400}};
            int pick = rng_below(&rng, trial % 2 == 0 ? 2 : 8); /* half of them Chinese only */
            n += (size_t)utf8_write(text + n, block[pick][0] + rng_below(&rng, block[pick][1]));
        }
        size_t cut = trial % 5 == 0 ? (size_t)rng_below(&rng, (int)n) : 0; /* broken characters too */
        ck_assert_int_eq(bpe_encode(&from_bytes, text + cut, n - cut, &workspace, &expected, &error),
                         STATUS_OK);
        ck_assert_int_eq(bpe_encode(&parts.bpe, text + cut, n - cut, &workspace, &got, &error), STATUS_OK);
        char shown[65] = "";
        memcpy(shown, text + cut, n - cut);
        assert_ids_at(__FILE__, __LINE__, shown, got.id, got.n, expected.id, expected.n);
        expected.n = got.n = 0;
    }
    token_ids_free(&expected);
    token_ids_free(&got);
    bpe_workspace_free(&workspace);
    free(from_bytes.characters.id);
}
END_TEST

static size_t start(const char *text, size_t at, int32_t *id)
{
    return whole_characters_next(&parts.bpe.characters, parts.bpe.byte_id, text, strlen(text), at, id);
}

START_TEST(frequent_characters_are_whole_beside_their_like)
{
    int32_t id;
    ck_assert_uint_eq(start("我的", 0, &id), 3);
    ck_assert_int_eq(id, vocabulary_find(&parts.vocabulary, "我", 3));
    ck_assert_uint_eq(start("我的", 3, &id), 3);
    ck_assert_int_eq(id, vocabulary_find(&parts.vocabulary, "的", 3));
    /* beside ASCII, and where a character is broken, bytes decide */
    ck_assert_uint_eq(start("我a", 0, &id), 1);
    ck_assert_int_eq(id, parts.bpe.byte_id[0xe6]);
    ck_assert_uint_eq(start("a我", 1, &id), 1);
    ck_assert_uint_eq(start("\xe6\x88", 0, &id), 1);
    ck_assert_uint_eq(start("我\x88", 0, &id), 1);
    ck_assert_uint_eq(start("a", 0, &id), 1);
    ck_assert_int_eq(id, parts.bpe.byte_id['a']);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("whole_characters");
    TCase *tcase = tcase_create("Qwen2.5's vocabulary");
    tcase_set_timeout(tcase, 60);
    tcase_add_unchecked_fixture(tcase, load, unload);
    tcase_add_test(tcase, the_ids_are_those_that_bytes_give);
    tcase_add_test(tcase, frequent_characters_are_whole_beside_their_like);
    suite_add_tcase(suite, tcase);
    return suite;
}
