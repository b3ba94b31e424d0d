/* chapter6.h: what the files of this program share: the flags, the opened model, and one function per mode.
 *
 *     main.c         the flags and the tables of steps, data sets and figures
 *     session.c      checks the flags, opens the model;  prompt.c: --prompt, --ids
 *     story.c        the walk-through: tokens, shapes, likeliest next tokens;  tell.c: the story
 *     answer.c       generated tokens as text, flushed and interrupted as a person expects
 *     chat.c         --chat
 *     reader.c       runs a given text through the model: the logits of every token
 *     generator.c    the state of a generation
 *     loss.c         how well the model predicts a text
 *     perplexity.c   --perplexity and --ablate, with the ways to break a model in faults*.c
 *     positions.c    --positions
 *     trace.c        --trace;  check.c: --check;  mystery.c: --mystery
 *     precision.c    --float64, with the model in float64 in exact.c
 *     data.c         --data */
#ifndef CHAPTER6_H
#define CHAPTER6_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/generate.h"
#include "common/qwen2.h"
#include "common/sampler.h"
#include "common/status.h"
#include "common/table.h"
#include "common/tokenizer.h"
#include "faults.h"
#include "wrap.h"

enum {
    PASS_TOKENS = 256,      /* the most tokens that go through the model together */
    DEFAULT_CONTEXT = 4096, /* unless the model was trained on less */
    ABLATION_WINDOWS = 16,  /* of PASS_TOKENS tokens: 4080 that are scored */
    MYSTERIES = 10
};

/* The opened model and what belongs to one run of the program. */
struct session {
    char folder[4096];
    struct qwen2 model;
    struct generation_config generation;
    struct sampler_settings sampling;
    struct tokenizer *tokenizer; /* NULL: none in the folder, and none needed (--ids) */
    struct token_ids prompt;
    int context;              /* tokens of the KV cache */
    struct fault_place fault; /* none but in a mystery */
};

struct settings {
    const char *model, *prompt, *ids, *system;
    bool chat, text, trace, check, ablate, verify, kernels, huge_pages;
    const char *perplexity, *positions, *float64;
    int precision; /* enum matmul_precision */
    bool precision_given;
    int max_new_tokens;
    bool max_new_tokens_given;
    bool greedy;
    double temperature, top_p, repetition_penalty;
    int top_k;
    bool temperature_given, top_k_given, top_p_given, repetition_penalty_given;
    uint64_t seed;
    int context; /* 0: the default */
    int threads, windows;
    int mystery; /* 1 .. MYSTERIES; 0: none */
    bool mystery_given;
    struct session session;
};

/* session.c */
enum status session_open(struct settings *settings, struct error *error);
/* Refuses what a data set would ignore: modes, and a mystery where only the healthy model is read. */
enum status session_check_data(void *settings, const char *name, struct error *error);
void session_close(struct session *session);
/* Fills session.prompt; what every mode that runs it may rely on is checked. */
enum status prompt_read(struct settings *settings, struct error *error);
/* The path of a file of the bundled models, "tiny-stories/held-out.txt". */
enum status bundled_file(char *path, size_t size, const char *name, struct error *error);
/* A token's bytes as a quoted word of at most width columns: "\n" and other controls escaped. Returns columns used. */
int write_piece(FILE *out, const struct session *session, int32_t id);

/* What generating needs beside the model: the activations, the KV cache of the context and the sampler. */
struct generator {
    struct qwen2_run run;
    struct kv_cache cache;
    struct sampler sampler;
};
enum status generator_init(struct generator *generator, const struct settings *settings, struct error *error);
void generator_free(struct generator *generator); /* also of a zeroed struct */
/* The prompt goes through the model; logits [vocab_size] of its last token. The sampler sees the prompt. hook: or NULL. */
enum status generator_prefill(struct generator *generator, const struct session *session,
                              const struct hook *hook, float *logits, struct error *error);

/* answer.c: one stretch of generated tokens, written as they come. */
struct answer {
    const struct session *session;
    struct wrap wrap; /* where it goes: a terminal sees every token, others every line */
    struct text_stream text;
    struct token_ids ids; /* what was generated, owned */
    enum status kept;     /* whether there was memory for all of them; error says it */
    struct error *error;
    bool interrupted; /* Ctrl-C came; the text so far stands */
    struct generate_result result;
};
/* Writes bytes, of which a later call may bring the rest of a character. */
void answer_write(struct answer *answer, const char *piece, size_t length);
/* Continues the cache with the prompt and streams what follows. answer: session and wrap set, the rest zero. */
enum status answer_generate(struct answer *answer, struct generator *generator, const int32_t *prompt,
                            int n_prompt, int max_new_tokens, struct error *error);
/* From here on the first Ctrl-C is noted (and ends a read of the terminal), the second ends the program. */
void interrupt_watch(void);
void interrupt_default(void);
bool interrupt_noted(void);
/* Waits until the terminal (its file descriptor) has a line to read, or Ctrl-C comes: then true. */
bool interrupt_wait(int terminal);
void print_speed(FILE *err, const struct generate_result *result);

/* mystery.c: the fault of a mystery; of mystery 0: none. */
struct fault_place mystery_fault(int mystery);

/* The modes: each returns its status; failed_check: --check found a difference. */
enum status print_text(struct settings *settings, FILE *out, FILE *err, struct error *error);
enum status chat_run(struct settings *settings, FILE *in, FILE *out, FILE *err, struct error *error);
enum status trace_run(struct settings *settings, FILE *out, struct error *error);
enum status check_run(struct settings *settings, FILE *out, bool *failed, struct error *error);
enum status perplexity_run(struct settings *settings, FILE *out, struct error *error);
enum status positions_run(struct settings *settings, FILE *out, struct error *error);
enum status float64_run(struct settings *settings, FILE *out, struct error *error);
enum status mystery_run(struct settings *settings, FILE *out, struct error *error);
enum status ablate_run(struct settings *settings, FILE *out, struct error *error);
enum status verify_run(struct settings *settings, FILE *out, struct error *error);

/* The steps of the walk-through (story.c); closed with the heading and the closing lines. */
enum status step_tokens(void *settings, FILE *out, struct error *error);
enum status step_shapes(void *settings, FILE *out, struct error *error);
enum status step_likeliest(void *settings, FILE *out, struct error *error);
enum status step_story(void *settings, FILE *out, struct error *error);
void print_heading(void *settings, FILE *out);
void print_closing(void *settings, FILE *out);

/* The data sets. */
enum status data_tokens(void *settings, struct table *table, struct error *error);
enum status data_logits(void *settings, struct table *table, struct error *error);
enum status data_generated(void *settings, struct table *table, struct error *error);
enum status data_hidden(void *settings, struct table *table, struct error *error);
enum status data_next(void *settings, struct table *table, struct error *error);
enum status data_norms(void *settings, struct table *table, struct error *error);
enum status data_ablation(void *settings, struct table *table, struct error *error);
enum status data_positions(void *settings, struct table *table, struct error *error);

#endif
