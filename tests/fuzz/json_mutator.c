#include "tests/fuzz/json_mutator.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

/* A place in the text: the member of an object, or an element of a list. */
struct place {
    json_t *parent;
    const char *key; /* NULL: an element of a list */
    size_t index;
};

enum { MAX_PLACES = 1024 };

struct places {
    struct place place[MAX_PLACES];
    size_t n;
};

static void collect(struct places *places, json_t *value)
{
    const char *key = NULL;
    json_t *child = NULL;
    size_t index = 0;
    json_object_foreach(value, key, child)
    {
        if (places->n < MAX_PLACES) {
            places->place[places->n++] = (struct place){value, key, 0};
            collect(places, child);
        }
    }
    json_array_foreach(value, index, child)
    {
        if (places->n < MAX_PLACES) {
            places->place[places->n++] = (struct place){value, NULL, index};
            collect(places, child);
        }
    }
}

static json_t *value_at(const struct place *place)
{
    return place->key != NULL ? json_object_get(place->parent, place->key)
                              : json_array_get(place->parent, place->index);
}

/* Values at which readers go wrong. */
static json_t *interesting(unsigned choice)
{
    static const json_int_t numbers[] = {0,       1,       -1,     2,      3,         7,        8,
                                         64,      255,     256,    65536,  INT_MAX,   INT_MIN,  UINT_MAX,
                                         1 << 21, 1 << 24, 151643, 151936, LLONG_MAX, LLONG_MIN};
    static const char *const texts[] = {"",    "default",       "yarn", "linear", "F32",  "BF16",
                                        "I64", "../x",          "/",    "a",      "silu", "\xc4\xa0",
                                        "a b", "full_attention"};
    const size_t n_numbers = sizeof numbers / sizeof numbers[0];
    const size_t n_texts = sizeof texts / sizeof texts[0];
    switch (choice % 8) {
    case 0: return json_null();
    case 1: return json_boolean(choice / 8 % 2);
    case 2: return json_real(choice / 8 % 2 != 0 ? 0.5 : -1e300);
    case 3: return json_string(texts[choice / 8 % n_texts]);
    case 4: return json_array();
    case 5: return json_object();
    default: return json_integer(numbers[choice / 8 % n_numbers]);
    }
}

/* A value near the one that is there. */
static json_t *neighbour(const json_t *value, unsigned choice)
{
    static const double factors[] = {2, 0.5, -1, 10};
    if (json_is_integer(value)) {
        unsigned long long number = (unsigned long long)json_integer_value(value);
        static const int steps[] = {1, -1, 8, -8};
        return json_integer((json_int_t)(number + (unsigned long long)(long long)steps[choice % 4]));
    }
    if (json_is_real(value)) {
        double number = json_real_value(value) * factors[choice % 4];
        return number - number == 0 ? json_real(number) : json_null();
    }
    if (json_is_string(value)) {
        uint8_t text[256];
        size_t length = json_string_length(value) < 128 ? json_string_length(value) : 128;
        memcpy(text, json_string_value(value), length);
        length = LLVMFuzzerMutate(text, length, sizeof text);
        return json_stringn((const char *)text, length); /* NULL when it is not UTF-8 */
    }
    return interesting(choice);
}

static void put(const struct place *place, json_t *value)
{
    if (value == NULL) {
        return;
    }
    if (place->key != NULL) {
        json_object_set_new_nocheck(place->parent, place->key, value);
    } else {
        json_array_set_new(place->parent, place->index, value);
    }
}

/* One more member or element, like another one in the text. */
static void add(const struct place *place, const struct place *other)
{
    json_t *copy = json_deep_copy(value_at(other));
    if (json_is_array(place->parent)) {
        json_array_insert_new(place->parent, place->index, copy);
    } else {
        const char *key = other->key != NULL ? other->key : "0";
        json_object_set_new_nocheck(place->parent, key, copy);
    }
}

/* Keys that the readers ask for, whether the text has them or not. */
static const char *known_key(unsigned choice)
{
    static const char *const keys[] = {"__metadata__",
                                       "dtype",
                                       "shape",
                                       "data_offsets",
                                       "weight_map",
                                       "model_type",
                                       "architectures",
                                       "auto_map",
                                       "is_causal",
                                       "use_mrope",
                                       "partial_rotary_factor",
                                       "hidden_act",
                                       "head_dim",
                                       "num_key_value_heads",
                                       "rope_theta",
                                       "rope_scaling",
                                       "rope_parameters",
                                       "rope_type",
                                       "type",
                                       "factor",
                                       "layer_types",
                                       "use_sliding_window",
                                       "sliding_window",
                                       "max_window_layers",
                                       "quantization_config",
                                       "dual_chunk_attention_config",
                                       "tie_word_embeddings",
                                       "lm_head.weight",
                                       "eos_token_id",
                                       "do_sample",
                                       "temperature",
                                       "top_k",
                                       "top_p",
                                       "repetition_penalty",
                                       "chat_template",
                                       "name",
                                       "template",
                                       "added_tokens",
                                       "content",
                                       "id",
                                       "special",
                                       "normalized",
                                       "lstrip",
                                       "single_word",
                                       "normalizer",
                                       "pre_tokenizer",
                                       "decoder",
                                       "model",
                                       "vocab",
                                       "merges",
                                       "byte_fallback",
                                       "ignore_merges"};
    return keys[choice % (sizeof keys / sizeof keys[0])];
}

/* The value under another key: one that a reader asks for, or one a little different. */
static void rename_member(const struct place *place, unsigned choice)
{
    uint8_t text[256] = {0};
    size_t length = strlen(place->key) < 128 ? strlen(place->key) : 128;
    json_t *value = json_incref(value_at(place));
    memcpy(text, place->key, length);
    json_object_del(place->parent, place->key);
    if (choice % 2 == 0) {
        json_object_set_new_nocheck(place->parent, known_key(choice / 2), value);
        return;
    }
    length = LLVMFuzzerMutate(text, length, sizeof text - 1);
    text[length] = '\0';
    json_t *key = json_string((const char *)text); /* NULL when it is not UTF-8 */
    json_object_set_new_nocheck(place->parent, key != NULL ? json_string_value(key) : "x", value);
}

static void change(const struct place *place, const struct place *other, unsigned choice)
{
    switch (choice % 8) {
    case 0: put(place, interesting(choice / 8)); break;
    case 1:
    case 2: put(place, neighbour(value_at(place), choice / 8)); break;
    case 3: put(place, json_deep_copy(value_at(other))); break;
    case 4: add(place, other); break;
    case 5:
        if (place->key != NULL) {
            json_object_set_new_nocheck(place->parent, known_key(choice / 8), interesting(choice / 8 / 53));
        }
        break;
    case 6:
        if (place->key != NULL) {
            rename_member(place, choice / 8);
        }
        break;
    default:
        if (place->key != NULL) {
            json_object_del(place->parent, place->key);
        } else {
            json_array_remove(place->parent, place->index);
        }
    }
}

size_t json_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static struct places places;
    fuzz_arena_begin();
    json_t *root = json_loadb((const char *)data, size, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
    size_t length = 0;
    places.n = 0;
    collect(&places, root);
    if (places.n > 0) {
        const struct place *place = &places.place[seed % places.n];
        const struct place *other = &places.place[seed / 7 % places.n];
        change(place, other, seed / 1009);
        length = json_dumpb(root, (char *)data, max_size, JSON_COMPACT | JSON_ENCODE_ANY);
    }
    fuzz_arena_end();
    return length <= max_size ? length
                              : 0; /* when it did not fit, data holds its beginning: bytes to go on with */
}
