#include "common/matmul.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "common/bf16.h"
#include "common/matmul_kernels.h"
#include "common/require.h"

void matmul_plain(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *w,
                  const struct tensor *bias, int n_tokens)
{
    for (int t = 0; t < n_tokens; t++) {
        for (int o = 0; o < w->rows; o++) {
            float sum = tensor_present(bias) ? tensor_at(bias, 0, o) : 0.0f;
            for (int i = 0; i < w->cols; i++) {
                sum += x[(size_t)t * x_stride + (size_t)i] * tensor_at(w, o, i);
            }
            y[(size_t)t * y_stride + (size_t)o] = sum;
        }
    }
}

/* ---- The choice of a kernel ---- */

/* Best first. avx512bf16 with two terms is as fast as avx512 and less exact: it is there for one term. */
static const struct matmul_kernel *const kernels[] = {&matmul_amx,     &matmul_avx512,   &matmul_avx512bf16,
                                                      &matmul_avx2,    &matmul_neonbf16, &matmul_neon,
                                                      &matmul_portable};
enum { N_KERNELS = sizeof kernels / sizeof kernels[0] };

/* Mutable state of the whole program: set before the first product, read by all. Beside it common/ has two small ones:
 * a note in json.c that memory ran out (one a thread), and the message that a signal handler of mapped_file.c prints. */
static struct {
    const struct matmul_kernel *kernel;
    int n_threads; /* 0: as many as the machine has */
    enum matmul_precision precision;
} chosen = {&matmul_portable, 0, MATMUL_TWO_TERMS};

static bool is_usable(const struct matmul_kernel *kernel)
{
    return kernel->built_in && kernel->usable();
}

/* "amx, avx512, …": what a message offers. */
static const char *list_names(char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < N_KERNELS && used < size; i++) {
        int n = snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", kernels[i]->name);
        used += (size_t)n;
    }
    return text;
}

enum status matmul_choose_kernel(const char *name, struct error *error)
{
    if (name == NULL) {
        name = getenv("KERNEL");
    }
    bool any = name == NULL || *name == '\0';
    for (int i = 0; i < N_KERNELS; i++) {
        if (any ? is_usable(kernels[i]) : strcmp(kernels[i]->name, name) == 0) {
            if (!is_usable(kernels[i])) {
                return error_set(error, STATUS_UNSUPPORTED, "kernel %s: %s", name,
                                 kernels[i]->built_in ? "this machine cannot run it" : "not built in");
            }
            chosen.kernel = kernels[i];
            return STATUS_OK;
        }
    }
    char names[128];
    return error_set(error, STATUS_USAGE, "kernel %s: unknown, expected one of %s", name,
                     list_names(names, sizeof names));
}

const char *matmul_kernel_name(void)
{
    return chosen.kernel->name;
}

void matmul_list_kernels(FILE *out)
{
    for (int i = 0; i < N_KERNELS; i++) {
        const char *state = !kernels[i]->built_in         ? "not built in"
                            : !kernels[i]->usable()       ? "built in, not for this machine"
                            : kernels[i] == chosen.kernel ? "built in, usable, chosen"
                                                          : "built in, usable";
        fprintf(out, "  %-12s %s\n", kernels[i]->name, state);
    }
}

const char *matmul_usable_kernel(int index)
{
    for (int i = 0; i < N_KERNELS; i++) {
        if (is_usable(kernels[i]) && index-- == 0) {
            return kernels[i]->name;
        }
    }
    return NULL;
}

void matmul_set_precision(enum matmul_precision precision)
{
    chosen.precision = precision;
}

/* The chosen kernel or, for what it does not do itself, its base. */
static const struct matmul_kernel *base_kernel(void)
{
    return chosen.kernel->base != NULL ? chosen.kernel->base : chosen.kernel;
}

/* ---- Threads ---- */

void matmul_set_threads(int n_threads)
{
    REQUIRE(n_threads >= 0);
    chosen.n_threads = n_threads;
}

