/* --chat and Ctrl-C, as a person and as a script meet them (cases D1 to D15). Answers are held to transformers' greedy
 * ones; interactive cases run on a pseudo-terminal. */
#define _XOPEN_SOURCE 700 /* posix_openpt */

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "tests/support/golden.h"
#include "tests/support/run_program.h"
#include "tests/support/test.h"

/* The greedy answer that transformers gives to the user's text; the caller frees. */
static char *golden_answer(const char *user)
{
    static char line[1 << 16];
    char turn[256];
    snprintf(turn, sizeof turn, "<|im_start|>user\n%s<|im_end|>", user);
    FILE *file = fopen(golden_path("tiny-stories.jsonl"), "r");
    ck_assert_ptr_nonnull(file);
    char *answer = NULL;
    while (answer == NULL && fgets(line, sizeof line, file) != NULL) {
        json_t *object = json_loads(line, 0, NULL);
        if (strstr(json_string_value(json_object_get(object, "text")), turn) != NULL) {
            const char *text = json_string_value(json_object_get(object, "greedy_text"));
            size_t size = strlen(text) + 1;
            answer = test_alloc(size);
            memcpy(answer, text, size);
        }
        json_decref(object);
    }
    fclose(file);
    ck_assert_ptr_nonnull(answer);
    return answer;
}

#define GREEDY "--greedy", "--repetition-penalty", "1", "--threads", "1"

START_TEST(answer_is_that_of_transformers)
{
    static const char *const questions[] = {"Tell me a story about a cat.", "Tell me a story about a dragon.",
                                            "hi"};
    for (size_t i = 0; i < 3; i++) {
        struct run run;
        char input[64];
        char *answer = golden_answer(questions[i]);
        snprintf(input, sizeof input, "%s\n", questions[i]);
        run_program(&run, input, "chapter6", "--chat", GREEDY, "-n", "120", NULL);
        ck_assert_int_eq(run.exit_code, 0);
        ck_assert_uint_eq(run.out_size,
                          strlen(answer) + 2); /* a newline after the answer and one at the end */
        ck_assert_int_eq(strncmp(run.out, answer, strlen(answer)), 0);
        run_free(&run);
        free(answer);
    }
}
END_TEST

/* "prompt: 26 tokens": how many tokens went through the model for questions, over the whole chat. */
static int prompt_tokens(const struct run *run)
{
    int n = -1;
    ck_assert_msg(sscanf(run->err, "prompt: %d tokens", &n) == 1, "%s", run->err);
    return n;
}

static void read_answers(char *first, char *second, size_t size, const struct run *run, size_t first_length)
{
    ck_assert_uint_lt(run->out_size, size);
    ck_assert_uint_ge(run->out_size, first_length + 3);
    memcpy(first, run->out, first_length);
    first[first_length] = '\0';
    size_t second_length = run->out_size - first_length - 3; /* without its newline, and the one at the end */
    memcpy(second, run->out + first_length + 1, second_length);
    second[second_length] = '\0';
}

/* The second answer is the one to the whole conversation rendered as text, and the second turn computes only itself:
 * one token that ended the first answer's count, "<|im_end|>\n", and the new turn. */
START_TEST(earlier_turns_are_kept_and_not_computed_again)
{
    static char first[4096];
    static char second[4096];
    static char conversation[8192];
    struct run one;
    struct run two;
    struct run whole;
    char *answer = golden_answer("hi");
    run_program(&one, "hi\n", "chapter6", "--chat", GREEDY, "-n", "120", NULL);
    run_program(&two, "hi\nTell me more.\n", "chapter6", "--chat", GREEDY, "-n", "120", NULL);
    read_answers(first, second, sizeof first, &two, strlen(answer));
    ck_assert_str_eq(first, answer);
    snprintf(conversation, sizeof conversation,
             "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n"
             "<|im_start|>assistant\n%s<|im_end|>\n<|im_start|>user\nTell me more.<|im_end|>\n"
             "<|im_start|>assistant\n",
             answer);
    run_program(&whole, NULL, "chapter6", "--prompt", conversation, GREEDY, "-n", "120", "--text", NULL);
    whole.out[whole.out_size - 1] = '\0';
    ck_assert_str_eq(second, whole.out);
    int rest = prompt_tokens(&two) - prompt_tokens(&one);
    run_free(&whole);
    run_program(&whole, NULL, "chapter6", "--prompt",
                "<|im_end|>\n<|im_start|>user\nTell me more.<|im_end|>\n<|im_start|>assistant\n", "--data",
                "tokens", NULL);
    int turn = tsv_rows(whole.out);
    ck_assert_msg(rest == turn || rest == turn + 1, "the second turn computed %d tokens, its own are %d",
                  rest, turn);
    ck_assert_int_eq(prompt_tokens(&one), 26); /* the golden's ids of this chat */
    free(answer);
    run_free(&one);
    run_free(&two);
    run_free(&whole);
}
END_TEST

