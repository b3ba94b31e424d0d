/* tell.c: the story itself: the last step of the walk-through, and --text. */
#include "chapter6.h"

/* The prompt (unless bare), then what the model makes of it, then a newline. */
static enum status tell(const struct settings *s, FILE *out, bool bare, struct generate_result *result,
                        struct error *error)
{
    const struct session *session = &s->session;
    struct answer answer = {.session = session, .wrap = wrap_to(out)};
    struct generator g;
    enum status status = generator_init(&g, s, error);
    if (status != STATUS_OK) {
        return status;
    }
    for (size_t i = 0; !bare && session->tokenizer != NULL && i < session->prompt.n; i++) {
        size_t length = 0;
        const char *piece = tokenizer_piece(session->tokenizer, session->prompt.id[i], &length);
        answer_write(&answer, piece, length);
    }
    fflush(out);
    status =
        answer_generate(&answer, &g, session->prompt.id, (int)session->prompt.n, s->max_new_tokens, error);
    if (status == STATUS_OK || answer.ids.n > 0) {
        fputc('\n', out);
    }
    *result = answer.result;
    token_ids_free(&answer.ids);
    generator_free(&g);
    return status;
}

enum status print_text(struct settings *settings, FILE *out, FILE *err, struct error *error)
{
    struct generate_result result;
    enum status status = tell(settings, out, true, &result, error);
    if (status == STATUS_OK) {
        fflush(out);
        print_speed(err, &result);
    }
    return status;
}

enum status step_story(void *settings, FILE *out, struct error *error)
{
    struct settings *s = settings;
    struct generate_result result;
    fprintf(out, "   Each new token goes through the layers alone: the keys and values of all\n"
                 "   before it are in the cache.\n\n");
    enum status status = tell(s, out, false, &result, error);
    if (status != STATUS_OK || interrupt_noted()) {
        return status;
    }
    const char *why = result.stop == GENERATE_END_TOKEN  ? "the model said that it is done"
                      : result.n_new < s->max_new_tokens ? "the context is full"
                                                         : "that is as many as asked for (-n)";
    fprintf(out, "\n   %d tokens; %s.\n", result.n_new, why);
    fflush(out);
    print_speed(stderr, &result);
    return STATUS_OK;
}