int matmul_threads(void)
{
#ifdef _OPENMP
    return chosen.n_threads > 0 ? chosen.n_threads : omp_get_num_procs();
#else
    return 1;
#endif
}

/* ---- The products ---- */

const unsigned char *matmul_address(const struct tensor *w, int row, int col)
{
    size_t index = (size_t)row * (size_t)w->cols + (size_t)col;
    return (const unsigned char *)w->data + index * dtype_size(w->dtype);
}

float *matmul_memory(size_t n)
{
    enum { LINE = 64, FLOATS = LINE / sizeof(float) };
    size_t lines = n / FLOATS + 1;
    return lines > SIZE_MAX / LINE / 2 ? NULL : aligned_alloc(LINE, lines * LINE);
}

/* The rows of all parts, in units, are one list, which is cut into pieces for the threads. A piece is at most
 * PIECE_UNITS, so that no thread waits long for the last. Fewer multiplications than SMALL are done before a second
 * thread has woken up, and on a busy machine long before: waiting for it would make a small model many times slower. */
enum { PIECE_UNITS = 32, SMALL = 1 << 19 };

struct product {
    const struct matmul_part *parts;
    int n_parts;
    const float *x;
    size_t x_stride;
    int n_tokens;
    bool gated; /* two parts, gate and up: units are rows of both */
};

static int count_units(const struct matmul_part *part)
{
    return (part->w->rows + MATMUL_ROW_UNIT - 1) / MATMUL_ROW_UNIT;
}

/* Will the chosen kernel multiply bfloat16? It would have to round other weights: they are left to its base. */
static bool multiplies_bf16(const struct tensor *w, int n_tokens)
{
    return chosen.kernel->many_bf16 != NULL && w->dtype == DTYPE_BF16 && n_tokens > chosen.kernel->n_few;
}

static matmul_rows *chosen_rows(const struct tensor *w, int n_tokens)
{
    if (n_tokens <= chosen.kernel->n_few) {
        return base_kernel()->few;
    }
    if (!multiplies_bf16(w, n_tokens)) {
        return base_kernel()->many;
    }
    return chosen.precision == MATMUL_ONE_TERM ? chosen.kernel->many_bf16 : chosen.kernel->many;
}

void matmul_round_activations(float *x, const struct tensor *w, int n_tokens)
{
    if (chosen.precision != MATMUL_ONE_TERM || multiplies_bf16(w, n_tokens)) {
        return;
    }
    long long n = (long long)n_tokens * w->cols;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(matmul_threads()) if (n > SMALL)
#endif
    for (long long i = 0; i < n; i++) {
        x[i] = bf16_round(x[i]);
    }
}

/* Units from .. end-1 of the list. */
static void multiply_units(const struct product *product, int from, int end)
{
    for (int p = 0; p < product->n_parts && from < end; p++) {
        const struct matmul_part *part = &product->parts[p];
        int n_units = count_units(part);
        if (from < n_units) {
            int last = end < n_units ? end * MATMUL_ROW_UNIT : part->w->rows;
            last = last < part->w->rows ? last : part->w->rows;
            chosen_rows(part->w, product->n_tokens)(part, product->x, product->x_stride, product->n_tokens,
                                                    from * MATMUL_ROW_UNIT, last);
        }
        from = from > n_units ? from - n_units : 0;
        end -= n_units;
    }
}

static void multiply_gated_units(const struct product *product, int from, int end)
{
    const struct matmul_part *gate = &product->parts[0], *up = &product->parts[1];
    int first = from * MATMUL_ROW_UNIT, last = end * MATMUL_ROW_UNIT;
    last = last < gate->w->rows ? last : gate->w->rows;
    chosen_rows(gate->w, product->n_tokens)(gate, product->x, product->x_stride, product->n_tokens, first,
                                            last);
    chosen_rows(up->w, product->n_tokens)(up, product->x, product->x_stride, product->n_tokens, first, last);
    for (int t = 0; t < product->n_tokens; t++) {
        matmul_silu_multiply(gate->y + (size_t)t * gate->y_stride + first,
                             up->y + (size_t)t * up->y_stride + first, (size_t)(last - first));
    }
}

