/* Every lie that a header or an index can tell, and the files that must work. Kinds of failure and their sources:
 * cases met in public projects (headers trusted, spans apart from shapes, shards that escape the folder). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

static const unsigned char zeros[4096];

/* ---- what must work -------------------------------------------------------------------------------------------------- */

START_TEST(a_golden_is_read_as_the_other_reader_reads_it)
{
    static const char *const names[] = {"hf.f32.q", "hf.bf16.k"};
    struct safetensors tensors;
    struct golden golden;
    struct error error;
    golden_open(&golden, "ch3_rope");
    assert_ok(safetensors_open(&tensors, golden_path("ch3_rope.safetensors"), &error), &error);
    for (int i = 0; i < 2; i++) {
        size_t shape[GOLDEN_MAX_DIMS];
        size_t n = 0;
        float *expected = golden_f32(&golden, names[i], &n);
        const struct safetensors_entry *entry = safetensors_find(&tensors, names[i]);
        ck_assert_ptr_nonnull(entry);
        ck_assert_int_eq(entry->n_dims, golden_shape(&golden, names[i], shape));
        for (int d = 0; d < entry->n_dims; d++) {
            ck_assert_uint_eq(entry->shape[d], shape[d]);
        }
        ck_assert_str_eq(entry->dtype, i == 0 ? "F32" : "BF16");
        ck_assert_uint_eq(entry->size, n * (i == 0 ? 4 : 2));
        if (i == 0) {
            ck_assert_mem_eq(entry->data, expected, entry->size);
        }
        free(expected);
    }
    ck_assert_ptr_null(safetensors_find(&tensors, "hf.f32"));
    ck_assert_ptr_null(safetensors_find(&tensors, ""));
    safetensors_close(&tensors);
    safetensors_close(&tensors);
    golden_close(&golden);
}
END_TEST

/* A byte in front, or a header of odd length: the data lies at an odd address. */
START_TEST(misaligned_tensors_are_read)
{
    static const char f32[] = "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                              "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[1,5]}}";
    static const char bf16[] = "{\"b\":{\"dtype\":\"BF16\",\"shape\":[1,2],\"data_offsets\":[0,4]}}  ";
    struct safetensors tensors;
    struct tensor view;
    struct error error;
    unsigned char data[5] = {7};
    const float value = 0.1F;
    memcpy(data + 1, &value, 4);
    char *folder = fresh_folder("safetensors");
    char *path = test_path(folder, "model.safetensors");
    ck_assert_uint_eq(strlen(f32), 106);
    write_safetensors(folder, "model.safetensors", f32, data, 5);
    assert_ok(safetensors_open(&tensors, path, &error), &error);
    assert_ok(safetensors_view(&view, &tensors, "b", 0, 1, &error), &error);
    ck_assert_float_eq(tensor_at(&view, 0, 0), value);
    safetensors_close(&tensors);

    ck_assert_uint_eq(strlen(bf16) % 2, 1);
    write_safetensors(folder, "model.safetensors", bf16, "\x80\x3f\x00\xc0", 4);
    assert_ok(safetensors_open(&tensors, path, &error), &error);
    assert_ok(safetensors_view(&view, &tensors, "b", 1, 2, &error), &error);
    ck_assert_float_eq(tensor_at(&view, 0, 0), 1);
    ck_assert_float_eq(tensor_at(&view, 0, 1), -2);
    safetensors_close(&tensors);
    free(path);
    free(folder);
}
END_TEST

