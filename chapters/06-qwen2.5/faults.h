/* faults.h: ways to break a trained model, one part at a time, without touching the code that runs it: other views of
 * the weights, another rotation table or pair layout, another mask, or a hook that changes values between operations.
 * Each is a mistake that someone has made, or a part that one may think superfluous. */
#ifndef CHAPTER6_FAULTS_H
#define CHAPTER6_FAULTS_H

#include "reader.h"

struct broken;

enum { EVERY_LAYER = -1 };

struct fault {
    const char *name;
    const char *what;                                                   /* one short line for the table */
    enum status (*prepare)(struct broken *broken, struct error *error); /* or NULL */
    void (*change)(struct broken *broken, const char *operation, int layer, float *values, int n_rows,
                   int n_cols, size_t stride); /* or NULL */
    /* An operation whose values are changed only to bring about what the next operation would have got wrong: whoever
     * watches sees them unchanged. NULL: none. */
    const char *means;
};

/* A fault, and the layer that has it, from 0, or EVERY_LAYER. A fault of the rotation table, the mask or the positions
 * is in every layer always. */
struct fault_place {
    const struct fault *fault;
    int layer;
};

/* All end with name NULL. */
extern const struct fault faults_of_rotation[];
extern const struct fault faults_of_the_layer[];
/* Not among those of fault_at: as hooks, so that one layer can have them, and one that is only there in decode. */
extern const struct fault faults_of_mysteries[];

/* The i-th of all faults, the first of which is none at all; NULL after the last. */
const struct fault *fault_at(int i);

/* A model with a fault, ready to read text. */
struct broken {
    struct fault_place place;
    struct qwen2 model; /* views of the trained model's weights; layers is a copy of its own */
    struct reader reader;
    struct hook hook;
    const struct hook *watcher; /* or NULL; see broken_watch */
    struct rope_table backwards;
    uint8_t *mask;
    float *norm_input; /* [max_tokens, d_model]: a copy of what the next norm is computed from */
};

/* max_tokens, capacity: as in reader_init. errors: STATUS_NO_MEMORY. broken must not move afterwards. */
enum status broken_init(struct broken *broken, const struct qwen2 *model, struct fault_place place,
                        int max_tokens, int capacity, struct error *error);
/* From now on watcher (borrowed) is called after every operation and after the fault. */
void broken_watch(struct broken *broken, const struct hook *watcher);
void broken_free(struct broken *broken); /* also of a zeroed struct */

#endif
