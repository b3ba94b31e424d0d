/* loss.c: see loss.h. */
#include "loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mapped_file.h"
#include "common/require.h"

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static enum status append_document(struct token_ids *ids, const struct tokenizer *tokenizer, const char *text,
                                   size_t length, int32_t end, struct error *error)
{
    while (length > 0 && is_space(text[0])) {
        text++;
        length--;
    }
    while (length > 0 && is_space(text[length - 1])) {
        length--;
    }
    if (length == 0) {
        return STATUS_OK;
    }
    enum status status = tokenizer_encode(tokenizer, text, length, false, ids, error);
    return status == STATUS_OK && end >= 0 ? token_ids_append(ids, end, error) : status;
}

enum status loss_read_file(struct token_ids *ids, const struct tokenizer *tokenizer, const char *path,
                           struct error *error)
{
    static const char mark[] = "<|endoftext|>";
    const size_t mark_length = sizeof mark - 1;
    const int32_t end = tokenizer_special_id(tokenizer, mark);
    struct mapped_file file;
    enum status status = mapped_file_open(&file, path, error);
    if (status != STATUS_OK) {
        return status;
    }
    const char *text = (const char *)file.data;
    size_t first = 0;
    for (size_t i = 0; i <= file.size && status == STATUS_OK; i++) {
        bool is_mark = file.size - i >= mark_length && memcmp(text + i, mark, mark_length) == 0;
        if (is_mark || i == file.size) {
            status = file.size == 0 ? STATUS_OK
                                    : append_document(ids, tokenizer, text + first, i - first, end, error);
            first = i + mark_length;
        }
    }
    if (status == STATUS_OK) {
        status = mapped_file_check_size(&file, path, error);
    }
    mapped_file_close(&file);
    return status;
}

struct scoring {
    const int32_t *token;
    int n, vocab_size;
    double *sum;
};

/* ln of the sum of e^logit, shifted by the largest so that nothing overflows. */
static double log_sum_exp(const float *logits, int n)
{
    float largest = logits[0];
    for (int i = 1; i < n; i++) {
        largest = logits[i] > largest ? logits[i] : largest;
    }
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += exp((double)logits[i] - (double)largest);
    }
    /* cppcheck-suppress invalidFunctionArg ; sum >= 1, the largest is one of them */
    return (double)largest + log(sum);
}

static enum status score(void *context, int first, int n_rows, const float *logits, struct error *error)
{
    struct scoring *s = context;
    (void)error;
    for (int r = 0; r < n_rows; r++) {
        const float *row = logits + (size_t)r * (size_t)s->vocab_size;
        int next = first + r + 1;
        if (next < s->n) {
            s->sum[next] += log_sum_exp(row, s->vocab_size) - (double)row[s->token[next]];
        }
    }
    return STATUS_OK;
}

enum status loss_add_window(double *sum, struct reader *reader, const int32_t *token, int n,
                            struct error *error)
{
    struct scoring scoring = {token, n, reader->model->config.vocab_size, sum};
    return reader_read(reader, token, n, score, &scoring, error);
}

enum status loss_perplexity(double *perplexity, struct reader *reader, const struct token_ids *ids,
                            int window, int n_windows, struct error *error)
{
    REQUIRE(window > 1 && n_windows > 0 && (size_t)window * (size_t)n_windows <= ids->n);
    double *sum = calloc((size_t)window, sizeof *sum);
    if (sum == NULL) {
        return error_no_memory(error, "losses", (size_t)window * sizeof *sum);
    }
    enum status status = STATUS_OK;
    for (int w = 0; w < n_windows && status == STATUS_OK; w++) {
        status = loss_add_window(sum, reader, ids->id + (size_t)w * (size_t)window, window, error);
    }
    double total = 0;
    for (int i = 1; i < window; i++) {
        total += sum[i];
    }
    *perplexity = exp(total / ((double)n_windows * (window - 1)));
    free(sum);
    return status;
}
