/* protocol.h: what the child writes and the judge reads, one line each on file descriptor PROTOCOL_CHANNEL:
 *
 *     case NAME                                     a case begins
 *     in NAME i|d|t N VALUE…                        an input: integers, reals (hexadecimal floats), text (hex digits)
 *     out NAME i|d N ABSOLUTE RELATIVE VALUE…       an output; VALUE may be "unwritten" or "nan"
 *     guard NAME before|after                       the function wrote outside this output
 *     endcase
 *     end COUNT                                     all cases ran
 *
 * The same lines, with "variant NAME" before each run, make up expected.txt: the variant "solution", and one for each
 * known misconception. */
#ifndef EXERCISES_PROTOCOL_H
#define EXERCISES_PROTOCOL_H

enum {
    PROTOCOL_CHANNEL = 3,
    PROTOCOL_NOT_STARTED = 77,   /* exit code of EXERCISE_TODO */
    PROTOCOL_HARNESS_FAILED = 97 /* the fault is not the student's */
};

/* What an output buffer holds before the function writes to it. */
#define PROTOCOL_UNWRITTEN64   0x7ff8dead5eed1234ull
#define PROTOCOL_UNWRITTEN32   0x7fc5eed1u
#define PROTOCOL_UNWRITTEN_INT (-1515870811)

#endif
