#include "tests/bench/measures.h"

#include <math.h>
#include <string.h>

#include "common/matmul.h"
#include "tests/bench/derived.h"
#include "tests/bench/roof_lines.h"
#include "tests/bench/roofs.h"
#include "tests/bench/sgemm.h"

enum { MAX_ROUNDS = 15 };

/* One line of the table. In a round the roof is measured before and after each of `tries` values, and of either the
 * best counts. What cannot be measured is NaN. */
struct measure {
    const char *name, *unit;
    double (*value)(const struct measuring *, const struct measure *);
    double (*roof)(const struct measuring *, const struct measure *);
    double aim; /* see report.h; negative: less is better */
    int n;      /* tokens, sequences or which text */
    int context;
    bool one_thread;
    int tries;
    int every;      /* in one round of so many */
    bool not_quick; /* left out of a quick run */
};

static int threads_of(const struct measuring *on, const struct measure *m)
{
    return m->one_thread ? 1 : on->bench->n_threads;
}

/* ---- Roofs ---- */

/* Which probe is fastest depends on the machine: two of them serve beside the work, in turn. */
static double read_roof_of(const struct measuring *on, const struct measure *m,
                           const struct random_model *random)
{
    int *fastest = on->bench->fastest_read[m->one_thread ? 0 : 1];
    int probe = fastest[0];
    fastest[0] = fastest[1];
    fastest[1] = probe;
    return lines_read(random, threads_of(on, m), probe);
}

static double read_roof(const struct measuring *on, const struct measure *m)
{
    return read_roof_of(on, m, &on->bench->random);
}

static double read_huge_roof(const struct measuring *on, const struct measure *m)
{
    return on->bench->huge.weights == NULL ? NAN : read_roof_of(on, m, &on->bench->huge);
}

static bool multiplies_f32(const struct bench *bench)
{
    return strcmp(bench->kernel, bench->f32_kernel) == 0;
}

/* Of the chosen kernel: one that multiplies bfloat16 does so twice, for the two terms of an activation. */
static double multiply_roof_at(const struct measuring *on, int n_threads)
{
    return multiplies_f32(on->bench) ? lines_multiply(on->bench, false, n_threads)
                                     : lines_multiply(on->bench, true, n_threads) / 2;
}

static double multiply_roof(const struct measuring *on, const struct measure *m)
{
    return multiply_roof_at(on, threads_of(on, m));
}

static double f32_roof(const struct measuring *on, const struct measure *m)
{
    return lines_multiply(on->bench, false, threads_of(on, m));
}

/* ---- The model ---- */

static double decode(const struct measuring *on, const struct measure *m)
{
    double bytes;
    double seconds = work_decode(on->bench, &on->bench->random, 1, m->context, threads_of(on, m), &bytes);
    return bytes / seconds * 1e-9;
}

static double decode_huge(const struct measuring *on, const struct measure *m)
{
    double bytes;
    double seconds = work_decode(on->bench, &on->bench->huge, 1, m->context, threads_of(on, m), &bytes);
    return bytes / seconds * 1e-9;
}

static double decode_batch(const struct measuring *on, const struct measure *m)
{
    double bytes;
    return m->n / work_decode(on->bench, &on->bench->random, m->n, m->context, threads_of(on, m), &bytes);
}

/* As many times the speed of one sequence, as long as there is arithmetic enough. */
static double batch_roof(const struct measuring *on, const struct measure *m)
{
    double bytes;
    double one = 1 / work_decode(on->bench, &on->bench->random, 1, m->context, threads_of(on, m), &bytes);
    double computed = multiply_roof(on, m) * 1e9 / random_model_product_flops(&on->bench->random, 1, 1);
    return fmin(m->n * one, computed);
}

static double prefill(const struct measuring *on, const struct measure *m)
{
    double flops;
    double seconds = work_prefill(on->bench, m->n, threads_of(on, m), &flops);
    return flops / seconds * 1e-9;
}

/* With this kernel and precision; then the chosen ones again. */
static double prefill_with(const struct measuring *on, const struct measure *m, const char *kernel,
                           enum matmul_precision precision)
{
    struct error error;
    if (multiplies_f32(on->bench) || matmul_choose_kernel(kernel, &error) != STATUS_OK) {
        return NAN;
    }
    matmul_set_precision(precision);
    double value = prefill(on, m);
    matmul_set_precision(MATMUL_TWO_TERMS);
    return matmul_choose_kernel(on->bench->kernel, &error) == STATUS_OK ? value : NAN;
}

