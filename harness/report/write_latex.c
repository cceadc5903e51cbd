// SPDX-License-Identifier: MIT
// LaTeX: one longtable with booktabs' rules per table. A table of numbers that is wider than the page is set smaller,
// then in several tables; columns of words share the page by how much stands in them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/document.h"
#include "report/escape.h"

enum { PART = 320, COLUMNS_MAX = 32, HEADING_LINES = 4 };

// What stands in a line of the paper's may be corrected below it.
enum { LINE_FIX = DOC_LINES, LINES };
static const int line_order[LINES] = {DOC_HERE, DOC_INTERVAL, DOC_PAPER, LINE_FIX, DOC_RATIO};

// Sizes of type: `points` is what a unit of latex_width takes (small type is wider than its size), `gap` is between
// columns. PAGE: what a page holds, in points.
static const struct size {
    const char *command;
    double points, gap;
} sizes[] = {{"small", 9.3, 8}, {"footnotesize", 8.5, 6}, {"scriptsize", 8, 4}};
enum { SIZES = sizeof sizes / sizeof *sizes, PAGE = 505 };

// The columns of one longtable, and how they are set.
struct layout {
    double key, width[COLUMNS_MAX]; // in units of the font's size
    char heading[COLUMNS_MAX][HEADING_LINES][PART];
    int lines[COLUMNS_MAX], heading_lines; // of each heading, of the highest
    size_t count, first, last;             // columns; those from `first` to before `last`
    const struct size *size;
};

static bool has(const char *text)
{
    return text && text[0];
}

// ---- cells

// "983k (1,966k)"
static void join(const char *value, const char *running, char *text)
{
    snprintf(text, PART, "%.150s%s%.150s%s", has(value) ? value : "",
             !has(running) ? ""
             : has(value)  ? " ("
                           : "(",
             has(running) ? running : "", has(running) ? ")" : "");
}

// What stands in a cell, without markup; a correction as "[18,651 W-M2]".
static void text_of(const struct doc_cell *cell, int line, char *text)
{
    char fix[PART] = "", running[PART] = "";
    const struct doc_value *value = &cell->lines[line == LINE_FIX ? DOC_PAPER : line];
    if (line != LINE_FIX) {
        join(value->value, value->running, text);
        return;
    }
    if (has(value->fix))
        snprintf(fix, sizeof fix, "[%.120s]", value->fix);
    if (has(value->running_fix))
        snprintf(running, sizeof running, "[%.120s]", value->running_fix);
    join(fix, running, text);
}

static bool line_empty(const struct doc_row *row, const struct layout *layout, int line)
{
    char text[PART];
    for (size_t i = layout->first; line != DOC_HERE && i < layout->last; ++i) {
        text_of(&row->cells[i], line, text);
        if (text[0])
            return false;
    }
    return line != DOC_HERE;
}

// ---- widths

// Breaks a title at blanks into lines that are not wider than the column, as far as there are lines.
static int break_heading(const char *title, double *width, char lines[HEADING_LINES][PART])
{
    int count = 0;
    lines[0][0] = '\0';
    while (*title) {
        char joined[PART];
        const int length = (int)strcspn(title, " ");
        snprintf(joined, sizeof joined, "%.200s%s%.*s", lines[count], lines[count][0] ? " " : "", length, title);
        if (lines[count][0] && latex_width(joined) > *width && count + 1 < HEADING_LINES)
            snprintf(lines[++count], PART, "%.*s", length, title);
        else
            snprintf(lines[count], PART, "%s", joined);
        *width = fmax(*width, latex_width(lines[count]));
        title += length;
        title += strspn(title, " ");
    }
    return count + 1;
}

