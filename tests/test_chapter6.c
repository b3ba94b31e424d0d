/* The program of chapter 6 as a reader runs it, against what transformers gives for the bundled model
 * (tests/goldens/tiny-stories.*). Logits to 2e-4: the model is bfloat16 and both sides add in float32, in another order. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/run_program.h"
#include "tests/support/test.h"

static const double logit_tolerance = 2e-4;

/* "5,7,9"; the caller frees. */
static char *join_ids(const int64_t *id, size_t n)
{
    char *text = test_alloc(n * 12 + 1);
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        length += (size_t)sprintf(text + length, i > 0 ? ",%lld" : "%lld", (long long)id[i]);
    }
    return text;
}

static char *join_json(const json_t *list)
{
    size_t n = json_array_size(list);
    int64_t *id = test_alloc((n + 1) * sizeof *id);
    for (size_t i = 0; i < n; i++) {
        id[i] = json_integer_value(json_array_get(list, i));
    }
    char *text = join_ids(id, n);
    free(id);
    return text;
}

/* The number in the last column of each row, in order: quick enough for a table of half a million rows. */
static double *last_column(const char *tsv, size_t *n)
{
    double *value = test_alloc(strlen(tsv) / 2 * sizeof *value);
    *n = 0;
    for (const char *line = strchr(tsv, '\n') + 1; *line != '\0'; line = strchr(line, '\n') + 1) {
        const char *cell = line;
        for (const char *c = line; *c != '\n'; c++) {
            cell = *c == '\t' ? c + 1 : cell;
        }
        value[(*n)++] = strtod(cell, NULL);
    }
    return value;
}

static json_t *golden_line(FILE *file, int number)
{
    static char line[1 << 16];
    char item[16];
    if (fgets(line, sizeof line, file) == NULL) {
        return NULL;
    }
    snprintf(item, sizeof item, "%d", number);
    golden_mark("tiny-stories.jsonl", item);
    json_t *object = json_loads(line, 0, NULL);
    ck_assert_ptr_nonnull(object);
    return object;
}

/* Text to ids, as --prompt reads it: control tokens are parsed. */
static void check_tokens(const json_t *line)
{
    struct run run;
    const json_t *ids = json_object_get(line, "ids");
    run_program(&run, NULL, "chapter6", "--prompt", json_string_value(json_object_get(line, "text")),
                "--data", "tokens", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    ck_assert_int_eq(tsv_rows(run.out), (int)json_array_size(ids));
    for (size_t i = 0; i < json_array_size(ids); i++) {
        ck_assert_int_eq((int)tsv_number(run.out, (int)i, "index"), (int)i);
        ck_assert_int_eq((int)tsv_number(run.out, (int)i, "id"),
                         (int)json_integer_value(json_array_get(ids, i)));
    }
    run_free(&run);
}

/* The five likeliest next tokens and their logits. */
static void check_likeliest(const json_t *line, const char *ids)
{
    struct run logits;
    struct run next;
    size_t n = 0;
    const json_t *top = json_object_get(line, "top5");
    run_program(&logits, NULL, "chapter6", "--threads", "1", "--ids", ids, "--data", "logits", NULL);
    run_program(&next, NULL, "chapter6", "--threads", "1", "--ids", ids, "--data", "next", NULL);
    double *value = last_column(logits.out, &n);
    for (size_t i = 0; i < 5; i++) {
        size_t id = (size_t)json_integer_value(json_array_get(json_array_get(top, i), 0));
        double expected = json_real_value(json_array_get(json_array_get(top, i), 1));
        assert_near64(&value[n - 2048 + id], &expected, 1, logit_tolerance, 0);
        ck_assert_int_eq((int)tsv_number(next.out, (int)i, "id"), (int)id);
    }
    free(value);
    run_free(&logits);
    run_free(&next);
}

/* The greedy ids (a final end id means: stop, and is not printed), and the text that they make. */
static void check_greedy(const json_t *line, const char *ids)
{
    struct run run;
    const json_t *greedy = json_object_get(line, "greedy");
    size_t n = json_array_size(greedy);
    char count[16];
    snprintf(count, sizeof count, "%zu", n);
    json_int_t last = json_integer_value(json_array_get(greedy, n - 1));
    n -= last == 2045 || last == 2047;
    run_program(&run, NULL, "chapter6", "--threads", "1", "--ids", ids, "--greedy", "--repetition-penalty",
                "1", "-n", count, "--data", "generated", NULL);
    ck_assert_int_eq(tsv_rows(run.out), (int)n);
    size_t n_prompt = json_array_size(json_object_get(line, "ids"));
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq((int)tsv_number(run.out, (int)i, "id"),
                         (int)json_integer_value(json_array_get(greedy, i)));
        ck_assert_int_eq((int)tsv_number(run.out, (int)i, "position"), (int)(n_prompt + i));
    }
    run_free(&run);
    run_program(&run, NULL, "chapter6", "--threads", "1", "--ids", ids, "--greedy", "--repetition-penalty",
                "1", "-n", count, "--text", NULL);
    const char *text = json_string_value(json_object_get(line, "greedy_text"));
    ck_assert_uint_eq(run.out_size, strlen(text) + 1);
    ck_assert_msg(strncmp(run.out, text, strlen(text)) == 0, "printed '%s', expected '%s'", run.out, text);
    run_free(&run);
}

