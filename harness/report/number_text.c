// SPDX-License-Identifier: MIT
#include "report/number_text.h"

#include <math.h>
#include <string.h>

void report_thousands(const char *digits, char *text, size_t size)
{
    const struct published_column plain = {.suffix = ""};
    const bool sign = digits[0] == '-' || digits[0] == '+';
    if (sign && size)
        text[0] = digits[0];
    published_text(&plain, digits + sign, text + sign, size - sign);
}

void report_number(const struct paper_column *column, double value, char *text, size_t size)
{
    char digits[64];
    if (isnan(value)) {
        snprintf(text, size, "-");
    } else if (column->style == COLUMN_PERCENT) {
        snprintf(text, size, column->sign ? "%+.*f%%" : "%.*f%%", (int)column->decimals, 100 * value);
    } else {
        snprintf(digits, sizeof digits, column->sign ? "%+.*f" : "%.*f",
                 column->style == COLUMN_COUNT ? 0 : (int)column->decimals, value);
        report_thousands(digits, text, size);
    }
}

void report_measured_number(const struct paper_column *column, const struct report_cell *cell, char *text, size_t size)
{
    if (!strcmp(cell->flags, PAPER_NOT_IMPLEMENTED))
        snprintf(text, size, "not implemented");
    else if (!strcmp(cell->flags, PAPER_NOT_MEASURED))
        snprintf(text, size, "not measured");
    else
        report_number(column, cell->value, text, size);
}

void report_title(const struct paper_column *column, char *text, size_t size)
{
    snprintf(text, size, "%s%s", column->title, column->derived[0] ? "*" : "");
}

static void ratio_text(double ratio, bool within, char *text, size_t size)
{
    text[0] = '\0';
    if (isfinite(ratio))
        snprintf(text, size, "%s%.2f", within ? "=" : "", ratio);
}

struct report_texts report_ratios(const struct report_cell *cell)
{
    struct report_texts texts;
    ratio_text(cell->ratio, cell->within, texts.value, sizeof texts.value);
    ratio_text(cell->ratio_cumulative, cell->within_cumulative, texts.cumulative, sizeof texts.cumulative);
    return texts;
}

void report_interval(const struct paper_column *column, const struct report_cell *cell, char *text, size_t size)
{
    char low[64], high[64];
    text[0] = '\0';
    if (isnan(cell->low) || isnan(cell->high))
        return;
    report_number(column, cell->low, low, sizeof low);
    report_number(column, cell->high, high, sizeof high);
    snprintf(text, size, "%.30s..%.30s", low, high);
}

static void paper_text(const struct report_table *table, const struct paper_column *column,
                       const struct published_cell *printed, const char *published, double value, char *text,
                       size_t size)
{
    text[0] = '\0';
    if (printed)
        published_text(published_column(table->published, published), printed->printed, text, size);
    else if (!isnan(value))
        report_number(column, value, text, size);
}

struct report_texts report_published(const struct report_table *table, const struct paper_column *column,
                                     const struct report_cell *cell)
{
    struct report_texts texts;
    paper_text(table, column, cell->printed, column->published, cell->published, texts.value, sizeof texts.value);
    paper_text(table, column, cell->printed_cumulative, column->published_cumulative, cell->published_cumulative,
               texts.cumulative, sizeof texts.cumulative);
    return texts;
}

static void correction_text(const struct report_table *table, const char *published,
                            const struct published_cell *printed, char *text, size_t size)
{
    char number[PUBLISHED_TEXT];
    text[0] = '\0';
    if (!printed || !printed->misprint)
        return;
    published_text(published_column(table->published, published), printed->corrected, number, sizeof number);
    snprintf(text, size, "%s %s", number, printed->misprint);
}

struct report_texts report_corrections(const struct report_table *table, const struct paper_column *column,
                                       const struct report_cell *cell)
{
    struct report_texts texts;
    correction_text(table, column->published, cell->printed, texts.value, sizeof texts.value);
    correction_text(table, column->published_cumulative, cell->printed_cumulative, texts.cumulative,
                    sizeof texts.cumulative);
    return texts;
}

void report_shell_word(const char *word, char *text, size_t size)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:+,@%";
    if (word[0] && strspn(word, plain) == strlen(word)) {
        snprintf(text, size, "%s", word);
        return;
    }
    size_t used = 0;
    text[used++] = '\'';
    for (; *word && used + 6 < size; ++word)
        used += (size_t)snprintf(text + used, size - used, *word == '\'' ? "'\\''" : "%c", *word);
    snprintf(text + used, size - used, "'");
}
