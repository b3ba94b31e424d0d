/* Chapter 4: the feed-forward layer, with and without a gate. */
#include "chapter4.h"
#include "common/ffn.h"
#include "common/program.h"
#include "statistics.h"
#include "targets.h"

static const struct program_step steps[] = {
    {"Functions between two matrices", step_activations, "How low does SiLU go, and how high?"},
    {"Three layers", step_layers, "How many matrices does a layer with a gate have?"},
    {"The gate at work", step_gate, "A SwiGLU gate of +10 in front of up = 2: what comes out, about?"},
    {"One fused matrix or two", step_fused,
     "One matrix [2 d_ff, d_model] or two: how far apart are the results?"},
    {"Dropout on the hidden layer", step_dropout, "Where in the layer do elements become 0, and when?"},
    {"What a gate costs", step_parameters,
     "d_ff is 4 d without a gate. What must it be with one, for equal parameters?"},
    {"The gradients are right", step_gradients,
     "To how many digits do a gradient and a finite difference agree?"},
    {"Which layer learns best?", step_experiment,
     "Which of the seven layers will have the lowest loss on the product target?"},
    {"What this toy cannot say", step_published,
     "Does a toy this small tell which layer a language model needs?"},
    {NULL, NULL, NULL},
};

static const struct program_data data[] = {
    {"activations",
     "x sigmoid relu gelu gelu_tanh silu sigmoid_slope relu_slope gelu_slope gelu_tanh_slope silu_slope",
     "every activation and its derivative", write_activations},
    {"curves", "target layer step mean half lowest highest",
     "loss while training: mean, half of its 95 % interval, range", write_curves},
    {"losses", "target layer gated d_ff parameters learning_rate mean half",
     "loss after the last step, and the learning rate used", write_losses},
    {NULL, NULL, NULL, NULL},
};

static const struct program_figure figures[] = {
    {"activations", "activations", "GELU and SiLU are ReLU with a soft, dipping corner"},
    {"curves", "curves", "the loss while training: who learns best depends on the target"},
    {"losses", "curves", "the final loss of all seven layers on each target"},
    {NULL, NULL, NULL},
};

static void heading(void *settings, FILE *out)
{
    const struct settings *s = settings;
    fprintf(out, "d_model %d, d_ff %d without a gate and %d with, %d steps, %d seeds\n", s->d_model, s->d_ff,
            ffn_gated_width(s->d_ff, 1), s->steps, s->seeds);
}

static void closing(void *settings, FILE *out)
{
    (void)settings;
    fprintf(out, "Try  --target product --steps 2000   does more training change the order?\n"
                 "     --lr 0.01                       one learning rate for all: who profits?\n"
                 "     --d-ff 12                       half as wide\n"
                 "     --plot curves, --plot losses    the same as pictures\n"
                 "Still missing: this layer looks at one token at a time. What lets tokens see\n"
                 "each other, and keeps a stack of layers trainable, is the block of chapter 5.\n");
}

int main(int argc, char **argv)
{
    struct settings settings = {
        .d_model = 6, .d_ff = 24, .steps = 400, .seeds = 10, .target = N_TARGETS, .learning_rate = 0};
    const struct option_spec options[] = {
        {.name = "d-model",
         .kind = OPTION_INT,
         .target = &settings.d_model,
         .min = 3,
         .max = 64,
         .value = "N",
         .help = "width of what goes in and comes out"},
        {.name = "d-ff",
         .kind = OPTION_INT,
         .target = &settings.d_ff,
         .min = 1,
         .max = 256,
         .value = "N",
         .help = "width of the hidden layer without a gate; with one, 2/3 of it"},
        {.name = "steps",
         .kind = OPTION_INT,
         .target = &settings.steps,
         .min = 1,
         .max = 20000,
         .value = "N",
         .help = "steps of training"},
        {.name = "seeds",
         .kind = OPTION_INT,
         .target = &settings.seeds,
         .min = 2,
         .max = MAX_RUNS,
         .value = "N",
         .help = "runs of every layer, each with its own samples and weights"},
        {.name = "target",
         .kind = OPTION_CHOICE,
         .target = &settings.target,
         .choices = "product|smooth|piecewise|all",
         .help = "what the layers learn"},
        {.name = "lr",
         .kind = OPTION_DOUBLE,
         .target = &settings.learning_rate,
         .min = 0,
         .max = 10,
         .value = "X",
         .help = "learning rate of all layers; 0: for each its best of 0.01, 0.03, 0.1 and 0.3"},
        {.name = NULL}};
    const struct program program = {.name = "chapter4",
                                    .short_name = "ch4",
                                    .title = "Chapter 4 · Feed-forward layers: does a gate help?",
                                    .options = options,
                                    .settings = &settings,
                                    .heading = heading,
                                    .closing = closing,
                                    .steps = steps,
                                    .data = data,
                                    .figures = figures};
    return program_run(&program, argc, argv, stdout, stderr);
}
