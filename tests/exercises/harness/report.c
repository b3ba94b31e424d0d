#include "report.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "compare.h"
#include "page.h"
#include "properties.h"
#include "quote.h"

enum { SHOWN_VALUES = 8, TITLE_COLUMN = 46 };

static const enum text state_text[] = {TEXT_DONE,    TEXT_NOT_STARTED, TEXT_WRONG,        TEXT_CRASH,
                                       TEXT_TIMEOUT, TEXT_TOO_MUCH,    TEXT_BUILD_FAILED, TEXT_CANNOT_CHECK};

const char *report_state(enum language language, enum state state)
{
    return text(language, state_text[state]);
}

static const char *colour_of(const struct style *style, enum state state)
{
    if (!style->colour) {
        return "";
    }
    return state == STATE_DONE ? "\x1b[32m" : state == STATE_NOT_STARTED ? "\x1b[2m" : "\x1b[31m";
}

static const char *colour_end(const struct style *style)
{
    return style->colour ? "\x1b[0m" : "";
}

void report_line(FILE *out, const struct verdict *v, const struct style *style)
{
    const char *state = report_state(style->language, v->state);
    if (style->plain) {
        fprintf(out, "%s, %s: %s", v->id, v->title, state);
    } else {
        int pad = TITLE_COLUMN - page_columns(v->title);
        fprintf(out, "  %-5s %s%*s %s%s%s", v->id, v->title, pad > 0 ? pad : 0, "",
                colour_of(style, v->state), state, colour_end(style));
    }
    fputc('\n', out);
}

static void print_value(FILE *out, const struct array *array, int i, const struct style *style, int width)
{
    char value[64];
    if (array->mark[i] == MARK_UNWRITTEN) {
        snprintf(value, sizeof value, "%s", text(style->language, TEXT_UNWRITTEN));
    } else if (array->mark[i] == MARK_NAN) {
        snprintf(value, sizeof value, "nan");
    } else if (array->type == 'i') {
        snprintf(value, sizeof value, "%.0f", array->value[i]);
    } else {
        snprintf(value, sizeof value, "%.9g", array->value[i]);
    }
    int pad = width - page_columns(value);
    fprintf(out, "%*s%s", pad > 0 ? pad : 0, "", value);
}

static void print_input(FILE *out, const struct array *input, const struct style *style)
{
    fprintf(out, "%s = ", input->name);
    if (input->type == 't') {
        fputc('"', out);
        for (int i = 0; i < input->n; i++) {
            int c = (int)input->value[i];
            if (c >= 0x20 && c != 0x7f) {
                fputc(c, out);
            } else {
                fprintf(out, "\\x%02x", (unsigned)c);
            }
        }
        fputs("\"\n", out);
        return;
    }
    for (int i = 0; i < input->n && i < 12; i++) {
        print_value(out, input, i, style, 0);
        fputc(i + 1 < input->n ? ' ' : '\n', out);
    }
    if (input->n > 12) {
        fprintf(out, "… (%d)\n", input->n);
    }
    if (input->n == 0) {
        fputs("(0)\n", out);
    }
}

static void label(FILE *out, const struct style *style, enum text which)
{
    const char *name = text(style->language, which);
    if (style->plain) {
        fprintf(out, "%s: ", name);
    } else {
        int pad = 9 - page_columns(name);
        fprintf(out, "  %s%*s", name, pad > 0 ? pad : 1, "");
    }
}

static const struct array *wanted_output(const struct verdict *v)
{
    const struct one_case *wanted = &v->variants[0].cases[v->case_index];
    return v->output_index < wanted->n_outputs ? &wanted->output[v->output_index] : NULL;
}

static const struct array *got_output(const struct verdict *v)
{
    if (v->case_index >= v->got.n_cases || v->output_index >= v->got.cases[v->case_index].n_outputs) {
        return NULL;
    }
    return &v->got.cases[v->case_index].output[v->output_index];
}

/* Expected and got side by side, around the first difference. A prediction's right value is not given away: the program
 * that prints it is one command away. */
static void print_difference(FILE *out, const struct verdict *v, const struct style *style)
{
    const struct array *wanted = wanted_output(v);
    const struct array *got = got_output(v);
    if (wanted == NULL || got == NULL || got->n != wanted->n) {
        return;
    }
    if (got->broken_before) {
        fputs("  ", out);
        fprintf(out, text(style->language, TEXT_WROTE_BEFORE), got->name);
        fputc('\n', out);
    }
    if (got->broken_after) {
        fputs("  ", out);
        fprintf(out, text(style->language, TEXT_WROTE_AFTER), got->name);
        fputc('\n', out);
    }
    if (v->element < 0) {
        return;
    }
    int first = v->element >= 2 ? v->element - 2 : 0;
    int last = first + SHOWN_VALUES < wanted->n ? first + SHOWN_VALUES : wanted->n;
    label(out, style, TEXT_OUTPUT);
    if (!style->plain) {
        const char *expected_head = v->prediction ? "" : text(style->language, TEXT_EXPECTED);
        const char *got_head = text(style->language, TEXT_GOT);
        int name_pad = 12 - page_columns(wanted->name);
        fprintf(out, "%s%*s%*s%s%*s%s", wanted->name, name_pad > 0 ? name_pad : 0, "",
                18 - page_columns(expected_head), "", expected_head, 18 - page_columns(got_head), "",
                got_head);
    } else {
        fputs(wanted->name, out);
    }
    fputc('\n', out);
    for (int i = first; i < last; i++) {
        bool wrong = !compare_element(got, wanted, i);
        if (style->plain) {
            fprintf(out, "[%d] ", i);
            if (!v->prediction) {
                fprintf(out, "%s ", text(style->language, TEXT_EXPECTED));
                print_value(out, wanted, i, style, 0);
                fputs(", ", out);
            }
            fprintf(out, "%s ", text(style->language, TEXT_GOT));
            print_value(out, got, i, style, 0);
        } else {
            fprintf(out, "           [%-4d]     ", i);
            if (v->prediction) {
                fprintf(out, "%18s", "?");
            } else {
                print_value(out, wanted, i, style, 18);
            }
            print_value(out, got, i, style, 18);
        }
        if (i == v->element) {
            fprintf(out, "  <- %s", text(style->language, TEXT_FIRST_DIFFERENCE));
        } else if (wrong) {
            fputs("  <-", out);
        }
        fputc('\n', out);
    }
}

