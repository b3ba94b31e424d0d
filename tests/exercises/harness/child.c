/* child.c: the process that runs a student's function. See child.h; the lines it writes are described in protocol.h. */
#include "child.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../chapters/exercise.h"
#include "protocol.h"

enum { MAX_OUTPUTS = 16, GUARD = 64, GUARD_BYTE = 0xA5 };

struct output {
    const char *name;
    enum { DOUBLES, FLOATS, INTS } type;
    int n;
    double absolute, relative;
    unsigned char *memory; /* guard, values, guard */
};

static struct output outputs[MAX_OUTPUTS];
static int n_outputs;
static int n_cases;
static FILE *channel; /* to the judge */

_Noreturn void exercise_todo(const char *what)
{
    (void)what;
    _exit(PROTOCOL_NOT_STARTED);
}

static void stop(const char *why)
{
    fprintf(stderr, "harness: %s\n", why);
    _exit(PROTOCOL_HARNESS_FAILED);
}

static size_t element_size(const struct output *output)
{
    return output->type == DOUBLES ? sizeof(double) : output->type == FLOATS ? sizeof(float) : sizeof(int);
}

/* A mark that no computation gives: a NaN with a payload, an odd integer. */
static void fill_with_mark(const struct output *output, unsigned char *values)
{
    const uint64_t mark64 = PROTOCOL_UNWRITTEN64;
    const uint32_t mark32 = PROTOCOL_UNWRITTEN32;
    const int mark_int = PROTOCOL_UNWRITTEN_INT;
    const void *mark = output->type == DOUBLES  ? (const void *)&mark64
                       : output->type == FLOATS ? (const void *)&mark32
                                                : (const void *)&mark_int;
    for (int i = 0; i < output->n; i++) {
        memcpy(values + (size_t)i * element_size(output), mark, element_size(output));
    }
}

static void *add_output(struct output output)
{
    if (n_outputs == MAX_OUTPUTS) {
        stop("too many outputs in one case");
    }
    size_t bytes = (size_t)output.n * element_size(&output);
    output.memory = malloc(2 * GUARD + bytes);
    if (output.memory == NULL) {
        stop("out of memory");
    }
    memset(output.memory, GUARD_BYTE, 2 * GUARD + bytes);
    fill_with_mark(&output, output.memory + GUARD);
    outputs[n_outputs++] = output;
    return output.memory + GUARD;
}

void ex_case(const char *name)
{
    fprintf(channel, "case %s\n", name);
    fflush(channel); /* if the function crashes, the judge knows in which case */
}

void ex_int(const char *name, long long value)
{
    fprintf(channel, "in %s i 1 %lld\n", name, value);
}

void ex_real(const char *name, double value)
{
    fprintf(channel, "in %s d 1 %a\n", name, value);
}

void ex_text(const char *name, const char *value)
{
    fprintf(channel, "in %s t %zu ", name, strlen(value));
    for (; *value != '\0'; value++) {
        fprintf(channel, "%02x", (unsigned)(unsigned char)*value);
    }
    fputc('\n', channel);
}

void ex_doubles(const char *name, const double *values, int n)
{
    fprintf(channel, "in %s d %d", name, n);
    for (int i = 0; i < n; i++) {
        fprintf(channel, " %a", values[i]);
    }
    fputc('\n', channel);
}

void ex_floats(const char *name, const float *values, int n)
{
    fprintf(channel, "in %s d %d", name, n);
    for (int i = 0; i < n; i++) {
        fprintf(channel, " %a", (double)values[i]);
    }
    fputc('\n', channel);
}

void ex_ints(const char *name, const int *values, int n)
{
    fprintf(channel, "in %s i %d", name, n);
    for (int i = 0; i < n; i++) {
        fprintf(channel, " %d", values[i]);
    }
    fputc('\n', channel);
}

double *ex_out_doubles(const char *name, int n, double absolute, double relative)
{
    return add_output((struct output){name, DOUBLES, n, absolute, relative, NULL});
}

float *ex_out_floats(const char *name, int n, double absolute, double relative)
{
    return add_output((struct output){name, FLOATS, n, absolute, relative, NULL});
}

int *ex_out_ints(const char *name, int n)
{
    return add_output((struct output){name, INTS, n, 0, 0, NULL});
}

double *ex_inout_doubles(const char *name, const double *values, int n, double absolute, double relative)
{
    ex_doubles(name, values, n);
    double *buffer = ex_out_doubles(name, n, absolute, relative);
    memcpy(buffer, values, (size_t)n * sizeof *buffer);
    return buffer;
}

float *ex_inout_floats(const char *name, const float *values, int n, double absolute, double relative)
{
    ex_floats(name, values, n);
    float *buffer = ex_out_floats(name, n, absolute, relative);
    memcpy(buffer, values, (size_t)n * sizeof *buffer);
    return buffer;
}

