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
#include "common/text_stream.h" /* pieces back to text */
#include "common/token_ids.h"

struct tokenizer; /* immutable after loading: may be shared between threads */

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

#endif
