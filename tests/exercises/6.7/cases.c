#include "child.h"
#include "exercises.h"

enum { ROOM = 32 }; /* of drawn: who draws a few too many must not read beyond it */

/* drawn goes on with the id 9 after the ids given. */
static void one(const char *name, const int *first, int n_first, int n_prompt, int max_new, int capacity,
                const int *end_ids, int n_end_ids)
{
    int drawn[ROOM];
    for (int i = 0; i < ROOM; i++) {
        drawn[i] = i < n_first ? first[i] : 9;
    }
    ex_case(name);
    ex_int("capacity", capacity);
    ex_int("n_prompt", n_prompt);
    ex_int("max_new", max_new);
    ex_ints("drawn", drawn, max_new);
    ex_ints("end_ids", end_ids, n_end_ids);
    int *reason = ex_out_ints("reason", 1);
    ex_result_int("reported",
                  tokens_until_stop(reason, drawn, n_prompt, max_new, capacity, end_ids, n_end_ids));
    ex_end();
}

void exercise_cases(void)
{
    static const int qwen[] = {151645, 151643}; /* <|im_end|>, <|endoftext|> */
    one("the example: the cache gets full", (const int[]){5, 6, 7}, 3, 6, 10, 8, qwen, 2);
    one("an end token", (const int[]){5, 6, 151645}, 3, 4, 10, 32, qwen, 2);
    one("the other end token", (const int[]){5, 151643, 6, 151645}, 4, 4, 10, 32, qwen, 2);
    one("an end token at once", (const int[]){151645, 5, 6, 151645}, 4, 3, 10, 32, qwen, 2);
    one("as many as asked for", (const int[]){5, 6, 7}, 3, 4, 3, 32, qwen, 2);
    one("no end tokens", (const int[]){151645, 5, 6}, 3, 4, 5, 32, qwen, 0);
    one("a prompt that fills the cache", (const int[]){5, 6}, 2, 8, 5, 8, qwen, 2);
    one("the prompt is too long", (const int[]){5, 6}, 2, 9, 5, 8, qwen, 2);
    one("an empty prompt", (const int[]){5, 6}, 2, 0, 5, 8, qwen, 2);
    one("nothing asked for", (const int[]){5, 6}, 2, 4, 0, 8, qwen, 2);
    one("length and full at once", (const int[]){5, 6, 7}, 3, 6, 3, 8, qwen, 2);
}
