/* angle_types.h: what becomes of an angle in types narrower than float64. */
#ifndef CHAPTER3_ANGLE_TYPES_H
#define CHAPTER3_ANGLE_TYPES_H

enum angle_type {
    ANGLE_ROUNDED_ONCE, /* float64 throughout, the cosine rounded to float32: common/rope_table */
    ANGLE_FLOAT32,      /* frequency and product in float32: what Hugging Face's Qwen2 does */
    ANGLE_BF16_FREQUENCY, /* the frequency rounded to bfloat16, as when a model's buffers are converted with it */
    ANGLE_BF16_BOTH,      /* position and product too */
    N_ANGLE_TYPES
};

/* max over pairs of |cos(angle in that type) - cos(angle)|. head_dim <= MAX_HEAD_DIM */
double largest_cosine_error(int head_dim, double theta, enum angle_type type, int position);

#endif
