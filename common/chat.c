#include "common/chat.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/require.h"

static enum status append_control(struct token_ids *ids, const struct tokenizer *tokenizer,
                                  const char *content, struct error *error)
{
    int32_t id = tokenizer_special_id(tokenizer, content);
    if (id < 0) {
        return error_set(error, STATUS_UNSUPPORTED,
                         "added_tokens: expected %s, found none: this model is not made for chat", content);
    }
    return token_ids_append(ids, id, error);
}

static enum status append_text(struct token_ids *ids, const struct tokenizer *tokenizer, const char *text,
                               struct error *error)
{
    return tokenizer_encode(tokenizer, text, strlen(text), false, ids, error);
}

static const char *role_line(enum chat_role role)
{
    switch (role) {
    case CHAT_SYSTEM: return "system\n";
    case CHAT_USER: return "user\n";
    case CHAT_ASSISTANT: return "assistant\n";
    }
    REQUIRE(!"a chat_role");
    return "";
}

/* Role and content are one text between two control tokens, and are tokenized as one: "user\n" followed by "\nhi" gives
 * one token for both newlines. */
static enum status append_content(struct token_ids *ids, const struct tokenizer *tokenizer, const char *line,
                                  const char *content, size_t length, bool parse_special, struct error *error)
{
    size_t before = strlen(line);
    size_t bytes = length > SIZE_MAX - before ? SIZE_MAX : before + length;
    char *text = malloc(bytes);
    if (text == NULL) {
        return error_no_memory(error, "chat", bytes);
    }
    memcpy(text, line, before); /* NOLINT(bugprone-not-null-terminated-result): no string */
    if (length > 0) {
        memcpy(text + before, content, length);
    }
    enum status status = tokenizer_encode(tokenizer, text, bytes, parse_special, ids, error);
    free(text);
    return status;
}

enum status chat_append_turn(struct token_ids *ids, const struct tokenizer *tokenizer, enum chat_role role,
                             const char *content, size_t length, bool literal, struct error *error)
{
    enum status status = append_control(ids, tokenizer, "<|im_start|>", error);
    if (status == STATUS_OK) {
        status = append_content(ids, tokenizer, role_line(role), content, length, !literal, error);
    }
    if (status == STATUS_OK) {
        status = append_control(ids, tokenizer, "<|im_end|>", error);
    }
    return status == STATUS_OK ? append_text(ids, tokenizer, "\n", error) : status;
}

enum status chat_append_generation_prompt(struct token_ids *ids, const struct tokenizer *tokenizer,
                                          struct error *error)
{
    enum status status = append_control(ids, tokenizer, "<|im_start|>", error);
    return status == STATUS_OK ? append_text(ids, tokenizer, "assistant\n", error) : status;
}
