/* Exercise 6.5: the byte range of a tensor
 *
 * A .safetensors file:   8 bytes that hold N | header of N bytes | data
 *
 * The header says of each tensor its type, its shape and data_offsets [begin, end], counted from the first byte of data.
 * Say where the tensor's bytes are in the file, and believe nothing: the file may be damaged, or made to do damage.
 *
 *     range[0] = position in the file of the tensor's first byte        range[1] = one past its last
 *
 * Return 1. Or return 0, when the entry lies, and leave range alone:
 *     begin is above end; or the data end before end; or shape and element_size need another number of bytes than
 *     end - begin. That number may not fit into 64 bits, and then it is another for certain.
 *
 * shape          [n_dims]; n_dims 0 is one number; a shape with a 0 in it has no elements
 * element_size   bytes of one element, 1 to 8
 * header_size    N, checked before: 8 + N is not above file_size
 *
 * By hand: F32, shape {2, 3}, begin 16, end 40, N = 100, file_size 200. Needed: 2 * 3 * 4 = 24 = 40 - 16. The data are
 * 200 - 8 - 100 = 92 bytes, so 40 is inside. They begin at 108: range = {124, 148}, return 1.
 *
 * Check it with:  make exercise EX=6.5 */
#include "exercises.h"

int byte_range(uint64_t *range, const uint64_t *shape, int n_dims, uint64_t element_size, uint64_t begin,
               uint64_t end, uint64_t header_size, uint64_t file_size)
{
    EXERCISE_TODO("check the entry, then say where the bytes are");
}