static void measure(const struct doc_table *table, struct layout *layout)
{
    layout->count = table->column_count < COLUMNS_MAX ? table->column_count : COLUMNS_MAX;
    layout->key = latex_width(table->key);
    for (size_t j = 0; j < table->row_count; ++j)
        layout->key = fmax(layout->key, latex_width(table->rows[j].key));
    for (size_t i = 0; i < layout->count; ++i) {
        layout->width[i] = latex_width(table->columns[i].unit);
        for (size_t j = 0; j < table->row_count; ++j)
            for (int line = 0; line < LINES; ++line) {
                const struct doc_cell *cell = &table->rows[j].cells[i];
                char text[PART];
                text_of(cell, line, text);
                const double marks = line == DOC_HERE && cell->marks ? 0.4 * (double)strlen(cell->marks) : 0;
                layout->width[i] = fmax(layout->width[i], latex_width(text) + marks);
            }
        layout->lines[i] = break_heading(table->columns[i].title, &layout->width[i], layout->heading[i]);
        layout->heading_lines = layout->lines[i] > layout->heading_lines ? layout->lines[i] : layout->heading_lines;
    }
}

// Points of the table up to before column `last`.
static double points(const struct layout *layout, const struct size *size, size_t last)
{
    double width = (layout->key + latex_width("paper")) * size->points + 2 * size->gap;
    for (size_t i = layout->first; i < last; ++i)
        width += layout->width[i] * size->points + size->gap;
    return width;
}

// The largest size at which all columns from the first on have room; at the smallest, as many columns as have.
static void choose_size(struct layout *layout)
{
    layout->size = sizes;
    while (layout->size + 1 < sizes + SIZES && points(layout, layout->size, layout->count) > PAGE)
        ++layout->size;
    layout->last = layout->count;
    while (layout->last > layout->first + 1 && points(layout, layout->size, layout->last) > PAGE)
        --layout->last;
}

// ---- tables of numbers

static void put_titles(const struct doc_table *table, const struct layout *layout, FILE *stream)
{
    for (int line = 0; line <= layout->heading_lines; ++line) {
        if (line == layout->heading_lines)
            latex_text(table->key, stream);
        fputs(" &", stream);
        for (size_t i = layout->first; i < layout->last; ++i) {
            const int own = line - layout->heading_lines + layout->lines[i];
            fputs(" & ", stream);
            if (line < layout->heading_lines) {
                latex_text(own < 0 ? "" : layout->heading[i][own], stream);
            } else if (has(table->columns[i].unit)) {
                fputs("\\textit{", stream);
                latex_text(table->columns[i].unit, stream);
                fputc('}', stream);
            }
        }
        fputs(" \\\\\n", stream);
    }
}

static void put_head(const struct doc_table *table, const struct layout *layout, FILE *stream)
{
    fprintf(stream,
            "\\begingroup\\%s\\setlength{\\tabcolsep}{%gpt}\\setlength{\\LTleft}{0pt}\\setlength{\\LTright}{\\fill}\n"
            "\\begin{longtable}{@{}ll",
            layout->size->command, layout->size->gap / 2);
    for (size_t i = layout->first; i < layout->last; ++i)
        fputc('r', stream);
    fputs("@{}}\n\\toprule\n", stream);
    put_titles(table, layout, stream);
    fputs("\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", stream);
}

// "% trials of naive: 232, 250"
static void put_trials(const struct doc_table *table, const struct layout *layout, const struct doc_row *row,
                       FILE *stream)
{
    for (size_t i = layout->first; i < layout->last; ++i) {
        if (!has(row->cells[i].trials))
            continue;
        fputs("% trials of ", stream);
        latex_comment(table->columns[i].title, stream);
        fputs(": ", stream);
        latex_comment(row->cells[i].trials, stream);
        fputc('\n', stream);
    }
}

static void put_line(const struct doc_table *table, const struct layout *layout, const struct doc_row *row, int line,
                     FILE *stream)
{
    if (line == DOC_HERE)
        latex_text(row->key, stream);
    fputs(" & ", stream);
    latex_text(line == LINE_FIX || !table->lined ? "" : doc_line_names[line], stream);
    for (size_t i = layout->first; i < layout->last; ++i) {
        char text[PART];
        text_of(&row->cells[i], line, text);
        fputs(" & ", stream);
        latex_text(text, stream);
        if (line == DOC_HERE && has(row->cells[i].marks))
            fprintf(stream, "\\textsuperscript{%s}", row->cells[i].marks);
    }
}

