#include "common/splitter.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/split_ascii.h"

static const char qwen2_regex[] = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
                                  "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+"
                                  "|\\p{N}"
                                  "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*"
                                  "|\\s*[\\r\\n]+"
                                  "|\\s+(?!\\S)"
                                  "|\\s+";

/* Unicode's White_Space, inside a class: tab to carriage return, U+0085, and the separators Z. */
static const char white_space[] = "\\t-\\r\\x{85}\\p{Z}";

struct splitter {
    pcre2_code *code;
    pcre2_match_context *context;
};

static char *append(char *out, const char *text)
{
    while (*text != '\0') {
        *out++ = *text++;
    }
    return out;
}

/* The regex with \s and \S spelled out. out must hold 12 times as many bytes. */
static void spell_out(char *out, const char *regex)
{
    bool in_class = false;
    for (const char *at = regex; *at != '\0'; at++) {
        if (at[0] == '\\' && (at[1] == 's' || at[1] == 'S')) {
            out = append(out, in_class ? "" : at[1] == 's' ? "[" : "[^");
            out = append(out, white_space);
            out = append(out, in_class ? "" : "]");
            at++;
        } else if (at[0] == '\\') {
            *out++ = *at++;
            *out++ = *at;
        } else {
            in_class = at[0] == '[' || (in_class && at[0] != ']');
            *out++ = *at;
        }
    }
    *out = '\0';
}

enum status splitter_init(struct splitter **splitter, const char *regex, struct error *error)
{
    if (strcmp(regex, qwen2_regex) != 0) {
        return error_set(error, STATUS_UNSUPPORTED, "expected Qwen2's split regex, found %.200s", regex);
    }
    char spelled[12 * sizeof qwen2_regex];
    spell_out(spelled, regex);
    struct splitter *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return error_no_memory(error, "split regex", sizeof *made);
    }
    int code;
    PCRE2_SIZE offset;
    made->code = pcre2_compile((PCRE2_SPTR)spelled, PCRE2_ZERO_TERMINATED,
                               PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED, &code, &offset, NULL);
    made->context = pcre2_match_context_create(NULL);
    if (made->code == NULL || made->context == NULL) {
        splitter_free(made);
        return error_set(error, STATUS_NO_MEMORY, "split regex: PCRE2 could not compile it");
    }
    /* Without the compiler to machine code (some systems forbid it) PCRE2 interprets: slower, the same matches. */
    (void)pcre2_jit_compile(made->code, PCRE2_JIT_COMPLETE);
    /* The limits guard against patterns that explode. This one backtracks over one run of one class at most, so a long
     * run needs many steps but no deep stack. */
    (void)pcre2_set_match_limit(made->context, UINT32_MAX);
    *splitter = made;
    return STATUS_OK;
}

void splitter_free(struct splitter *splitter)
{
    if (splitter != NULL) {
        pcre2_code_free(splitter->code);
        pcre2_match_context_free(splitter->context);
        free(splitter);
    }
}

enum status pretokens_open(struct pretokens *walk, const struct splitter *splitter, const char *text,
                           size_t size, struct error *error)
{
    *walk = (struct pretokens){.splitter = splitter, .text = text, .size = size};
    walk->match = pcre2_match_data_create(1, NULL);
    return walk->match != NULL ? STATUS_OK : error_no_memory(error, "split regex", sizeof(PCRE2_SIZE[2]));
}

void pretokens_close(struct pretokens *walk)
{
    pcre2_match_data_free(walk->match);
    walk->match = NULL;
}

static enum status match_regex(struct pretokens *walk, size_t *length, struct error *error)
{
    /* The text is known to be UTF-8: checking all of it again at each pre-token would make the walk quadratic. */
    int code = pcre2_match(walk->splitter->code, (PCRE2_SPTR)walk->text, walk->size, walk->at,
                           PCRE2_NO_UTF_CHECK, walk->match, walk->splitter->context);
    PCRE2_SIZE end = code > 0 ? pcre2_get_ovector_pointer(walk->match)[1] : walk->at;
    if (end == walk->at) {
        char why[128] = "an empty match";
        if (code <= 0) {
            (void)pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof why);
        }
        return error_set(error, code == PCRE2_ERROR_NOMEMORY ? STATUS_NO_MEMORY : STATUS_LIMIT,
                         "splitting the text at byte %zu: %s", walk->at, why);
    }
    *length = end - walk->at;
    return STATUS_OK;
}

enum status pretokens_next(struct pretokens *walk, const char **start, size_t *length, struct error *error)
{
    *start = walk->text + walk->at;
    *length = 0;
    if (walk->at == walk->size) {
        return STATUS_OK;
    }
    if (!walk->regex_only) {
        *length = split_ascii(*start, walk->size - walk->at);
    }
    enum status status = *length > 0 ? STATUS_OK : match_regex(walk, length, error);
    walk->at += *length;
    return status;
}
