/* The templates under tests/goldens/tokenizer/chat_templates are spellings met in published models. */
#include "common/chat_template.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/test.h"

static struct error error;

/* expected NULL: no default system turn */
static void assert_default(const struct chat_template *chat, const char *expected)
{
    if (expected == NULL) {
        ck_assert_ptr_null(chat->default_system);
    } else {
        ck_assert_ptr_nonnull(chat->default_system);
        ck_assert_str_eq(chat->default_system, expected);
    }
}

static void assert_parsed(const char *text, const char *expected)
{
    struct chat_template chat = {NULL};
    ck_assert_msg(chat_template_parse(&chat, text, strlen(text), &error) == STATUS_OK, "%s", error.message);
    assert_default(&chat, expected);
    chat_template_free(&chat);
    chat_template_free(&chat);
}

static const char qwen25_message[] = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.";

START_TEST(published_templates)
{
    static const char *const templates[][2] = {
        {"qwen2.5-instruct", qwen25_message}, /* after a branch for tools, which writes the turn in pieces */
        {"qwen2-instruct", "You are a helpful assistant."},
        {"escaped-backslash", "Reason step by step; the answer goes within \\boxed{}."},
        {"no-default-system", NULL},
    };
    for (size_t i = 0; i < sizeof templates / sizeof templates[0]; i++) {
        char name[128];
        snprintf(name, sizeof name, "tokenizer/chat_templates/%s.jinja", templates[i][0]);
        size_t size;
        char *text = read_bytes(golden_path(name), &size);
        assert_parsed(text, templates[i][1]);
        free(text);
    }
}
END_TEST

#define TURNS " {{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}"

START_TEST(the_literal_in_one_string)
{
    assert_parsed("{{ \"<|im_start|>system\\nIt's \\\"here\\\".<|im_end|>\\n\" }}" TURNS, "It's \"here\".");
    assert_parsed("{{ '<|im_start|>system\n\\u4f60\\u597d\\n2<|im_end|>\n' }}" TURNS, "\u4f60\u597d\n2");
    assert_parsed("{{ '<|im_start|>system\\n<|im_end|>\\n' }}" TURNS, "");
    assert_parsed("{{ 'x<|im_start|>system\\nfirst<|im_end|><|im_start|>system\\nsecond<|im_end|>' }}",
                  "first");
    /* not one string, no newline, outside of a string, in a comment, another role */
    assert_parsed("{{ '<|im_start|>system\\n' + text + '<|im_end|>' }}" TURNS, NULL);
    assert_parsed("{{ '<|im_start|>system x<|im_end|>' }}" TURNS, NULL);
    assert_parsed("{{ '<|im_start|>system' }}" TURNS, NULL);
    assert_parsed("<|im_start|>system\nx<|im_end|>" TURNS, NULL);
    assert_parsed("{# '<|im_start|>system\\nx<|im_end|>' #}" TURNS, NULL);
    assert_parsed("{{ '<|im_start|>systematic\\nx<|im_end|>' }}" TURNS, NULL);
    assert_parsed("don't {{ '<|im_start|>system\\ny<|im_end|>' }}", "y");
}
END_TEST

START_TEST(another_format_is_refused)
{
    struct chat_template chat = {NULL};
    const char *llama = "{{ '[INST] ' + messages[0].content + ' [/INST]' }}";
    ck_assert_int_eq(chat_template_parse(&chat, llama, strlen(llama), &error), STATUS_UNSUPPORTED);
    ck_assert_str_eq(
        error.message,
        "chat template: expected ChatML, with <|im_start|> and <|im_end|>, found another format");
    ck_assert_int_eq(chat_template_parse(&chat, "", 0, &error), STATUS_UNSUPPORTED);
}
END_TEST

static char *folder;

static void assert_loaded(const char *expected)
{
    struct chat_template chat = {NULL};
    ck_assert_msg(chat_template_load(&chat, folder, &error) == STATUS_OK, "%s", error.message);
    assert_default(&chat, expected);
    chat_template_free(&chat);
}

#define SYSTEM(text) "{{ '<|im_start|>system\\\\n" text "<|im_end|>' }}" /* inside JSON */

