/* require.h: a precondition that is checked in every build.
 * Introduced in chapter 1.
 *
 * A caller's bug (a NULL where a buffer must be, a size below 1) is not an error to report to a user: it is a
 * mistake in this program. REQUIRE prints the expression and its place on stderr and aborts, with or without
 * NDEBUG. Bad input from outside (files, flags, memory) never goes through here: see status.h. */
#ifndef COMMON_REQUIRE_H
#define COMMON_REQUIRE_H

#define REQUIRE(condition) ((condition) ? (void)0 : require_failed(#condition, __FILE__, __LINE__, __func__))

_Noreturn void require_failed(const char *expression, const char *file, int line, const char *function);

#endif