/* Each is a whole file, all of whose headers are good. */
START_TEST(unusual_but_good_headers_are_read)
{
    static const struct {
        const char *header;
        size_t size;
    } good[] = {
        {"{}", 0},
        {"{\"__metadata__\":{\"format\":\"pt\"}}", 0},
        {"{\"scalar\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[0,8]}}", 8},
        {"{\"none\":{\"dtype\":\"F32\",\"shape\":[0,4],\"data_offsets\":[0,0]}}", 0},
        {"{\"a\":{\"dtype\":\"I8\",\"shape\":[2],\"data_offsets\":[1,3]},"
         "\"b\":{\"dtype\":\"BOOL\",\"shape\":[1],\"data_offsets\":[0,1]}}",
         3}, /* places in another order than names */
        {"{\"a\":{\"dtype\":\"F4\",\"shape\":[2,3],\"data_offsets\":[0,3]}}", 3}, /* two elements a byte */
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2],\"more\":1}}", 2},
    };
    char *folder = fresh_folder("safetensors");
    char *path = test_path(folder, "a");
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct safetensors tensors;
        struct error error;
        write_safetensors(folder, "a", good[i].header, zeros, good[i].size);
        assert_ok(safetensors_open(&tensors, path, &error), &error);
        safetensors_close(&tensors);
    }
    free(path);
    free(folder);
}
END_TEST

/* Eight elements of b bits fill b bytes, and no other number; b as in the reference implementation (Dtype::bitsize). */
START_TEST(each_type_has_its_size)
{
    static const struct {
        const char *name;
        int bits;
    } types[] = {{"BOOL", 8}, {"F4", 4},          {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},
                 {"I8", 8},   {"F8_E5M2", 8},     {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
                 {"U16", 16}, {"F8_E5M2FNUZ", 8}, {"I16", 16},    {"F16", 16},    {"BF16", 16},
                 {"I32", 32}, {"U32", 32},        {"F32", 32},    {"C64", 64},    {"F64", 64},
                 {"I64", 64}, {"U64", 64}};
    char *folder = fresh_folder("safetensors");
    char *path = test_path(folder, "a");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        for (int bytes = types[i].bits - 1; bytes <= types[i].bits + 1; bytes++) {
            struct safetensors tensors;
            struct error error;
            char header[128];
            snprintf(header, sizeof header,
                     "{\"a\":{\"dtype\":\"%s\",\"shape\":[8],\"data_offsets\":[0,%d]}}", types[i].name,
                     bytes);
            write_safetensors(folder, "a", header, zeros, (size_t)bytes);
            enum status status = safetensors_open(&tensors, path, &error);
            ck_assert_msg(status == (bytes == types[i].bits ? STATUS_OK : STATUS_FORMAT), "%s: %d bytes",
                          types[i].name, bytes);
            if (status == STATUS_OK) {
                safetensors_close(&tensors);
            }
        }
    }
    free(path);
    free(folder);
}
END_TEST

/* ---- lies in the header ------------------------------------------------------------------------------------------------ */

static void check_refused(const char *folder, const char *name, const char *message)
{
    struct safetensors tensors;
    struct error error;
    char *path = test_path(folder, name);
    enum status status = safetensors_open(&tensors, path, &error);
    assert_error(status, &error, STATUS_FORMAT, folder, message);
    ck_assert_ptr_null(tensors.entries);
    ck_assert_int_eq(tensors.n_files, 0);
    free(path);
}

