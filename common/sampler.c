#include "common/sampler.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"
#include "common/require.h"

enum { BLOCK = 64 }; /* logits whose largest is found at once */

enum status sampler_init(struct sampler *sampler, const struct sampler_settings *settings, int vocab_size,
                         uint64_t seed, struct error *error)
{
    REQUIRE(vocab_size > 0);
    REQUIRE(settings->temperature > 0 && settings->repetition_penalty > 0);
    REQUIRE(settings->top_k >= 0 && settings->top_p >= 0 && settings->top_p <= 1);
    size_t n = (size_t)vocab_size;
    *sampler = (struct sampler){.settings = *settings, .vocab_size = vocab_size};
    rng_init(&sampler->rng, seed);
    sampler->seen = calloc(n, sizeof *sampler->seen);
    sampler->candidate = malloc(checked_product(n, sizeof *sampler->candidate));
    if (sampler->seen == NULL || sampler->candidate == NULL) {
        sampler_free(sampler);
        return error_no_memory(error, "sampler", checked_product(n, sizeof *sampler->candidate));
    }
    return STATUS_OK;
}

void sampler_free(struct sampler *sampler)
{
    free(sampler->seen);
    free(sampler->candidate);
    memset(sampler, 0, sizeof *sampler);
}

void sampler_see(struct sampler *sampler, int32_t id)
{
    if (id >= 0 && id < sampler->vocab_size) {
        sampler->seen[id] = 1;
    }
}

/* Once per token, however often it stands in the text. */
static void apply_penalty(const struct sampler *sampler, float *logits)
{
    double penalty = sampler->settings.repetition_penalty;
    if (penalty == 1) {
        return;
    }
    /* memchr: few of a vocabulary of 150000 are in the text */
    const uint8_t *at = sampler->seen, *end = at + sampler->vocab_size;
    for (; at < end && (at = memchr(at, 1, (size_t)(end - at))) != NULL; at++) {
        float *changed = &logits[at - sampler->seen];
        double logit = (double)*changed;
        logit = logit > 0 ? logit / penalty : logit * penalty;
        *changed = (float)fmax(-(double)FLT_MAX, fmin(logit, (double)FLT_MAX)); /* stays finite */
    }
}

/* Likelier, and the lower id among equals. */
static bool stands_before(struct candidate a, struct candidate b)
{
    return a.value > b.value || (a.value == b.value && a.id < b.id);
}

/* Candidates form a heap: each stands before its children 2i + 1 and 2i + 2. Restores that from i down. */
static void sift_down(struct candidate *heap, int n, int i)
{
    while (i < n / 2) {
        int child = 2 * i + 1;
        if (child + 1 < n && stands_before(heap[child + 1], heap[child])) {
            child++;
        }
        if (!stands_before(heap[child], heap[i])) {
            return;
        }
        struct candidate moved = heap[i];
        heap[i] = heap[child];
        heap[child] = moved;
        i = child;
    }
}

/* Takes the likeliest of the heap's n candidates out and puts it behind the others. */
static struct candidate pop(struct candidate *heap, int n)
{
    struct candidate best = heap[0];
    heap[0] = heap[n - 1];
    heap[n - 1] = best;
    sift_down(heap, n - 1, 0);
    return best;
}

static void make_heap(struct candidate *heap, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--) {
        sift_down(heap, n, i);
    }
}

/* The largest of block i. */
static float largest_of_block(const struct sampler *sampler, const float *logits, int i)
{
    int left = sampler->vocab_size - i * BLOCK;
    return matmul_largest(logits + i * BLOCK, left < BLOCK ? left : BLOCK);
}

/* Fills candidate with all logits, or with fewer among which are the k largest and all that equal the k-th; returns how
 * many. The k-th largest of the blocks' largest is reached by k logits at least: what lies below it is passed over, and
 * with it nearly all blocks. */
static int collect(struct sampler *sampler, const float *logits, int k)
{
    struct candidate *candidate = sampler->candidate;
    const int n_blocks = (sampler->vocab_size + BLOCK - 1) / BLOCK;
    float least = -INFINITY;
    if (k < n_blocks) {
        for (int i = 0; i < n_blocks; i++) {
            candidate[i] = (struct candidate){i, largest_of_block(sampler, logits, i)};
        }
        make_heap(candidate, n_blocks);
        for (int i = 0; i < k; i++) {
            least = pop(candidate, n_blocks - i).value;
        }
    }
    int n = 0;
    for (int block = 0; block < n_blocks; block++) {
        int end = block < n_blocks - 1 ? (block + 1) * BLOCK : sampler->vocab_size;
        bool any = k >= n_blocks || largest_of_block(sampler, logits, block) >= least;
        for (int id = block * BLOCK; any && id < end; id++) {
            if (logits[id] >= least) {
                candidate[n++] = (struct candidate){id, logits[id]};
            }
        }
    }
    return n;
}

