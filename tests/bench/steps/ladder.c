#include "tests/bench/steps/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "tests/bench/roofs.h"
#include "tests/bench/steps/widened_dot.h"

enum { AHEAD = 4096 };

/* In the order of the table: each is the one before it and one thing more. */
const struct rung ladder[N_RUNGS] = {
    {"decode.plain", "plain loop of chapter 4", PLAIN, true, false, false, 1, 1, 4, MATMUL_TWO_TERMS,
     ROOF_READ_1},
    {"decode.sums", "sixteen sums side by side, plain C", PORTABLE, true, false, false, 1, 1, N_LAYERS,
     MATMUL_TWO_TERMS, ROOF_READ_1},
    {"decode.vectors", "wide vectors, bf16 widened by a shift", WIDENED, true, false, false, 1, 1, N_LAYERS,
     MATMUL_TWO_TERMS, ROOF_READ_1},
    {"decode.prefetch", "prefetch 4 kB ahead", PREFETCHED, true, false, false, 1, 1, N_LAYERS,
     MATMUL_TWO_TERMS, ROOF_READ_1},
    {"decode.kernel", "the kernel: three rows side by side", FLOAT_KERNEL, true, false, false, 1, 1, N_LAYERS,
     MATMUL_TWO_TERMS, ROOF_READ_1},
    {"decode.threads", "all threads", FLOAT_KERNEL, true, true, false, 1, 1, N_LAYERS, MATMUL_TWO_TERMS,
     ROOF_READ_ALL},
    {"decode.huge", "weights in pages of 2 MB", FLOAT_KERNEL, true, true, true, 1, 1, N_LAYERS,
     MATMUL_TWO_TERMS, ROOF_READ_HUGE},
    {"prefill.plain", "plain loop of chapter 4", PLAIN, false, false, false, 4, 4, 1, MATMUL_TWO_TERMS,
     ROOF_FMA_1},
    {"prefill.sums", "sixteen sums side by side, plain C", PORTABLE, false, false, false, 64, 64, 1,
     MATMUL_TWO_TERMS, ROOF_FMA_1},
    {"prefill.vectors", "wide vectors, token by token", FLOAT_KERNEL, false, false, false, 1, 48, 1,
     MATMUL_TWO_TERMS, ROOF_FMA_1},
    {"prefill.tiles", "several rows by six tokens in registers", FLOAT_KERNEL, false, false, false, 6, 192, 1,
     MATMUL_TWO_TERMS, ROOF_FMA_1},
    {"prefill.panels", "weights packed once, in blocks", FLOAT_KERNEL, false, false, false, TOKENS, TOKENS, 1,
     MATMUL_TWO_TERMS, ROOF_FMA_1},
    {"prefill.threads", "all threads", FLOAT_KERNEL, false, true, false, TOKENS, TOKENS, 2, MATMUL_TWO_TERMS,
     ROOF_FMA_ALL},
    {"prefill.two", "bf16 pairs, two terms an activation", BF16_KERNEL, false, true, false, TOKENS, TOKENS, 2,
     MATMUL_TWO_TERMS, ROOF_BF16_TWO},
    {"prefill.one", "bf16 pairs, one term", BF16_KERNEL, false, true, false, TOKENS, TOKENS, 2,
     MATMUL_ONE_TERM, ROOF_BF16_ONE},
};
static bool multiplies_bf16(const char *kernel)
{
    return strstr(kernel, "bf16") != NULL || strcmp(kernel, "amx") == 0;
}