START_TEST(prompts_and_chats_go_on_as_in_transformers)
{
    FILE *file = fopen(golden_path("tiny-stories.jsonl"), "r");
    ck_assert_ptr_nonnull(file);
    int n = 0;
    for (json_t *line = golden_line(file, 1); line != NULL; line = golden_line(file, n + 1)) {
        char *ids = join_json(json_object_get(line, "ids"));
        check_tokens(line);
        check_likeliest(line, ids);
        check_greedy(line, ids);
        free(ids);
        json_decref(line);
        n++;
    }
    fclose(file);
    ck_assert_int_eq(n, 11);
}
END_TEST

static void check_logits(const struct golden *golden, const char *name, size_t row_step)
{
    char tensor[64];
    size_t n_ids = 0;
    size_t n_logits = 0;
    size_t n = 0;
    struct run run;
    snprintf(tensor, sizeof tensor, "%s.ids", name);
    int64_t *id = golden_i64(golden, tensor, &n_ids);
    snprintf(tensor, sizeof tensor, "%s.logits", name);
    double *expected = golden_f64(golden, tensor, &n_logits);
    char *ids = join_ids(id, n_ids);
    run_program(&run, NULL, "chapter6", "--threads", "1", "--ids", ids, "--data", "logits", NULL);
    double *got = last_column(run.out, &n);
    ck_assert_uint_eq(n, n_ids * 2048);
    ck_assert_uint_eq(n_logits, (n_ids + row_step - 1) / row_step * 2048);
    for (size_t r = 0; r * row_step < n_ids; r++) {
        assert_near64(got + r * row_step * 2048, expected + r * 2048, 2048, logit_tolerance, 0);
    }
    free(id);
    free(ids);
    free(got);
    free(expected);
    run_free(&run);
}

/* The passage has 300 tokens: more than one pass. Every 20th row of it is in the golden. */
START_TEST(all_logits_are_those_of_transformers)
{
    struct golden golden;
    golden_open(&golden, "tiny-stories");
    check_logits(&golden, "prompt", 1);
    check_logits(&golden, "passage", 20);
    golden_close(&golden);
}
END_TEST

