/* tokenizer_tables.h: the two large tables of tokenizer.json, the vocabulary and the merges.
 * Introduced in chapter 6.
 *
 *     "vocab":  {"!": 0, "\"": 1, …}        spellings (byte_level.h) and their ids
 *     "merges": ["Ġ Ġ", "i n", …]           or, since tokenizers 0.20, [["Ġ", "Ġ"], ["i", "n"], …]
 */
#ifndef COMMON_TOKENIZER_TABLES_H
#define COMMON_TOKENIZER_TABLES_H

#include "common/bpe.h"
#include "common/json_scan.h"
#include "common/status.h"
#include "common/vocabulary.h"

/* Reads the object; does not index it, since added tokens come too.
 * errors: STATUS_FORMAT with the number of the entry, counted from 0. */
enum status tokenizer_tables_vocabulary(struct vocabulary *vocabulary, struct json_scan text,
                                        struct error *error);

/* Reads the array, and finds the token of every byte. errors: STATUS_FORMAT when there is no merge, and with the number
 * of the entry whose parts or whole is no token. requires an indexed vocabulary */
enum status tokenizer_tables_merges(struct bpe *bpe, const struct vocabulary *vocabulary,
                                    struct json_scan text, struct error *error);

#endif
