// SPDX-License-Identifier: MIT
#include "report/write/document.h"

#include <math.h>
#include <string.h>

const char *const doc_line_names[DOC_LINES] = {"here", "95 %", "paper", "ratio"};

struct arena *doc_memory(struct document *document)
{
    return document->shared ? document->shared : &document->own;
}

void document_finish(struct document *document)
{
    arena_free(&document->own);
    *document = (struct document){.count = 0};
}

struct doc_block *doc_add(struct document *document, enum doc_kind kind, enum doc_role role, const char *text)
{
    const struct doc_block *last = document->count ? &document->blocks[document->count - 1] : NULL;
    document->count -= last && last->kind == DOC_LIST && !last->item_count; // nothing came of that list
    struct doc_block *block = ARENA_ADD(doc_memory(document), document->blocks, document->count);
    *block = (struct doc_block){.kind = kind, .role = role, .text = text};
    return block;
}

struct doc_block *doc_heading(struct document *document, int level, const char *id, const char *text)
{
    struct doc_block *block = doc_add(document, DOC_HEADING, DOC_PLAIN, text);
    block->level = level;
    block->id = id;
    return block;
}

struct doc_item *doc_item(struct document *document, const char *label, const char *text)
{
    struct doc_block *block = &document->blocks[document->count - 1];
    struct doc_item *item = ARENA_ADD(doc_memory(document), block->items, block->item_count);
    *item = (struct doc_item){.label = label, .text = text};
    return item;
}

struct doc_table *doc_table(struct document *document, const char *key, size_t columns)
{
    struct doc_table *table = arena_new(doc_memory(document), 1, sizeof *table);
    table->key = key;
    table->column_count = columns;
    table->columns = arena_new(doc_memory(document), columns, sizeof *table->columns);
    doc_add(document, DOC_TABLE, DOC_PLAIN, NULL)->table = table;
    return table;
}

struct doc_row *doc_row(struct document *document, struct doc_table *table, const char *key)
{
    struct doc_row *row = ARENA_ADD(doc_memory(document), table->rows, table->row_count);
    row->key = key;
    row->cells = arena_new(doc_memory(document), table->column_count, sizeof *row->cells);
    for (size_t i = 0; i < table->column_count; ++i)
        row->cells[i].exact = row->cells[i].low = row->cells[i].high = row->cells[i].ratio = NAN;
    return row;
}

void doc_words(struct doc_row *row, size_t column, const char *text)
{
    row->cells[column].lines[DOC_HERE].value = text;
}

struct doc_table *doc_words_table(struct document *document, const char *key, const char *caption, size_t columns,
                                  const char *const *titles)
{
    struct doc_table *table = doc_table(document, key, columns);
    table->caption = caption;
    for (size_t i = 0; i < columns; ++i)
        table->columns[i] = (struct doc_column){.title = titles[i], .words = true};
    return table;
}

void doc_words_row(struct document *document, struct doc_table *table, const char *key, const char *const *texts)
{
    struct doc_row *row = doc_row(document, table, key);
    for (size_t i = 0; i < table->column_count; ++i)
        doc_words(row, i, texts[i]);
}

bool doc_has(const char *text)
{
    return text && text[0];
}

bool doc_has_words(const struct doc_table *table)
{
    for (size_t i = 0; i < table->column_count; ++i)
        if (table->columns[i].words)
            return true;
    return false;
}

bool doc_row_has(const struct doc_table *table, const struct doc_row *row, enum doc_line line)
{
    for (size_t i = 0; i < table->column_count; ++i) {
        const struct doc_value *value = &row->cells[i].lines[line];
        if (doc_has(value->value) || doc_has(value->running))
            return true;
    }
    return line == DOC_HERE && !row->unmeasured;
}

bool doc_row_begins(const struct doc_row *row, enum doc_line line)
{
    return line == (row->unmeasured ? DOC_PAPER : DOC_HERE);
}

static void put_fix(const char *fix, const struct doc_markup *markup, FILE *stream)
{
    if (!doc_has(fix))
        return;
    fputs(markup->fix, stream);
    markup->text(fix, stream);
    fputs(markup->fix_end, stream);
}

void doc_put_value(const struct doc_value *value, const char *shown, const struct doc_markup *markup, FILE *stream)
{
    markup->text(shown, stream);
    put_fix(value->fix, markup, stream);
    if (!doc_has(value->running))
        return;
    fputs(doc_has(shown) ? " " : "", stream);
    fputs(markup->running, stream);
    markup->text(value->running, stream);
    put_fix(value->running_fix, markup, stream);
    fputs(markup->running_end, stream);
}

const char *doc_shown(const struct doc_cell *cell)
{
    const char *value = cell->lines[DOC_HERE].value;
    return doc_has(cell->marks) && doc_has(value) && !strcmp(value, "-") ? "\u2013" : value;
}