/* The hidden states that transformers gives: hidden.0 is the embedding, the last is after the final norm. */
START_TEST(hidden_values_are_those_of_transformers)
{
    struct golden golden;
    size_t n = 0;
    size_t found = 0;
    struct run run;
    golden_open(&golden, "ch6_qwen2_odd_out");
    int64_t *id = golden_i64(&golden, "ids", &n);
    char *ids = join_ids(id, n);
    run_program(&run, NULL, "chapter6", "--model", "tests/goldens/ch6_qwen2_odd", "--ids", ids, "--data",
                "hidden", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    const struct {
        const char *prefix, *tensor;
    } states[] = {{"-1\tembed_tokens\t", "hidden.0"}, {"0\toutput\t", "hidden.1"}, {"2\tnorm\t", "hidden.2"}};
    for (size_t s = 0; s < 3; s++) {
        double *expected = golden_f64(&golden, states[s].tensor, &n);
        size_t length = strlen(states[s].prefix);
        size_t i = 0;
        for (const char *line = run.out; *line != '\0'; line = strchr(line, '\n') + 1) {
            if (strncmp(line, states[s].prefix, length) == 0) {
                int position = 0;
                int dimension = 0;
                double value = NAN;
                ck_assert_int_eq(sscanf(line + length, "%d\t%d\t%lf", &position, &dimension, &value), 3);
                ck_assert_uint_lt(i, n);
                ck_assert_int_eq(position * 30 + dimension, (int)i);
                assert_near64(&value, &expected[i], 1, 1e-4, 0);
                i++;
            }
        }
        ck_assert_uint_eq(i, n);
        found += i;
        free(expected);
    }
    ck_assert_uint_eq(found, 3 * 24 * 30);
    free(id);
    free(ids);
    run_free(&run);
    golden_close(&golden);
}
END_TEST

/* With the portable kernel, so that the drawn story is the same on every machine. */
START_TEST(walk_through_prints_what_is_expected)
{
    struct run first;
    struct run again;
    setenv("KERNEL", "portable", 1);
    run_program(&first, NULL, "chapter6", NULL);
    ck_assert_int_eq(first.exit_code, 0);
    assert_output_like(&first, "chapter6.txt", 2e-4, 0);
    run_program(&again, NULL, "chapter6", "--threads", "1", NULL);
    ck_assert_str_eq(first.out, again.out);
    /* transformers: the five likeliest tokens of the first golden, their logits and ids */
    assert_contains(first.out, "12.0985");
    assert_contains(first.out, "\" girl\" (430)");
    assert_contains(first.out, "7.5293");
    assert_contains(first.out, "\" bunny\" (1265)");
    /* counted by hand: 2 * 6 layers * 2 heads * 32 * 4 bytes */
    assert_contains(first.out, "3072 bytes");
    assert_contains(first.out, "2756928 parameters");
    assert_contains(first.err, "tokens/s");
    ck_assert_uint_le(strcspn(first.err, "\n"), 80);
    ck_assert_msg(strstr(first.out, "tokens/s") == NULL, "timing on standard output");
    run_free(&first);
    run_free(&again);
}
END_TEST

START_TEST(each_step_stands_alone)
{
    static const char *const says[] = {"little", "q_proj", "12.0985",
                                       "Once upon a time, there was a little girl"};
    for (int i = 0; i < 4; i++) {
        char step[2] = {(char)('1' + i), '\0'};
        struct run run;
        run_program(&run, NULL, "chapter6", "--threads", "1", "--step", step, NULL);
        ck_assert_int_eq(run.exit_code, 0);
        assert_contains(run.out, says[i]);
        run_free(&run);
    }
}
END_TEST

START_TEST(lines_fit_into_80_columns)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "-n", "0", NULL);
    for (const char *line = run.out; *line != '\0'; line = strchr(line, '\n') + 1) {
        ck_assert_msg(strcspn(line, "\n") <= 81, "too wide: %.100s",
                      line); /* one two-byte character in the title */
    }
    run_free(&run);
}
END_TEST

/* The answers of exercise 6.9. */
START_TEST(what_an_exercise_asks_for_is_printed)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "--threads", "1", "--step", "2", "--prompt", "Once upon a time",
                NULL);
    assert_contains(run.out, "tiny-stories: 2756928 parameters, 6 layers of width 192,\n");
    assert_contains(run.out, "     embed_tokens                 [4, 192] ");
    assert_contains(run.out, "     head (the embedding again)   [1, 2048] ");
    assert_contains(run.out, "reads all 5.5 MB of weights once, and adds 3072 bytes to the\n");
    run_free(&run);
}
END_TEST

