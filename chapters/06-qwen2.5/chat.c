/* chat.c: a conversation on one KV cache.
 *
 * history holds the ids of all that was said, as ChatML; the cache holds the keys and values of its first cache.length
 * tokens. A turn appends to history and gives the model the rest: history[cache.length ..]. So nothing is ever computed
 * twice, the token that ended an answer included. */
#include "common/chat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chapter6.h"
#include "common/mapped_file.h"

struct conversation {
    const struct settings *settings;
    struct chat_template template;
    struct token_ids history;
    struct generator generator;
    struct generate_result total; /* of all turns */
    int turns;
};

static void conversation_free(struct conversation *c)
{
    chat_template_free(&c->template);
    token_ids_free(&c->history);
    generator_free(&c->generator);
}

static enum status in_tokenizer(const char *folder, struct error *error)
{
    char *path = NULL;
    enum status status = path_in_folder(&path, folder, "tokenizer.json", error);
    status = status == STATUS_OK ? error_in(error, path) : status;
    free(path);
    return status;
}

static enum status conversation_init(struct conversation *c, const struct settings *s, struct error *error)
{
    *c = (struct conversation){.settings = s};
    enum status status = chat_template_load(&c->template, s->session.folder, error);
    if (status == STATUS_OK) { /* without the control tokens no first question could be put */
        status = chat_append_generation_prompt(&c->history, s->session.tokenizer, error);
        c->history.n = 0;
        status = status == STATUS_UNSUPPORTED ? in_tokenizer(s->session.folder, error) : status;
    }
    if (status == STATUS_OK) {
        status = generator_init(&c->generator, s, error);
    }
    if (status != STATUS_OK) {
        conversation_free(c);
    }
    return status;
}

/* What the user said, and before the first turn the system message. A system message is the owner's text, parsed as
 * --prompt is; what a user types stays text, whatever it looks like. */
static enum status append_question(struct conversation *c, const char *text, size_t length,
                                   struct error *error)
{
    const struct tokenizer *tokenizer = c->settings->session.tokenizer;
    const char *system = c->settings->system != NULL ? c->settings->system : c->template.default_system;
    enum status status = STATUS_OK;
    if (c->history.n == 0 && system != NULL) {
        status = chat_append_turn(&c->history, tokenizer, CHAT_SYSTEM, system, strlen(system), false, error);
    }
    if (status == STATUS_OK) {
        status = chat_append_turn(&c->history, tokenizer, CHAT_USER, text, length, true, error);
    }
    if (status == STATUS_OK) {
        status = chat_append_generation_prompt(&c->history, tokenizer, error);
    }
    return status;
}

static enum status append_answer(struct conversation *c, const struct token_ids *answer, struct error *error)
{
    static const char end[] = "<|im_end|>\n"; /* also after an answer that was cut short */
    enum status status = STATUS_OK;
    for (size_t i = 0; i < answer->n && status == STATUS_OK; i++) {
        status = token_ids_append(&c->history, answer->id[i], error);
    }
    if (status == STATUS_OK) {
        status =
            tokenizer_encode(c->settings->session.tokenizer, end, sizeof end - 1, true, &c->history, error);
    }
    return status;
}

/* One question and its answer. After an error, nothing has been said. */
static enum status take_turn(struct conversation *c, const char *text, size_t length, FILE *out,
                             struct error *error)
{
    const struct settings *s = c->settings;
    struct kv_cache *cache = &c->generator.cache;
    struct answer answer = {.session = &s->session, .wrap = wrap_to(out)};
    size_t before = c->history.n;
    int cached_before = cache->length;
    enum status status = append_question(c, text, length, error);
    size_t n_new = c->history.n - (size_t)cache->length;
    size_t room = (size_t)(cache->capacity - cache->length);
    if (status == STATUS_OK && n_new > room) {
        status = error_set(error, STATUS_LIMIT,
                           "--chat: this turn takes %zu tokens, and %zu of the context's %d are "
                           "left (--context)",
                           n_new, room, cache->capacity);
    }
    if (status == STATUS_OK) {
        int limit = s->max_new_tokens_given ? s->max_new_tokens : cache->capacity;
        status =
            answer_generate(&answer, &c->generator, c->history.id + cache->length, (int)n_new, limit, error);
        fputc('\n', out);
        fflush(out); /* who drives the chat through pipes waits for this line */
    }
    if (status == STATUS_OK) {
        status = append_answer(c, &answer.ids, error);
    }
    if (status != STATUS_OK) {
        c->history.n = before;
        kv_cache_truncate(cache, cached_before);
    }
    c->total.n_prompt += answer.result.n_prompt;
    c->total.n_new += answer.result.n_new;
    c->total.prefill_seconds += answer.result.prefill_seconds;
    c->total.decode_seconds += answer.result.decode_seconds;
    c->turns++;
    token_ids_free(&answer.ids);
    return status;
}

