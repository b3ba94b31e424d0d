#include "common/require.h"

#include <stdio.h>
#include <stdlib.h>

void require_failed(const char *expression, const char *file, int line, const char *function)
{
    fprintf(stderr, "%s:%d: %s requires %s\n", file, line, function, expression);
    abort();
}
