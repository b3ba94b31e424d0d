/* entry.c: libFuzzer's side. The environment variable FUZZ_TARGET names the target. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/json_mutator.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("FUZZ_TARGET");
    (void)argc;
    for (target = fuzz_targets; target->name != NULL; target++) {
        if (name != NULL && strcmp(name, target->name) == 0) {
            return 0;
        }
    }
    fprintf(stderr, "%s: FUZZ_TARGET must be one of:", (*argv)[0]);
    for (target = fuzz_targets; target->name != NULL; target++) {
        fprintf(stderr, " %s", target->name);
    }
    fputc('\n', stderr);
    exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target->run(data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (target->json && seed % 4 != 0) {
        size_t changed = json_mutate(data, size, max_size, seed / 4);
        if (changed > 0) {
            return changed;
        }
    }
    return LLVMFuzzerMutate(data, size, max_size);
}
