#include <string.h>

#include "common/hook.h"
#include "tests/support/test.h"

struct seen {
    int calls;
    const char *operation;
    int layer, n_rows, n_cols;
    size_t stride;
};

static void look_and_negate(void *context, const char *operation, int layer, float *values, int n_rows,
                            int n_cols, size_t stride)
{
    struct seen *seen = context;
    *seen = (struct seen){seen->calls + 1, operation, layer, n_rows, n_cols, stride};
    for (int row = 0; row < n_rows; row++) {
        for (int col = 0; col < n_cols; col++) {
            values[(size_t)row * stride + (size_t)col] *= -1;
        }
    }
}

START_TEST(a_hook_sees_and_changes_the_values)
{
    struct seen seen = {0, NULL, 0, 0, 0, 0};
    const struct hook hook = {.call = look_and_negate, .context = &seen};
    float values[6] = {1, 2, 3, 4, 5, 6};
    const float expected[6] = {-1, -2, 3, -4, -5, 6};
    hook_call(&hook, "mlp.act", 7, values, 2, 2, 3);
    ck_assert_int_eq(seen.calls, 1);
    ck_assert_str_eq(seen.operation, "mlp.act");
    ck_assert_int_eq(seen.layer, 7);
    ck_assert_int_eq(seen.n_rows, 2);
    ck_assert_int_eq(seen.n_cols, 2);
    ck_assert_uint_eq(seen.stride, 3);
    ck_assert_mem_eq(values, expected, sizeof expected);
}
END_TEST

START_TEST(without_a_hook_nothing_happens)
{
    float values[2] = {1, 2};
    const struct hook empty = {.call = NULL};
    hook_call(NULL, "mlp.act", 0, values, 1, 2, 2);
    hook_call(&empty, "mlp.act", 0, values, 1, 2, 2);
    ck_assert(values[0] == 1 && values[1] == 2);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("hook");
    add_test(suite, "a hook sees and changes the values", a_hook_sees_and_changes_the_values);
    add_test(suite, "without a hook nothing happens", without_a_hook_nothing_happens);
    return suite;
}
