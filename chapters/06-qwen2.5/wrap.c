/* wrap.c: see wrap.h. */
#include "wrap.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8proc.h>

#include "common/utf8.h"

struct wrap wrap_to(FILE *out)
{
    struct wrap wrap = {.out = out};
    if (isatty(fileno(out))) {
        struct winsize size = {.ws_col = 0};
        wrap.columns = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    }
    return wrap;
}

void wrap_end(struct wrap *wrap)
{
    if (wrap->length == 0) {
        return;
    }
    if (wrap->column > 0 && wrap->column + wrap->n_spaces + wrap->width > wrap->columns) {
        fputc('\n', wrap->out);
        wrap->column = 0;
    } else {
        fprintf(wrap->out, "%*s", wrap->n_spaces, "");
        wrap->column += wrap->n_spaces;
    }
    fwrite(wrap->word, 1, wrap->length, wrap->out);
    wrap->column += wrap->width;
    wrap->n_spaces = wrap->width = 0;
    wrap->length = 0;
}

void wrap_write(struct wrap *wrap, const char *text, size_t length)
{
    if (wrap->columns == 0) {
        fwrite(text, 1, length, wrap->out);
        return;
    }
    for (size_t i = 0; i < length;) {
        int32_t character = 0;
        size_t n = (size_t)utf8_read(text + i, length - i, &character);
        int width = character < 0 ? 1 : utf8proc_charwidth(character);
        bool space = character == ' ' || character == '\n';
        if (wrap->length + n > sizeof wrap->word || (space && wrap->length > 0)) {
            wrap_end(wrap);
        }
        if (character == ' ') {
            wrap->n_spaces++;
        } else if (character == '\n') {
            wrap->n_spaces = wrap->column = 0;
            fputc('\n', wrap->out);
        } else {
            memcpy(wrap->word + wrap->length, text + i, n);
            wrap->length += n;
            wrap->width += width;
        }
        if (width > 1) { /* scripts that write no spaces break after any character */
            wrap_end(wrap);
        }
        i += n;
    }
}
