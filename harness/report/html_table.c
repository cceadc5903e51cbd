// SPDX-License-Identifier: MIT
#include "report/html_table.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "report/html_text.h"
#include "report/notes.h"
#include "report/number_text.h"

enum { PART = REPORT_TEXT };

// The lines of a cell. Cells of one row have the same lines, so that these stand beside each other.
enum line { LINE_HERE, LINE_INTERVAL, LINE_PAPER, LINE_RATIO, LINES };
static const char *const line_labels[LINES] = {"here", "95 %", "paper", "ratio"};
static const char *const line_classes[LINES] = {"v", "i", "p", "r"};

void html_number(const char *name, double value, FILE *stream)
{
    if (isfinite(value))
        fprintf(stream, " %s=\"%.15g\"", name, value);
}

void html_trials(const char *trials, FILE *stream)
{
    bool any = false;
    while (*trials) {
        const size_t digits = strspn(trials, "0123456789");
        if (digits)
            fprintf(stream, "%s%.*s", any ? " " : " data-t=\"", (int)digits, trials);
        any = any || digits;
        trials += digits + (digits == 0);
    }
    if (any)
        fputc('"', stream);
}

void html_panel_title(const struct report_panel *panel, char *text, size_t size)
{
    const struct scene_words *words = &panel->scene;
    const char *scene = report_fact(panel, "scene"), *width = report_fact(panel, "width"),
               *device = report_fact(panel, "device"), *name = report_fact(panel, "device_name");
    if (!panel->fact_count) {
        snprintf(text, size, "what the paper prints");
        return;
    }
    if (!strcmp(device, "cuda") && name[0])
        device = name;
    snprintf(text, size, "%.100s%s%.60s%s%.60s%s%.20s%s%.20s%s%.100s",
             scene[0] ? scene : "scenes as the rows name them", words->stands_for[0] ? " (stands in for " : "",
             words->stands_for,
             words->stands_for[0] ? "), camera "
             : scene[0]           ? ", camera "
                                  : "",
             !scene[0]          ? ""
             : words->camera[0] ? words->camera
                                : "the scene's first",
             width[0] ? ", " : "", width, width[0] ? "x" : "", width[0] ? report_fact(panel, "height") : "",
             device[0] ? ", " : "", device);
}

// ---- cells

static void put_pair(const char *value, const char *correction, const char *cumulative,
                     const char *cumulative_correction, FILE *stream)
{
    html_text(value, stream);
    if (correction[0]) {
        fputs(" <b class=\"fix\">[", stream);
        html_text(correction, stream);
        fputs("]</b>", stream);
    }
    if (!cumulative[0])
        return;
    fprintf(stream, "%s<span class=\"c\">(", value[0] ? " " : "");
    html_text(cumulative, stream);
    if (cumulative_correction[0]) {
        fputs(" <b class=\"fix\">[", stream);
        html_text(cumulative_correction, stream);
        fputs("]</b>", stream);
    }
    fputs(")</span>", stream);
}

static void put_measured(const struct report_panel *panel, const struct paper_column *column,
                         const struct report_cell *cell, FILE *stream)
{
    char value[PART], cumulative[PART] = "", letters[REPORT_FLAGS + 1];
    report_measured_number(column, cell, value, sizeof value);
    report_flag_letters(panel, cell, letters, sizeof letters);
    if (column->cumulative[0])
        report_number(column, cell->cumulative, cumulative, sizeof cumulative);
    put_pair(!strcmp(value, "-") && letters[0] ? "not measured" : value, "", cumulative, "", stream);
    if (letters[0])
        fprintf(stream, "<sup>%s</sup>", letters);
}

static void put_published(const struct report_table *table, const struct paper_column *column,
                          const struct report_cell *cell, FILE *stream)
{
    const struct report_texts printed = report_published(table, column, cell),
                              right = report_corrections(table, column, cell);
    put_pair(printed.value, right.value, printed.cumulative, right.cumulative, stream);
}

static void put_ratio(const struct report_cell *cell, FILE *stream)
{
    const struct report_texts ratios = report_ratios(cell);
    put_pair(ratios.value, "", ratios.cumulative, "", stream);
}

