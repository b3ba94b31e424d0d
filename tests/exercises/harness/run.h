/* run.h: runs the child under limits and keeps what it wrote. */
#ifndef EXERCISES_RUN_H
#define EXERCISES_RUN_H

#include <stdbool.h>
#include <stddef.h>

enum run_end { RUN_EXITED, RUN_SIGNAL, RUN_TIMEOUT, RUN_TOO_MUCH };

struct run {
    enum run_end end;
    int code;      /* exit code, or the signal's number */
    char *channel; /* the lines of protocol.h, owned */
    size_t channel_size;
    char *output; /* stdout and stderr together, owned, NUL-terminated */
    size_t output_size;
};

/* Limits: seconds of wall and of CPU time, 1 GB of memory (not under ASan, which reserves more), 1 MiB on each of the two
 * outputs, no files larger than 1 MiB, no core file. Returns false when the child could not be started at all. */
bool run_child(struct run *run, const char *path, double seconds, bool limit_memory);
void run_free(struct run *run);

#endif
