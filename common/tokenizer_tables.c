#include "common/tokenizer_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byte_level.h"

/* Puts "vocab[12]" in front of the message. */
static enum status in_entry(struct error *error, const char *table, long entry)
{
    char where[64];
    snprintf(where, sizeof where, "model.%s[%ld]", table, entry);
    return error_in(error, where);
}

/* The message shows the beginning of what was found: a few whole characters. */
static enum status bad_text(struct error *error, const char *expected, struct json_scan found)
{
    enum { SHOWN = 24 };
    while (found.at < found.end && *found.at != '\0' && strchr(" \t\r\n", *found.at) != NULL) {
        found.at++;
    }
    int length = found.end - found.at < SHOWN ? (int)(found.end - found.at) : SHOWN;
    while (length == SHOWN && found.at + length < found.end && (found.at[length] & 0xc0) == 0x80 &&
           length > 0) {
        length--;
    }
    return error_set(error, STATUS_FORMAT, "expected %s, found %.*s", expected, length, found.at);
}

static enum status bad_entry(struct error *error, const char *table, long entry, const char *expected,
                             struct json_scan found)
{
    bad_text(error, expected, found);
    return in_entry(error, table, entry);
}

/* Room for any string of the text and, behind it, the bytes that it spells: neither is longer than the text. */
static enum status scratch_for(char **scratch, const struct json_scan *text, struct error *error)
{
    size_t bytes = checked_product((size_t)(text->end - text->at) + 1, 2);
    *scratch = malloc(bytes);
    return *scratch != NULL ? STATUS_OK : error_no_memory(error, "tokenizer", bytes);
}

static enum status read_vocabulary(struct vocabulary *vocabulary, struct json_scan *text, char *spelling,
                                   struct error *error)
{
    struct byte_level map;
    byte_level_init(&map);
    struct json_scan start = *text;
    if (!json_scan_take(text, '{') || json_scan_take(text, '}')) {
        bad_text(error, "an object with tokens", start);
        return error_in(error, "model.vocab");
    }
    long entry = 0;
    do {
        start = *text;
        size_t length;
        int64_t id;
        if (!json_scan_string(text, spelling, &length) || !json_scan_take(text, ':') ||
            !json_scan_number(text, &id)) {
            return bad_entry(error, "vocab", entry, "a string, a colon and a whole number", start);
        }
        /* A spelling with a character that stands for no byte is shown as it is and never found in a text, as in the
         * reference; some files list their added tokens so. */
        char *bytes = spelling + length;
        long n = byte_level_decode(&map, bytes, spelling, length);
        enum status status = vocabulary_add(vocabulary, id, n >= 0 ? bytes : spelling,
                                            n >= 0 ? (size_t)n : length, n > 0, error);
        if (status != STATUS_OK) {
            return in_entry(error, "vocab", entry);
        }
        entry++;
    } while (json_scan_take(text, ','));
    return json_scan_take(text, '}') ? STATUS_OK : bad_entry(error, "vocab", entry, "a comma or }", *text);
}

enum status tokenizer_tables_vocabulary(struct vocabulary *vocabulary, struct json_scan text,
                                        struct error *error)
{
    char *scratch = NULL;
    enum status status = scratch_for(&scratch, &text, error);
    if (status == STATUS_OK) {
        status = read_vocabulary(vocabulary, &text, scratch, error);
    }
    free(scratch);
    return status;
}

/* One entry: the bytes of left and right, one after the other in out. */
static bool read_pair(struct json_scan *text, const struct byte_level *map, char *out, size_t *left,
                      size_t *right)
{
    size_t length = 0;
    char *space;
    long n_left, n_right;
    if (json_scan_take(text, '[')) {
        if (!json_scan_string(text, out, &length) ||
            (n_left = byte_level_decode(map, out, out, length)) < 0 || !json_scan_take(text, ',') ||
            !json_scan_string(text, out + n_left, &length) ||
            (n_right = byte_level_decode(map, out + n_left, out + n_left, length)) < 0 ||
            !json_scan_take(text, ']')) {
            return false;
        }
    } else {
        if (!json_scan_string(text, out, &length) || (space = memchr(out, ' ', length)) == NULL) {
            return false;
        }
        size_t before = (size_t)(space - out);
        if ((n_left = byte_level_decode(map, out, out, before)) < 0 ||
            (n_right = byte_level_decode(map, out + n_left, space + 1, length - before - 1)) < 0) {
            return false;
        }
    }
    *left = (size_t)n_left;
    *right = (size_t)n_right;
    return true;
}

