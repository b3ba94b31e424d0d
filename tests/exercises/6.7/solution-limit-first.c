#include "exercises.h"

static int is_end(int id, const int *end_ids, int n_end_ids)
{
    return n_end_ids > 0 && (id == end_ids[n_end_ids - 1] || is_end(id, end_ids, n_end_ids - 1));
}

/* The most there can be is known before the first draw; only an end token comes earlier. */
int tokens_until_stop(int *reason, const int *drawn, int n_prompt, int max_new, int capacity,
                      const int *end_ids, int n_end_ids)
{
    int room = capacity - n_prompt + 1; /* the last one needs no place */
    int most = max_new <= room ? max_new : room;
    *reason = max_new <= room ? STOP_LENGTH : STOP_FULL;
    if (n_prompt <= 0 || room <= 0) {
        *reason = STOP_REFUSED;
        return 0;
    }
    for (int n = 0; n < most; n++) {
        if (is_end(drawn[n], end_ids, n_end_ids)) {
            *reason = STOP_END;
            return n;
        }
    }
    return most;
}
