#define _DEFAULT_SOURCE
#include "common/huge_pages.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "common/qwen2.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

enum { MB = 1 << 20, SIZE = 65 * MB + 123, PAGE = 4096 };

/* What the page's number makes of its first and last byte; the rest is 0. */
static unsigned char byte_of(size_t page)
{
    return (unsigned char)(page * 2654435761u >> 13 ^ page);
}

static char *write_file(size_t size)
{
    char *folder = fresh_folder("huge-pages");
    unsigned char *bytes = calloc(1, size + PAGE);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < size; i += PAGE) {
        bytes[i] = bytes[i + PAGE - 1] = byte_of(i / PAGE);
    }
    write_bytes(folder, "file", bytes, size);
    free(bytes);
    char *path = test_path(folder, "file");
    free(folder);
    return path;
}

static size_t count_wrong(const struct mapped_file *file)
{
    size_t wrong = 0;
    for (size_t i = 0; i < file->size; i += PAGE) {
        wrong += file->data[i] != byte_of(i / PAGE);
        wrong += i + PAGE <= file->size && file->data[i + PAGE - 1] != byte_of(i / PAGE);
    }
    return wrong;
}

/* The setting of the whole system: without it there is nothing to test but the message. */
static bool switched_off(void)
{
    char line[128] = "[never]";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (file != NULL) {
        ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
        fclose(file);
    }
    return strstr(line, "[never]") != NULL;
}

/* The most memory that this process has had, in bytes. */
static double most_resident(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return 1024.0 * (double)usage.ru_maxrss;
}

START_TEST(bytes_stay_and_move_into_large_pages)
{
    struct error error = {STATUS_OK, ""};
    struct mapped_file file;
    struct memory_use before;
    struct memory_use after;
    struct memory_use closed;
    char *path = write_file(SIZE);
    assert_ok(mapped_file_open(&file, path, &error), &error);
    ck_assert_uint_eq(count_wrong(&file), 0); /* now all of it is in memory */
    bool known = memory_use_read(&before);
    double most = most_resident();
    enum status status = huge_pages_move(&file, path, &error);
    if (switched_off()) {
        ck_assert_int_eq(status, STATUS_UNSUPPORTED);
        ck_assert_uint_eq(count_wrong(&file), 0);
    } else {
        assert_ok(status, &error);
        ck_assert_uint_eq(file.size, SIZE);
        ck_assert_uint_eq((uintptr_t)file.data % (2 * MB), 0);
        /* The copy and the file were never in memory together: a piece is 8 MB. */
        ck_assert_msg(most_resident() <= most + 12.0 * MB, "%.1f MB more", (most_resident() - most) / MB);
        ck_assert_uint_eq(count_wrong(&file), 0);
        ck_assert(known && memory_use_read(&after));
        ck_assert_msg(after.resident <= before.resident + 2 * MB, "%zu after %zu", after.resident,
                      before.resident);
        ck_assert_msg(after.huge >= before.huge && after.huge <= before.huge + 64 * MB, "%zu after %zu",
                      after.huge, before.huge);
        assert_ok(huge_pages_move(&file, path, &error), &error); /* again: to another place */
        ck_assert_uint_eq(count_wrong(&file), 0);
    }
    mapped_file_close(&file);
    ck_assert_ptr_null(file.data);
    ck_assert(!known || memory_use_read(&closed));
    ck_assert(!known || closed.resident + 60 * MB <= before.resident); /* given back */
    free(path);
}
END_TEST

START_TEST(small_and_empty_files_move_too)
{
    static const size_t sizes[] = {0, 1, 4096, 2 * MB, 2 * MB + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && !switched_off(); i++) {
        struct error error = {STATUS_OK, ""};
        struct mapped_file file;
        char *path = write_file(sizes[i]);
        assert_ok(mapped_file_open(&file, path, &error), &error);
        assert_ok(huge_pages_move(&file, path, &error), &error);
        ck_assert_uint_eq(file.size, sizes[i]);
        ck_assert_uint_eq(count_wrong(&file), 0);
        mapped_file_close(&file);
        free(path);
    }
}
END_TEST

