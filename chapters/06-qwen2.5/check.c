/* check.c: --check: one forward pass serves prefill, decode and batches; this shows that it gives the same logits in
 * all. --verify: whether the weights are numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chapter6.h"
#include "common/matmul.h"
#include "faults.h"
#include "measure.h"

enum { CHECKED = 64, OTHERS = 2 }; /* so many tokens of the prompt; other sequences in the batch */

/* What a difference may be, as a share of the largest logit. The ways add in other orders: float32's rounding. Where
 * activations are rounded to bfloat16, a sum that differs in its last bit may become the neighbouring bfloat16. */
static const struct bound {
    double share;
    const char *name;
} bounds[] = {[MATMUL_TWO_TERMS] = {1e-5, "1e-5"}, [MATMUL_ONE_TERM] = {0x1p-8, "2^-8"}};

struct comparison {
    const struct session *session;
    const struct bound *bound;
    int n; /* tokens */
    int vocab_size;
    float *expected; /* [n, vocab_size]: prefill in one pass */
    double largest;  /* |logit| */
    double worst;    /* the largest difference of the way under test; NaN counts as infinite */
};

static enum status keep_logits(void *context, int first, int n_rows, const float *logits, struct error *error)
{
    struct comparison *c = context;
    size_t width = (size_t)c->vocab_size;
    (void)error;
    memcpy(c->expected + (size_t)first * width, logits, (size_t)n_rows * width * sizeof *logits);
    for (size_t i = 0; i < (size_t)n_rows * width; i++) {
        c->largest = fmax(c->largest, fabs((double)logits[i]));
    }
    return STATUS_OK;
}

static void compare_rows(struct comparison *c, int first, int n_rows, const float *logits)
{
    size_t width = (size_t)c->vocab_size;
    const float *expected = c->expected + (size_t)first * width;
    for (size_t i = 0; i < (size_t)n_rows * width; i++) {
        double difference = fabs((double)logits[i] - (double)expected[i]);
        if (!(difference <= c->worst)) {
            c->worst = isnan(difference) ? HUGE_VAL : difference;
        }
    }
}

static enum status compare_pass(void *context, int first, int n_rows, const float *logits,
                                struct error *error)
{
    (void)error;
    compare_rows(context, first, n_rows, logits);
    return STATUS_OK;
}

/* Reads the prompt in passes of at most max_tokens. */
static enum status in_passes(struct comparison *c, int max_tokens, reader_callback callback,
                             struct error *error)
{
    struct broken broken;
    enum status status = broken_init(&broken, &c->session->model, c->session->fault, max_tokens, c->n, error);
    if (status == STATUS_OK) {
        status = reader_read(&broken.reader, c->session->prompt.id, c->n, callback, c, error);
        broken_free(&broken);
    }
    return status;
}

/* The batch of in_batch: the prompt and OTHERS other texts, token by token in turn, each with its own cache. */
struct mixture {
    struct kv_cache cache[1 + OTHERS];
    int32_t token[(1 + OTHERS) * CHECKED], row[CHECKED];
    struct kv_cache *sequence[(1 + OTHERS) * CHECKED];
    int n_tokens;
};

/* The first other text is the prompt backwards, the second starts in its middle and so is shorter. */
static void mix(struct mixture *m, int32_t *position, const int32_t *prompt, int n)
{
    for (int i = 0; i < n; i++) {
        const int32_t tokens[1 + OTHERS] = {prompt[i], prompt[n - 1 - i],
                                            i + n / 2 < n ? prompt[i + n / 2] : -1};
        m->row[i] = m->n_tokens;
        for (int s = 0; s < 1 + OTHERS; s++) {
            if (tokens[s] >= 0) {
                m->token[m->n_tokens] = tokens[s];
                position[m->n_tokens] = i;
                m->sequence[m->n_tokens++] = &m->cache[s];
            }
        }
    }
}

