/* session.c: opens the model that the flags name, and reads the prompt. */
#include <string.h>
#include <time.h>

#include "chapter6.h"
#include "common/huge_pages.h"
#include "common/mapped_file.h"
#include "common/matmul.h"
#include "common/plot.h"

enum status bundled_file(char *path, size_t size, const char *name, struct error *error)
{
    char relative[256];
    snprintf(relative, sizeof relative, "chapters/06-qwen2.5/%s", name);
    return plot_find_file(path, size, relative, error);
}

/* These modes read no prompt. */
static bool own_text(const struct settings *s)
{
    return s->chat || s->ablate || s->perplexity != NULL || s->positions != NULL || s->float64 != NULL;
}

/* One at a time; *mode NULL: none. */
static enum status find_mode(const char **mode, const struct settings *s, struct error *error)
{
    const struct {
        bool given;
        const char *name;
    } modes[] = {{s->chat, "chat"},
                 {s->text, "text"},
                 {s->trace, "trace"},
                 {s->check, "check"},
                 {s->verify, "verify"},
                 {s->perplexity != NULL, "perplexity"},
                 {s->positions != NULL, "positions"},
                 {s->float64 != NULL, "float64"},
                 {s->ablate, "ablate"},
                 {s->kernels, "kernels"}};
    *mode = NULL;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (modes[i].given && *mode != NULL) {
            return error_set(error, STATUS_USAGE, "--%s and --%s: one at a time", *mode, modes[i].name);
        }
        *mode = modes[i].given ? modes[i].name : *mode;
    }
    return STATUS_OK;
}

/* No flag that the mode would ignore. */
static enum status check_flags(const struct settings *s, struct error *error)
{
    const char *mode = NULL;
    if (find_mode(&mode, s, error) != STATUS_OK) {
        return error->status;
    }
    bool mystery_mode = mode == NULL || s->trace || s->check || s->perplexity != NULL;
    if (s->mystery_given && !mystery_mode) {
        return error_set(error, STATUS_USAGE,
                         "--mystery and --%s: only alone, or with --trace, --check or --perplexity", mode);
    }
    if (s->mystery_given && s->model != NULL) {
        return error_set(error, STATUS_USAGE, "--model: not with --mystery, which breaks the bundled model");
    }
    if (s->prompt != NULL && s->ids != NULL) {
        return error_set(error, STATUS_USAGE, "--prompt and --ids: one of them");
    }
    if (own_text(s) && (s->prompt != NULL || s->ids != NULL)) {
        return error_set(error, STATUS_USAGE, "--%s: not with --%s, which has a text of its own",
                         s->prompt != NULL ? "prompt" : "ids", mode);
    }
    if (s->verify && (s->prompt != NULL || s->ids != NULL)) {
        return error_set(error, STATUS_USAGE, "--%s: not with --verify, which reads the weights alone",
                         s->prompt != NULL ? "prompt" : "ids");
    }
    if (s->precision_given && s->float64 != NULL) {
        return error_set(error, STATUS_USAGE, "--precision: not with --float64, which measures both");
    }
    if (s->system != NULL && !s->chat) {
        return error_set(error, STATUS_USAGE, "--system: only with --chat");
    }
    if (s->positions != NULL && s->model != NULL) {
        return error_set(error, STATUS_USAGE,
                         "--model: not with --positions, which compares the bundled models");
    }
    return STATUS_OK;
}

/* generation_config.json says how to sample; a flag overrides it, and one that only makes sense for sampling asks for
 * sampling. --temperature 0 is greedy: the limit of a distribution that gets sharper. */
static struct sampler_settings choose_sampling(const struct generation_config *config,
                                               const struct settings *s)
{
    bool asked = s->temperature_given || s->top_k_given || s->top_p_given;
    double temperature = s->temperature_given ? s->temperature : config->temperature;
    return (struct sampler_settings){
        .greedy = s->greedy || temperature == 0 || (!config->do_sample && !asked),
        .temperature = temperature > 0 ? temperature : 1,
        .top_k = s->top_k_given ? s->top_k : config->top_k,
        .top_p = s->top_p_given ? s->top_p : config->top_p,
        .repetition_penalty =
            s->repetition_penalty_given ? s->repetition_penalty : config->repetition_penalty};
}

/* With --ids and --verify no tokenizer is needed: without one, ids stand where pieces would. */
static enum status open_tokenizer(struct settings *s, struct error *error)
{
    struct session *session = &s->session;
    struct error ignored = {STATUS_OK, ""};
    bool optional = s->ids != NULL || s->verify;
    struct error *mine = optional ? &ignored : error;
    int rows = session->model.config.vocab_size;
    enum status status = tokenizer_load(&session->tokenizer, session->folder, mine);
    if (status == STATUS_OK && tokenizer_size(session->tokenizer) > rows) {
        status = error_set(
            mine, STATUS_UNSUPPORTED,
            "%s/tokenizer.json: found ids up to %d, expected at most %d: the model's vocab_size is %d",
            session->folder, tokenizer_size(session->tokenizer) - 1, rows - 1, rows);
    }
    if (status != STATUS_OK) {
        tokenizer_free(session->tokenizer);
        session->tokenizer = NULL;
    }
    return optional ? STATUS_OK : status;
}

