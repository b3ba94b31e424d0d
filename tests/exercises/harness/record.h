/* record.h: what one run of an exercise's cases gave, read from the lines of protocol.h. */
#ifndef EXERCISES_RECORD_H
#define EXERCISES_RECORD_H

#include <stdbool.h>
#include <stddef.h>

enum { RECORD_NAME = 160, RECORD_MAX_ARRAYS = 24 };

enum mark { MARK_NUMBER, MARK_NAN, MARK_UNWRITTEN };

struct array {
    char name[64];
    char type; /* i, d or t */
    int n;
    double absolute, relative; /* outputs only */
    double *value;             /* [n], owned */
    unsigned char *mark;       /* [n] of enum mark, owned */
    bool broken_before, broken_after;
};

struct one_case {
    char name[RECORD_NAME];
    struct array input[RECORD_MAX_ARRAYS], output[RECORD_MAX_ARRAYS];
    int n_inputs, n_outputs;
    bool ended;
};

struct record {
    char name[RECORD_NAME]; /* of the variant */
    struct one_case *cases; /* owned */
    int n_cases;
    bool ended;   /* the line "end COUNT" came, and COUNT is right */
    bool garbled; /* a line that is none of the protocol's: somebody else wrote to the channel */
};

/* Reads one run. The text need not be whole or honest; what is not understood sets garbled. */
void record_read(struct record *record, const char *text, size_t length);

/* Reads expected.txt: *records gets an owned array, the solution first. Returns its length, 0 on any fault of the file. */
int record_read_expected(struct record **records, const char *path);

void record_free(struct record *record);

#endif
