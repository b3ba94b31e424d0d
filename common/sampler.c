#include "common/sampler.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/require.h"

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
    for (int i = 0; i < sampler->vocab_size; i++) {
        if (sampler->seen[i] != 0) {
            double logit = (double)logits[i];
            logit = logit > 0 ? logit / penalty : logit * penalty;
            logits[i] = (float)fmax(-(double)FLT_MAX, fmin(logit, (double)FLT_MAX)); /* stays finite */
        }
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

/* The tokens that may be drawn: candidate[vocab_size - n ..], the likeliest last; value is a weight, 1 for the
 * likeliest, total their sum. */
struct kept {
    int n;
    double total;
};

/* Takes the likeliest of the heap's n candidates out and puts it behind the others. */
static struct candidate pop(struct candidate *heap, int n)
{
    struct candidate best = heap[0];
    heap[0] = heap[n - 1];
    heap[n - 1] = best;
    sift_down(heap, n - 1, 0);
    return best;
}

/* The softmax of what is kept is the same whether the largest logit is taken off before or after dividing; before, no
 * temperature overflows. */
static double weight(const struct sampler *sampler, float logit, float largest)
{
    return exp(((double)logit - (double)largest) / sampler->settings.temperature);
}

static double sum_weights(const struct sampler *sampler, int first, float largest)
{
    double total = 0;
    for (int i = first; i < sampler->vocab_size; i++) {
        total += weight(sampler, sampler->candidate[i].value, largest);
    }
    return total;
}

/* How many tokens top-k and top-p leave. They are popped one by one: no full sort of a vocabulary of 150000. */
static int count_kept(struct sampler *sampler, float largest)
{
    struct candidate *heap = sampler->candidate;
    const int vocab_size = sampler->vocab_size;
    const double p = sampler->settings.top_p;
    int k = sampler->settings.top_k;
    int n_popped = 0;
    k = k == 0 || k > vocab_size ? vocab_size : k;
    if (k == vocab_size && p >= 1) {
        return vocab_size;
    }
    for (int i = vocab_size / 2 - 1; i >= 0; i--) {
        sift_down(heap, vocab_size, i);
    }
    if (k < vocab_size) {
        float last = 0;
        while (n_popped < k || (n_popped < vocab_size && heap[0].value == last)) {
            last = pop(heap, vocab_size - n_popped++).value;
        }
    }
    if (p >= 1) {
        return n_popped;
    }
    const int limit = k < vocab_size ? n_popped : vocab_size;
    const double enough = p * sum_weights(sampler, vocab_size - limit, largest);
    double mass = 0;
    int n = 0;
    do {
        if (n == n_popped) {
            pop(heap, vocab_size - n_popped++);
        }
        n++;
        mass += weight(sampler, heap[vocab_size - n].value, largest);
    } while (mass < enough && n < limit);
    return n;
}

static struct kept keep(struct sampler *sampler, const float *logits)
{
    float largest = logits[0];
    for (int i = 0; i < sampler->vocab_size; i++) {
        sampler->candidate[i] = (struct candidate){i, logits[i]};
        largest = logits[i] > largest ? logits[i] : largest;
    }
    struct kept kept = {count_kept(sampler, largest), 0};
    for (int i = sampler->vocab_size - 1; i >= sampler->vocab_size - kept.n; i--) {
        struct candidate *candidate = &sampler->candidate[i];
        candidate->value = (float)weight(sampler, candidate->value, largest);
        kept.total += (double)candidate->value;
    }
    return kept;
}

static int32_t likeliest(const float *logits, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++) {
        best = logits[i] > logits[best] ? i : best;
    }
    return best;
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
    int last = sampler->vocab_size - kept.n;
    for (int i = sampler->vocab_size - 1; i > last; i--) {
        sum += (double)sampler->candidate[i].value;
        if (target < sum) {
            return sampler->candidate[i].id;
        }
    }
    return sampler->candidate[last].id;
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
    for (int i = sampler->vocab_size - kept.n; i < sampler->vocab_size; i++) {
        out[sampler->candidate[i].id] = (float)((double)sampler->candidate[i].value / kept.total);
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
