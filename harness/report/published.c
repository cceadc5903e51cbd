// SPDX-License-Identifier: MIT
#include "report/published.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/yaml_file.h"

struct published_file {
    struct yaml_file yaml;
};

#define FIELD(type, name, kind, help)                                                                                  \
    {                                                                                                                  \
#name, kind, offsetof(type, name), 0, 0, help                                                                  \
    }
#define FIELDS_END                                                                                                     \
    {                                                                                                                  \
        NULL, YAML_TEXT, 0, 0, 0, NULL                                                                                 \
    }

static const struct yaml_field paper_fields[] = {
    FIELD(struct published, id, YAML_TEXT, "the paper's folder"),
    FIELD(struct published, title, YAML_TEXT, "its title"),
    FIELD(struct published, authors, YAML_TEXT, "who wrote it"),
    FIELD(struct published, venue, YAML_TEXT, "where it appeared"),
    FIELD(struct published, year, YAML_COUNT, "when"),
    FIELDS_END,
};
static const struct yaml_field column_fields[] = {
    FIELD(struct published_column, unit, YAML_TEXT, "unit of the column"),
    FIELD(struct published_column, scale, YAML_REAL, "what a printed 1 is in that unit"),
    FIELD(struct published_column, suffix, YAML_TEXT, "printed after the number"),
    FIELD(struct published_column, decimals, YAML_COUNT, "to which the paper rounds"),
    FIELDS_END,
};
static const struct yaml_field misprint_fields[] = {
    FIELD(struct published_misprint, id, YAML_TEXT, "W-M1"),
    FIELD(struct published_misprint, where, YAML_TEXT, "place"),
    FIELD(struct published_misprint, printed, YAML_TEXT, "what stands there"),
    FIELD(struct published_misprint, corrected, YAML_TEXT, "what should"),
    FIELD(struct published_misprint, certainty, YAML_TEXT, "how sure that is"),
    FIELD(struct published_misprint, reason, YAML_TEXT, "why"),
    FIELDS_END,
};
static const struct yaml_field quote_fields[] = {
    FIELD(struct published_quote, id, YAML_TEXT, "Q01"),
    FIELD(struct published_quote, where, YAML_TEXT, "section"),
    FIELD(struct published_quote, value, YAML_TEXT, "what stands there"),
    FIELD(struct published_quote, unit, YAML_TEXT, "its unit"),
    FIELD(struct published_quote, of, YAML_TEXT, "what it is a value of"),
    FIELD(struct published_quote, check, YAML_TEXT, "what the tables give for it"),
    FIELDS_END,
};
struct correction {
    const char *misprint, *row, *column, *corrected;
};
static const struct yaml_field correction_fields[] = {
    FIELD(struct correction, misprint, YAML_TEXT, "id of the misprint"),
    FIELD(struct correction, row, YAML_TEXT, "key of the row"),
    FIELD(struct correction, column, YAML_TEXT, "name of the column"),
    FIELD(struct correction, corrected, YAML_TEXT, "the right number"),
    FIELDS_END,
};

static bool read_number(struct yaml_source *source, const yaml_node_t *node, const char *text, double *value,
                        struct error *error)
{
    char *end;
    *value = strtod(text, &end);
    if (end != text && !*end && strspn(text, "+-.0123456789eE") == strlen(text) && isfinite(*value))
        return true;
    return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "'%.60s' is not a number", text);
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

static bool read_columns(struct yaml_source *source, yaml_node_t *node, struct published_table *table,
                         struct error *error)
{
    table->columns = yaml_array(yaml_length(node), sizeof *table->columns, error);
    if (!table->columns)
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        struct published_column *column = &table->columns[table->column_count++];
        *column = (struct published_column){.name = yaml_key(source, node, i), .unit = "", .suffix = "", .scale = 1};
        if (!yaml_read_mapping(source, yaml_value(source, node, i), column->name, column_fields, NULL, column, NULL,
                               error))
            return false;
    }
    return true;
}

static size_t column_index(const struct published_table *table, const char *name)
{
    size_t i = 0;
    while (i < table->column_count && strcmp(table->columns[i].name, name) != 0)
        ++i;
    return i;
}

static size_t row_index(const struct published_table *table, const char *key)
{
    size_t i = 0;
    while (i < table->row_count && strcmp(table->row_keys[i], key) != 0)
        ++i;
    return i;
}