START_TEST(a_header_that_lies_is_refused)
{
    static const struct {
        const char *header;
        size_t size;
        const char *message;
    } bad[] = {
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[16,32],\"data_offsets\":[0,512]}}", 512,
         "a: tensor t: data_offsets: expected 2048 bytes for its shape and type, found 512"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", 8,
         "a: tensor t: data_offsets: expected a span inside 8 bytes of data, found [8, 0]"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[-8,0]}}", 8,
         "a: tensor t: data_offsets: expected two whole numbers from 0 on, found [-8,0]"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8.0]}}", 8,
         "a: tensor t: data_offsets: expected two whole numbers from 0 on, found [0,8.0]"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8]}}", 8,
         "a: tensor t: data_offsets: expected two whole numbers from 0 on, found [8]"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4,8]}}", 8,
         "a: tensor t: data_offsets: expected two whole numbers from 0 on, found [0,4,8]"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":\"0,8\"}}", 8,
         "a: tensor t: data_offsets: expected two whole numbers from 0 on, found \"0,8\""},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[2]}}", 8,
         "a: tensor t: data_offsets: expected two whole numbers from 0 on, found nothing"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,9223372036854775807]}}", 8,
         "a: tensor t: data_offsets: expected a span inside 8 bytes of data, found [0, 9223372036854775807]"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}", 8,
         "a: tensor t: shape: expected whole numbers from 0 on, found [-2]"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[\"2\"],\"data_offsets\":[0,8]}}", 8,
         "a: tensor t: shape: expected whole numbers from 0 on, found [\"2\"]"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":2,\"data_offsets\":[0,8]}}", 8,
         "a: tensor t: shape: expected a list, found 2"},
        /* 2^32 * 2^32 elements are 0 in 64 bits that wrap; 2^62 * 4 bytes as well */
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]}}", 0,
         "a: tensor t: shape: expected a whole number of bytes that fits memory, found "
         "[4294967296,4294967296]"},
        {"{\"t\":{\"dtype\":\"F32\",\"shape\":[4611686018427387904],\"data_offsets\":[0,0]}}", 0,
         "a: tensor t: shape: expected a whole number of bytes that fits memory, found "
         "[4611686018427387904]"},
        {"{\"t\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]}}", 1,
         "a: tensor t: shape: expected a whole number of bytes that fits memory, found [3]"},
        {"{\"t\":{\"dtype\":\"F33\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
         "a: tensor t: dtype: expected a type of the format, found F33"},
        {"{\"t\":{\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
         "a: tensor t: dtype: expected a string, found nothing"},
        {"{\"t\":[]}", 8, "a: tensor t: expected an object, found []"},
        {"[]", 0, "a: expected an object, found a list"},
        {"{\"__metadata__\":3}", 0, "a: __metadata__: expected an object, found 3"},
        {"{\"__metadata__\":{\"a\":3}}", 0, "a: __metadata__: a: expected a string, found 3"},
        {"{\"t\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}", 3,
         "a: tensor t: data_offsets: expected to begin at 0, where the one before ends, found 1"},
        {"{\"t\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
         "\"u\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}",
         3, "a: tensor u: data_offsets: expected to begin at 2, where the one before ends, found 1"},
        {"{\"t\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
         "\"u\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[3,5]}}",
         5, "a: tensor u: data_offsets: expected to begin at 2, where the one before ends, found 3"},
        {"{\"t\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", 3,
         "a: expected 2 bytes of data after the header, found 3"},
        {"{\"t\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
         "\"t\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}",
         1, "a: not valid JSON: line 1, column 56: duplicate object key near '\"t\"'"},
    };
    char *folder = fresh_folder("safetensors");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        write_safetensors(folder, "a", bad[i].header, zeros, bad[i].size);
        check_refused(folder, "a", bad[i].message);
    }
    free(folder);
}
END_TEST

START_TEST(nine_dimensions_are_not_implemented)
{
    struct safetensors tensors;
    struct error error;
    char *folder = fresh_folder("safetensors");
    char *path = test_path(folder, "a");
    write_safetensors(folder, "a",
                      "{\"t\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,1]}}",
                      zeros, 1);
    assert_error(safetensors_open(&tensors, path, &error), &error, STATUS_UNSUPPORTED, folder,
                 "a: tensor t: shape: expected at most 8 dimensions, found 9");
    free(path);
    free(folder);
}
END_TEST

/* Writes size bytes: the length field, then spaces. */
static void write_length(const char *folder, uint64_t length, size_t size)
{
    unsigned char bytes[128];
    memset(bytes, ' ', sizeof bytes);
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(length >> 8 * i);
    }
    write_bytes(folder, "a", bytes, size);
}

