#include "common/train.h"

#include <math.h>
#include <string.h>

#include "common/require.h"

/* What one pass needs beside the parameters; each row of samples times a width. */
struct workspace {
    double *gate;     /* [n_samples, d_ff]: before the activation */
    double *act_gate; /* [n_samples, d_ff]: after it */
    double *up;       /* [n_samples, d_ff] */
    double *hidden;   /* [n_samples, d_ff] */
    double *d_hidden; /* [n_samples, d_ff] */
    double *out;      /* [n_samples, d_out] */
};

static struct workspace split_scratch(const struct train_layer *layer, int n_samples, double *scratch)
{
    size_t n = (size_t)n_samples * (size_t)layer->d_ff;
    return (struct workspace){scratch,         scratch + n,     scratch + 2 * n,
                              scratch + 3 * n, scratch + 4 * n, scratch + 5 * n};
}

size_t train_scratch_size(const struct train_layer *layer, int n_samples)
{
    return (size_t)n_samples * (5 * (size_t)layer->d_ff + (size_t)layer->d_out);
}

/* The next n of the array, or NULL where the layer has no such matrix. */
static double *take(double **next, size_t n, bool present)
{
    double *start = *next;
    if (!present) {
        return NULL;
    }
    *next += n;
    return start;
}

struct train_view train_view_of(const struct train_layer *layer, double *parameters)
{
    size_t d_in = (size_t)layer->d_in;
    size_t d_ff = (size_t)layer->d_ff;
    size_t d_out = (size_t)layer->d_out;
    struct train_view view;
    view.w_gate = take(&parameters, d_ff * d_in, layer->gated);
    view.b_gate = take(&parameters, d_ff, layer->gated && layer->biased);
    view.w_up = take(&parameters, d_ff * d_in, true);
    view.b_up = take(&parameters, d_ff, layer->biased);
    view.w_down = take(&parameters, d_out * d_ff, true);
    view.b_down = take(&parameters, d_out, layer->biased);
    return view;
}

size_t train_n_parameters(const struct train_layer *layer)
{
    REQUIRE(layer->d_in > 0 && layer->d_ff > 0 && layer->d_out > 0);
    size_t n_inner = layer->gated ? 2 : 1;
    size_t bias = layer->biased ? 1 : 0;
    return n_inner * (size_t)layer->d_ff * ((size_t)layer->d_in + bias) +
           (size_t)layer->d_out * ((size_t)layer->d_ff + bias);
}

static void init_matrix(double *w, int n_rows, int n_cols, struct rng *rng)
{
    double scale = 1 / sqrt((double)n_cols);
    for (size_t i = 0; w != NULL && i < (size_t)n_rows * (size_t)n_cols; i++) {
        w[i] = scale * rng_normal(rng);
    }
}

void train_init(const struct train_layer *layer, double *parameters, struct rng *rng)
{
    struct train_view p = train_view_of(layer, parameters);
    memset(parameters, 0, train_n_parameters(layer) * sizeof *parameters);
    init_matrix(p.w_gate, layer->d_ff, layer->d_in, rng);
    init_matrix(p.w_up, layer->d_ff, layer->d_in, rng);
    init_matrix(p.w_down, layer->d_out, layer->d_ff, rng);
}

/* y[t, o] = b[o] + sum_i x[t, i] w[o, i]; b may be NULL. */
static void linear(double *y, const double *x, const double *w, const double *b, int n_samples, int d_in,
                   int d_out)
{
    REQUIRE(w != NULL);
    for (int t = 0; t < n_samples; t++, x += d_in, y += d_out) {
        for (int o = 0; o < d_out; o++) {
            const double *row = w + (size_t)o * (size_t)d_in;
            double sum = b != NULL ? b[o] : 0;
            for (int i = 0; i < d_in; i++) {
                sum += x[i] * row[i];
            }
            y[o] = sum;
        }
    }
}

/* Adds to d_w[o, i] the sum of d_y[t, o] x[t, i], and to d_b[o] (unless NULL) that of d_y[t, o]. */
static void linear_gradients(double *d_w, double *d_b, const double *d_y, const double *x, int n_samples,
                             int d_in, int d_out)
{
    for (int t = 0; t < n_samples; t++, x += d_in, d_y += d_out) {
        for (int o = 0; o < d_out; o++) {
            double *row = d_w + (size_t)o * (size_t)d_in;
            for (int i = 0; i < d_in; i++) {
                row[i] += d_y[o] * x[i];
            }
            if (d_b != NULL) {
                d_b[o] += d_y[o];
            }
        }
    }
}

/* d_x[t, i] = sum_o d_y[t, o] w[o, i]: the same matrix, the other way. */
static void linear_backward(double *d_x, const double *d_y, const double *w, int n_samples, int d_in,
                            int d_out)
{
    memset(d_x, 0, (size_t)n_samples * (size_t)d_in * sizeof *d_x);
    for (int t = 0; t < n_samples; t++, d_x += d_in, d_y += d_out) {
        for (int o = 0; o < d_out; o++) {
            const double *row = w + (size_t)o * (size_t)d_in;
            for (int i = 0; i < d_in; i++) {
                d_x[i] += d_y[o] * row[i];
            }
        }
    }
}

