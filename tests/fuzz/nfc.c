/* Repair of bytes that are no UTF-8, and normalization form C, compared with utf8proc. */
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "common/nfc.h"
#include "common/text_stream.h"
#include "common/utf8.h"
#include "tests/fuzz/fuzz.h"

static bool valid_by_utf8proc(const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        utf8proc_int32_t code_point = 0;
        utf8proc_ssize_t used =
            utf8proc_iterate((const utf8proc_uint8_t *)text + at, (utf8proc_ssize_t)(size - at), &code_point);
        if (used <= 0) {
            return false;
        }
        at += (size_t)used;
    }
    return true;
}

static void compare_with_utf8proc(const char *got, size_t got_size, const char *text, size_t size)
{
    utf8proc_uint8_t *expected = NULL;
    utf8proc_ssize_t length = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)size, &expected,
                                           UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    EXPECT(length >= 0 && (size_t)length == got_size);
    EXPECT(got_size == 0 || memcmp(got, expected, got_size) == 0);
    free(expected);
}

void fuzz_nfc(const uint8_t *data, size_t size)
{
    const char *text = size > 0 ? (const char *)data : "";
    struct error error = {STATUS_OK, ""};
    char *repaired = NULL;
    char *normal = NULL;
    size_t repaired_size = 0;
    size_t normal_size = 0;
    EXPECT(utf8_is_valid(text, size) == valid_by_utf8proc(text, size));
    EXPECT(utf8_repair(&repaired, &repaired_size, text, size, &error) == STATUS_OK);
    EXPECT(valid_by_utf8proc(repaired, repaired_size));
    EXPECT(!utf8_is_valid(text, size) || (repaired_size == size && memcmp(repaired, text, size) == 0));

    struct text_stream stream = {{0}, 0};
    char *streamed = fuzz_alloc(3 * size + 9);
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        n += text_stream_push(&stream, text + i, 1, streamed + n);
    }
    n += text_stream_end(&stream, streamed + n);
    EXPECT(n == repaired_size && memcmp(streamed, repaired, n) == 0);
    free(streamed);

    EXPECT(nfc_normalize(&normal, &normal_size, repaired, repaired_size, &error) == STATUS_OK);
    compare_with_utf8proc(normal, normal_size, repaired, repaired_size);
    EXPECT(!nfc_is_trivial(repaired, repaired_size) ||
           (normal_size == repaired_size && memcmp(normal, repaired, normal_size) == 0));
    free(normal);
    free(repaired);
}