enum status ladder_init(struct ladder_work *work, int one_in, struct error *error)
{
    struct rng rng;
    bool given = false;
    memset(work, 0, sizeof *work);
    rng_init(&rng, 2);
    work->n_threads = matmul_threads();
    for (int i = 0; matmul_usable_kernel(i) != NULL; i++) {
        const char *name = matmul_usable_kernel(i);
        const char **best = multiplies_bf16(name) ? &work->bf16_kernel : &work->float_kernel;
        *best = *best == NULL ? name : *best;
    }
    enum status status = weights_init(&work->small, one_in, false, &given, error);
    if (status == STATUS_OK) {
        status = weights_init(&work->huge, one_in, true, &work->has_huge, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    size_t n_x = (size_t)TOKENS * LARGEST_WIDTH, n_y = (size_t)TOKENS * LARGEST_HEIGHT;
    work->x = malloc(n_x * sizeof *work->x);
    work->y = calloc(n_y, sizeof *work->y);
    if (work->x == NULL || work->y == NULL) {
        return error_no_memory(error, "activations", (n_x + n_y) * sizeof(float));
    }
    rng_fill_normal(&rng, work->x, n_x, 1);
    return STATUS_OK;
}

void ladder_free(struct ladder_work *work)
{
    weights_free(&work->small);
    weights_free(&work->huge);
    free(work->x);
    free(work->y);
}

bool rung_possible(const struct ladder_work *work, const struct rung *rung)
{
    return (rung->way != BF16_KERNEL || work->bf16_kernel != NULL) && (!rung->huge_pages || work->has_huge);
}

static void multiply(const struct ladder_work *work, const struct rung *rung, const struct tensor *w,
                     int n_tokens)
{
    size_t y_stride = (size_t)w->rows, x_stride = (size_t)w->cols;
    switch (rung->way) {
    case PLAIN: matmul_plain(work->y, y_stride, work->x, x_stride, w, NULL, n_tokens); break;
    case WIDENED: widened_dot_rows(work->y, work->x, w, 0); break;
    case PREFETCHED: widened_dot_rows(work->y, work->x, w, AHEAD); break;
    default: matmul(work->y, y_stride, work->x, x_stride, w, NULL, n_tokens); break;
    }
}

/* Sets what the product goes by beside its arguments. */
static void choose(const struct ladder_work *work, const struct rung *rung)
{
    const char *kernel = rung->way == PORTABLE      ? "portable"
                         : rung->way == BF16_KERNEL ? work->bf16_kernel
                                                    : work->float_kernel;
    (void)matmul_choose_kernel(kernel, NULL); /* it is one of the usable */
    matmul_set_precision(rung->precision);
    matmul_set_threads(rung->all_threads ? work->n_threads : 1);
}

bool rung_right(const struct ladder_work *work, const struct rung *rung)
{
    const struct tensor *w = &(rung->huge_pages ? &work->huge : &work->small)->matrix[1];
    const double share = rung->precision == MATMUL_ONE_TERM ? 0x1p-8 : 0x1p-16; /* of the sum of magnitudes */
    bool right = true;
    choose(work, rung);
    multiply(work, rung, w, rung->at_once);
    for (int o = 0; o < w->rows; o++) {
        int t = o % rung->at_once;
        double sum = 0;
        double magnitudes = 0;
        for (int i = 0; i < w->cols; i++) {
            double term =
                (double)work->x[(size_t)t * (size_t)w->cols + (size_t)i] * (double)tensor_at(w, o, i);
            sum += term;
            magnitudes += fabs(term);
        }
        double got = (double)work->y[(size_t)t * (size_t)w->rows + (size_t)o];
        right = right && fabs(got - sum) <= share * magnitudes;
    }
    return right;
}

struct rung_result rung_run(const struct ladder_work *work, const struct rung *rung)
{
    const struct weights *weights = rung->huge_pages ? &work->huge : &work->small;
    int n = rung->n_layers * PER_LAYER + (rung->decode && rung->n_layers == N_LAYERS ? 1 : 0);
    struct rung_result result = {0, 0, 0};
    choose(work, rung);
    double start = now();
    for (int i = 0; i < n; i++) {
        const struct tensor *w = &weights->matrix[i];
        for (int done = 0; done < rung->n_tokens; done += rung->at_once) {
            multiply(work, rung, w, rung->at_once);
        }
        result.bytes += 2.0 * w->rows * w->cols;
        result.flops += 2.0 * w->rows * w->cols * rung->n_tokens;
    }
    result.seconds = now() - start;
    return result;
}

double ladder_prefill_flops(const struct ladder_work *work)
{
    double flops = 0;
    for (int i = 0; i < N_LAYERS * PER_LAYER; i++) {
        const struct tensor *w = &work->small.matrix[i];
        flops += 2.0 * w->rows * w->cols * TOKENS;
    }
    return flops;
}

static double read_roof(const struct weights *weights, int n_threads)
{
    double best = 0;
    for (int probe = 0; probe < N_READ_PROBES; probe++) {
        double speed =
            1e-9 * (double)weights->n_bytes / roof_read(weights->bytes, weights->n_bytes, n_threads, probe);
        best = speed > best ? speed : best;
    }
    return best;
}

/* Is the i-th roof one of the kernel's instruction set ("avx512" of "avx512bf16"; arm64 has one set for bfloat16, under
 * other names)? kernel NULL: of any for float32. */
static bool is_roof_of(const char *kernel, int i)
{
    const char *name = roof_multiply_name(i);
    if (kernel == NULL || !roof_multiply_is_bf16(i)) {
        return kernel == NULL && !roof_multiply_is_bf16(i);
    }
    return strncmp(kernel, name, strlen(name)) == 0 || strncmp(kernel, "neon", 4) == 0;
}

static double multiply_roof(const char *kernel, int n_threads)
{
    double best = 0;
    for (int i = 0; roof_multiply_name(i) != NULL; i++) {
        for (int try = 0; try < 3 && is_roof_of(kernel, i); try++) {
            double speed = 1e-9 * roof_multiply(i, n_threads);
            best = speed > best ? speed : best;
        }
    }
    return best;
}

double ladder_roof(const struct ladder_work *work, enum roof roof)
{
    switch (roof) {
    case ROOF_READ_1: return read_roof(&work->small, 1);
    case ROOF_READ_ALL: return read_roof(&work->small, work->n_threads);
    case ROOF_READ_HUGE: return work->has_huge ? read_roof(&work->huge, work->n_threads) : 0;
    case ROOF_FMA_1: return multiply_roof(NULL, 1);
    case ROOF_FMA_ALL: return multiply_roof(NULL, work->n_threads);
    case ROOF_BF16_TWO:
        return work->bf16_kernel == NULL ? 0 : multiply_roof(work->bf16_kernel, work->n_threads) / 2;
    case ROOF_BF16_ONE:
        return work->bf16_kernel == NULL ? 0 : multiply_roof(work->bf16_kernel, work->n_threads);
    case N_ROOFS: break;
    }
    return 0;
}