static void forward(double *out, const struct train_layer *layer, const struct train_view *p, const double *x,
                    int n_samples, const struct workspace *work)
{
    size_t n_hidden = (size_t)n_samples * (size_t)layer->d_ff;
    linear(work->up, x, p->w_up, p->b_up, n_samples, layer->d_in, layer->d_ff);
    if (p->w_gate != NULL) {
        linear(work->gate, x, p->w_gate, p->b_gate, n_samples, layer->d_in, layer->d_ff);
        for (size_t i = 0; i < n_hidden; i++) {
            work->act_gate[i] = activation_f64(layer->activation, work->gate[i]);
            work->hidden[i] = work->act_gate[i] * work->up[i];
        }
    } else {
        for (size_t i = 0; i < n_hidden; i++) {
            work->hidden[i] = activation_f64(layer->activation, work->up[i]);
        }
    }
    linear(out, work->hidden, p->w_down, p->b_down, n_samples, layer->d_ff, layer->d_out);
}

/* The views' pointers are not const because one struct serves parameters and gradients; nothing here writes through
 * a view of the parameters. */
static struct train_view read_view(const struct train_layer *layer, const double *parameters)
{
    return train_view_of(layer, (double *)parameters);
}

void train_forward(double *out, const struct train_layer *layer, const double *parameters, const double *x,
                   int n_samples, double *scratch)
{
    struct workspace work = split_scratch(layer, n_samples, scratch);
    struct train_view p = read_view(layer, parameters);
    forward(out, layer, &p, x, n_samples, &work);
}

static double mean_squared_error(const double *out, const double *target, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double error = out[i] - target[i];
        sum += error * error;
    }
    return sum / (double)n;
}

double train_loss(const struct train_layer *layer, const double *parameters, const double *x,
                  const double *target, int n_samples, double *scratch)
{
    REQUIRE(n_samples > 0);
    struct workspace work = split_scratch(layer, n_samples, scratch);
    train_forward(work.out, layer, parameters, x, n_samples, scratch);
    return mean_squared_error(work.out, target, (size_t)n_samples * (size_t)layer->d_out);
}

/* From d_hidden to the gradients of what the inner products gave: d_up and d_gate take the place of up and gate. */
static void backward_through_gate(const struct train_layer *layer, size_t n_hidden,
                                  const struct workspace *work)
{
    for (size_t i = 0; i < n_hidden; i++) {
        double d_hidden = work->d_hidden[i];
        double up = work->up[i];
        if (layer->gated) {
            double gate = work->gate[i];
            work->up[i] = d_hidden * work->act_gate[i];
            work->gate[i] = d_hidden * up * activation_derivative(layer->activation, gate);
        } else {
            work->up[i] = d_hidden * activation_derivative(layer->activation, up);
        }
    }
}

double train_gradients(double *gradients, const struct train_layer *layer, const double *parameters,
                       const double *x, const double *target, int n_samples, double *scratch)
{
    REQUIRE(n_samples > 0);
    struct workspace work = split_scratch(layer, n_samples, scratch);
    struct train_view p = read_view(layer, parameters);
    struct train_view d = train_view_of(layer, gradients);
    size_t n_out = (size_t)n_samples * (size_t)layer->d_out;
    memset(gradients, 0, train_n_parameters(layer) * sizeof *gradients);

    forward(work.out, layer, &p, x, n_samples, &work);
    double loss = mean_squared_error(work.out, target, n_out);

    double *d_out = work.out;
    for (size_t i = 0; i < n_out; i++) {
        d_out[i] = 2 * (work.out[i] - target[i]) / (double)n_out;
    }
    linear_gradients(d.w_down, d.b_down, d_out, work.hidden, n_samples, layer->d_ff, layer->d_out);
    linear_backward(work.d_hidden, d_out, p.w_down, n_samples, layer->d_ff, layer->d_out);
    backward_through_gate(layer, (size_t)n_samples * (size_t)layer->d_ff, &work);
    linear_gradients(d.w_up, d.b_up, work.up, x, n_samples, layer->d_in, layer->d_ff);
    if (d.w_gate != NULL) {
        linear_gradients(d.w_gate, d.b_gate, work.gate, x, n_samples, layer->d_in, layer->d_ff);
    }
    return loss;
}

double train_check_gradients(double *gradients, const struct train_layer *layer, double *parameters,
                             const double *x, const double *target, int n_samples, double *scratch)
{
    const double h = 1e-5; /* the error of the formula falls with h^2, that of rounding grows with 1 / h */
    double worst = 0;
    double largest = 0;
    train_gradients(gradients, layer, parameters, x, target, n_samples, scratch);
    for (size_t i = 0; i < train_n_parameters(layer); i++) {
        double kept = parameters[i];
        parameters[i] = kept + h;
        double above = train_loss(layer, parameters, x, target, n_samples, scratch);
        parameters[i] = kept - h;
        double below = train_loss(layer, parameters, x, target, n_samples, scratch);
        parameters[i] = kept;
        double error = fabs((above - below) / (2 * h) - gradients[i]);
        if (!(error <= worst)) {
            worst = error; /* a NaN stays */
        }
        largest = fmax(largest, fabs(gradients[i]));
    }
    return largest > 0 ? worst / largest : worst;
}
