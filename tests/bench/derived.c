#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "tests/bench/derived.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/bench/machine.h"
#include "tests/bench/roofs.h"

/* ---- Start ---- */

struct start {
    double seconds, compute, rss;
};

/* A start is measured with the file in the page cache; the system may have taken it out since the last round. */
static void read_model(const char *folder)
{
    char path[1100];
    static char bytes[1 << 20];
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return;
    }
    while (fread(bytes, 1, sizeof bytes, file) > 0) {
    }
    fclose(file);
}

/* Of this program run again, as if a user had just started it. flag: with or without pages of 2 MB. */
static bool measure_start(struct start *start, const struct measuring *on, const char *flag)
{
    char command[2100];
    snprintf(command, sizeof command, "'%s' %s '%s'", on->program, flag, on->folder);
    read_model(on->folder);
    FILE *child = popen(command, "r");
    if (child == NULL) {
        return false;
    }
    bool complete = fscanf(child, "%lf %lf %lf", &start->seconds, &start->compute, &start->rss) == 3;
    return pclose(child) == 0 && complete;
}

void derived_measure_start(const struct measuring *on)
{
    const struct random_model *random = &on->bench->random;
    const struct model_config *c = &random->model.config;
    double kv = START_CONTEXT * (double)kv_cache_bytes_per_token(c->n_layers, c->n_kv_heads, c->head_dim);
    double memory = ((double)random->n_bytes * 1.05 + kv) * 1e-6;
    struct start start;
    if (!measure_wanted(on, "start") && !measure_wanted(on, "rss")) {
        return;
    }
    if (measure_start(&start, on, "--start")) {
        report_add(on->report, "start", "s", fmax(start.seconds - start.compute, 0), 0.05);
        report_aim(on->report, "start", -1);
        report_add(on->report, "rss", "MB", start.rss * 1e-6, memory);
        report_aim(on->report, "rss", -1);
    }
    /* The price of decode.huge: the weights are copied first. In a quick run it is paid once. */
    bool due = !on->bench->quick || report_find(on->report, "start.huge") == NULL;
    if (due && on->bench->huge.weights != NULL && measure_start(&start, on, "--start-huge")) {
        report_add(on->report, "start.huge", "s", fmax(start.seconds - start.compute, 0), 0);
        report_add(on->report, "rss.huge", "MB", start.rss * 1e-6, memory);
        report_aim(on->report, "rss.huge", -1);
    }
}

/* ---- Prefill of n tokens: a n + b n^2 ---- */

double derived_fit(const double *n, const double *seconds, int count, double *a, double *b)
{
    /* Sums over x = n / seconds and y = n^2 / seconds; a x + b y should be 1. */
    double xx = 0, xy = 0, yy = 0, x1 = 0, y1 = 0;
    for (int i = 0; i < count; i++) {
        double x = n[i] / seconds[i], y = n[i] * n[i] / seconds[i];
        xx += x * x, xy += x * y, yy += y * y, x1 += x, y1 += y;
    }
    double determinant = xx * yy - xy * xy;
    if (!(determinant > 1e-12 * xx * yy)) {
        return NAN;
    }
    *a = (x1 * yy - y1 * xy) / determinant;
    *b = (y1 * xx - x1 * xy) / determinant;
    double largest = 0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs((*a * n[i] + *b * n[i] * n[i]) / seconds[i] - 1));
    }
    return largest;
}

static void fit_prefill(const struct measuring *on)
{
    static const int lengths[] = {64, 512, 2048, 4096, 8192};
    double n[5], seconds[5], a, b;
    int count = 0;
    const struct random_model *random = &on->bench->random;
    for (int i = 0; i < 5; i++) {
        char name[REPORT_NAME_SIZE];
        snprintf(name, sizeof name, "prefill.%d", lengths[i]);
        double speed = report_value(on->report, name) * 1e9;
        if (isfinite(speed)) {
            n[count] = lengths[i];
            seconds[count++] = (random_model_product_flops(random, lengths[i], 1) +
                                random_model_attention_flops(random, lengths[i])) /
                               speed;
        }
    }
    if (count < 4) {
        return;
    }
    double largest = derived_fit(n, seconds, count, &a, &b);
    double flops_of_n2 = random_model_attention_flops(random, 1 << 20) / ldexp(1, 40);
    printf("prefill of n tokens: %.3g us * n + %.3g ns * n^2, within %.1f %%\n", a * 1e6, b * 1e9,
           100 * largest);
    report_add(on->report, "prefill.attention", "GFLOP/s", b > 0 ? flops_of_n2 / b * 1e-9 : 0,
               report_value(on->report, "roof.fma.all"));
    report_aim(on->report, "prefill.attention", 0.5);
}

