/* All tests of the products, for the AMX kernel alone and with emulated tiles (tests/amx/emulated.c): on a machine that has
 * AMX test_matmul runs the real ones. Without AVX-512 BF16 there is nothing to run. */
#define ONLY_KERNEL "amx"
#include "tests/test_matmul.c" /* NOLINT(bugprone-suspicious-include) */
