#include "tests/fuzz/qwen.h"

#include <stdio.h>
#include <stdlib.h>
#include <utf8proc.h>

#include "tests/fuzz/fuzz.h"

static const char qwen_regex[] = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| "
                                 "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|"
                                 "\\s+(?!\\S)|\\s+";

static struct tokenizer *tokenizer;
static struct splitter *splitter;
static struct slow_bpe slow;

static const char *folder(void)
{
    static char path[4096];
    const char *build = getenv("FUZZ_TOKENIZER"); /* the folder of Qwen2.5's tokenizer.json */
    const char *base = getenv("BUILD");
    snprintf(path, sizeof path, "%s%s",
             build != NULL  ? build
             : base != NULL ? base
                            : "build",
             build != NULL ? "" : "/qwen2.5-tokenizer");
    return path;
}

static void free_all(void)
{
    tokenizer_free(tokenizer);
    splitter_free(splitter);
    slow_bpe_free(&slow);
}

static void load(void)
{
    struct error error = {STATUS_OK, ""};
    char path[4200];
    if (tokenizer != NULL) {
        return;
    }
    if (tokenizer_load(&tokenizer, folder(), &error) != STATUS_OK) {
        fuzz_failed(__FILE__, __LINE__, error.message);
    }
    snprintf(path, sizeof path, "%s/tokenizer.json", folder());
    json_t *root = json_load_file(path, 0, NULL);
    EXPECT(root != NULL);
    slow_bpe_init(&slow, root);
    json_decref(root);
    EXPECT(splitter_init(&splitter, qwen_regex, &error) == STATUS_OK);
    atexit(free_all);
}

const struct tokenizer *fuzz_qwen_tokenizer(void)
{
    load();
    return tokenizer;
}

const struct slow_bpe *fuzz_qwen_slow_bpe(void)
{
    load();
    return &slow;
}

const struct splitter *fuzz_qwen_splitter(void)
{
    if (splitter == NULL) {
        struct error error = {STATUS_OK, ""};
        EXPECT(splitter_init(&splitter, qwen_regex, &error) == STATUS_OK);
    }
    return splitter;
}

void fuzz_encode_slowly(const struct slow_bpe *bpe, const struct splitter *split, const char *text,
                        size_t size, struct token_ids *ids)
{
    utf8proc_uint8_t *normal = NULL;
    utf8proc_ssize_t normal_size = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)size,
                                                &normal, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    struct pretokens walk;
    struct error error = {STATUS_OK, ""};
    const char *start = NULL;
    size_t length = 1;
    EXPECT(normal_size >= 0);
    EXPECT(pretokens_open(&walk, split, (const char *)normal, (size_t)normal_size, &error) == STATUS_OK);
    walk.regex_only = true;
    while (length > 0) {
        EXPECT(pretokens_next(&walk, &start, &length, &error) == STATUS_OK);
        slow_bpe_encode(bpe, start, length, ids);
    }
    pretokens_close(&walk);
    free(normal);
}