/* What was cut off would be copied as zeros. */
START_TEST(a_file_that_shrank_does_not_move)
{
    struct error error = {STATUS_OK, ""};
    struct mapped_file file;
    char *path = write_file(2 * MB + 123);
    assert_ok(mapped_file_open(&file, path, &error), &error);
    const struct mapped_file before = file;
    ck_assert_int_eq(truncate(path, 2 * MB + 122), 0);
    if (!switched_off()) {
        ck_assert_int_eq(huge_pages_move(&file, path, &error), STATUS_IO);
        ck_assert_ptr_nonnull(strstr(error.message, "became shorter while it was in use"));
        ck_assert_mem_eq(&file, &before, sizeof file);
        ck_assert_uint_eq(count_wrong(&file), 0);
    }
    mapped_file_close(&file);
    free(path);
}
END_TEST

#ifdef PR_SET_THP_DISABLE
/* A system that has no large page to give: the same bytes, and memory_use says so. */
START_TEST(without_large_pages_the_bytes_are_the_same)
{
    struct error error = {STATUS_OK, ""};
    struct mapped_file file;
    struct memory_use use;
    char *path = write_file(5 * MB);
    assert_ok(mapped_file_open(&file, path, &error), &error);
    if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) { /* an emulator that does not know it */
        mapped_file_close(&file);
        free(path);
        return;
    }
    ck_assert_int_eq(huge_pages_move(&file, path, &error), switched_off() ? STATUS_UNSUPPORTED : STATUS_OK);
    ck_assert_uint_eq(count_wrong(&file), 0);
    if (memory_use_read(&use)) {
        ck_assert_uint_eq(use.huge, 0);
    }
    ck_assert_int_eq(prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0), 0);
    mapped_file_close(&file);
    free(path);
}
END_TEST
#endif

/* Views follow the files, one or several. */
START_TEST(a_model_is_the_same)
{
    static const char *const folders[] = {"tests/goldens/ch6_qwen2_odd", "tests/goldens/ch6_qwen2_sharded",
                                          "tests/goldens/ch6_qwen2_untied",
                                          "chapters/06-qwen2.5/tiny-stories"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && !switched_off(); i++) {
        struct error error = {STATUS_OK, ""};
        struct qwen2 here;
        struct qwen2 moved;
        assert_ok(qwen2_load(&here, folders[i], &error), &error);
        assert_ok(qwen2_load(&moved, folders[i], &error), &error);
        assert_ok(qwen2_use_huge_pages(&moved, &error), &error);
        const struct decoder_block_weights *a = &here.layers[here.config.n_layers - 1];
        const struct decoder_block_weights *b = &moved.layers[here.config.n_layers - 1];
        const struct tensor *pairs[][2] = {{&here.embedding, &moved.embedding},
                                           {&here.head, &moved.head},
                                           {&here.final_norm, &moved.final_norm},
                                           {&a->w_q, &b->w_q},
                                           {&a->b_v, &b->b_v},
                                           {&a->ffn.w_down, &b->ffn.w_down}};
        for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
            size_t bytes =
                (size_t)pairs[p][0]->rows * (size_t)pairs[p][0]->cols * dtype_size(pairs[p][0]->dtype);
            ck_assert_int_eq(pairs[p][0]->rows, pairs[p][1]->rows);
            ck_assert(pairs[p][0]->data != pairs[p][1]->data);
            ck_assert_mem_eq(pairs[p][0]->data, pairs[p][1]->data, bytes);
        }
        ck_assert_uint_eq(qwen2_weight_bytes(&here), qwen2_weight_bytes(&moved));
        qwen2_free(&here); /* nothing of the moved model lies in the other's files */
        assert_ok(qwen2_verify(&moved, &error), &error);
        qwen2_free(&moved);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("huge_pages");
    add_test(suite, "bytes and memory", bytes_stay_and_move_into_large_pages);
    add_test(suite, "small files", small_and_empty_files_move_too);
    add_test(suite, "shrunk", a_file_that_shrank_does_not_move);
#ifdef PR_SET_THP_DISABLE
    add_test(suite, "none to give", without_large_pages_the_bytes_are_the_same);
#endif
    add_test(suite, "a model", a_model_is_the_same);
    return suite;
}
