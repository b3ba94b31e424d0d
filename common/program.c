#include "common/program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "common/plot.h"
#include "common/require.h"

enum { MAX_SPECS = 64 };

/* The values of the flags that every program has. */
struct common_flags {
    bool help;
    bool ask;
    int step;
    const char *data;
    const char *plot;
};

int program_fail(const char *program_name, const struct error *error, FILE *err)
{
    fprintf(err, "%s: %s\n", program_name, error->message);
    return error->status == STATUS_USAGE ? 2 : 1;
}

static int count_steps(const struct program *program)
{
    int n = 0;
    while (program->steps != NULL && program->steps[n].title != NULL) {
        n++;
    }
    return n;
}

/* The program's own flags, then the common ones. */
static void join_specs(struct option_spec *specs, const struct program *program, struct common_flags *common)
{
    int n_steps = count_steps(program);
    int n = 0;
    for (; program->options[n].name != NULL; n++) {
        REQUIRE(n < MAX_SPECS - 6);
        specs[n] = program->options[n];
    }
    if (n_steps > 0) {
        specs[n++] = (struct option_spec){.name = "step",
                                          .kind = OPTION_INT,
                                          .target = &common->step,
                                          .min = 0,
                                          .max = n_steps,
                                          .value = "K",
                                          .help = "only step K (0: all)"};
        specs[n++] = (struct option_spec){.name = "ask",
                                          .kind = OPTION_FLAG,
                                          .target = &common->ask,
                                          .help = "ask for a prediction before each step (terminal)"};
    }
    specs[n++] = (struct option_spec){.name = "data",
                                      .kind = OPTION_STRING,
                                      .target = &common->data,
                                      .value = "NAME",
                                      .help = "print a data set as TSV; 'list' names them"};
    specs[n++] = (struct option_spec){.name = "plot",
                                      .kind = OPTION_STRING,
                                      .target = &common->plot,
                                      .value = "NAME",
                                      .help = "draw a figure now; 'list' names them"};
    specs[n++] = (struct option_spec){
        .name = "help", .kind = OPTION_FLAG, .target = &common->help, .help = "this text"};
    specs[n] = (struct option_spec){.name = NULL};
}

static void list_data(const struct program *program, FILE *out)
{
    for (const struct program_data *d = program->data; d != NULL && d->name != NULL; d++) {
        fprintf(out, "  %-14s %s\n", d->name, d->help);
    }
}

static void list_figures(const struct program *program, FILE *out)
{
    for (const struct program_figure *f = program->figures; f != NULL && f->name != NULL; f++) {
        fprintf(out, "  %-14s %s\n", f->name, f->help);
    }
}

static void print_help(const struct program *program, const struct option_spec *specs, FILE *out)
{
    fprintf(out, "%s\n\nusage: ./%s [flags]\n\n", program->title, program->name);
    options_help(specs, out);
    for (int i = 0; i < count_steps(program); i++) {
        fprintf(out, "%s  %2d  %s\n", i == 0 ? "\nsteps (--step)\n" : "", i + 1, program->steps[i].title);
    }
    fputs("\ndata sets (--data)\n", out);
    list_data(program, out);
    fputs("\nfigures (--plot)\n", out);
    list_figures(program, out);
}

static const struct program_data *find_data(const struct program *program, const char *name)
{
    for (const struct program_data *d = program->data; d != NULL && d->name != NULL; d++) {
        if (strcmp(d->name, name) == 0) {
            return d;
        }
    }
    return NULL;
}

static const struct program_figure *find_figure(const struct program *program, const char *name)
{
    for (const struct program_figure *f = program->figures; f != NULL && f->name != NULL; f++) {
        if (strcmp(f->name, name) == 0) {
            return f;
        }
    }
    return NULL;
}

/* context is the struct program; the shape that plot_show asks for. */
static enum status write_data(void *context, const char *name, FILE *out, struct error *error)
{
    const struct program *program = context;
    const struct program_data *data = find_data(program, name);
    if (data == NULL) {
        return error_set(error, STATUS_USAGE, "--data %s: no such data set; '--data list' names them", name);
    }
    if (program->check_data != NULL) {
        enum status checked = program->check_data(program->settings, name, error);
        if (checked != STATUS_OK) {
            return checked;
        }
    }
    struct table table;
    table_begin(&table, out, data->columns);
    enum status status = data->write(program->settings, &table, error);
    REQUIRE(status != STATUS_OK || table.column == 0);
    return status;
}

