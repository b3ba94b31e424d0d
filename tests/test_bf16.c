#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/bf16.h"
#include "common/rng.h"
#include "tests/support/test.h"

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint16_t rounded_bits(uint32_t bits)
{
    return bf16_from_f32(from_bits(bits));
}

/* Case 11: what truncation, or adding half without a look at ties and NaN, gets wrong. */
START_TEST(rounds_to_nearest_even)
{
    static const struct {
        uint32_t f32;
        uint16_t bf16;
    } cases[] = {
        {0x3f808000, 0x3f80}, {0x3f818000, 0x3f82}, {0x3f808001, 0x3f81}, {0x3e89ccd5, 0x3e8a},
        {0x7f7f7fff, 0x7f7f}, {0x7f7f8000, 0x7f80}, {0x7f7fffff, 0x7f80}, {0x7f800000, 0x7f80},
        {0xff800000, 0xff80}, {0x00008000, 0x0000}, {0x00008001, 0x0001}, {0x00018000, 0x0002},
        {0x007fffff, 0x0080}, {0x80000000, 0x8000}, {0x00000000, 0x0000}, {0xbf808001, 0xbf81},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(rounded_bits(cases[i].f32) == cases[i].bf16, "%08x: got %04x, expected %04x",
                      (unsigned)cases[i].f32, (unsigned)rounded_bits(cases[i].f32), (unsigned)cases[i].bf16);
    }
}
END_TEST

START_TEST(a_nan_stays_a_nan)
{
    static const uint32_t nans[] = {0x7f800001, 0x7fffffff, 0xffffffff, 0xff800001, 0x7fc00000, 0x7f808000};
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++) {
        uint16_t x = rounded_bits(nans[i]);
        ck_assert(isnan(bf16_to_f32(x)));
        /* As VCVTNEPS2BF16 and BFCVT do: the upper half, made quiet; sign and the other bits stay. */
        ck_assert_uint_eq(x, nans[i] >> 16 | 0x0040u);
    }
}
END_TEST

START_TEST(every_bf16_value_survives_the_way_through_float32)
{
    for (uint32_t x = 0; x <= 0xffffu; x++) {
        float wide = bf16_to_f32((uint16_t)x);
        if (!isnan(wide)) {
            ck_assert_uint_eq(bf16_from_f32(wide), x);
        }
    }
}
END_TEST

/* The nearest bfloat16 found without bit tricks: between the two neighbours of x, by their distance in float64. */
static uint16_t nearest_by_distance(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint16_t below = (uint16_t)(bits >> 16); /* toward zero */
    uint16_t above = (uint16_t)(below + 1);
    double to_below = fabs((double)x - (double)bf16_to_f32(below));
    double to_above = fabs((double)bf16_to_f32(above) - (double)x);
    if (to_below == to_above) {
        return below % 2 == 0 ? below : above;
    }
    return to_below < to_above ? below : above;
}

START_TEST(agrees_with_the_nearer_neighbour)
{
    struct rng rng;
    rng_init(&rng, 1);
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = (uint32_t)(rng_next(&rng) >> 32);
        if (i % 4 == 0) {
            bits = (bits & 0xffff0000u) | 0x8000u; /* a tie */
        }
        float x = from_bits(bits);
        if (!(fabsf(x) < bf16_to_f32(0x7f7f))) {
            continue; /* NaN, or its upper neighbour is infinite: in the table above */
        }
        ck_assert_msg(bf16_from_f32(x) == nearest_by_distance(x), "%08x", (unsigned)bits);
    }
}
END_TEST

/* Case 13: the integers that bfloat16 no longer has. */
START_TEST(integers_above_256_collapse)
{
    ck_assert(bf16_round(256.0f) == 256.0f);
    ck_assert(bf16_round(257.0f) == 256.0f);
    ck_assert(bf16_round(258.0f) == 258.0f);
    ck_assert(bf16_round(259.0f) == 260.0f);
    ck_assert(bf16_round(4095.0f) == 4096.0f);
    ck_assert(bf16_round(32767.0f) == 32768.0f);
}
END_TEST

START_TEST(two_terms_hold_seventeen_bits)
{
    struct rng rng;
    rng_init(&rng, 2);
    for (int i = 0; i < 100000; i++) {
        float x = (float)ldexp(rng_normal(&rng), rng_below(&rng, 200) - 90);
        if (fabsf(x) < 0x1p-109f) {
            continue;
        }
        uint16_t hi, lo;
        bf16_split(&hi, &lo, x);
        double left = fabs((double)x - (double)bf16_to_f32(hi) - (double)bf16_to_f32(lo));
        ck_assert_msg(left <= 0x1p-17 * fabs((double)x), "%a leaves %a", (double)x, left);
    }
    uint16_t hi, lo;
    bf16_split(&hi, &lo, 0.0f);
    ck_assert_uint_eq(hi, 0);
    ck_assert_uint_eq(lo, 0);
    bf16_split(&hi, &lo, 257.0f);
    ck_assert(bf16_to_f32(hi) == 256.0f);
    ck_assert(bf16_to_f32(lo) == 1.0f);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("bf16");
    add_test(suite, "rounds to nearest even (case 11)", rounds_to_nearest_even);
    add_test(suite, "a NaN stays a NaN (case 11)", a_nan_stays_a_nan);
    add_test(suite, "every value survives", every_bf16_value_survives_the_way_through_float32);
    add_test(suite, "agrees with the nearer neighbour", agrees_with_the_nearer_neighbour);
    add_test(suite, "integers above 256 collapse (case 13)", integers_above_256_collapse);
    add_test(suite, "two terms hold seventeen bits", two_terms_hold_seventeen_bits);
    return suite;
}
