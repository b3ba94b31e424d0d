/* text.h: what the judge says, in English and Chinese, and an exercise's own messages. */
#ifndef EXERCISES_TEXT_H
#define EXERCISES_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum language { ENGLISH, CHINESE };

/* EX_LANG=zh|en, else LC_ALL, LC_MESSAGES or LANG beginning with zh. */
enum language text_language(void);

enum text {
    TEXT_DONE,
    TEXT_NOT_STARTED,
    TEXT_WRONG,
    TEXT_CRASH,
    TEXT_TIMEOUT,
    TEXT_TOO_MUCH,
    TEXT_BUILD_FAILED,
    TEXT_CANNOT_CHECK,
    TEXT_CASE,
    TEXT_CASES_RIGHT,
    TEXT_INPUT,
    TEXT_OUTPUT,
    TEXT_EXPECTED,
    TEXT_GOT,
    TEXT_FIRST_DIFFERENCE,
    TEXT_UNWRITTEN,
    TEXT_RIGHT_IS,
    TEXT_SEE,
    TEXT_AGAIN,
    TEXT_HINT,
    TEXT_WARNINGS,
    TEXT_PRINTED,
    TEXT_WROTE_BEFORE,
    TEXT_WROTE_AFTER,
    TEXT_NO_CASE,
    TEXT_SIGNAL,
    TEXT_AT_LINE,
    TEXT_TIME_OVER,
    TEXT_OUTPUT_OVER,
    TEXT_LEFT_EARLY,
    TEXT_CHANNEL,
    TEXT_TRUE_ABOUT,
    TEXT_BEGIN,
    /* properties: true statements about a wrong output */
    TEXT_P_UNWRITTEN,
    TEXT_P_NAN,
    TEXT_P_INFINITE,
    TEXT_P_CONSTANT,
    TEXT_P_INPUT,
    TEXT_P_FIRST_HALF,
    TEXT_P_SECOND_HALF,
    TEXT_P_EVEN,
    TEXT_P_ODD,
    TEXT_P_SIGN,
    TEXT_P_MAGNITUDE,
    TEXT_P_FACTOR,
    TEXT_P_OFFSET,
    TEXT_P_REVERSED,
    TEXT_P_SHIFTED,
    TEXT_P_ORDER,
    TEXT_P_NORM,
    TEXT_P_NORM_NOT,
    TEXT_P_ONLY_CASE,
    TEXT_P_CLOSE,
    TEXT_P_ELEMENTS,
    TEXT_COUNT
};

/* A format for printf or a plain text; both languages take the same arguments in the same order. */
const char *text(enum language language, enum text which);

/* One message of an exercise's messages.tsv: name, language, what you did, what is right, section. */
struct message {
    char did[512], right[512], section[256];
};
/* False when there is no such line. */
bool text_message(struct message *message, const char *path, const char *name, enum language language);

#endif
