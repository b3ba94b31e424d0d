#include "angle_types.h"

#include <math.h>

#include "common/bf16.h"
#include "steps.h"

static double cosine_in(enum angle_type type, double inv_freq, int position)
{
    switch (type) {
    case ANGLE_FLOAT32: return cos((double)((float)inv_freq * (float)position));
    case ANGLE_BF16_FREQUENCY: return cos((double)bf16_round((float)inv_freq) * position);
    case ANGLE_BF16_BOTH: {
        float product = bf16_round((float)inv_freq) * bf16_round((float)position);
        return cos((double)bf16_round(product));
    }
    case ANGLE_ROUNDED_ONCE:
    case N_ANGLE_TYPES: break;
    }
    return (double)(float)cos(inv_freq * position);
}

double largest_cosine_error(int head_dim, double theta, enum angle_type type, int position)
{
    double inv_freq[MAX_PAIRS];
    double worst = 0.0;
    rope_inv_freq(inv_freq, head_dim, theta);
    for (int i = 0; i < head_dim / 2; i++) {
        worst = fmax(worst, fabs(cosine_in(type, inv_freq[i], position) - cos(inv_freq[i] * position)));
    }
    return worst;
}
