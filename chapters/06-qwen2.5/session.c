/* session.c: opens the model that the flags name, and reads the prompt. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "chapter6.h"
#include "common/matmul.h"
#include "common/plot.h"

static const char default_prompt[] = "Once upon a time, there was a little";

enum status bundled_file(char *path, size_t size, const char *name, struct error *error)
{
    char relative[256];
    snprintf(relative, sizeof relative, "chapters/06-qwen2.5/%s", name);
    return plot_find_file(path, size, relative, error);
}

/* One mode at a time, and no flag that the mode would ignore. */
static enum status check_flags(const struct settings *s, struct error *error)
{
    const struct {
        bool given;
        const char *name;
    } modes[] = {{s->chat, "chat"},
                 {s->text, "text"},
                 {s->trace, "trace"},
                 {s->check, "check"},
                 {s->perplexity != NULL, "perplexity"},
                 {s->positions != NULL, "positions"},
                 {s->ablate, "ablate"},
                 {s->kernels, "kernels"}};
    const char *mode = NULL;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (modes[i].given && mode != NULL) {
            return error_set(error, STATUS_USAGE, "--%s and --%s: one at a time", mode, modes[i].name);
        }
        mode = modes[i].given ? modes[i].name : mode;
    }
    if (s->prompt != NULL && s->ids != NULL) {
        return error_set(error, STATUS_USAGE, "--prompt and --ids: one of them");
    }
    if (s->chat && (s->prompt != NULL || s->ids != NULL)) {
        return error_set(error, STATUS_USAGE,
                         "--%s: not with --chat, which reads its turns from standard input",
                         s->prompt != NULL ? "prompt" : "ids");
    }
    if (s->system != NULL && !s->chat) {
        return error_set(error, STATUS_USAGE, "--system: only with --chat");
    }
    if (s->positions != NULL && s->model != NULL) {
        return error_set(error, STATUS_USAGE,
                         "--model: not with --positions, which compares the bundled models");
    }
    return STATUS_OK;
}

/* generation_config.json says how to sample; a flag overrides it, and one that only makes sense for sampling asks for
 * sampling. --temperature 0 is greedy: the limit of a distribution that gets sharper. */
static struct sampler_settings choose_sampling(const struct generation_config *config,
                                               const struct settings *s)
{
    bool asked = s->temperature_given || s->top_k_given || s->top_p_given;
    double temperature = s->temperature_given ? s->temperature : config->temperature;
    return (struct sampler_settings){
        .greedy = s->greedy || temperature == 0 || (!config->do_sample && !asked),
        .temperature = temperature > 0 ? temperature : 1,
        .top_k = s->top_k_given ? s->top_k : config->top_k,
        .top_p = s->top_p_given ? s->top_p : config->top_p,
        .repetition_penalty =
            s->repetition_penalty_given ? s->repetition_penalty : config->repetition_penalty};
}

/* "5,7,9" */
static enum status parse_ids(struct token_ids *ids, const char *text, struct error *error)
{
    for (const char *c = text;; c++) {
        char *end = NULL;
        errno = 0;
        long id = strtol(c, &end, 10);
        bool number = (*c >= '0' && *c <= '9') || (*c == '-' && c[1] >= '0' && c[1] <= '9');
        if (!number || (*end != ',' && *end != '\0') || errno != 0 || id > INT32_MAX || id < INT32_MIN) {
            return error_set(error, STATUS_USAGE, "--ids %s: expected token ids with commas between: 5,7,9",
                             text[0] != '\0' ? text : "''");
        }
        enum status status = token_ids_append(ids, (int32_t)id, error);
        if (status != STATUS_OK || *end == '\0') {
            return status;
        }
        c = end;
    }
}

/* Standard input byte for byte, its last newline included. *text is the caller's to free. */
static enum status read_stdin(char **text, size_t *length, struct error *error)
{
    size_t capacity = 0;
    *text = NULL;
    *length = 0;
    do {
        if (*length == capacity) {
            capacity = capacity == 0 ? 4096 : checked_product(capacity, 2);
            char *larger = realloc(*text, capacity);
            if (larger == NULL) {
                free(*text);
                return error_no_memory(error, "standard input", capacity);
            }
            *text = larger;
        }
        *length += fread(*text + *length, 1, capacity - *length, stdin);
    } while (*length == capacity);
    if (ferror(stdin)) {
        free(*text);
        return error_set(error, STATUS_IO, "standard input: %s", strerror(errno));
    }
    return STATUS_OK;
}