START_TEST(sampling_follows_the_file_and_flags_override)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "--threads", "1", "--step", "1", NULL);
    assert_contains(run.out, "temperature 0.7, top-k 20, top-p 0.8, repetition penalty 1.05, seed 1\n");
    run_free(&run);
    run_program(&run, NULL, "chapter6", "--threads", "1", "--step", "1", "--temperature", "0.5", "--top-k",
                "0", "--top-p", "1", "--repetition-penalty", "1", "--seed", "7", NULL);
    assert_contains(run.out, "temperature 0.5, top-k 0, top-p 1, repetition penalty 1, seed 7\n");
    run_free(&run);
    run_program(&run, NULL, "chapter6", "--threads", "1", "--step", "1", "--greedy", NULL);
    assert_contains(run.out, "\ngreedy, repetition penalty 1.05\n");
    run_free(&run);
    run_program(&run, NULL, "chapter6", "--threads", "1", "--step", "1", "--temperature", "0", NULL);
    assert_contains(run.out, "\ngreedy, ");
    run_free(&run);
    /* no do_sample in the file: greedy, unless a flag asks for sampling */
    run_program(&run, NULL, "chapter6", "--model", "tests/goldens/ch6_qwen2_odd", "--ids", "5", "--step", "1",
                NULL);
    assert_contains(run.out, "\ngreedy, repetition penalty 1\n");
    run_free(&run);
    run_program(&run, NULL, "chapter6", "--model", "tests/goldens/ch6_qwen2_odd", "--ids", "5", "--step", "1",
                "--top-k", "3", NULL);
    assert_contains(run.out, "\ntemperature 1, top-k 3, top-p 1, repetition penalty 1, seed 1\n");
    run_free(&run);
}
END_TEST

START_TEST(seeds_give_stories)
{
    struct run a;
    struct run b;
    struct run c;
    run_program(&a, NULL, "chapter6", "--threads", "1", "--text", "--seed", "1", NULL);
    run_program(&b, NULL, "chapter6", "--threads", "1", "--text", "--seed", "1", NULL);
    run_program(&c, NULL, "chapter6", "--threads", "1", "--text", "--seed", "2", NULL);
    ck_assert_str_eq(a.out, b.out);
    ck_assert_str_ne(a.out, c.out);
    run_free(&a);
    run_free(&b);
    run_free(&c);
}
END_TEST

/* cases.md 21: tokens are drawn nearly at random, so characters are torn apart everywhere; what is printed is UTF-8 all
 * the same, with U+FFFD where bytes fit nothing. */
START_TEST(text_is_utf8_whatever_is_drawn)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "--threads", "1", "--text", "-n", "1000", "--temperature", "1000",
                "--top-k", "0", "--top-p", "1", "--seed", "3", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    utf8proc_int32_t code_point = 0;
    for (size_t i = 0; i < run.out_size;) {
        utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)run.out + i,
                                                   (utf8proc_ssize_t)(run.out_size - i), &code_point);
        ck_assert_msg(length > 0, "byte %zu of %zu is not UTF-8", i, run.out_size);
        i += (size_t)length;
    }
    ck_assert_ptr_nonnull(strstr(run.out, "\xef\xbf\xbd"));
    run_free(&run);
}
END_TEST

START_TEST(threads_do_not_change_a_bit)
{
    struct run one;
    struct run two;
    run_program(&one, NULL, "chapter6", "--data", "logits", "--threads", "1", NULL);
    run_program(&two, NULL, "chapter6", "--data", "logits", "--threads", "2", NULL);
    ck_assert_uint_gt(one.out_size, 9 * 2048);
    ck_assert_str_eq(one.out, two.out);
    run_free(&one);
    run_free(&two);
}
END_TEST

