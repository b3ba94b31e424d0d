/* hook.h: lets a caller see, or change, the values between the operations of a layer.
 * Introduced in chapter 4.
 *
 * A layer calls the hook after each named operation with the values in place. A hook that only looks prints a trace or
 * records shapes; one that writes takes a part out (chapter 6 breaks a trained model that way). The names are those of
 * the modules in transformers where there is one: "q_proj", "mlp.gate_proj". Without a hook nothing is called. */
#ifndef COMMON_HOOK_H
#define COMMON_HOOK_H

#include <stdbool.h>
#include <stddef.h>

struct hook {
    /* values: n_rows rows of n_cols, row r at values + r * stride; layer from 0, -1 outside any layer. */
    void (*call)(void *context, const char *operation, int layer, float *values, int n_rows, int n_cols,
                 size_t stride);
    void *context;
    /* Whether it also wants "attention.weights", whose size grows with the square of the text. */
    bool attention_weights;
};

/* hook may be NULL. */
void hook_call(const struct hook *hook, const char *operation, int layer, float *values, int n_rows,
               int n_cols, size_t stride);

#endif
