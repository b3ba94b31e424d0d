/* loss.h: how well a model predicts a text.
 *
 *     loss of token i = -ln softmax(logits of token i-1)[id of token i]        nats
 *     perplexity      = e^(mean loss)
 *
 * A text is cut into windows that do not overlap; the first token of a window follows nothing and is not scored. */
#ifndef CHAPTER6_LOSS_H
#define CHAPTER6_LOSS_H

#include "common/tokenizer.h"
#include "reader.h"

/* Appends the ids of a file. "<|endoftext|>" in it ends a document: white space around each document is dropped, and
 * the token ends each, the last included. Nothing else in the file is a control token. */
enum status loss_read_file(struct token_ids *ids, const struct tokenizer *tokenizer, const char *path,
                           struct error *error);

/* sum[i] += the loss of the window's token i, for i from 1 on. token, sum [n]. */
enum status loss_add_window(double *sum, struct reader *reader, const int32_t *token, int n,
                            struct error *error);

/* Perplexity of the first n_windows windows. requires (n_windows * window) <= ids->n. */
enum status loss_perplexity(double *perplexity, struct reader *reader, const struct token_ids *ids,
                            int window, int n_windows, struct error *error);

#endif
