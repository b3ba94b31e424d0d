#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/tensor.h"
#include "tests/support/test.h"

START_TEST(names_and_sizes_are_those_of_safetensors)
{
    ck_assert_str_eq(dtype_name(DTYPE_F32), "F32");
    ck_assert_str_eq(dtype_name(DTYPE_BF16), "BF16");
    ck_assert_str_eq(dtype_name(DTYPE_F16), "F16");
    ck_assert_uint_eq(dtype_size(DTYPE_F32), 4);
    ck_assert_uint_eq(dtype_size(DTYPE_BF16), 2);
    ck_assert_uint_eq(dtype_size(DTYPE_F16), 2);
}
END_TEST

/* All 65536 of them, against the definition of the format in float64. */
START_TEST(half_precision_is_exact)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        int exponent = (int)(bits >> 10) & 31;
        double fraction = (double)(bits & 0x3ff) / 1024;
        double sign = bits & 0x8000 ? -1.0 : 1.0;
        double got = (double)f16_to_f32((uint16_t)bits);
        if (exponent == 31 && fraction != 0) {
            ck_assert_msg(isnan(got), "%04x: got %g, expected NaN", (unsigned)bits, got);
            continue;
        }
        double expected = exponent == 31  ? sign * (double)INFINITY
                          : exponent == 0 ? sign * ldexp(fraction, -14)
                                          : sign * ldexp(1 + fraction, exponent - 15);
        ck_assert_msg(got == expected && !signbit(got) == !signbit(expected), "%04x: got %.9g, expected %.9g",
                      (unsigned)bits, got, expected);
    }
}
END_TEST

/* 2 x 3 at every offset from an aligned address: case 47. */
START_TEST(reads_any_dtype_at_any_address)
{
    static const float values[6] = {1.0f, -2.0f, 0.5f, 256.0f, -0.0078125f, 3.0f};
    static const uint16_t bf16[6] = {0x3f80, 0xc000, 0x3f00, 0x4380, 0xbc00, 0x4040};
    static const uint16_t f16[6] = {0x3c00, 0xc000, 0x3800, 0x5c00, 0xa000, 0x4200};
    static const void *const stored[] = {values, bf16, f16};
    static const enum dtype dtypes[] = {DTYPE_F32, DTYPE_BF16, DTYPE_F16};
    for (int i = 0; i < 3; i++) {
        for (size_t offset = 0; offset < 4; offset++) {
            size_t n_bytes = 6 * dtype_size(dtypes[i]);
            unsigned char *bytes = test_alloc(n_bytes + offset);
            memcpy(bytes + offset, stored[i], n_bytes);
            struct tensor tensor = {bytes + offset, dtypes[i], 2, 3};
            for (int row = 0; row < 2; row++) {
                float out[3];
                tensor_row(out, &tensor, row);
                for (int col = 0; col < 3; col++) {
                    float expected = values[row * 3 + col];
                    ck_assert(tensor_at(&tensor, row, col) == expected);
                    ck_assert(out[col] == expected);
                }
            }
            free(bytes);
        }
    }
}
END_TEST

START_TEST(some_rows_are_a_view_of_the_same_memory)
{
    static const float values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct tensor fused = tensor_f32(values, 4, 2);
    struct tensor gate = tensor_rows(&fused, 0, 2);
    struct tensor up = tensor_rows(&fused, 2, 2);
    struct tensor none = tensor_rows(&fused, 4, 0);
    ck_assert_ptr_eq(gate.data, values);
    ck_assert_ptr_eq(up.data, values + 4);
    ck_assert(up.rows == 2 && up.cols == 2 && up.dtype == DTYPE_F32);
    ck_assert(tensor_at(&up, 1, 1) == 7.0f);
    ck_assert(none.rows == 0);
}
END_TEST

START_TEST(a_tensor_may_be_absent)
{
    struct tensor absent = {NULL, DTYPE_F32, 0, 0};
    static const float one = 1;
    struct tensor present = tensor_f32(&one, 1, 1);
    ck_assert(!tensor_present(&absent));
    ck_assert(!tensor_present(NULL));
    ck_assert(tensor_present(&present));
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("tensor");
    add_test(suite, "names and sizes", names_and_sizes_are_those_of_safetensors);
    add_test(suite, "half precision", half_precision_is_exact);
    add_test(suite, "any dtype, any address", reads_any_dtype_at_any_address);
    add_test(suite, "rows are a view", some_rows_are_a_view_of_the_same_memory);
    add_test(suite, "absent", a_tensor_may_be_absent);
    return suite;
}
