/* make bench: how fast the model runs, as a share of what this machine can do.
 *
 * Roofs and work are measured in the same run, one after the other in every round, so that whatever else the machine is
 * doing disturbs both. The best round counts; the median and the slowest show how quiet the machine was.
 * usage: bench [--quick] TSV FOLDER     FOLDER: where the model is written for "start"; made when it is not there
 *        bench --start FOLDER           in a process of its own: seconds, seconds of a second token, bytes of memory */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"
#include "tests/bench/report.h"
#include "tests/bench/roofs.h"
#include "tests/bench/work.h"

enum { ROUNDS = 7, QUICK_ROUNDS = 3 };

/* ---- What is measured in every round ---- */

enum kind { READ, MULTIPLY, DECODE, PREFILL, PRODUCTS, TINY };

static const struct measure {
    const char *name, *unit;
    enum kind kind;
    int n, context;        /* sequences and their length; tokens; or a choice, see run */
    bool one_thread, slow; /* slow: not in a quick run */
} measures[] = {
    {"roof.read.1", "GB/s", READ, 0, 0, true, false},
    {"roof.read.all", "GB/s", READ, 0, 0, false, false},
    {"roof.fma.1", "GFLOP/s", MULTIPLY, 0, 0, true, false},
    {"roof.fma.all", "GFLOP/s", MULTIPLY, 0, 0, false, false},
    {"roof.bf16.1", "GFLOP/s", MULTIPLY, 1, 0, true, false},
    {"roof.bf16.all", "GFLOP/s", MULTIPLY, 1, 0, false, false},
    {"sgemm.512", "GFLOP/s", PRODUCTS, 1, 0, false, false},
    {"products.512", "GFLOP/s", PRODUCTS, 0, 0, false, false},
    {"decode.0", "GB/s", DECODE, 1, 0, false, false},
    {"decode.0.1thread", "GB/s", DECODE, 1, 0, true, false},
    {"decode.1024", "GB/s", DECODE, 1, 1024, false, false},
    {"decode.4096", "GB/s", DECODE, 1, 4096, false, true},
    {"decode.batch8", "tokens/s", DECODE, 8, 0, false, false},
    {"decode.batch32", "tokens/s", DECODE, 32, 0, false, true},
    {"prefill.64", "GFLOP/s", PREFILL, 64, 0, false, false},
    {"prefill.512", "GFLOP/s", PREFILL, 512, 0, false, false},
    {"prefill.512.1thread", "GFLOP/s", PREFILL, 512, 0, true, false},
    {"prefill.4096", "GFLOP/s", PREFILL, 4096, 0, false, true},
    {"tiny.decode", "tokens/s", TINY, 0, 0, true, false},
};
enum { N_MEASURES = sizeof measures / sizeof *measures };

static double best_read(const struct bench *bench, int n_threads)
{
    double best = -1;
    for (int probe = 0; probe < N_READ_PROBES; probe++) {
        double seconds = roof_read(bench->random.weights, bench->random.n_bytes, n_threads, probe);
        best = best < 0 || seconds < best ? seconds : best;
    }
    return (double)bench->random.n_bytes / best;
}

static double best_multiply(int is_bf16, int n_threads)
{
    double best = -1;
    for (int i = 0; roof_multiply_name(i) != NULL; i++) {
        if (roof_multiply_is_bf16(i) == is_bf16) {
            double flops = roof_multiply(i, n_threads);
            best = flops > best ? flops : best;
        }
    }
    return best;
}

/* In the unit of m; negative: this machine has no such thing. */
static double run(const struct measure *m, struct bench *bench)
{
    int n_threads = m->one_thread ? 1 : bench->n_threads;
    double work = 0;
    double seconds = -1;
    switch (m->kind) {
    case READ: return best_read(bench, n_threads) * 1e-9;
    case MULTIPLY: return best_multiply(m->n, n_threads) * 1e-9;
    case DECODE:
        seconds = work_decode(bench, m->n, m->context, n_threads, &work);
        return m->n > 1 ? m->n / seconds : work / seconds * 1e-9;
    case PREFILL: seconds = work_prefill(bench, m->n, n_threads, &work); break;
    case PRODUCTS: seconds = work_products(bench, m->n == 1, n_threads, &work); break;
    case TINY: return TINY_TOKENS / work_tiny_decode(bench, n_threads);
    }
    return work / seconds * 1e-9;
}

static void run_rounds(struct report *report, struct bench *bench, bool quick)
{
    for (int round = 0; round < (quick ? QUICK_ROUNDS : ROUNDS); round++) {
        for (int i = 0; i < N_MEASURES; i++) {
            if (!measures[i].slow || (!quick && round < QUICK_ROUNDS)) {
                report_add(report, measures[i].name, measures[i].unit, run(&measures[i], bench));
            }
        }
        fprintf(stderr, "\r  round %d ", round + 1);
    }
    fprintf(stderr, "\r            \r");
}

