// SPDX-License-Identifier: MIT
// One longtable with booktabs' rules per panel: per row a line of measured values, one of intervals, one of the
// paper's, one of their corrections, one of ratios. A panel that is wider than the page is set smaller, then in several
// tables.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/latex_text.h"
#include "report/notes.h"
#include "report/number_text.h"

enum { PART = REPORT_TEXT, COLUMNS_MAX = 32, HEADING_LINES = 4 };

enum line { LINE_HERE, LINE_INTERVAL, LINE_PAPER, LINE_CORRECTION, LINE_RATIO, LINES };
static const char *const line_labels[LINES] = {"here", "95 %", "paper", "", "ratio"};

// Sizes of type: `points` is what a unit of latex_width takes (small type is wider than its size), `gap` is between
// columns. PAGE: what a page of report.tex holds, in points.
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
    size_t first, last;                    // columns from `first` to before `last`
    const struct size *size;
};

// ---- what stands in a cell, without markup

struct cell_text {
    char value[PART], letters[REPORT_FLAGS + 1];
};

// "983k (1,966k)"
static void join(const char *value, const char *cumulative, char *text)
{
    snprintf(text, PART, "%.64s%s%.40s%s", value,
             !cumulative[0] ? ""
             : value[0]     ? " ("
                            : "(",
             cumulative, cumulative[0] ? ")" : "");
}

static void paper_text(const struct report_table *table, const struct paper_column *column,
                       const struct report_cell *cell, char *text)
{
    const struct report_texts printed = report_published(table, column, cell);
    join(printed.value, printed.cumulative, text);
}

// "[18,651 W-M2]"; of a running value "([78k W-M1])".
static void correction_text(const struct report_table *table, const struct paper_column *column,
                            const struct report_cell *cell, char *text)
{
    const struct report_texts right = report_corrections(table, column, cell);
    char values[REPORT_TEXT + 2] = "", cumulatives[REPORT_TEXT + 2] = "";
    if (right.value[0])
        snprintf(values, sizeof values, "[%s]", right.value);
    if (right.cumulative[0])
        snprintf(cumulatives, sizeof cumulatives, "[%s]", right.cumulative);
    join(values, cumulatives, text);
}

static struct cell_text text_of(const struct report_table *table, const struct report_panel *panel, size_t index,
                                const struct report_cell *cell, enum line line)
{
    const struct paper_column *column = &table->definition->columns[index];
    struct cell_text text = {"", ""};
    char value[PART], cumulative[PART] = "";
    if (line == LINE_HERE) {
        report_measured_number(column, cell, value, sizeof value);
        report_flag_letters(panel, cell, text.letters, sizeof text.letters);
        if (column->cumulative[0])
            report_number(column, cell->cumulative, cumulative, sizeof cumulative);
        join(value, cumulative, text.value);
    } else if (line == LINE_INTERVAL) {
        report_interval(column, cell, text.value, sizeof text.value);
    } else if (line == LINE_PAPER) {
        paper_text(table, column, cell, text.value);
    } else if (line == LINE_CORRECTION) {
        correction_text(table, column, cell, text.value);
    } else {
        const struct report_texts ratios = report_ratios(cell);
        join(ratios.value, ratios.cumulative, text.value);
    }
    return text;
}

// ---- widths

// Breaks a title at blanks into lines that are not wider than the column, as far as there are lines.
static int break_heading(const char *title, double *width, char lines[HEADING_LINES][PART])
{
    int count = 0;
    lines[0][0] = '\0';
    while (*title) {
        char word[PART], joined[PART + PART + 2];
        const size_t length = strcspn(title, " "), kept = length < sizeof word ? length : sizeof word - 1;
        memcpy(word, title, kept);
        word[kept] = '\0';
        title += length;
        title += strspn(title, " ");
        snprintf(joined, sizeof joined, "%s%s%s", lines[count], lines[count][0] ? " " : "", word);
        if (lines[count][0] && latex_width(joined) > *width && count + 1 < HEADING_LINES) {
            snprintf(lines[++count], PART, "%s", word);
        } else {
            snprintf(lines[count], PART, "%.*s", PART - 1, joined);
        }
        *width = fmax(*width, latex_width(lines[count]));
    }
    return count + 1;
}

