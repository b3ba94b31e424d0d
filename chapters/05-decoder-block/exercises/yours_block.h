/* yours_block.h: four tokens through one decoder block, twice: made of the student's parts, one token after the other behind
 * a cache; and by the project in one pass. Grouped heads, random weights. Memory that is not to be had ends the program. */
#ifndef CHAPTER5_YOURS_BLOCK_H
#define CHAPTER5_YOURS_BLOCK_H

enum { YOURS_D_MODEL = 8 };

void yours_make_block(void); /* the weights and tokens of both; first of all */
void yours_free_block(void);

/* One element of the last token's output; 0 <= element < YOURS_D_MODEL. */
double your_block(int element);
double project_block(int element);

#endif