int *ex_inout_ints(const char *name, const int *values, int n)
{
    ex_ints(name, values, n);
    int *buffer = ex_out_ints(name, n);
    memcpy(buffer, values, (size_t)n * sizeof *buffer);
    return buffer;
}

void ex_result_real(const char *name, double value, double absolute, double relative)
{
    *ex_out_doubles(name, 1, absolute, relative) = value;
}

void ex_result_int(const char *name, long long value)
{
    if (value != (int)value) { /* out of int's range: send another impossible value, it cannot be right */
        value = PROTOCOL_UNWRITTEN_INT;
    }
    *ex_out_ints(name, 1) = (int)value;
}

static void send_value(const struct output *output, int i)
{
    const unsigned char *at = output->memory + GUARD + (size_t)i * element_size(output);
    if (output->type == INTS) {
        int value = 0;
        memcpy(&value, at, sizeof value);
        fprintf(channel, value == PROTOCOL_UNWRITTEN_INT ? " unwritten" : " %d", value);
        return;
    }
    uint64_t bits = 0;
    memcpy(&bits, at, element_size(output));
    if (bits == (output->type == DOUBLES ? PROTOCOL_UNWRITTEN64 : (uint64_t)PROTOCOL_UNWRITTEN32)) {
        fputs(" unwritten", channel);
        return;
    }
    double value = 0;
    float narrow = 0;
    if (output->type == DOUBLES) {
        memcpy(&value, at, sizeof value);
    } else {
        memcpy(&narrow, at, sizeof narrow);
        value = (double)narrow;
    }
    if (isnan(value)) {
        fputs(" nan", channel); /* without the sign that some libraries print */
    } else {
        fprintf(channel, " %a", value);
    }
}

static int guard_is_whole(const unsigned char *guard)
{
    for (int i = 0; i < GUARD; i++) {
        if (guard[i] != GUARD_BYTE) {
            return 0;
        }
    }
    return 1;
}

#if defined(EX_GENERIC_ZEROS) || defined(EX_GENERIC_NAN) || defined(EX_GENERIC_UNWRITTEN) ||                 \
    defined(EX_GENERIC_INPUT) || defined(EX_GENERIC_CONSTANT) || defined(EX_GENERIC_OUTSIDE) ||              \
    defined(EX_GENERIC_CRASH) || defined(EX_GENERIC_LOOP)
#define EX_GENERIC
/* Only for make check-exercises: what a careless function could leave behind, whatever the exercise. The judge must
 * refuse each of them. */
static void spoil(const struct output *output)
{
    unsigned char *values = output->memory + GUARD;
    for (int i = 0; i < output->n; i++) {
        double real = 0;
        int whole = 0;
#if defined(EX_GENERIC_NAN)
        real = NAN;
        whole = -1;
#elif defined(EX_GENERIC_INPUT)
        real = i + 1;
        whole = i + 1;
#elif defined(EX_GENERIC_CONSTANT)
        real = 0.5;
        whole = 1;
#elif defined(EX_GENERIC_OUTSIDE)
        values[(size_t)output->n * element_size(output)] = 0;
        break;
#elif defined(EX_GENERIC_CRASH)
        raise(SIGSEGV);
#elif defined(EX_GENERIC_LOOP)
        for (volatile int forever = 1; forever;) {
        }
#endif
        float narrow = (float)real;
        const void *from = output->type == DOUBLES  ? (const void *)&real
                           : output->type == FLOATS ? (const void *)&narrow
                                                    : (const void *)&whole;
        memcpy(values + (size_t)i * element_size(output), from, element_size(output));
    }
#if defined(EX_GENERIC_UNWRITTEN)
    fill_with_mark(output, values);
#endif
}
#endif

void ex_end(void)
{
#ifdef EX_GENERIC
    for (int o = 0; o < n_outputs; o++) {
        spoil(&outputs[o]);
    }
#endif
    for (int o = 0; o < n_outputs; o++) {
        const struct output *output = &outputs[o];
        size_t bytes = (size_t)output->n * element_size(output);
        fprintf(channel, "out %s %c %d %g %g", output->name, output->type == INTS ? 'i' : 'd', output->n,
                output->absolute, output->relative);
        for (int i = 0; i < output->n; i++) {
            send_value(output, i);
        }
        fputc('\n', channel);
        if (!guard_is_whole(output->memory)) {
            fprintf(channel, "guard %s before\n", output->name);
        }
        if (!guard_is_whole(output->memory + GUARD + bytes)) {
            fprintf(channel, "guard %s after\n", output->name);
        }
        free(output->memory);
    }
    n_outputs = 0;
    n_cases++;
    fprintf(channel, "endcase\n");
    fflush(channel);
}

int main(void)
{
    channel = fdopen(PROTOCOL_CHANNEL, "w");
    if (channel == NULL) {
        stop("this program is started by the judge: make exercise EX=…");
    }
    exercise_cases();
    fprintf(channel, "end %d\n", n_cases);
    return fclose(channel) == 0 ? 0 : PROTOCOL_HARNESS_FAILED;
}
