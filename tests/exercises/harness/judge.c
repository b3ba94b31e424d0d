/* judge.c: runs one exercise's child and says what came out.
 *
 *     judge [--line|--record] [--seconds S] [--sanitized] [--signals-as-codes] [--prediction] ID TITLE FILE CHILD EXPECTED MESSAGES BUILD_LOG [ASAN_CHILD]
 *         explains (default), prints one line, or one tab-separated record for programs
 *     judge --capture NAME CHILD
 *         prints the child's lines after "variant NAME": how expected.txt is made
 *
 * The student's code never runs in this process, and this process alone reads what is right. Exit codes: 0 DONE,
 * 77 NOT STARTED, 1 any other state, 97 the judge itself could not work (which is never a pass). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare.h"
#include "protocol.h"
#include "report.h"

enum { ARGUMENTS = 7 };

static char *read_text(const char *path)
{
    enum { LIMIT = 1 << 16 };
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *text = calloc(1, LIMIT + 1);
    if (text != NULL) {
        size_t n = fread(text, 1, LIMIT, file);
        text[n] = '\0';
    }
    fclose(file);
    return text;
}

/* The first "file:line" of ASan's report that lies in the student's file, without the folders before its name. */
static void find_place(struct verdict *v, const char *report)
{
    const char *name = strrchr(v->file, '/');
    name = name != NULL ? name + 1 : v->file;
    const char *found = strstr(report, name);
    if (found != NULL) {
        size_t length = strlen(name);
        length += found[length] == ':' ? 1 + strspn(found + length + 1, "0123456789") : 0;
        snprintf(v->place, sizeof v->place, "%.*s", (int)length, found);
    }
}

static void locate_crash(struct verdict *v, const char *asan_child)
{
    struct run again;
    if (asan_child == NULL || access(asan_child, X_OK) != 0 ||
        !run_child(&again, asan_child, 4 * v->seconds, false)) {
        return;
    }
    find_place(v, again.output);
    run_free(&again);
}

/* The state of a run that did not give what is right. */
static enum state state_of(const struct verdict *v)
{
    switch (v->run.end) {
    case RUN_SIGNAL: return STATE_CRASH;
    case RUN_TIMEOUT: return STATE_TIMEOUT;
    case RUN_TOO_MUCH: return STATE_TOO_MUCH;
    case RUN_EXITED: break;
    }
    if (v->run.code == PROTOCOL_NOT_STARTED) {
        return STATE_NOT_STARTED;
    }
    if (v->run.code == PROTOCOL_HARNESS_FAILED) {
        return STATE_CANNOT_CHECK;
    }
    return STATE_WRONG;
}

static void judge(struct verdict *v, const char *child, const char *asan_child, bool limit_memory)
{
    struct difference first = {0, 0, -2};
    v->misconception = -1;
    if (v->n_variants == 0) {
        v->state = STATE_CANNOT_CHECK;
        return;
    }
    if (access(child, X_OK) != 0) {
        v->state = STATE_BUILD_FAILED;
        return;
    }
    if (!run_child(&v->run, child, v->seconds, limit_memory)) {
        fprintf(stderr, "judge: %s: cannot be run: %s\n", child, strerror(errno));
        v->state = STATE_CANNOT_CHECK;
        return;
    }
    if (v->signals_as_codes && v->run.end == RUN_EXITED && v->run.code > 128 && v->run.code < 160) {
        v->run.end = RUN_SIGNAL; /* the shell of a sandbox reports a signal as 128 + its number */
        v->run.code -= 128;
    }
    record_read(&v->got, v->run.channel, v->run.channel_size);
    bool right = compare_records(&v->got, &v->variants[0], &first);
    for (int c = 0; c < v->variants[0].n_cases && c < v->got.n_cases; c++) {
        v->cases_right += compare_case(&v->got.cases[c], &v->variants[0].cases[c]);
    }
    v->case_index = first.case_index;
    v->output_index = first.output_index;
    v->element = first.element;
    if (v->run.end == RUN_EXITED && v->run.code == 0 && right) {
        v->state = STATE_DONE;
        return;
    }
    v->state = state_of(v);
    if (v->state == STATE_WRONG) {
        v->misconception = compare_misconception(&v->got, v->variants, v->n_variants);
    } else if (v->state == STATE_CRASH) {
        locate_crash(v, asan_child);
    }
}

