// SPDX-License-Identifier: MIT
#include "report/papers/paper_columns.h"

static const struct yaml_field column_fields[] = {
    YAML_FIELD(struct paper_column, title, YAML_TEXT, "heading"),
    YAML_FIELD(struct paper_column, unit, YAML_TEXT, "unit"),
    YAML_FIELD(struct paper_column, direction, YAML_TEXT, "what is better: higher, lower, none"),
    YAML_FIELD(struct paper_column, value, YAML_TEXT, "SQL column of the value"),
    YAML_FIELD(struct paper_column, series, YAML_TEXT, "of which series"),
    YAML_FIELD(struct paper_column, scale, YAML_REAL, "what the value is multiplied by"),
    YAML_FIELD(struct paper_column, ci, YAML_TEXT, "SQL column of half of its relative interval"),
    YAML_FIELD(struct paper_column, time_ci, YAML_TEXT, "SQL column of that of the time whose inverse it is"),
    YAML_FIELD(struct paper_column, half, YAML_TEXT, "SQL column of half of its interval"),
    YAML_FIELD(struct paper_column, absent, YAML_TEXT, "flag where the query has none"),
    YAML_FIELD(struct paper_column, cumulative, YAML_TEXT, "SQL column of the running value"),
    YAML_FIELD(struct paper_column, published, YAML_TEXT, "published column"),
    YAML_FIELD(struct paper_column, published_cumulative, YAML_TEXT, "published column of the running value"),
    YAML_FIELD(struct paper_column, published_value, YAML_TEXT, "SQL column of the paper's value"),
    YAML_FIELD(struct paper_column, published_value_cumulative, YAML_TEXT, "SQL column of the paper's running value"),
    YAML_FIELD(struct paper_column, published_half, YAML_TEXT,
               "SQL column: by how much rounding may change the paper's value"),
    YAML_FIELD(struct paper_column, published_half_cumulative, YAML_TEXT,
               "SQL column: by how much rounding may change the running value"),
    YAML_FIELD(struct paper_column, of, YAML_TEXT, "column that is compared"),
    YAML_FIELD(struct paper_column, against, YAML_TEXT, "with which other column of the table"),
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

// Whether it is a time, an amount of memory or a rate: of two machines its ratio says how much newer one of them is.
static bool is_physical(const char *unit)
{
    static const char *const units[] = {"s", "ms", "us", "ns", "bytes", "KiB", "MiB", "GiB", "kB", "MB", "GB", NULL};
    const size_t length = strcspn(unit, " /");
    for (const char *const *at = units; *at; ++at)
        if (strlen(*at) == length && !strncmp(unit, *at, length))
            return true;
    return strstr(unit, "/s") != NULL && !strstr(unit, "/spp");
}

static bool check_compared(struct yaml_source *source, yaml_node_t *node, const struct paper_column *column,
                           struct error *error)
{
    if (column->compare == COMPARE_NEVER || !is_physical(column->unit))
        return true;
    yaml_fail(source, node, error, "'%s' is in %s, of which no ratio to the paper's value is shown", column->name,
              column->unit);
    return error_remedy(error,
                        "compare a column without a physical unit: one with `of` and `against`, such as a speedup");
}

static bool read_column(struct yaml_source *source, yaml_node_t *node, const struct published_table *published,
                        struct paper_column *column, struct error *error)
{
    return yaml_read_mapping(source, node, column->name, column_fields, column_choices, column, NULL, error) &&
           yaml_choice(source, node, "style", style_words, &column->style, error) &&
           yaml_choice(source, node, "compare", compare_words, &column->compare, error) &&
           check_compared(source, node, column, error) &&
           check_published(source, node, published, column->published, error) &&
           check_published(source, node, published, column->published_cumulative, error);
}

static void column_usual(struct paper_column *column)
{
    yaml_empty_texts(column_fields, column);
    column->direction = "none";
    column->scale = 1;
}

static struct paper_column *add_column(struct arena *arena, struct paper_table *table, const char *name,
                                       const struct paper_column *usual)
{
    struct paper_column *column = ARENA_ADD(arena, table->columns, table->column_count);
    *column = *usual;
    column->name = column->title = name;
    return column;
}

// A ratio of two columns is one of the paper's values where it has both.
static bool check_ratio(struct yaml_source *source, yaml_node_t *node, const struct paper_table *table,
                        struct paper_column *column, struct error *error)
{
    const struct paper_column *of = ARRAY_FIND(table->columns, table->column_count, column->of),
                              *against = ARRAY_FIND(table->columns, table->column_count, column->against);
    const char *lacking = !of ? column->of : !against ? column->against : NULL;
    if (!column->of[0] && !column->against[0])
        return true;
    if (lacking)
        return yaml_fail(source, node, error, "the column '%s' compares '%s', which is no column of the table",
                         column->name, lacking);
    column->follows = of->published[0] && against->published[0];
    return true;
}

// What is not given follows from the name: in long form the series, else the SQL column.
static void column_complete(const struct paper_table *table, struct paper_column *column)
{
    if (table->column[0] && !column->series[0])
        column->series = column->name;
    if (!column->value[0] && !column->of[0])
        column->value = table->column[0] ? "value" : column->name;
    const char *interval = column->ci[0] ? column->ci : column->time_ci[0] ? column->time_ci : column->half;
    if (interval[0])
        column->low = column->high = interval;
}

bool paper_columns_read(struct yaml_source *source, yaml_node_t *node, yaml_node_t *defaults,
                        const struct published_table *published, struct arena *arena, struct paper_table *table,
                        struct error *error)
{
    struct paper_column usual = {.name = "defaults"};
    column_usual(&usual);
    if (defaults && !read_column(source, defaults, published, &usual, error))
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        struct paper_column *column = add_column(arena, table, yaml_key(source, node, i), &usual);
        if (!read_column(source, yaml_value(source, node, i), published, column, error))
            return false;
        column_complete(table, column);
    }
    bool done = true;
    for (size_t i = 0; done && i < table->column_count; ++i)
        done = check_ratio(source, yaml_value(source, node, i), table, &table->columns[i], error);
    return done;
}

void paper_columns_published(const struct published_table *published, struct arena *arena, struct paper_table *table)
{
    struct paper_column usual = {.name = NULL};
    column_usual(&usual);
    for (size_t i = 0; i < published->column_count; ++i) {
        const struct published_column *from = &published->columns[i];
        struct paper_column *column = add_column(arena, table, from->name, &usual);
        if (from->title[0])
            column->title = from->title;
        column->unit = from->unit;
        column->published = from->name;
        column->flags = "flags";
        column->style = COLUMN_NUMBER;
        column->decimals = from->decimals;
    }
}
