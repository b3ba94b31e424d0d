#include "common/activation.h"

#include <math.h>

#include "common/require.h"

static const double sqrt_half = 0.70710678118654752440;      /* 1 / sqrt 2 */
static const double sqrt_2_over_pi = 0.79788456080286535588; /* sqrt(2 / pi) */
static const double one_over_sqrt_2pi = 0.39894228040143267794;
static const double gelu_cubic = 0.044715;

/* Only ever e to a power that is not positive: e^x itself overflows where the result is simply 1. */
static double sigmoid(double x)
{
    if (x >= 0) {
        return 1 / (1 + exp(-x));
    }
    double e = exp(x);
    return e / (1 + e);
}

/* 1 + tanh(u) = 2 sigmoid(2 u), which keeps its digits where tanh(u) comes close to -1. */
static double gelu_tanh_share(double x)
{
    return sigmoid(2 * sqrt_2_over_pi * (x + gelu_cubic * x * x * x));
}

/* Phi(x) = (1 + erf(x / sqrt 2)) / 2 = erfc(-x / sqrt 2) / 2: the second form keeps its digits in the left tail. */
static double normal_cdf(double x)
{
    return 0.5 * erfc(-x * sqrt_half);
}

double activation_f64(enum activation activation, double x)
{
    switch (activation) {
    case ACTIVATION_IDENTITY: return x;
    case ACTIVATION_SIGMOID: return sigmoid(x);
    case ACTIVATION_RELU: return x < 0 ? 0 : x; /* a NaN is not below 0: it passes */
    default: break;
    }
    if (x == -HUGE_VAL) {
        return 0; /* the limit; the product below would be infinity times 0 */
    }
    switch (activation) {
    case ACTIVATION_GELU: return x * normal_cdf(x);
    case ACTIVATION_GELU_TANH: return x * gelu_tanh_share(x);
    case ACTIVATION_SILU: return x * sigmoid(x);
    default: break;
    }
    REQUIRE(!"an activation");
    return 0;
}

double activation_derivative(enum activation activation, double x)
{
    switch (activation) {
    case ACTIVATION_IDENTITY: return 1;
    case ACTIVATION_SIGMOID: {
        /* 1 - sigmoid(x) would lose its digits where sigmoid(x) is close to 1 */
        double small = sigmoid(-fabs(x));
        return small * (1 - small);
    }
    case ACTIVATION_RELU: return x > 0 ? 1 : 0;
    default: break;
    }
    if (fabs(x) > 1e6) {
        return x > 0 ? 1 : 0; /* the limits; the terms below would be infinity times 0 */
    }
    switch (activation) {
    case ACTIVATION_GELU: return normal_cdf(x) + x * one_over_sqrt_2pi * exp(-0.5 * x * x);
    case ACTIVATION_GELU_TANH: {
        double share = gelu_tanh_share(x);
        double slope = 2 * sqrt_2_over_pi * (1 + 3 * gelu_cubic * x * x);
        return share + x * slope * share * (1 - share);
    }
    case ACTIVATION_SILU: {
        double share = sigmoid(x);
        return share * (1 + x * (1 - share));
    }
    default: break;
    }
    REQUIRE(!"an activation");
    return 0;
}

static float sigmoid_f32(float x)
{
    if (x >= 0) {
        return 1 / (1 + expf(-x));
    }
    float e = expf(x);
    return e / (1 + e);
}

float activation_f32(enum activation activation, float x)
{
    switch (activation) {
    case ACTIVATION_IDENTITY: return x;
    case ACTIVATION_SIGMOID: return sigmoid_f32(x);
    case ACTIVATION_RELU: return x < 0 ? 0 : x;
    case ACTIVATION_SILU: return x == -HUGE_VALF ? 0 : x * sigmoid_f32(x);
    case ACTIVATION_GELU:
    case ACTIVATION_GELU_TANH: return (float)activation_f64(activation, (double)x);
    }
    REQUIRE(!"an activation");
    return 0;
}
