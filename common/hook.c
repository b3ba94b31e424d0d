#include "common/hook.h"

void hook_call(const struct hook *hook, const char *operation, int layer, float *values, int n_rows,
               int n_cols, size_t stride)
{
    if (hook != NULL && hook->call != NULL) {
        hook->call(hook->context, operation, layer, values, n_rows, n_cols, stride);
    }
}
