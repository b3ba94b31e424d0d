#include "child.h"
#include "exercises.h"

/* That these are the program's faults is shown by tests/test_chapter6_mystery.c. */
void exercise_cases(void)
{
    ex_case("mysteries 1 to 6");
    int *fault = ex_out_ints("fault", 6);
    name_the_fault(fault);
    ex_end();
}