// The lines of a row stay on one page.
static void put_row(const struct doc_table *table, const struct layout *layout, const struct doc_row *row, FILE *stream)
{
    const bool last = row + 1 == table->rows + table->row_count;
    bool any = false;
    put_trials(table, layout, row, stream);
    for (int i = 0; i < LINES; ++i) {
        if (line_empty(row, layout, line_order[i]))
            continue;
        fputs(any ? " \\\\*\n" : "", stream);
        put_line(table, layout, row, line_order[i], stream);
        any = true;
    }
    fputs(last ? " \\\\\n" : " \\\\\\addlinespace\n", stream);
}

static void put_numbers(const struct doc_table *table, FILE *stream)
{
    struct layout *layout = memory_new(1, sizeof *layout);
    measure(table, layout);
    do {
        choose_size(layout);
        put_head(table, layout, stream);
        for (size_t i = 0; i < table->row_count; ++i)
            put_row(table, layout, &table->rows[i], stream);
        fputs("\\end{longtable}\\endgroup\n", stream);
        layout->first = layout->last;
    } while (layout->first < layout->count);
    free(layout);
}

// ---- tables with words

// How much of the page a column of words wants: more where more stands in it.
static double wish(const struct doc_table *table, size_t column)
{
    double length = latex_width(table->columns[column].title);
    for (size_t i = 0; i < table->row_count; ++i)
        length += latex_width(table->rows[i].cells[column].lines[DOC_HERE].value);
    return sqrt(length / (double)(table->row_count + 1)) + 1;
}

static void put_words_head(const struct doc_table *table, FILE *stream)
{
    double wishes = 0, key = latex_width(table->key);
    for (size_t i = 0; i < table->row_count; ++i)
        key = fmax(key, latex_width(table->rows[i].key));
    key = fmin(key * sizes[1].points / PAGE, 0.3);
    for (size_t i = 0; i < table->column_count; ++i)
        wishes += table->columns[i].detail ? 0 : wish(table, i);
    const double left = 1 - key - (double)table->column_count * 2 * sizes[1].gap / PAGE;
    fprintf(stream, "{\\footnotesize\\sloppy\\setlength{\\tabcolsep}{%gpt}\n\\begin{longtable}{@{}p{%.3f\\textwidth}",
            sizes[1].gap, key);
    for (size_t i = 0; i < table->column_count; ++i)
        if (!table->columns[i].detail)
            fprintf(stream, "%s{%.3f\\textwidth}",
                    table->columns[i].words ? ">{\\raggedright\\arraybackslash}p" : ">{\\raggedleft\\arraybackslash}p",
                    left * wish(table, i) / wishes);
    fputs("@{}}\n\\toprule\n", stream);
    latex_text(table->key, stream);
    for (size_t i = 0; i < table->column_count; ++i) {
        if (table->columns[i].detail)
            continue;
        fputs(" & ", stream);
        latex_text(table->columns[i].title, stream);
        fputs(has(table->columns[i].unit) ? ", " : "", stream);
        latex_text(table->columns[i].unit, stream);
    }
    fputs(" \\\\\n\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", stream);
}

static void put_words(const struct doc_table *table, FILE *stream)
{
    put_words_head(table, stream);
    for (size_t i = 0; i < table->row_count; ++i) {
        const struct doc_row *row = &table->rows[i];
        latex_text(row->key, stream);
        for (size_t j = 0; j < table->column_count; ++j) {
            char text[PART];
            if (table->columns[j].detail)
                continue;
            fputs(" & ", stream);
            latex_text(row->cells[j].lines[DOC_HERE].value, stream);
            if (has(row->cells[j].lines[DOC_INTERVAL].value)) {
                snprintf(text, sizeof text, " (%.100s)", row->cells[j].lines[DOC_INTERVAL].value);
                latex_text(text, stream);
            }
        }
        fputs(" \\\\\n", stream);
    }
    fputs("\\end{longtable}}\n", stream);
}

