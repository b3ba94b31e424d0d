/* Chapter 3: rotary position embedding, and why a score then depends only on the distance of two tokens.
 *
 * The steps live in frequencies.c (angles), table.c (the cos/sin table and what it serves), layouts.c, proof.c and
 * meaning.c (what follows for scores); data.c writes what the figures show. */
#include <inttypes.h>
#include <stddef.h>

#include "common/program.h"
#include "steps.h"

static const char *const angle_names[] = {"linear", "square", "sqrt"};

static void heading(void *context, FILE *out)
{
    const struct settings *s = context;
    fprintf(out, "head_dim %d, theta %.10g, ", s->head_dim, s->theta);
    if (s->layout == ROPE_HALF) {
        fprintf(out, "layout half (i with i+%d)", s->head_dim / 2);
    } else {
        fprintf(out, "layout interleaved (2i with 2i+1)");
    }
    fprintf(out, ", angle %s, seed %" PRIu64 "\n", angle_names[s->angle], s->seed);
}

static void closing(void *context, FILE *out)
{
    (void)context;
    fprintf(out, "Try  --angle square            which line of the proof fails?\n"
                 "     --layout interleaved      which numbers change, and which do not?\n"
                 "     --theta 10000             which pairs finish a turn within 4096 tokens?\n"
                 "     --head-dim 2 --step 2     one pair has to do all the work\n"
                 "Still missing: a layer that makes something of what the tokens say. Chapter 4.\n");
}

int main(int argc, char **argv)
{
    struct settings s = {.head_dim = 64, .theta = 1e6, .positions = 4096, .trials = 1000, .seed = 7};
    const struct option_spec options[] = {{.name = "head-dim",
                                           .kind = OPTION_INT,
                                           .target = &s.head_dim,
                                           .min = 2,
                                           .max = MAX_HEAD_DIM,
                                           .even = true,
                                           .value = "N",
                                           .help = "elements of one head, twice the number of pairs"},
                                          {.name = "theta",
                                           .kind = OPTION_DOUBLE,
                                           .target = &s.theta,
                                           .min = 1,
                                           .max = 1e12,
                                           .value = "X",
                                           .help = "base of the frequencies (rope_theta)"},
                                          {.name = "layout",
                                           .kind = OPTION_CHOICE,
                                           .target = &s.layout,
                                           .choices = "half|interleaved",
                                           .help = "which elements of a head form a pair"},
                                          {.name = "positions",
                                           .kind = OPTION_INT,
                                           .target = &s.positions,
                                           .min = 2,
                                           .max = 131072,
                                           .value = "N",
                                           .help = "how far distances are searched and drawn"},
                                          {.name = "angle",
                                           .kind = OPTION_CHOICE,
                                           .target = &s.angle,
                                           .choices = "linear|square|sqrt",
                                           .help = "how the angle grows with the position; RoPE is linear"},
                                          {.name = "trials",
                                           .kind = OPTION_INT,
                                           .target = &s.trials,
                                           .min = 1,
                                           .max = 100000,
                                           .value = "N",
                                           .help = "random queries and keys behind each maximum"},
                                          {.name = "seed",
                                           .kind = OPTION_SEED,
                                           .target = &s.seed,
                                           .value = "N",
                                           .help = "of the random vectors"},
                                          {.name = NULL}};
    const struct program_step steps[] = {
        {"One angle per pair", step_frequencies, "How many tokens does pair 0 need for one turn?"},
        {"Why many frequencies", step_collisions,
         "With one frequency of 1 radian a token, which distance first looks like 0?"},
        {"The table: cosines and sines once, for all heads and layers", step_table,
         "What does a row already in the table become when the table grows?"},
        {"Two ways to write the same rotation", step_rotate_half,
         "By how much do the direct form and rotate_half differ?"},
        {"Two layouts, and what happens when they are mixed", step_layouts,
         "q in halves, k interleaved: does the score survive a shift of both?"},
        {"Only the distance matters: the proof", step_proof,
         "Which line of the proof needs the angle to be linear in the position?"},
        {"How exactly, in three arithmetics", step_precision,
         "Shift q and k by a million: in which digit does a float32 score change?"},
        {"Exactly, in whole numbers", step_integers,
         "In whole numbers, by how much does the score miss 25^m times the first?"},
        {"What a token says still counts, and RoPE alone does not decay", step_content,
         "Does the score of equal vectors fall with distance? Of random ones?"},
        {"The contrast: an encoding that is added", step_added,
         "Positions added, not rotated: does the score change under a shift?"},
        {"Angles in bfloat16 collapse", step_bf16_angles, "What does bfloat16 make of position 257?"},
        {"One function for every shape", step_shapes,
         "How many rows of the table do 14 query heads and 2 key heads need?"},
        {"Q and K are rotated, V never", step_values,
         "If V were rotated too, what would happen when all positions shift?"},
        {NULL, NULL, NULL}};
    const struct program_data data[] = {
        {"bands", "position pair cos", "cos(position * theta_i), the first 64 positions", data_bands},
        {"wavelengths", "theta pair inv_freq wavelength", "tokens a turn for theta 10^4 and 10^6",
         data_wavelengths},
        {"decay", "distance equal random turned", "score by distance over |q||k|: three pairs of q and k",
         data_decay},
        {"collisions", "distance one many", "how far from its start the farthest pair is: pair 0, all pairs",
         data_collisions},
        {"shift", "shift rope sinusoidal square", "rms change of a score when both positions shift",
         data_shift},
        {"angle-error", "position rounded_once float32 bf16_frequency bf16_both",
         "largest error of a cosine by the type of the angle", data_angle_error},
        {NULL, NULL, NULL, NULL}};
    const struct program_figure figures[] = {
        {"bands", "bands", "fast pairs tell neighbours apart, slow pairs hardly move"},
        {"wavelengths", "wavelengths", "a larger theta leaves more pairs that never come round"},
        {"decay", "decay", "where a score peaks is up to q and k, not to RoPE"},
        {"collisions", "collisions", "one pair takes 44 for 0, many pairs never do"},
        {"shift", "shift", "only RoPE's score stays when both tokens move"},
        {"angle-error", "angle-error", "angles need float64, or at least range reduction"},
        {NULL, NULL, NULL}};
    const struct program program = {.name = "chapter3",
                                    .short_name = "ch3",
                                    .title =
                                        "Chapter 3 · RoPE: rotate by position, and only the distance remains",
                                    .options = options,
                                    .settings = &s,
                                    .heading = heading,
                                    .closing = closing,
                                    .steps = steps,
                                    .data = data,
                                    .figures = figures};
    return program_run(&program, argc, argv, stdout, stderr);
}