START_TEST(every_way_through_the_model_gives_the_same)
{
    static const char *const folders[] = {NULL, "tests/goldens/ch6_qwen2_f16_7to1",
                                          "tests/goldens/ch6_qwen2_odd"};
    for (size_t i = 0; i < 3; i++) {
        struct run run;
        if (folders[i] == NULL) {
            run_program(&run, NULL, "chapter6", "--check", NULL);
        } else {
            run_program(&run, NULL, "chapter6", "--check", "--model", folders[i], "--ids",
                        "3,1,4,1,5,9,2,6,5", NULL);
        }
        ck_assert_msg(run.exit_code == 0, "%s%s", run.out, run.err);
        assert_contains(run.out, "token by token");
        assert_contains(run.out, "in two pieces");
        assert_contains(run.out, "in a batch with two other texts");
        assert_contains(run.out, "the same bits");
        ck_assert_msg(strstr(run.out, "TOO LARGE") == NULL, "%s", run.out);
        run_free(&run);
    }
}
END_TEST

/* The golden's 0xff at the end is a NaN in every type. Neither a tokenizer nor a prompt is needed. */
START_TEST(verify_names_the_first_value_that_is_no_number)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "--verify", NULL);
    ck_assert_msg(run.exit_code == 0, "%s", run.err);
    ck_assert_str_eq(run.out, "2756928 parameters: each a finite number\n");
    run_free(&run);
    static const char *const names[] = {"config.json", "model.safetensors"};
    char *folder = fresh_folder("chapter6_verify");
    for (int i = 0; i < 2; i++) {
        char *path = test_path("tests/goldens/ch6_qwen2_odd", names[i]);
        size_t size = 0;
        char *bytes = read_bytes(path, &size);
        if (i == 1) {
            memset(bytes + size - 4, 0xff, 4);
        }
        write_bytes(folder, names[i], bytes, size);
        free(bytes);
        free(path);
    }
    run_program(&run, NULL, "chapter6", "--verify", "--model", folder, NULL);
    ck_assert_int_eq(run.exit_code, 1);
    ck_assert_uint_eq(run.out_size, 0);
    assert_contains(run.err, "model.safetensors: tensor model.");
    assert_contains(run.err, ": found nan in row ");
    run_free(&run);
    free(folder);
    assert_refuses("chapter6", 2, "--prompt: not with --verify, which reads the weights alone", "--verify",
                   "--prompt", "a");
    assert_refuses("chapter6", 2, "--check and --verify: one at a time", "--check", "--verify");
}
END_TEST

/* Norms of the last token by hand from hidden.1 of the golden. */
START_TEST(trace_shows_the_residual_stream)
{
    struct golden golden;
    size_t n = 0;
    struct run run;
    golden_open(&golden, "ch6_qwen2_odd_out");
    int64_t *id = golden_i64(&golden, "ids", &n);
    char *ids = join_ids(id, n);
    double *hidden = golden_f64(&golden, "hidden.1", &n);
    double sum = 0;
    for (size_t i = n - 30; i < n; i++) {
        sum += hidden[i] * hidden[i];
    }
    run_program(&run, NULL, "chapter6", "--model", "tests/goldens/ch6_qwen2_odd", "--ids", ids, "--trace",
                NULL);
    const char *line = strstr(run.out, "layer 1 ");
    double shown[5]; /* the norm and four values, printed with five decimals */
    double expected[5];
    ck_assert_ptr_nonnull(line);
    ck_assert_int_eq(
        sscanf(line, "layer 1 %lf %lf %lf %lf %lf", &shown[0], &shown[1], &shown[2], &shown[3], &shown[4]),
        5);
    expected[0] = sqrt(sum);
    memcpy(expected + 1, hidden + n - 30, 4 * sizeof *hidden);
    assert_near64(shown, expected, 5, 1e-4, 0);
    free(id);
    free(ids);
    free(hidden);
    run_free(&run);
    golden_close(&golden);
}
END_TEST

START_TEST(prompt_comes_from_standard_input_byte_for_byte)
{
    struct run run;
    run_program(&run, "once\n", "chapter6", "--prompt", "-", "--data", "tokens", NULL);
    ck_assert_str_eq(run.out, "index\tid\tpiece\n0\t310\ton\n1\t326\tce\n2\t198\t\\n\n");
    run_free(&run);
    run_program(&run, "once", "chapter6", "--prompt", "-", "--data", "tokens", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 2);
    run_free(&run);
}
END_TEST

