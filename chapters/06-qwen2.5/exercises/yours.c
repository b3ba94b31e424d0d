/* make chapter6-yours && ./chapter6-yours: the way from the file to the next token with your functions beside the
 * project's, on the bundled model.
 *
 * Each check is written once, for a struct of functions; it is run with yours and with the project's. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../yours.h"
#include "yours_model.h"

enum { GIRL = 430, LITTLE = 378 }; /* " girl", the likeliest to follow; " little", the prompt's last */

static double first_weight(const void *functions)
{
    const struct functions *f = functions;
    uint16_t bits;
    float weight;
    memcpy(&bits, bundled.model.embedding.data, sizeof bits);
    f->widen(&weight, &bits, 1);
    return (double)weight;
}

static double rounded_259(const void *functions)
{
    const struct functions *f = functions;
    return f->round(259.0F);
}

static double place(const void *functions)
{
    const struct functions *f = functions;
    return (double)f->embedding_place();
}

static double parameters(const void *functions)
{
    const struct functions *f = functions;
    double answer[4];
    f->predict(answer);
    return answer[0];
}

static double cache_bytes(const void *functions)
{
    const struct functions *f = functions;
    double answer[4];
    f->predict(answer);
    return answer[3];
}

static const char word[] = " watermelons";

static double tokens_of_word(const void *functions)
{
    const struct functions *f = functions;
    int token[sizeof word];
    return f->encode_word(token, word);
}

static double first_of_word(const void *functions)
{
    const struct functions *f = functions;
    int token[sizeof word];
    f->encode_word(token, word);
    return token[0];
}

static double printable_of_emoji(const void *functions)
{
    const struct functions *f = functions;
    return f->printable((const uint8_t *)"b\xF0\x9F\x98", 4);
}

static double logit_of_girl(const void *functions)
{
    static float logits[VOCAB_SIZE];
    const struct functions *f = functions;
    f->logits(logits);
    return (double)logits[GIRL];
}

static double penalized_little(const void *functions)
{
    static float logits[VOCAB_SIZE];
    const struct functions *f = functions;
    bundled_pass(logits, NULL, prompt, N_PROMPT);
    f->penalize(logits, VOCAB_SIZE, prompt, N_PROMPT, REPETITION_PENALTY);
    return (double)logits[LITTLE];
}

static double girl_after_top_p(const void *functions)
{
    static float logits[VOCAB_SIZE];
    static double probability[VOCAB_SIZE], out[VOCAB_SIZE];
    const struct functions *f = functions;
    double sum = 0;
    bundled_pass(logits, NULL, prompt, N_PROMPT);
    for (int v = 0; v < VOCAB_SIZE; v++) {
        probability[v] = exp((double)logits[v]);
        sum += probability[v];
    }
    for (int v = 0; v < VOCAB_SIZE; v++) {
        probability[v] /= sum;
    }
    f->top_p(out, probability, VOCAB_SIZE, 0.8);
    return out[GIRL];
}

static double tokens_in_cache_of_12(const void *functions)
{
    const struct functions *f = functions;
    return f->tokens_until_full(12);
}

static double fourth_token(const void *functions)
{
    const struct functions *f = functions;
    return f->greedy(4);
}

int main(int argc, char **argv)
{
    static const struct yours_check checks[] = {
        {NULL, "The file", NULL, 0},
        {"6.1", "first weight of the embedding", first_weight, 0},
        {"6.5", "its first byte in the file", place, 0},
        {"6.8", "259 in bfloat16, the bits", rounded_259, 0},
        {"6.9", "parameters", parameters, 0.5},
        {"6.9", "bytes a token in the cache", cache_bytes, 0.5},
        {NULL, "The text (step 1)", NULL, 0},
        {"6.2", "tokens of \" watermelons\"", tokens_of_word, 0},
        {"6.2", "the first of them", first_of_word, 0},
        {"6.10", "printable bytes of b F0 9F 98", printable_of_emoji, 0},
        {NULL, "The next token after \"... there was a little\" (step 3)", NULL, 0},
        {"6.6", "logit of \" girl\"", logit_of_girl, 1e-3},
        {"6.4", "logit of \" little\", penalty 1.3", penalized_little, 1e-4},
        {"6.3", "probability of \" girl\", top-p 0.8", girl_after_top_p, 1e-5},
        {NULL, "Again and again (step 4)", NULL, 0},
        {"6.7", "tokens drawn with a cache of 12", tokens_in_cache_of_12, 0},
        {"6.6", "fourth greedy id, 6.4 inside", fourth_token, 0},
        {NULL, NULL, NULL, 0},
    };
    struct error error;
    if (bundled_open(&error) != STATUS_OK) {
        fprintf(stderr, "chapter6-yours: %s\n", error.message);
        bundled_close();
        return 2;
    }
    int status =
        yours_run(argc, argv, "Chapter 6 with your functions", checks, &your_functions, &project_functions);
    bundled_close();
    return status;
}
