#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/mapped_file.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

START_TEST(bytes_are_mapped_as_they_are)
{
    struct mapped_file file;
    struct error error;
    char *folder = fresh_folder("mapped");
    char *path = test_path(folder, "a.bin");
    write_bytes(folder, "a.bin", "a\0b\xff", 4);
    assert_ok(mapped_file_open(&file, path, &error), &error);
    ck_assert_uint_eq(file.size, 4);
    ck_assert_mem_eq(file.data, "a\0b\xff", 4);
    mapped_file_close(&file);
    mapped_file_close(&file);
    ck_assert_ptr_null(file.data);
    free(path);
    free(folder);
}
END_TEST

START_TEST(an_empty_file_is_no_data)
{
    struct mapped_file file;
    struct error error;
    char *folder = fresh_folder("mapped");
    char *path = test_path(folder, "empty");
    write_bytes(folder, "empty", "", 0);
    assert_ok(mapped_file_open(&file, path, &error), &error);
    ck_assert_ptr_null(file.data);
    ck_assert_uint_eq(file.size, 0);
    mapped_file_close(&file);
    free(path);
    free(folder);
}
END_TEST

static void check_refused(const char *folder, const char *name, const char *message)
{
    struct mapped_file file;
    struct error error;
    char *path = test_path(folder, name);
    assert_error(mapped_file_open(&file, path, &error), &error, STATUS_IO, folder, message);
    ck_assert_ptr_null(file.data);
    free(path);
}

START_TEST(what_is_not_a_regular_file_is_one_clear_line)
{
    char *folder = fresh_folder("mapped");
    char *inner = test_path(folder, "inner");
    char *fifo = test_path(folder, "fifo");
    char *loop = test_path(folder, "loop");
    char *dangling = test_path(folder, "dangling");
    ck_assert_int_eq(mkdir(inner, 0777), 0);
    ck_assert_int_eq(mkfifo(fifo, 0666), 0);
    ck_assert_int_eq(symlink("loop", loop), 0);
    ck_assert_int_eq(symlink("nothing", dangling), 0);
    check_refused(folder, "inner", "inner: expected a regular file, found a folder");
    check_refused(folder, "fifo",
                  "fifo: expected a regular file, found a pipe"); /* and does not wait for a writer */
    check_refused(folder, "loop", "loop: Too many levels of symbolic links");
    check_refused(folder, "dangling", "dangling: No such file or directory");
    check_refused(folder, "missing", "missing: No such file or directory");
    check_refused("/dev", "null", "null: expected a regular file, found a device");
    free(inner);
    free(fifo);
    free(loop);
    free(dangling);
    free(folder);
}
END_TEST

START_TEST(a_link_is_followed_and_no_permission_is_said)
{
    struct mapped_file file;
    struct error error;
    char *folder = fresh_folder("mapped");
    char *path = test_path(folder, "blob");
    char *link_path = test_path(folder, "link");
    write_bytes(folder, "blob", "xyz", 3);
    ck_assert_int_eq(symlink("blob", link_path), 0); /* the layout of Hugging Face's cache */
    assert_ok(mapped_file_open(&file, link_path, &error), &error);
    ck_assert_mem_eq(file.data, "xyz", 3);
    mapped_file_close(&file);
    ck_assert_int_eq(chmod(path, 0), 0);
    if (geteuid() != 0) { /* root may read everything */
        check_refused(folder, "blob", "blob: Permission denied");
    }
    free(path);
    free(link_path);
    free(folder);
}
END_TEST

/* In a child of its own: reads a page of a file that has been cut short, with the message on its stderr. */
static void read_shrunk(const char *path, const char *err_path, const char *message)
{
    struct mapped_file file;
    struct error error;
    int err = open(err_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(err, STDERR_FILENO);
    if (mapped_file_open(&file, path, &error) != STATUS_OK || truncate(path, 10) != 0) {
        _exit(99);
    }
    mapped_file_report_shrinking(message);
    const volatile unsigned char *data = file.data;
    _exit(data[file.size - 1] == 1 ? 98 : 97); /* not reached */
}

static void assert_shrinking_says(const char *message, const char *expected)
{
    static char bytes[1 << 16];
    size_t size = 0;
    int status = 0;
    char *folder = fresh_folder("mapped");
    char *path = test_path(folder, "a.bin");
    char *err_path = test_path(folder, "stderr");
    write_bytes(folder, "a.bin", bytes, sizeof bytes);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        read_shrunk(path, err_path, message);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 1);
    char *text = read_bytes(err_path, &size);
    ck_assert_str_eq(text, expected);
    free(text);
    free(path);
    free(err_path);
    free(folder);
}

