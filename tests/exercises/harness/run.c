#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "protocol.h"

enum { LIMIT_BYTES = 1 << 20 };

struct pipe_end {
    int fd;
    char *bytes;
    size_t n;
};

static void limit(int what, rlim_t value)
{
    struct rlimit both = {value, value};
    setrlimit(what, &both);
}

static void rest(void)
{
    struct timespec two_milliseconds = {0, 2000000};
    nanosleep(&two_milliseconds, NULL);
}

/* In the child: never returns. Nothing of the judge is open there but the two pipes. */
static void become(const char *path, int output, int channel, double seconds, bool limit_memory)
{
    int null = open("/dev/null", O_RDONLY);
    int kept_output = fcntl(output, F_DUPFD, 10);
    int kept_channel = fcntl(channel, F_DUPFD, 10);
    dup2(null, 0);
    dup2(kept_output, 1);
    dup2(kept_output, 2);
    dup2(kept_channel, PROTOCOL_CHANNEL);
    for (int fd = PROTOCOL_CHANNEL + 1; fd < 256; fd++) {
        close(fd);
    }
    setpgid(0, 0); /* so that whatever it starts can be ended with it */
    limit(RLIMIT_CPU, (rlim_t)seconds + 1);
    limit(RLIMIT_FSIZE, LIMIT_BYTES);
    limit(RLIMIT_CORE, 0);
    if (limit_memory) {
        limit(RLIMIT_AS, (rlim_t)1 << 30);
    }
    if (chdir("/") != 0) { /* what lies in the reader's tree is not at hand by a short name */
        _exit(PROTOCOL_HARNESS_FAILED);
    }
    /* Busy: a grader that works on several exercises at once wrote the file, and another of its children, just forked,
     * has not closed it yet. It will; the judge's deadline ends this in any case. */
    while (execl(path, path, (char *)NULL) != 0 && errno == ETXTBSY) {
        rest();
    }
    _exit(PROTOCOL_HARNESS_FAILED);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Reads what is there. False when the limit is passed; a closed pipe sets fd to -1. */
static bool drain(struct pipe_end *end)
{
    ssize_t got = read(end->fd, end->bytes + end->n, LIMIT_BYTES - end->n);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
        return true;
    }
    if (got <= 0) {
        bool full = end->n == LIMIT_BYTES;
        close(end->fd);
        end->fd = -1;
        return !full;
    }
    end->n += (size_t)got;
    return end->n < LIMIT_BYTES;
}

/* Until both pipes are closed, the time is over, or one of them overflows. */
static enum run_end collect(struct pipe_end ends[2], double deadline)
{
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        double left = deadline - now();
        if (left <= 0) {
            return RUN_TIMEOUT;
        }
        struct pollfd poll_fds[2] = {{ends[0].fd, POLLIN, 0}, {ends[1].fd, POLLIN, 0}};
        poll(poll_fds, 2, (int)(1000 * left) + 1);
        for (int i = 0; i < 2; i++) {
            if (ends[i].fd >= 0 && (poll_fds[i].revents & (POLLIN | POLLHUP | POLLERR)) && !drain(&ends[i])) {
                return RUN_TOO_MUCH;
            }
        }
    }
    return RUN_EXITED;
}

/* Waits for the child's end, but not beyond the deadline: it may have closed its pipes and run on. The child stays a
 * zombie: until it is reaped its number, which is its process group's, goes to nobody else. */
static bool ended_by(pid_t child, double deadline)
{
    for (;;) {
        siginfo_t end = {0};
        if (waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == child) {
            return true;
        }
        if (now() > deadline) {
            return false;
        }
        rest();
    }
}

/* path, from the root folder on; the caller frees it. NULL when memory or the current folder is missing. */
static char *absolute_path(const char *path)
{
    char folder[4096];
    if (path[0] == '/') {
        return strdup(path);
    }
    if (getcwd(folder, sizeof folder) == NULL) {
        return NULL;
    }
    size_t size = strlen(folder) + strlen(path) + 2;
    char *absolute = malloc(size);
    if (absolute != NULL) {
        snprintf(absolute, size, "%s/%s", folder, path);
    }
    return absolute;
}

bool run_child(struct run *run, const char *path, double seconds, bool limit_memory)
{
    int output[2];
    int channel[2];
    char *program = absolute_path(path); /* the child starts in another folder */
    memset(run, 0, sizeof *run);
    struct pipe_end ends[2] = {{-1, calloc(1, LIMIT_BYTES + 1), 0}, {-1, calloc(1, LIMIT_BYTES + 1), 0}};
    bool ready = program != NULL && ends[0].bytes != NULL && ends[1].bytes != NULL &&
                 access(path, X_OK) == 0 && pipe(output) == 0 && pipe(channel) == 0;
    pid_t child = ready ? fork() : -1;
    if (child < 0) { /* the judge ends then: the pipes go with it */
        free(program);
        free(ends[0].bytes);
        free(ends[1].bytes);
        return false;
    }
    if (child == 0) {
        become(program, output[1], channel[1], seconds, limit_memory);
    }
    free(program);
    setpgid(child, child);
    close(output[1]);
    close(channel[1]);
    ends[0].fd = output[0];
    ends[1].fd = channel[0];
    double deadline = now() + seconds;
    int status = 0;
    run->end = collect(ends, deadline);
    if (run->end == RUN_EXITED && !ended_by(child, deadline)) {
        run->end = RUN_TIMEOUT;
    }
    kill(-child, SIGKILL); /* also what it may have started */
    waitpid(child, &status, 0);
    for (int i = 0; i < 2; i++) {
        if (ends[i].fd >= 0) {
            close(ends[i].fd);
        }
    }
    run->output = ends[0].bytes;
    run->output_size = ends[0].n;
    run->channel = ends[1].bytes;
    run->channel_size = ends[1].n;
    if (run->end == RUN_EXITED && WIFSIGNALED(status)) {
        run->end = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ? RUN_TIMEOUT : RUN_SIGNAL;
        run->code = WTERMSIG(status);
    } else if (run->end == RUN_EXITED) {
        run->code = WEXITSTATUS(status);
    }
    return true;
}

void run_free(struct run *run)
{
    free(run->output);
    free(run->channel);
}
