#include "common/plot.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "common/require.h"

#ifndef SOURCE_DIR
#define SOURCE_DIR "."
#endif

enum { PATH_SIZE = 4096 };

/* The folder of the running executable, "" where the system does not tell. */
static void executable_folder(char *folder, size_t size)
{
    folder[0] = '\0';
#ifdef __APPLE__
    uint32_t capacity = (uint32_t)size;
    if (_NSGetExecutablePath(folder, &capacity) != 0) {
        folder[0] = '\0';
    }
#else
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
#endif
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
}

enum status plot_find_file(char *path, size_t size, const char *relative, struct error *error)
{
    char folder[PATH_SIZE];
    executable_folder(folder, sizeof folder);
    const char *places[] = {folder, SOURCE_DIR};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int length = snprintf(path, size, "%s/%s", places[i], relative);
        if (places[i][0] != '\0' && length > 0 && (size_t)length < size && access(path, R_OK) == 0) {
            return STATUS_OK;
        }
    }
    return error_set(error, STATUS_IO, "%s: not beside the program (%s) nor in its source folder (%s)",
                     relative, folder, SOURCE_DIR);
}

/* "<folder>/ch3-bands.tsv" for the data set "bands" of a figure of chapter 3. */
static enum status data_path(char *path, size_t size, const char *folder, const char *script,
                             const char *name, int name_length, struct error *error)
{
    int chapter_length = (int)strcspn(script, "-");
    int length = snprintf(path, size, "%s/%.*s-%.*s.tsv", folder, chapter_length, script, name_length, name);
    if (length < 0 || (size_t)length >= size) {
        return error_set(error, STATUS_IO, "%s: the path of the folder for temporary files is too long",
                         folder);
    }
    return STATUS_OK;
}

static enum status write_one(const char *path, const char *name, plot_write_data write_data, void *context,
                             struct error *error)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return error_set(error, STATUS_IO, "%s: %s", path, strerror(errno));
    }
    enum status status = write_data(context, name, file, error);
    errno = 0;
    bool failed = ferror(file) != 0; /* why is forgotten by now, unless closing fails again */
    failed = fclose(file) != 0 || failed;
    if (failed && status == STATUS_OK) {
        status = error_set(error, STATUS_IO, "%s: could not be written%s%s", path, errno != 0 ? ": " : "",
                           errno != 0 ? strerror(errno) : "");
    }
    return status;
}

static enum status write_all(const char *folder, const char *script, const char *data_sets,
                             plot_write_data write_data, void *context, struct error *error)
{
    for (const char *name = data_sets; *name != '\0';) {
        char path[PATH_SIZE];
        char one[64];
        int length = (int)strcspn(name, " ");
        enum status status = data_path(path, sizeof path, folder, script, name, length, error);
        if (status == STATUS_OK) {
            snprintf(one, sizeof one, "%.*s", length, name);
            status = write_one(path, one, write_data, context, error);
        }
        if (status != STATUS_OK) {
            return status;
        }
        name += length;
        name += *name == ' ';
    }
    return STATUS_OK;
}

static void remove_all(const char *folder, const char *script, const char *data_sets)
{
    for (const char *name = data_sets; *name != '\0';) {
        char path[PATH_SIZE];
        int length = (int)strcspn(name, " ");
        if (data_path(path, sizeof path, folder, script, name, length, NULL) == STATUS_OK) {
            unlink(path);
        }
        name += length;
        name += *name == ' ';
    }
    rmdir(folder);
}

static enum status run_gnuplot(const char *folder, const char *style, const char *figure, struct error *error)
{
    char setup[PATH_SIZE + 64];
    const char *window = getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL ? "window" : "dumb";
    snprintf(setup, sizeof setup, "data='%s'; output_kind='%s'", folder, window);
    fflush(NULL); /* what the program has printed stands before what gnuplot prints */
    pid_t child = fork();
    if (child < 0) {
        return error_set(error, STATUS_IO, "gnuplot: cannot start: %s", strerror(errno));
    }
    if (child == 0) {
        setenv("LC_ALL", "C.UTF-8", 1); /* points, not commas, in the numbers it reads */
        /* -persist: the window stays when gnuplot has drawn it */
        execlp("gnuplot", "gnuplot", "-persist", "-e", setup, style, figure, (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    int result = 0;
    while (waitpid(child, &result, 0) < 0) {
        if (errno != EINTR) { /* a parent that ignores SIGCHLD leaves nothing to wait for */
            return error_set(error, STATUS_IO, "gnuplot: how it ended is not known: %s", strerror(errno));
        }
    }
    if (WIFSIGNALED(result) && WTERMSIG(result) == SIGPIPE) {
        return STATUS_OK; /* the reader of standard output has seen enough */
    }
    if (WIFEXITED(result) && WEXITSTATUS(result) == 127) {
        return error_set(error, STATUS_IO, "gnuplot: not installed; 'make deps' installs it");
    }
    if (!WIFEXITED(result) || WEXITSTATUS(result) != 0) {
        return error_set(error, STATUS_IO, "gnuplot: failed on %s", figure);
    }
    return STATUS_OK;
}

/* A fresh folder for the data. Its name goes into gnuplot's code between quotes. */
static enum status make_folder(char *folder, size_t size, struct error *error)
{
    const char *place = getenv("TMPDIR");
    if (place == NULL || place[0] == '\0') {
        place = "/tmp";
    }
    if (strchr(place, '\'') != NULL) {
        return error_set(error, STATUS_IO, "%s: gnuplot cannot read from a folder with a quote in its name",
                         place);
    }
    int length = snprintf(folder, size, "%s/chapter-plot-XXXXXX", place);
    if (length < 0 || (size_t)length >= size || mkdtemp(folder) == NULL) {
        return error_set(error, STATUS_IO, "%s: cannot make a folder for the figure's data: %s", place,
                         strerror(length < 0 || (size_t)length >= size ? ENAMETOOLONG : errno));
    }
    return STATUS_OK;
}

enum status plot_show(const char *script, const char *data_sets, plot_write_data write_data, void *context,
                      struct error *error)
{
    char style[PATH_SIZE];
    char figure[PATH_SIZE];
    char relative[128];
    char folder[PATH_SIZE];
    snprintf(relative, sizeof relative, "plots/%s.gp", script);
    enum status status = plot_find_file(style, sizeof style, "plots/style.gp", error);
    if (status == STATUS_OK) {
        status = plot_find_file(figure, sizeof figure, relative, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    status = make_folder(folder, sizeof folder, error);
    if (status != STATUS_OK) {
        return status;
    }
    status = write_all(folder, script, data_sets, write_data, context, error);
    if (status == STATUS_OK) {
        status = run_gnuplot(folder, style, figure, error);
    }
    remove_all(folder, script, data_sets);
    return status;
}