static double prefill_f32(const struct measuring *on, const struct measure *m)
{
    if (multiplies_f32(on->bench)) {
        return report_last(on->report, "prefill.512"); /* the same thing */
    }
    return prefill_with(on, m, on->bench->f32_kernel, MATMUL_TWO_TERMS);
}

static double prefill_two(const struct measuring *on, const struct measure *m)
{
    return prefill_with(on, m, on->bench->kernel, MATMUL_TWO_TERMS);
}

static double prefill_one(const struct measuring *on, const struct measure *m)
{
    return prefill_with(on, m, on->bench->kernel, MATMUL_ONE_TERM);
}

static double prefill_f32_roof(const struct measuring *on, const struct measure *m)
{
    (void)m;
    return report_last(on->report, "prefill.512.f32");
}

static double tiny(const struct measuring *on, const struct measure *m)
{
    return TINY_TOKENS / work_tiny_decode(on->bench, threads_of(on, m));
}

static double tiny_roof(const struct measuring *on, const struct measure *m)
{
    (void)on, (void)m;
    return 2000;
}

static double sample(const struct measuring *on, const struct measure *m)
{
    (void)m;
    return work_sample(on->bench);
}

static double decode_seconds(const struct measuring *on, const struct measure *m)
{
    double bytes;
    return work_decode(on->bench, &on->bench->random, 1, 0, threads_of(on, m), &bytes);
}

/* ---- The products ---- */

static double products(const struct measuring *on, const struct measure *m)
{
    double flops;
    double seconds = work_products(on->bench, false, threads_of(on, m), &flops);
    return flops / seconds * 1e-9;
}

static double sgemm(const struct measuring *on, const struct measure *m)
{
    double flops = 0;
    sgemm_wait();
    double seconds = work_products(on->bench, true, threads_of(on, m), &flops);
    sgemm_wait();
    return flops / seconds * 1e-9;
}

/* ---- The tokenizer ---- */

static double tokenize(const struct measuring *on, const struct measure *m)
{
    struct texts *texts = &on->bench->texts;
    return (double)texts->text[m->n].size / texts_encode(texts, (enum text_kind)m->n) * 1e-6;
}

static double tokenize_roof(const struct measuring *on, const struct measure *m)
{
    (void)on, (void)m;
    return 20;
}

static double load(const struct measuring *on, const struct measure *m)
{
    (void)m;
    return texts_load(&on->bench->texts);
}

static double parse(const struct measuring *on, const struct measure *m)
{
    (void)m;
    return texts_parse(&on->bench->texts);
}

/* ---- The list ---- */

enum { ALL = false, ONE = true };

