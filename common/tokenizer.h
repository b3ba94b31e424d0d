/* tokenizer.h: text to token ids and back, byte-level BPE as Qwen2's tokenizer.json describes it.
 * Introduced in chapter 6.
 *
 *     text --special tokens cut out--> parts --NFC--> --split regex--> pre-tokens --bytes--> --BPE merges--> ids
 *
 * Sennrich et al. 2016 (BPE), Radford et al. 2019 (byte level). A tokenizer whose normalizer, split or decoder is not
 * Qwen2's is refused. */
#ifndef COMMON_TOKENIZER_H
#define COMMON_TOKENIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

struct tokenizer; /* immutable after loading */

/* A growing list of ids; zero it first, tokenizer_ids_free frees it. */
struct token_ids {
    int32_t *id;
    size_t n, capacity;
};
void token_ids_free(struct token_ids *ids);
enum status token_ids_append(struct token_ids *ids, int32_t id, struct error *error);

/* Reads <folder>/tokenizer.json. errors: STATUS_IO, STATUS_FORMAT, STATUS_UNSUPPORTED, STATUS_NO_MEMORY. */
enum status tokenizer_load(struct tokenizer **tokenizer, const char *folder, struct error *error);
void tokenizer_free(struct tokenizer *tokenizer); /* NULL is allowed */

/* One more than the largest id that the tokenizer can give (151665 for Qwen2.5; the model's vocab_size may be larger). */
int tokenizer_size(const struct tokenizer *tokenizer);
/* The id of an added token ("<|im_start|>"), -1 when there is none of that content. */
int32_t tokenizer_special_id(const struct tokenizer *tokenizer, const char *content);

/* Appends the ids of text to ids.
 * text, length   any bytes; what is not UTF-8 is read as U+FFFD
 * parse_special  true: the text of an added token becomes its id, as the reference does; false: it is plain text
 * Empty text gives no ids: Qwen has no begin-of-text token. On an error ids may have grown. */
enum status tokenizer_encode(const struct tokenizer *tokenizer, const char *text, size_t length,
                             bool parse_special, struct token_ids *ids, struct error *error);

/* The bytes that an id stands for: for an added token its content as written. Borrowed; *length 0 for an id without
 * a token. Any id, negative ones included. */
const char *tokenizer_piece(const struct tokenizer *tokenizer, int32_t id, size_t *length);
/* Whether decoding with skip_special leaves the id out (added tokens with "special": true). */
bool tokenizer_is_special(const struct tokenizer *tokenizer, int32_t id);

/* Pieces to text, a token at a time: bytes of a character that is split over tokens are held back until it is complete;
 * what can never become a character is given as U+FFFD, one for each maximal part, as Python's and Rust's decoders do. */
struct text_stream {
    unsigned char held[4];
    int n_held;
};
/* Writes the text that is complete now to out, returns its length. out must hold 3 * length + 9 bytes (each byte may
 * become a U+FFFD). */
size_t text_stream_push(struct text_stream *stream, const char *piece, size_t length, char *out);
/* What is still held at the end is one U+FFFD. out must hold 3 bytes. */
size_t text_stream_end(struct text_stream *stream, char *out);

#endif
