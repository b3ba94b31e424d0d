/* Exercise 6.10: find the fault in what streams characters
 *
 * A token stands for bytes, and a character may be split over several tokens. What may be printed so far? Gives the number
 * of bytes of text that are complete characters; an unfinished character at the end has to wait for the next token.
 *
 *     first byte   0x00-0x7F: alone    0xC2-0xDF: of 2    0xE0-0xEF: of 3    0xF0-0xF4: of 4    0x80-0xBF: a later byte
 *
 * text   [n], UTF-8 without faults, n 0 or more; it may end anywhere
 *
 * By hand: text = {0x61, 0xC3}, "a" and the first of two bytes. 1 may be printed. With 0xA9 behind it ("aé"): 3.
 *
 * ONE fault is planted below. What was seen: most text streams well, Chinese too, but emoji come out as broken marks:
 * of F0 9F 98 80 three bytes are printed as soon as they are there.
 *
 * Check it with:  make exercise EX=6.10 */
#include "exercises.h"

int printable_bytes(const uint8_t *text, int n)
{
    EXERCISE_TODO("find the fault, fix it, then delete this line");
    int start = n; /* of the last character */
    while (start > 0 && (text[start - 1] & 0xC0) == 0x80) {
        start--;
    }
    if (start == 0) {
        return 0;
    }
    start--;
    int length = text[start] < 0x80 ? 1 : text[start] < 0xE0 ? 2 : 3;
    return n - start >= length ? n : start;
}