static bool read_cell(struct yaml_source *source, const yaml_node_t *node, const char *name,
                      struct published_table *table, size_t row, struct error *error)
{
    const char *text = yaml_text(node);
    if (!text)
        return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "%s must be a single value", name);
    if (!strcmp(name, table->row)) {
        if (row_index(table, text) < row)
            return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "%s %s stands twice", name, text);
        table->row_keys[row] = text;
        return true;
    }
    const size_t column = column_index(table, name);
    if (column == table->column_count)
        return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "table %s has no column '%s'", table->id,
                            name);
    struct published_cell *cell = &table->cells[row * table->column_count + column];
    cell->printed = text;
    return read_rounded(source, node, text, table->columns[column].scale, cell, error);
}

static bool read_row(struct yaml_source *source, yaml_node_t *node, struct published_table *table, size_t row,
                     struct error *error)
{
    if (!yaml_expect(source, node, YAML_MAPPING_NODE, "a row", error))
        return false;
    table->row_keys[row] = "";
    table->row_count = row + 1;
    for (size_t i = 0; i < yaml_length(node); ++i)
        if (!read_cell(source, yaml_value(source, node, i), yaml_key(source, node, i), table, row, error))
            return false;
    if (table->row_keys[row][0])
        return true;
    return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "a row without its %s", table->row);
}

static bool read_rows(struct yaml_source *source, yaml_node_t *node, struct published_table *table, struct error *error)
{
    const size_t count = yaml_length(node), cells = count * table->column_count;
    table->row_keys = yaml_array(count, sizeof *table->row_keys, error);
    table->cells = yaml_array(cells, sizeof *table->cells, error);
    if (!table->row_keys || !table->cells)
        return false;
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
    const size_t row = row_index(table, correction.row), column = column_index(table, correction.column);
    if (row == table->row_count || column == table->column_count)
        return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "table %s has no cell %s, %s", table->id,
                            correction.row, correction.column);
    if (!published_misprint(published, correction.misprint))
        return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "there is no misprint '%.40s'",
                            correction.misprint);
    struct published_cell *cell = &table->cells[row * table->column_count + column];
    cell->misprint = correction.misprint;
    cell->corrected = correction.corrected;
    return read_rounded(source, node, correction.corrected, table->columns[column].scale, cell, error);
}

static bool read_table(struct yaml_source *source, yaml_node_t *node, const struct published *published,
                       struct published_table *table, struct error *error)
{
    struct {
        const char *title, *scene, *row;
        yaml_node_t *columns, *rows, *corrections;
    } entry = {"", "", "", NULL, NULL, NULL};
#define ENTRY(name, kind)                                                                                              \
    {                                                                                                                  \
#name, kind, (size_t)((char *)&entry.name - (char *)&entry), 0, 0, ""                                          \
    }
    const struct yaml_field fields[] = {ENTRY(title, YAML_TEXT),
                                        ENTRY(scene, YAML_TEXT),
                                        ENTRY(row, YAML_TEXT),
                                        ENTRY(columns, YAML_NODE),
                                        ENTRY(rows, YAML_NODE),
                                        ENTRY(corrections, YAML_NODE),
                                        FIELDS_END};
#undef ENTRY
    if (!yaml_read_mapping(source, node, table->id, fields, NULL, &entry, NULL, error) ||
        !yaml_member(source, node, "row", YAML_SCALAR_NODE, error) ||
        !yaml_member(source, node, "columns", YAML_MAPPING_NODE, error) ||
        !yaml_member(source, node, "rows", YAML_SEQUENCE_NODE, error))
        return false;
    table->title = entry.title;
    table->scene = entry.scene;
    table->row = entry.row;
    if (!read_columns(source, entry.columns, table, error) || !read_rows(source, entry.rows, table, error))
        return false;
    for (size_t i = 0; i < yaml_length(entry.corrections); ++i)
        if (!apply_correction(source, yaml_value(source, entry.corrections, i), published, table, error))
            return false;
    return true;
}

static bool read_misprints(struct yaml_source *source, yaml_node_t *node, struct published *published,
                           struct error *error)
{
    published->misprints = yaml_array(yaml_length(node), sizeof *published->misprints, error);
    if (!published->misprints)
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        struct published_misprint *misprint = &published->misprints[published->misprint_count++];
        *misprint = (struct published_misprint){"", "", "", "", "", ""};
        if (!yaml_read_mapping(source, yaml_value(source, node, i), "a misprint", misprint_fields, NULL, misprint, NULL,
                               error))
            return false;
    }
    return true;
}

static bool read_quotes(struct yaml_source *source, yaml_node_t *node, struct published *published, struct error *error)
{
    if (node && !yaml_expect(source, node, YAML_SEQUENCE_NODE, "quoted", error))
        return false;
    published->quotes = yaml_array(yaml_length(node), sizeof *published->quotes, error);
    if (!published->quotes)
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        struct published_quote *quote = &published->quotes[published->quote_count++];
        *quote = (struct published_quote){"", "", "", "", "", ""};
        if (!yaml_read_mapping(source, yaml_value(source, node, i), "a quotation", quote_fields, NULL, quote, NULL,
                               error))
            return false;
    }
    return true;
}