/* The id of the bytes. Training numbers the tokens in the order of the merges that make them, so the next id is tried
 * first, which saves a search in a large table; any other order is right too. */
static int32_t find_result(const struct vocabulary *vocabulary, int32_t guess, const char *bytes,
                           size_t length)
{
    size_t guessed;
    const char *piece = vocabulary_piece(vocabulary, guess, &guessed);
    if (guessed > 0 && guessed == length && memcmp(piece, bytes, length) == 0 &&
        vocabulary->piece[guess].findable) {
        return guess;
    }
    return vocabulary_find(vocabulary, bytes, length);
}

static enum status add_pair(struct bpe *bpe, const struct vocabulary *vocabulary, const char *bytes,
                            size_t left, size_t right, int32_t *last, struct error *error)
{
    int32_t left_id = vocabulary_find(vocabulary, bytes, left);
    int32_t right_id = vocabulary_find(vocabulary, bytes + left, right);
    int32_t id = find_result(vocabulary, *last + 1, bytes, left + right);
    if (left_id < 0 || right_id < 0 || id < 0) {
        return error_set(error, STATUS_FORMAT, "expected tokens of the vocabulary, found a %s that is none",
                         left_id < 0    ? "first part"
                         : right_id < 0 ? "second part"
                                        : "pair joined");
    }
    *last = id;
    return merges_add(&bpe->merges, left_id, right_id, id, error);
}

static enum status read_merges(struct bpe *bpe, const struct vocabulary *vocabulary, struct json_scan *text,
                               char *scratch, struct error *error)
{
    struct byte_level map;
    byte_level_init(&map);
    struct json_scan start = *text;
    if (!json_scan_take(text, '[') || json_scan_take(text, ']')) {
        bad_text(error, "a list with merges", start);
        return error_in(error, "model.merges");
    }
    int32_t last = -1;
    do {
        start = *text;
        size_t left, right;
        if (bpe->merges.n == vocabulary->size) {
            return bad_entry(error, "merges", bpe->merges.n, "no more merges than there are tokens", start);
        }
        if (!read_pair(text, &map, scratch, &left, &right)) {
            return bad_entry(error, "merges", bpe->merges.n, "two tokens, as \"a b\" or [\"a\", \"b\"]",
                             start);
        }
        if (add_pair(bpe, vocabulary, scratch, left, right, &last, error) != STATUS_OK) {
            return in_entry(error, "merges", bpe->merges.n);
        }
    } while (json_scan_take(text, ','));
    return json_scan_take(text, ']') ? STATUS_OK
                                     : bad_entry(error, "merges", bpe->merges.n, "a comma or ]", *text);
}

static enum status find_bytes(struct bpe *bpe, const struct vocabulary *vocabulary, struct error *error)
{
    for (int byte = 0; byte < 256; byte++) {
        char bytes[1] = {(char)byte};
        bpe->byte_id[byte] = vocabulary_find(vocabulary, bytes, 1);
        if (bpe->byte_id[byte] < 0) {
            return error_set(error, STATUS_FORMAT,
                             "model.vocab: expected a token for every byte, found none for 0x%02x",
                             (unsigned)byte);
        }
    }
    return STATUS_OK;
}

enum status tokenizer_tables_merges(struct bpe *bpe, const struct vocabulary *vocabulary,
                                    struct json_scan text, struct error *error)
{
    char *scratch = NULL;
    enum status status = find_bytes(bpe, vocabulary, error);
    if (status == STATUS_OK) {
        status = merges_init(&bpe->merges, vocabulary->size, error);
    }
    if (status == STATUS_OK) {
        status = scratch_for(&scratch, &text, error);
    }
    if (status == STATUS_OK) {
        status = read_merges(bpe, vocabulary, &text, scratch, error);
    }
    if (status == STATUS_OK) {
        status = whole_characters_init(&bpe->characters, &bpe->merges, vocabulary, bpe->byte_id, error);
    }
    free(scratch);
    return status;
}