static enum status encode_prompt(struct session *session, const char *prompt, struct error *error)
{
    if (strcmp(prompt, "-") != 0) {
        return tokenizer_encode(session->tokenizer, prompt, strlen(prompt), true, &session->prompt, error);
    }
    char *text = NULL;
    size_t length = 0;
    enum status status = read_stdin(&text, &length, error);
    if (status == STATUS_OK) {
        status = tokenizer_encode(session->tokenizer, text, length, true, &session->prompt, error);
        free(text);
    }
    return status;
}

/* Every mode that runs the prompt may rely on it: at least one token, all in the vocabulary, room in the context. */
static enum status check_prompt(const struct session *session, const char *flag, struct error *error)
{
    const struct token_ids *prompt = &session->prompt;
    if (prompt->n == 0) {
        return error_set(
            error, STATUS_USAGE,
            "--prompt: empty, and Qwen has no begin-of-text token: there is nothing to continue");
    }
    for (size_t i = 0; i < prompt->n; i++) {
        if (prompt->id[i] < 0 || prompt->id[i] >= session->model.config.vocab_size) {
            return error_set(error, STATUS_LIMIT,
                             "%s: token id %d is outside the model's vocabulary (0 to %d)", flag,
                             (int)prompt->id[i], session->model.config.vocab_size - 1);
        }
    }
    if (prompt->n > (size_t)session->context) {
        return error_set(error, STATUS_LIMIT, "%s: %zu tokens, and the context holds %d (--context)", flag,
                         prompt->n, session->context);
    }
    return STATUS_OK;
}

static enum status read_prompt(struct settings *s, struct error *error)
{
    struct session *session = &s->session;
    const char *flag = s->ids != NULL ? "--ids" : "--prompt";
    enum status status;
    if (s->ids != NULL) {
        status = parse_ids(&session->prompt, s->ids, error);
    } else {
        status = encode_prompt(session, s->prompt != NULL ? s->prompt : default_prompt, error);
    }
    return status == STATUS_OK ? check_prompt(session, flag, error) : status;
}

/* With --ids no tokenizer is needed: without one, ids stand where pieces would. */
static enum status open_tokenizer(struct settings *s, struct error *error)
{
    struct error ignored;
    enum status status =
        tokenizer_load(&s->session.tokenizer, s->session.folder, s->ids != NULL ? &ignored : error);
    if (status != STATUS_OK) {
        s->session.tokenizer = NULL;
    }
    return s->ids != NULL ? STATUS_OK : status;
}

enum status session_open(struct settings *s, struct error *error)
{
    struct session *session = &s->session;
    enum status status = check_flags(s, error);
    if (status == STATUS_OK) {
        status = matmul_choose_kernel(NULL, error);
    }
    matmul_set_threads(s->threads);
    if (status != STATUS_OK || s->kernels) {
        return status;
    }
    if (s->model == NULL) {
        status = bundled_file(session->folder, sizeof session->folder, "tiny-stories", error);
    } else {
        size_t length = strlen(s->model);
        if (length >= sizeof session->folder) {
            return error_set(error, STATUS_USAGE, "--model: a path of %zu bytes is too long", length);
        }
        memcpy(session->folder, s->model, length + 1);
    }
    if (status == STATUS_OK) {
        status = qwen2_load(&session->model, session->folder, error);
    }
    if (status == STATUS_OK) {
        status = generation_config_load(&session->generation, session->folder, error);
    }
    if (status == STATUS_OK) {
        status = open_tokenizer(s, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    int trained = session->model.config.max_seq_len;
    session->context = s->context > 0 ? s->context : trained < DEFAULT_CONTEXT ? trained : DEFAULT_CONTEXT;
    session->sampling = choose_sampling(&session->generation, s);
    bool own_text = s->chat || s->ablate || s->perplexity != NULL || s->positions != NULL;
    return own_text ? STATUS_OK : read_prompt(s, error);
}

void session_close(struct session *session)
{
    token_ids_free(&session->prompt);
    tokenizer_free(session->tokenizer);
    qwen2_free(&session->model);
}

int write_piece(FILE *out, const struct session *session, int32_t id)
{
    size_t length = 0;
    if (session->tokenizer == NULL) {
        return fprintf(out, "-");
    }
    const char *piece = tokenizer_piece(session->tokenizer, id, &length);
    int columns = 2;
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)piece[i];
        if (c == '\n') {
            columns += fprintf(out, "\\n");
        } else if (c == '"' || c == '\\') {
            columns += fprintf(out, "\\%c", c);
        } else if (c < ' ' || c >= 127) { /* a byte of a longer character may stand alone in a token */
            columns += fprintf(out, "\\x%02x", c);
        } else {
            fputc(c, out);
            columns++;
        }
    }
    fputc('"', out);
    return columns;
}
