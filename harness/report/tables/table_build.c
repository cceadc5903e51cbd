// SPDX-License-Identifier: MIT
#include "report/tables/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/yaml.h"
#include "report/papers/report_query.h"
#include "store/kept.h"
#include "report/papers/template.h"
#include "report/tables/table_choose.h"
#include "report/tables/table_programs.h"

struct filling {
    struct report_table *table;
    struct table_choice *choices; // of the panels, in the arena
    struct table_choice *last;    // that of the row before
    struct error *error;
    bool failed;
};

// A column of the result that no cell takes describes the panel.
static bool is_cell(const struct paper_table *definition, const char *name)
{
    if (!strcmp(name, definition->row) || !strcmp(name, definition->published_row) ||
        !strcmp(name, definition->others_row))
        return true;
    for (size_t i = 0; i < definition->column_count; ++i) {
        const struct paper_column *column = &definition->columns[i];
        const char *const taken[] = {column->value,
                                     column->cumulative,
                                     column->published_value,
                                     column->published_value_cumulative,
                                     column->published_half,
                                     column->published_half_cumulative,
                                     column->ratio,
                                     column->low,
                                     column->high,
                                     column->flags};
        for (size_t j = 0; j < sizeof taken / sizeof *taken; ++j)
            if (!strcmp(name, taken[j]))
                return true;
    }
    return false;
}

// Panels of one scene follow each other: its file is read once.
static struct scene_words describe_scene(const struct report_table *table, const struct report_panel *panel)
{
    const struct report_panel *before = table->panel_count > 1 ? panel - 1 : NULL;
    const char *scene = report_fact(panel, "scene"), *camera = report_fact(panel, "camera");
    const bool same =
        before && !strcmp(report_fact(before, "scene"), scene) && !strcmp(report_fact(before, "camera"), camera);
    return same ? before->scene : scene_words(scene, camera);
}

static struct report_panel *add_panel(struct report_table *table, const struct store_row *row)
{
    struct report_panel *panel = ARENA_ADD(&table->memory, table->panels, table->panel_count);
    for (size_t i = 0; i < row->count; ++i)
        if (!is_cell(table->definition, row->names[i]) && row->values[i].type != STORE_NULL)
            *ARENA_ADD(&table->memory, panel->facts, panel->fact_count) =
                (struct report_fact){arena_format(&table->memory, "%s", row->names[i]),
                                     arena_format(&table->memory, "%s", row->values[i].text)};
    panel->scene = describe_scene(table, panel);
    return panel;
}

// ---- cells

static const struct published_cell *printed_cell(const struct report_table *table, const char *key, const char *column)
{
    const struct published_cell *cell =
        table->published && column[0] ? published_cell(table->published, key, column) : NULL;
    return cell && cell->printed ? cell : NULL;
}

// Counts are never compared: the stand-in, and often the image's size, differ from the paper's.
static bool comparable(const struct report_table *table, const struct report_panel *panel,
                       const struct paper_column *column)
{
    if (!report_stands_in(table, panel))
        return false;
    if (column->compare != COMPARE_SAME_WARP)
        return column->compare == COMPARE_ALWAYS;
    return strtoull(report_fact(panel, "warp_width"), NULL, 10) == table->paper->published->warp_width;
}

// Within the rounding of what is printed: a hair more than half a place, as a value on the edge may have been rounded to
// either side. Where the rounding is coarse that alone would call equal what differs by a fifth.
static bool is_within(double value, double published, double half, double ratio)
{
    return fabs(value - published) <= half * (1 + 1e-9) && ratio >= 0.95 && ratio <= 1.05;
}

// A relative interval of a time t is t (1 - ci) to t (1 + ci), from 0 where ci is over 1; that of a rate, which is its inverse, follows.
static void fill_value(const struct paper_column *column, const struct store_row *row, struct report_cell *cell)
{
    const double ci = row_number(row, column->ci), time_ci = row_number(row, column->time_ci);
    const double value = row_number(row, column->value), half = row_number(row, column->half);
    cell->value = column->scale * value;
    cell->low = column->ci[0]        ? cell->value * (ci > 1 ? 0 : 1 - ci)
                : column->time_ci[0] ? cell->value / (1 + time_ci)
                : column->half[0]    ? column->scale * (value - half)
                                     : row_number(row, column->low);
    cell->high = column->ci[0]        ? cell->value * (1 + ci)
                 : column->time_ci[0] ? cell->value / (1 - time_ci)
                 : column->half[0]    ? column->scale * (value + half)
                                      : row_number(row, column->high);
}