static bool has_line(const struct report_cell *cell, enum line line)
{
    switch (line) {
    case LINE_HERE: return true;
    case LINE_INTERVAL: return !isnan(cell->low) && !isnan(cell->high);
    case LINE_PAPER:
        return cell->printed || cell->printed_cumulative || !isnan(cell->published) ||
               !isnan(cell->published_cumulative);
    default: return isfinite(cell->ratio) || isfinite(cell->ratio_cumulative);
    }
}

static void put_line(const struct report_table *table, const struct report_panel *panel,
                     const struct paper_column *column, const struct report_cell *cell, enum line line, FILE *stream)
{
    char interval[PART];
    if (line == LINE_HERE) {
        put_measured(panel, column, cell, stream);
    } else if (line == LINE_INTERVAL) {
        report_interval(column, cell, interval, sizeof interval);
        html_text(interval, stream);
    } else if (line == LINE_PAPER) {
        put_published(table, column, cell, stream);
    } else {
        put_ratio(cell, stream);
    }
}

static void put_cell(const struct report_table *table, const struct report_panel *panel,
                     const struct paper_column *column, const struct report_cell *cell, const bool lines[LINES],
                     FILE *stream)
{
    char letters[REPORT_FLAGS + 1];
    report_flag_letters(panel, cell, letters, sizeof letters);
    fputs("<td", stream);
    html_number("data-v", cell->value, stream);
    html_number("data-l", cell->low, stream);
    html_number("data-h", cell->high, stream);
    html_number("data-r", cell->ratio, stream);
    html_attribute("data-f", letters, stream);
    html_trials(cell->trials, stream);
    fputc('>', stream);
    const char *element = cell->trials[0] ? "button type=\"button\"" : "span";
    for (int line = 0; line < LINES; ++line) {
        if (!lines[line])
            continue;
        fprintf(stream, "<%s class=\"%s\">", line == LINE_HERE ? element : "span", line_classes[line]);
        if (has_line(cell, (enum line)line))
            put_line(table, panel, column, cell, (enum line)line, stream);
        fputs(line == LINE_HERE && cell->trials[0] ? "</button>" : "</span>", stream);
    }
    fputs("</td>", stream);
}

// ---- rows

static void put_row(const struct report_table *table, const struct report_panel *panel, const struct report_row *row,
                    FILE *stream)
{
    const struct paper_table *definition = table->definition;
    bool lines[LINES] = {true, false, false, false};
    for (size_t i = 0; i < definition->column_count; ++i)
        for (int line = 0; line < LINES; ++line)
            lines[line] =
                lines[line] || (!definition->columns[i].csv_only && has_line(&row->cells[i], (enum line)line));
    fputs("<tr><th scope=\"row\">", stream);
    html_text(row->key, stream);
    fputs("</th><td class=\"lines\">", stream);
    for (int line = 0; line < LINES; ++line)
        if (lines[line])
            fprintf(stream, "<span>%s</span>", line_labels[line]);
    fputs("</td>", stream);
    for (size_t i = 0; i < definition->column_count; ++i)
        if (!definition->columns[i].csv_only)
            put_cell(table, panel, &definition->columns[i], &row->cells[i], lines, stream);
    fputs("</tr>\n", stream);
}

static void put_heading(const char *title, const char *unit, FILE *stream)
{
    fputs("<th scope=\"col\" aria-sort=\"none\"><button type=\"button\" class=\"sort\">", stream);
    html_text(title, stream);
    fputs("</button>", stream);
    if (unit[0]) {
        fputs(" <span class=\"unit\">", stream);
        html_text(unit, stream);
        fputs("</span>", stream);
    }
    fputs("</th>", stream);
}

static void put_headings(const struct paper_table *definition, FILE *stream)
{
    fputs("<thead><tr>", stream);
    put_heading(definition->row_title, "", stream);
    fputs("<td class=\"lines\"></td>", stream);
    for (size_t i = 0; i < definition->column_count; ++i) {
        char title[PART], unit[PART];
        const struct paper_column *column = &definition->columns[i];
        if (column->csv_only)
            continue;
        report_title(column, title, sizeof title);
        snprintf(unit, sizeof unit, "%s%s", column->unit, column->cumulative[0] ? " (cumulative)" : "");
        put_heading(title, unit, stream);
    }
    fputs("</tr></thead>\n", stream);
}

