/* chapter6 --mystery: each hidden fault can be told from what the program prints, and costs what it costs.
 *
 * Perplexities: a float64 program (tests/goldens/reference/make_tiny_goldens.py, each fault in its one layer), two
 * windows. They stand here in order of size: which mystery is which is for the student to find. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/run_program.h"
#include "tests/support/test.h"

enum { MYSTERIES = 10, LAYERS = 6 };

/* As exercise 6.11 numbers them; 0: none of these. */
enum fault {
    UNKNOWN,
    NO_ROTATION,
    OTHER_LAYOUT,
    KEYS_TWICE,
    KEYS_BACKWARDS,
    VALUES_TOO,
    DECODE_TOO_HIGH,
    NO_MASK,
    BY_MODULO,
    NOT_DIVIDED,
    NO_BIASES,
    EXCHANGED,
    RELU,
    NO_UP,
    EPS_OUTSIDE,
    FAULTS
};

struct summary {
    double perplexity, healthy;
    double norm[LAYERS + 2], healthy_norm[LAYERS + 2];
    char operation[32]; /* "" for none */
    int layer, first_token;
    double length;       /* of all values */
    double turned[3];    /* by token; 0 when it is not shown */
    double pair_length;  /* of token 1 */
    int decode_is_right; /* token by token as in one pass */
};

/* One window of text, where its perplexity is not what is tested. */
static void run_mystery(struct run *run, int n, const char *flag, const char *value)
{
    char number[16];
    snprintf(number, sizeof number, "%d", n);
    run_program(run, NULL, "chapter6", "--threads", "1", "--windows", "1", "--mystery", number, flag, value,
                NULL);
}

static const char *after(const char *text, const char *word)
{
    const char *found = strstr(text, word);
    ck_assert_msg(found != NULL, "no '%s' in:\n%s", word, text);
    return found + strlen(word);
}

static struct summary read_summary(const char *out)
{
    struct summary s = {.pair_length = 0};
    ck_assert_int_eq(sscanf(after(out, "  perplexity "), "%lf %lf", &s.perplexity, &s.healthy), 2);
    const char *row = after(out, "    embed_tokens ");
    for (int i = 0; i < LAYERS + 2; i++) {
        ck_assert_int_eq(sscanf(row, "%lf %lf", &s.norm[i], &s.healthy_norm[i]), 2);
        char name[24];
        snprintf(name, sizeof name, i < LAYERS ? "    layer %d " : "    norm ", i + 1);
        row = i < LAYERS + 1 ? after(row, name) : row;
    }
    const char *first = after(out, "in one pass over 9 tokens:\n\n  ");
    if (strncmp(first, "none", 4) != 0) {
        ck_assert_int_eq(
            sscanf(first, "layer %d, %31[a-z_.], from token %d on", &s.layer, s.operation, &s.first_token),
            3);
        ck_assert_int_eq(sscanf(after(first, "all values together "), "%lf", &s.length), 1);
    }
    const char *turns = strstr(first, "turned by (radians)\n");
    for (int t = 0; turns != NULL && t < 3; t++) {
        double length = 0;
        turns = after(turns, "\n");
        ck_assert_int_eq(sscanf(turns, "%*d %lf %lf", &length, &s.turned[t]), 2);
        s.pair_length = t == 1 ? length : s.pair_length;
    }
    s.decode_is_right = strncmp(after(out, "the logits of one pass: "), "yes", 3) == 0;
    return s;
}

static int near(double a, double b)
{
    return fabs(a - b) < 2e-4;
}