START_TEST(the_places_a_template_is_kept)
{
    folder = fresh_folder("chat_template");
    write_text(folder, "tokenizer_config.json", "{\"chat_template\": \"" SYSTEM("one") "\"}");
    assert_loaded("one");
    write_text(folder, "tokenizer_config.json",
               "{\"chat_template\": [{\"name\": \"tool_use\", \"template\": \"" SYSTEM(
                   "two") "\"}, "
                          "{\"name\": \"default\", \"template\": \"" SYSTEM("three") "\"}]}");
    assert_loaded("three");
    write_text(folder, "tokenizer_config.json",
               "{\"chat_template\": [{\"name\": \"default\", \"template\": \"" SYSTEM("first") "\"}]}");
    assert_loaded("first");
    write_text(folder, "chat_template.jinja", "{{ '<|im_start|>system\\nfour<|im_end|>' }}");
    assert_loaded("four");
    free(folder);
}
END_TEST

static void assert_not_loaded(enum status expected, const char *message)
{
    struct chat_template chat = {NULL};
    enum status status = chat_template_load(&chat, folder, &error);
    assert_error(status, &error, expected, folder, message);
    ck_assert_ptr_null(chat.default_system);
}

START_TEST(a_folder_without_a_template_is_refused)
{
    folder = fresh_folder("chat_template");
    char none[4096];
    snprintf(none, sizeof none,
             "%s: expected a chat template (chat_template.jinja, or chat_template in tokenizer_config.json), "
             "found "
             "none: this model is not made for chat",
             folder);
    struct chat_template chat = {NULL};
    static const char *const configs[] = {
        NULL, "{}", "{\"chat_template\": null}", "{\"chat_template\": []}",
        "{\"chat_template\": [{\"name\": \"rag\", \"template\": \"x\"}, 5]}"};
    for (size_t i = 0; i < sizeof configs / sizeof configs[0]; i++) {
        if (configs[i] != NULL) {
            write_text(folder, "tokenizer_config.json", configs[i]);
        }
        ck_assert_int_eq(chat_template_load(&chat, folder, &error), STATUS_UNSUPPORTED);
        ck_assert_str_eq(error.message, none);
    }
    write_text(folder, "tokenizer_config.json", "{\"chat_template\": 5}");
    assert_not_loaded(STATUS_FORMAT, "tokenizer_config.json: chat_template: expected a string, found 5");
    write_text(folder, "tokenizer_config.json", "{\"chat_template\": \"[INST]\"}");
    assert_not_loaded(STATUS_UNSUPPORTED,
                      "tokenizer_config.json: chat template: expected ChatML, with <|im_start|> and "
                      "<|im_end|>, found another format");
    write_text(folder, "tokenizer_config.json", "{");
    ck_assert_int_eq(chat_template_load(&chat, folder, &error), STATUS_FORMAT);
    write_text(folder, "chat_template.jinja", "");
    assert_not_loaded(STATUS_UNSUPPORTED,
                      "chat_template.jinja: chat template: expected ChatML, with <|im_start|> and "
                      "<|im_end|>, found another format");
    free(folder);
}
END_TEST

/* A link to a file that is gone is a damaged folder, not one without a template. */
START_TEST(a_link_to_nothing_is_an_error)
{
    folder = fresh_folder("chat_template");
    char *link = test_path(folder, "chat_template.jinja");
    write_text(folder, "tokenizer_config.json", "{\"chat_template\": \"" SYSTEM("one") "\"}");
    ck_assert_int_eq(symlink("gone", link), 0);
    assert_not_loaded(STATUS_IO, "chat_template.jinja: No such file or directory");
    free(link);
    free(folder);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chat_template");
    add_test(suite, "published templates", published_templates);
    add_test(suite, "one string", the_literal_in_one_string);
    add_test(suite, "another format", another_format_is_refused);
    add_test(suite, "places", the_places_a_template_is_kept);
    add_test(suite, "none", a_folder_without_a_template_is_refused);
    add_test(suite, "dangling link", a_link_to_nothing_is_an_error);
    return suite;
}
