#include "common/status.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/require.h"

static void keep_on_one_line(char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f) {
            *text = '?';
        }
    }
}

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        keep_on_one_line(error->message);
    }
    return status;
}

enum status error_in(struct error *error, const char *where)
{
    REQUIRE(error != NULL);
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    return error_set(error, error->status, "%s: %s", where, message);
}

size_t checked_product(size_t count, size_t size)
{
    return size != 0 && count > SIZE_MAX / size ? SIZE_MAX : count * size;
}