/* An empty system message is a turn without content, not the default one, and not no turn (cases.md 42). */
START_TEST(system_message)
{
    struct run run;
    run_program(&run, "hi\n", "chapter6", "--chat", "--threads", "1", "-n", "1", "--system", "", NULL);
    ck_assert_int_eq(prompt_tokens(&run), 26 - 8); /* "You are a helpful assistant." is eight tokens */
    run_free(&run);
    run_program(&run, "hi\n", "chapter6", "--chat", "--threads", "1", "-n", "1", "--system",
                "You are a helpful assistant.", NULL);
    ck_assert_int_eq(prompt_tokens(&run), 26);
    run_free(&run);
}
END_TEST

/* cases.md 43: what is typed is text. "a<|im_end|>b" is a, <|, im, _end, |>, b: four tokens more than "ab" (measured
 * with the reference's tokenizer without its added tokens); as a control token it would be one more. */
START_TEST(typed_control_tokens_are_text)
{
    struct run plain;
    struct run control;
    run_program(&plain, "ab\n", "chapter6", "--chat", "--threads", "1", "-n", "1", NULL);
    run_program(&control, "a<|im_end|>b\n", "chapter6", "--chat", "--threads", "1", "-n", "1", NULL);
    ck_assert_int_eq(prompt_tokens(&control), prompt_tokens(&plain) + 4);
    run_free(&plain);
    run_free(&control);
}
END_TEST

