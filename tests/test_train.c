#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/adam.h"
#include "common/train.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

enum { D = 6, H = 10, N = 8, MAX_PARAMETERS = 3 * D * H + 2 * H + D };

static const char *const ffn_parts[] = {"w1", "b1", "w2", "b2", NULL};
static const char *const glu_parts[] = {"w_gate", "w_up", "w_down", NULL};

/* The tensors "<net><infix>.<part>" one after the other, the order of train.h; returns their number of values. */
static size_t read_parts(double *out, const struct golden *golden, const char *net, const char *infix,
                         const char *const *parts)
{
    size_t total = 0;
    for (; *parts != NULL; parts++) {
        char name[64];
        size_t n = 0;
        snprintf(name, sizeof name, "%s%s.%s", net, infix, *parts);
        double *values = golden_f64(golden, name, &n);
        ck_assert_uint_le(total + n, MAX_PARAMETERS);
        memcpy(out + total, values, n * sizeof *out);
        total += n;
        free(values);
    }
    return total;
}

static double *read_net(const struct golden *golden, const char *net, const char *tensor)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s", net, tensor);
    return golden_f64(golden, name, NULL);
}

/* PyTorch's autograd and its Adam, learning rate 0.01, float64: 1e-10 is what is left after sums of another order, five
 * times. */
static void compare_with_golden(const char *net, const struct train_layer *layer, const char *const *parts)
{
    struct golden golden;
    golden_open(&golden, "ch4_gradients");
    double *x = golden_f64(&golden, "x", NULL);
    double *target = golden_f64(&golden, "target", NULL);
    double parameters[MAX_PARAMETERS];
    double expected[MAX_PARAMETERS];
    double gradients[MAX_PARAMETERS];
    double moments[2 * MAX_PARAMETERS];
    double *scratch = test_alloc(train_scratch_size(layer, N) * sizeof *scratch);
    size_t n = read_parts(parameters, &golden, net, "", parts);
    ck_assert_uint_eq(n, train_n_parameters(layer));

    double loss = train_gradients(gradients, layer, parameters, x, target, N, scratch);
    double *expected_loss = read_net(&golden, net, "loss");
    assert_near64(&loss, expected_loss, 1, 1e-12, 0);
    read_parts(expected, &golden, net, ".grad", parts);
    assert_near64(gradients, expected, n, 1e-12, 0);
    loss = train_loss(layer, parameters, x, target, N, scratch);
    assert_near64(&loss, expected_loss, 1, 1e-12, 0);

    double *losses = read_net(&golden, net, "adam_losses");
    struct adam adam;
    adam_init(&adam, 0.01, moments, n);
    for (int step = 0; step < 5; step++) {
        loss = train_gradients(gradients, layer, parameters, x, target, N, scratch);
        assert_near64(&loss, &losses[step], 1, 1e-10, 0);
        adam_step(&adam, parameters, gradients);
    }
    read_parts(expected, &golden, net, ".adam5", parts);
    assert_near64(parameters, expected, n, 1e-10, 0);

    free(losses);
    free(expected_loss);
    free(scratch);
    free(target);
    free(x);
    golden_close(&golden);
}

START_TEST(a_relu_layer_learns_as_the_reference)
{
    const struct train_layer layer = {ACTIVATION_RELU, false, true, D, H, D};
    compare_with_golden("ffn_relu", &layer, ffn_parts);
}
END_TEST

START_TEST(a_gelu_layer_learns_as_the_reference)
{
    const struct train_layer layer = {ACTIVATION_GELU, false, true, D, H, D};
    compare_with_golden("ffn_gelu", &layer, ffn_parts);
}
END_TEST

START_TEST(a_glu_layer_learns_as_the_reference)
{
    const struct train_layer layer = {ACTIVATION_SIGMOID, true, false, D, H, D};
    compare_with_golden("glu", &layer, glu_parts);
}
END_TEST

START_TEST(a_swiglu_layer_learns_as_the_reference)
{
    const struct train_layer layer = {ACTIVATION_SILU, true, false, D, H, D};
    compare_with_golden("swiglu", &layer, glu_parts);
}
END_TEST

static void fill_normal(double *x, size_t n, struct rng *rng)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = rng_normal(rng);
    }
}

/* Every activation, with and without a gate and biases, widths that differ: gradients against finite differences.
 * 1e-8: the formula's own error is h^2 = 1e-10 times a third derivative, that of rounding 1e-16 / h = 1e-11. */