static const struct measure measures[] = {
    {"decode.0", "GB/s", decode, read_roof, 0.92, 1, 0, ALL, 4, 1, false},
    {"decode.0.1thread", "GB/s", decode, read_roof, 0.88, 1, 0, ONE, 4, 1, false},
    {"decode.huge", "GB/s", decode_huge, read_huge_roof, 0.92, 1, 0, ALL, 4, 1, false},
    {"decode.1024", "GB/s", decode, read_roof, 0.90, 1, 1024, ALL, 4, 1, false},
    {"decode.4096", "GB/s", decode, read_roof, 0.90, 1, 4096, ALL, 4, 1, true},
    {"decode.batch2", "tokens/s", decode_batch, batch_roof, 0.85, 2, 0, ALL, 3, 1, true},
    {"decode.batch4", "tokens/s", decode_batch, batch_roof, 0.85, 4, 0, ALL, 3, 1, true},
    {"decode.batch8", "tokens/s", decode_batch, batch_roof, 0.85, 8, 0, ALL, 3, 1, false},
    {"decode.batch16", "tokens/s", decode_batch, batch_roof, 0.85, 16, 0, ALL, 3, 1, true},
    {"decode.batch32", "tokens/s", decode_batch, batch_roof, 0.85, 32, 0, ALL, 3, 1, true},
    {"prefill.64", "GFLOP/s", prefill, multiply_roof, 0, 64, 0, ALL, 2, 1, false},
    {"prefill.512", "GFLOP/s", prefill, multiply_roof, 0, 512, 0, ALL, 1, 1, false},
    {"prefill.512.f32", "GFLOP/s", prefill_f32, f32_roof, 0.80, 512, 0, ALL, 1, 1, false},
    {"prefill.512.two", "GFLOP/s", prefill_two, prefill_f32_roof, 3, 512, 0, ALL, 1, 1, false},
    {"prefill.512.one", "GFLOP/s", prefill_one, prefill_f32_roof, 5, 512, 0, ALL, 1, 1, false},
    {"prefill.512.1thread", "GFLOP/s", prefill, multiply_roof, 0, 512, 0, ONE, 1, 2, false},
    {"prefill.2048", "GFLOP/s", prefill, multiply_roof, 0, 2048, 0, ALL, 1, 3, true},
    {"prefill.4096", "GFLOP/s", prefill, multiply_roof, 0, 4096, 0, ALL, 1, 3, true},
    {"prefill.8192", "GFLOP/s", prefill, multiply_roof, 0, 8192, 0, ALL, 1, 5, true},
    {"products.512", "GFLOP/s", products, multiply_roof, 0, 512, 0, ALL, 2, 1, false},
    {"products.512.sgemm", "GFLOP/s", products, sgemm, 1.05, 512, 0, ALL, 1, 1, false},
    {"tokenizer.load", "s", load, parse, -1.3, 0, 0, ONE, 1, 1, false},
    {"tokenizer.english", "MB/s", tokenize, tokenize_roof, 1, TEXT_ENGLISH, 0, ONE, 2, 1, false},
    {"tokenizer.chinese", "MB/s", tokenize, tokenize_roof, 1, TEXT_CHINESE, 0, ONE, 2, 1, false},
    {"tokenizer.code", "MB/s", tokenize, tokenize_roof, 1, TEXT_CODE, 0, ONE, 2, 1, false},
    {"sampler", "s", sample, decode_seconds, -0.01, 0, 0, ALL, 2, 1, false},
    {"tiny.decode", "tokens/s", tiny, tiny_roof, 1, 0, 0, ONE, 3, 1, false},
};
enum { N_MEASURES = sizeof measures / sizeof *measures };

bool measure_wanted(const struct measuring *on, const char *name)
{
    return on->only == NULL || strncmp(name, on->only, strlen(on->only)) == 0;
}

static bool is_due(const struct measuring *on, const struct measure *m, int round)
{
    return measure_wanted(on, m->name) && !(m->not_quick && on->bench->quick) && round % m->every == 0 &&
           m->n <= on->bench->max_context;
}

/* Several times the speed of float32 is asked of AMX only. */
static double aim_of(const struct measuring *on, const struct measure *m)
{
    bool of_amx = m->value == prefill_two || m->value == prefill_one;
    return of_amx && strcmp(on->bench->kernel, "amx") != 0 ? 0 : m->aim;
}

static double better(const struct measure *m, double a, double b)
{
    return m->aim < 0 ? fmin(a, b) : fmax(a, b);
}

static void measure(const struct measuring *on, const struct measure *m)
{
    double value = NAN, roof = m->roof(on, m);
    for (int i = 0; i < m->tries && isfinite(roof); i++) {
        value = better(m, value, m->value(on, m));
        roof = better(m, roof, m->roof(on, m));
    }
    report_add(on->report, m->name, m->unit, value, roof);
    report_aim(on->report, m->name, aim_of(on, m));
}

/* All that is due in this round. Once a measure has been made, it is made again only when there is time for it. */
static void measure_round(const struct measuring *on, int round, double end, double cost[N_MEASURES])
{
    lines_of_roofs(on);
    for (int i = 0; i < N_MEASURES; i++) {
        double start = now();
        if (is_due(on, &measures[i], round) && (round == 0 || start + cost[i] < end)) {
            measure(on, &measures[i]);
            cost[i] = now() - start;
        }
    }
    derived_measure_start(on);
}

void measure_rounds(const struct measuring *on)
{
    double end = now() + on->seconds;
    double cost[N_MEASURES] = {0};
    for (int round = 0; round < MAX_ROUNDS && (round < on->min_rounds || now() < end); round++) {
        measure_round(on, round, end, cost);
        fprintf(stderr, "\r  round %d ", round + 1);
    }
    fprintf(stderr, "\r            \r");
    derived_from_medians(on);
}