static void print_case(FILE *out, const struct verdict *v, const struct style *style)
{
    const struct one_case *wanted = &v->variants[0].cases[v->case_index];
    label(out, style, TEXT_CASE);
    fprintf(out, "%s   (", wanted->name);
    fprintf(out, text(style->language, TEXT_CASES_RIGHT), v->cases_right, v->variants[0].n_cases);
    fputs(")\n", out);
    for (int i = 0; i < wanted->n_inputs; i++) {
        label(out, style, TEXT_INPUT);
        print_input(out, &wanted->input[i], style);
    }
}

static void print_message(FILE *out, const struct verdict *v, const struct style *style)
{
    struct message message;
    const char *name = v->variants[v->misconception].name;
    if (!text_message(&message, v->messages, name, style->language)) {
        fprintf(out, "\n  %s\n", name);
        return;
    }
    fputc('\n', out);
    page_wrapped(out, "", message.did, style->plain);
    if (message.right[0] != '\0') {
        page_wrapped(out, text(style->language, TEXT_RIGHT_IS), message.right, style->plain);
    }
    if (message.section[0] != '\0') {
        page_wrapped(out, text(style->language, TEXT_SEE), message.section, style->plain);
    }
}

static void explain_wrong(FILE *out, const struct verdict *v, const struct style *style)
{
    print_case(out, v, style);
    print_difference(out, v, style);
    if (v->got.garbled) {
        fprintf(out, "\n  %s\n", text(style->language, TEXT_CHANNEL));
    }
    if (v->misconception > 0) {
        print_message(out, v, style);
    } else if (!v->got.ended && !v->got.garbled) {
        fputs("\n  ", out);
        fprintf(out, text(style->language, TEXT_LEFT_EARLY), v->run.code);
        fputc('\n', out);
    } else {
        fprintf(out, "\n  %s\n", text(style->language, TEXT_TRUE_ABOUT));
        if (v->prediction) { /* factors and norms would give the numbers away */
            fprintf(out, "    - ");
            fprintf(out, text(style->language, TEXT_CASES_RIGHT), v->cases_right, v->variants[0].n_cases);
            fputc('\n', out);
            return;
        }
        properties_write(out, style->language, &v->got, &v->variants[0], v->case_index, v->output_index);
    }
}

static void explain_unfinished(FILE *out, const struct verdict *v, const struct style *style)
{
    fputs("  ", out);
    if (v->state == STATE_CRASH) {
        fprintf(out, text(style->language, TEXT_SIGNAL), v->run.code, strsignal(v->run.code));
        if (v->place[0] != '\0') {
            fputs(", ", out);
            fprintf(out, text(style->language, TEXT_AT_LINE), v->place);
        }
    } else if (v->state == STATE_TIMEOUT) {
        fprintf(out, text(style->language, TEXT_TIME_OVER), v->seconds);
    } else {
        fputs(text(style->language, TEXT_OUTPUT_OVER), out);
    }
    fputc('\n', out);
    print_case(out, v, style);
    fprintf(out, "  %s\n", text(style->language, TEXT_NO_CASE));
}

void report_explain(FILE *out, const struct verdict *v, const struct style *style)
{
    report_line(out, v, style);
    fprintf(out, style->plain ? "%s\n" : "        %s\n", v->file);
    if (v->state == STATE_DONE) {
        quote_warnings(out, v->build_log, style->language);
        return;
    }
    fputc('\n', out);
    switch (v->state) {
    case STATE_BUILD_FAILED: quote_first_error(out, v->build_log != NULL ? v->build_log : v->file); break;
    case STATE_WRONG: explain_wrong(out, v, style); break;
    case STATE_CRASH:
    case STATE_TIMEOUT:
    case STATE_TOO_MUCH: explain_unfinished(out, v, style); break;
    case STATE_DONE:
    case STATE_NOT_STARTED:
    case STATE_CANNOT_CHECK: break;
    }
    if (v->state != STATE_NOT_STARTED) {
        quote_output(out, v->run.output, v->run.output_size, style->language);
        if (v->state != STATE_BUILD_FAILED) {
            quote_warnings(out, v->build_log, style->language);
        }
        fputc('\n', out);
    }
    fprintf(out, "  %s make exercise EX=%s    %s make hint EX=%s\n",
            text(style->language, v->state == STATE_NOT_STARTED ? TEXT_BEGIN : TEXT_AGAIN), v->id,
            text(style->language, TEXT_HINT), v->id);
}

void report_record(FILE *out, const struct verdict *v)
{
    struct message message = {"", "", ""};
    const char *name = v->misconception > 0 ? v->variants[v->misconception].name : "";
    if (v->misconception > 0) {
        text_message(&message, v->messages, name, ENGLISH);
    }
    fprintf(out, "%s\t%s\t%d\t%d\t%s\t%s\n", v->id, report_state(ENGLISH, v->state), v->cases_right,
            v->n_variants > 0 ? v->variants[0].n_cases : 0, name, message.did);
}
