#include "exercises.h"

int tokens_until_stop(int *reason, const int *drawn, int n_prompt, int max_new, int capacity,
                      const int *end_ids, int n_end_ids)
{
    if (n_prompt == 0 || n_prompt > capacity) {
        *reason = STOP_REFUSED;
        return 0;
    }
    int reported = 0;
    while (reported <= max_new) {
        for (int i = 0; i < n_end_ids; i++) {
            if (drawn[reported] == end_ids[i]) {
                *reason = STOP_END;
                return reported;
            }
        }
        reported++;
        if (n_prompt + reported > capacity && reported <= max_new) {
            *reason = STOP_FULL;
            return reported;
        }
    }
    *reason = STOP_LENGTH;
    return reported;
}