// ---- blocks

static void put_list(const struct doc_block *block, FILE *stream)
{
    const bool above = block->role == DOC_SETTING || block->role == DOC_FACTS;
    fprintf(stream, "\\begingroup\\%s\\setlength{\\parindent}{0pt}\\sloppy\n", above ? "footnotesize" : "scriptsize");
    for (size_t i = 0; i < block->item_count; ++i) {
        const struct doc_item *item = &block->items[i];
        fputs("\\par ", stream);
        if (has(item->label)) {
            fputs(block->role == DOC_FOOTNOTES ? "\\textsuperscript{" : "\\textit{", stream);
            latex_text(item->label, stream);
            fputs("} ", stream);
        }
        latex_text(item->text, stream);
        fputc('\n', stream);
    }
    fputs(block->role == DOC_SETTING ? "\\par\\endgroup\\nopagebreak\n" : "\\par\\endgroup\n", stream);
}

static void put_titled(const char *before, const char *text, const char *after, FILE *stream)
{
    fputs(before, stream);
    latex_text(text, stream);
    fputs(after, stream);
}

// Three beside each other, each with its own words below.
static void put_pictures(const struct doc_block *block, FILE *stream)
{
    for (size_t i = 0; i < block->item_count; ++i) {
        if (!block->items[i].printed)
            continue;
        fprintf(stream,
                "\\noindent\\begin{minipage}[t]{.32\\linewidth}\\centering\n\\includegraphics[width=\\linewidth]{%s}\n",
                block->items[i].printed);
        put_titled("\\par\\footnotesize ", block->items[i].text, "\n\\end{minipage}", stream);
        fputs(i % 3 == 2 ? "\\par\\medskip\n" : "\\hfill\n", stream);
    }
    fputs("\\par\n", stream);
}

// A page with little left is ended: a title stays with what it is of.
static const char room[] = "\\par\\ifdim\\dimexpr\\pagegoal-\\pagetotal\\relax<170pt \\newpage\\fi\n";

static void put_heading(const struct doc_block *block, FILE *stream)
{
    static const char *const levels[] = {"", "\\noindent{\\LARGE\\bfseries ", "\\section{", "\\subsection*{"};
    fputs(block->level > 1 ? room : "", stream);
    put_titled(levels[block->level & 3], block->text, block->level > 1 ? "}\n" : "}\\par\\medskip\n", stream);
}

// `part`: of a document with headings, so that its title need not say all.
static void put_fold(const struct doc_block *block, bool part, bool headed, FILE *stream)
{
    fputs(headed ? "" : room, stream);
    put_titled("\\noindent{\\footnotesize\\textbf{", part || !block->alone ? block->text : block->alone,
               "}}\\nopagebreak\n", stream);
}

static void put_block(const struct doc_block *block, bool part, bool headed, FILE *stream)
{
    switch (block->kind) {
    case DOC_HEADING: put_heading(block, stream); break;
    case DOC_FOLD: put_fold(block, part, headed, stream); break;
    case DOC_TEXT: put_titled("\\par\\noindent ", block->text, "\\par\n", stream); break;
    case DOC_LIST:
        if (block->role != DOC_SOURCES) // each row tells its trials in a comment
            put_list(block, stream);
        break;
    case DOC_TABLE: (doc_has_words(block->table) ? put_words : put_numbers)(block->table, stream); break;
    case DOC_UNFOLD: fputs("\\bigskip\n", stream); break;
    case DOC_CONTENTS: fputs("\\tableofcontents\n", stream); break;
    case DOC_PICTURES: put_pictures(block, stream); break;
    default: break; // what only a page has
    }
}

void doc_write_latex(const struct document *document, FILE *stream)
{
    bool part = false, headed = false;
    for (size_t i = 0; i < document->count; ++i) {
        const struct doc_block *block = &document->blocks[i];
        part = part || block->kind == DOC_HEADING;
        put_block(block, part, headed, stream);
        headed = block->kind == DOC_HEADING || (headed && block->kind == DOC_LINKS);
    }
}
