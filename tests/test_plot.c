#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/plot.h"
#include "tests/support/test.h"

/* A script called gnuplot, first in PATH, stands in for the real one: no test needs it installed. It writes its
 * arguments and the data it finds to $REPORT. Everything lives in one fresh folder, which is also TMPDIR. */
static char folder[256];
static char report[300];
static struct error error;

static void use_gnuplot(const char *script)
{
    char path[300];
    snprintf(folder, sizeof folder, "/tmp/test-plot-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/bin", folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/bin/gnuplot", folder);
    if (script != NULL) {
        FILE *file = fopen(path, "w");
        ck_assert_ptr_nonnull(file);
        fprintf(file, "#!/bin/sh\n%s\n", script);
        fclose(file);
        ck_assert_int_eq(chmod(path, 0700), 0);
    }
    snprintf(report, sizeof report, "%s/report", folder);
    snprintf(path, sizeof path, "%s/bin%s", folder, script != NULL ? ":/usr/bin:/bin" : "");
    setenv("PATH", path, 1);
    setenv("REPORT", report, 1);
    setenv("TMPDIR", folder, 1);
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
}

/* Removes the test's own files; whatever else is there was left behind by plot_show. */
static int left_behind(void)
{
    char path[300];
    int n = 0;
    snprintf(path, sizeof path, "%s/bin/gnuplot", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/bin", folder);
    rmdir(path);
    unlink(report);
    DIR *open = opendir(folder);
    ck_assert_ptr_nonnull(open);
    for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
        n += entry->d_name[0] != '.';
    }
    closedir(open);
    rmdir(folder);
    return n;
}

static const char *reported(void)
{
    static char text[4096];
    FILE *file = fopen(report, "r");
    ck_assert_msg(file != NULL, "gnuplot was not called");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* context: the status that the second data set is to fail with. */
static enum status write_data(void *context, const char *data_set, FILE *out, struct error *where)
{
    const enum status *second = context;
    fprintf(out, "name\n%s\n", data_set);
    if (strcmp(data_set, "two") == 0 && *second != STATUS_OK) {
        return error_set(where, *second, "two: no memory");
    }
    return STATUS_OK;
}

static enum status show(enum status second)
{
    return plot_show("ch1-wavelengths", "one two", write_data, &second, &error);
}

/* What the stand-in does: its arguments one a line, then the data files that the folder in -e holds. */
static const char tell[] =
    "printf '%s\\n' \"$@\" >\"$REPORT\"; cat \"$TMPDIR\"/chapter-plot-*/*.tsv >>\"$REPORT\"";

START_TEST(gnuplot_gets_the_data_the_style_and_the_script)
{
    use_gnuplot(tell);
    ck_assert_msg(show(STATUS_OK) == STATUS_OK, "%s", error.message);
    const char *text = reported();
    ck_assert_ptr_nonnull(strstr(text, "/chapter-plot-"));
    ck_assert_ptr_nonnull(strstr(text, "'; output_kind='dumb'\n"));
    ck_assert_ptr_nonnull(strstr(text, "/plots/style.gp\n"));
    ck_assert_ptr_nonnull(strstr(text, "/plots/ch1-wavelengths.gp\n"));
    ck_assert_ptr_nonnull(strstr(text, "name\none\nname\ntwo\n"));
    ck_assert_int_eq(left_behind(), 0);
}
END_TEST

START_TEST(a_display_gets_a_window)
{
    use_gnuplot(tell);
    setenv("WAYLAND_DISPLAY", "wayland-0", 1);
    ck_assert_int_eq(show(STATUS_OK), STATUS_OK);
    ck_assert_ptr_nonnull(strstr(reported(), "output_kind='window'"));
    ck_assert_int_eq(left_behind(), 0);
}
END_TEST

START_TEST(a_failing_gnuplot_is_an_error)
{
    use_gnuplot("exit 1");
    ck_assert_int_eq(show(STATUS_OK), STATUS_IO);
    ck_assert_ptr_nonnull(strstr(error.message, "gnuplot: failed on "));
    ck_assert_int_eq(left_behind(), 0);
}
END_TEST

START_TEST(no_gnuplot_is_an_error_that_says_how_to_get_it)
{
    use_gnuplot(NULL);
    ck_assert_int_eq(show(STATUS_OK), STATUS_IO);
    ck_assert_str_eq(error.message, "gnuplot: not installed; 'make deps' installs it");
    ck_assert_int_eq(left_behind(), 0);
}
END_TEST

/* `./chapter1 --plot heatmap | head -1`: nothing went wrong. */
START_TEST(a_reader_that_has_gone_away_is_no_error)
{
    use_gnuplot("kill -PIPE $$");
    ck_assert_int_eq(show(STATUS_OK), STATUS_OK);
    ck_assert_int_eq(left_behind(), 0);
}
END_TEST

START_TEST(data_that_cannot_be_made_stops_before_gnuplot)
{
    use_gnuplot(tell);
    ck_assert_int_eq(show(STATUS_NO_MEMORY), STATUS_NO_MEMORY);
    ck_assert_str_eq(error.message, "two: no memory");
    ck_assert_int_ne(access(report, F_OK), 0);
    ck_assert_int_eq(left_behind(), 0);
}
END_TEST

START_TEST(a_folder_that_cannot_be_made)
{
    use_gnuplot(tell);
    char path[300];
    snprintf(path, sizeof path, "%s/none", folder);
    setenv("TMPDIR", path, 1);
    ck_assert_int_eq(show(STATUS_OK), STATUS_IO);
    ck_assert_ptr_nonnull(strstr(error.message, "/none: cannot make a folder for the figure's data: "));
    setenv("TMPDIR", "/tmp/it's", 1);
    ck_assert_int_eq(show(STATUS_OK), STATUS_IO);
    ck_assert_ptr_nonnull(strstr(error.message, "a quote in its name"));
    ck_assert_int_eq(left_behind(), 0);
}
END_TEST

START_TEST(files_are_found_from_anywhere)
{
    char path[4096];
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(plot_find_file(path, sizeof path, "plots/style.gp", &error), STATUS_OK);
    ck_assert_int_eq(path[0], '/');
    ck_assert_int_eq(access(path, R_OK), 0);
    ck_assert_int_eq(plot_find_file(path, sizeof path, "plots/none.gp", &error), STATUS_IO);
    ck_assert_ptr_nonnull(strstr(error.message, "plots/none.gp: not beside the program ("));
    ck_assert_int_eq(plot_find_file(path, 8, "plots/style.gp", &error), STATUS_IO); /* no room for the path */
}
END_TEST

/* A program that was moved takes its plots along: what lies beside it is found, and found first. */
START_TEST(files_beside_the_program_are_found)
{
    char own[3000], beside[3100], path[4096];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    if (n < 0) {
        return; /* this system has no such link */
    }
    own[n] = '\0';
    *strrchr(own, '/') = '\0';
    snprintf(beside, sizeof beside, "%s/beside-%ld", own, (long)getpid());
    fclose(fopen(beside, "w"));
    enum status status = plot_find_file(path, sizeof path, strrchr(beside, '/') + 1, &error);
    unlink(beside);
    ck_assert_int_eq(status, STATUS_OK);
    ck_assert_str_eq(path, beside);
}
END_TEST

START_TEST(a_figure_without_a_script)
{
    use_gnuplot(tell);
    enum status second = STATUS_OK;
    ck_assert_int_eq(plot_show("ch1-none", "one", write_data, &second, &error), STATUS_IO);
    ck_assert_int_eq(left_behind(), 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("plot");
    add_test(suite, "gnuplot gets data, style and script", gnuplot_gets_the_data_the_style_and_the_script);
    add_test(suite, "a display gets a window", a_display_gets_a_window);
    add_test(suite, "a failing gnuplot", a_failing_gnuplot_is_an_error);
    add_test(suite, "no gnuplot", no_gnuplot_is_an_error_that_says_how_to_get_it);
    add_test(suite, "a reader that has gone away", a_reader_that_has_gone_away_is_no_error);
    add_test(suite, "data that cannot be made", data_that_cannot_be_made_stops_before_gnuplot);
    add_test(suite, "a folder that cannot be made", a_folder_that_cannot_be_made);
    add_test(suite, "files are found from anywhere", files_are_found_from_anywhere);
    add_test(suite, "files beside the program", files_beside_the_program_are_found);
    add_test(suite, "a figure without a script", a_figure_without_a_script);
    return suite;
}
