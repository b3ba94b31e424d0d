#include "common/nfc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "common/require.h"
#include "common/utf8.h"

/* Blocks (and parts of them) in which every character, assigned or not, is of combining class 0, has no canonical
 * decomposition and is never the second of a composition. */
static const int32_t trivial[][2] = {
    {0x0000, 0x02ff},   /* Latin, the precomposed letters included: they are form C already */
    {0x0400, 0x0482},   /* Cyrillic */
    {0x2010, 0x2027},   /* dashes, quotation marks, the ellipsis */
    {0x3001, 0x3029},   /* CJK punctuation */
    {0x3041, 0x3096},   /* Hiragana */
    {0x309d, 0x30ff},   /* Katakana */
    {0x3400, 0x9fff},   /* CJK ideographs */
    {0xac00, 0xd7a3},   /* Hangul syllables */
    {0xff00, 0xffef},   /* full-width forms */
    {0x1f300, 0x1faff}, /* pictographs */
};

bool nfc_is_trivial(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        if ((unsigned char)text[at] < 0x80) {
            at++;
            continue;
        }
        int32_t code_point;
        at += (size_t)utf8_read(text + at, size - at, &code_point);
        size_t block = 0;
        while (block < sizeof trivial / sizeof trivial[0] && code_point > trivial[block][1]) {
            block++;
        }
        if (block == sizeof trivial / sizeof trivial[0] || code_point < trivial[block][0]) {
            return false;
        }
    }
    return true;
}

struct characters {
    int32_t *code_point;
    size_t n, capacity;
};

/* The longest canonical decomposition is 4 characters (Unicode 9 to 16); utf8proc says when one is longer. */
enum { ROOM = 32 };

static enum status decompose(struct characters *list, const char *text, size_t size, struct error *error)
{
    for (size_t at = 0; at < size;) {
        if (list->capacity - list->n < ROOM) {
            size_t wanted = 2 * list->capacity + ROOM;
            size_t bytes = checked_product(wanted, sizeof *list->code_point);
            int32_t *grown = realloc(list->code_point, bytes);
            if (grown == NULL) {
                return error_no_memory(error, "normalization", bytes);
            }
            list->code_point = grown;
            list->capacity = wanted;
        }
        int32_t code_point;
        at += (size_t)utf8_read(text + at, size - at, &code_point);
        int boundary = 0;
        utf8proc_ssize_t n = utf8proc_decompose_char(code_point, list->code_point + list->n, ROOM,
                                                     UTF8PROC_DECOMPOSE | UTF8PROC_STABLE, &boundary);
        if (n < 0 || n > ROOM) {
            return error_set(error, STATUS_UNSUPPORTED, "U+%04X: %s", (unsigned)code_point,
                             n < 0 ? utf8proc_errmsg(n) : "a decomposition too long to be one");
        }
        list->n += (size_t)n;
    }
    return STATUS_OK;
}

static int combining_class(int32_t code_point)
{
    return utf8proc_get_property(code_point)->combining_class;
}

/* Puts a run of marks in the order of their class, equal ones as they stood: a counting sort, because a text may be one
 * letter with a million marks. scratch: n code points. */
static void sort_marks(int32_t *mark, size_t n, int32_t *scratch)
{
    size_t start[257] = {0};
    for (size_t i = 0; i < n; i++) {
        start[combining_class(mark[i]) + 1]++;
    }
    for (int c = 0; c < 256; c++) {
        start[c + 1] += start[c];
    }
    for (size_t i = 0; i < n; i++) {
        scratch[start[combining_class(mark[i])]++] = mark[i];
    }
    memcpy(mark, scratch, n * sizeof *mark);
}

/* Sorts every run of marks that is out of order. */
static enum status reorder(struct characters *list, struct error *error)
{
    int32_t *scratch = NULL;
    for (size_t at = 0; at < list->n;) {
        size_t end = at;
        bool ordered = true;
        int last = 0, next;
        while (end < list->n && (next = combining_class(list->code_point[end])) != 0) {
            ordered = ordered && next >= last;
            last = next;
            end++;
        }
        if (!ordered) {
            size_t bytes = list->n * sizeof *scratch;
            if (scratch == NULL && (scratch = malloc(bytes)) == NULL) {
                return error_no_memory(error, "normalization", bytes);
            }
            sort_marks(list->code_point + at, end - at, scratch);
        }
        at = end > at ? end : at + 1;
    }
    free(scratch);
    return STATUS_OK;
}

static enum status compose(struct characters *list, char **out, size_t *out_size, struct error *error)
{
    utf8proc_ssize_t n = utf8proc_normalize_utf32(list->code_point, (utf8proc_ssize_t)list->n,
                                                  UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    if (n < 0) {
        return error_set(error, STATUS_UNSUPPORTED, "normalization: %s", utf8proc_errmsg(n));
    }
    size_t bytes = checked_product((size_t)n, 4);
    char *text = malloc(bytes > 0 ? bytes : 1);
    if (text == NULL) {
        return error_no_memory(error, "normalization", bytes);
    }
    REQUIRE(n == 0 || list->code_point != NULL);
    size_t used = 0;
    for (utf8proc_ssize_t i = 0; i < n; i++) {
        used += (size_t)utf8proc_encode_char(list->code_point[i], (utf8proc_uint8_t *)text + used);
    }
    *out = text;
    *out_size = used;
    return STATUS_OK;
}

enum status nfc_normalize(char **out, size_t *out_size, const char *text, size_t size, struct error *error)
{
    struct characters list = {0};
    enum status status = decompose(&list, text, size, error);
    if (status == STATUS_OK) {
        status = reorder(&list, error);
    }
    if (status == STATUS_OK) {
        status = compose(&list, out, out_size, error);
    }
    free(list.code_point);
    return status;
}
