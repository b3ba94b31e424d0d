#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/status.h"
#include "tests/fuzz/fuzz.h"

const struct fuzz_target fuzz_targets[] = {
    {"safetensors_file", fuzz_safetensors_file, false, 1024, "safetensors safetensors_header"},
    {"safetensors_header", fuzz_safetensors_header, true, 2048, "safetensors safetensors_header"},
    {"shard_index", fuzz_shard_index, true, 1024, "safetensors_folder"},
    {"model_config", fuzz_model_config, true, 2048, "model_config model_checks json"},
    {"generation_config", fuzz_generation_config, true, 1024, "generation_config"},
    {"tokenizer_file", fuzz_tokenizer_file, true, 8192,
     "tokenizer_file tokenizer_settings tokenizer_tables json_scan added_tokens vocabulary merges"},
    {"tokenizer_encode", fuzz_tokenizer_encode, false, 128,
     "tokenizer bpe splitter split_ascii pretoken_cache added_tokens whole_characters token_ids"},
    {"tokenizer_decode", fuzz_tokenizer_decode, false, 256, "text_stream"},
    {"tokenizer_config", fuzz_tokenizer_config, true, 2048, "chat_template jinja_string"},
    {"chat_template", fuzz_chat_template, false, 2048, "chat_template jinja_string"},
    {"chat", fuzz_chat, false, 128, "chat"},
    {"json_scan", fuzz_json_scan, true, 256, "json_scan"},
    {"nfc", fuzz_nfc, false, 256, "nfc utf8 text_stream"},
    {"options", fuzz_options, false, 256, "options"},
    {"program", fuzz_program, false, 128, "program options"},
    {"prompt_ids", fuzz_prompt_ids, false, 128, "chapters/06-qwen2.5/prompt token_ids"},
    {"model", fuzz_model, true, 8192, "qwen2_load qwen2 safetensors model_config"},
    {NULL, NULL, false, 0, NULL},
};

void fuzz_failed(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

void fuzz_check_error(const struct error *error)
{
    size_t length = strlen(error->message);
    EXPECT(error->status != STATUS_OK);
    EXPECT(length > 0 && length < sizeof error->message);
    EXPECT(strpbrk(error->message, "\n\r\t\033") == NULL);
}

/* ---- Memory for jansson that is given up all at once: most of the time of a fuzzer would go into its malloc and free */

enum { ARENA_SIZE = 1 << 24, ALIGNMENT = 16 };

static struct {
    char *memory;
    size_t used;
    json_malloc_t malloc_before;
    json_free_t free_before;
} arena;

static void free_arena(void)
{
    free(arena.memory);
}

static void *arena_malloc(size_t size)
{
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    EXPECT(rounded <= ARENA_SIZE - arena.used);
    void *memory = arena.memory + arena.used;
    arena.used += rounded;
    return memory;
}

static void arena_free(void *memory)
{
    (void)memory;
}

void fuzz_arena_begin(void)
{
    if (arena.memory == NULL) {
        arena.memory = fuzz_alloc(ARENA_SIZE);
        atexit(free_arena);
    }
    arena.used = 0;
    json_get_alloc_funcs(&arena.malloc_before, &arena.free_before);
    json_set_alloc_funcs(arena_malloc, arena_free);
}

void fuzz_arena_end(void)
{
    json_set_alloc_funcs(arena.malloc_before, arena.free_before);
}

json_t *fuzz_json(const void *text, size_t size)
{
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY;
    fuzz_arena_begin();
    bool good = size > 0 && memchr(text, '\0', size) == NULL;
    json_t *value = good ? json_loadb(text, size, flags, NULL) : NULL;
    fuzz_arena_end();
    return value;
}

void *fuzz_alloc(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    EXPECT(memory != NULL);
    return memory;
}