START_TEST(the_header_length_is_not_trusted)
{
    char *folder = fresh_folder("safetensors");
    write_length(folder, UINT64_MAX, 68);
    check_refused(folder, "a",
                  "a: length of the header (bytes 0 to 7): expected at most 60, found 18446744073709551615: "
                  "cut short, or not a safetensors file");
    write_length(folder, 61, 68); /* file size - 7 */
    check_refused(folder, "a",
                  "a: length of the header (bytes 0 to 7): expected at most 60, found 61: cut short, or not "
                  "a safetensors file");
    write_length(folder, 60, 0);
    check_refused(folder, "a", "a: expected at least 8 bytes, found 0: not a safetensors file");
    write_length(folder, 60, 7);
    check_refused(folder, "a", "a: expected at least 8 bytes, found 7: not a safetensors file");
    write_length(folder, 60, 8);
    check_refused(folder, "a",
                  "a: length of the header (bytes 0 to 7): expected at most 0, found 60: cut short, or not a "
                  "safetensors file");
    write_length(folder, 0, 8);
    check_refused(folder, "a", "a: not valid JSON: line 1, column 0: '[' or '{' expected near end of file");
    free(folder);
}
END_TEST

/* A hole in the file is as long as is claimed, so that only the limit can refuse it. */
START_TEST(the_limit_of_the_header_is_that_of_the_reference)
{
    struct safetensors tensors;
    struct error error;
    char *folder = fresh_folder("safetensors");
    char *path = test_path(folder, "a");
    write_length(folder, 100000001, 8);
    ck_assert_int_eq(truncate(path, 100000009), 0);
    check_refused(folder, "a",
                  "a: length of the header (bytes 0 to 7): expected at most 100000000, found 100000001");
    write_length(folder, 100000000, 8);
    ck_assert_int_eq(truncate(path, 100000008), 0);
    enum status status = safetensors_open(&tensors, path, &error);
    ck_assert_int_eq(status, STATUS_FORMAT); /* its zeros are no JSON, but it was looked at */
    ck_assert_ptr_nonnull(strstr(error.message, "not valid JSON"));
    unlink(path);
    free(path);
    free(folder);
}
END_TEST

START_TEST(a_file_one_byte_short_or_long_is_refused)
{
    size_t size = 0;
    char *folder = fresh_folder("safetensors");
    char *bytes = read_bytes(golden_path("ch6_qwen2_odd/model.safetensors"), &size);
    write_bytes(folder, "a", bytes, size - 1);
    check_refused(
        folder, "a",
        "a: tensor model.norm.weight: data_offsets: expected a span inside 68399 bytes of data, found "
        "[68280, 68400]");
    write_bytes(folder, "a", bytes, size + 1); /* the NUL that read_bytes adds */
    check_refused(folder, "a", "a: expected 68400 bytes of data after the header, found 68401");
    free(bytes);
    free(folder);
}
END_TEST

/* ---- views -------------------------------------------------------------------------------------------------------------- */

