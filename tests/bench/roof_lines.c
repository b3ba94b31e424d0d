#include "tests/bench/roof_lines.h"

#include <math.h>
#include <stdio.h>

#include "tests/bench/roofs.h"

double lines_read(const struct random_model *random, int n_threads, int probe)
{
    return (double)random->n_bytes / roof_read(random->weights, random->n_bytes, n_threads, probe) * 1e-9;
}

double lines_multiply(const struct bench *bench, bool is_bf16, int n_threads)
{
    int fastest = bench->fastest_multiply[is_bf16 ? 1 : 0];
    if (fastest < 0) {
        return NAN;
    }
    return fmax(roof_multiply(fastest, n_threads), roof_multiply(fastest, n_threads)) * 1e-9;
}

static void add(const struct measuring *on, const char *name, const char *suffix, const char *unit,
                double value)
{
    char whole[2 * REPORT_NAME_SIZE];
    snprintf(whole, sizeof whole, "%s%s", name, suffix);
    report_add(on->report, whole, unit, value, 0);
}

static void measure_reading(const struct measuring *on, bool one_thread)
{
    const char *suffix = one_thread ? ".1" : ".all";
    int n_threads = one_thread ? 1 : on->bench->n_threads;
    int *fastest = on->bench->fastest_read[one_thread ? 0 : 1];
    double speed[N_READ_PROBES], plain = NAN, huge = NAN;
    fastest[0] = fastest[1] = 0;
    for (int probe = 0; probe < N_READ_PROBES; probe++) {
        speed[probe] = lines_read(&on->bench->random, n_threads, probe);
        plain = roof_read_prefetches(probe) ? plain : fmax(plain, speed[probe]);
        if (probe == 0 || speed[probe] > speed[fastest[0]]) {
            fastest[1] = fastest[0];
            fastest[0] = probe;
        } else if (fastest[1] == fastest[0] || speed[probe] > speed[fastest[1]]) {
            fastest[1] = probe;
        }
        if (on->bench->huge.weights != NULL) {
            huge = fmax(huge, lines_read(&on->bench->huge, n_threads, probe));
        }
    }
    add(on, "roof.read", suffix, "GB/s", speed[fastest[0]]);
    add(on, "roof.read.plain", suffix, "GB/s", plain);
    add(on, "roof.read.huge", suffix, "GB/s", huge);
}

static void measure_multiplying(const struct measuring *on, bool one_thread)
{
    const char *suffix = one_thread ? ".1" : ".all";
    double best[2] = {NAN, NAN};
    int *fastest = on->bench->fastest_multiply;
    char name[REPORT_NAME_SIZE];
    fastest[0] = fastest[1] = -1;
    for (int i = 0; roof_multiply_name(i) != NULL; i++) {
        double flops = roof_multiply(i, one_thread ? 1 : on->bench->n_threads) * 1e-9;
        int is_bf16 = roof_multiply_is_bf16(i) ? 1 : 0;
        fastest[is_bf16] = flops > best[is_bf16] || fastest[is_bf16] < 0 ? i : fastest[is_bf16];
        best[is_bf16] = fmax(best[is_bf16], flops);
        snprintf(name, sizeof name, "roof.%s.%s", is_bf16 ? "bf16" : "fma", roof_multiply_name(i));
        add(on, name, suffix, "GFLOP/s", flops);
    }
    add(on, "roof.fma", suffix, "GFLOP/s", best[0]);
    add(on, "roof.bf16", suffix, "GFLOP/s", best[1]);
}

void lines_of_roofs(const struct measuring *on)
{
    measure_reading(on, true);
    measure_reading(on, false);
    measure_multiplying(on, true);
    measure_multiplying(on, false);
}
