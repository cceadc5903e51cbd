// SPDX-License-Identifier: MIT
#include "report/tables/table_choose.h"

#include <math.h>
#include <string.h>

#include "report/papers/report_query.h"
#include "report/papers/template.h"

const char *table_panel_key(struct report_table *table, const struct store_row *row, const char *const *columns,
                            size_t count)
{
    static const char *const number[] = {"panel"};
    const char *key = "";
    for (size_t i = 0; i < (count ? count : 1); ++i)
        key = arena_format(&table->memory, "%s%s\n", key, row_text(row, count ? columns[i] : number[i]));
    return key;
}

// ---- checks

static bool has_column(const struct report_table *table, const struct store_row *row, const char *of, const char *name,
                       struct error *error)
{
    if (!name[0] || row_value(row, name))
        return true;
    error_set(error, ERROR_INPUT, "the query of %s has no column '%s', which %s names", table->definition->id, name,
              of);
    return error_remedy(error, "add it to the query, or correct the name in tables.yaml");
}

static bool has_columns(const struct report_table *table, const struct store_row *row, const char *of,
                        const char *const *names, size_t count, struct error *error)
{
    bool done = true;
    for (size_t i = 0; done && i < count; ++i)
        done = !strcmp(names[i], "rows") || has_column(table, row, of, names[i], error);
    return done;
}

static bool check_column(const struct report_table *table, const struct store_row *row,
                         const struct paper_column *column, struct error *error)
{
    const char *const names[] = {column->value,
                                 column->cumulative,
                                 column->published_value,
                                 column->ratio,
                                 column->low,
                                 column->high,
                                 column->flags,
                                 column->trials,
                                 column->published_half,
                                 column->published_value_cumulative,
                                 column->published_half_cumulative};
    const char *of = arena_format((struct arena *)&table->memory, "column '%s'", column->name);
    return has_columns(table, row, of, names, sizeof names / sizeof *names, error);
}

bool table_check_row(const struct report_table *table, const struct store_row *row, struct error *error)
{
    const struct paper_table *definition = table->definition;
    const char *const own[] = {definition->column,
                               definition->published_row,
                               definition->others_row,
                               definition->listed,
                               definition->label[0] ? "" : definition->row,
                               definition->panel_count ? "" : "panel"};
    bool done = has_columns(table, row, "its entry", own, sizeof own / sizeof *own, error) &&
                has_columns(table, row, "'panel'", definition->panel, definition->panel_count, error) &&
                has_columns(table, row, "'one_per'", definition->one_per, definition->one_per_count, error) &&
                has_columns(table, row, "'most'", definition->most, definition->most_count, error);
    const char *const templates[] = {definition->label, definition->finding, definition->headline, definition->drawn,
                                     definition->problem};
    for (size_t i = 0; done && i < definition->column_count; ++i)
        done = check_column(table, row, &definition->columns[i], error);
    for (size_t i = 0; done && i < sizeof templates / sizeof *templates; ++i)
        done = template_check(templates[i], row, definition->id, error);
    return done;
}

// ---- choice

void table_choice_count(const struct paper_table *definition, struct table_choice *choice, const struct store_row *row)
{
    choice->unlisted = definition->listed[0] && row_number(row, definition->listed) == 0;
    for (size_t i = 0; i < definition->most_count && i < CHOICE_KEYS; ++i) {
        const double value = row_number(row, definition->most[i]);
        if (!isnan(value) && (value > choice->most[i] || choice->most[i] == 0))
            choice->most[i] = value;
    }
}

// Whether panel `a` is chosen rather than `b`; of equal ones the first is.
static bool goes_before(const struct report_table *table, const struct table_choice *choices, size_t a, size_t b)
{
    if (choices[a].unlisted != choices[b].unlisted)
        return choices[b].unlisted;
    for (size_t i = 0; i < table->definition->most_count && i < CHOICE_KEYS; ++i) {
        const bool rows = !strcmp(table->definition->most[i], "rows");
        const double of_a = rows ? (double)table->panels[a].row_count : choices[a].most[i],
                     of_b = rows ? (double)table->panels[b].row_count : choices[b].most[i];
        if (of_a != of_b)
            return of_a > of_b;
    }
    return a < b;
}