START_TEST(a_view_says_what_was_found_and_what_was_expected)
{
    static const char header[] = "{\"m\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
                                 "\"q\":{\"dtype\":\"I8\",\"shape\":[4],\"data_offsets\":[24,28]},"
                                 "\"r\":{\"dtype\":\"F16\",\"shape\":[1,2],\"data_offsets\":[28,32]},"
                                 "\"s\":{\"dtype\":\"F16\",\"shape\":[1,1,2],\"data_offsets\":[32,36]},"
                                 "\"v\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[36,40]},"
                                 "\"z\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[40,44]}}";
    struct safetensors tensors;
    struct tensor view;
    struct error error;
    char *folder = fresh_folder("safetensors");
    char *path = test_path(folder, "a");
    write_safetensors(folder, "a", header, zeros, 44);
    assert_ok(safetensors_open(&tensors, path, &error), &error);
    assert_ok(safetensors_view(&view, &tensors, "m", 2, 3, &error), &error);
    ck_assert_int_eq(view.rows, 2);
    ck_assert_int_eq(view.cols, 3);
    assert_ok(safetensors_view(&view, &tensors, "v", 0, 2, &error), &error);
    ck_assert_int_eq(view.rows, 1);
    ck_assert_int_eq(view.cols, 2);
    assert_ok(safetensors_view(&view, &tensors, "r", 1, 2, &error), &error);
    ck_assert_int_eq(view.dtype, DTYPE_F16);
    assert_error(safetensors_view(&view, &tensors, "m", 3, 2, &error), &error, STATUS_FORMAT, folder,
                 "a: tensor m: expected shape [3, 2], found [2, 3]");
    assert_error(safetensors_view(&view, &tensors, "v", 2, 1, &error), &error, STATUS_FORMAT, folder,
                 "a: tensor v: expected shape [2, 1], found [2]");
    assert_error(safetensors_view(&view, &tensors, "v", 1, 2, &error), &error, STATUS_FORMAT, folder,
                 "a: tensor v: expected shape [1, 2], found [2]");
    assert_error(safetensors_view(&view, &tensors, "r", 0, 2, &error), &error, STATUS_FORMAT, folder,
                 "a: tensor r: expected shape [2], found [1, 2]");
    assert_error(safetensors_view(&view, &tensors, "s", 0, 2, &error), &error, STATUS_FORMAT, folder,
                 "a: tensor s: expected shape [2], found [1, 1, 2]");
    assert_error(safetensors_view(&view, &tensors, "m", 0, 6, &error), &error, STATUS_FORMAT, folder,
                 "a: tensor m: expected shape [6], found [2, 3]");
    assert_error(safetensors_view(&view, &tensors, "z", 0, 1, &error), &error, STATUS_FORMAT, folder,
                 "a: tensor z: expected shape [1], found []");
    assert_error(safetensors_view(&view, &tensors, "q", 0, 4, &error), &error, STATUS_UNSUPPORTED, folder,
                 "a: tensor q: expected type F32, BF16 or F16, found I8");
    assert_error(safetensors_view(&view, &tensors, "x", 7, 4, &error), &error, STATUS_FORMAT, folder,
                 "a: tensor x: missing: expected one of shape [7, 4]");
    safetensors_close(&tensors);
    free(path);
    free(folder);
}
END_TEST

/* ---- folders and shards --------------------------------------------------------------------------------------------- */

static const char u8_header[] = "{\"%s\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";

/* A shard with one tensor of one byte. */
static void write_shard(const char *folder, const char *file, const char *tensor, const char *byte)
{
    char header[128];
    snprintf(header, sizeof header, u8_header, tensor);
    write_safetensors(folder, file, header, byte, 1);
}

static void check_index_refused(const char *folder, const char *index, enum status expected,
                                const char *message)
{
    struct safetensors tensors;
    struct error error;
    write_text(folder, "model.safetensors.index.json", index);
    assert_error(safetensors_open_folder(&tensors, folder, &error), &error, expected, folder, message);
    ck_assert_ptr_null(tensors.entries);
}

START_TEST(shards_are_found_and_the_index_decides)
{
    struct safetensors tensors;
    struct error error;
    char *folder = fresh_folder("shards");
    write_shard(folder, "one", "a", "1");
    write_safetensors(folder, "two",
                      "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                      "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
                      "23", 2);
    write_text(folder, "model.safetensors.index.json", "{\"weight_map\":{\"a\":\"two\",\"b\":\"two\"}}");
    assert_ok(safetensors_open_folder(&tensors, folder, &error), &error);
    ck_assert_int_eq(tensors.n_files, 1);
    ck_assert_int_eq(*safetensors_find(&tensors, "a")->data, '2');
    safetensors_close(&tensors);

    write_text(folder, "model.safetensors.index.json",
               "{\"metadata\":{},\"weight_map\":{\"b\":\"two\",\"a\":\"one\"}}");
    assert_ok(safetensors_open_folder(&tensors, folder, &error), &error);
    ck_assert_int_eq(tensors.n_files, 2);
    ck_assert_int_eq(tensors.n_entries, 2);
    ck_assert_int_eq(*safetensors_find(&tensors, "a")->data, '1');
    ck_assert_int_eq(*safetensors_find(&tensors, "b")->data, '3');
    safetensors_close(&tensors);
    free(folder);
}
END_TEST

