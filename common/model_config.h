/* model_config.h: what config.json and generation_config.json say, checked against what this code implements.
 * Introduced in chapter 6. */
#ifndef COMMON_MODEL_CONFIG_H
#define COMMON_MODEL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

struct model_config {
    int d_model;  /* hidden_size */
    int d_ff;     /* intermediate_size */
    int n_layers; /* num_hidden_layers */
    int n_heads;  /* num_attention_heads */
    int n_kv_heads; /* num_key_value_heads; null: n_heads; absent: 32, the default of transformers' Qwen2Config */
    int head_dim;        /* head_dim; null or absent: d_model / n_heads */
    int vocab_size;      /* vocab_size */
    int max_seq_len;     /* max_position_embeddings */
    double rope_theta;   /* rope_theta, or rope_parameters.rope_theta; absent: 10000 */
    double rms_norm_eps; /* rms_norm_eps */
    bool tied_head;      /* tie_word_embeddings: the head is the embedding matrix */
};

/* Reads <folder>/config.json. Anything that would make the forward pass another function (another architecture, rope
 * scaling, a sliding window in use, quantised weights, another activation) is STATUS_UNSUPPORTED with the reason. Keys
 * that change nothing here are ignored. errors: STATUS_IO, STATUS_FORMAT, STATUS_UNSUPPORTED, STATUS_NO_MEMORY. */
enum status model_config_load(struct model_config *config, const char *folder, struct error *error);
/* The same for the file's bytes; name stands for the path in messages. */
enum status model_config_parse(struct model_config *config, const char *bytes, size_t size, const char *name,
                               struct error *error);

enum { MAX_END_IDS = 16 };

/* How to sample, and when to stop. */
struct generation_config {
    bool do_sample;               /* absent or false: greedy */
    double temperature;           /* absent: 1; 0 counts as do_sample false */
    int top_k;                    /* absent: 50, the default of transformers; 0: off */
    double top_p;                 /* absent: 1 */
    double repetition_penalty;    /* absent: 1 */
    int32_t end_ids[MAX_END_IDS]; /* eos_token_id: one id or a list; absent: config.json's */
    int n_end_ids;
};

/* Reads <folder>/generation_config.json; a missing file gives the defaults above and config.json's end ids. Other ways
 * to choose tokens that the file may ask for (beams, min_p, …) are STATUS_UNSUPPORTED. */
enum status generation_config_load(struct generation_config *config, const char *folder, struct error *error);

bool generation_config_is_end(const struct generation_config *config, int32_t id);

#endif
