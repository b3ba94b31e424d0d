/* texts.h: the tokenizer at work, with Qwen2.5's own vocabulary. */
#ifndef TESTS_BENCH_TEXTS_H
#define TESTS_BENCH_TEXTS_H

#include "common/tokenizer.h"

struct text {
    char *bytes;
    size_t size, capacity;
};

enum text_kind { TEXT_ENGLISH, TEXT_CHINESE, TEXT_CODE, N_TEXTS };

struct texts {
    const char *folder; /* of tokenizer.json */
    struct tokenizer *tokenizer;
    struct text text[N_TEXTS];
    struct token_ids ids; /* kept, so that its growth is not measured */
};

/* English: the pages of this tutorial and the stories held out from the bundled model. Code: the files of common/.
 * Chinese: made from the vocabulary's own Chinese tokens, common ones often, with a mark after one token in ten and,
 * after one in twenty, any of 20902 characters, most of them rare. */
enum status texts_init(struct texts *texts, const char *folder, struct error *error);
void texts_free(struct texts *texts);

/* Seconds of encoding the text once; NaN on an error. */
double texts_encode(struct texts *texts, enum text_kind kind);
/* Seconds of loading the tokenizer, and of jansson's parse of the same file. */
double texts_load(const struct texts *texts);
double texts_parse(const struct texts *texts);

/* Texts that make naive tokenizers slow: one long pre-token. Each is a short unit repeated; NULL after the last. Seconds
 * of encoding n_bytes of it. */
const char *texts_run_unit(int i);
double texts_encode_run(struct texts *texts, int i, size_t n_bytes);

#endif