/* A prompt parses control tokens (cases.md 43); what was typed in a chat is tested in test_chapter6_chat.c. */
START_TEST(prompt_parses_control_tokens)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "--prompt", "a<|im_end|>b", "--data", "tokens", NULL);
    ck_assert_str_eq(run.out, "index\tid\tpiece\n0\t64\ta\n1\t2047\t<|im_end|>\n2\t65\tb\n");
    run_free(&run);
}
END_TEST

/* Capacity 8 (cases.md 40). */
START_TEST(context_is_a_limit)
{
    struct run run;
    assert_refuses("chapter6", 1,
                   "--ids: expected at most 8 tokens, which the context holds (--context), found 9",
                   "--context", "8", "--ids", "1,2,3,4,5,6,7,8,9");
    run_program(&run, NULL, "chapter6", "--threads", "1", "--context", "8", "--ids", "1,2,3,4,5,6,7,8", "-n",
                "5", "--greedy", "--data", "generated", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 1);
    run_free(&run);
    run_program(&run, NULL, "chapter6", "--threads", "1", "--context", "8", "--ids", "417,438,258,386,11,384",
                "-n", "10", "--step", "4", NULL);
    assert_contains(run.out, "3 tokens; the context is full.");
    run_free(&run);
    run_program(&run, NULL, "chapter6", "-n", "0", "--text", NULL);
    ck_assert_str_eq(run.out, "\n");
    run_free(&run);
}
END_TEST

/* The first token after the prefill may already be the end (cases.md 18): transformers ends "Zebra" with 2045. */
START_TEST(end_token_stops_and_is_not_printed)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "--ids",
                "57,68,65,418,418,264,262,603,1298,357,258,1029,386,600,552,13", "--greedy",
                "--repetition-penalty", "1", "--data", "generated", NULL);
    ck_assert_str_eq(run.out, "index\tposition\tid\tlogit\n");
    run_free(&run);
}
END_TEST

START_TEST(mistakes_get_one_line)
{
    assert_refuses("chapter6", 2,
                   "--prompt: empty, and Qwen has no begin-of-text token: there is nothing to continue",
                   "--prompt", "");
    assert_refuses("chapter6", 2,
                   "--prompt: empty, and Qwen has no begin-of-text token: there is nothing to continue",
                   "--prompt", "-");
    assert_refuses("chapter6", 1, "--ids: expected token ids of the model, 0 to 2047, found 2048", "--ids",
                   "5,2048", "--data", "logits");
    assert_refuses("chapter6", 1, "--ids: expected token ids of the model, 0 to 2047, found -1", "--ids",
                   "-1");
    assert_refuses("chapter6", 2, "--ids 5,,7: expected token ids with commas between: 5,7,9", "--ids",
                   "5,,7");
    assert_refuses("chapter6", 2, "--ids '': expected token ids with commas between: 5,7,9", "--ids", "");
    assert_refuses("chapter6", 2, "--ids 5,: expected token ids with commas between: 5,7,9", "--ids", "5,");
    assert_refuses("chapter6", 2, "--ids 99999999999: expected token ids with commas between: 5,7,9", "--ids",
                   "99999999999");
    assert_refuses("chapter6", 2, "--prompt and --ids: one of them", "--prompt", "a", "--ids", "5");
    assert_refuses("chapter6", 2, "--chat and --trace: one at a time", "--trace", "--chat");
    assert_refuses("chapter6", 2, "--chat: not with --data or --plot", "--chat", "--data", "logits");
    assert_refuses("chapter6", 2, "--ablate: not with --data or --plot", "--ablate", "--plot", "norms");
    assert_refuses("chapter6", 2, "--prompt: not with --chat, which has a text of its own", "--chat",
                   "--prompt", "hi");
    assert_refuses("chapter6", 2, "--system: only with --chat", "--system", "x");
    assert_refuses("chapter6", 2, "--model: not with --positions, which compares the bundled models",
                   "--positions", "x", "--model", "y");
    assert_refuses("chapter6", 2, "--top-p 0: expected a number above 0 and at most 1", "--top-p", "0");
    assert_refuses("chapter6", 2, "--nonsense: no such flag; see --help", "--nonsense");
    assert_refuses("chapter6", 2, "--data nonsense: no such data set; '--data list' names them", "--data",
                   "nonsense");
    assert_refuses("chapter6", 1, "does/not/exist.txt: No such file or directory", "--perplexity",
                   "does/not/exist.txt");
    assert_refuses("chapter6", 1, "nowhere/config.json: No such file or directory", "--model", "nowhere");
    assert_refuses("chapter6", 1, "tests/goldens/ch6_qwen2_odd/tokenizer.json: No such file or directory",
                   "--model", "tests/goldens/ch6_qwen2_odd");
}
END_TEST

