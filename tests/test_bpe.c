/* Against byte pair encoding as its definition says it: a loop that joins the best pair of spellings, on the vocabulary
 * and the merges as jansson reads them from Qwen2.5's file. Nothing in it is shared with the tested code. */
#include "common/bpe.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/rng.h"
#include "common/tokenizer_file.h"
#include "common/utf8.h"
#include "tests/support/test.h"
#include "tests/support/tokens.h"

static struct tokenizer_parts parts;
static struct error error;
static json_t *root, *vocabulary, *ranks; /* ranks: "left right" -> rank */

static void load(void)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/tokenizer.json", qwen_tokenizer_folder());
    ck_assert_msg(tokenizer_file_read(&parts, path, &error) == STATUS_OK, "%s", error.message);
    root = json_load_file(path, 0, NULL);
    ck_assert_ptr_nonnull(root);
    vocabulary = json_object_get(json_object_get(root, "model"), "vocab");
    const json_t *merges = json_object_get(json_object_get(root, "model"), "merges");
    ranks = json_object();
    for (size_t i = 0; i < json_array_size(merges); i++) {
        const json_t *pair = json_array_get(merges, i);
        char key[1024];
        snprintf(key, sizeof key, "%s %s", json_string_value(json_array_get(pair, 0)),
                 json_string_value(json_array_get(pair, 1)));
        json_object_set_new(ranks, key, json_integer((json_int_t)i));
    }
}

static void unload(void)
{
    tokenizer_file_free(&parts);
    json_decref(root);
    json_decref(ranks);
}

enum { MAX_BYTES = 64, MAX_SPELLING = 4 * MAX_BYTES };

struct part {
    char text[MAX_SPELLING + 1];
    size_t length;
};

/* The rank of joining the two, -1 when they do not join. */
static json_int_t rank_of(const struct part *left, const struct part *right)
{
    char key[2 * MAX_SPELLING + 2];
    memcpy(key, left->text, left->length);
    key[left->length] = ' ';
    memcpy(key + left->length + 1, right->text, right->length + 1);
    const json_t *rank = json_object_get(ranks, key);
    return rank != NULL ? json_integer_value(rank) : -1;
}

static size_t slow_encode(const char *bytes, size_t n, int32_t *id)
{
    static struct part part[MAX_BYTES];
    for (size_t i = 0; i < n; i++) {
        spell_byte(part[i].text, (unsigned char)bytes[i]);
        part[i].length = strlen(part[i].text);
    }
    for (;;) {
        size_t best = n;
        json_int_t best_rank = -1;
        for (size_t i = 0; i + 1 < n; i++) {
            json_int_t rank = rank_of(&part[i], &part[i + 1]);
            if (rank >= 0 && (best == n || rank < best_rank)) {
                best = i;
                best_rank = rank;
            }
        }
        if (best == n) {
            break;
        }
        struct part *left = &part[best];
        memcpy(left->text + left->length, left[1].text, left[1].length + 1);
        left->length += left[1].length;
        memmove(left + 1, left + 2, (n - best - 2) * sizeof *left);
        n--;
    }
    for (size_t i = 0; i < n; i++) {
        id[i] = (int32_t)json_integer_value(json_object_get(vocabulary, part[i].text));
    }
    return n;
}

static void compare(struct bpe_workspace *workspace, const char *bytes, size_t n)
{
    int32_t expected[MAX_BYTES];
    size_t n_expected = slow_encode(bytes, n, expected);
    struct token_ids ids = {0};
    expect(bpe_encode(&parts.bpe, bytes, n, workspace, &ids, &error) == STATUS_OK);
    char text[MAX_BYTES + 1] = "";
    memcpy(text, bytes, n);
    assert_ids_at(__FILE__, __LINE__, text, ids.id, ids.n, expected, n_expected);
    token_ids_free(&ids);
}

/* A random pre-token of one kind: bytes, letters, pieces of the vocabulary, Chinese, several scripts. */
static size_t random_pretoken(struct rng *rng, char *out, size_t room)
{
    size_t wanted = 1 + (size_t)rng_below(rng, (int)room - 16), n = 0;
    int kind = rng_below(rng, 5);
    while (n < wanted) {
        if (kind == 0) {
            out[n++] = (char)rng_below(rng, 256);
        } else if (kind == 1) {
            out[n++] = " etaoinshrdlu"[rng_below(rng, 13)];
        } else if (kind == 2) {
            size_t length;
            const char *piece =
                vocabulary_piece(&parts.vocabulary, rng_below(rng, parts.vocabulary.size), &length);
            length = length < room - n ? length : room - n;
            memcpy(out + n, piece, length);
            n += length;
        } else {
            static const int32_t first[] = {0x4e00, 0x430, 0x3041, 0xac00, 0x1f600, 0xe0, 0x61};
            int script = kind == 3 ? 0 : rng_below(rng, 7);
            int32_t c = first[script] + rng_below(rng, script == 0 ? 0x5200 : 26);
            n += (size_t)utf8_write(out + n, c);
        }
        if (n + 4 > room) {
            break;
        }
    }
    return n;
}

START_TEST(random_pretokens_are_joined_as_the_definition_says)
{
    struct rng rng;
    rng_init(&rng, 4);
    struct bpe_workspace workspace = {0};
    for (int trial = 0; trial < 4000; trial++) {
        char bytes[MAX_BYTES];
        compare(&workspace, bytes, random_pretoken(&rng, bytes, sizeof bytes));
    }
    bpe_workspace_free(&workspace);
}
END_TEST

START_TEST(nothing_gives_nothing)
{
    struct bpe_workspace workspace = {0};
    struct token_ids ids = {0};
    ck_assert_int_eq(bpe_encode(&parts.bpe, "", 0, &workspace, &ids, &error), STATUS_OK);
    ck_assert_uint_eq(ids.n, 0);
    bpe_workspace_free(&workspace);
}
END_TEST

START_TEST(a_long_pretoken_is_no_square)
{
    enum { N = 1000000 };
    char *bytes = test_alloc(N);
    struct rng rng;
    rng_init(&rng, 5);
    for (size_t i = 0; i < N; i++) {
        bytes[i] = "abcdefghijklmnopqrstuvwxyz"[rng_below(&rng, 26)];
    }
    struct bpe_workspace workspace = {0};
    struct token_ids ids = {0};
    clock_t start = clock();
    ck_assert_int_eq(bpe_encode(&parts.bpe, bytes, N, &workspace, &ids, &error), STATUS_OK);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < 30, "%.1f s", seconds); /* about one; the square would be days */
    size_t at = 0;
    for (size_t i = 0; i < ids.n; i++) {
        size_t length;
        const char *piece = vocabulary_piece(&parts.vocabulary, ids.id[i], &length);
        expect(memcmp(piece, bytes + at, length) == 0);
        at += length;
    }
    ck_assert_uint_eq(at, N);
    token_ids_free(&ids);
    bpe_workspace_free(&workspace);
    free(bytes);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("bpe");
    TCase *tcase = tcase_create("Qwen2.5's merges");
    tcase_set_timeout(tcase, 120);
    tcase_add_unchecked_fixture(tcase, load, unload);
    tcase_add_test(tcase, random_pretokens_are_joined_as_the_definition_says);
    tcase_add_test(tcase, nothing_gives_nothing);
    tcase_add_test(tcase, a_long_pretoken_is_no_square);
    suite_add_tcase(suite, tcase);
    return suite;
}
