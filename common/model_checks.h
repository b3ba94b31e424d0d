/* model_checks.h: is config.json's model one that this code runs? What is not implemented is refused, never run wrongly.
 * Introduced in chapter 6.
 *
 * root is the parsed config.json, file its path for messages. errors: STATUS_UNSUPPORTED for another model,
 * STATUS_FORMAT for values that make no sense. Keys as in transformers, models/qwen2/configuration_qwen2.py. */
#ifndef COMMON_MODEL_CHECKS_H
#define COMMON_MODEL_CHECKS_H

#include "common/json.h"
#include "common/status.h"

/* model_type, architectures (may be absent), hidden_act; no quantised weights, no dual chunk attention, no program of
 * the model's own, causal. */
enum status model_check_architecture(const json_t *root, const char *file, struct error *error);

/* A sliding window is refused where a layer would use it; one that is switched off is ignored. */
enum status model_check_window(const json_t *root, const char *file, int n_layers, struct error *error);

/* theta from rope_theta, rope_parameters or rope_scaling (10000 when none has it; all that have it must agree). Any
 * scaling in either spelling (type, rope_type) is refused. */
enum status model_read_rope(const json_t *root, const char *file, double *theta, struct error *error);

#endif
