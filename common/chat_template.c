#include "common/chat_template.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/jinja_string.h"
#include "common/json.h"
#include "common/mapped_file.h"

static const char turn_start[] = "<|im_start|>", system_start[] = "<|im_start|>system",
                  turn_end[] = "<|im_end|>";

void chat_template_free(struct chat_template *chat)
{
    free(chat->default_system);
    chat->default_system = NULL;
}

static const char *find(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    for (; text != NULL && (size_t)(end - text) >= length; text++) {
        text = memchr(text, word[0], (size_t)(end - text) - length + 1);
        if (text == NULL || memcmp(text, word, length) == 0) {
            return text;
        }
    }
    return NULL;
}

static bool starts_with(const char *text, const char *end, const char *word)
{
    return (size_t)(end - text) >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

/* Reads the literal between "<|im_start|>system\n", where string->at is, and "<|im_end|>" into out, which holds as many
 * bytes as are left in the string. False when it is not written in this one string. */
static bool read_system_message(struct jinja_string string, char *out)
{
    string.at += strlen(system_start);
    char newline[JINJA_CHARACTER_MAX];
    if (jinja_string_next(&string, newline) != 1 || newline[0] != '\n') {
        return false;
    }
    size_t n = 0;
    while (string.at < string.end && !starts_with(string.at, string.end, turn_end)) {
        n += jinja_string_next(&string, out + n);
    }
    out[n] = '\0';
    return string.at < string.end;
}

enum status chat_template_parse(struct chat_template *chat, const char *text, size_t length,
                                struct error *error)
{
    const char *end = text + length;
    chat->default_system = NULL;
    if (find(text, end, turn_start) == NULL || find(text, end, turn_end) == NULL) {
        return error_set(error, STATUS_UNSUPPORTED,
                         "chat template: expected ChatML, with %s and %s, found another format", turn_start,
                         turn_end);
    }
    char *message = malloc(length + 1);
    if (message == NULL) {
        return error_no_memory(error, "chat template", length + 1);
    }
    struct jinja_strings walk = {.at = text, .end = end};
    struct jinja_string string;
    while (jinja_strings_next(&walk, &string)) {
        const char *start = find(string.at, string.end, system_start);
        /* One look into each string: what follows the first start of a system turn there is its message or code. */
        string.at = start;
        if (start != NULL && read_system_message(string, message)) {
            chat->default_system = message;
            return STATUS_OK;
        }
    }
    free(message);
    return STATUS_OK;
}

static enum status no_template(const char *folder, struct error *error)
{
    return error_set(
        error, STATUS_UNSUPPORTED,
        "%s: expected a chat template (chat_template.jinja, or chat_template in tokenizer_config.json), "
        "found none: this model is not made for chat",
        folder);
}

/* The template in tokenizer_config.json, borrowed from config; NULL when there is none. */
static const json_t *find_template(const json_t *config)
{
    const json_t *entry = json_member(config, "chat_template");
    for (size_t i = 0; json_is_array(entry) && i < json_array_size(entry); i++) {
        const json_t *named = json_array_get(entry, i);
        const json_t *name = json_member(named, "name");
        if (json_text_is(name, "default")) {
            return json_member(named, "template");
        }
    }
    return json_is_array(entry) ? NULL : entry;
}

static enum status load_from_config(struct chat_template *chat, const char *folder, const char *path,
                                    struct error *error)
{
    json_t *config = NULL;
    enum status status = json_read_file(&config, path, error);
    if (status != STATUS_OK) {
        return status;
    }
    const json_t *text = find_template(config);
    if (text == NULL) {
        status = no_template(folder, error);
    } else if (!json_is_string(text)) {
        char found[JSON_SHOWN];
        status = error_set(error, STATUS_FORMAT, "%s: chat_template: expected a string, found %s", path,
                           json_show(found, text));
    } else if (chat_template_parse(chat, json_string_value(text), json_string_length(text), error) !=
               STATUS_OK) {
        status = error_in(error, path);
    }
    json_decref(config);
    return status;
}

static enum status load_from_file(struct chat_template *chat, const char *path, struct error *error)
{
    struct mapped_file file;
    enum status status = mapped_file_open(&file, path, error);
    if (status != STATUS_OK) {
        return status;
    }
    const char *text = file.size > 0 ? (const char *)file.data : "";
    if (chat_template_parse(chat, text, file.size, error) != STATUS_OK) {
        status = error_in(error, path);
    } else if (mapped_file_check_size(&file, path, error) != STATUS_OK) {
        status = error->status;
        chat_template_free(chat);
    }
    mapped_file_close(&file);
    return status;
}

/* A link counts even when what it points to is gone: the message then names it. */
static bool is_missing(const char *path)
{
    struct stat about;
    return lstat(path, &about) != 0 && errno == ENOENT;
}

enum status chat_template_load(struct chat_template *chat, const char *folder, struct error *error)
{
    char *jinja = NULL;
    char *config = NULL;
    chat->default_system = NULL;
    enum status status = path_in_folder(&jinja, folder, "chat_template.jinja", error);
    if (status == STATUS_OK) {
        status = path_in_folder(&config, folder, "tokenizer_config.json", error);
    }
    if (status == STATUS_OK) {
        status = !is_missing(jinja)    ? load_from_file(chat, jinja, error)
                 : !is_missing(config) ? load_from_config(chat, folder, config, error)
                                       : no_template(folder, error);
    }
    free(jinja);
    free(config);
    return status;
}
