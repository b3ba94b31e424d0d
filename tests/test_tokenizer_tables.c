#include "common/tokenizer_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"
#include "tests/support/tokens.h"

static struct error error;

static enum status read_vocabulary(struct vocabulary *vocabulary, const char *text)
{
    struct json_scan scan = {text, text + strlen(text)};
    enum status status = tokenizer_tables_vocabulary(vocabulary, scan, &error);
    return status == STATUS_OK ? vocabulary_index(vocabulary, &error) : status;
}

/* A vocabulary of the bytes and these further entries, in JSON. */
static void make_vocabulary(struct vocabulary *vocabulary, const char *more)
{
    char text[8192] = "{", *end = text + 1;
    for (int byte = 0; byte < 256; byte++) {
        char spelling[3];
        spell_byte(spelling, byte);
        end += sprintf(end, "\"%s%s\":%d,", byte == '"' || byte == '\\' ? "\\" : "", spelling, byte);
    }
    sprintf(end, "%s}", more);
    ck_assert_msg(read_vocabulary(vocabulary, text) == STATUS_OK, "%s", error.message);
}

START_TEST(entries_are_spellings_of_bytes)
{
    struct vocabulary vocabulary = {0};
    make_vocabulary(&vocabulary, "\"\\u0120\\u00e4\\u00bd\\u0142\" : 300 , \"a b\": 301, \"\": 302");
    ck_assert_int_eq(vocabulary.size, 303);
    for (int byte = 0; byte < 256; byte++) {
        char bytes[1] = {(char)byte};
        ck_assert_int_eq(vocabulary_find(&vocabulary, bytes, 1), byte);
    }
    ck_assert_int_eq(vocabulary_find(&vocabulary, " \u4f60", 4), 300);
    /* A space is no spelling of a byte: the entry is shown as it is written and never found. */
    size_t length;
    const char *piece = vocabulary_piece(&vocabulary, 301, &length);
    ck_assert_uint_eq(length, 3);
    ck_assert_mem_eq(piece, "a b", 3);
    ck_assert_int_eq(vocabulary_find(&vocabulary, "a b", 3), -1);
    ck_assert_int_eq(vocabulary_find(&vocabulary, "", 0), -1);
    vocabulary_free(&vocabulary);
}
END_TEST

