/* Chat templates, as text and inside tokenizer_config.json; and turns of any text. */
#include <stdlib.h>
#include <string.h>

#include "common/chat.h"
#include "common/nfc.h"
#include "common/utf8.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/qwen.h"

static void check(const struct chat_template *chat, enum status status, const struct error *error,
                  size_t size)
{
    if (status != STATUS_OK) {
        EXPECT(chat->default_system == NULL);
        fuzz_check_error(error);
    } else if (chat->default_system != NULL) {
        EXPECT(strlen(chat->default_system) <= size);
        EXPECT(strstr(chat->default_system, "<|im_end|>") == NULL || size > 0);
    }
}

void fuzz_chat_template(const uint8_t *data, size_t size)
{
    struct chat_template chat = {NULL};
    struct error error = {STATUS_OK, ""};
    enum status status = chat_template_parse(&chat, size > 0 ? (const char *)data : "", size, &error);
    check(&chat, status, &error, size);
    chat_template_free(&chat);
}

void fuzz_tokenizer_config(const uint8_t *data, size_t size)
{
    struct chat_template chat = {NULL};
    struct error error = {STATUS_OK, ""};
    fuzz_write("tokenizer_config.json", data, size);
    enum status status = chat_template_load(&chat, fuzz_folder(), &error);
    check(&chat, status, &error, size);
    chat_template_free(&chat);
}

static int count(const struct token_ids *ids, int32_t id)
{
    int n = 0;
    for (size_t i = 0; i < ids->n; i++) {
        n += ids->id[i] == id;
    }
    return n;
}

/* Whatever a user types, a literal turn has one start and one end, and its text comes back. */
void fuzz_chat(const uint8_t *data, size_t size)
{
    const struct tokenizer *tokenizer = fuzz_qwen_tokenizer();
    int32_t start = tokenizer_special_id(tokenizer, "<|im_start|>");
    int32_t end = tokenizer_special_id(tokenizer, "<|im_end|>");
    struct token_ids literal = {NULL, 0, 0};
    struct token_ids parsed = {NULL, 0, 0};
    struct error error = {STATUS_OK, ""};
    const char *text = size > 0 ? (const char *)data : "";
    enum chat_role role = size > 0 ? (enum chat_role)(data[0] % 3) : CHAT_USER;
    EXPECT(chat_append_turn(&literal, tokenizer, role, text, size, true, &error) == STATUS_OK);
    EXPECT(chat_append_turn(&parsed, tokenizer, role, text, size, false, &error) == STATUS_OK);
    EXPECT(literal.id[0] == start && parsed.id[0] == start);
    EXPECT(count(&literal, start) == 1 && count(&literal, end) == 1);
    for (size_t i = 0; i < literal.n; i++) {
        EXPECT(literal.id[i] == start || literal.id[i] == end ||
               !tokenizer_is_special(tokenizer, literal.id[i]));
    }
    size_t before = literal.n;
    EXPECT(chat_append_generation_prompt(&literal, tokenizer, &error) == STATUS_OK);
    EXPECT(literal.n > before && literal.id[before] == start && count(&literal, start) == 2);
    token_ids_free(&literal);
    token_ids_free(&parsed);
}
