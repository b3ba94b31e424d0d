/* Which kernel multiplies, with how many terms an activation, on how many threads. */
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "common/bf16.h"
#include "common/matmul_kernels.h"
#include "common/require.h"

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

const struct matmul_kernel *matmul_base_kernel(void)
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

/* ---- What they mean for a product ---- */

/* Will the chosen kernel multiply bfloat16? It would have to round other weights: they are left to its base. */
static bool multiplies_bf16(const struct tensor *w, int n_tokens)
{
    return chosen.kernel->many_bf16 != NULL && w->dtype == DTYPE_BF16 && n_tokens > chosen.kernel->n_few;
}

matmul_rows *matmul_chosen_rows(const struct tensor *w, int n_tokens)
{
    if (n_tokens <= chosen.kernel->n_few) {
        return matmul_base_kernel()->few;
    }
    if (!multiplies_bf16(w, n_tokens)) {
        return matmul_base_kernel()->many;
    }
    return chosen.precision == MATMUL_ONE_TERM ? chosen.kernel->many_bf16 : chosen.kernel->many;
}

matmul_gated_rows *matmul_chosen_gated(const struct tensor *gate, const struct tensor *up, int n_tokens)
{
    if (!multiplies_bf16(gate, n_tokens) || !multiplies_bf16(up, n_tokens)) {
        return NULL;
    }
    return chosen.precision == MATMUL_ONE_TERM ? chosen.kernel->gated_bf16 : chosen.kernel->gated;
}

void matmul_round_activations(float *x, const struct tensor *w, int n_tokens)
{
    if (chosen.precision != MATMUL_ONE_TERM || multiplies_bf16(w, n_tokens)) {
        return;
    }
    long long n = (long long)n_tokens * w->cols;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(matmul_threads()) if (n > MATMUL_SMALL)
#endif
    for (long long i = 0; i < n; i++) {
        x[i] = bf16_round(x[i]);
    }
}

int matmul_max_tokens(int n_tokens)
{
    return chosen.kernel->max_tokens > 0 && n_tokens > chosen.kernel->n_few ? chosen.kernel->max_tokens
                                                                            : n_tokens;
}
