#include "tests/support/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

static const char *build_folder(void)
{
    const char *build = getenv("BUILD");
    return build != NULL && build[0] != '\0' ? build : "build";
}

const char *qwen_tokenizer_folder(void)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/qwen2.5-tokenizer", build_folder());
    return path;
}

static void print_ids(char *out, size_t size, const int32_t *id, size_t n)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < n && used + 12 < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%d", i > 0 ? "," : "", (int)id[i]);
    }
}

void assert_ids_at(const char *file, int line, const char *text, const int32_t *got, size_t n_got,
                   const int32_t *expected, size_t n_expected)
{
    if (n_got == n_expected && (n_got == 0 || memcmp(got, expected, n_got * sizeof *got) == 0)) {
        return;
    }
    char got_text[600], expected_text[600];
    print_ids(got_text, sizeof got_text, got, n_got);
    print_ids(expected_text, sizeof expected_text, expected, n_expected);
    ck_abort_msg("%s:%d: \"%.200s\": got %zu ids [%s], expected %zu [%s]", file, line, text, n_got, got_text,
                 n_expected, expected_text);
}

void each_golden_line(const char *file, int n_expected, void (*compare)(const char *line, size_t size))
{
    size_t size;
    char *text = read_bytes(golden_path(file), &size), *at = text;
    const char *slash = strrchr(file, '/');
    int number = 0;
    for (char *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        compare(at, (size_t)(end - at));
        char item[16];
        snprintf(item, sizeof item, "%d", ++number);
        golden_mark(slash != NULL ? slash + 1 : file, item);
    }
    free(text);
    ck_assert_int_eq(number, n_expected);
}

void spell_byte(char out[3], int byte)
{
    int others = 0, character = byte;
    for (int b = 0; b <= byte; b++) {
        int printable = (b > 32 && b < 127) || (b > 160 && b != 173);
        character = printable ? b : 256 + others++;
    }
    int n = 0;
    if (character >= 0x80) {
        out[n++] = (char)(0xc0 | character >> 6);
        character = 0x80 | (character & 0x3f);
    }
    out[n++] = (char)character;
    out[n] = '\0';
}

static const char before_vocabulary[] =
    "{\"version\": \"1.0\", \"truncation\": null, \"padding\": null, \"added_tokens\": ["
    "{\"id\": 260, \"content\": \"<|im_start|>\", \"single_word\": false, \"lstrip\": false, \"rstrip\": "
    "false, "
    "\"normalized\": false, \"special\": true}, {\"id\": 261, \"content\": \"<|im_end|>\", \"special\": "
    "true}, "
    "{\"id\": 262, \"content\": \"<note>\", \"special\": false}], \"normalizer\": {\"type\": \"NFC\"}, "
    "\"pre_tokenizer\": {\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"Split\", \"pattern\": "
    "{\"Regex\": "
    "\"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?\\\\p{L}+|\\\\p{N}| "
    "?[^\\\\s\\\\p{L}\\\\p{N}]+"
    "[\\\\r\\\\n]*|\\\\s*[\\\\r\\\\n]+|\\\\s+(?!\\\\S)|\\\\s+\"}, \"behavior\": \"Isolated\", \"invert\": "
    "false}, "
    "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"trim_offsets\": false, \"use_regex\": "
    "false}]}, "
    "\"post_processor\": {\"type\": \"ByteLevel\"}, \"decoder\": {\"type\": \"ByteLevel\"}, "
    "\"model\": {\"type\": \"BPE\", \"dropout\": null, \"unk_token\": null, \"continuing_subword_prefix\": "
    "\"\", "
    "\"end_of_word_suffix\": \"\", \"fuse_unk\": false, \"byte_fallback\": false, \"ignore_merges\": false, "
    "\"vocab\": {";
static const char after_bytes[] = "\"he\": 256, \"\u0120t\": 257, \"\u0120the\": 258, \"ll\": 259}, "
                                  "\"merges\": [\"h e\", \"\u0120 t\", \"\u0120t he\", \"l l\"]}}";

static char *put(char *out, const char *text)
{
    while (*text != '\0') {
        *out++ = *text++;
    }
    *out = '\0';
    return out;
}

char *small_tokenizer(const char *from, const char *to)
{
    size_t size = sizeof before_vocabulary + sizeof after_bytes + (size_t)256 * 16;
    char *text = test_alloc(size), *end = put(text, before_vocabulary);
    for (int byte = 0; byte < 256; byte++) {
        char spelling[3];
        spell_byte(spelling, byte);
        const char *escape = byte == '"' || byte == '\\' ? "\\" : "";
        end += snprintf(end, 16, "\"%s%s\": %d, ", escape, spelling, byte);
    }
    put(end, after_bytes);
    if (from == NULL) {
        return text;
    }
    char *place = strstr(text, from);
    ck_assert_msg(place != NULL, "the small tokenizer has no %s", from);
    char *changed = test_alloc(size + strlen(to));
    *place = '\0';
    put(put(put(changed, text), to), place + strlen(from));
    free(text);
    return changed;
}