static bool read_tables(struct yaml_source *source, yaml_node_t *node, struct published *published, struct error *error)
{
    published->tables = yaml_array(yaml_length(node), sizeof *published->tables, error);
    if (!published->tables)
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        struct published_table *table = &published->tables[published->table_count++];
        table->id = yaml_key(source, node, i);
        if (!read_table(source, yaml_value(source, node, i), published, table, error))
            return false;
    }
    return true;
}

// A whole number of a mapping, 0 where it is not there.
static uint64_t count_of(struct yaml_source *source, yaml_node_t *mapping, const char *key)
{
    const char *text = mapping ? yaml_text(yaml_find(source, mapping, key)) : NULL;
    return text ? strtoull(text, NULL, 10) : 0;
}

static bool read_published(struct yaml_source *source, struct published *published, struct error *error)
{
    yaml_node_t *root = yaml_source_root(source);
    yaml_node_t *paper = yaml_member(source, root, "paper", YAML_MAPPING_NODE, error);
    if (!paper || !yaml_read_mapping(source, paper, "paper", paper_fields, NULL, published, NULL, error))
        return false;
    yaml_node_t *tables = yaml_member(source, root, "tables", YAML_MAPPING_NODE, error);
    yaml_node_t *misprints = tables ? yaml_member(source, root, "misprints", YAML_SEQUENCE_NODE, error) : NULL;
    if (!misprints)
        return false;
    yaml_node_t *setup = yaml_find(source, root, "setup"), *parameters = yaml_find(source, root, "parameters");
    published->width = count_of(source, setup, "width");
    published->height = count_of(source, setup, "height");
    published->warp_width = count_of(source, setup, "warp_width");
    published->max_bounces = count_of(source, parameters, "max_bounces");
    const char *gpu = setup ? yaml_text(yaml_find(source, setup, "gpu")) : NULL;
    published->gpu = gpu ? gpu : "";
    return read_misprints(source, misprints, published, error) &&
           read_quotes(source, yaml_find(source, root, "quoted"), published, error) &&
           read_tables(source, tables, published, error);
}

struct published *published_load(const char *path, struct error *error)
{
    struct published *published = yaml_array(1, sizeof *published, error);
    if (!published)
        return NULL;
    published->id = published->title = published->authors = published->venue = "";
    published->file = yaml_array(1, sizeof *published->file, error);
    if (published->file && yaml_file_open(&published->file->yaml, path, error) &&
        read_published(&published->file->yaml.source, published, error))
        return published;
    published_free(published);
    return NULL;
}

void published_free(struct published *published)
{
    if (!published)
        return;
    for (size_t i = 0; i < published->table_count; ++i) {
        free(published->tables[i].columns);
        free(published->tables[i].row_keys);
        free(published->tables[i].cells);
    }
    free(published->tables);
    free(published->misprints);
    free(published->quotes);
    if (published->file)
        yaml_file_close(&published->file->yaml);
    free(published->file);
    free(published);
}

const struct published_table *published_table(const struct published *published, const char *id)
{
    for (size_t i = 0; i < published->table_count; ++i)
        if (!strcmp(published->tables[i].id, id))
            return &published->tables[i];
    return NULL;
}

const struct published_column *published_column(const struct published_table *table, const char *column)
{
    const size_t i = column_index(table, column);
    return i < table->column_count ? &table->columns[i] : NULL;
}

const struct published_cell *published_cell(const struct published_table *table, const char *row_key,
                                            const char *column)
{
    const size_t i = row_index(table, row_key), j = column_index(table, column);
    if (i == table->row_count || j == table->column_count)
        return NULL;
    return &table->cells[i * table->column_count + j];
}

const struct published_misprint *published_misprint(const struct published *published, const char *id)
{
    for (size_t i = 0; i < published->misprint_count; ++i)
        if (!strcmp(published->misprints[i].id, id))
            return &published->misprints[i];
    return NULL;
}

const struct published_quote *published_quote(const struct published *published, const char *id)
{
    for (size_t i = 0; i < published->quote_count; ++i)
        if (!strcmp(published->quotes[i].id, id))
            return &published->quotes[i];
    return NULL;
}

void published_text(const struct published_column *column, const char *number, char *text, size_t size)
{
    const size_t digits = strspn(number, "0123456789");
    size_t used = 0;
    for (size_t i = 0; number[i] && used + 3 < size; ++i) {
        if (i > 0 && i < digits && (digits - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = number[i];
    }
    snprintf(text + used, size - used, "%s", column->suffix);
}