static int capture(const char *name, const char *child)
{
    struct run run;
    struct record record;
    if (!run_child(&run, child, 10, true)) {
        fprintf(stderr, "judge: %s: cannot be run\n", child);
        return PROTOCOL_HARNESS_FAILED;
    }
    record_read(&record, run.channel, run.channel_size);
    bool whole =
        run.end == RUN_EXITED && run.code == 0 && record.ended && !record.garbled && record.n_cases > 0;
    if (whole) {
        printf("variant %s\n", name);
        fwrite(run.channel, 1, run.channel_size, stdout);
    } else {
        fprintf(stderr, "judge: %s: did not run all cases: %s\n", child, run.output);
    }
    record_free(&record);
    run_free(&run);
    return whole && fflush(stdout) == 0 ? 0 : PROTOCOL_HARNESS_FAILED;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

static int usage(void)
{
    fprintf(
        stderr,
        "usage: judge [--line|--record] [--seconds S] [--sanitized] [--signals-as-codes] [--prediction] ID "
        "TITLE FILE CHILD EXPECTED "
        "MESSAGES BUILD_LOG "
        "[ASAN_CHILD]\n       judge --capture NAME CHILD\n");
    return PROTOCOL_HARNESS_FAILED;
}

int main(int argc, char **argv)
{
    bool line = false;
    bool as_record = false;
    bool limit_memory = true;
    struct verdict v = {.seconds = 2};
    int i = 1;
    if (argc == 4 && strcmp(argv[1], "--capture") == 0) {
        return capture(argv[2], argv[3]);
    }
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        if (strcmp(argv[i], "--line") == 0) {
            line = true;
        } else if (strcmp(argv[i], "--record") == 0) {
            as_record = true;
        } else if (strcmp(argv[i], "--prediction") == 0) {
            v.prediction = true;
        } else if (strcmp(argv[i], "--signals-as-codes") == 0) {
            v.signals_as_codes = true;
        } else if (strcmp(argv[i], "--sanitized") == 0) {
            limit_memory = false; /* the sanitizer reserves more address space than any limit */
        } else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
            v.seconds = strtod(argv[++i], NULL);
        } else {
            return usage();
        }
    }
    if (argc - i < ARGUMENTS || argc - i > ARGUMENTS + 1 || !(v.seconds > 0)) {
        return usage();
    }
    v.id = argv[i];
    v.title = argv[i + 1];
    v.file = argv[i + 2];
    v.messages = argv[i + 5];
    v.build_log = read_text(argv[i + 6]);
    v.n_variants = record_read_expected(&v.variants, argv[i + 4]);
    judge(&v, argv[i + 3], argc - i > ARGUMENTS ? argv[i + 7] : NULL, limit_memory);
    bool plain = is_set("PLAIN");
    struct style style = {text_language(), plain, isatty(1) && !is_set("NO_COLOR") && !plain};
    if (as_record) {
        report_record(stdout, &v);
    } else if (line) {
        report_line(stdout, &v, &style);
    } else {
        report_explain(stdout, &v, &style);
    }
    int code = v.state == STATE_DONE           ? 0
               : v.state == STATE_NOT_STARTED  ? PROTOCOL_NOT_STARTED
               : v.state == STATE_CANNOT_CHECK ? PROTOCOL_HARNESS_FAILED
                                               : 1;
    for (int k = 0; k < v.n_variants; k++) {
        record_free(&v.variants[k]);
    }
    free(v.variants);
    free(v.build_log);
    record_free(&v.got);
    run_free(&v.run);
    return fflush(stdout) == 0 ? code : PROTOCOL_HARNESS_FAILED;
}