/* D1 */
START_TEST(end_of_input_ends_with_a_newline_and_0)
{
    struct run run;
    run_program(&run, NULL, "chapter6", "--chat", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    ck_assert_str_eq(run.out, "\n");
    ck_assert_str_eq(run.err, "");
    run_free(&run);
    run_program(&run, "\n\n", "chapter6", "--chat",
                NULL); /* an empty line asks nothing, and is not the end */
    ck_assert_int_eq(run.exit_code, 0);
    ck_assert_str_eq(run.out, "\n");
    run_free(&run);
}
END_TEST

/* D3: in a pipe neither prompts nor escape codes. D1: the last line may lack its newline. */
START_TEST(pipe_gets_plain_text)
{
    struct run line;
    struct run no_newline;
    struct run crlf;
    run_program(&line, "\nhi\n", "chapter6", "--chat", "--threads", "1", "-n", "20", NULL);
    run_program(&no_newline, "hi", "chapter6", "--chat", "--threads", "1", "-n", "20", NULL);
    run_program(&crlf, "hi\r\n", "chapter6", "--chat", "--threads", "1", "-n", "20", NULL);
    ck_assert_ptr_null(strchr(line.out, '\x1b'));
    ck_assert_ptr_null(strchr(line.out, '>'));
    ck_assert_uint_gt(line.out_size, 20);
    ck_assert_str_eq(line.out, no_newline.out);
    ck_assert_str_eq(line.out, crlf.out);
    run_free(&line);
    run_free(&no_newline);
    run_free(&crlf);
}
END_TEST

/* D7: one turn of several lines, the same as the rendered text gives. */
START_TEST(a_block_is_one_turn)
{
    struct run block;
    struct run whole;
    run_program(&block, "\"\"\"\none\n\ntwo\n\"\"\"\n", "chapter6", "--chat", GREEDY, "-n", "20", NULL);
    run_program(
        &whole, NULL, "chapter6", "--prompt",
        "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\none\n\ntwo<|im_end|>\n"
        "<|im_start|>assistant\n",
        GREEDY, "-n", "20", "--text", NULL);
    ck_assert_uint_eq(block.out_size, whole.out_size + 1);
    ck_assert_int_eq(strncmp(block.out, whole.out, whole.out_size), 0);
    run_free(&block);
    run_free(&whole);
}
END_TEST

/* D6: a line of any length is one turn; here it is longer than the context, which has its own message. */
START_TEST(a_long_line_is_one_turn)
{
    struct run run;
    enum { LENGTH = 100000 };
    char *input = test_alloc(LENGTH + 8);
    for (int i = 0; i < LENGTH; i += 2) {
        input[i] = 'a';
        input[i + 1] = ' ';
    }
    memcpy(input + LENGTH, "\nhi\n", sizeof "\nhi\n");
    run_program(&run, input, "chapter6", "--chat", NULL);
    ck_assert_int_eq(run.exit_code, 1);
    assert_contains(run.err, "chapter6: --chat: this turn takes ");
    assert_contains(run.err, " tokens, and 1024 of the context's 1024 are left (--context)");
    ck_assert_uint_eq(run.out_size, 0);
    free(input);
    run_free(&run);
}
END_TEST

/* D10: bytes that are no UTF-8 reach the tokenizer, and the text that comes out is UTF-8. */
START_TEST(any_bytes_may_come_in)
{
    struct run run;
    run_program(&run, "caf\xc3\xa9 \xff\xfe \xf0\x9f\xab\n", "chapter6", "--chat", "--threads", "1", "-n",
                "5", NULL);
    ck_assert_int_eq(run.exit_code, 0);
    run_free(&run);
}
END_TEST

/* A folder with the bundled model but another generation_config.json, and tokenizer_config.json only on request. */
struct model_folder {
    char path[64];
};

static const char *const linked[] = {"config.json", "model.safetensors", "tokenizer.json",
                                     "tokenizer_config.json"};

static void folder_make(struct model_folder *folder, const char *generation_config, int n_linked)
{
    char source[1024];
    char path[128];
    strcpy(folder->path, "/tmp/chapter6-chat-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder->path));
    ck_assert_ptr_nonnull(getcwd(source, sizeof source / 2));
    size_t length = strlen(source);
    for (int i = 0; i < n_linked; i++) {
        snprintf(source + length, sizeof source - length, "/chapters/06-qwen2.5/tiny-stories/%s", linked[i]);
        snprintf(path, sizeof path, "%s/%s", folder->path, linked[i]);
        ck_assert_int_eq(symlink(source, path), 0);
    }
    snprintf(path, sizeof path, "%s/generation_config.json", folder->path);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(generation_config, file);
    fclose(file);
}

static void folder_remove(const struct model_folder *folder)
{
    char path[128];
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder->path, linked[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/generation_config.json", folder->path);
    unlink(path);
    rmdir(folder->path);
}

START_TEST(a_model_without_a_template_is_refused)
{
    struct run run;
    struct model_folder folder;
    folder_make(&folder, "{}", 3);
    run_program(&run, "hi\n", "chapter6", "--chat", "--model", folder.path, NULL);
    ck_assert_int_eq(run.exit_code, 1);
    ck_assert_uint_eq(run.out_size, 0);
    assert_contains(run.err, "chat_template");
    run_free(&run);
    folder_remove(&folder);
}
END_TEST

/* ---- On a terminal ---- */

struct terminal {
    int master;
    pid_t child;
    char seen[1 << 18];
    size_t length;
    size_t expected; /* up to here what was expected has come */
    struct termios before;
};

static int terminal_columns; /* 0: the terminal does not know its size */

/* In the child: becomes chapter6, under the emulator if there is one. argv[0] is left free for its path. */
static void become_chapter6(char **argv)
{
    enum { MAX_WORDS = 16 };
    char path[512];
    char *words[MAX_WORDS + 2] = {getenv("RUN")};
    const char *bin = getenv("BIN");
    snprintf(path, sizeof path, "%s/chapter6", bin != NULL ? bin : ".");
    int n = words[0] != NULL;
    words[n++] = path;
    for (int i = 1; i < MAX_WORDS && argv[i] != NULL; i++) {
        words[n++] = argv[i];
    }
    alarm(run_time_limit());
    execvp(words[0], words); /* a path, or an emulator's name */
    _exit(127);
}

static void terminal_start(struct terminal *t, char **argv)
{
    t->length = 0;
    t->expected = 0;
    t->master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert_int_ge(t->master, 0);
    ck_assert_int_eq(grantpt(t->master), 0);
    ck_assert_int_eq(unlockpt(t->master), 0);
    ck_assert_int_eq(tcgetattr(t->master, &t->before), 0);
    const char *name = ptsname(t->master);
    t->child = fork();
    ck_assert_int_ge(t->child, 0);
    if (t->child == 0) {
        setsid();
        int slave = open(
            name, O_RDWR); /* a session's first terminal becomes its controlling one: Ctrl-C reaches it */
        struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)terminal_columns};
        ioctl(slave, TIOCSWINSZ, &size);
        dup2(slave, 0);
        dup2(slave, 1);
        dup2(slave, 2);
        close(t->master);
        become_chapter6(argv);
    }
}

/* Reads until text has come, after what was expected before. */
static void terminal_expect(struct terminal *t, const char *text)
{
    for (;;) {
        t->seen[t->length] = '\0';
        const char *found = strstr(t->seen + t->expected, text);
        if (found != NULL) {
            t->expected = (size_t)(found - t->seen) + strlen(text);
            return;
        }
        struct pollfd wait = {.fd = t->master, .events = POLLIN};
        int half_the_limit = (int)run_time_limit() * 500; /* in milliseconds */
        ck_assert_msg(poll(&wait, 1, half_the_limit) == 1, "'%s' did not come; seen: %s", text,
                      t->seen + t->expected);
        ssize_t n = read(t->master, t->seen + t->length, sizeof t->seen - 1 - t->length);
        ck_assert_msg(n > 0, "'%s' did not come before the end; seen: %s", text, t->seen + t->expected);
        t->length += (size_t)n;
    }
}

static void terminal_type(const struct terminal *t, const char *text)
{
    ck_assert_int_eq((int)write(t->master, text, strlen(text)), (int)strlen(text));
}

/* Echo, line editing, control characters, speed: the shell finds its terminal as it left it. */
static void assert_terminal_as_before(const struct terminal *t)
{
    struct termios after;
    ck_assert_int_eq(tcgetattr(t->master, &after), 0);
    ck_assert_uint_eq(after.c_iflag, t->before.c_iflag);
    ck_assert_uint_eq(after.c_oflag, t->before.c_oflag);
    ck_assert_uint_eq(after.c_cflag, t->before.c_cflag);
    ck_assert_uint_eq(after.c_lflag, t->before.c_lflag);
    ck_assert_mem_eq(after.c_cc, t->before.c_cc, sizeof after.c_cc);
    ck_assert_uint_eq(cfgetospeed(&after), cfgetospeed(&t->before));
}

/* After the last output; also sees to it that the terminal is as it was. */
static int terminal_exit_code(struct terminal *t)
{
    int status = 0;
    for (;;) { /* what the program still writes must be read, or it would wait for room */
        ssize_t n = read(t->master, t->seen + t->length, sizeof t->seen - 1 - t->length);
        if (n <= 0) {
            break;
        }
        t->length += (size_t)n;
    }
    t->seen[t->length] = '\0';
    ck_assert_int_eq(waitpid(t->child, &status, 0), t->child);
    assert_terminal_as_before(t);
    close(t->master);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The model goes on until it is stopped: its end tokens count for nothing, and token 1 is in no story. */
#define ENDLESS "--model", folder.path, "--greedy", "--context", "60000", "--threads", "1"
static const char endless[] = "{\"eos_token_id\": 1}";

/* D1, D3: prompts on a terminal, and Ctrl-D ends with 0. */
START_TEST(a_terminal_gets_a_prompt)
{
    char *argv[] = {NULL, "--chat", "--greedy", "--threads", "1", "-n", "10", NULL};
    static struct terminal t;
    terminal_start(&t, argv);
    terminal_expect(&t, "> ");
    terminal_type(&t, "hi\n");
    terminal_expect(&t, "Once upon a time");
    terminal_expect(&t, "> ");
    terminal_type(&t, "\x04");
    ck_assert_int_eq(terminal_exit_code(&t), 0);
    ck_assert_ptr_null(
        strchr(t.seen, '\x1b')); /* D9, D11: no colours, no cursor moves: nothing to leave behind */
}
END_TEST

/* D8 */
START_TEST(interrupt_at_a_prompt_leaves_with_130)
{
    char *argv[] = {NULL, "--chat", NULL};
    static struct terminal t;
    terminal_start(&t, argv);
    terminal_expect(&t, "> ");
    terminal_type(&t, "\x03");
    ck_assert_int_eq(terminal_exit_code(&t), 130);
}
END_TEST

/* D8: the first press stops the answer and keeps the chat, which goes on. */
START_TEST(interrupt_stops_an_answer_and_keeps_the_chat)
{
    struct model_folder folder;
    folder_make(&folder, endless, 4);
    char *argv[] = {NULL, "--chat", ENDLESS, NULL};
    static struct terminal t;
    terminal_start(&t, argv);
    terminal_expect(&t, "> ");
    terminal_type(&t, "hi\n");
    terminal_expect(&t, "hi\r\n");
    terminal_expect(&t, " "); /* the answer runs */
    terminal_type(&t, "\x03");
    terminal_expect(&t, "\n> ");
    terminal_type(&t, "more\n");
    terminal_expect(&t, "more\r\n");
    terminal_expect(&t, " ");
    terminal_type(&t, "\x03");
    terminal_expect(&t, "\n> ");
    terminal_type(&t, "\x04");
    ck_assert_int_eq(terminal_exit_code(&t), 0);
    assert_contains(t.seen, "prompt: ");
    folder_remove(&folder);
}
END_TEST

/* Outside a chat: what has come stays, and 130. */
START_TEST(interrupt_of_a_story_keeps_it_and_leaves_with_130)
{
    struct model_folder folder;
    folder_make(&folder, endless, 4);
    char *argv[] = {NULL, "--step", "4", "-n", "50000", ENDLESS, NULL};
    static struct terminal t;
    terminal_start(&t, argv);
    terminal_expect(&t, "there was a little");
    terminal_expect(&t, " ");
    terminal_type(&t, "\x03");
    ck_assert_int_eq(terminal_exit_code(&t), 130);
    assert_contains(t.seen, "Once upon a time, there was a little");
    ck_assert_int_eq(t.seen[t.length - 1], '\n');
    folder_remove(&folder);
}
END_TEST

/* D15: each token is seen as it comes; here the first words are there while the program still runs. */
START_TEST(a_terminal_sees_each_token)
{
    struct model_folder folder;
    folder_make(&folder, endless, 4);
    char *argv[] = {NULL, "--text", "-n", "50000", ENDLESS, NULL};
    static struct terminal t;
    terminal_start(&t, argv);
    terminal_expect(&t, " ");
    ck_assert_uint_lt(t.length, 2000); /* not a whole buffer at once */
    ck_assert_int_eq(waitpid(t.child, NULL, WNOHANG), 0);
    terminal_type(&t, "\x03");
    ck_assert_int_eq(terminal_exit_code(&t), 130);
    folder_remove(&folder);
}
END_TEST

/* D15: a pipe gets whole lines: the first line is there before the story ends. */
START_TEST(a_pipe_sees_each_line)
{
    int ends[2];
    char first[4096];
    struct model_folder folder;
    folder_make(&folder, endless, 4);
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        char *argv[] = {NULL, "--text", "-n", "50000", ENDLESS, NULL};
        become_chapter6(argv);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], first, sizeof first);
    ck_assert_int_gt((int)n, 0);
    ck_assert_ptr_nonnull(memchr(first, '\n', (size_t)n));
    ck_assert_int_lt((int)n, 4096); /* less than a buffer: it was flushed */
    close(ends[0]);                 /* the reader goes away: the program ends, quietly */
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ck_assert_msg(code == 128 + SIGPIPE || code == 1, "ended with %d", code);
    folder_remove(&folder);
}
END_TEST