static void measure(const struct report_table *table, const struct report_panel *panel, struct layout *layout)
{
    layout->key = latex_width(table->definition->row_title);
    for (size_t i = 0; i < panel->row_count; ++i)
        layout->key = fmax(layout->key, latex_width(panel->rows[i].key));
    for (size_t i = 0; i < table->definition->column_count && i < COLUMNS_MAX; ++i) {
        const struct paper_column *column = &table->definition->columns[i];
        char title[PART];
        layout->width[i] = latex_width(column->unit);
        for (size_t j = 0; j < panel->row_count; ++j)
            for (int line = 0; line < LINES; ++line) {
                const struct cell_text text = text_of(table, panel, i, &panel->rows[j].cells[i], (enum line)line);
                layout->width[i] = fmax(layout->width[i], latex_width(text.value) + 0.4 * (double)strlen(text.letters));
            }
        report_title(column, title, sizeof title);
        layout->lines[i] = column->csv_only ? 0 : break_heading(title, &layout->width[i], layout->heading[i]);
        layout->heading_lines = layout->lines[i] > layout->heading_lines ? layout->lines[i] : layout->heading_lines;
    }
}

// Points of the table up to before column `last`.
static double points(const struct report_table *table, const struct layout *layout, const struct size *size,
                     size_t last)
{
    double width = (layout->key + latex_width("paper")) * size->points + 2 * size->gap;
    for (size_t i = layout->first; i < last; ++i)
        if (!table->definition->columns[i].csv_only)
            width += layout->width[i] * size->points + size->gap;
    return width;
}

// The largest size at which all columns from the first on have room; at the smallest, as many columns as have.
static void choose_size(const struct report_table *table, struct layout *layout)
{
    const size_t count = table->definition->column_count < COLUMNS_MAX ? table->definition->column_count : COLUMNS_MAX;
    layout->size = sizes;
    while (layout->size + 1 < sizes + SIZES && points(table, layout, layout->size, count) > PAGE)
        ++layout->size;
    layout->last = count;
    while (layout->last > layout->first + 1 && points(table, layout, layout->size, layout->last) > PAGE)
        --layout->last;
}

// ---- writing

static bool shown(const struct report_table *table, const struct layout *layout, size_t column)
{
    return column >= layout->first && column < layout->last && !table->definition->columns[column].csv_only;
}

static void write_title_lines(const struct report_table *table, const struct layout *layout, FILE *stream)
{
    for (int line = 0; line <= layout->heading_lines; ++line) {
        if (line == layout->heading_lines)
            latex_text(table->definition->row_title, stream);
        fputs(" &", stream);
        for (size_t i = layout->first; i < layout->last; ++i) {
            const struct paper_column *column = &table->definition->columns[i];
            if (!shown(table, layout, i))
                continue;
            fputs(" & ", stream);
            const int own = line - layout->heading_lines + layout->lines[i];
            if (line < layout->heading_lines) {
                latex_text(own < 0 ? "" : layout->heading[i][own], stream);
            } else if (column->unit[0]) {
                fputs("\\textit{", stream);
                latex_text(column->unit, stream);
                fputc('}', stream);
            }
        }
        fputs(" \\\\\n", stream);
    }
}

static void write_head(const struct report_table *table, const struct layout *layout, FILE *stream)
{
    fprintf(stream,
            "\\begingroup\\%s\\setlength{\\tabcolsep}{%gpt}\\setlength{\\LTleft}{0pt}\\setlength{\\LTright}{\\fill}\n"
            "\\begin{longtable}{@{}ll",
            layout->size->command, layout->size->gap / 2);
    for (size_t i = layout->first; i < layout->last; ++i)
        if (shown(table, layout, i))
            fputc('r', stream);
    fputs("@{}}\n\\toprule\n", stream);
    write_title_lines(table, layout, stream);
    fputs("\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", stream);
}

// "% trials of naive: 232, 250"
static void write_trials(const struct report_table *table, const struct layout *layout, const struct report_row *row,
                         FILE *stream)
{
    for (size_t i = layout->first; i < layout->last; ++i) {
        if (!shown(table, layout, i) || !row->cells[i].trials[0])
            continue;
        fputs("% trials of ", stream);
        latex_comment(table->definition->columns[i].title, stream);
        fputs(": ", stream);
        latex_comment(row->cells[i].trials, stream);
        fputc('\n', stream);
    }
}

static bool line_empty(const struct report_table *table, const struct report_panel *panel, const struct layout *layout,
                       const struct report_row *row, enum line line)
{
    for (size_t i = layout->first; line != LINE_HERE && i < layout->last; ++i)
        if (shown(table, layout, i) && text_of(table, panel, i, &row->cells[i], line).value[0])
            return false;
    return line != LINE_HERE;
}

