/* prompt.c: the text or the ids to continue. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "chapter6.h"

static const char default_prompt[] = "Once upon a time, there was a little";

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
    char *bytes = NULL;
    size_t capacity = 0;
    size_t n = 0;
    do {
        if (n == capacity) {
            capacity = capacity == 0 ? 4096 : checked_product(capacity, 2);
            char *larger = realloc(bytes, capacity);
            if (larger == NULL) {
                free(bytes);
                return error_no_memory(error, "standard input", capacity);
            }
            bytes = larger;
        }
        n += fread(bytes + n, 1, capacity - n, stdin);
    } while (n == capacity);
    if (ferror(stdin)) {
        free(bytes);
        return error_set(error, STATUS_IO, "standard input: %s", strerror(errno));
    }
    *text = bytes;
    *length = n;
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
            return error_set(error, STATUS_LIMIT, "%s: expected token ids of the model, 0 to %d, found %d",
                             flag, session->model.config.vocab_size - 1, (int)prompt->id[i]);
        }
    }
    if (prompt->n > (size_t)session->context) {
        return error_set(error, STATUS_LIMIT,
                         "%s: expected at most %d tokens, which the context holds (--context), found %zu",
                         flag, session->context, prompt->n);
    }
    return STATUS_OK;
}

enum status prompt_read(struct settings *s, struct error *error)
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
