/* make_input.h: makes the folder that a line of cases.tsv describes.
 *
 * A description is a base and changes to it, with " ; " between:
 *     tiny | odd | f32 | sharded      links to the files of the bundled model, or of a model under tests/goldens
 *     none                            an empty folder
 *     set FILE PATH JSON              a value in a JSON file or in a .safetensors header; PATH is keys and numbers with
 *                                     slashes between: added_tokens/0/id
 *     unset FILE PATH                 takes it out
 *     rename FILE KEY NEW             of a key at the top
 *     duplicate FILE TENSOR NEW       another tensor in a .safetensors file, with the bytes of this one
 *     write FILE TEXT                 TEXT may hold \n, \t, \\ and \xHH
 *     tensors FILE SIZE JSON          a .safetensors file: this header and SIZE bytes of zeros
 *     cut FILE N                      takes N bytes off the end
 *     append FILE TEXT                puts TEXT behind the end
 *     fill FILE TENSOR HH             every byte of the tensor becomes HH
 *     remove FILE; folder FILE; pipe FILE; link FILE TARGET; copy FILE NEW */
#ifndef TESTS_BAD_INPUT_MAKE_INPUT_H
#define TESTS_BAD_INPUT_MAKE_INPUT_H

#include <stddef.h>

/* Fills folder, which is there and empty. A description that makes no sense fails the test. */
void make_input(const char *folder, const char *description);

/* Replaces \n, \t, \\ and \xHH in place. A NUL ends the text for those who take it as a string; returns the length. */
size_t unescape(char *text);

#endif
