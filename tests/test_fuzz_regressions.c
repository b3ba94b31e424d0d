/* Every seed and every input that once broke something, through the functions that `make fuzz` drives. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

static int run_folder(const struct fuzz_target *target, const char *kind)
{
    char folder[256];
    int n = 0;
    snprintf(folder, sizeof folder, "tests/fuzz/%s/%s", kind, target->name);
    DIR *stream = opendir(folder);
    for (const struct dirent *entry = NULL; stream != NULL && (entry = readdir(stream)) != NULL;) {
        if (entry->d_name[0] != '.') {
            size_t size = 0;
            char *path = test_path(folder, entry->d_name);
            char *bytes = read_bytes(path, &size);
            fprintf(stderr, "%s\n", path); /* what a crash leaves behind names the file */
            target->run((const uint8_t *)bytes, size);
            free(bytes);
            free(path);
            n++;
        }
    }
    if (stream != NULL) {
        closedir(stream);
    }
    return n;
}

START_TEST(no_input_breaks_the_target)
{
    const struct fuzz_target *target = &fuzz_targets[_i];
    ck_assert_msg(run_folder(target, "seeds") > 0, "%s: no seeds", target->name);
    run_folder(target, "regressions");
    target->run((const uint8_t *)"", 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("fuzz_regressions");
    for (int i = 0; fuzz_targets[i].name != NULL; i++) {
        TCase *tcase = tcase_create(fuzz_targets[i].name);
        tcase_set_timeout(tcase, 60);
        tcase_add_loop_test(tcase, no_input_breaks_the_target, i, i + 1);
        suite_add_tcase(suite, tcase);
    }
    return suite;
}