/* Reading stops at a model that is another: the message comes from model_config, the exit code is the program's. */
START_TEST(another_architecture_is_refused)
{
    struct run run;
    char folder[] = "/tmp/chapter6-test-XXXXXX";
    char path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/config.json", folder);
    FILE *file = fopen(path, "w");
    fputs("{\"architectures\": [\"LlamaForCausalLM\"], \"model_type\": \"llama\"}", file);
    fclose(file);
    run_program(&run, NULL, "chapter6", "--model", folder, NULL);
    ck_assert_int_eq(run.exit_code, 1);
    assert_contains(run.err, "model_type: found llama, expected qwen2");
    ck_assert_uint_eq(run.out_size, 0);
    remove(path);
    remove(folder);
    run_free(&run);
}
END_TEST

START_TEST(lists_and_kernels_need_no_model)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "--data", "list", "--model", "nowhere", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    assert_contains(run.out, "generated");
    run_free(&run);
    run_program(&run, NULL, "chapter6", "--kernels", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    assert_contains(run.out, "portable");
    assert_contains(run.out, "chosen");
    run_free(&run);
}
END_TEST

/* The bound is another one there, and the differences are not those of float32: activations were rounded. */
static void check_ways_with_rounded_activations(void)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "--check", "--precision", "bf16", NULL);
    ck_assert_msg(run.exit_code == 0, "%s%s", run.out, run.err);
    assert_contains(run.out, "; a difference may be 2^-8 of it: 0.066\n");
    assert_contains(run.out, "the same bits");
    run_free(&run);
}

