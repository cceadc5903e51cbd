// SPDX-License-Identifier: MIT
// Markdown: the lines of a cell stand in columns of their own; "16,651 [18,651 W-M2] (250k)" for a misprint.
#include <string.h>

#include "report/write/document.h"
#include "report/write/escape.h"

// The running value in bold.
static const struct doc_markup markup = {markdown_text, " \\[", "\\]", "**(", ")**"};

// "12.5<sup>a</sup> (12.1..12.9)"
static void put_here(const struct doc_cell *cell, FILE *stream)
{
    doc_put_value(&cell->lines[DOC_HERE], doc_shown(cell), &markup, stream);
    if (doc_has(cell->marks))
        fprintf(stream, "<sup>%s</sup>", cell->marks);
    if (doc_has(cell->lines[DOC_INTERVAL].value))
        fprintf(stream, " (%s)", cell->lines[DOC_INTERVAL].value);
}

static void put_titles(const struct doc_table *table, FILE *stream)
{
    fputs("| ", stream);
    markdown_text(table->key, stream);
    fputs(" |", stream);
    for (size_t i = 0; i < table->column_count; ++i) {
        const struct doc_column *column = &table->columns[i];
        fputc(' ', stream);
        markdown_text(column->title, stream);
        fputs(doc_has(column->unit) ? ", " : "", stream);
        markdown_text(column->unit, stream);
        fprintf(stream, " |%s%s", column->paper ? " paper |" : "", column->ratio ? " ratio |" : "");
    }
    fputs(table->lined ? "\n|---:|" : "\n|---|", stream);
    for (size_t i = 0; i < table->column_count; ++i)
        for (int count = 1 + table->columns[i].paper + table->columns[i].ratio; count; --count)
            fputs(table->columns[i].words ? "---|" : "---:|", stream);
    fputc('\n', stream);
}

static void put_row(const struct doc_table *table, const struct doc_row *row, FILE *stream)
{
    fputs("| ", stream);
    markdown_text(row->key, stream);
    fputs(" |", stream);
    for (size_t i = 0; i < table->column_count; ++i) {
        const struct doc_cell *cell = &row->cells[i];
        const bool shown[DOC_LINES] = {true, false, table->columns[i].paper, table->columns[i].ratio};
        for (int line = 0; line < DOC_LINES; ++line) {
            if (!shown[line])
                continue;
            fputc(' ', stream);
            if (line == DOC_HERE)
                put_here(cell, stream);
            else
                doc_put_value(&cell->lines[line], cell->lines[line].value, &markup, stream);
            fputs(" |", stream);
        }
    }
    fputc('\n', stream);
}

static void put_list(const struct doc_block *block, FILE *stream)
{
    for (size_t i = 0; i < block->item_count; ++i) {
        fputs(block->role == DOC_FOOTNOTES ? "- ^" : "- ", stream);
        markdown_text(block->items[i].label, stream);
        fputs(doc_has(block->items[i].label) ? ": " : "", stream);
        markdown_sentence(block->items[i].text, stream);
        fputc('\n', stream);
    }
}

static void put_pictures(const struct doc_block *block, FILE *stream)
{
    for (size_t i = 0; i < block->item_count; ++i) {
        fputs("![", stream);
        markdown_text(block->items[i].text, stream);
        fprintf(stream, "](%s)\n", block->items[i].shown);
    }
}

static void put_block(const struct doc_block *block, FILE *stream)
{
    switch (block->kind) {
    case DOC_HEADING:
    case DOC_FOLD:
        fprintf(stream, "%.*s ", block->level ? block->level : 2, "####");
        markdown_text(block->alone ? block->alone : block->text, stream);
        fputc('\n', stream);
        break;
    case DOC_TEXT:
        markdown_sentence(block->text, stream);
        fputc('\n', stream);
        break;
    case DOC_LIST: put_list(block, stream); break;
    case DOC_TABLE:
        put_titles(block->table, stream);
        for (size_t i = 0; i < block->table->row_count; ++i)
            put_row(block->table, &block->table->rows[i], stream);
        break;
    case DOC_PICTURES: put_pictures(block, stream); break;
    default: break; // what only a page has
    }
}

// What only a page has; a table's title, which its own heading says again.
static bool is_left_out(const struct doc_block *block)
{
    return block->kind == DOC_UNFOLD || block->kind == DOC_BAR || block->kind == DOC_LINKS ||
           (block->kind == DOC_HEADING && block->role == DOC_RESULTS);
}

void doc_write_markdown(const struct document *document, FILE *stream)
{
    for (size_t i = 0; i < document->count; ++i) {
        const struct doc_block *block = &document->blocks[i];
        if (is_left_out(block))
            continue;
        if (i && !(block->kind == DOC_LIST && block[-1].kind == DOC_LIST)) // lists that follow each other are one
            fputc('\n', stream);
        put_block(block, stream);
    }
}
