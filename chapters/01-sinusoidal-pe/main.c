/* Chapter 1: why a Transformer needs positions, and what the first one added to its embeddings. */
#include "chapters/01-sinusoidal-pe/steps.h"
#include "common/program.h"

static void heading(void *settings, FILE *out)
{
    const struct settings *s = settings;
    fprintf(out, "d_model %d, max_len %d, base %.10g, dropout %.10g, seed %llu\n", s->d_model, s->max_len,
            s->base, s->dropout, (unsigned long long)s->seed);
}

static void closing(void *settings, FILE *out)
{
    (void)settings;
    fputs("Try  --d-model 5         an odd width: step 4's spread is no longer rounding\n"
          "     --base 100          short waves: in step 8 almost every pair makes its turn\n"
          "     --dropout 0.5       step 7: half of the elements, the same mean\n"
          "     --max-len 512       step 8: more pairs have not made one turn\n"
          "Still missing: a score that depends on the distance after W_q and W_k too.\n"
          "Step 6 has the key: rotate, do not add. First the rotation itself: chapter 2.\n",
          out);
}

int main(int argc, char **argv)
{
    struct settings settings = {.d_model = 512, .max_len = 5000, .base = 10000, .dropout = 0.1, .seed = 1};
    const struct option_spec options[] = {{.name = "d-model",
                                           .kind = OPTION_INT,
                                           .target = &settings.d_model,
                                           .min = 2,
                                           .max = 2048,
                                           .value = "N",
                                           .help = "width of an embedding; odd widths too"},
                                          {.name = "max-len",
                                           .kind = OPTION_INT,
                                           .target = &settings.max_len,
                                           .min = 16,
                                           .max = 65536,
                                           .value = "N",
                                           .help = "rows of the table that the layer adds from"},
                                          {.name = "base",
                                           .kind = OPTION_DOUBLE,
                                           .target = &settings.base,
                                           .min = 1,
                                           .max = 1e12,
                                           .value = "X",
                                           .help = "the frequencies are base^(-2i/d_model)"},
                                          {.name = "dropout",
                                           .kind = OPTION_DOUBLE,
                                           .target = &settings.dropout,
                                           .min = 0,
                                           .max = 0.99,
                                           .value = "P",
                                           .help = "share of the elements that training switches off"},
                                          {.name = "seed",
                                           .kind = OPTION_SEED,
                                           .target = &settings.seed,
                                           .value = "N",
                                           .help = "of the random vectors, matrices and masks"},
                                          {.name = NULL}};
    static const struct program_step steps[] = {
        {"Without positions, word order is lost", step_word_order,
         "With no positions, how far apart will the outputs of the two sentences be?"},
        {"One wave per pair of elements", step_wavelengths,
         "How many positions does the slowest pair of 512 elements need for one turn?"},
        {"A position's row", step_rows, "Which two numbers begin the row of position 0?"},
        {"Two rows know their distance", step_distance,
         "Two rows 10 apart: does their product change when both move on by 1000?"},
        {"Until W_q and W_k stand between them", step_terms,
         "Which of the four terms still knows only the distance after W_q and W_k?"},
        {"A row further on is the same row, rotated", step_rotation,
         "By what angle must pair i turn to go from row p to row p + k?"},
        {"The layer: add, and drop while training", step_layer,
         "Dropout 0.1 in training: by what are the surviving elements multiplied?"},
        {"Beyond the training length", step_extrapolation,
         "A learned table has 2048 rows. What is row 3000?"},
        {NULL, NULL, NULL}};
    static const struct program_data data[] = {
        {"heatmap", "position column element value",
         "the encoding of 48 positions, 32 elements across the row", data_heatmap},
        {"wavelengths", "pair frequency wavelength max_len", "frequency and wavelength of every pair",
         data_wavelengths},
        {"similarity", "distance near far near_projected far_projected",
         "dot products of two rows, at positions 1000 and 4000", data_similarity},
        {"terms", "shift cc cp pc pp projected_cc projected_cp projected_pc projected_pp",
         "the four terms of a score, both positions shifted", data_terms},
        {NULL, NULL, NULL, NULL}};
    static const struct program_figure figures[] = {
        {"heatmap", "heatmap", "fast waves on the left, almost still ones on the right"},
        {"wavelengths", "wavelengths", "wavelengths grow geometrically, past the training length"},
        {"similarity", "similarity", "similarity falls with distance, and projections destroy it"},
        {"terms", "terms", "what a shift does to each term, before and after W_q and W_k"},
        {NULL, NULL, NULL}};
    const struct program program = {
        .name = "chapter1",
        .short_name = "ch1",
        .title = "Chapter 1 · Positions as waves, added to the embeddings",
        .options = options,
        .settings = &settings,
        .heading = heading,
        .closing = closing,
        .steps = steps,
        .data = data,
        .figures = figures,
    };
    return program_run(&program, argc, argv, stdout, stderr);
}
