// SPDX-License-Identifier: MIT
#include "report/sweep/sweep_document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- layout

static bool no_such_axis(const struct sweep_rows *rows, const char *name, struct error *error)
{
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; i < rows->axis_count && count < 63; ++i)
        names[count++] = rows->axes[i].name;
    names[count] = NULL;
    if (count == 0)
        return error_set(error, ERROR_USE, "nothing varies in %s: it has one setting", rows->experiment);
    error_set(error, ERROR_USE, "%s does not vary in %s", name, rows->experiment);
    return error_near(error, name, names, NULL);
}

static bool is_laid(const struct sweep_layout *layout, const struct sweep_axis *axis)
{
    for (size_t i = 0; i < layout->down_count; ++i)
        if (layout->down[i] == axis)
            return true;
    for (size_t i = 0; i < layout->across_count; ++i)
        if (layout->across[i] == axis)
            return true;
    return false;
}

static bool lay(const struct sweep_rows *rows, const char *names, struct sweep_layout *layout, bool across,
                struct error *error)
{
    const struct sweep_axis **side = across ? layout->across : layout->down;
    size_t *count = across ? &layout->across_count : &layout->down_count;
    while (names && names[0]) {
        char name[64];
        const size_t length = strcspn(names, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        names += length + (names[length] == ',');
        const struct sweep_axis *axis = sweep_axis_find(rows, name);
        if (!axis)
            return no_such_axis(rows, name, error);
        if (is_laid(layout, axis))
            return error_set(error, ERROR_USE, "%s is named twice", name);
        if (*count == SWEEP_SIDES_MOST)
            return error_set(error, ERROR_USE, "more than %d parameters on one side", SWEEP_SIDES_MOST);
        side[(*count)++] = axis;
    }
    return true;
}

bool sweep_layout_of(const struct sweep_rows *rows, const char *down, const char *across, struct sweep_layout *layout,
                     struct error *error)
{
    *layout = (struct sweep_layout){.down_count = 0};
    if (!lay(rows, across, layout, true, error) || !lay(rows, down, layout, false, error))
        return false;
    if (!layout->across_count && !layout->down_count && rows->axis_count > 1)
        layout->across[layout->across_count++] = &rows->axes[rows->axis_count - 1];
    for (size_t i = 0; i < rows->axis_count; ++i) {
        if (is_laid(layout, &rows->axes[i]))
            continue;
        if (layout->down_count == SWEEP_SIDES_MOST)
            return error_set(error, ERROR_USE, "more than %d parameters vary: name some of them in --columns",
                             2 * SWEEP_SIDES_MOST);
        layout->down[layout->down_count++] = &rows->axes[i];
    }
    return true;
}

// ---- cells

// Of words that two parameters of a side have, such as `none`, only the name tells which it is.
static bool another_has(const struct sweep_axis *const *side, size_t count, size_t own, const char *value)
{
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; i != own && k < side[i]->value_count; ++k)
            if (!strcmp(side[i]->values[k], value))
                return true;
    return false;
}

// The values of one side of a row: "naive, tile_m 2".
static const char *side_text(const struct sweep_rows *rows, const struct sweep_row *row,
                             const struct sweep_axis *const *side, size_t count, bool named, struct document *document)
{
    const char *text = "";
    for (size_t i = 0; i < count; ++i) {
        const char *value = row->at[side[i] - rows->axes];
        if (!value[0])
            continue;
        const bool with_name = named && (value[strspn(value, "0123456789.-")] == '\0' || !strcmp(value, "auto") ||
                                         another_has(side, count, i, value));
        text = doc_text(document, "%s%s%s%s%s", text, text[0] ? ", " : "", with_name ? side[i]->name : "",
                        with_name ? " " : "", value);
    }
    return text;
}

struct side {
    const struct sweep_rows *rows;
    const struct sweep_axis *const *axes;
    size_t count;
    bool named;
};

struct placed {
    const struct sweep_row *row;
    const struct side *side;
};

// By the axes' own order, the first the slowest.
static int by_side(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    for (size_t i = 0; i < x->side->count; ++i) {
        const size_t axis = (size_t)(x->side->axes[i] - x->side->rows->axes);
        if (x->row->rank[axis] != y->row->rank[axis])
            return x->row->rank[axis] < y->row->rank[axis] ? -1 : 1;
    }
    return 0;
}

struct keys {
    const char **texts;
    size_t count;
    size_t *of_row; // for each row of the sweep its key
};