// ---- panels

static void put_lines(struct report_lines *lines, const char *list, const char *item, FILE *stream)
{
    if (lines->count)
        fprintf(stream, "<%s>\n", list);
    for (size_t i = 0; i < lines->count; ++i) {
        fprintf(stream, "<%s>", item);
        html_sentence(lines->text[i], stream);
        fprintf(stream, "</%s>\n", item);
    }
    if (lines->count)
        fprintf(stream, "</%.*s>\n", (int)strcspn(list, " "), list);
    report_lines_finish(lines);
}

static void put_footnotes(const struct report_table *table, const struct report_panel *panel, FILE *stream)
{
    if (!panel->flag_count)
        return;
    fputs("<dl class=\"footnotes\">\n", stream);
    for (size_t i = 0; i < panel->flag_count; ++i) {
        fprintf(stream, "<dt>%c</dt><dd data-flag=\"%c\">", (char)('a' + i), (char)('a' + i));
        html_sentence(report_flag_text(table, panel->flags[i]), stream);
        fputs("</dd>\n", stream);
    }
    if (panel->flags_lost)
        fputs("<dt>+</dt><dd data-flag=\"+\">more footnotes than letters; the CSV has them all</dd>\n", stream);
    fputs("</dl>\n", stream);
}

static void put_notes(const struct report_table *table, const struct report_panel *panel, FILE *stream)
{
    struct report_lines lines = {.count = 0};
    report_findings(panel, &lines);
    put_lines(&lines, "ul class=\"findings\"", "li", stream);
    put_footnotes(table, panel, stream);
    report_remarks(table, panel, &lines);
    put_lines(&lines, "ul class=\"notes\"", "li", stream);
    report_sources(table, panel, &lines);
    if (!lines.count)
        return;
    fputs("<details class=\"sources\"><summary>Trials and raw rows</summary>\n", stream);
    put_lines(&lines, "ul class=\"notes\"", "li", stream);
    fputs("</details>\n", stream);
}

static void put_panel(const struct report_table *table, const struct report_panel *panel, const char *title,
                      FILE *stream)
{
    struct report_lines lines = {.count = 0};
    report_heading(table, panel, &lines);
    put_lines(&lines, "ul class=\"setting\"", "li", stream);
    fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\"", stream);
    html_attribute("aria-label", title, stream);
    fputs("><table class=\"data\">\n<caption>", stream);
    html_text(table->definition->title, stream);
    fputs(": ", stream);
    html_text(title, stream);
    fputs("</caption>\n", stream);
    put_headings(table->definition, stream);
    fputs("<tbody>\n", stream);
    for (size_t i = 0; i < panel->row_count; ++i)
        put_row(table, panel, &panel->rows[i], stream);
    fputs("</tbody></table></div>\n", stream);
    put_notes(table, panel, stream);
}

void html_table(const struct report_table *table, FILE *stream)
{
    for (size_t i = 0; i < table->panel_count; ++i) {
        char title[500];
        const bool folded = i > 0;
        html_panel_title(&table->panels[i], title, sizeof title);
        fprintf(stream,
                folded ? "<details class=\"panel\" id=\"%s-%zu\"><summary><h3>"
                       : "<div class=\"panel\" id=\"%s-%zu\"><h3>",
                table->definition->id, i + 1);
        html_text(title, stream);
        fputs(folded ? "</h3></summary>\n" : "</h3>\n", stream);
        put_panel(table, &table->panels[i], title, stream);
        fputs(folded ? "</details>\n" : "</div>\n", stream);
    }
    if (table->left_out)
        fprintf(stream,
                "<p class=\"more\">%zu more configuration%s in the database: <code>--all</code> shows %s.</p>\n",
                table->left_out, table->left_out == 1 ? " is" : "s are", table->left_out == 1 ? "it" : "them");
}
