/* --ids: the prompt as numbers. The function is chapter 6's own, the second reader walks over the text by itself. */
#include <stdlib.h>
#include <string.h>

#include "chapters/06-qwen2.5/chapter6.h"
#include "tests/fuzz/fuzz.h"

enum { VOCAB_SIZE = 1000, CONTEXT = 20 };

/* The next id with what follows it; false when there is none, or none that an int32_t holds. */
static bool read_id(const char **at, int64_t *id)
{
    const bool negative = **at == '-';
    const char *digit = *at + (negative ? 1 : 0);
    if (*digit < '0' || *digit > '9') {
        return false;
    }
    for (*id = 0; *digit >= '0' && *digit <= '9'; digit++) {
        *id = *id < INT64_C(1) << 40 ? *id * 10 + (*digit - '0') : *id;
    }
    *id = negative ? -*id : *id;
    *at = digit;
    return *id >= INT32_MIN && *id <= INT32_MAX;
}

/* Whether text is a list of ids; *n and id[0 .. CONTEXT-1] get them, *outside whether one is no token. */
static bool second_reader(const char *text, int64_t *id, size_t *n, bool *outside)
{
    *n = 0;
    *outside = false;
    for (const char *at = text;; at++) {
        int64_t next = 0;
        if (!read_id(&at, &next) || (*at != ',' && *at != '\0')) {
            return false;
        }
        *outside = *outside || next < 0 || next >= VOCAB_SIZE;
        if (*n < CONTEXT) {
            id[*n] = next;
        }
        ++*n;
        if (*at == '\0') {
            return true;
        }
    }
}

void fuzz_prompt_ids(const uint8_t *data, size_t size)
{
    static struct settings s; /* large */
    struct error error = {STATUS_OK, ""};
    int64_t expected[CONTEXT];
    size_t n = 0;
    bool outside = false;
    char *text = fuzz_alloc(size + 1);
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    s.ids = text;
    s.session.model.config.vocab_size = VOCAB_SIZE;
    s.session.context = CONTEXT;
    enum status status = prompt_read(&s, &error);
    const struct token_ids *got = &s.session.prompt;
    if (!second_reader(text, expected, &n, &outside)) {
        EXPECT(status == STATUS_USAGE);
    } else if (outside || n > CONTEXT) {
        EXPECT(status == STATUS_LIMIT);
    } else {
        EXPECT(status == STATUS_OK && got->n == n);
        for (size_t i = 0; i < n; i++) {
            EXPECT(got->id[i] == expected[i]);
        }
    }
    if (status != STATUS_OK) {
        EXPECT(error.status == status && error.message[0] != '\0');
    }
    token_ids_free(&s.session.prompt);
    free(text);
}