/* All threads against one: how much faster the pass is, and how much faster arithmetic is; of the roofs beside them. */
static void compare_threads(const struct measuring *on)
{
    const struct report_line *all = report_find(on->report, "prefill.512");
    const struct report_line *one = report_find(on->report, "prefill.512.1thread");
    if (all == NULL || one == NULL) {
        return;
    }
    double faster = report_value(on->report, all->name) / report_value(on->report, one->name);
    report_add(on->report, "prefill.threads", "times", faster,
               faster / report_share(all) * report_share(one));
    report_aim(on->report, "prefill.threads", 0.93);
}

/* Memory of a pass over twice as many tokens, against twice the memory. */
static void compare_memory(const struct measuring *on)
{
    double bytes[2];
    for (int i = 0; i < 2; i++) {
        double work;
        struct error error;
        struct qwen2_run kept = on->bench->run;
        int n_tokens = on->bench->max_context >> (1 - i);
        if (qwen2_run_init(&on->bench->run, &on->bench->random.model, n_tokens, &error) != STATUS_OK) {
            on->bench->run = kept;
            return;
        }
        (void)work_prefill(on->bench, n_tokens, on->bench->n_threads, &work);
        bytes[i] = (double)(on->bench->run.scratch_size * sizeof *on->bench->run.scratch);
        qwen2_run_free(&on->bench->run);
        on->bench->run = kept;
    }
    report_add(on->report, "prefill.memory", "MB", bytes[1] * 1e-6, 2 * bytes[0] * 1e-6);
    report_aim(on->report, "prefill.memory", -1.05);
}

static bool is_small(const struct measuring *on)
{
    return on->bench->random.n_bytes < 100 << 20;
}

/* ---- The tokenizer on one long pre-token: the time of a byte must not grow with the length ---- */

static double seconds_of_run(struct texts *texts, int i, size_t n_bytes)
{
    double best = NAN;
    for (int attempt = 0; attempt < 3; attempt++) {
        best = fmin(best, texts_encode_run(texts, i, n_bytes));
    }
    return best / (double)n_bytes;
}

static void compare_lengths(const struct measuring *on)
{
    enum { TIMES = 16 };
    const size_t n_bytes = (size_t)(is_small(on) ? 1 : 64) << 10;
    struct texts *texts = &on->bench->texts;
    double worst = 0;
    const char *slowest = "";
    for (int i = 0; texts_run_unit(i) != NULL; i++) {
        double growth = seconds_of_run(texts, i, n_bytes * TIMES) / seconds_of_run(texts, i, n_bytes);
        if (growth > worst) {
            worst = growth;
            slowest = texts_run_unit(i);
        }
    }
    report_add(on->report, "tokenizer.linear", "times", worst, 1);
    report_aim(on->report, "tokenizer.linear", -2);
    printf("tokenizer: a byte of %zu kB takes %.2f times one of %zu kB at most (text:", n_bytes * TIMES >> 10,
           worst, n_bytes >> 10);
    for (const char *at = slowest; *at != '\0'; at++) {
        printf(" %02x", (unsigned char)*at);
    }
    printf(")\n");
}

/* ---- A second figure for reading: 4 GB, which no cache holds ---- */

static void read_large(const struct measuring *on)
{
    const size_t n_bytes = (size_t)4 << 30;
    if (machine_free_bytes() < n_bytes + n_bytes / 8) {
        printf("roof.read.4gb: not measured, less than 4.5 GB of memory are free\n");
        return;
    }
    unsigned char *bytes = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED) {
        return;
    }
#ifdef MADV_NOHUGEPAGE
    madvise(bytes, n_bytes, MADV_NOHUGEPAGE);
#endif
    memset(bytes, 1, n_bytes); /* untouched pages are all one page of zeros */
    for (int round = 0; round < 2; round++) {
        for (int probe = 0; probe < N_READ_PROBES; probe++) {
            double seconds = roof_read(bytes, n_bytes, on->bench->n_threads, probe);
            report_add(on->report, "roof.read.4gb.all", "GB/s", (double)n_bytes / seconds * 1e-9, 0);
        }
    }
    munmap(bytes, n_bytes);
}

void derived_from_medians(const struct measuring *on)
{
    if (measure_wanted(on, "prefill.512")) {
        compare_threads(on);
    }
    if (measure_wanted(on, "tokenizer.linear")) {
        compare_lengths(on);
    }
    if (on->bench->quick) {
        return;
    }
    if (measure_wanted(on, "prefill.attention")) {
        fit_prefill(on);
    }
    if (measure_wanted(on, "prefill.memory")) {
        compare_memory(on);
    }
    if (measure_wanted(on, "roof.read.4gb") && !is_small(on)) {
        read_large(on);
    }
}
