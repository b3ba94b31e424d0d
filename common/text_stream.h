/* text_stream.h: pieces of text that may end inside a character, joined into text a person can read.
 * Introduced in chapter 6.
 *
 * A token stands for bytes, and a character may be split over several tokens: U+1FAE8 is F0 9F | AB | A8 in Qwen's
 * vocabulary. Bytes of a character are held back until it is complete; what can never become one is given as U+FFFD, one
 * for each maximal part (utf8.h). */
#ifndef COMMON_TEXT_STREAM_H
#define COMMON_TEXT_STREAM_H

#include <stddef.h>

/* Zero it first. */
struct text_stream {
    char held[4]; /* the beginning of a character */
    int n_held;
};

/* Writes the text that is complete now to out and returns its length. out must hold 3 * length + 9 bytes: each byte,
 * and each one held, may become a U+FFFD. */
size_t text_stream_push(struct text_stream *stream, const char *piece, size_t length, char *out);

/* At the end: what is still held is one U+FFFD. out must hold 3 bytes. */
size_t text_stream_end(struct text_stream *stream, char *out);

#endif