START_TEST(gradients_are_those_of_the_loss)
{
    for (int i = 0; i < (ACTIVATION_SILU + 1) * 4; i++) {
        const struct train_layer layer = {i / 4, (i & 1) != 0, (i & 2) != 0, 5, 7, 3};
        double parameters[5 * 7 * 2 + 3 * 7 + 2 * 7 + 3];
        double gradients[sizeof parameters / sizeof *parameters];
        double x[4 * 5];
        double target[4 * 3];
        double *scratch = test_alloc(train_scratch_size(&layer, 4) * sizeof *scratch);
        struct rng rng;
        rng_init(&rng, 11);
        size_t n = train_n_parameters(&layer);
        ck_assert_uint_eq(train_scratch_size(&layer, 4), 4 * (5 * 7 + 3)); /* five of d_ff, one of d_out */
        ck_assert_uint_le(n, sizeof parameters / sizeof *parameters);
        fill_normal(parameters, n, &rng);
        fill_normal(x, 4 * 5, &rng);
        fill_normal(target, 4 * 3, &rng);
        double worst = train_check_gradients(gradients, &layer, parameters, x, target, 4, scratch);
        ck_assert_msg(worst <= 1e-8, "activation %d gated %d biased %d: %g", (int)layer.activation,
                      layer.gated, layer.biased, worst);
        free(scratch);
    }
}
END_TEST

START_TEST(parameters_are_counted_and_placed)
{
    double p[1000];
    const struct train_layer plain = {ACTIVATION_RELU, false, false, 6, 24, 6};
    const struct train_layer gated = {ACTIVATION_SILU, true, false, 6, 16, 6};
    const struct train_layer biased = {ACTIVATION_SILU, true, true, 5, 7, 3};
    ck_assert_uint_eq(train_n_parameters(&plain), 288);
    ck_assert_uint_eq(train_n_parameters(&gated), 288);
    ck_assert_uint_eq(train_n_parameters(&biased), 35 + 7 + 35 + 7 + 21 + 3);
    struct train_view view = train_view_of(&plain, p);
    ck_assert(view.w_gate == NULL && view.b_gate == NULL && view.b_up == NULL && view.b_down == NULL);
    ck_assert(view.w_up == p && view.w_down == p + 144);
    view = train_view_of(&biased, p);
    ck_assert(view.w_gate == p && view.b_gate == p + 35 && view.w_up == p + 42 && view.b_up == p + 77);
    ck_assert(view.w_down == p + 84 && view.b_down == p + 105);
}
END_TEST

START_TEST(weights_start_with_the_variance_of_their_inputs)
{
    const struct train_layer layer = {ACTIVATION_SILU, true, true, 100, 200, 50};
    size_t n = train_n_parameters(&layer);
    double *p = test_alloc(n * sizeof *p);
    struct rng rng;
    rng_init(&rng, 3);
    train_init(&layer, p, &rng);
    struct train_view view = train_view_of(&layer, p);
    double squares[3] = {0, 0, 0};
    for (int i = 0; i < 20000; i++) {
        squares[0] += view.w_gate[i] * view.w_gate[i] / 20000;
        squares[1] += view.w_up[i] * view.w_up[i] / 20000;
        squares[2] += i < 10000 ? view.w_down[i] * view.w_down[i] / 10000 : 0;
    }
    const double expected[3] = {0.01, 0.01, 0.005};
    assert_near64(squares, expected, 3, 0, 0.06); /* four standard errors: 4 sqrt(2 / 10000) */
    ck_assert(view.b_gate[0] == 0 && view.b_up[199] == 0 && view.b_down[49] == 0);
    free(p);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("train");
    add_test(suite, "a ReLU layer learns as the reference", a_relu_layer_learns_as_the_reference);
    add_test(suite, "a GELU layer learns as the reference", a_gelu_layer_learns_as_the_reference);
    add_test(suite, "a GLU layer learns as the reference", a_glu_layer_learns_as_the_reference);
    add_test(suite, "a SwiGLU layer learns as the reference", a_swiglu_layer_learns_as_the_reference);
    add_test(suite, "gradients are those of the loss", gradients_are_those_of_the_loss);
    add_test(suite, "parameters are counted and placed", parameters_are_counted_and_placed);
    add_test(suite, "weights start with their variance", weights_start_with_the_variance_of_their_inputs);
    return suite;
}