/* ---- Start, in a process that has just begun ---- */

static bool add_start(struct report *report, const char *program, const char *folder,
                      const struct random_model *random)
{
    char command[1200];
    for (int round = 0; round < QUICK_ROUNDS; round++) {
        double seconds, compute, rss;
        snprintf(command, sizeof command, "'%s' --start '%s'", program, folder);
        FILE *child = popen(command, "r");
        if (child == NULL) {
            return false;
        }
        bool read = fscanf(child, "%lf %lf %lf", &seconds, &compute, &rss) == 3;
        if (pclose(child) != 0 || !read) {
            return false;
        }
        report_add(report, "start", "s", -(seconds - compute)); /* negative: the least is the best */
        report_add(report, "rss", "MB", -rss * 1e-6);
    }
    const struct model_config *c = &random->model.config;
    double kv = MAX_CONTEXT * (double)kv_cache_bytes_per_token(c->n_layers, c->n_kv_heads, c->head_dim);
    report_roof(report, "start", 0.05);
    report_roof(report, "rss", ((double)random->n_bytes * 1.05 + kv) * 1e-6);
    return true;
}

static int print_start(const char *folder)
{
    double seconds, compute, rss;
    struct error error;
    if (work_start(folder, &seconds, &compute, &rss, &error) != STATUS_OK) {
        fprintf(stderr, "bench: %s\n", error.message);
        return EXIT_FAILURE;
    }
    printf("%.6f %.6f %.0f\n", seconds, compute, rss);
    return EXIT_SUCCESS;
}

/* ---- Shares of the roofs ---- */

static void set_roofs(struct report *report, const struct bench *bench)
{
    double read = report_value(report, "roof.read.all");
    double fma = report_value(report, "roof.fma.all");
    double fma_1 = report_value(report, "roof.fma.1");
    double tokens = report_value(report, "decode.0") * 1e9 / (double)qwen2_weight_bytes(&bench->random.model);
    double computed = fma * 1e9 / random_model_product_flops(&bench->random, 1, 1);
    double batch8 = 8 * tokens < computed ? 8 * tokens : computed;
    double batch32 = 32 * tokens < computed ? 32 * tokens : computed;
    report_roof(report, "sgemm.512", fma);
    report_roof(report, "products.512", fma);
    if (report_value(report, "sgemm.512") > 0) { /* the same products again, as a share of OpenBLAS's */
        report_add(report, "products.512.sgemm", "GFLOP/s", report_value(report, "products.512"));
        report_roof(report, "products.512.sgemm", report_value(report, "sgemm.512"));
    }
    report_roof(report, "decode.0", read);
    report_roof(report, "decode.0.1thread", report_value(report, "roof.read.1"));
    report_roof(report, "decode.1024", read);
    report_roof(report, "decode.4096", read);
    report_roof(report, "decode.batch8", batch8);
    report_roof(report, "decode.batch32", batch32);
    report_roof(report, "prefill.64", fma);
    report_roof(report, "prefill.512", fma);
    report_roof(report, "prefill.512.1thread", fma_1);
    report_roof(report, "prefill.4096", fma);
    report_roof(report, "tiny.decode", 2000);
}

static int measure_all(const char *program, bool quick, const char *tsv, const char *folder)
{
    static struct bench bench;
    static struct report report;
    struct error error;
    enum status status = bench_init(&bench, &error);
    if (status == STATUS_OK) {
        status = random_model_save(&bench.random, folder, &error);
    }
    if (status != STATUS_OK) {
        fprintf(stderr, "bench: %s\n", error.message);
        return EXIT_FAILURE;
    }
    printf("kernel %s, %d threads, %.0f MB of weights\n", matmul_kernel_name(), bench.n_threads,
           (double)bench.random.n_bytes * 1e-6);
    run_rounds(&report, &bench, quick);
    if (!add_start(&report, program, folder, &bench.random)) {
        fprintf(stderr, "bench: the start could not be measured\n");
        return EXIT_FAILURE;
    }
    set_roofs(&report, &bench);
    report_print(&report);
    bool written = report_write(&report, tsv);
    if (!written) {
        fprintf(stderr, "bench: %s: cannot be written\n", tsv);
    }
    bench_free(&bench);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct error error;
    if (matmul_choose_kernel(NULL, &error) != STATUS_OK) {
        fprintf(stderr, "bench: %s\n", error.message);
        return 2;
    }
    if (argc == 3 && strcmp(argv[1], "--start") == 0) {
        return print_start(argv[2]);
    }
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    if (argc != (quick ? 4 : 3)) {
        fprintf(stderr, "usage: bench [--quick] TSV FOLDER\n");
        return 2;
    }
    return measure_all(argv[0], quick, argv[argc - 2], argv[argc - 1]);
}
