/* machine.h: what the system says about memory. Each gives 0 where it does not say. */
#ifndef TESTS_BENCH_MACHINE_H
#define TESTS_BENCH_MACHINE_H

#include <stddef.h>

size_t machine_l3_bytes(void);        /* the last cache before memory, as one core sees it */
size_t machine_free_bytes(void);      /* what can be had without taking it from others */
size_t machine_huge_page_bytes(void); /* of this process, in pages of 2 MB */

#endif
