// SPDX-License-Identifier: MIT
#include "report/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CHUNK = 1 << 16 };

const char *const doc_line_names[DOC_LINES] = {"here", "95 %", "paper", "ratio"};

struct doc_chunk {
    struct doc_chunk *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

void document_finish(struct document *document)
{
    for (struct doc_chunk *chunk = document->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *document = (struct document){.count = 0};
}

void *doc_memory(struct document *document, size_t size)
{
    struct doc_chunk *chunk = document->chunks;
    size = (size + 15) / 16 * 16;
    if (!chunk || chunk->size - chunk->used < size) {
        const size_t room = size > CHUNK ? size : CHUNK;
        chunk = memory_new(1, sizeof *chunk + room);
        chunk->size = room;
        chunk->next = document->chunks;
        document->chunks = chunk;
    }
    void *memory = chunk->bytes + chunk->used;
    chunk->used += size;
    return memory;
}

char *doc_text(struct document *document, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = doc_memory(document, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

const char *doc_join(struct document *document, const char *list, const char *separator, const char *more)
{
    return list && list[0] ? doc_text(document, "%s%s%s", list, separator, more) : more;
}

// Room for one more row of an array that lives in the document.
static void *grown(struct document *document, void *rows, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return rows;
    *room = *room ? 2 * *room : 8;
    void *more = doc_memory(document, *room * size);
    return count ? memcpy(more, rows, count * size) : more;
}

struct doc_block *doc_add(struct document *document, enum doc_kind kind, enum doc_role role, const char *text)
{
    const struct doc_block *last = document->count ? &document->blocks[document->count - 1] : NULL;
    document->count -= last && last->kind == DOC_LIST && !last->item_count; // nothing came of that list
    document->blocks = grown(document, document->blocks, document->count, &document->room, sizeof *document->blocks);
    struct doc_block *block = &document->blocks[document->count++];
    *block = (struct doc_block){.kind = kind, .role = role, .text = text};
    return block;
}

struct doc_item *doc_item(struct document *document, const char *label, const char *text)
{
    struct doc_block *block = &document->blocks[document->count - 1];
    block->items = grown(document, block->items, block->item_count, &block->item_room, sizeof *block->items);
    struct doc_item *item = &block->items[block->item_count++];
    *item = (struct doc_item){.label = label, .text = text};
    return item;
}

struct doc_table *doc_table(struct document *document, const char *key, size_t columns)
{
    struct doc_table *table = doc_memory(document, sizeof *table);
    table->key = key;
    table->column_count = columns;
    table->columns = doc_memory(document, columns * sizeof *table->columns);
    doc_add(document, DOC_TABLE, DOC_PLAIN, NULL)->table = table;
    return table;
}

struct doc_row *doc_row(struct document *document, struct doc_table *table, const char *key)
{
    table->rows = grown(document, table->rows, table->row_count, &table->row_room, sizeof *table->rows);
    struct doc_row *row = &table->rows[table->row_count++];
    *row = (struct doc_row){.key = key, .cells = doc_memory(document, table->column_count * sizeof *row->cells)};
    for (size_t i = 0; i < table->column_count; ++i)
        row->cells[i].exact = row->cells[i].low = row->cells[i].high = row->cells[i].ratio = NAN;
    return row;
}

void doc_words(struct doc_row *row, size_t column, const char *text)
{
    row->cells[column].lines[DOC_HERE].value = text;
}

bool doc_row_has(const struct doc_table *table, const struct doc_row *row, enum doc_line line)
{
    for (size_t i = 0; i < table->column_count; ++i) {
        const struct doc_value *value = &row->cells[i].lines[line];
        if ((value->value && value->value[0]) || (value->running && value->running[0]))
            return true;
    }
    return line == DOC_HERE;
}
