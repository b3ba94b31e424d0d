/* json_mutator.h: changes a JSON text so that it stays one.
 * Bytes alone nearly always break the first thing that is checked, the syntax; a member that is missing, of another type
 * or at a limit gets past it. */
#ifndef TESTS_FUZZ_JSON_MUTATOR_H
#define TESTS_FUZZ_JSON_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own mutation of bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Changes one value somewhere in the text and returns the new size; 0 when the text is not JSON or grew too long. */
size_t json_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
