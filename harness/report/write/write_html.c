// SPDX-License-Identifier: MIT
// HTML: each cell holds what a trace of it needs, as attributes that page.js reads.
#include <math.h>
#include <string.h>

#include "report/write/document.h"
#include "report/write/escape.h"

static const char *const line_classes[DOC_LINES] = {"v", "i", "p", "r"};
// How each role of a list looks: "" where it is a list of labels and texts.
static const struct {
    const char *list, *items;
} looks[DOC_ROLES] = {
    [DOC_PLAIN] = {"ul", "notes"},         [DOC_SETTING] = {"ul", "setting"}, [DOC_FINDINGS] = {"ul", "findings"},
    [DOC_FOOTNOTES] = {"dl", "footnotes"}, [DOC_NOTES] = {"ul", "notes"},     [DOC_SOURCES] = {"ul", "notes"},
    [DOC_FACTS] = {"dl", "facts"},
};

static void write_html_put(const char *before, const char *text, const char *after, FILE *stream)
{
    fputs(before, stream);
    html_text(text, stream);
    fputs(after, stream);
}

static void put_number(const char *name, double value, FILE *stream)
{
    if (isfinite(value))
        fprintf(stream, " %s=\"%.15g\"", name, value);
}

// The numbers of "open 12, 15; forest 16".
static void put_trials(const char *trials, FILE *stream)
{
    bool any = false;
    while (doc_has(trials)) {
        const size_t digits = strspn(trials, "0123456789");
        if (digits)
            fprintf(stream, "%s%.*s", any ? " " : " data-t=\"", (int)digits, trials);
        any = any || digits;
        trials += digits + (digits == 0);
    }
    fputs(any ? "\"" : "", stream);
}

// ---- cells

static const struct doc_markup markup = {html_text, " <b class=\"fix\">[", "]</b>", "<span class=\"c\">(", ")</span>"};