static bool is_short(const struct report_table *table, size_t index)
{
    return table->panels[index].row_count < table->definition->least_rows;
}

static bool is_chosen(const struct report_table *table, const struct table_choice *choices, size_t index)
{
    if (choices[index].unlisted)
        return false;
    for (size_t i = 0; i < table->panel_count; ++i)
        if (i != index && !is_short(table, i) && !strcmp(choices[i].group, choices[index].group) &&
            goes_before(table, choices, i, index))
            return false;
    return true;
}

// ---- sentences

struct saying {
    const struct report_table *table;
    const struct report_panel *panel;
};

static const char *fact_field(const void *context, const char *name)
{
    return report_fact(((const struct saying *)context)->panel, name);
}

// Over all panels of the same device. "COLUMN of ROW": of rows whose name begins so.
static bool column_range(const void *context, const char *name, double *least, double *most)
{
    const struct saying *saying = context;
    const struct report_table *table = saying->table;
    const char *row = strstr(name, " of ");
    const char *of = arena_format((struct arena *)&table->memory, "%.*s", row ? (int)(row - name) : -1, name);
    const struct paper_column *column = ARRAY_FIND(table->definition->columns, table->definition->column_count, of);
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t i = 0; column && i < table->panel_count; ++i) {
        const struct report_panel *panel = &table->panels[i];
        if (strcmp(report_fact(panel, "device_name"), report_fact(saying->panel, "device_name")) != 0)
            continue;
        for (size_t j = 0; j < panel->row_count; ++j) {
            if (row && strncmp(panel->rows[j].key, row + strlen(" of "), strlen(row) - strlen(" of ")) != 0)
                continue;
            const double value = panel->rows[j].cells[column - table->definition->columns].value;
            *least = fmin(*least, value);
            *most = fmax(*most, value);
        }
    }
    return *least <= *most;
}

static void table_choose_say(struct report_table *table, struct report_panel *panel)
{
    const struct saying saying = {table, panel};
    const struct template_source source = {.text = fact_field, .range = column_range, .context = &saying};
    const struct paper_table *definition = table->definition;
    struct report_fact facts[] = {{"finding", definition->finding},
                                  {"headline", definition->headline},
                                  {"drawn", definition->drawn},
                                  {"problem", definition->problem}};
    enum { FACTS = sizeof facts / sizeof *facts };
    for (size_t i = 0; i < FACTS; ++i)
        facts[i].text = template_fill(facts[i].text, &source, &table->memory);
    for (size_t i = 0; i < FACTS; ++i)
        if (facts[i].text[0])
            *ARENA_ADD(&table->memory, panel->facts, panel->fact_count) = facts[i];
}

// Of panels alike in `one_per` those come first that would be chosen.
static void sort_groups(struct report_table *table, struct table_choice *choices)
{
    for (size_t i = 1; i < table->panel_count; ++i)
        for (size_t k = 0; k < i; ++k)
            if (!strcmp(choices[k].group, choices[i].group) && goes_before(table, choices, i, k)) {
                const struct report_panel panel = table->panels[k];
                const struct table_choice choice = choices[k];
                table->panels[k] = table->panels[i];
                choices[k] = choices[i];
                table->panels[i] = panel;
                choices[i] = choice;
            }
}

void table_choose(struct report_table *table, struct table_choice *choices, bool all)
{
    size_t kept = 0;
    if (table->definition->one_per_count)
        sort_groups(table, choices);
    for (size_t i = 0; i < table->panel_count; ++i)
        choices[i].left_out =
            !is_short(table, i) && table->definition->one_per_count && !all && !is_chosen(table, choices, i);
    for (size_t i = 0; i < table->panel_count; ++i) {
        table->left_out += choices[i].left_out;
        if (!choices[i].left_out && !is_short(table, i))
            table->panels[kept++] = table->panels[i];
    }
    table->panel_count = kept;
    for (size_t i = 0; i < table->panel_count; ++i)
        table_choose_say(table, &table->panels[i]);
}