/* KERNEL forces every kernel that the list calls usable, and is never passed over in silence. */
START_TEST(kernels_are_forced_by_name)
{
    struct run list;
    unsetenv("KERNEL");
    run_program(&list, NULL, "chapter6", "--kernels", NULL);
    int n_forced = 0;
    for (char *line = strtok(list.out, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char name[32];
        char expected[64];
        struct run run;
        ck_assert_int_eq(sscanf(line, "%31s", name), 1);
        setenv("KERNEL", name, 1);
        run_program(&run, NULL, "chapter6", "--kernels", NULL);
        if (strstr(line, "built in, usable") != NULL) {
            snprintf(expected, sizeof expected, "  %-12s built in, usable, chosen\n", name);
            ck_assert_int_eq(run.exit_code, 0);
            assert_contains(run.out, expected);
            check_ways_with_rounded_activations();
            n_forced++;
        } else {
            ck_assert_int_eq(run.exit_code, 1);
            snprintf(expected, sizeof expected, "chapter6: kernel %s: ", name);
            assert_contains(run.err, expected);
        }
        run_free(&run);
    }
    ck_assert_int_ge(n_forced, 1);
    run_free(&list);

    struct run run;
    setenv("KERNEL", "quantum", 1);
    run_program(&run, NULL, "chapter6", NULL);
    unsetenv("KERNEL");
    ck_assert_int_eq(run.exit_code, 2);
    ck_assert_uint_eq(run.out_size, 0);
    assert_contains(run.err, "chapter6: kernel quantum: unknown, expected one of ");
    run_free(&run);
}
END_TEST

/* The same tokens from pages of 2 MB, and one line that says what they are. */
START_TEST(huge_pages_change_no_token)
{
    struct run small;
    struct run huge;
    run_program(&small, NULL, "chapter6", "--text", "-n", "40", NULL);
    run_program(&huge, NULL, "chapter6", "--text", "-n", "40", "--huge-pages", NULL);
    if (huge.exit_code != 0) {
        assert_contains(huge.err, "2 MB"); /* a system without them says so */
    } else {
        double in_huge = -1;
        double weights = 0;
        double copied = -1;
        double resident = 0;
        ck_assert_str_eq(small.out, huge.out);
        ck_assert_int_eq(sscanf(huge.err,
                                "huge pages: %lf of %lf MB of weights, copied in %lf s; %lf MB in memory",
                                &in_huge, &weights, &copied, &resident),
                         4);
        ck_assert(in_huge >= 0 && weights == 5.5 && copied >= 0 && resident >= weights);
        ck_assert_uint_le(strcspn(huge.err, "\n"), 80);
    }
    run_free(&small);
    run_free(&huge);
}
END_TEST

START_TEST(data_sets_have_their_columns)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "--data", "norms", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 7);
    for (int i = 0; i < 7; i++) {
        ck_assert_int_eq((int)tsv_number(run.out, i, "layer"), i);
        ck_assert(tsv_number(run.out, i, "first_token") > 0 && tsv_number(run.out, i, "other_tokens") > 0);
    }
    run_free(&run);
    run_program(&run, NULL, "chapter6", "--data", "next", "--temperature", "1", "--top-k", "5", "--top-p",
                "1", "--repetition-penalty", "1", NULL);
    ck_assert_int_eq(tsv_rows(run.out), 20);
    double five = 0;
    double all = 0;
    for (int i = 0; i < 20; i++) {
        ck_assert_int_eq((int)tsv_number(run.out, i, "rank"), i + 1);
        five += i < 5 ? tsv_number(run.out, i, "model") : 0;
        all += tsv_number(run.out, i, "sampler");
        ck_assert(i < 5 || tsv_number(run.out, i, "sampler") == 0);
    }
    double expected = tsv_number(run.out, 0, "model") / five;
    double first = tsv_number(run.out, 0, "sampler");
    double one = 1;
    assert_near64(&first, &expected, 1, 1e-6, 0); /* the five that are kept share the whole */
    assert_near64(&all, &one, 1, 1e-6, 0);
    run_free(&run);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chapter6");
    add_test(suite, "prompts and chats go on as in transformers", prompts_and_chats_go_on_as_in_transformers);
    add_test(suite, "all logits", all_logits_are_those_of_transformers);
    add_test(suite, "hidden values", hidden_values_are_those_of_transformers);
    add_test(suite, "walk-through", walk_through_prints_what_is_expected);
    add_test(suite, "each step stands alone", each_step_stands_alone);
    add_test(suite, "80 columns", lines_fit_into_80_columns);
    add_test(suite, "exercise 6.9", what_an_exercise_asks_for_is_printed);
    add_test(suite, "sampling", sampling_follows_the_file_and_flags_override);
    add_test(suite, "seeds", seeds_give_stories);
    add_test(suite, "UTF-8", text_is_utf8_whatever_is_drawn);
    add_test(suite, "threads", threads_do_not_change_a_bit);
    add_test(suite, "--check", every_way_through_the_model_gives_the_same);
    add_test(suite, "--verify", verify_names_the_first_value_that_is_no_number);
    add_test(suite, "--trace", trace_shows_the_residual_stream);
    add_test(suite, "--prompt -", prompt_comes_from_standard_input_byte_for_byte);
    add_test(suite, "control tokens", prompt_parses_control_tokens);
    add_test(suite, "--context", context_is_a_limit);
    add_test(suite, "end token", end_token_stops_and_is_not_printed);
    add_test(suite, "mistakes", mistakes_get_one_line);
    add_test(suite, "another architecture", another_architecture_is_refused);
    add_test(suite, "lists and kernels", lists_and_kernels_need_no_model);
    add_test(suite, "KERNEL", kernels_are_forced_by_name);
    add_test(suite, "--huge-pages", huge_pages_change_no_token);
    add_test(suite, "data sets", data_sets_have_their_columns);
    return suite;
}