static void write_row(const struct report_table *table, const struct report_panel *panel, const struct layout *layout,
                      const struct report_row *row, bool last, FILE *stream)
{
    int left = -1; // the last line that is not empty: the lines of a row stay on one page
    for (int line = 0; line < LINES; ++line)
        if (!line_empty(table, panel, layout, row, (enum line)line))
            left = line;
    write_trials(table, layout, row, stream);
    for (int line = 0; line <= left; ++line) {
        if (line_empty(table, panel, layout, row, (enum line)line))
            continue;
        if (line == LINE_HERE)
            latex_text(row->key, stream);
        fputs(" & ", stream);
        latex_text(line_labels[line], stream);
        for (size_t i = layout->first; i < layout->last; ++i) {
            if (!shown(table, layout, i))
                continue;
            const struct cell_text text = text_of(table, panel, i, &row->cells[i], (enum line)line);
            fputs(" & ", stream);
            latex_text(text.value, stream);
            if (text.letters[0])
                fprintf(stream, "\\textsuperscript{%s}", text.letters);
        }
        fputs(line < left ? " \\\\*\n" : last ? " \\\\\n" : " \\\\\\addlinespace\n", stream);
    }
}

static void write_lines(struct report_lines *lines, FILE *stream)
{
    for (size_t i = 0; i < lines->count; ++i) {
        fputs("\\par ", stream);
        latex_text(lines->text[i], stream);
        fputc('\n', stream);
    }
    report_lines_finish(lines);
}

// Title and setting, above the table.
static void write_setting(const struct report_table *table, const struct report_panel *panel, FILE *stream)
{
    struct report_lines lines = {.count = 0};
    // A page with little left is ended: the title stays with its table.
    fputs("\\par\\vskip 0pt plus 120pt\\penalty-200\\vskip 0pt plus -120pt\n"
          "\\begingroup\\footnotesize\\setlength{\\parindent}{0pt}\\sloppy\n\\par\\textbf{",
          stream);
    latex_text(table->definition->title, stream);
    fputs("}\n", stream);
    report_heading(table, panel, &lines);
    write_lines(&lines, stream);
    fputs("\\par\\endgroup\\nopagebreak\n", stream);
}

static void write_notes(const struct report_table *table, const struct report_panel *panel, FILE *stream)
{
    struct report_lines lines = {.count = 0};
    fputs("\\begingroup\\scriptsize\\setlength{\\parindent}{0pt}\\sloppy\n", stream);
    report_findings(panel, &lines);
    write_lines(&lines, stream);
    for (size_t i = 0; i < panel->flag_count; ++i) {
        fprintf(stream, "\\par\\textsuperscript{%c} ", (char)('a' + i));
        latex_text(report_flag_text(table, panel->flags[i]), stream);
        fputc('\n', stream);
    }
    if (panel->flags_lost)
        fputs("\\par\\textsuperscript{+} more footnotes than letters; the CSV has them all\n", stream);
    report_remarks(table, panel, &lines);
    write_lines(&lines, stream);
    fputs("\\par\\endgroup\\bigskip\n", stream);
}

static void write_panel(const struct report_table *table, const struct report_panel *panel, FILE *stream)
{
    struct layout *layout = calloc(1, sizeof *layout);
    if (!layout)
        return;
    measure(table, panel, layout);
    write_setting(table, panel, stream);
    do {
        choose_size(table, layout);
        write_head(table, layout, stream);
        for (size_t i = 0; i < panel->row_count; ++i)
            write_row(table, panel, layout, &panel->rows[i], i + 1 == panel->row_count, stream);
        fputs("\\end{longtable}\\endgroup\n", stream);
        layout->first = layout->last;
    } while (layout->first < table->definition->column_count && layout->first < COLUMNS_MAX);
    write_notes(table, panel, stream);
    free(layout);
}

void report_write_latex(const struct report_table *table, FILE *stream)
{
    fputs("% ", stream);
    latex_comment(table->paper->id, stream);
    fputs(": ", stream);
    latex_comment(table->definition->title, stream);
    fputs("\n% Needs \\usepackage{booktabs} and \\usepackage{longtable}.\n", stream);
    for (size_t i = 0; i < table->panel_count; ++i)
        write_panel(table, &table->panels[i], stream);
}
