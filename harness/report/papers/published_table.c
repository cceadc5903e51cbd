// SPDX-License-Identifier: MIT
// Tables of published.yaml: columns, rows, and the cells that a misprint corrects.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/papers/published.h"
#include "report/papers/published_parts.h"

static const struct yaml_field column_fields[] = {
    YAML_FIELD(struct published_column, title, YAML_TEXT, "heading"),
    YAML_FIELD(struct published_column, unit, YAML_TEXT, "unit of the column"),
    YAML_FIELD(struct published_column, scale, YAML_REAL, "the value of a printed 1 in that unit"),
    YAML_FIELD(struct published_column, suffix, YAML_TEXT, "printed after the number"),
    YAML_FIELD(struct published_column, decimals, YAML_COUNT, "to which the paper rounds"),
    YAML_FIELDS_END,
};
static const char *const column_others[] = {"style", NULL};
static const char *const style_words[] = {"number", "text", NULL};

struct correction {
    const char *misprint, *row, *column, *corrected;
};
static const struct yaml_field correction_fields[] = {
    YAML_FIELD(struct correction, misprint, YAML_TEXT, "id of the misprint"),
    YAML_FIELD(struct correction, row, YAML_TEXT, "key of the row"),
    YAML_FIELD(struct correction, column, YAML_TEXT, "name of the column"),
    YAML_FIELD(struct correction, corrected, YAML_TEXT, "what is right"),
    YAML_FIELDS_END,
};

static bool read_number(struct yaml_source *source, const yaml_node_t *node, const char *text, double *value,
                        struct error *error)
{
    char *end;
    *value = strtod(text, &end);
    if (end != text && !*end && strspn(text, "+-.0123456789eE") == strlen(text) && isfinite(*value))
        return true;
    return yaml_fail(source, node, error, "'%.60s' is not a number", text);
}

// A number and how far rounding may have moved it, both in the column's unit.
static bool read_rounded(struct yaml_source *source, const yaml_node_t *node, const char *text, double scale,
                         struct published_cell *cell, struct error *error)
{
    if (!read_number(source, node, text, &cell->value, error))
        return false;
    const char *point = strchr(text, '.');
    cell->value *= scale;
    cell->half = 0.5 * scale * pow(10, point ? -(double)strspn(point + 1, "0123456789") : 0);
    return true;
}

static bool read_column(struct yaml_source *source, const char *name, yaml_node_t *node,
                        struct published_column *column, struct error *error)
{
    uint32_t style = 0;
    yaml_empty_texts(column_fields, column);
    column->name = name;
    column->scale = 1;
    if (!yaml_read_mapping(source, node, name, column_fields, column_others, column, NULL, error) ||
        !yaml_choice(source, node, "style", style_words, &style, error))
        return false;
    column->text = style == 1;
    return true;
}

static bool read_columns(struct yaml_source *source, yaml_node_t *node, struct arena *arena,
                         struct published_table *table, struct error *error)
{
    if (!yaml_expect_keys(source, node, "columns", error))
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i)
        if (!read_column(source, yaml_key(source, node, i), yaml_value(source, node, i),
                         ARENA_ADD(arena, table->columns, table->column_count), error))
            return false;
    return true;
}

// What stands in a cell, into its value: the words of a column of text have none.
static bool read_content(struct yaml_source *source, const yaml_node_t *node, const char *text,
                         const struct published_column *column, struct published_cell *cell, struct error *error)
{
    if (!column->text)
        return read_rounded(source, node, text, column->scale, cell, error);
    if (strlen(text) < PUBLISHED_TEXT)
        return true;
    return yaml_fail(source, node, error, "%s: a cell has at most %d bytes of text", column->name, PUBLISHED_TEXT - 1);
}

// The cell, which the caller may change while it reads; NULL where there is none.
static struct published_cell *cell_of(const struct published_table *table, const char *row, const char *column)
{
    const struct published_cell *cell = published_cell(table, row, column);
    return cell ? &table->cells[cell - table->cells] : NULL;
}