/* What the chapter's text teaches: the rules by which a student names a fault. */
static enum fault name_fault(const struct summary *s)
{
    const char *at = s->operation;
    if (at[0] == '\0') {
        return s->decode_is_right ? UNKNOWN : DECODE_TOO_HIGH;
    }
    if (strcmp(at, "attention") == 0) {
        return !s->decode_is_right ? NO_MASK : s->first_token == 0 ? BY_MODULO : NOT_DIVIDED;
    }
    if (strcmp(at, "q_proj") == 0) {
        return NO_BIASES;
    }
    if (strcmp(at, "q_rotated") == 0) {
        return near(s->pair_length, 1) && near(s->turned[1], -1) && near(s->turned[2], -2) ? NO_ROTATION
                                                                                           : OTHER_LAYOUT;
    }
    if (strcmp(at, "k_rotated") == 0) {
        return near(s->turned[1], 1) && near(s->turned[2], 2) ? KEYS_TWICE : KEYS_BACKWARDS;
    }
    if (strcmp(at, "v_proj") == 0) {
        return s->first_token == 1 && near(s->length, 1) ? VALUES_TOO : UNKNOWN;
    }
    return strcmp(at, "mlp.gate_proj") == 0     ? EXCHANGED
           : strcmp(at, "mlp.act") == 0         ? RELU
           : strcmp(at, "mlp.up_proj") == 0     ? NO_UP
           : strcmp(at, "input_layernorm") == 0 ? EPS_OUTSIDE
                                                : UNKNOWN;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

START_TEST(each_can_be_told_from_the_others)
{
    static const double expected[MYSTERIES] = {15.006432899, 15.111743772, 15.111753465, 16.214066468,
                                               17.753903777, 18.160472374, 18.396367509, 19.256126230,
                                               24.010081260, 25.731133981};
    const double healthy = 15.111753465;
    double perplexity[MYSTERIES];
    int seen[FAULTS] = {0};
    for (int n = 1; n <= MYSTERIES; n++) {
        struct run run;
        char number[16];
        snprintf(number, sizeof number, "%d", n);
        run_program(&run, NULL, "chapter6", "--threads", "1", "--mystery", number, NULL);
        ck_assert_msg(run.exit_code == 0 && run.err_size == 0, "%s", run.err);
        struct summary s = read_summary(run.out);
        assert_near64(&s.healthy, &healthy, 1, 6e-5, 0); /* four decimals */
        perplexity[n - 1] = s.perplexity;
        enum fault fault = name_fault(&s);
        ck_assert_msg(fault != UNKNOWN, "mystery %d tells nothing:\n%s", n, run.out);
        ck_assert_msg(seen[fault]++ == 0, "mystery %d looks like an earlier one:\n%s", n, run.out);
        run_free(&run);
    }
    qsort(perplexity, MYSTERIES, sizeof *perplexity, by_size);
    assert_near64(perplexity, expected, MYSTERIES, 6e-5, 0);
}
END_TEST

/* Layers before the fault's are the healthy ones to the last digit, and its own is the first that is not. */
START_TEST(the_stream_differs_from_the_faults_layer_on)
{
    for (int n = 1; n <= MYSTERIES; n++) {
        struct run run;
        run_mystery(&run, n, NULL, NULL);
        struct summary s = read_summary(run.out);
        int layer = s.operation[0] != '\0' ? s.layer : LAYERS + 2;
        for (int i = 0; i < LAYERS + 2; i++) {
            ck_assert_msg(i >= layer || s.norm[i] == s.healthy_norm[i], "mystery %d, row %d", n, i);
        }
        if (name_fault(&s) != DECODE_TOO_HIGH && name_fault(&s) != EPS_OUTSIDE && name_fault(&s) != NO_MASK) {
            ck_assert_double_ne(s.norm[layer], s.healthy_norm[layer]);
        }
        run_free(&run);
    }
}
END_TEST

/* --trace, --check and --perplexity of a mystery say what its summary says. */
START_TEST(the_modes_agree_with_the_summary)
{
    for (int n = 1; n <= MYSTERIES; n++) {
        struct run run;
        char heading[64];
        snprintf(heading, sizeof heading, "Mystery %d: the bundled model with one part broken.\n", n);
        run_mystery(&run, n, NULL, NULL);
        struct summary s = read_summary(run.out);
        ck_assert(strncmp(run.out, heading, strlen(heading)) == 0);
        run_free(&run);

        run_mystery(&run, n, "--trace", NULL);
        ck_assert_int_eq(run.exit_code, 0);
        ck_assert(strncmp(run.out, heading, strlen(heading)) == 0);
        double last = 0;
        ck_assert_int_eq(sscanf(after(run.out, "  layer 6 "), "%lf", &last), 1);
        ck_assert_double_eq(last, s.norm[LAYERS]);
        run_free(&run);

        run_mystery(&run, n, "--check", NULL);
        ck_assert_int_eq(run.exit_code, s.decode_is_right ? 0 : 1);
        ck_assert_int_eq(strstr(run.out, "TOO LARGE") == NULL, s.decode_is_right);
        run_free(&run);
    }
}
END_TEST

/* A fault of every layer is the one that --ablate breaks: 16 windows, tests/goldens/tiny-stories-ablation.json. */
START_TEST(perplexity_of_a_file_is_the_broken_models)
{
    const double no_mask = 15.736676023817314;
    const double none = 10.560385393659509;
    for (int n = 1; n <= MYSTERIES; n++) {
        struct run run;
        run_mystery(&run, n, NULL, NULL);
        struct summary s = read_summary(run.out);
        enum fault fault = name_fault(&s);
        run_free(&run);
        if (fault != NO_MASK && fault != DECODE_TOO_HIGH) {
            continue;
        }
        char number[16];
        double got = 0;
        snprintf(number, sizeof number, "%d", n);
        run_program(&run, NULL, "chapter6", "--mystery", number, "--perplexity",
                    "chapters/06-qwen2.5/tiny-stories/held-out.txt", "--windows", "16", NULL);
        ck_assert_int_eq(sscanf(after(run.out, "perplexity "), "%lf", &got), 1);
        assert_near64(&got, fault == NO_MASK ? &no_mask : &none, 1, 5e-5, 2e-6); /* printed with six digits */
        run_free(&run);
    }
}
END_TEST

START_TEST(a_prompt_may_be_a_single_token)
{
    for (int n = 1; n <= MYSTERIES; n++) {
        const char *ids = n % 2 == 0 ? "5" : "5,7";
        struct run run;
        run_mystery(&run, n, "--ids", ids);
        ck_assert_msg(run.exit_code == 0, "mystery %d, %s: %s", n, ids, run.err);
        ck_assert_ptr_null(strstr(run.out, "nan"));
        run_free(&run);
    }
}
END_TEST

/* The data sets that read the prompt read it with the fault: the stream after the last layer is the summary's. */
START_TEST(data_is_the_broken_models)
{
    struct run run;
    run_mystery(&run, 1, "--ids", "5");
    char last[32];
    ck_assert_int_eq(sscanf(after(run.out, "    layer 6 "), "%31s", last), 1);
    run_free(&run);
    run_program(&run, NULL, "chapter6", "--mystery", "1", "--ids", "5", "--data", "norms", NULL);
    double expected = strtod(last, NULL);
    double got = tsv_number(run.out, LAYERS, "first_token");
    assert_near64(&got, &expected, 1, 6e-6, 0); /* five decimals */
    run_free(&run);
    static const char only[] = "--mystery: of --data, only tokens, logits, hidden and norms";
    assert_refuses("chapter6", 2, only, "--mystery", "1", "--data", "next");
    assert_refuses("chapter6", 2, only, "--mystery", "1", "--data", "generated");
    assert_refuses("chapter6", 2, only, "--mystery", "1", "--data", "ablation");
    assert_refuses("chapter6", 2, only, "--mystery", "1", "--data", "positions");
}
END_TEST

START_TEST(mistakes_get_one_line)
{
    assert_refuses("chapter6", 2, "--mystery 0: expected a whole number from 1 to 10", "--mystery", "0");
    assert_refuses("chapter6", 2, "--mystery 11: expected a whole number from 1 to 10", "--mystery", "11");
    assert_refuses("chapter6", 2, "--mystery x: expected a whole number from 1 to 10", "--mystery", "x");
    assert_refuses("chapter6", 2, "--model: not with --mystery, which breaks the bundled model", "--mystery",
                   "1", "--model", "chapters/06-qwen2.5/tiny-stories-320");
    assert_refuses("chapter6", 2,
                   "--mystery and --chat: only alone, or with --trace, --check or --perplexity", "--mystery",
                   "1", "--chat");
    assert_refuses("chapter6", 2, "--trace and --check: one at a time", "--mystery", "1", "--trace",
                   "--check");
}
END_TEST

/* Exercise 6.11 and the program must tell the same story. Handed out to students the solution is not there. */
START_TEST(the_exercise_has_the_right_answers)
{
    char line[256];
    FILE *file = fopen("tests/exercises/6.11/solution-named.c", "r");
    if (file == NULL) {
        return;
    }
    int checked = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        int index = 0;
        int answer = 0;
        if (sscanf(line, " fault[%d] = %d;", &index, &answer) == 2) {
            struct run run;
            run_mystery(&run, index + 1, NULL, NULL);
            struct summary s = read_summary(run.out);
            ck_assert_int_eq(answer, (int)name_fault(&s));
            run_free(&run);
            checked++;
        }
    }
    fclose(file);
    ck_assert_int_eq(checked, 6);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chapter6 mystery");
    add_test(suite, "told apart", each_can_be_told_from_the_others);
    add_test(suite, "the layer", the_stream_differs_from_the_faults_layer_on);
    add_test(suite, "the modes", the_modes_agree_with_the_summary);
    add_test(suite, "perplexity of a file", perplexity_of_a_file_is_the_broken_models);
    add_test(suite, "short prompts", a_prompt_may_be_a_single_token);
    add_test(suite, "data", data_is_the_broken_models);
    add_test(suite, "mistakes", mistakes_get_one_line);
    add_test(suite, "the exercise", the_exercise_has_the_right_answers);
    return suite;
}
