/* exercise.h: the mark of an exercise that is still to be written.
 *
 * Delete the line EXERCISE_TODO("…") when you begin. As long as it is there the exercise counts as not started. */
#ifndef CHAPTERS_EXERCISE_H
#define CHAPTERS_EXERCISE_H

#define EXERCISE_TODO(what) exercise_todo(what)

_Noreturn void exercise_todo(const char *what);

#endif
