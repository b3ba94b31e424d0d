#include "common/text_stream.h"

#include <string.h>

#include "common/utf8.h"

size_t text_stream_push(struct text_stream *stream, const char *piece, size_t length, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        stream->held[stream->n_held++] = piece[i];
        /* At most twice: a byte that does not continue what is held may begin the next character. */
        while (stream->n_held > 0) {
            int32_t code_point;
            int used = utf8_read(stream->held, (size_t)stream->n_held, &code_point);
            if (code_point == UTF8_UNFINISHED) {
                break;
            }
            if (code_point == UTF8_INVALID) {
                n += (size_t)utf8_write(out + n, UTF8_REPLACEMENT);
            } else {
                memcpy(out + n, stream->held, (size_t)used);
                n += (size_t)used;
            }
            stream->n_held -= used;
            memmove(stream->held, stream->held + used, (size_t)stream->n_held);
        }
    }
    return n;
}

size_t text_stream_end(struct text_stream *stream, char *out)
{
    size_t n = stream->n_held > 0 ? (size_t)utf8_write(out, UTF8_REPLACEMENT) : 0;
    stream->n_held = 0;
    return n;
}
