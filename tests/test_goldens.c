/* Runs last: every value of the reference that is in tests/goldens has been compared by some test. golden_* functions and
 * golden_mark record what was used in $BUILD/golden-used/<file>.txt; what is not there was never looked at. */
#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/golden.h"
#include "tests/support/test.h"

/* Whether item is one of the lines of the file's record. */
static bool was_used(const char *file, const char *item)
{
    char path[512];
    char line[256];
    const char *build = getenv("BUILD");
    snprintf(path, sizeof path, "%s/golden-used/%s.txt", build != NULL ? build : "build", file);
    FILE *log = fopen(path, "r");
    bool found = false;
    while (log != NULL && !found && fgets(line, sizeof line, log) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        found = strcmp(line, item) == 0;
    }
    if (log != NULL) {
        fclose(log);
    }
    return found;
}

/* The names in a golden's header that no test used, in the failure's message. */
static void check_tensors(const char *name)
{
    static const char after_name[] = "\":{\"dtype\"";
    struct golden golden;
    char missing[2048] = "";
    int n = 0;
    golden_open(&golden, name);
    for (const char *at = strstr(golden.header, after_name); at != NULL; at = strstr(at + 1, after_name)) {
        const char *first = at;
        while (first[-1] != '"') {
            first--;
        }
        char tensor[128];
        snprintf(tensor, sizeof tensor, "%.*s", (int)(at - first), first);
        n++;
        if (!was_used(name, tensor)) {
            size_t length = strlen(missing);
            snprintf(missing + length, sizeof missing - length, " %s", tensor);
        }
    }
    golden_close(&golden);
    ck_assert_int_gt(n, 0);
    ck_assert_msg(missing[0] == '\0', "%s: never compared:%s", name, missing);
}

START_TEST(every_tensor_was_compared)
{
    static const char ending[] = ".safetensors";
    DIR *folder = opendir("tests/goldens");
    ck_assert_ptr_nonnull(folder);
    int n = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char *dot = strstr(entry->d_name, ending);
        if (dot != NULL && dot[sizeof ending - 1] == '\0') {
            *dot = '\0';
            check_tensors(entry->d_name);
            n++;
        }
    }
    closedir(folder);
    ck_assert_int_gt(n, 0);
}
END_TEST

/* Items are line numbers from 1. */
static void check_lines(const char *relative, const char *name)
{
    FILE *file = fopen(golden_path(relative), "r");
    ck_assert_ptr_nonnull(file);
    int line = 1;
    bool inside = false;
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        inside = c != '\n';
        if (!inside) {
            char item[16];
            snprintf(item, sizeof item, "%d", line++);
            ck_assert_msg(was_used(name, item), "%s: line %s was never compared", relative, item);
        }
    }
    fclose(file);
    ck_assert_int_gt(line, 1);
}

START_TEST(every_line_was_compared)
{
    check_lines("tiny-stories.jsonl", "tiny-stories.jsonl");
    check_lines("tokenizer/tokenizer.jsonl", "tokenizer.jsonl");
    check_lines("tokenizer/decode.jsonl", "decode.jsonl");
    check_lines("tokenizer/chat.jsonl", "chat.jsonl");
}
END_TEST

START_TEST(every_ablation_and_position_was_compared)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_t *ablation = json_load_file(golden_path("tiny-stories-ablation.json"), 0, NULL);
    ck_assert_ptr_nonnull(ablation);
    json_object_foreach(json_object_get(ablation, "perplexity"), key, value)
    {
        ck_assert_msg(was_used("tiny-stories-ablation.json", key), "ablation %s was never compared", key);
    }
    json_decref(ablation);
    json_t *positions = json_load_file(golden_path("tiny-stories-positions.json"), 0, NULL);
    ck_assert_ptr_nonnull(positions);
    json_object_foreach(positions, key, value)
    {
        ck_assert_msg(!json_is_array(value) || was_used("tiny-stories-positions.json", key),
                      "positions %s was never compared", key);
    }
    json_decref(positions);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("goldens");
    add_test(suite, "every tensor was compared", every_tensor_was_compared);
    add_test(suite, "every line was compared", every_line_was_compared);
    add_test(suite, "every ablation and position was compared", every_ablation_and_position_was_compared);
    return suite;
}
