#include "child.h"
#include "exercises.h"

enum { MOST = 64 };

/* Numbers only move: exact. Row r holds 100 r + c + 1, its bias -(r + 1), so that every number says where it was. */
static void one(const char *name, int n_heads, int head_dim, int n_columns)
{
    int n_rows = n_heads * head_dim;
    float weight[MOST], bias[MOST];
    for (int r = 0; r < n_rows; r++) {
        bias[r] = (float)-(r + 1);
        for (int c = 0; c < n_columns; c++) {
            weight[r * n_columns + c] = (float)(100 * r + c + 1);
        }
    }
    ex_case(name);
    ex_int("n_heads", n_heads);
    ex_int("head_dim", head_dim);
    ex_int("n_columns", n_columns);
    ex_floats("weight", weight, n_rows * n_columns);
    ex_floats("bias", bias, n_rows);
    float *new_weight = ex_out_floats("new_weight", n_rows * n_columns, 0, 0);
    float *new_bias = ex_out_floats("new_bias", n_rows, 0, 0);
    permute_to_half(new_weight, new_bias, weight, bias, n_heads, head_dim, n_columns);
    ex_end();
}

/* head_dim 4 would be a weak test alone: its permutation 0 2 1 3 is its own inverse. */
void exercise_cases(void)
{
    one("the order of 6 rows", 1, 6, 1);
    one("two heads of 6, three columns", 2, 6, 3);
    one("one pair: head_dim 2, nothing moves", 3, 2, 2);
    one("head_dim 4", 2, 4, 1);
    one("head_dim 8, as chapter 3 prints it", 1, 8, 2);
}