static bool read_cell(struct yaml_source *source, const yaml_node_t *node, const char *name,
                      struct published_table *table, size_t row, struct error *error)
{
    const char *text = yaml_text(node);
    if (!text)
        return yaml_fail(source, node, error, "%s must be a single value", name);
    if (!strcmp(name, table->row)) {
        for (size_t i = 0; i < row; ++i)
            if (!strcmp(table->row_keys[i], text))
                return yaml_fail(source, node, error, "%s %s stands twice", name, text);
        table->row_keys[row] = text;
        return true;
    }
    const struct published_column *column = published_column(table, name);
    if (!column)
        return yaml_fail(source, node, error, "table %s has no column '%s'", table->id, name);
    struct published_cell *cell = &table->cells[row * table->column_count + (size_t)(column - table->columns)];
    cell->printed = text;
    return read_content(source, node, text, column, cell, error);
}

static bool read_row(struct yaml_source *source, yaml_node_t *node, struct published_table *table, size_t row,
                     struct error *error)
{
    if (!yaml_expect_keys(source, node, "a row", error))
        return false;
    table->row_keys[row] = "";
    table->row_count = row + 1;
    for (size_t i = 0; i < yaml_length(node); ++i)
        if (!read_cell(source, yaml_value(source, node, i), yaml_key(source, node, i), table, row, error))
            return false;
    return table->row_keys[row][0] || yaml_fail(source, node, error, "a row without its %s", table->row);
}

static bool read_rows(struct yaml_source *source, yaml_node_t *node, struct arena *arena, struct published_table *table,
                      struct error *error)
{
    const size_t count = yaml_length(node), cells = count * table->column_count;
    table->row_keys = arena_new(arena, count, sizeof *table->row_keys);
    table->cells = arena_new(arena, cells, sizeof *table->cells);
    for (size_t i = 0; i < cells; ++i)
        table->cells[i].value = table->cells[i].half = NAN;
    for (size_t i = 0; i < count; ++i)
        if (!read_row(source, yaml_value(source, node, i), table, i, error))
            return false;
    return true;
}

static bool apply_correction(struct yaml_source *source, yaml_node_t *node, const struct published *published,
                             struct published_table *table, struct error *error)
{
    struct correction correction = {"", "", "", ""};
    if (!yaml_read_mapping(source, node, "a correction", correction_fields, NULL, &correction, NULL, error))
        return false;
    struct published_cell *cell = cell_of(table, correction.row, correction.column);
    if (!cell || !cell->printed)
        return yaml_fail(source, node, error, "table %s has no cell %s, %s", table->id, correction.row,
                         correction.column);
    if (!published_misprint(published, correction.misprint))
        return yaml_fail(source, node, error, "there is no misprint '%.40s'", correction.misprint);
    cell->misprint = correction.misprint;
    cell->corrected = correction.corrected;
    return read_content(source, node, correction.corrected, published_column(table, correction.column), cell, error);
}

static const struct yaml_field table_fields[] = {
    YAML_FIELD(struct published_table, title, YAML_TEXT, "heading"),
    YAML_FIELD(struct published_table, scene, YAML_TEXT, "scene of all rows"),
    YAML_FIELD(struct published_table, row, YAML_TEXT, "key that names a row"),
    YAML_FIELDS_END,
};
static const char *const table_others[] = {"columns", "rows", "corrections", NULL};

static bool read_table(struct yaml_source *source, yaml_node_t *node, struct published *published,
                       struct published_table *table, struct error *error)
{
    yaml_empty_texts(table_fields, table);
    if (!yaml_read_mapping(source, node, table->id, table_fields, table_others, table, NULL, error) ||
        !yaml_member(source, node, "row", YAML_SCALAR_NODE, error))
        return false;
    yaml_node_t *columns = yaml_member(source, node, "columns", YAML_MAPPING_NODE, error),
                *rows = columns ? yaml_member(source, node, "rows", YAML_SEQUENCE_NODE, error) : NULL,
                *corrections = yaml_find(source, node, "corrections");
    if (!rows || !read_columns(source, columns, &published->arena, table, error) ||
        !read_rows(source, rows, &published->arena, table, error))
        return false;
    for (size_t i = 0; i < yaml_length(corrections); ++i)
        if (!apply_correction(source, yaml_value(source, corrections, i), published, table, error))
            return false;
    return true;
}

bool published_read_tables(struct yaml_source *source, yaml_node_t *node, struct published *published,
                           struct error *error)
{
    if (!yaml_expect_keys(source, node, "tables", error))
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        struct published_table *table = ARENA_ADD(&published->arena, published->tables, published->table_count);
        table->id = yaml_key(source, node, i);
        if (!read_table(source, yaml_value(source, node, i), published, table, error))
            return false;
    }
    return true;
}