// "reproduced, confidence: high": what stands behind the comma is small, below the word.
static void put_verdict(const char *role, const char *text, FILE *stream)
{
    char word[80];
    const size_t length = strcspn(text, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    write_html_put("<span class=\"verdict ", role, "\">", stream);
    write_html_put("", word, "</span>", stream);
    if (text[length])
        write_html_put("<span class=\"aside\">", text + length + 2, "</span>", stream);
}

// `detail`: NULL, or of the row whose detail unfolds here.
static void put_words(const struct doc_column *column, const struct doc_cell *cell, const struct doc_row *detail,
                      FILE *stream)
{
    const char *text = doc_has(cell->lines[DOC_HERE].value) ? cell->lines[DOC_HERE].value : "";
    fputs(column->narrow ? "<td class=\"words narrow\"" : "<td class=\"words\"", stream);
    html_attribute("data-title", column->bare ? NULL : column->title, stream);
    put_number("data-v", cell->exact, stream);
    fputc('>', stream);
    if (cell->role)
        put_verdict(cell->role, text, stream);
    else
        html_sentence(text, stream);
    if (detail && detail->detail) {
        write_html_put("<details><summary>", detail->detail_summary, "</summary>\n", stream);
        doc_write_html(detail->detail, stream);
        fputs("</details>", stream);
    }
    fputs("</td>", stream);
}

// `title`: NULL, or of its column, which a narrow screen shows beside it.
static void put_cell(const char *title, const struct doc_cell *cell, const bool lines[DOC_LINES], FILE *stream)
{
    const bool traced = doc_has(cell->trials);
    fputs("<td", stream);
    html_attribute("data-title", title, stream);
    put_number("data-v", cell->exact, stream);
    put_number("data-l", cell->low, stream);
    put_number("data-h", cell->high, stream);
    put_number("data-r", cell->ratio, stream);
    html_attribute("data-f", cell->marks, stream);
    put_trials(cell->trials, stream);
    fputc('>', stream);
    for (int line = 0; line < DOC_LINES; ++line) {
        if (!lines[line])
            continue;
        const bool button = line == DOC_HERE && traced;
        fprintf(stream, "<%s class=\"%s\">", button ? "button type=\"button\"" : "span", line_classes[line]);
        doc_put_value(&cell->lines[line], line == DOC_HERE ? doc_shown(cell) : cell->lines[line].value, &markup,
                      stream);
        if (line == DOC_HERE && doc_has(cell->marks))
            write_html_put("<sup>", cell->marks, "</sup>", stream);
        fputs(button ? "</button>" : "</span>", stream);
    }
    fputs("</td>", stream);
}

// ---- tables

static size_t last_bare(const struct doc_table *table)
{
    size_t last = table->column_count;
    for (size_t i = 0; i < table->column_count; ++i)
        last = table->columns[i].bare ? i : last;
    return last;
}

static void put_row(const struct doc_table *table, const struct doc_row *row, FILE *stream)
{
    bool lines[DOC_LINES];
    for (int line = 0; line < DOC_LINES; ++line)
        lines[line] = doc_row_has(table, row, (enum doc_line)line);
    fputs("<tr", stream);
    html_attribute("id", row->id, stream);
    html_attribute("data-verdict", row->role, stream);
    write_html_put("><th scope=\"row\">", row->key, "</th>", stream);
    if (table->lined)
        fputs("<td class=\"lines\">", stream);
    for (int line = 0; table->lined && line < DOC_LINES; ++line)
        if (lines[line])
            write_html_put("<span>", doc_line_names[line], "</span>", stream);
    fputs(table->lined ? "</td>" : "", stream);
    for (size_t i = 0; i < table->column_count; ++i)
        if (table->columns[i].words && !table->columns[i].detail)
            put_words(&table->columns[i], &row->cells[i], i == last_bare(table) ? row : NULL, stream);
        else if (!table->columns[i].words)
            put_cell(doc_has_words(table) ? table->columns[i].title : NULL, &row->cells[i], lines, stream);
    fputs("</tr>\n", stream);
}

static void put_heading(const struct doc_column *column, FILE *stream)
{
    fputs(column->narrow ? "<th class=\"words narrow\"" : column->words ? "<th class=\"words\"" : "<th", stream);
    write_html_put(" scope=\"col\" aria-sort=\"none\"><button type=\"button\" class=\"sort\">", column->title,
                   "</button>", stream);
    if (doc_has(column->unit) || column->running)
        write_html_put(" <span class=\"unit\">", column->unit, column->running ? " (cumulative)</span>" : "</span>",
                       stream);
    fputs("</th>", stream);
}

static void put_table(const struct doc_table *table, FILE *stream)
{
    fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\"", stream);
    html_attribute("aria-label", table->caption, stream);
    write_html_put(doc_has_words(table) ? "><table class=\"data records\">\n<caption>"
                                        : "><table class=\"data\">\n<caption>",
                   table->caption, "</caption>\n<thead><tr>", stream);
    put_heading(&(struct doc_column){.title = table->key}, stream);
    fputs(table->lined ? "<td class=\"lines\"></td>" : "", stream);
    for (size_t i = 0; i < table->column_count; ++i)
        if (!table->columns[i].detail)
            put_heading(&table->columns[i], stream);
    fputs("</tr></thead>\n<tbody>\n", stream);
    for (size_t i = 0; i < table->row_count; ++i)
        put_row(table, &table->rows[i], stream);
    fputs("</tbody></table></div>\n", stream);
}

// ---- blocks

static void put_list(const struct doc_block *block, FILE *stream)
{
    const char *list = looks[block->role].list;
    const bool labelled = !strcmp(list, "dl");
    if (block->role == DOC_SOURCES)
        fputs("<details class=\"sources\"><summary>Trials and raw rows</summary>\n", stream);
    fprintf(stream, "<%s class=\"%s\">\n", list, looks[block->role].items);
    for (size_t i = 0; i < block->item_count; ++i) {
        const struct doc_item *item = &block->items[i];
        if (labelled)
            write_html_put("<dt>", item->label, "</dt>", stream);
        fputs(labelled ? "<dd" : "<li", stream);
        html_attribute("data-flag", block->role == DOC_FOOTNOTES ? item->label : NULL, stream);
        fputc('>', stream);
        html_sentence(item->text, stream);
        fputs(labelled ? "</dd>\n" : "</li>\n", stream);
    }
    fprintf(stream, "</%s>\n%s", list, block->role == DOC_SOURCES ? "</details>\n" : "");
}

static void put_bar(const struct doc_block *block, FILE *stream)
{
    fputs("<div class=\"summary\">\n<ul class=\"verdicts\">\n", stream);
    for (size_t i = 0; i < block->item_count; ++i) {
        fprintf(stream, "<li><b>%zu</b> <span class=\"verdict ", block->items[i].weight);
        write_html_put("", block->items[i].label, "\">", stream);
        write_html_put("", block->items[i].text, "</span></li>\n", stream);
    }
    fputs("</ul>\n<div class=\"bar\" aria-hidden=\"true\">", stream);
    for (size_t i = 0; i < block->item_count; ++i)
        fprintf(stream, "<span class=\"%s\" style=\"flex-grow:%zu\"></span>", block->items[i].label,
                block->items[i].weight);
    fputs("</div>\n</div>\n", stream);
}

