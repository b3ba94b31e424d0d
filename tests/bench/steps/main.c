/* make bench-steps: what each optimisation is worth, from the plain loop of chapter 4 to the final kernel. All rungs and
 * their roofs are measured in every round; of each the best round counts, since whatever else the machine does can only
 * make it slower.
 * usage: steps [--small] TSV        --small: few rows and one round, to try this program itself */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/steps/ladder.h"

enum { ROUNDS = 5 };

struct measured {
    struct rung_result rung[N_RUNGS];
    double roof[N_ROOFS];
};

static void measure_round(struct measured *m, const struct ladder_work *work)
{
    for (int roof = 0; roof < N_ROOFS; roof++) {
        double value = ladder_roof(work, (enum roof)roof);
        m->roof[roof] = value > m->roof[roof] ? value : m->roof[roof];
    }
    for (int i = 0; i < N_RUNGS; i++) {
        if (rung_possible(work, &ladder[i])) {
            struct rung_result result = rung_run(work, &ladder[i]);
            if (m->rung[i].seconds == 0 || result.seconds < m->rung[i].seconds) {
                m->rung[i] = result;
            }
        }
    }
}

/* ---- The result ---- */

struct line {
    double value; /* GB/s or GFLOP/s */
    double
        milliseconds; /* that all products of one token, or of 512 tokens in all layers, take at that speed */
    double gain;      /* over the rung before; 0: there is none */
    double roof;
};

/* previous: the value of the rung before, 0: none. */
static struct line line_of(const struct measured *m, const struct ladder_work *work, int i, double previous)
{
    const struct rung *rung = &ladder[i];
    double done = rung->decode ? m->rung[i].bytes : m->rung[i].flops;
    double all = rung->decode ? (double)work->small.n_bytes : ladder_prefill_flops(work);
    double speed = done / m->rung[i].seconds;
    return (struct line){.value = 1e-9 * speed,
                         .milliseconds = 1e3 * all / speed,
                         .gain = previous > 0 ? 1e-9 * speed / previous : 0,
                         .roof = m->roof[rung->roof]};
}

static void print_line(const struct rung *rung, const struct line *line)
{
    printf("  %-38s %8.*f %8.*f", rung->title, line->milliseconds < 100 ? 1 : 0, line->milliseconds,
           line->value < 100 ? 1 : 0, line->value);
    if (line->gain > 0) {
        printf(" %7.2f", line->gain);
    } else {
        printf(" %7s", "");
    }
    if (line->roof > 0) {
        printf(" %7.0f%%", 100 * line->value / line->roof);
    }
    printf("\n");
}

static void print_heading(const struct ladder_work *work, bool decode)
{
    if (decode) {
        printf("decode: one token, %.0f MB of weights\n", 1e-6 * (double)work->small.n_bytes);
    } else {
        printf("\nprefill: %d tokens, %.0f GFLOP\n", TOKENS, 1e-9 * ladder_prefill_flops(work));
    }
    printf("  %-38s %8s %8s %7s %8s\n", "", "ms", decode ? "GB/s" : "GFLOP/s", "gain", "of roof");
}

/* Both the table and the file. */
static void report(const struct measured *m, const struct ladder_work *work, FILE *tsv)
{
    double previous = 0;
    fprintf(tsv, "name\tstep\tms\tvalue\tunit\tgain\troof\tratio\n");
    for (int i = 0; i < N_RUNGS; i++) {
        const struct rung *rung = &ladder[i];
        if (i == 0 || rung->decode != ladder[i - 1].decode) {
            print_heading(work, rung->decode);
            previous = 0;
        }
        if (!rung_possible(work, rung)) {
            continue;
        }
        struct line line = line_of(m, work, i, previous);
        print_line(rung, &line);
        fprintf(tsv, "%s\t%s\t%.4g\t%.4g\t%s\t", rung->name, rung->title, line.milliseconds, line.value,
                rung->decode ? "GB/s" : "GFLOP/s");
        if (line.gain > 0) {
            fprintf(tsv, "%.4g\t", line.gain);
        } else {
            fprintf(tsv, "-\t");
        }
        if (line.roof > 0) {
            fprintf(tsv, "%.4g\t%.4g\n", line.roof, line.value / line.roof);
        } else {
            fprintf(tsv, "-\t-\n");
        }
        previous = line.value;
    }
}

static int measure_all(const char *path, bool small)
{
    static struct measured measured;
    struct ladder_work work;
    struct error error = {STATUS_OK, ""};
    char part[4096];
    if (ladder_init(&work, small ? FEWER : 1, &error) != STATUS_OK) {
        fprintf(stderr, "steps: %s\n", error.message);
        ladder_free(&work);
        return EXIT_FAILURE;
    }
    printf("kernel %s%s%s, %d threads%s\n\n", work.float_kernel, work.bf16_kernel != NULL ? " and " : "",
           work.bf16_kernel != NULL ? work.bf16_kernel : "", work.n_threads,
           work.has_huge ? "" : "; the system gave no pages of 2 MB");
    for (int i = 0; i < N_RUNGS; i++) {
        if (rung_possible(&work, &ladder[i]) && !rung_right(&work, &ladder[i])) {
            fprintf(stderr, "steps: %s: wrong products\n", ladder[i].name);
            ladder_free(&work);
            return EXIT_FAILURE;
        }
    }
    int n_rounds = small ? 1 : ROUNDS;
    for (int round = 0; round < n_rounds; round++) {
        measure_round(&measured, &work);
        fprintf(stderr, "\r  round %d of %d ", round + 1, n_rounds);
    }
    fprintf(stderr, "\r                  \r");
    /* Nothing half-written is left under the final name. */
    bool written = snprintf(part, sizeof part, "%s.part", path) < (int)sizeof part;
    FILE *tsv = written ? fopen(part, "w") : NULL;
    written = tsv != NULL;
    if (written) {
        report(&measured, &work, tsv);
        written = fclose(tsv) == 0 && rename(part, path) == 0;
    }
    if (!written) {
        fprintf(stderr, "steps: %s: cannot be written\n", path);
    }
    ladder_free(&work);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    bool small = argc == 3 && strcmp(argv[1], "--small") == 0;
    if (argc != 2 && !small) {
        fprintf(stderr, "usage: steps [--small] TSV\n");
        return 2;
    }
    return measure_all(argv[argc - 1], small);
}
