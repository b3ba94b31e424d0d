#include "yours.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exercise.h"

enum { NOT_STARTED = 77, SECONDS = 2 };

enum state { VALUE, TODO_LEFT, CRASHED, NO_END, NO_PROCESS };

struct outcome {
    enum state state;
    double value;
};

/* Only ever reached in a check's own process. */
_Noreturn void exercise_todo(const char *what)
{
    (void)what;
    _exit(NOT_STARTED);
}

static _Noreturn void child(const struct yours_check *check, const void *functions, int to_parent)
{
    alarm(SECONDS);
    double value = check->value(functions);
    fflush(stdout); /* what the student prints to find a fault */
    bool written = write(to_parent, &value, sizeof value) == (ssize_t)sizeof value;
    _exit(written ? 0 : 1);
}

static struct outcome run(const struct yours_check *check, const void *functions)
{
    struct outcome outcome = {.state = NO_PROCESS, .value = NAN};
    int ends[2];
    if (pipe(ends) != 0) {
        return outcome;
    }
    fflush(stdout); /* or the child would print it again */
    pid_t pid = fork();
    if (pid == 0) {
        child(check, functions, ends[1]);
    }
    close(ends[1]);
    int status = 0;
    if (pid > 0 && waitpid(pid, &status, 0) == pid) {
        if (WIFSIGNALED(status)) {
            outcome.state = WTERMSIG(status) == SIGALRM ? NO_END : CRASHED;
        } else if (WEXITSTATUS(status) == NOT_STARTED) {
            outcome.state = TODO_LEFT;
        } else {
            bool got = read(ends[0], &outcome.value, sizeof outcome.value) == (ssize_t)sizeof outcome.value;
            outcome.state = got ? VALUE : CRASHED;
        }
    }
    close(ends[0]);
    return outcome;
}

static const char *text_of(char *text, size_t size, struct outcome outcome)
{
    switch (outcome.state) {
    case TODO_LEFT: return "not started";
    case CRASHED: return "crashed";
    case NO_END: return "does not end";
    case NO_PROCESS: return "no process";
    case VALUE: break;
    }
    snprintf(text, size, "%.7g", outcome.value);
    return text;
}

int yours_run(int argc, char **argv, const char *title, const struct yours_check *checks, const void *yours,
              const void *project)
{
    if (argc > 1) {
        bool help = argc == 2 && strcmp(argv[1], "--help") == 0;
        fprintf(help ? stdout : stderr,
                "usage: %s    runs this chapter's checks with your functions; takes no flags\n", argv[0]);
        return help ? 0 : 2;
    }
    int agree = 0, open = 0, differ = 0;
    const char *first_to_fix = NULL;
    printf("%s\n%57s %13s\n", title, "yours", "project");
    for (const struct yours_check *check = checks; check->what; check++) {
        if (!check->exercise) {
            printf("%s\n", check->what);
            continue;
        }
        struct outcome left = run(check, yours), right = run(check, project);
        bool same = left.state == VALUE && right.state == VALUE &&
                    fabs(left.value - right.value) <= check->tolerance; /* false for NaN */
        const char *verdict = same ? "same" : left.state == TODO_LEFT ? "" : "DIFFERS";
        char a[32], b[32];
        printf("  %-4s %-36s %13s %13s%s%s\n", check->exercise, check->what, text_of(a, sizeof a, left),
               text_of(b, sizeof b, right), *verdict ? "  " : "", verdict);
        agree += same;
        open += !same && left.state == TODO_LEFT;
        if (!same && left.state != TODO_LEFT) {
            differ++;
            first_to_fix = first_to_fix ? first_to_fix : check->exercise;
        }
    }
    printf("%d of %d lines the same, %d not started, %d to fix\n", agree, agree + open + differ, open,
           differ);
    if (first_to_fix) {
        printf("make exercise EX=%s says what is wrong with the first of them\n", first_to_fix);
    }
    return differ > 0;
}
