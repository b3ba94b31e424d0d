/* The walk over JSON in place, compared with jansson. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_scan.h"
#include "tests/fuzz/fuzz.h"

static bool at_end(struct json_scan scan)
{
    while (scan.at < scan.end && strchr(" \t\r\n", *scan.at) != NULL && *scan.at != '\0') {
        scan.at++;
    }
    return scan.at == scan.end;
}

void fuzz_json_scan(const uint8_t *data, size_t size)
{
    const char *text = size > 0 ? (const char *)data : "";
    const struct json_scan start = {text, text + size};
    json_t *value = fuzz_json(text, size);
    char *out = fuzz_alloc(size);
    size_t length = 0;
    int64_t number = 0;

    struct json_scan scan = start;
    bool is_string = json_scan_string(&scan, out, &length) && at_end(scan);
    EXPECT(is_string == json_is_string(value));
    EXPECT(!is_string ||
           (length == json_string_length(value) && memcmp(out, json_string_value(value), length) == 0));

    scan = start;
    if (json_scan_number(&scan, &number) && at_end(scan)) {
        EXPECT(json_is_integer(value) && json_integer_value(value) == number);
    } else {
        EXPECT(!json_is_integer(value) || json_integer_value(value) < 0 ||
               json_integer_value(value) >= 1000000000000000 || memchr(text, '-', size) != NULL);
    }

    scan = start;
    if (value != NULL) {
        EXPECT(json_scan_skip(&scan) && at_end(scan));
    } else {
        (void)json_scan_skip(&scan);
    }

    scan = start;
    if (json_scan_member(&scan, "vocab")) {
        EXPECT(scan.at <= scan.end);
        EXPECT(!json_is_object(value) || json_object_get(value, "vocab") != NULL);
    } else {
        EXPECT(json_object_get(value, "vocab") == NULL || memchr(text, '\\', size) != NULL);
    }
    free(out);
}