/* The softmax of what is kept is the same whether the largest logit is taken off before or after dividing; before, no
 * temperature overflows. */
static double weight(const struct sampler *sampler, float logit, float largest)
{
    return exp(((double)logit - (double)largest) / sampler->settings.temperature);
}

static double sum_weights(const struct sampler *sampler, const struct candidate *candidate, int n,
                          float largest)
{
    double total = 0;
    for (int i = 0; i < n; i++) {
        total += weight(sampler, candidate[i].value, largest);
    }
    return total;
}

/* How many of n candidates top-k and top-p leave; they come last, the likeliest at the end. They are popped one by one:
 * no full sort of a vocabulary of 150000. */
static int count_kept(struct sampler *sampler, int n, int k, float largest)
{
    struct candidate *heap = sampler->candidate;
    const double p = sampler->settings.top_p;
    const bool cut = k < sampler->vocab_size;
    int n_popped = 0;
    if (!cut && p >= 1) {
        return n;
    }
    make_heap(heap, n);
    if (cut) {
        float last = 0;
        while (n_popped < k || (n_popped < n && heap[0].value == last)) {
            last = pop(heap, n - n_popped++).value;
        }
    }
    if (p >= 1) {
        return n_popped;
    }
    const int limit = cut ? n_popped : n;
    const double enough = p * sum_weights(sampler, heap + n - limit, limit, largest);
    double mass = 0;
    int n_kept = 0;
    do {
        if (n_kept == n_popped) {
            pop(heap, n - n_popped++);
        }
        n_kept++;
        mass += weight(sampler, heap[n - n_kept].value, largest);
    } while (mass < enough && n_kept < limit);
    return n_kept;
}

/* The n tokens that may be drawn, the likeliest last; value is a weight, 1 for the likeliest, total their sum. */
struct kept {
    struct candidate *candidate;
    int n;
    double total;
};

static struct kept keep(struct sampler *sampler, const float *logits)
{
    const int top_k = sampler->settings.top_k, vocab_size = sampler->vocab_size;
    const int k = top_k == 0 || top_k > vocab_size ? vocab_size : top_k;
    const float largest = matmul_largest(logits, vocab_size);
    const int n = collect(sampler, logits, k);
    const int n_kept = count_kept(sampler, n, k, largest);
    struct kept kept = {sampler->candidate + n - n_kept, n_kept, 0};
    for (int i = kept.n - 1; i >= 0; i--) {
        kept.candidate[i].value = (float)weight(sampler, kept.candidate[i].value, largest);
        kept.total += (double)kept.candidate[i].value;
    }
    return kept;
}

static int32_t likeliest(const float *logits, int n)
{
    const float largest = matmul_largest(logits, n);
    int i = 0;
    while (i < n - 1 && logits[i] != largest) {
        i++;
    }
    return i;
}

int32_t sampler_next(struct sampler *sampler, float *logits)
{
    apply_penalty(sampler, logits);
    if (sampler->settings.greedy) {
        return likeliest(logits, sampler->vocab_size);
    }
    struct kept kept = keep(sampler, logits);
    double target = rng_uniform(&sampler->rng) * kept.total;
    double sum = 0;
    for (int i = kept.n - 1; i > 0; i--) {
        sum += (double)kept.candidate[i].value;
        if (target < sum) {
            return kept.candidate[i].id;
        }
    }
    return kept.candidate[0].id;
}

void sampler_probabilities(struct sampler *sampler, float *out, float *logits)
{
    apply_penalty(sampler, logits);
    memset(out, 0, (size_t)sampler->vocab_size * sizeof *out);
    if (sampler->settings.greedy) {
        out[likeliest(logits, sampler->vocab_size)] = 1;
        return;
    }
    struct kept kept = keep(sampler, logits);
    for (int i = 0; i < kept.n; i++) {
        out[kept.candidate[i].id] = (float)((double)kept.candidate[i].value / kept.total);
    }
}

void sampler_top(struct candidate *out, int k, const float *logits, int vocab_size)
{
    REQUIRE(k > 0 && k <= vocab_size);
    int n = 0;
    for (int i = 0; i < vocab_size; i++) {
        struct candidate candidate = {i, logits[i]};
        if (n == k && !stands_before(candidate, out[k - 1])) {
            continue;
        }
        int place = n < k ? n++ : k - 1;
        for (; place > 0 && stands_before(candidate, out[place - 1]); place--) {
            out[place] = out[place - 1];
        }
        out[place] = candidate;
    }
    double largest = (double)out[0].value;
    double total = 0;
    for (int i = 0; i < vocab_size; i++) {
        total += exp((double)logits[i] - largest);
    }
    for (int i = 0; i < k; i++) {
        out[i].value = (float)(exp((double)out[i].value - largest) / total);
    }
}
