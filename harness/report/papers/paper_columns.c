// SPDX-License-Identifier: MIT
#include "report/papers/paper_columns.h"

static const struct yaml_field column_fields[] = {
    YAML_FIELD(struct paper_column, title, YAML_TEXT, "heading"),
    YAML_FIELD(struct paper_column, unit, YAML_TEXT, "unit"),
    YAML_FIELD(struct paper_column, direction, YAML_TEXT, "what is better: higher, lower, none"),
    YAML_FIELD(struct paper_column, cumulative, YAML_TEXT, "SQL column of the running value"),
    YAML_FIELD(struct paper_column, published, YAML_TEXT, "published column"),
    YAML_FIELD(struct paper_column, published_cumulative, YAML_TEXT, "published column of the running value"),
    YAML_FIELD(struct paper_column, published_value, YAML_TEXT, "SQL column of the paper's value"),
    YAML_FIELD(struct paper_column, published_value_cumulative, YAML_TEXT, "SQL column of the paper's running value"),
    YAML_FIELD(struct paper_column, published_half, YAML_TEXT,
               "SQL column: by how much rounding may change the paper's value"),
    YAML_FIELD(struct paper_column, published_half_cumulative, YAML_TEXT,
               "SQL column: by how much rounding may change the running value"),
    YAML_FIELD(struct paper_column, derived, YAML_TEXT, "how the paper's value follows from what it prints"),
    YAML_FIELD(struct paper_column, ratio, YAML_TEXT, "SQL column of the ratio to the paper"),
    YAML_FIELD(struct paper_column, low, YAML_TEXT, "SQL column of the interval's lower end"),
    YAML_FIELD(struct paper_column, high, YAML_TEXT, "SQL column of the interval's upper end"),
    YAML_FIELD(struct paper_column, flags, YAML_TEXT, "SQL column of what weakens the value"),
    YAML_FIELD(struct paper_column, trials, YAML_TEXT, "SQL column that lists the trials"),
    YAML_FIELD(struct paper_column, needs, YAML_TEXT, "the data it is made from"),
    YAML_FIELD(struct paper_column, decimals, YAML_COUNT, "decimals printed"),
    YAML_FIELD(struct paper_column, sign, YAML_FLAG, "print a plus sign before values that are not negative"),
    YAML_FIELD(struct paper_column, csv_only, YAML_FLAG, "left out of text and Markdown"),
    YAML_FIELDS_END,
};
static const char *const style_words[] = {"count", "number", "percent", NULL};
static const char *const compare_words[] = {"never", "always", "same_warp", NULL};
static const char *const column_choices[] = {"style", "compare", NULL};

// A published column that a table's column names must be there.
static bool check_published(struct yaml_source *source, yaml_node_t *node, const struct published_table *published,
                            const char *name, struct error *error)
{
    if (!name[0] || (published && published_column(published, name)))
        return true;
    return yaml_fail(source, node, error, "published.yaml has no column '%s'", name);
}

static bool read_column(struct yaml_source *source, yaml_node_t *node, const struct published_table *published,
                        struct paper_column *column, struct error *error)
{
    return yaml_read_mapping(source, node, column->name, column_fields, column_choices, column, NULL, error) &&
           yaml_choice(source, node, "style", style_words, &column->style, error) &&
           yaml_choice(source, node, "compare", compare_words, &column->compare, error) &&
           check_published(source, node, published, column->published, error) &&
           check_published(source, node, published, column->published_cumulative, error);
}

static struct paper_column *add_column(struct arena *arena, struct paper_table *table, const char *name)
{
    struct paper_column *column = ARENA_ADD(arena, table->columns, table->column_count);
    yaml_empty_texts(column_fields, column);
    column->name = column->title = name;
    column->direction = "none";
    return column;
}

bool paper_columns_read(struct yaml_source *source, yaml_node_t *node, const struct published_table *published,
                        struct arena *arena, struct paper_table *table, struct error *error)
{
    for (size_t i = 0; i < yaml_length(node); ++i)
        if (!read_column(source, yaml_value(source, node, i), published,
                         add_column(arena, table, yaml_key(source, node, i)), error))
            return false;
    return true;
}

void paper_columns_published(const struct published_table *published, struct arena *arena, struct paper_table *table)
{
    for (size_t i = 0; i < published->column_count; ++i) {
        const struct published_column *from = &published->columns[i];
        struct paper_column *column = add_column(arena, table, from->name);
        if (from->title[0])
            column->title = from->title;
        column->unit = from->unit;
        column->published = from->name;
        column->flags = "flags";
        column->style = COLUMN_NUMBER;
        column->decimals = from->decimals;
    }
}
