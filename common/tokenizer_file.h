/* tokenizer_file.h: a tokenizer.json becomes the tables that encoding and decoding read.
 * Introduced in chapter 6. */
#ifndef COMMON_TOKENIZER_FILE_H
#define COMMON_TOKENIZER_FILE_H

#include "common/added_tokens.h"
#include "common/bpe.h"
#include "common/splitter.h"
#include "common/status.h"
#include "common/vocabulary.h"

/* Zero it first. */
struct tokenizer_parts {
    struct vocabulary vocabulary; /* the added tokens included */
    struct bpe bpe;
    struct added_tokens added;
    struct splitter *splitter;
};

/* errors: STATUS_IO, STATUS_FORMAT, STATUS_UNSUPPORTED, STATUS_NO_MEMORY, with path and key. On an error parts may be
 * half filled: free them all the same. */
enum status tokenizer_file_read(struct tokenizer_parts *parts, const char *path, struct error *error);

/* The same for the file's text; name stands for the path in messages. */
enum status tokenizer_file_parse(struct tokenizer_parts *parts, const char *text, size_t size,
                                 const char *name, struct error *error);

void tokenizer_file_free(struct tokenizer_parts *parts);

#endif
