/* entry.c: libFuzzer's side. The environment variable FUZZ_TARGET names the target; "list" prints a line for each: name,
 * max_length, modules. */
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
    const bool list = name != NULL && strcmp(name, "list") == 0;
    if (!list) {
        fprintf(stderr, "%s: FUZZ_TARGET must be 'list' or one of those that it prints\n", (*argv)[0]);
    }
    for (target = fuzz_targets; list && target->name != NULL; target++) {
        printf("%s %zu %s\n", target->name, target->max_length, target->modules);
    }
    exit(list ? 0 : 2);
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
