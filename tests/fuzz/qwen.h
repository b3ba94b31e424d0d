/* qwen.h: Qwen2.5's own tokenizer, loaded once. */
#ifndef TESTS_FUZZ_QWEN_H
#define TESTS_FUZZ_QWEN_H

#include "common/splitter.h"
#include "common/tokenizer.h"
#include "tests/fuzz/slow_bpe.h"

const struct tokenizer *fuzz_qwen_tokenizer(void);
const struct slow_bpe *fuzz_qwen_slow_bpe(void);

/* Appends the ids of text by the slow way: utf8proc's normalization, the regex alone, slow_bpe. requires UTF-8 */
void fuzz_encode_slowly(const struct slow_bpe *bpe, const struct splitter *splitter, const char *text,
                        size_t size, struct token_ids *ids);
/* Qwen's regex, compiled. */
const struct splitter *fuzz_qwen_splitter(void);

#endif