START_TEST(broken_vocabularies_name_the_entry)
{
    static const char *const broken[][2] = {
        {"[]", "model.vocab: expected an object with tokens, found []"},
        {"{}", "model.vocab: expected an object with tokens, found {}"},
        {"{\"a\": 0, \"b\"}", "model.vocab[1]: expected a string, a colon and a whole number, found \"b\"}"},
        {"{\"a\": 0.5}", "model.vocab[0]: expected a string, a colon and a whole number, found \"a\": 0.5}"},
        {"{\"a\": -1}", "model.vocab[0]: expected a string, a colon and a whole number, found \"a\": -1}"},
        {"{\"a\": \"0\"}",
         "model.vocab[0]: expected a string, a colon and a whole number, found \"a\": \"0\"}"},
        {"{\"a\\x\": 0}",
         "model.vocab[0]: expected a string, a colon and a whole number, found \"a\\x\": 0}"},
        {"{\"a\": 0,}", "model.vocab[1]: expected a string, a colon and a whole number, found }"},
        {"{\"a\": 0 \"b\": 1}", "model.vocab[1]: expected a comma or }, found \"b\": 1}"},
        {"{\"a\": 0", "model.vocab[1]: expected a comma or }, found "},
        {"{\"a\": 5, \"b\": 5}", "model.vocab[1]: expected each id once, found 5 again"},
        {"{\"a\": 2097152}", "model.vocab[0]: expected an id from 0 to 2097151, found 2097152"},
        {"{\"a\": 1, \"a\": 2}", "ids 1 and 2 are the same token"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct vocabulary vocabulary = {0};
        ck_assert_int_eq(read_vocabulary(&vocabulary, broken[i][0]), STATUS_FORMAT);
        ck_assert_str_eq(error.message, broken[i][1]);
        vocabulary_free(&vocabulary);
    }
}
END_TEST

static enum status read_merges(struct bpe *bpe, const char *text)
{
    struct vocabulary vocabulary = {0};
    make_vocabulary(&vocabulary, "\"he\": 400, \"\\u0120t\": 256, \"\\u0120the\": 300");
    struct json_scan scan = {text, text + strlen(text)};
    enum status status = tokenizer_tables_merges(bpe, &vocabulary, scan, &error);
    vocabulary_free(&vocabulary);
    return status;
}

START_TEST(both_spellings_of_a_merge)
{
    static const char *const same[] = {
        "[\"h e\", \"\u0120 t\", \"\u0120t he\"]",
        " [ [ \"h\" , \"e\" ] , [\"\\u0120\",\"t\"],[\"\u0120t\", \"he\"] ] ",
        "[\"h e\", [\"\u0120\", \"t\"], \"\\u0120t he\"]",
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        struct bpe bpe = {.merges = {0}};
        ck_assert_msg(read_merges(&bpe, same[i]) == STATUS_OK, "%s", error.message);
        ck_assert_int_eq(bpe.byte_id['A'], 'A');
        ck_assert_int_eq(bpe.merges.n, 3);
        ck_assert_int_eq(merges_rank(&bpe.merges, 'h', 'e'), 0);
        ck_assert_int_eq(merges_rank(&bpe.merges, ' ', 't'), 1);
        ck_assert_int_eq(merges_rank(&bpe.merges, 256, 400), 2);
        ck_assert_int_eq(bpe.merges.id[0], 400);
        ck_assert_int_eq(bpe.merges.id[1], 256);
        ck_assert_int_eq(bpe.merges.id[2], 300);
        bpe_free(&bpe);
    }
}
END_TEST

START_TEST(unusable_merges_name_the_entry)
{
    static const char *const broken[][2] = {
        {"{}", "model.merges: expected a list with merges, found {}"},
        {"[]", "model.merges: expected a list with merges, found []"},
        {"[\"h e\", \"he\"]",
         "model.merges[1]: expected two tokens, as \"a b\" or [\"a\", \"b\"], found \"he\"]"},
        {"[\"h e\", \"h e x\"]",
         "model.merges[1]: expected two tokens, as \"a b\" or [\"a\", \"b\"], found \"h e x\"]"},
        {"[[\"h\"]]", "model.merges[0]: expected two tokens, as \"a b\" or [\"a\", \"b\"], found [\"h\"]]"},
        {"[[\"h\", \"e\", \"x\"]]",
         "model.merges[0]: expected two tokens, as \"a b\" or [\"a\", \"b\"], found [\"h\", \"e\", \"x\"]]"},
        {"[5]", "model.merges[0]: expected two tokens, as \"a b\" or [\"a\", \"b\"], found 5]"},
        {"[\"zz e\"]", "model.merges[0]: expected tokens of the vocabulary, found a first part that is none"},
        {"[\" e\"]", "model.merges[0]: expected tokens of the vocabulary, found a first part that is none"},
        {"[\"h zz\"]",
         "model.merges[0]: expected tokens of the vocabulary, found a second part that is none"},
        {"[[\"h\", \"\"]]",
         "model.merges[0]: expected tokens of the vocabulary, found a second part that is none"},
        {"[\"h \"]", "model.merges[0]: expected tokens of the vocabulary, found a second part that is none"},
        {"[\"h e\", \"x y\"]",
         "model.merges[1]: expected tokens of the vocabulary, found a pair joined that is none"},
        {"[\"h e\", \"h e\"]", "model.merges[1]: expected each pair once, found that of entry 0 again"},
        {"[\"h e\" \"h e\"]", "model.merges[1]: expected a comma or ], found \"h e\"]"},
        {"[\"h e\"", "model.merges[1]: expected a comma or ], found "},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct bpe bpe = {.merges = {0}};
        ck_assert_int_eq(read_merges(&bpe, broken[i][0]), STATUS_FORMAT);
        ck_assert_str_eq(error.message, broken[i][1]);
        bpe_free(&bpe);
    }
}
END_TEST

START_TEST(every_byte_needs_a_token)
{
    struct vocabulary vocabulary = {0};
    ck_assert_int_eq(read_vocabulary(&vocabulary, "{\"a\": 0, \"b\": 1, \"ab\": 2}"), STATUS_OK);
    struct bpe bpe = {.merges = {0}};
    const char *text = "[\"a b\"]";
    struct json_scan scan = {text, text + strlen(text)};
    ck_assert_int_eq(tokenizer_tables_merges(&bpe, &vocabulary, scan, &error), STATUS_FORMAT);
    ck_assert_str_eq(error.message, "model.vocab: expected a token for every byte, found none for 0x00");
    bpe_free(&bpe);
    vocabulary_free(&vocabulary);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("tokenizer_tables");
    add_test(suite, "entries", entries_are_spellings_of_bytes);
    add_test(suite, "broken vocabularies", broken_vocabularies_name_the_entry);
    add_test(suite, "both spellings", both_spellings_of_a_merge);
    add_test(suite, "unusable merges", unusable_merges_name_the_entry);
    add_test(suite, "every byte", every_byte_needs_a_token);
    return suite;
}