static void compare_cell(bool compare, double ratio, struct report_cell *cell)
{
    cell->ratio = compare ? ratio : NAN;
    cell->within = is_within(cell->value, cell->published, cell->half, cell->ratio);
}

static void fill_cell(const struct report_table *table, const struct report_panel *panel,
                      const struct paper_column *column, const struct store_row *row, const char *key,
                      struct report_cell *cell)
{
    fill_value(column, row, cell);
    cell->cumulative = row_number(row, column->cumulative);
    cell->printed = printed_cell(table, key, column->published);
    cell->printed_cumulative = printed_cell(table, key, column->published_cumulative);
    cell->published = cell->printed ? cell->printed->value : row_number(row, column->published_value);
    cell->published_cumulative = cell->printed_cumulative ? cell->printed_cumulative->value
                                                          : row_number(row, column->published_value_cumulative);
    cell->half = cell->printed ? cell->printed->half : row_number(row, column->published_half);
    const double half_cumulative =
        cell->printed_cumulative ? cell->printed_cumulative->half : row_number(row, column->published_half_cumulative);
    const bool compare = comparable(table, panel, column);
    compare_cell(compare, column->ratio[0] ? row_number(row, column->ratio) : cell->value / cell->published, cell);
    cell->ratio_cumulative = compare ? cell->cumulative / cell->published_cumulative : NAN;
    cell->within_cumulative =
        is_within(cell->cumulative, cell->published_cumulative, half_cumulative, cell->ratio_cumulative);
}

static void note_flags(struct report_panel *panel, const char *flags, struct arena *memory)
{
    char flag[REPORT_FLAG_TEXT];
    while (report_next_flag(&flags, flag, sizeof flag)) {
        if (report_flag_index(panel, flag) < panel->flag_count)
            continue;
        if (panel->flag_count < REPORT_FLAGS)
            panel->flags[panel->flag_count++] = arena_format(memory, "%s", flag);
        else
            panel->flags_lost = true;
    }
}

static void note_all_flags(struct report_table *table)
{
    for (size_t i = 0; i < table->panel_count; ++i)
        for (size_t j = 0; j < table->panels[i].row_count; ++j)
            for (size_t k = 0; k < table->definition->column_count; ++k)
                note_flags(&table->panels[i], table->panels[i].rows[j].cells[k].flags, &table->memory);
}

// ---- rows

// The flags of a cell: words of the paper's list whose text is a template become sentences about this row.
static const char *cell_flags(const struct report_table *table, const struct paper_column *column,
                              const struct store_row *row)
{
    char flag[REPORT_FLAG_TEXT];
    const char *flags = row_text(row, column->flags), *texts = NULL;
    const struct store_value *value = row_value(row, column->flags);
    const struct template_source source = template_of_row(row);
    struct arena *memory = (struct arena *)&table->memory;
    if (!value || value->type == STORE_NULL)
        flags = column->absent;
    for (const char *rest = flags; report_next_flag(&rest, flag, sizeof flag);) {
        const char *text = paper_flag_text(table->paper, flag);
        if (strchr(text, '{'))
            texts = arena_join(memory, texts, "|", template_fill(text, &source, memory));
        else
            texts = arena_join(memory, texts, "|", arena_format(memory, "%s", flag));
    }
    return texts && strstr(texts, " ") ? texts : flags;
}

static void take_cell(struct report_table *table, struct report_panel *panel, struct report_row *to, size_t column,
                      const struct store_row *row)
{
    const struct paper_column *of = &table->definition->columns[column];
    const struct report_row *before = to > panel->rows ? to - 1 : NULL;
    struct report_cell *cell = &to->cells[column];
    fill_cell(table, panel, of, row, to->published_key, cell);
    cell->flags = report_keep(&table->memory, cell_flags(table, of, row), before ? before->cells[column].flags : "");
    cell->trials = report_keep(&table->memory, row_text(row, of->trials), before ? before->cells[column].trials : "");
}