static void gather_keys(const struct side *side, struct keys *keys, struct document *document)
{
    const struct sweep_rows *rows = side->rows;
    struct placed *order = arena_new(doc_memory(document), rows->row_count + 1, sizeof *order);
    keys->of_row = arena_new(doc_memory(document), rows->row_count + 1, sizeof *keys->of_row);
    for (size_t i = 0; i < rows->row_count; ++i)
        order[i] = (struct placed){&rows->rows[i], side};
    qsort(order, rows->row_count, sizeof *order, by_side);
    for (size_t i = 0; i < rows->row_count; ++i) {
        if (i == 0 || by_side(&order[i - 1], &order[i]) != 0)
            *ARENA_ADD(doc_memory(document), keys->texts, keys->count) =
                side_text(rows, order[i].row, side->axes, side->count, side->named, document);
        keys->of_row[order[i].row - rows->rows] = keys->count - 1;
    }
}

static size_t note_place(struct keys *notes, const char *text, struct document *document)
{
    size_t i = 0;
    while (i < notes->count && strcmp(notes->texts[i], text) != 0)
        ++i;
    if (i == notes->count)
        *ARENA_ADD(doc_memory(document), notes->texts, notes->count) = text;
    return i;
}

// Letters of a row's flags, which are footnotes.
static const char *flag_letters(const char *flags, struct keys *notes, struct document *document)
{
    const char *letters = "";
    while (flags[0]) {
        const size_t length = strcspn(flags, ",");
        const size_t place = note_place(notes, doc_text(document, "%.*s", (int)length, flags), document);
        if (place < 26)
            letters = doc_text(document, "%s%c", letters, (char)('a' + place));
        flags += length + (flags[length] == ',');
    }
    return letters;
}

static void fill_cell(const struct sweep_row *row, struct doc_cell *cell, struct keys *notes, struct document *document)
{
    const bool measured = !isnan(row->value);
    const double half = (row->high - row->low) / 2;
    const char *value = doc_text(document, fabs(row->value) >= 1e4 ? "%.0f" : "%.4g", row->value);
    if (!isnan(half))
        value = doc_text(document, "%s +-%.2g", value, half);
    cell->lines[DOC_HERE].value = measured ? value : "not measured";
    cell->marks = measured ? flag_letters(row->flags, notes, document) : "";
    cell->exact = row->value;
    cell->low = row->low;
    cell->high = row->high;
}

static void add_notes(const struct keys *notes, struct document *document)
{
    if (!notes->count)
        return;
    doc_add(document, DOC_LIST, DOC_FOOTNOTES, NULL);
    for (size_t i = 0; i < notes->count && i < 26; ++i) {
        char *text = doc_text(document, "%s", notes->texts[i]);
        for (char *at = text; *at; ++at)
            *at = *at == '_' ? ' ' : *at;
        doc_item(document, doc_text(document, "%c", (char)('a' + i)), text);
    }
}

static const char *side_title(const struct sweep_axis *const *side, size_t count, struct document *document)
{
    const char *title = "";
    for (size_t i = 0; i < count; ++i)
        title = doc_text(document, "%s%s%s", title, i ? ", " : "", side[i]->name);
    return title;
}

static const char *heading_of(const struct sweep_rows *rows, struct document *document)
{
    const struct sweep_measure *measure = &rows->measure;
    return doc_text(document, "%s: %s%s%s", rows->experiment, measure->title, measure->unit[0] ? ", " : "",
                    measure->unit);
}

const char *sweep_side_text(const struct sweep_rows *rows, const struct sweep_row *row,
                            const struct sweep_axis *const *side, size_t count, struct document *document)
{
    return side_text(rows, row, side, count, true, document);
}

void sweep_document(const struct sweep_rows *rows, const struct sweep_layout *layout, struct document *document)
{
    const bool alone = layout->across_count == 0;
    const struct side sides[] = {{rows, layout->down, layout->down_count, layout->down_count > 1},
                                 {rows, layout->across, layout->across_count, true}};
    struct keys down = {.count = 0}, across = {.count = 0}, notes = {.count = 0};
    gather_keys(&sides[0], &down, document);
    gather_keys(&sides[1], &across, document);
    doc_heading(document, 2, doc_text(document, "%s", rows->experiment), heading_of(rows, document));
    struct doc_table *table = doc_table(document, side_title(layout->down, layout->down_count, document), across.count);
    table->caption = heading_of(rows, document);
    for (size_t x = 0; x < across.count; ++x)
        table->columns[x].title =
            alone ? rows->measure.name
            : across.texts[x][0]
                ? across.texts[x]
                : doc_text(document, "no %s", side_title(layout->across, layout->across_count, document));
    for (size_t y = 0; y < down.count; ++y)
        doc_row(document, table, down.texts[y]);
    for (size_t i = 0; i < rows->row_count; ++i)
        fill_cell(&rows->rows[i], &table->rows[down.of_row[i]].cells[across.of_row[i]], &notes, document);
    add_notes(&notes, document);
}
