#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const texts[TEXT_COUNT][2] = {
    [TEXT_DONE] = {"DONE", "完成"},
    [TEXT_NOT_STARTED] = {"NOT STARTED", "未开始"},
    [TEXT_WRONG] = {"WRONG", "错误"},
    [TEXT_CRASH] = {"CRASH", "崩溃"},
    [TEXT_TIMEOUT] = {"TIMEOUT", "超时"},
    [TEXT_TOO_MUCH] = {"TOO MUCH OUTPUT", "输出过多"},
    [TEXT_BUILD_FAILED] = {"BUILD FAILED", "编译失败"},
    [TEXT_CANNOT_CHECK] = {"CANNOT CHECK", "无法检查"},
    [TEXT_CASE] = {"case", "用例"},
    [TEXT_CASES_RIGHT] = {"%d of %d cases are right", "%d / %d 个用例正确"},
    [TEXT_INPUT] = {"input", "输入"},
    [TEXT_OUTPUT] = {"output", "输出"},
    [TEXT_EXPECTED] = {"expected", "应为"},
    [TEXT_GOT] = {"got", "得到"},
    [TEXT_FIRST_DIFFERENCE] = {"first difference", "首个差异"},
    [TEXT_UNWRITTEN] = {"never written", "从未写入"},
    [TEXT_RIGHT_IS] = {"Right:", "正确做法："},
    [TEXT_SEE] = {"See", "参见"},
    [TEXT_AGAIN] = {"again:", "再试一次："},
    [TEXT_HINT] = {"a hint:", "提示："},
    [TEXT_WARNINGS] = {"the compiler warns:", "编译器警告："},
    [TEXT_PRINTED] = {"your code printed:", "你的代码打印了："},
    [TEXT_WROTE_BEFORE] = {"your code wrote before the beginning of %s", "你的代码写到了 %s 的开头之前"},
    [TEXT_WROTE_AFTER] = {"your code wrote past the end of %s", "你的代码写到了 %s 的末尾之后"},
    [TEXT_NO_CASE] = {"the function did not come back from this case", "函数在这个用例中没有返回"},
    [TEXT_SIGNAL] = {"signal %d (%s)", "信号 %d（%s）"},
    [TEXT_AT_LINE] = {"at %s", "位于 %s"},
    [TEXT_TIME_OVER] = {"not finished after %.0f seconds: an endless loop?",
                        "%.0f 秒后仍未结束：是否有死循环？"},
    [TEXT_OUTPUT_OVER] = {"more than 1 MiB of output: printing in an endless loop?",
                          "输出超过 1 MiB：是否在死循环中打印？"},
    [TEXT_LEFT_EARLY] = {"the program ended with exit code %d before all cases had run",
                         "程序在所有用例运行完之前就以退出码 %d 结束"},
    [TEXT_CHANNEL] = {"something else wrote to file descriptor 3, where the results go",
                      "有别的内容写入了用于传送结果的文件描述符 3"},
    [TEXT_TRUE_ABOUT] = {"no known mistake gives this. What is true of it:",
                         "没有已知的错误会得到这个结果。可以确定的是："},
    [TEXT_BEGIN] = {"begin:", "开始："},
    [TEXT_P_UNWRITTEN] = {"%d of %d elements were never written", "%d / %d 个元素从未写入"},
    [TEXT_P_NAN] = {"%d of %d elements are NaN", "%d / %d 个元素是 NaN"},
    [TEXT_P_INFINITE] = {"%d of %d elements are infinite", "%d / %d 个元素是无穷大"},
    [TEXT_P_CONSTANT] = {"every element is %.9g", "每个元素都是 %.9g"},
    [TEXT_P_INPUT] = {"it is the input %s, unchanged", "它就是未改变的输入 %s"},
    [TEXT_P_FIRST_HALF] = {"the first half is right, the second is not", "前一半正确，后一半不正确"},
    [TEXT_P_SECOND_HALF] = {"the second half is right, the first is not", "后一半正确，前一半不正确"},
    [TEXT_P_EVEN] = {"the elements 0, 2, 4, … are right, the others are not",
                     "第 0、2、4… 个元素正确，其余不正确"},
    [TEXT_P_ODD] = {"the elements 1, 3, 5, … are right, the others are not",
                    "第 1、3、5… 个元素正确，其余不正确"},
    [TEXT_P_SIGN] = {"every element has the wrong sign", "每个元素的符号都相反"},
    [TEXT_P_MAGNITUDE] = {"every element is right but for its sign", "除符号外每个元素都正确"},
    [TEXT_P_FACTOR] = {"every element is %.9g times what it should be", "每个元素都是应有值的 %.9g 倍"},
    [TEXT_P_OFFSET] = {"every element is off by %.9g", "每个元素都偏差 %.9g"},
    [TEXT_P_REVERSED] = {"the right elements, from last to first", "元素正确，但顺序是从后到前"},
    [TEXT_P_SHIFTED] = {"the right elements, moved by %d", "元素正确，但整体移动了 %d 位"},
    [TEXT_P_ORDER] = {"the right elements in another order", "元素正确，但顺序不同"},
    [TEXT_P_NORM] = {"the norm is right, the direction is not", "模长正确，方向不正确"},
    [TEXT_P_NORM_NOT] = {"the norm is %.9g; it should be %.9g", "模长是 %.9g；应为 %.9g"},
    [TEXT_P_ONLY_CASE] = {"right only in: %s", "仅在此用例中正确：%s"},
    [TEXT_P_CLOSE] = {"close: the largest relative error is %.2g, more than rounding explains",
                      "很接近：最大相对误差为 %.2g，超出舍入所能解释的范围"},
    [TEXT_P_ELEMENTS] = {"%d of %d elements are right", "%d / %d 个元素正确"},
};

enum language text_language(void)
{
    const char *names[] = {"EX_LANG", "LC_ALL", "LC_MESSAGES", "LANG"};
    for (int i = 0; i < 4; i++) {
        const char *value = getenv(names[i]);
        if (i == 1 && value != NULL && strcmp(value, "C.UTF-8") == 0) {
            continue; /* the Makefile's own setting says nothing about the reader */
        }
        if (value != NULL && value[0] != '\0') {
            return strncmp(value, "zh", 2) == 0 ? CHINESE : ENGLISH;
        }
    }
    return ENGLISH;
}

const char *text(enum language language, enum text which)
{
    return texts[which][language];
}

/* Takes the next tab-separated field of *line into out. */
static void take_field(const char **line, char *out, size_t size)
{
    size_t length = strcspn(*line, "\t\r\n");
    snprintf(out, size, "%.*s", (int)length, *line);
    *line += length;
    *line += **line == '\t';
}

bool text_message(struct message *message, const char *path, const char *name, enum language language)
{
    char line[2048];
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        char own_name[160];
        char own_language[8];
        const char *at = line;
        take_field(&at, own_name, sizeof own_name);
        take_field(&at, own_language, sizeof own_language);
        if (strcmp(own_name, name) == 0 && strcmp(own_language, language == CHINESE ? "zh" : "en") == 0) {
            take_field(&at, message->did, sizeof message->did);
            take_field(&at, message->right, sizeof message->right);
            take_field(&at, message->section, sizeof message->section);
            found = true;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}