// A row of which nothing is measured yet.
static struct report_row *add_row(struct report_table *table, struct report_panel *panel, const char *key,
                                  const char *published_key)
{
    static const struct store_row nothing = {.count = 0};
    struct report_row *to = ARENA_ADD(&table->memory, panel->rows, panel->row_count);
    to->key = arena_format(&table->memory, "%s", key);
    to->published_key = arena_format(&table->memory, "%s", published_key);
    to->other_key = "";
    to->cells = arena_new(&table->memory, table->definition->column_count, sizeof *to->cells);
    for (size_t i = 0; i < table->definition->column_count; ++i)
        take_cell(table, panel, to, i, &nothing);
    return to;
}

// The row's own, or in long form that of an earlier row of the query with the same key.
static struct report_row *find_row(struct report_table *table, struct report_panel *panel, const struct store_row *row)
{
    const struct paper_table *definition = table->definition;
    const struct template_source source = template_of_row(row);
    const char *key = definition->label[0] ? template_fill(definition->label, &source, &table->memory)
                                           : row_text(row, definition->row);
    struct report_row *found = definition->column[0] ? ARRAY_FIND(panel->rows, panel->row_count, key) : NULL;
    return found ? found
                 : add_row(table, panel, key,
                           row_text(row, definition->published_row[0] ? definition->published_row : definition->row));
}

// The ratio of two other cells; its trials are those of the cell that is compared, then the other's.
static void fill_ratio(struct report_table *table, const struct report_panel *panel, const struct paper_column *column,
                       struct report_row *row)
{
    const struct paper_column *columns = table->definition->columns;
    const size_t count = table->definition->column_count;
    const struct report_cell *of = &row->cells[ARRAY_FIND(columns, count, column->of) - columns],
                             *against = &row->cells[ARRAY_FIND(columns, count, column->against) - columns];
    const bool faster = !strcmp(column->direction, "higher");
    const struct report_cell *over = faster ? against : of, *under = faster ? of : against;
    struct report_cell *cell = &row->cells[column - columns];
    cell->value = over->value / under->value;
    if (column->follows)
        cell->published = over->published / under->published;
    cell->half = cell->published * (over->half / over->published + under->half / under->published);
    compare_cell(comparable(table, panel, column), cell->value / cell->published, cell);
    if (!row->unmeasured)
        cell->flags = arena_format(&table->memory, "%s|%s", over->flags, under->flags);
    cell->trials = of->trials[0] && against->trials[0] ? arena_join(&table->memory, of->trials, ", ", against->trials)
                   : of->trials[0]                     ? of->trials
                                                       : against->trials;
}

static void fill_ratios(struct report_table *table, const struct report_panel *panel, struct report_row *row)
{
    const struct paper_table *definition = table->definition;
    for (size_t i = 0; i < definition->column_count; ++i)
        if (definition->columns[i].of[0])
            fill_ratio(table, panel, &definition->columns[i], row);
}

static void fill_all_ratios(struct report_table *table)
{
    for (size_t i = 0; i < table->panel_count; ++i)
        for (size_t j = 0; j < table->panels[i].row_count; ++j)
            fill_ratios(table, &table->panels[i], &table->panels[i].rows[j]);
}

static bool has_other(const struct report_table *table, const char *key)
{
    for (size_t i = 0; i < table->panel_count; ++i)
        for (size_t j = 0; j < table->panels[i].row_count; ++j)
            if (!strcmp(table->panels[i].rows[j].other_key, key))
                return true;
    return false;
}

// The next in alphabetical order behind `before`; NULL where there is none.
static const char *next_key(const struct published_table *table, const char *before)
{
    const char *next = NULL;
    for (size_t i = 0; i < table->row_count; ++i)
        if (strcmp(table->row_keys[i], before) > 0 && (!next || strcmp(table->row_keys[i], next) < 0))
            next = table->row_keys[i];
    return next;
}

static void add_other(struct report_table *table, struct report_panel *panel, const char *key)
{
    struct report_row *row = add_row(table, panel, key, key);
    row->unmeasured = true;
    for (size_t i = 0; i < table->definition->column_count; ++i)
        if (table->definition->columns[i].flags[0])
            row->cells[i].flags = PAPER_NO_SCENE;
    fill_ratios(table, panel, row);
}

// Rows of the published table of which no panel has one, in each of them.
static void add_others(struct report_table *table)
{
    const struct published_table *others = published_table(table->paper->published, table->definition->others);
    for (const char *key = others ? next_key(others, "") : NULL; key; key = next_key(others, key))
        for (size_t i = 0; i < table->panel_count && !has_other(table, key); ++i)
            add_other(table, &table->panels[i], key);
}