/* Rows of a table and the progress share a terminal's line: what is left of "1 of 17" is erased first. */
START_TEST(progress_leaves_nothing_behind)
{
    char *argv[] = {NULL, "--ablate", "--windows", "1", "--threads", "1", NULL};
    static struct terminal t;
    terminal_start(&t, argv);
    terminal_expect(&t, "0 of 17\r          \r  none ");
    terminal_expect(&t, "1 of 17\r          \r  no_rotation ");
    terminal_type(&t, "\x03");
    ck_assert_int_eq(terminal_exit_code(&t), 128 + SIGINT);
}
END_TEST

/* D3, D11: on a terminal of 40 columns no line is longer and no word is cut; what a file gets is the same text. */
START_TEST(a_terminal_s_lines_break_between_words)
{
    struct run run;
    char *argv[] = {NULL, "--text", "-n", "120", GREEDY, NULL};
    static struct terminal t;
    run_program(&run, NULL, "chapter6", "--text", "-n", "120", GREEDY, NULL);
    terminal_columns = 40;
    terminal_start(&t, argv);
    terminal_columns = 0;
    ck_assert_int_eq(terminal_exit_code(&t), 0);
    const char *end = strstr(t.seen, "prompt: ");
    ck_assert_ptr_nonnull(end);
    int column = 0;
    const char *from = run.out;
    bool broken = false;
    for (const char *seen = t.seen; seen < end; seen++) {
        if (*seen == '\r') {
            continue; /* the terminal's own */
        }
        column = *seen == '\n' ? 0 : column + 1;
        ck_assert_int_le(column, 40);
        broken = broken || (*seen == '\n' && *from == ' ');
        while (*seen != ' ' &&
               *from == ' ') { /* one or more spaces became a line's end, or stood before it */
            from++;
        }
        if (*seen == *from) {
            from++;
        } else {
            ck_assert_msg(*seen == '\n' && from[-1] == ' ', "'%.20s' became '%.20s'", from, seen);
        }
    }
    ck_assert_str_eq(from, "");
    ck_assert(broken);
    run_free(&run);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chapter6 chat");
    add_test(suite, "answers", answer_is_that_of_transformers);
    add_test(suite, "earlier turns", earlier_turns_are_kept_and_not_computed_again);
    add_test(suite, "system message", system_message);
    add_test(suite, "typed control tokens", typed_control_tokens_are_text);
    add_test(suite, "end of input", end_of_input_ends_with_a_newline_and_0);
    add_test(suite, "pipe", pipe_gets_plain_text);
    add_test(suite, "block", a_block_is_one_turn);
    add_test(suite, "long line", a_long_line_is_one_turn);
    add_test(suite, "any bytes", any_bytes_may_come_in);
    add_test(suite, "no template", a_model_without_a_template_is_refused);
    add_test(suite, "terminal prompt", a_terminal_gets_a_prompt);
    add_test(suite, "Ctrl-C at a prompt", interrupt_at_a_prompt_leaves_with_130);
    add_test(suite, "Ctrl-C in an answer", interrupt_stops_an_answer_and_keeps_the_chat);
    add_test(suite, "Ctrl-C in a story", interrupt_of_a_story_keeps_it_and_leaves_with_130);
    add_test(suite, "terminal flush", a_terminal_sees_each_token);
    add_test(suite, "pipe flush", a_pipe_sees_each_line);
    add_test(suite, "progress", progress_leaves_nothing_behind);
    add_test(suite, "wrapping", a_terminal_s_lines_break_between_words);
    return suite;
}
