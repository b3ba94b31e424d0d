/* make bench: how fast the model runs, as a share of what this machine can do.
 *
 * usage: bench [--quick] [--small] [--only BEGINNING] TSV MODEL TOKENIZER
 *            TSV: what is written; MODEL: folder where the model is written for "start", made when it is not there;
 *            TOKENIZER: folder of Qwen2.5's tokenizer.json
 *            --small: a model of a few MB, to try this program itself; --only: the names that begin so
 *        bench --start MODEL        in a process of its own: seconds, seconds of a second token, bytes of memory
 *        bench --start-huge MODEL   the same with the weights copied into pages of 2 MB */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"
#include "tests/bench/machine.h"
#include "tests/bench/measures.h"
#include "tests/bench/roofs.h"
#include "tests/bench/sgemm.h"

enum { QUICK_SECONDS = 24, SECONDS = 90 }; /* of rounds; what comes before and after takes a few more */

struct arguments {
    bool quick, small;
    const char *only;
    const char *tsv, *model, *tokenizer;
};

static int print_start(const char *folder, bool huge_pages)
{
    double seconds, compute, rss;
    struct error error;
    if (work_start(folder, huge_pages, &seconds, &compute, &rss, &error) != STATUS_OK) {
        fprintf(stderr, "bench: %s\n", error.message);
        return EXIT_FAILURE;
    }
    printf("%.6f %.6f %.0f\n", seconds, compute, rss);
    return EXIT_SUCCESS;
}

static void print_machine(const struct bench *bench)
{
    printf("kernel %s, %d threads, L3 %.0f MB; %.0f MB of weights, %s\n", bench->kernel, bench->n_threads,
           (double)machine_l3_bytes() / (1 << 20), (double)bench->random.n_bytes * 1e-6,
           bench->huge.weights != NULL ? "2 MB pages are given" : "no 2 MB pages are given");
    printf("OpenBLAS: %s\n"
           "Medians over the rounds. Share: of the roof beside it in the same round;\n"
           "+-: from the smallest share to the largest, in points.\n",
           sgemm_available() ? sgemm_core() : "not installed");
}

static int measure_all(const char *program, const struct arguments *arguments)
{
    static struct bench bench;
    static struct report report;
    struct error error;
    enum model_shape shape = arguments->small ? SHAPE_SMALL : SHAPE_QWEN2_0_5B;
    enum status status = bench_init(&bench, shape, arguments->quick, arguments->tokenizer, &error);
    if (status == STATUS_OK) {
        status = random_model_save(&bench.random, arguments->model, &error);
    }
    if (status != STATUS_OK) {
        fprintf(stderr, "bench: %s\n", error.message);
        return EXIT_FAILURE;
    }
    print_machine(&bench);
    double seconds = arguments->quick ? QUICK_SECONDS : SECONDS;
    const struct measuring measuring = {
        .bench = &bench,
        .report = &report,
        .program = program,
        .folder = arguments->model,
        .only = arguments->only,
        .seconds = arguments->small ? 0 : seconds,
        .min_rounds = arguments->small ? 1 : 3,
    };
    measure_rounds(&measuring);
    report_print(&report, stdout);
    bool written = report_write(&report, arguments->tsv);
    if (!written) {
        fprintf(stderr, "bench: %s: cannot be written\n", arguments->tsv);
    }
    bench_free(&bench);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool read_arguments(struct arguments *arguments, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            arguments->quick = true;
        } else if (strcmp(argv[i], "--small") == 0) {
            arguments->small = true;
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            arguments->only = argv[++i];
        } else {
            return false;
        }
    }
    if (argc - i != 3) {
        return false;
    }
    arguments->tsv = argv[i];
    arguments->model = argv[i + 1];
    arguments->tokenizer = argv[i + 2];
    return true;
}

int main(int argc, char **argv)
{
    struct error error;
    struct arguments arguments = {0};
    sgemm_choose_core(argv);
    if (matmul_choose_kernel(NULL, &error) != STATUS_OK) {
        fprintf(stderr, "bench: %s\n", error.message);
        return 2;
    }
    if (argc == 3 && (strcmp(argv[1], "--start") == 0 || strcmp(argv[1], "--start-huge") == 0)) {
        return print_start(argv[2], strcmp(argv[1], "--start-huge") == 0);
    }
    if (!read_arguments(&arguments, argc, argv)) {
        fprintf(stderr, "usage: bench [--quick] [--small] [--only BEGINNING] TSV MODEL TOKENIZER\n");
        return 2;
    }
    return measure_all(argv[0], &arguments);
}