/* Files are used where they lie; one that is cut short meanwhile must not look like an error of the program. */
static void report_shrinking(const struct settings *s, const char *folder)
{
    char message[512];
    const char *text = s->perplexity != NULL ? s->perplexity : s->positions;
    snprintf(message, sizeof message, "chapter6: %.200s%s%.200s: %s became shorter while it was in use",
             folder, text != NULL ? " or " : "", text != NULL ? text : "",
             text != NULL ? "a file" : "a file of the model");
    mapped_file_report_shrinking(message);
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Says what came of it: the system may have had too few pages of 2 MB. */
static enum status use_huge_pages(struct session *session, struct error *error)
{
    struct memory_use use;
    double start = seconds();
    enum status status = qwen2_use_huge_pages(&session->model, error);
    double taken = seconds() - start;
    if (status == STATUS_OK && memory_use_read(&use)) {
        fprintf(stderr, "huge pages: %.1f of %.1f MB of weights, copied in %.3f s; %.1f MB in memory\n",
                (double)use.huge / 1e6, (double)qwen2_weight_bytes(&session->model) / 1e6, taken,
                (double)use.resident / 1e6);
    }
    return status;
}

enum status session_open(struct settings *s, struct error *error)
{
    struct session *session = &s->session;
    enum status status = check_flags(s, error);
    if (status == STATUS_OK) {
        status = matmul_choose_kernel(NULL, error);
    }
    matmul_set_threads(s->threads);
    matmul_set_precision((enum matmul_precision)s->precision);
    if (status != STATUS_OK || s->kernels) {
        return status;
    }
    if (s->model == NULL) {
        status = bundled_file(session->folder, sizeof session->folder, "tiny-stories", error);
    } else if (s->model[0] == '\0') { /* "" + "/config.json" would be a file of the whole system */
        return error_set(error, STATUS_USAGE, "--model '': expected a folder");
    } else {
        size_t length = strlen(s->model);
        if (length >= sizeof session->folder) {
            return error_set(error, STATUS_USAGE, "--model: a path of %zu bytes is too long", length);
        }
        memcpy(session->folder, s->model, length + 1);
    }
    report_shrinking(s, session->folder);
    if (status == STATUS_OK) {
        status = qwen2_load(&session->model, session->folder, error);
    }
    if (status == STATUS_OK && s->huge_pages) {
        status = use_huge_pages(session, error);
    }
    if (status == STATUS_OK) {
        status = generation_config_load(&session->generation, session->folder, error);
    }
    if (status == STATUS_OK) {
        status = open_tokenizer(s, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    int trained = session->model.config.max_seq_len;
    session->context = s->context > 0 ? s->context : trained < DEFAULT_CONTEXT ? trained : DEFAULT_CONTEXT;
    session->fault = mystery_fault(s->mystery);
    session->sampling = choose_sampling(&session->generation, s);
    return own_text(s) || s->verify ? STATUS_OK : prompt_read(s, error);
}

enum status session_check_data(void *settings, const char *name, struct error *error)
{
    static const char *const healthy[] = {"generated", "next", "ablation", "positions"};
    const struct settings *s = settings;
    const char *mode = NULL;
    enum status status = find_mode(&mode, s, error);
    if (status == STATUS_OK && mode != NULL) {
        status = error_set(error, STATUS_USAGE, "--%s: not with --data or --plot", mode);
    }
    for (size_t i = 0; s->mystery_given && i < sizeof healthy / sizeof healthy[0]; i++) {
        if (strcmp(name, healthy[i]) == 0) {
            status =
                error_set(error, STATUS_USAGE, "--mystery: of --data, only tokens, logits, hidden and norms");
        }
    }
    return status;
}

void session_close(struct session *session)
{
    token_ids_free(&session->prompt);
    tokenizer_free(session->tokenizer);
    qwen2_free(&session->model);
}

int write_piece(FILE *out, const struct session *session, int32_t id)
{
    size_t length = 0;
    if (session->tokenizer == NULL) {
        return fprintf(out, "-");
    }
    const char *piece = tokenizer_piece(session->tokenizer, id, &length);
    int columns = 2;
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)piece[i];
        if (c == '\n') {
            columns += fprintf(out, "\\n");
        } else if (c == '"' || c == '\\') {
            columns += fprintf(out, "\\%c", c);
        } else if (c < ' ' || c >= 127) { /* a byte of a longer character may stand alone in a token */
            columns += fprintf(out, "\\x%02x", c);
        } else {
            fputc(c, out);
            columns++;
        }
    }
    fputc('"', out);
    return columns;
}
