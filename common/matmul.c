#include "common/matmul.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

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

/* Best first. */
static const struct matmul_kernel *const kernels[] = {&matmul_portable};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

/* The only mutable state of common/: set before the first product, read by all. */
static struct {
    const struct matmul_kernel *kernel;
    int n_threads; /* 0: as many as the machine has */
} chosen = {&matmul_portable, 0};

static bool is_usable(const struct matmul_kernel *kernel)
{
    return kernel->built_in && kernel->usable();
}

enum status matmul_choose_kernel(const char *name, struct error *error)
{
    if (name == NULL)
        name = getenv("KERNEL");
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
    return error_set(error, STATUS_USAGE, "kernel %s: unknown (--kernels lists them)", name);
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
        if (is_usable(kernels[i]) && index-- == 0)
            return kernels[i]->name;
    }
    return NULL;
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

/* A thread takes this many outputs at a time: enough to be worth its while, few enough that no thread waits long for
 * the last. Fewer multiplications than SMALL are done before a second thread has woken up. */
enum { ROWS_AT_A_TIME = 64, SMALL = 1 << 16 };

static int count_pieces(const struct matmul_part *part)
{
    return (part->w->rows + ROWS_AT_A_TIME - 1) / ROWS_AT_A_TIME;
}

static void multiply_piece(const struct matmul_part *part, int piece, const float *x, size_t x_stride,
                           int n_tokens)
{
    while (piece >= count_pieces(part))
        piece -= count_pieces(part++);
    int first = piece * ROWS_AT_A_TIME;
    int end = part->w->rows - first < ROWS_AT_A_TIME ? part->w->rows : first + ROWS_AT_A_TIME;
    chosen.kernel->rows(part, x, x_stride, n_tokens, first, end);
}

void matmul_parts(const struct matmul_part *parts, int n_parts, const float *x, size_t x_stride, int n_tokens)
{
    REQUIRE(n_parts >= 1 && n_tokens >= 0);
    int n_pieces = 0;
    double n_products = 0;
    for (int p = 0; p < n_parts; p++) {
        const struct tensor *w = parts[p].w;
        REQUIRE(tensor_present(w) && w->cols == parts[0].w->cols);
        REQUIRE(!tensor_present(parts[p].bias) || parts[p].bias->cols == w->rows);
        n_pieces += count_pieces(&parts[p]);
        n_products += (double)n_tokens * w->rows * w->cols;
    }
    if (n_tokens == 0)
        return;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(matmul_threads()) if (n_products > SMALL)
#endif
    for (int piece = 0; piece < n_pieces; piece++)
        multiply_piece(parts, piece, x, x_stride, n_tokens);
}

void matmul(float *y, size_t y_stride, const float *x, size_t x_stride, const struct tensor *w,
            const struct tensor *bias, int n_tokens)
{
    struct matmul_part part = {y, y_stride, w, bias};
    matmul_parts(&part, 1, x, x_stride, n_tokens);
}

float matmul_dot(const float *a, const float *b, int n)
{
    return chosen.kernel->dot(a, b, n);
}

void matmul_add_scaled(float *y, float scale, const float *x, int n)
{
    chosen.kernel->add_scaled(y, scale, x, n);
}
