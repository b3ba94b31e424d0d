/* faults.h: ways to break a trained model, one part at a time, without touching the code that runs it: other views of
 * the weights, another rotation table or pair layout, another mask, or a hook that changes values between operations.
 * Each is a mistake that someone has made, or a part that one may think superfluous. */
#ifndef CHAPTER6_FAULTS_H
#define CHAPTER6_FAULTS_H

#include "reader.h"

struct broken;

struct fault {
    const char *name;
    const char *what;                                                   /* one short line for the table */
    enum status (*prepare)(struct broken *broken, struct error *error); /* or NULL */
    void (*change)(struct broken *broken, const char *operation, int layer, float *values, int n_rows,
                   int n_cols, size_t stride); /* or NULL */
};

/* Both end with name NULL. */
extern const struct fault faults_of_rotation[];
extern const struct fault faults_of_the_layer[];

/* The i-th of all faults, the first of which is none at all; NULL after the last. */
const struct fault *fault_at(int i);

/* A model with a fault, ready to read windows of text. */
struct broken {
    const struct fault *fault;
    struct qwen2 model; /* views of the trained model's weights; layers is a copy of its own */
    struct reader reader;
    struct hook hook;
    struct rope_table backwards;
    uint8_t *mask;
    float *norm_input; /* [window, d_model]: a copy of what the next norm is computed from */
};

/* window: the longest text, read in one pass. errors: STATUS_NO_MEMORY. broken must not move afterwards. */
enum status broken_init(struct broken *broken, const struct qwen2 *model, const struct fault *fault,
                        int window, struct error *error);
void broken_free(struct broken *broken); /* also of a zeroed struct */

#endif
