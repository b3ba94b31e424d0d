#include "common/ffn.h"

#include "common/dropout.h"
#include "common/matmul.h"
#include "common/require.h"
#include "common/status.h"

size_t ffn_scratch_size(int d_ff, int n_tokens)
{
    REQUIRE(d_ff >= 0 && n_tokens >= 0);
    return checked_product(2, checked_product((size_t)n_tokens, (size_t)d_ff));
}

static void require_shape(const struct tensor *tensor, int rows, int cols)
{
    REQUIRE(!tensor_present(tensor) || (tensor->rows == rows && tensor->cols == cols));
}

static void require_shapes(const struct ffn *ffn)
{
    REQUIRE(tensor_present(&ffn->w_up) && tensor_present(&ffn->w_down));
    int d_ff = ffn->w_up.rows;
    int d_model = ffn->w_up.cols;
    require_shape(&ffn->w_gate, d_ff, d_model);
    require_shape(&ffn->b_gate, 1, d_ff);
    require_shape(&ffn->b_up, 1, d_ff);
    require_shape(&ffn->w_down, ffn->w_down.rows, d_ff);
    require_shape(&ffn->b_down, 1, ffn->w_down.rows);
}

/* hidden[i] = act(hidden[i]) * up[i], or without the product where up is NULL. Element by element, so that the number
 * of threads changes nothing. */
static void activate(float *hidden, const float *up, enum activation activation, int n_tokens, int d_ff)
{
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(matmul_threads()) if (n_tokens > 1)
#endif
    for (int token = 0; token < n_tokens; token++) {
        size_t first = (size_t)token * (size_t)d_ff;
        if (activation == ACTIVATION_SILU && up != NULL) { /* SwiGLU, the case that counts: with vectors */
            matmul_silu_multiply(hidden + first, up + first, (size_t)d_ff);
            continue;
        }
        for (size_t i = first; i < first + (size_t)d_ff; i++) {
            float activated = activation_f32(activation, hidden[i]);
            hidden[i] = up != NULL ? activated * up[i] : activated;
        }
    }
}

void ffn_forward(float *out, const float *x, const struct ffn *ffn, int n_tokens, float *scratch,
                 double dropout_rate, struct rng *rng, const struct hook *hook, int layer)
{
    require_shapes(ffn);
    REQUIRE(n_tokens == 0 || scratch != NULL);
    bool gated = tensor_present(&ffn->w_gate);
    int d_ff = ffn->w_up.rows;
    size_t d_model = (size_t)ffn->w_up.cols;
    size_t width = (size_t)d_ff;
    size_t n_hidden = (size_t)n_tokens * width;
    /* What goes through the activation: the gate, or without one the layer's only branch. */
    float *hidden = scratch;
    float *up = scratch + n_hidden;

    bool fused =
        gated && ffn->activation == ACTIVATION_SILU && hook == NULL; /* nobody sees gate and up alone */
    const struct matmul_part parts[2] = {{hidden, width, &ffn->w_gate, &ffn->b_gate},
                                         {up, width, &ffn->w_up, &ffn->b_up}};
    if (fused) {
        matmul_gated(&parts[0], &parts[1], x, d_model, n_tokens);
    } else if (gated) {
        matmul_parts(parts, 2, x, d_model, n_tokens);
        hook_call(hook, "mlp.gate_proj", layer, hidden, n_tokens, d_ff, width);
        hook_call(hook, "mlp.up_proj", layer, up, n_tokens, d_ff, width);
    } else {
        matmul(hidden, width, x, d_model, &ffn->w_up, &ffn->b_up, n_tokens);
        hook_call(hook, "mlp.up_proj", layer, hidden, n_tokens, d_ff, width);
    }
    if (!fused) {
        activate(hidden, gated ? up : NULL, ffn->activation, n_tokens, d_ff);
    }
    dropout_apply(hidden, n_hidden, dropout_rate, rng);
    hook_call(hook, "mlp.act", layer, hidden, n_tokens, d_ff, width);

    int d_out = ffn->w_down.rows;
    matmul_round_activations(hidden, &ffn->w_down, n_tokens);
    matmul(out, (size_t)d_out, hidden, width, &ffn->w_down, &ffn->b_down, n_tokens);
    hook_call(hook, "mlp.down_proj", layer, out, n_tokens, d_out, (size_t)d_out);
}

int ffn_gated_width(int d_ff, int multiple)
{
    REQUIRE(d_ff >= 0 && multiple > 0);
    /* 2/3 d_ff rounded up, without a fraction: multiples of step in 2 d_ff. */
    long long step = 3LL * multiple;
    return (int)((2LL * d_ff + step - 1) / step * multiple);
}
