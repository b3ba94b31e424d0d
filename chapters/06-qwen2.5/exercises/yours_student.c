/* Your side of chapter6-yours: your functions behind the chapter's tasks. */
#include <stdlib.h>
#include <string.h>

#include "exercises.h"
#include "yours_model.h"

static uint64_t your_place(void)
{
    const struct safetensors *files = &bundled.model.files;
    const struct safetensors_entry *entry = safetensors_find(files, "model.embed_tokens.weight");
    uint64_t header_size = 0, shape[SAFETENSORS_MAX_DIMS], range[2];
    for (int i = 7; i >= 0; i--) {
        header_size = header_size << 8 | files->files[0].data[i];
    }
    for (int i = 0; i < entry->n_dims; i++) {
        shape[i] = entry->shape[i];
    }
    uint64_t begin =
        (uint64_t)(entry->data - files->files[0].data) - 8 - header_size; /* as the header says */
    int right = byte_range(range, shape, entry->n_dims, 2, begin, begin + entry->size, header_size,
                           files->files[0].size);
    return right ? range[0] : 0;
}

/* The model's merges by rank: left, right, what they become. */
static int *list_merges(void)
{
    const struct merges *merges = &bundled.tokenizer.bpe.merges;
    int *list = malloc(3 * ((size_t)merges->n + 1) * sizeof *list);
    if (list == NULL) {
        abort();
    }
    for (int left = 0; left < VOCAB_SIZE; left++) {
        for (int right = 0; right < VOCAB_SIZE; right++) {
            int rank = merges_rank(merges, left, right);
            if (rank >= 0) {
                memcpy(list + 3 * rank, (const int[]){left, right, merges->id[rank]}, 3 * sizeof *list);
            }
        }
    }
    return list;
}

static int your_encode(int *token, const char *word)
{
    int n = (int)strlen(word), *merges = list_merges();
    for (int i = 0; i < n; i++) {
        token[i] = bundled.tokenizer.bpe.byte_id[(unsigned char)word[i]];
    }
    for (int before = n + 1; n < before && n > 0;) {
        before = n;
        n = merge_once(token, n, merges, bundled.tokenizer.bpe.merges.n);
    }
    free(merges);
    return n;
}

/* What your head makes of the last of n rows. */
static void your_head(float *logits, const int *text, int n)
{
    static double table[VOCAB_SIZE * D_MODEL], hidden[MAX_TEXT * D_MODEL], wide[VOCAB_SIZE];
    static float row[D_MODEL], normed[MAX_TEXT * D_MODEL];
    bundled_pass(logits, normed, text, n);
    for (int i = 0; i < n * D_MODEL; i++) {
        hidden[i] = (double)normed[i];
    }
    for (int v = 0; v < VOCAB_SIZE; v++) {
        tensor_row(row, &bundled.model.embedding, v);
        for (int i = 0; i < D_MODEL; i++) {
            table[v * D_MODEL + i] = (double)row[i];
        }
    }
    logits_of_row(wide, hidden, n - 1, table, NULL, 1, VOCAB_SIZE, D_MODEL);
    for (int v = 0; v < VOCAB_SIZE; v++) {
        logits[v] = (float)wide[v];
    }
}

static void your_logits(float *logits)
{
    your_head(logits, prompt, N_PROMPT);
}

static int your_until_full(int capacity)
{
    static const int drawn[10];
    int reason;
    return tokens_until_stop(&reason, drawn, N_PROMPT, 10, capacity, NULL, 0);
}

/* The whole text again for each token: slow, but only your head and your penalty decide. */
static int your_greedy(int n)
{
    static float logits[VOCAB_SIZE];
    int text[MAX_TEXT], length = N_PROMPT;
    memcpy(text, prompt, sizeof prompt);
    for (; length < N_PROMPT + n; length++) {
        int best = 0;
        your_head(logits, text, length);
        penalize_repeats(logits, VOCAB_SIZE, text, length, REPETITION_PENALTY);
        for (int v = 1; v < VOCAB_SIZE; v++) {
            best = logits[v] > logits[best] ? v : best;
        }
        text[length] = best;
    }
    return text[length - 1];
}

const struct functions your_functions = {widen_bfloat16, round_to_bfloat16, your_place,   your_encode,
                                         your_logits,    penalize_repeats,  cut_to_top_p, your_until_full,
                                         predict_model,  printable_bytes,   your_greedy};