static enum status in_batch(struct comparison *c, struct error *error)
{
    const struct qwen2 *model = &c->session->model;
    struct broken broken;
    struct reader *reader = &broken.reader;
    struct mixture *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return error_no_memory(error, "batch", sizeof *m);
    }
    enum status status = broken_init(&broken, model, c->session->fault, (1 + OTHERS) * CHECKED, c->n, error);
    for (int s = 0; s < 1 + OTHERS && status == STATUS_OK; s++) {
        status = qwen2_cache_init(&m->cache[s], model, c->n, error);
    }
    if (status == STATUS_OK) {
        mix(m, reader->position, c->session->prompt.id, c->n);
        struct batch batch = {.n_tokens = m->n_tokens,
                              .token = m->token,
                              .position = reader->position,
                              .sequence = m->sequence,
                              .mask = reader->mask,
                              .mask_stride = reader->mask_stride};
        status = qwen2_forward(&broken.model, &reader->run, &batch, m->row, c->n, reader->logits,
                               reader->hook, error);
    }
    if (status == STATUS_OK) {
        compare_rows(c, 0, c->n, reader->logits);
    }
    for (int s = 0; s < 1 + OTHERS; s++) {
        kv_cache_free(&m->cache[s]);
    }
    broken_free(&broken);
    free(m);
    return status;
}

static enum status token_by_token(struct comparison *c, struct error *error)
{
    return in_passes(c, 1, compare_pass, error);
}

static enum status two_pieces(struct comparison *c, struct error *error)
{
    return in_passes(c, (c->n + 1) / 2, compare_pass, error);
}

static enum status one_thread(struct comparison *c, struct error *error)
{
    int threads = matmul_threads();
    matmul_set_threads(1);
    enum status status = in_passes(c, c->n, compare_pass, error);
    matmul_set_threads(threads);
    return status;
}

static enum status compare_all(struct comparison *c, FILE *out, bool *failed, struct error *error)
{
    const struct {
        const char *name;
        enum status (*run)(struct comparison *, struct error *);
        bool exact;
    } ways[] = {{"token by token (decode)", token_by_token, false},
                {"in two pieces", two_pieces, false},
                {"in a batch with two other texts", in_batch, false},
                {"with one thread", one_thread, true}};
    enum status status = in_passes(c, c->n, keep_logits, error);
    if (status != STATUS_OK) {
        return status;
    }
    double bound = c->bound->share * c->largest;
    fprintf(out, "Logits of %d tokens, %d each, against prefill in one pass.\n", c->n, c->vocab_size);
    fprintf(out, "Largest logit %.4g; a difference may be %s of it: %.2g\n\n", c->largest, c->bound->name,
            bound);
    fprintf(out, "  %-36slargest difference\n", "");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        c->worst = 0;
        status = ways[i].run(c, error);
        if (status != STATUS_OK) {
            return status;
        }
        bool bad = !(c->worst <= (ways[i].exact ? 0 : bound));
        fprintf(out, "  %-36s%-8.2g%s\n", ways[i].name, c->worst,
                bad             ? "  TOO LARGE"
                : ways[i].exact ? "  the same bits"
                                : "");
        *failed = *failed || bad;
    }
    return STATUS_OK;
}

/* expected is the caller's to free. */
static enum status comparison_init(struct comparison *c, const struct settings *settings, struct error *error)
{
    const struct session *session = &settings->session;
    *c = (struct comparison){.session = session,
                             .bound = &bounds[settings->precision],
                             .vocab_size = session->model.config.vocab_size};
    c->n = session->prompt.n < CHECKED ? (int)session->prompt.n : CHECKED;
    size_t bytes = checked_product(checked_product((size_t)c->n, (size_t)c->vocab_size), sizeof *c->expected);
    c->expected = malloc(bytes);
    return c->expected != NULL ? STATUS_OK : error_no_memory(error, "logits", bytes);
}

enum status check_run(struct settings *settings, FILE *out, bool *failed, struct error *error)
{
    struct comparison c;
    enum status status = comparison_init(&c, settings, error);
    if (status == STATUS_OK) {
        status = compare_all(&c, out, failed, error);
    }
    free(c.expected);
    return status;
}

enum status verify_run(struct settings *settings, FILE *out, struct error *error)
{
    const struct session *session = &settings->session;
    enum status status = qwen2_verify(&session->model, error);
    if (status == STATUS_OK) {
        fprintf(out, "%zu parameters: each a finite number\n", qwen2_parameters(&session->model));
    }
    return status;
}

enum status measure_decode(double *worst, double *bound, const struct settings *settings, struct error *error)
{
    struct comparison c;
    enum status status = comparison_init(&c, settings, error);
    if (status == STATUS_OK) {
        status = in_passes(&c, c.n, keep_logits, error);
    }
    if (status == STATUS_OK) {
        status = token_by_token(&c, error);
    }
    *worst = c.worst;
    *bound = c.bound->share * c.largest;
    free(c.expected);
    return status;
}