static void require_part(const struct matmul_part *part, int cols)
{
    REQUIRE(tensor_present(part->w) && part->w->cols == cols);
    REQUIRE(!tensor_present(part->bias) || part->bias->cols == part->w->rows);
}

static void share_units(const struct product *product, int n_units, double n_products)
{
    int n_threads = n_products > SMALL ? matmul_threads() : 1;
    int rounds = (n_units + n_threads * PIECE_UNITS - 1) / (n_threads * PIECE_UNITS);
    int n_pieces = rounds * n_threads;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n_threads > 1)
#endif
    for (int piece = 0; piece < n_pieces; piece++) {
        int from = (int)((long long)n_units * piece / n_pieces);
        int end = (int)((long long)n_units * (piece + 1) / n_pieces);
        if (product->gated) {
            multiply_gated_units(product, from, end);
        } else {
            multiply_units(product, from, end);
        }
    }
}

void matmul_parts(const struct matmul_part *parts, int n_parts, const float *x, size_t x_stride, int n_tokens)
{
    REQUIRE(n_parts >= 1 && n_tokens >= 0);
    const struct product product = {parts, n_parts, x, x_stride, n_tokens, false};
    int n_units = 0;
    double n_products = 0;
    for (int p = 0; p < n_parts; p++) {
        require_part(&parts[p], parts[0].w->cols);
        n_units += count_units(&parts[p]);
        n_products += (double)n_tokens * parts[p].w->rows * parts[p].w->cols;
    }
    if (n_tokens > 0) {
        share_units(&product, n_units, n_products);
    }
}

void matmul_gated(const struct matmul_part *gate, const struct matmul_part *up, const float *x,
                  size_t x_stride, int n_tokens)
{
    REQUIRE(n_tokens >= 0);
    require_part(gate, gate->w->cols);
    require_part(up, gate->w->cols);
    REQUIRE(up->w->rows == gate->w->rows);
    const struct matmul_part parts[2] = {*gate, *up};
    const struct product product = {parts, 2, x, x_stride, n_tokens, true};
    if (n_tokens > 0) {
        share_units(&product, count_units(gate), 2.0 * n_tokens * gate->w->rows * gate->w->cols);
    }
}

void matmul(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *w,
            const struct tensor *bias, int n_tokens)
{
    struct matmul_part part = {y, y_stride, w, bias};
    matmul_parts(&part, 1, x, x_stride, n_tokens);
}

float matmul_dot(const float *a, const float *b, int n)
{
    return base_kernel()->dot(a, b, n);
}

void matmul_add_scaled(float *y, float scale, const float *x, int n)
{
    base_kernel()->add_scaled(y, scale, x, n);
}

/* With so few queries a key is read once and used at once; with more it pays to pack it. */
enum { FEW_QUERIES = 8 };

void matmul_scores(float *y, size_t y_stride, const float *x, size_t x_stride, const float *k, int n_rows,
                   int n_keys, int dim)
{
    const struct tensor keys = tensor_f32(k, n_keys, dim);
    const struct matmul_part part = {y, y_stride, &keys, NULL};
    if (n_rows <= FEW_QUERIES) {
        base_kernel()->score_few(y, y_stride, x, x_stride, &keys, n_rows);
    } else {
        base_kernel()->many(&part, x, x_stride, n_rows, 0, n_keys);
    }
}

void matmul_mix(float *y, size_t y_stride, const float *x, size_t x_stride, const float *v, int n_rows,
                int n_keys, int dim)
{
    const struct tensor values = tensor_f32(v, n_keys, dim);
    base_kernel()->add_mixed(y, y_stride, x, x_stride, &values, n_rows);
}

float matmul_largest(const float *x, int n)
{
    return base_kernel()->largest(x, n);
}

float matmul_exp_sum(float *x, float shift, int n)
{
    return base_kernel()->exp_sum(x, shift, n);
}

void matmul_silu_multiply(float *gate, const float *up, size_t n)
{
    base_kernel()->silu_multiply(gate, up, n);
}