START_TEST(a_shard_that_became_shorter_is_named)
{
    struct safetensors tensors;
    struct error error;
    char *folder = fresh_folder("shards");
    char *path = test_path(folder, "two");
    write_shard(folder, "one", "a", "1");
    write_shard(folder, "two", "b", "2");
    write_text(folder, "model.safetensors.index.json", "{\"weight_map\":{\"a\":\"one\",\"b\":\"two\"}}");
    assert_ok(safetensors_open_folder(&tensors, folder, &error), &error);
    assert_ok(safetensors_check_sizes(&tensors, &error), &error);
    size_t size = tensors.files[1].size;
    char message[128];
    snprintf(message, sizeof message,
             "two: became shorter while it was in use: expected %zu bytes, found %zu", size, size - 1);
    ck_assert_int_eq(truncate(path, (off_t)size - 1), 0);
    assert_error(safetensors_check_sizes(&tensors, &error), &error, STATUS_IO, folder, message);
    safetensors_close(&tensors);
    assert_ok(safetensors_check_sizes(&tensors, &error), &error); /* no files: a model built in memory */
    free(path);
    free(folder);
}
END_TEST

START_TEST(every_file_moves_into_huge_pages)
{
    struct safetensors tensors;
    struct error error;
    const unsigned char *before[3];
    char *folder = fresh_folder("shards");
    write_safetensors(folder, "one",
                      "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                      "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
                      "12", 2);
    write_shard(folder, "two", "c", "3");
    write_text(folder, "model.safetensors.index.json",
               "{\"weight_map\":{\"a\":\"one\",\"b\":\"one\",\"c\":\"two\"}}");
    assert_ok(safetensors_open_folder(&tensors, folder, &error), &error);
    ck_assert_int_eq(tensors.n_entries, 3);
    for (int i = 0; i < 3; i++) {
        before[i] = tensors.entries[i].data;
    }
    if (safetensors_use_huge_pages(&tensors, &error) != STATUS_UNSUPPORTED) {
        for (int i = 0; i < 3; i++) {
            ck_assert_ptr_ne(tensors.entries[i].data, before[i]);
            ck_assert_int_eq(*tensors.entries[i].data, '1' + i);
        }
    }
    safetensors_close(&tensors);
    free(folder);
}
END_TEST

START_TEST(an_index_that_escapes_or_lies_is_refused)
{
    static const char *const escapes[] = {"../x.safetensors", "/etc/passwd", "a/../../x", "", ".", ".."};
    char index[256];
    char message[256];
    char *folder = fresh_folder("shards");
    write_shard(folder, "one", "a", "1");
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++) {
        snprintf(index, sizeof index, "{\"weight_map\":{\"a\":\"%s\"}}", escapes[i]);
        snprintf(message, sizeof message,
                 "model.safetensors.index.json: weight_map: a: expected the name of a file in this folder, "
                 "found \"%s\"",
                 escapes[i]);
        check_index_refused(folder, index, STATUS_FORMAT, message);
    }
    check_index_refused(
        folder, "{\"weight_map\":{\"a\":5}}", STATUS_FORMAT,
        "model.safetensors.index.json: weight_map: a: expected the name of a file in this folder, found "
        "5");
    check_index_refused(
        folder, "{\"weight_map\":{\"a\":\"one\\u0000\"}}", STATUS_FORMAT,
        "model.safetensors.index.json: weight_map: a: expected the name of a file in this folder, found "
        "\"one\\u0000\"");
    check_index_refused(
        folder, "{\"weight_map\":{}}", STATUS_FORMAT,
        "model.safetensors.index.json: weight_map: expected an object with tensor names, found {}");
    check_index_refused(folder, "[]", STATUS_FORMAT,
                        "model.safetensors.index.json: expected an object, found a list");
    check_index_refused(
        folder, "{\"weight_map\":{\"a\":\"one\",\"b\":\"one\"}}", STATUS_FORMAT,
        "model.safetensors.index.json: weight_map: b: expected in one, which has no such tensor");
    check_index_refused(folder, "{\"weight_map\":{\"a\":\"one\",\"b\":\"gone\"}}", STATUS_IO,
                        "gone: No such file or directory");
    write_shard(folder, "two", "c", "1");
    check_index_refused(folder, "{\"weight_map\":{\"a\":\"one\",\"b\":\"two\"}}", STATUS_FORMAT,
                        "two: tensor c: found, expected only what model.safetensors.index.json lists");
    free(folder);
}
END_TEST