START_TEST(a_file_that_shrinks_ends_with_a_message)
{
    assert_shrinking_says("chapter6: model: a weight file became shorter while it was in use",
                          "chapter6: model: a weight file became shorter while it was in use\n");
    char message[600],
        expected[512]; /* a long one ends where its 512 bytes do: with a line end and the terminator */
    memset(message, 'm', sizeof message);
    message[sizeof message - 1] = '\0';
    memset(expected, 'm', 510);
    memcpy(expected + 510, "\n", 2);
    assert_shrinking_says(message, expected);
}
END_TEST

/* The rest of the last page reads as zeros, without a signal: only the size tells. */
START_TEST(a_cut_within_a_page_is_noticed_by_the_size)
{
    static char bytes[5000];
    struct mapped_file file;
    struct error error;
    char *folder = fresh_folder("mapped");
    char *path = test_path(folder, "a.bin");
    char *moved = test_path(folder, "moved");
    memset(bytes, 'x', sizeof bytes);
    write_bytes(folder, "a.bin", bytes, sizeof bytes);
    assert_ok(mapped_file_open(&file, path, &error), &error);
    assert_ok(mapped_file_check_size(&file, path, &error), &error);
    ck_assert_int_eq(truncate(path, 6000), 0); /* longer: all that was there still is */
    assert_ok(mapped_file_check_size(&file, path, &error), &error);
    ck_assert_int_eq(rename(path, moved),
                     0); /* the path may lead elsewhere by now: it is the file that counts */
    write_bytes(folder, "a.bin", bytes, 3);
    assert_ok(mapped_file_check_size(&file, path, &error), &error);
    ck_assert_int_eq(truncate(moved, 4999), 0);
    ck_assert_int_eq(file.data[4999], 0);
    assert_error(mapped_file_check_size(&file, path, &error), &error, STATUS_IO, folder,
                 "a.bin: became shorter while it was in use: expected 5000 bytes, found 4999");
    mapped_file_close(&file);
    assert_ok(mapped_file_check_size(&file, path, &error),
              &error); /* of a zeroed struct: nothing is mapped */
    free(path);
    free(moved);
    free(folder);
}
END_TEST

/* The descriptor that the next file gets. */
static int next_descriptor(void)
{
    int descriptor = open("/dev/null", O_RDONLY);
    ck_assert_int_eq(close(descriptor), 0);
    return descriptor;
}

START_TEST(no_descriptor_is_left_open)
{
    struct mapped_file file;
    struct error error;
    char *folder = fresh_folder("mapped");
    char *path = test_path(folder, "a.bin");
    int next = next_descriptor();
    for (size_t size = 0; size < 2; size++) { /* empty: nothing to map */
        write_bytes(folder, "a.bin", "x", size);
        assert_ok(mapped_file_open(&file, path, &error), &error);
        mapped_file_close(&file);
        mapped_file_close(&file); /* twice: not the descriptor of another */
        ck_assert_int_eq(next_descriptor(), next);
    }
    check_refused("/dev", "null", "null: expected a regular file, found a device");
    ck_assert_int_eq(next_descriptor(), next);
    free(path);
    free(folder);
}
END_TEST

START_TEST(a_folder_and_a_name_make_a_path)
{
    char *path = NULL;
    struct error error;
    assert_ok(path_in_folder(&path, "a b", "c.json", &error), &error);
    ck_assert_str_eq(path, "a b/c.json");
    free(path);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("mapped_file");
    add_test(suite, "bytes", bytes_are_mapped_as_they_are);
    add_test(suite, "empty", an_empty_file_is_no_data);
    add_test(suite, "not regular", what_is_not_a_regular_file_is_one_clear_line);
    add_test(suite, "links", a_link_is_followed_and_no_permission_is_said);
    add_test(suite, "shrinking", a_file_that_shrinks_ends_with_a_message);
    add_test(suite, "a cut within a page", a_cut_within_a_page_is_noticed_by_the_size);
    add_test(suite, "descriptors", no_descriptor_is_left_open);
    add_test(suite, "paths", a_folder_and_a_name_make_a_path);
    return suite;
}
