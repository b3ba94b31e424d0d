/* activation.h: the non-linear functions between two linear layers, and their derivatives.
 * Introduced in chapter 4. */
#ifndef COMMON_ACTIVATION_H
#define COMMON_ACTIVATION_H

enum activation {
    ACTIVATION_IDENTITY, /* x: a bilinear layer's gate */
    ACTIVATION_SIGMOID,
    ACTIVATION_RELU,
    ACTIVATION_GELU,      /* with erf */
    ACTIVATION_GELU_TANH, /* its tanh approximation */
    ACTIVATION_SILU
};

/*     sigmoid(x)   = 1 / (1 + e^-x), computed so that neither end overflows
 *     relu(x)      = max(0, x); a NaN stays one
 *     gelu(x)      = x * Phi(x) = x/2 (1 + erf(x / sqrt 2))                        Hendrycks and Gimpel 2016
 *     gelu_tanh(x) = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
 *     silu(x)      = x * sigmoid(x); its minimum is -0.278 at x = -1.278           Elfwing et al. 2018
 * In float64, for teaching and training; -inf gives the limit (0 for silu and gelu). */
double activation_f64(enum activation activation, double x);
double activation_derivative(enum activation activation, double x);

float activation_f32(enum activation activation, float x);

#endif
