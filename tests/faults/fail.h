/* fail.h: makes the n-th request to the system fail: memory, opening and mapping a file, PCRE2's own memory.
 * The test is linked with --wrap, so that every call from this project's objects comes here first,
 * jansson's included (common/json.c). What was taken and not given back is counted, with or without a sanitizer. */
#ifndef TESTS_FAULTS_FAIL_H
#define TESTS_FAULTS_FAIL_H

#include <stdbool.h>

/* From here on requests are counted, and number n fails (from 0; -1: none). */
void fail_begin(long n);
/* Ends that. Returns whether a request has failed. */
bool fail_end(void);
/* How many requests were made since fail_begin. */
long fail_made(void);
/* The name of the function that failed last. */
const char *fail_what(void);
/* Blocks, mappings and descriptors that are held now. */
long fail_held(void);

#endif