static enum status draw_figure(const struct program *program, const char *name, struct error *error)
{
    const struct program_figure *figure = find_figure(program, name);
    if (figure == NULL) {
        return error_set(error, STATUS_USAGE, "--plot %s: no such figure; '--plot list' names them", name);
    }
    char script[128];
    struct program copy = *program; /* plot_show hands its context back without const */
    snprintf(script, sizeof script, "%s-%s", program->short_name, name);
    return plot_show(script, figure->data_sets, write_data, &copy, error);
}

/* Waits until the reader has written something down. False when standard input ends: then nothing more is asked. */
static bool ask(const char *question, FILE *out)
{
    fprintf(out, "   ? %s\n   > ", question);
    fflush(out);
    int c = getchar();
    while (c != '\n' && c != EOF) {
        c = getchar();
    }
    fputc('\n', out);
    return c != EOF;
}

static enum status walk_through(const struct program *program, int only, bool asking, FILE *out,
                                struct error *error)
{
    fprintf(out, "%s\n", program->title);
    if (program->heading != NULL) {
        program->heading(program->settings, out);
    }
    for (int i = 0; i < count_steps(program); i++) {
        if (only != 0 && only != i + 1) {
            continue;
        }
        fprintf(out, "\n%d  %s\n", i + 1, program->steps[i].title);
        if (asking && program->steps[i].ask != NULL) {
            asking = ask(program->steps[i].ask, out);
        }
        enum status status = program->steps[i].run(program->settings, out, error);
        if (status != STATUS_OK) {
            return status;
        }
    }
    if (program->closing != NULL && only == 0) {
        fputc('\n', out);
        program->closing(program->settings, out);
    }
    return STATUS_OK;
}

/* What a full disk, a closed descriptor or a vanished reader did to the output shows at the last flush. */
static int check_output(const struct program *program, FILE *out, FILE *err, int code)
{
    errno = 0;
    bool failed = ferror(out) != 0;
    if (fflush(out) == 0 && !failed) {
        return code;
    }
    if (errno == EPIPE) {
        return 1;
    }
    fprintf(err, "%s: standard output: could not be written: %s\n", program->name,
            errno != 0 ? strerror(errno) : "write error");
    return 1;
}

/* --data list and --plot list: like --help, they need nothing that check would refuse. */
static bool list_names(const struct program *program, const struct common_flags *common, FILE *out)
{
    if (common->data != NULL && strcmp(common->data, "list") == 0) {
        list_data(program, out);
        return true;
    }
    if (common->plot != NULL && strcmp(common->plot, "list") == 0) {
        list_figures(program, out);
        return true;
    }
    return false;
}

static enum status run_common(const struct program *program, const struct common_flags *common, FILE *out,
                              struct error *error)
{
    if (common->data != NULL) {
        struct program copy = *program;
        return write_data(&copy, common->data, out, error);
    }
    if (common->plot != NULL) {
        return draw_figure(program, common->plot, error);
    }
    if (common->ask && !(isatty(0) && isatty(fileno(out)))) {
        return error_set(error, STATUS_USAGE, "--ask: needs a terminal to ask on");
    }
    return walk_through(program, common->step, common->ask, out, error);
}

int program_run(const struct program *program, int argc, char **argv, FILE *out, FILE *err)
{
    struct common_flags common = {false, false, 0, NULL, NULL};
    struct option_spec specs[MAX_SPECS];
    struct error error = {STATUS_OK, ""};
    join_specs(specs, program, &common);
    if (fcntl(fileno(out), F_GETFD) == -1) { /* else the next file that is opened would receive the output */
        error_set(&error, STATUS_IO, "standard output: is closed");
        return program_fail(program->name, &error, err);
    }
    if (options_parse(specs, argc, argv, &error) != STATUS_OK) {
        return program_fail(program->name, &error, err);
    }
    if (common.help) {
        print_help(program, specs, out);
        return check_output(program, out, err, 0);
    }
    if (list_names(program, &common, out)) {
        return check_output(program, out, err, 0);
    }
    if (program->check != NULL && program->check(program->settings, &error) != STATUS_OK) {
        return program_fail(program->name, &error, err);
    }
    int code = -1;
    enum status status = STATUS_OK;
    if (program->run != NULL && common.data == NULL && common.plot == NULL) {
        status = program->run(program->settings, out, err, &code, &error);
    }
    if (status == STATUS_OK && code < 0) {
        code = 0;
        status = run_common(program, &common, out, &error);
    }
    if (status == STATUS_OK) {
        return check_output(program, out, err, code);
    }
    /* One line: output that could not be written is the likelier cause, and else what follows it. */
    code = check_output(program, out, err, 0);
    return code == 0 ? program_fail(program->name, &error, err) : code;
}