START_TEST(a_folder_without_weights_says_what_it_looked_for)
{
    struct safetensors tensors;
    struct error error;
    char *folder = fresh_folder("shards");
    enum status status = safetensors_open_folder(&tensors, folder, &error);
    ck_assert_int_eq(status, STATUS_IO);
    ck_assert_ptr_nonnull(
        strstr(error.message, ": expected model.safetensors or model.safetensors.index.json, found neither"));
    char *path = test_path(folder, "model.safetensors");
    ck_assert_int_eq(symlink("../blobs/gone", path), 0);
    assert_error(safetensors_open_folder(&tensors, folder, &error), &error, STATUS_IO, folder,
                 "model.safetensors: No such file or directory");
    unlink(path);
    ck_assert_int_eq(mkdir(path, 0777), 0);
    assert_error(safetensors_open_folder(&tensors, folder, &error), &error, STATUS_IO, folder,
                 "model.safetensors: expected a regular file, found a folder");
    free(path);
    free(folder);
}
END_TEST

/* Hugging Face's cache: snapshots/<revision>/model.safetensors -> ../../blobs/<hash>. */
START_TEST(links_out_of_the_folder_are_normal)
{
    struct safetensors tensors;
    struct error error;
    char *blobs = fresh_folder("blobs");
    char *folder = fresh_folder("snapshot");
    char *path = test_path(folder, "model.safetensors");
    write_shard(blobs, "0123abcd", "a", "1");
    ck_assert_int_eq(symlink("../blobs/0123abcd", path), 0);
    assert_ok(safetensors_open_folder(&tensors, folder, &error), &error);
    ck_assert_int_eq(*safetensors_find(&tensors, "a")->data, '1');
    safetensors_close(&tensors);
    free(path);
    free(folder);
    free(blobs);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("safetensors");
    add_test(suite, "a golden", a_golden_is_read_as_the_other_reader_reads_it);
    add_test(suite, "misaligned", misaligned_tensors_are_read);
    add_test(suite, "unusual headers", unusual_but_good_headers_are_read);
    add_test(suite, "sizes of types", each_type_has_its_size);
    add_test(suite, "lying headers", a_header_that_lies_is_refused);
    add_test(suite, "dimensions", nine_dimensions_are_not_implemented);
    add_test(suite, "header length", the_header_length_is_not_trusted);
    add_test(suite, "header limit", the_limit_of_the_header_is_that_of_the_reference);
    add_test(suite, "one byte", a_file_one_byte_short_or_long_is_refused);
    add_test(suite, "views", a_view_says_what_was_found_and_what_was_expected);
    add_test(suite, "shards", shards_are_found_and_the_index_decides);
    add_test(suite, "became shorter", a_shard_that_became_shorter_is_named);
    add_test(suite, "huge pages", every_file_moves_into_huge_pages);
    add_test(suite, "lying index", an_index_that_escapes_or_lies_is_refused);
    add_test(suite, "no weights", a_folder_without_weights_says_what_it_looked_for);
    add_test(suite, "links", links_out_of_the_folder_are_normal);
    return suite;
}
