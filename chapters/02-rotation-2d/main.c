/* Chapter 2: rotations of the plane, the one operation that RoPE is made of. */
#include "chapters/02-rotation-2d/steps.h"
#include "common/program.h"

static void heading(void *settings, FILE *out)
{
    const struct settings *s = settings;
    fprintf(out, "theta %.10g, point (%.10g, %.10g)\n", s->theta, s->point.x, s->point.y);
}

static void closing(void *settings, FILE *out)
{
    (void)settings;
    fputs("Try  --theta 1.5707963267948966 --step 1  a quarter turn takes x to y, y to -x\n"
          "     --theta 6.283185307179586 --step 2   whole turns: all positions look alike\n"
          "     --theta 0.5 --step 6                 m times 0.5 is exact: what is left?\n"
          "Still missing: one angle tells positions apart only within one turn. Chapter 3\n"
          "rotates every pair of a query and a key by an angle of its own.\n",
          out);
}

int main(int argc, char **argv)
{
    struct settings settings = {.theta = 0.1, .point = {3, -4}};
    const struct option_spec options[] = {{.name = "theta",
                                           .kind = OPTION_DOUBLE,
                                           .target = &settings.theta,
                                           .min = -1e6,
                                           .max = 1e6,
                                           .value = "X",
                                           .help = "the angle in radians"},
                                          {.name = "x",
                                           .kind = OPTION_DOUBLE,
                                           .target = &settings.point.x,
                                           .min = -1e6,
                                           .max = 1e6,
                                           .value = "X",
                                           .help = "the point that is rotated"},
                                          {.name = "y",
                                           .kind = OPTION_DOUBLE,
                                           .target = &settings.point.y,
                                           .min = -1e6,
                                           .max = 1e6,
                                           .value = "Y",
                                           .help = "its second coordinate"},
                                          {.name = NULL}};
    static const struct program_step steps[] = {
        {"The matrix turns and keeps the length", step_matrix,
         "A point at distance 5 is rotated by theta. How far away is it then?"},
        {"Composition adds angles; the inverse is the transpose", step_composition,
         "Rotating by a, then by b, equals one rotation. By which angle?"},
        {"The same as one complex product", step_complex,
         "Which complex number turns a point by theta when multiplied?"},
        {"Only the difference remains, proven in integers", step_integers,
         "M_m^T M_n = c * M_(n-m). What is c, when each M grows by 5?"},
        {"How far the integers reach", step_limit,
         "5^m grows fast: up to which m + n do 128 bits hold it exactly?"},
        {"A million small rotations, or one", step_drift,
         "A million float32 rotations in a row: how many digits of the point survive?"},
        {NULL, NULL, NULL}};
    static const struct program_data data[] = {
        {"orbit", "step x y norm", "the point rotated by 0, 1, 2, ... times theta", data_orbit},
        {"drift", "rotations steps_f32 once_f32 steps_f64 once_f64",
         "errors of the point: step by step, and once by the whole angle", data_drift},
        {NULL, NULL, NULL, NULL}};
    static const struct program_figure figures[] = {
        {"orbit", "orbit", "every multiple of theta lies on one circle"},
        {"drift", "drift", "the error of many small rotations grows, that of one does not"},
        {NULL, NULL, NULL}};
    const struct program program = {
        .name = "chapter2",
        .short_name = "ch2",
        .title = "Chapter 2 · Rotation: turn by m, turn back by n, n - m remains",
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