// Links with the ends of the files' names as their words.
static void put_links(const char *before, const char *files, const char *after, FILE *stream)
{
    fputs(before, stream);
    while (doc_has(files)) {
        const int length = (int)strcspn(files, " ");
        int end = length;
        while (end && files[end - 1] != '.')
            --end;
        fprintf(stream, "<a href=\"%.*s\">%.*s</a> ", length, files, length - end, files + end);
        files += length + (files[length] == ' ');
    }
    fputs(after, stream);
}

static void put_pictures(const struct doc_block *block, FILE *stream)
{
    fprintf(stream, "<div class=\"figures%s\">\n", block->role == DOC_FINDINGS ? " key" : "");
    for (size_t i = 0; i < block->item_count; ++i) {
        const struct doc_item *item = &block->items[i];
        fputs("<figure", stream);
        html_attribute("id", item->label, stream);
        write_html_put(">\n<a href=\"", item->shown, "\"><img loading=\"lazy\"", stream);
        html_attribute("src", item->shown, stream);
        html_attribute("alt", item->text, stream);
        write_html_put("></a>\n<figcaption>", item->text, "", stream);
        put_links(" <span class=\"files\">", item->files, "</span></figcaption>\n</figure>\n", stream);
    }
    fputs("</div>\n", stream);
}

static void put_contents(const struct document *document, FILE *stream)
{
    fputs("<nav aria-label=\"Contents\"><h2>Contents</h2>\n<ul>\n", stream);
    for (size_t i = 0; i < document->count; ++i) {
        const struct doc_block *block = &document->blocks[i];
        if (block->kind != DOC_HEADING || !block->id)
            continue;
        write_html_put("<li><a href=\"#", block->id, "\">", stream);
        write_html_put("", block->text, "</a>", stream);
        if (doc_has(block->alone))
            write_html_put(" <span class=\"aside\">", block->alone, "</span>", stream);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n</nav>\n", stream);
}

static void put_heading_block(const struct doc_block *block, const char **section, FILE *stream)
{
    if (block->id) {
        fprintf(stream, "%s<section id=\"%s\"%s>\n", *section, block->id,
                block->role == DOC_RESULTS ? " class=\"table\"" : "");
        *section = "</section>\n";
    }
    fprintf(stream, "<h%d>", block->level);
    html_text(block->text, stream);
    fprintf(stream, "</h%d>\n", block->level);
}

static void put_fold(const struct doc_block *block, const char **end, FILE *stream)
{
    fputs(block->open ? "<div class=\"panel\"" : "<details class=\"panel\"", stream);
    html_attribute("id", block->id, stream);
    write_html_put(block->open ? "><h3>" : "><summary><h3>", block->text, block->open ? "</h3>\n" : "</h3></summary>\n",
                   stream);
    *end = block->open ? "</div>\n" : "</details>\n";
}

void doc_write_html(const struct document *document, FILE *stream)
{
    const char *fold = "", *section = "";
    for (size_t i = 0; i < document->count; ++i) {
        const struct doc_block *block = &document->blocks[i];
        switch (block->kind) {
        case DOC_HEADING: put_heading_block(block, &section, stream); break;
        case DOC_CONTENTS: put_contents(document, stream); break;
        case DOC_TEXT:
            fprintf(stream, "<p class=\"%s\">",
                    block->role == DOC_ASIDE      ? "aside"
                    : block->role == DOC_FINDINGS ? "found"
                                                  : "text");
            html_sentence(block->text, stream);
            fputs("</p>\n", stream);
            break;
        case DOC_LINKS: put_links("<p class=\"files\">", block->text, "</p>\n", stream); break;
        case DOC_LIST: put_list(block, stream); break;
        case DOC_TABLE: put_table(block->table, stream); break;
        case DOC_FOLD: put_fold(block, &fold, stream); break;
        case DOC_UNFOLD: fputs(fold, stream); break;
        case DOC_BAR: put_bar(block, stream); break;
        case DOC_PICTURES: put_pictures(block, stream); break;
        }
    }
    fputs(section, stream);
}
