/* difference.h: where a broken model begins to differ from the healthy one. Both read the same tokens in one pass and so
 * call the same operations in the same order; results are the same bits until the fault. */
#ifndef CHAPTER6_DIFFERENCE_H
#define CHAPTER6_DIFFERENCE_H

#include "chapter6.h"

enum { DIFFERENCE_TOKENS = 64, DIFFERENCE_TURNS = 4 };

struct difference {
    int n_tokens; /* of the prompt that were read, at most DIFFERENCE_TOKENS */
    double *healthy_norm,
        *norm;  /* [n_layers + 2], owned: of the last token's embedding, after each layer, normed */
    bool found; /* the rest: of the first operation with another value */
    char operation[32];
    int layer, first_token;
    double largest; /* |difference| of two values */
    double length;  /* of all values there, in lengths of the healthy ones */
    int n_turns;    /* 0 unless they are queries, keys or values: of tokens 0, 1, 2, … */
    double pair_length[DIFFERENCE_TURNS]; /* the first pair of head 0, in lengths of the healthy one */
    double pair_angle[DIFFERENCE_TURNS];  /* radians from the healthy one */
};

/* Of the session's model and fault, on its prompt. errors: STATUS_NO_MEMORY. */
enum status difference_measure(struct difference *difference, const struct session *session,
                               struct error *error);
void difference_free(struct difference *difference); /* also of a zeroed struct */

#endif
