/* The tokenizer: its file, text to ids, ids to text. */
#include <stdlib.h>
#include <string.h>

#include "common/nfc.h"
#include "common/text_stream.h"
#include "common/tokenizer.h"
#include "common/utf8.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/qwen.h"

/* All pieces, one after the other; the caller frees. */
static char *join_pieces(const struct tokenizer *tokenizer, const struct token_ids *ids, size_t *size)
{
    *size = 0;
    for (size_t i = 0; i < ids->n; i++) {
        size_t length;
        (void)tokenizer_piece(tokenizer, ids->id[i], &length);
        *size += length;
    }
    char *text = fuzz_alloc(*size);
    size_t at = 0;
    for (size_t i = 0; i < ids->n; i++) {
        size_t length;
        const char *piece = tokenizer_piece(tokenizer, ids->id[i], &length);
        if (length > 0) {
            memcpy(text + at, piece, length);
        }
        at += length;
    }
    return text;
}

static char *normalize(const char *text, size_t size, size_t *normal_size)
{
    char *normal = NULL;
    struct error error = {STATUS_OK, ""};
    EXPECT(nfc_normalize(&normal, normal_size, text, size, &error) == STATUS_OK);
    return normal;
}

/* ids must be those of the slow way, and give back the normalized text. text is UTF-8. */
static void check_ids(const struct tokenizer *tokenizer, const struct slow_bpe *bpe, const char *text,
                      size_t size)
{
    struct token_ids fast = {NULL, 0, 0};
    struct token_ids slow = {NULL, 0, 0};
    struct error error = {STATUS_OK, ""};
    size_t normal_size = 0;
    size_t decoded_size = 0;
    EXPECT(tokenizer_encode(tokenizer, text, size, false, &fast, &error) == STATUS_OK);
    fuzz_encode_slowly(bpe, fuzz_qwen_splitter(), text, size, &slow);
    EXPECT(fast.n == slow.n);
    EXPECT(fast.n == 0 || memcmp(fast.id, slow.id, fast.n * sizeof *fast.id) == 0);
    char *normal = normalize(text, size, &normal_size);
    char *decoded = join_pieces(tokenizer, &fast, &decoded_size);
    EXPECT(decoded_size == normal_size && memcmp(decoded, normal, normal_size) == 0);
    free(normal);
    free(decoded);
    token_ids_free(&fast);
    token_ids_free(&slow);
}

void fuzz_tokenizer_encode(const uint8_t *data, size_t size)
{
    const struct tokenizer *tokenizer = fuzz_qwen_tokenizer();
    const char *text = size > 0 ? (const char *)data : "";
    struct error error = {STATUS_OK, ""};
    struct token_ids ids = {NULL, 0, 0};
    struct token_ids of_repaired = {NULL, 0, 0};
    char *repaired = NULL;
    size_t repaired_size = 0;
    size_t decoded_size = 0;
    size_t normal_size = 0;
    size_t expected_size = 0;
    EXPECT(utf8_repair(&repaired, &repaired_size, text, size, &error) == STATUS_OK);
    check_ids(tokenizer, fuzz_qwen_slow_bpe(), repaired, repaired_size);

    /* Control tokens parsed, bytes as they came: the same ids as of the repaired text, and the same text once normal. */
    EXPECT(tokenizer_encode(tokenizer, text, size, true, &ids, &error) == STATUS_OK);
    if (repaired_size != size || memcmp(repaired, text, size) != 0) {
        EXPECT(tokenizer_encode(tokenizer, repaired, repaired_size, true, &of_repaired, &error) == STATUS_OK);
        EXPECT(ids.n == of_repaired.n &&
               (ids.n == 0 || memcmp(ids.id, of_repaired.id, ids.n * sizeof *ids.id) == 0));
    }
    char *decoded = join_pieces(tokenizer, &ids, &decoded_size);
    char *normal = normalize(decoded, decoded_size, &normal_size);
    char *expected = normalize(repaired, repaired_size, &expected_size);
    EXPECT(normal_size == expected_size && memcmp(normal, expected, normal_size) == 0);
    free(decoded);
    free(normal);
    free(expected);
    free(repaired);
    token_ids_free(&ids);
    token_ids_free(&of_repaired);
}

/* Three bytes an id, the negative ones and those without a token included. */
void fuzz_tokenizer_decode(const uint8_t *data, size_t size)
{
    const struct tokenizer *tokenizer = fuzz_qwen_tokenizer();
    struct text_stream stream = {{0}, 0};
    struct token_ids ids = {NULL, 0, 0};
    struct error error = {STATUS_OK, ""};
    for (size_t i = 0; i + 3 <= size; i += 3) {
        int32_t id = (int32_t)(data[i] | data[i + 1] << 8 | data[i + 2] << 16) - 64;
        id = id > 400000 ? id % 152000 : id;
        EXPECT(token_ids_append(&ids, id, NULL) == STATUS_OK);
    }
    size_t size_at_once = 0;
    size_t expected_size = 0;
    size_t streamed_size = 0;
    char *at_once = join_pieces(tokenizer, &ids, &size_at_once);
    char *expected = NULL;
    char *streamed = fuzz_alloc(3 * size_at_once + 9);
    EXPECT(utf8_repair(&expected, &expected_size, at_once, size_at_once, &error) == STATUS_OK);
    for (size_t i = 0; i < ids.n; i++) {
        size_t length;
        const char *piece = tokenizer_piece(tokenizer, ids.id[i], &length);
        EXPECT(ids.id[i] >= 0 || length == 0);
        EXPECT(ids.id[i] < tokenizer_size(tokenizer) || length == 0);
        streamed_size += text_stream_push(&stream, piece, length, streamed + streamed_size);
    }
    streamed_size += text_stream_end(&stream, streamed + streamed_size);
    EXPECT(streamed_size == expected_size && memcmp(streamed, expected, expected_size) == 0);
    free(at_once);
    free(expected);
    free(streamed);
    token_ids_free(&ids);
}

/* A file that is accepted is compared with the slow way reading the same file. */
void fuzz_tokenizer_file(const uint8_t *data, size_t size)
{
    static const char *const texts[] = {
        "the cat  sat\n on it", "\xc3\xa9t\xc3\xa9 e\xcc\x81", "",
        "<|im_end|>",           "\xe4\xb8\xad\xe6\x96\x87",    "aaaaaaaa ab ba"};
    struct tokenizer *tokenizer = NULL;
    struct slow_bpe bpe;
    struct error error = {STATUS_OK, ""};
    fuzz_write("tokenizer.json", data, size);
    if (tokenizer_load(&tokenizer, fuzz_folder(), &error) != STATUS_OK) {
        EXPECT(tokenizer == NULL);
        fuzz_check_error(&error);
        return;
    }
    const json_t *root = fuzz_json(data, size);
    EXPECT(root != NULL);
    slow_bpe_init(&bpe, root);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct token_ids ids = {NULL, 0, 0};
        check_ids(tokenizer, &bpe, texts[i], strlen(texts[i]));
        EXPECT(tokenizer_encode(tokenizer, texts[i], strlen(texts[i]), true, &ids, &error) == STATUS_OK);
        for (size_t k = 0; k < ids.n; k++) {
            EXPECT(ids.id[k] >= 0 && ids.id[k] < tokenizer_size(tokenizer));
        }
        token_ids_free(&ids);
    }
    slow_bpe_free(&bpe);
    tokenizer_free(tokenizer);
}
