/* Exercise 6.11: name the fault (predict)
 *
 * Six times the bundled model runs with one part broken. Name the part.
 *
 *     ./chapter6 --mystery 1        (to 6; also with --trace, --check, --perplexity FILE or --data hidden)
 *
 *      1  no rotation                             8  query head h reads KV head h % n_kv_heads
 *      2  the other pair layout                   9  scores not divided by sqrt(head_dim)
 *      3  keys rotated twice                     10  the biases of Q, K and V forgotten
 *      4  keys rotated backwards                 11  gate and up exchanged
 *      5  values rotated too                     12  ReLU in place of SiLU
 *      6  a decoded token's position too high    13  the up branch left out
 *      7  no causal mask                         14  eps of the norm outside the root
 *
 * fault [6]: fault[0] is the number for mystery 1, fault[5] for mystery 6. A fault may sit in one layer only.
 *
 * By hand: the model of ./chapter6 --mystery 7 first differs at v_proj, and not at token 0. Forgotten biases (10) would
 * change every token, and q_proj before v_proj. No length changes, and token 1 is turned by 1 radian, token 2 by 2: the
 * values were rotated (5).
 *
 * Check it with:  make exercise EX=6.11 */
#include "exercises.h"

void name_the_fault(int *fault)
{
    EXERCISE_TODO("six numbers from the list");
    fault[0] = 0;
    fault[1] = 0;
    fault[2] = 0;
    fault[3] = 0;
    fault[4] = 0;
    fault[5] = 0;
}