static bool take_row(void *context, const struct store_row *row)
{
    struct filling *filling = context;
    struct report_table *table = filling->table;
    const struct paper_table *definition = table->definition;
    if (!table->panel_count && !table_check_row(table, row, filling->error)) {
        filling->failed = true;
        return false;
    }
    const char *key = table_panel_key(table, row, definition->panel, definition->panel_count);
    struct table_choice *choice = filling->last && !strcmp(filling->last->key, key) // mostly
                                      ? filling->last
                                      : ARRAY_FIND(filling->choices, table->panel_count, key);
    if (!choice) {
        size_t count = table->panel_count;
        add_panel(table, row);
        choice = ARENA_ADD(&table->memory, filling->choices, count);
        choice->key = key;
        choice->group = table_panel_key(table, row, definition->one_per, definition->one_per_count);
    }
    filling->last = choice;
    struct report_panel *panel = &table->panels[choice - filling->choices];
    struct report_row *to = find_row(table, panel, row);
    if (definition->others_row[0])
        to->other_key = arena_format(&table->memory, "%s", row_text(row, definition->others_row));
    const char *series = row_text(row, definition->column);
    for (size_t i = 0; i < definition->column_count; ++i)
        if (!definition->columns[i].series[0] || !strcmp(definition->columns[i].series, series))
            take_cell(table, panel, to, i, row);
    table_choice_count(definition, choice, row);
    return true;
}

void report_table_publish(struct report_table *table)
{
    struct report_panel *panel = ARENA_ADD(&table->memory, table->panels, table->panel_count);
    table->unmeasured = table->definition->sql != NULL;
    panel->open = true;
    for (size_t i = 0; i < table->published->row_count; ++i) {
        const char *key = table->published->row_keys[i];
        struct report_row *row = add_row(table, panel, key, key);
        for (size_t k = 0; k < table->definition->column_count; ++k) {
            const bool alone = row->cells[k].printed || row->cells[k].printed_cumulative;
            row->cells[k].flags = alone ? report_published_flag(table) : "";
        }
    }
    note_all_flags(table);
}

// ---- queries

// The query behind what several share; NULL where a file of it is not to be read.
static char *query_text(const struct paper_table *definition, struct error *error)
{
    char *text = memory_copy("");
    for (size_t i = 0; text && i <= definition->common_count; ++i) {
        const char *path = i < definition->common_count ? definition->common[i] : definition->sql;
        bool found;
        char *more = paper_query_text(path, 0, &found, error);
        if (!more && !found)
            error_set(error, ERROR_INPUT, "there is no query %s", path);
        char *joined = more ? memory_format("%s%s", text, more) : NULL;
        free(more);
        free(text);
        text = joined;
    }
    return text;
}

static bool fill_table(struct store *store, struct report_table *table, const struct report_options *options,
                       struct error *error)
{
    char *text = query_text(table->definition, error);
    if (!text || !store_keep_views(store, text, error)) {
        free(text);
        return false;
    }
    const struct report_bindings bindings = report_bind(options);
    struct filling filling = {.table = table, .error = error};
    const bool done = store_query(store, text, bindings.list, take_row, &filling, error) && !filling.failed &&
                      table_note_programs(store, table, error);
    free(text);
    if (done) {
        fill_all_ratios(table);
        table_choose(table, filling.choices, options->all);
        add_others(table);
    }
    note_all_flags(table);
    if (!done && error && !error->file[0])
        snprintf(error->file, sizeof error->file, "%s", table->definition->sql);
    return done;
}

struct report_table *report_table_build(struct store *store, const struct paper *paper,
                                        const struct paper_table *definition, const struct report_options *options,
                                        struct error *error)
{
    struct report_table *table = memory_new(1, sizeof *table);
    table->paper = paper;
    table->definition = definition;
    table->published = published_table(paper->published, definition->published);
    table->database = store ? store_path(store) : "";
    if (definition->sql && !fill_table(store, table, options, error)) {
        report_table_free(table);
        return NULL;
    }
    if (!definition->sql)
        report_table_publish(table);
    if (table->panel_count)
        table->left_out += strtoull(report_fact(&table->panels[0], "left_out"), NULL, 10);
    report_arrange(table, options->all);
    return table;
}
