/* answer.c: generated tokens as text, written as they come, and what Ctrl-C does meanwhile. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "chapter6.h"
#include "common/matmul.h"

/* A signal handler can reach nothing but a global. */
static volatile sig_atomic_t noted;

static void note_interrupt(int signal_number)
{
    (void)signal_number;
    noted = 1;
}

void interrupt_watch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note_interrupt;
    /* No SA_RESTART: a read of the terminal returns. SA_RESETHAND: the second press ends a program that is too busy to
     * look at the first. */
    action.sa_flags = (int)SA_RESETHAND;
    noted = 0;
    sigaction(SIGINT, &action, NULL);
}

void interrupt_default(void)
{
    signal(SIGINT, SIG_DFL);
}

bool interrupt_noted(void)
{
    return noted != 0;
}

bool interrupt_wait(int terminal)
{
    enum { LOOK_AGAIN_MS = 100 };
    struct pollfd input = {.fd = terminal, .events = POLLIN};
    /* A Ctrl-C between the look at the flag and the wait would end neither: so no wait is long. */
    while (!interrupt_noted()) {
        int n = poll(&input, 1, LOOK_AGAIN_MS);
        if (n > 0 || (n < 0 && errno != EINTR)) {
            break;
        }
    }
    return interrupt_noted();
}

static void write_text(struct answer *answer, const char *text, size_t length)
{
    wrap_write(&answer->wrap, text, length);
    if (answer->wrap.columns > 0 || memchr(text, '\n', length) != NULL) {
        fflush(answer->wrap.out);
    }
}

void answer_write(struct answer *answer, const char *piece, size_t length)
{
    enum { CHUNK = 64 };
    char text[3 * CHUNK + 9];
    while (length > 0) {
        size_t n = length < CHUNK ? length : CHUNK;
        write_text(answer, text, text_stream_push(&answer->text, piece, n, text));
        piece += n;
        length -= n;
    }
}

/* Control tokens are not text. Without a tokenizer the ids stand for it. */
static void write_token(struct answer *answer, int32_t id)
{
    const struct tokenizer *tokenizer = answer->session->tokenizer;
    size_t length = 0;
    if (tokenizer == NULL) {
        char number[16];
        write_text(answer, number, (size_t)snprintf(number, sizeof number, "%d ", (int)id));
    } else if (!tokenizer_is_special(tokenizer, id)) {
        const char *piece = tokenizer_piece(tokenizer, id, &length);
        answer_write(answer, piece, length);
    }
}

static bool take_token(void *context, int32_t id, int position, const float *logits)
{
    (void)position;
    (void)logits;
    struct answer *answer = context;
    write_token(answer, id);
    answer->kept = token_ids_append(&answer->ids, id, answer->error);
    return answer->kept == STATUS_OK && !interrupt_noted() && !ferror(answer->wrap.out);
}

enum status answer_generate(struct answer *answer, struct generator *g, const int32_t *prompt, int n_prompt,
                            int max_new_tokens, struct error *error)
{
    const struct session *session = answer->session;
    char rest[4] = "";
    answer->kept = STATUS_OK;
    answer->error = error;
    interrupt_watch();
    enum status status =
        generate(&session->model, &g->run, &g->cache, &session->generation, &g->sampler, prompt, n_prompt,
                 max_new_tokens, take_token, answer, NULL, &answer->result, error);
    interrupt_default();
    answer->interrupted = interrupt_noted();
    write_text(answer, rest, text_stream_end(&answer->text, rest));
    wrap_end(&answer->wrap);
    return status == STATUS_OK ? answer->kept : status;
}

/* A prefill of a few tokens is over before its speed means anything. */
static bool is_measured(const struct generate_result *result)
{
    enum { ENOUGH_TOKENS = 64 };
    const double enough_seconds = 0.01;
    return result->prefill_seconds >= enough_seconds ||
           (result->prefill_seconds > 0 && result->n_prompt >= ENOUGH_TOKENS);
}

/* Within 80 columns up to 99999 tokens and tokens a second. */
void print_speed(FILE *err, const struct generate_result *result)
{
    fprintf(err, "prompt: %d tokens", result->n_prompt);
    if (is_measured(result)) {
        fprintf(err, ", %.0f/s", result->n_prompt / result->prefill_seconds);
    }
    fprintf(err, "; new: %d", result->n_new);
    if (result->decode_seconds > 0 && result->n_new > 1) { /* the first came out of the prefill */
        fprintf(err, ", %.0f tokens/s", (result->n_new - 1) / result->decode_seconds);
    }
    fprintf(err, " (%s, %d threads)\n", matmul_kernel_name(), matmul_threads());
}
