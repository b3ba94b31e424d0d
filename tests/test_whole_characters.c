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

/* A text encoded with the shortcut and without. */
struct both {
    struct bpe from_bytes;
    struct bpe_workspace workspace;
    struct token_ids expected, got;
};

static void both_init(struct both *both)
{
    *both = (struct both){.from_bytes = parts.bpe};
    int32_t *none = test_alloc(0x10000 * sizeof *none);
    memset(none, 0xff, 0x10000 * sizeof *none);
    both->from_bytes.characters.id = none;
}

static void both_free(struct both *both)
{
    token_ids_free(&both->expected);
    token_ids_free(&both->got);
    bpe_workspace_free(&both->workspace);
    free(both->from_bytes.characters.id);
}

static void assert_same(struct both *both, const char *text, size_t n)
{
    both->expected.n = both->got.n = 0;
    ck_assert_int_eq(bpe_encode(&both->from_bytes, text, n, &both->workspace, &both->expected, &error),
                     STATUS_OK);
    ck_assert_int_eq(bpe_encode(&parts.bpe, text, n, &both->workspace, &both->got, &error), STATUS_OK);
    assert_ids_at(__FILE__, __LINE__, text, both->got.id, both->got.n, both->expected.id, both->expected.n);
}

START_TEST(the_ids_are_those_that_bytes_give)
{
    struct both both;
    both_init(&both);
    struct rng rng;
    rng_init(&rng, 6);
    for (int trial = 0; trial < 60000; trial++) {
        char text[65];
        size_t n = 0;
        for (int i = 1 + rng_below(&rng, 8); i > 0; i--) {
            static const int32_t block[][2] = {{0x4e00, 0x5200}, {0x4e00, 0x5200}, {0x3000, 0x100},
                                               {0xac00, 0x2ba4}, {0x80, 0x780},    {0xff00, 0xf0},
                                               {0x20, 0x5f},     {0x1f300, 0x400}};
            int pick = rng_below(&rng, trial % 2 == 0 ? 2 : 8); /* half of them Chinese only */
            n += (size_t)utf8_write(text + n, block[pick][0] + rng_below(&rng, block[pick][1]));
        }
        size_t cut = trial % 5 == 0 ? (size_t)rng_below(&rng, (int)n) : 0; /* broken characters too */
        text[n] = '\0';
        assert_same(&both, text + cut, n - cut);
    }
    both_free(&both);
}
END_TEST

/* Every merge is what makes some token: whatever it does across a border between characters shows in that token's text
 * between two others. */
START_TEST(the_text_of_every_token_is_encoded_alike)
{
    struct both both;
    both_init(&both);
    for (int32_t id = 0; id < parts.vocabulary.size; id++) {
        size_t n;
        const char *piece = vocabulary_piece(&parts.vocabulary, id, &n);
        char *text = test_alloc(n + 7);
        snprintf(text, n + 7, "我%.*s的", (int)n, piece);
        assert_same(&both, text, strlen(text));
        free(text);
    }
    both_free(&both);
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
    tcase_add_test(tcase, the_text_of_every_token_is_encoded_alike);
    tcase_add_test(tcase, frequent_characters_are_whole_beside_their_like);
    suite_add_tcase(suite, tcase);
    return suite;
}