/* Text that the user is entering, of any length. */
struct input {
    char *line;
    size_t line_capacity;
    char *text; /* what a turn says */
    size_t length, capacity;
};

static enum status input_append(struct input *input, const char *bytes, size_t n, struct error *error)
{
    size_t needed = input->length + n;
    if (needed > input->capacity) {
        char *larger = realloc(input->text, 2 * needed);
        if (larger == NULL) {
            return error_no_memory(error, "a line of input", 2 * needed);
        }
        input->text = larger;
        input->capacity = 2 * needed;
    }
    if (n > 0) {
        memcpy(input->text + input->length, bytes, n);
    }
    input->length = needed;
    return STATUS_OK;
}

enum next { NEXT_TURN, NEXT_END, NEXT_INTERRUPT, NEXT_ERROR };

/* Reads one line, without its end (LF or CR LF). */
static enum next read_line(struct input *input, size_t *length, FILE *in, struct error *error)
{
    errno = 0;
    ssize_t n = getline(&input->line, &input->line_capacity, in);
    if (n < 0) {
        bool ended = feof(in) != 0;
        clearerr(in);
        if (interrupt_noted()) {
            return NEXT_INTERRUPT;
        }
        if (!ended) {
            error_set(error, STATUS_IO, "standard input: %s", strerror(errno));
        }
        return ended ? NEXT_END : NEXT_ERROR;
    }
    n -= n > 0 && input->line[n - 1] == '\n';
    n -= n > 0 && input->line[n - 1] == '\r';
    *length = (size_t)n;
    return NEXT_TURN;
}

/* Reads one turn: a line that is not empty, or the lines between two lines of three quotation marks (a pasted text). */
static enum next read_turn(struct input *input, FILE *in, FILE *out, bool prompt, struct error *error)
{
    static const char mark[] = "\"\"\"";
    bool block = false;
    input->length = 0;
    for (;;) {
        if (prompt) {
            fputs(block ? ". " : "> ", out);
            fflush(out);
        }
        if (prompt && interrupt_wait(fileno(in))) {
            return NEXT_INTERRUPT;
        }
        size_t length = 0;
        enum next next = read_line(input, &length, in, error);
        if (next != NEXT_TURN) {
            return next == NEXT_END && block && input->length > 0 ? NEXT_TURN : next;
        }
        bool is_mark = length == sizeof mark - 1 && memcmp(input->line, mark, length) == 0;
        if (is_mark && !block) {
            block = true;
            continue;
        }
        if (!is_mark) {
            bool more = block && input->length > 0;
            if ((more && input_append(input, "\n", 1, error) != STATUS_OK) ||
                input_append(input, input->line, length, error) != STATUS_OK) {
                return NEXT_ERROR;
            }
        }
        if (input->length > 0 && (is_mark || !block)) {
            return NEXT_TURN;
        }
        block = block && !is_mark;
    }
}

/* Turns until the input ends. Returns the last turn's status. */
static enum status converse(struct conversation *c, FILE *in, FILE *out, FILE *err, struct error *error)
{
    bool terminal = isatty(fileno(in)) && isatty(fileno(out));
    struct input input = {.line = NULL};
    enum status status = STATUS_OK;
    if (terminal) {
        fputs("Ctrl-C stops an answer, Ctrl-D ends. A text of several lines: between two lines of \"\"\"\n",
              out);
    }
    while (status == STATUS_OK) {
        interrupt_watch();
        enum next next = read_turn(&input, in, out, terminal, error);
        if (next != NEXT_TURN) { /* after an interrupt it stays noted: main ends with 130 */
            interrupt_default();
            fputc('\n', out);
            status = next == NEXT_ERROR ? error->status : STATUS_OK;
            break;
        }
        status = take_turn(c, input.text, input.length, out, error);
        if (status == STATUS_LIMIT && terminal) { /* a person may say something shorter */
            fprintf(err, "%s\n", error->message);
            status = STATUS_OK;
        }
    }
    free(input.line);
    free(input.text);
    return status;
}

enum status chat_run(struct settings *s, FILE *in, FILE *out, FILE *err, struct error *error)
{
    struct conversation conversation;
    enum status status = conversation_init(&conversation, s, error);
    if (status != STATUS_OK) {
        return status;
    }
    status = converse(&conversation, in, out, err, error);
    if (status == STATUS_OK && conversation.turns > 0) {
        fflush(out);
        print_speed(err, &conversation.total);
    }
    conversation_free(&conversation);
    return status;
}
