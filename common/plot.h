/* plot.h: finds the files that come with a program, and runs gnuplot on one of its figures.
 * Introduced in chapter 1. */
#ifndef COMMON_PLOT_H
#define COMMON_PLOT_H

#include <stddef.h>
#include <stdio.h>

#include "common/status.h"

/* The path of a file that comes with the programs, such as "plots/style.gp": looked for beside the running
 * executable, then in the source directory it was built from; never in the current directory.
 *
 * path, size: the caller's buffer, which gets a NUL-terminated path.
 * errors: STATUS_IO when it is in neither place. */
enum status plot_find_file(char *path, size_t size, const char *relative, struct error *error);

/* Writes the named data set as TSV to out. context is what the caller of plot_show gave. */
typedef enum status (*plot_write_data)(void *context, const char *data_set, FILE *out, struct error *error);

/* Draws one figure now: writes its data sets into a fresh folder under $TMPDIR (or /tmp), runs
 *     gnuplot -e "data='<folder>'" plots/style.gp plots/<script>.gp
 * and removes the folder. With a display (DISPLAY or WAYLAND_DISPLAY) gnuplot opens a window; without one it draws
 * with characters on standard output.
 *
 * script     name without folder and ending: "ch3-bands"
 * data_sets  names separated by single spaces; file <folder>/<chapter>-<name>.tsv for each, chapter as in script
 * errors: gnuplot missing or failed, folder or file not writable, or what write_data reports. */
enum status plot_show(const char *script, const char *data_sets, plot_write_data write_data, void *context,
                      struct error *error);

#endif
