#include "child.h"
#include "exercises.h"

enum { MAX_DIMS = 3 };

struct entry {
    const char *text; /* as the header has it, for the student to read */
    int n_dims;
    uint64_t shape[MAX_DIMS];
    uint64_t element_size, begin, end;
};

/* Positions: exact (below 2^53 a double holds them). What range holds after a refusal is not looked at. */
static void one(const char *name, struct entry entry, uint64_t header_size, uint64_t file_size)
{
    uint64_t range[2] = {0, 0};
    ex_case(name);
    ex_text("entry", entry.text);
    ex_int("element_size", (long long)entry.element_size);
    ex_int("header_size", (long long)header_size);
    ex_int("file_size", (long long)file_size);
    int accepted = byte_range(range, entry.shape, entry.n_dims, entry.element_size, entry.begin, entry.end,
                              header_size, file_size);
    ex_result_int("returned", accepted);
    ex_result_real("range[0]", accepted == 1 ? (double)range[0] : 0, 0, 0);
    ex_result_real("range[1]", accepted == 1 ? (double)range[1] : 0, 0, 0);
    ex_end();
}

#define ENTRY(dtype, size, n_dims, shape_text, begin, end, ...)                                              \
    ((struct entry){"{\"dtype\":\"" dtype "\",\"shape\":" shape_text ",\"data_offsets\":[" #begin "," #end   \
                    "]}",                                                                                    \
                    n_dims,                                                                                  \
                    {__VA_ARGS__},                                                                           \
                    size,                                                                                    \
                    begin##U,                                                                                \
                    end##U})

void exercise_cases(void)
{
    one("the example", ENTRY("F32", 4, 2, "[2,3]", 16, 40, 2, 3), 100, 200);
    one("the whole of the data, begin 0", ENTRY("BF16", 2, 2, "[3,5]", 0, 30, 3, 5), 60, 98);
    one("a single number: shape []", ENTRY("F32", 4, 0, "[]", 6, 10, 0), 80, 100);
    one("no elements", ENTRY("F32", 4, 2, "[4,0]", 12, 12, 4, 0), 60, 80);
    /* The file of a known heap over-read: 2048 bytes needed, 512 there. */
    one("the shape needs more bytes", ENTRY("F32", 4, 2, "[16,32]", 0, 512, 16, 32), 60, 580);
    one("the data end before end", ENTRY("U8", 1, 1, "[50]", 0, 50, 50), 60, 117);
    one("begin and end exchanged", ENTRY("F32", 4, 1, "[2]", 8, 0, 2), 60, 80);
    one("more than 4 GiB", ENTRY("F32", 4, 2, "[152064,8192]", 1024, 4982834176, 152064, 8192), 1000,
        4982835184);
    one("2^62 + 1 elements of 4 bytes",
        ENTRY("F32", 4, 1, "[4611686018427387905]", 0, 4, 4611686018427387905U), 60, 80);
    one("2^32 times 2^32 elements",
        ENTRY("U8", 1, 2, "[4294967296,4294967296]", 0, 0, 4294967296U, 4294967296U), 60, 80);
    one("an end just below 2^64",
        ENTRY("U8", 1, 1, "[18446744073709551556]", 0, 18446744073709551556, 18446744073709551556U), 60, 80);
}
