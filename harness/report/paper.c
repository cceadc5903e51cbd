// SPDX-License-Identifier: MIT
#include "report/paper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/paper_find.h"
#include "report/yaml_file.h"

struct paper_file {
    struct yaml_file yaml;
    char **paths; // made of the folder and a file's name
    size_t path_count, path_capacity;
};

#define FIELD(type, name, kind, help)                                                                                  \
    {                                                                                                                  \
#name, kind, offsetof(type, name), 0, 0, help                                                                  \
    }
#define FIELDS_END                                                                                                     \
    {                                                                                                                  \
        NULL, YAML_TEXT, 0, 0, 0, NULL                                                                                 \
    }

static const struct yaml_field column_fields[] = {
    FIELD(struct paper_column, title, YAML_TEXT, "heading"),
    FIELD(struct paper_column, unit, YAML_TEXT, "unit"),
    FIELD(struct paper_column, direction, YAML_TEXT, "what is better: higher, lower, none"),
    FIELD(struct paper_column, cumulative, YAML_TEXT, "SQL column of the running value"),
    FIELD(struct paper_column, published, YAML_TEXT, "published column"),
    FIELD(struct paper_column, published_cumulative, YAML_TEXT, "published column of the running value"),
    FIELD(struct paper_column, published_value, YAML_TEXT, "SQL column of the paper's value"),
    FIELD(struct paper_column, published_value_cumulative, YAML_TEXT, "SQL column of the paper's running value"),
    FIELD(struct paper_column, published_half, YAML_TEXT, "SQL column of the rounding of the paper's value"),
    FIELD(struct paper_column, published_half_cumulative, YAML_TEXT, "SQL column of the rounding of the running value"),
    FIELD(struct paper_column, derived, YAML_TEXT, "how the paper's value follows from what it prints"),
    FIELD(struct paper_column, ratio, YAML_TEXT, "SQL column of the ratio to the paper"),
    FIELD(struct paper_column, low, YAML_TEXT, "SQL column of the interval's lower end"),
    FIELD(struct paper_column, high, YAML_TEXT, "SQL column of the interval's upper end"),
    FIELD(struct paper_column, flags, YAML_TEXT, "SQL column of what weakens the value"),
    FIELD(struct paper_column, trials, YAML_TEXT, "SQL column that lists the trials"),
    FIELD(struct paper_column, needs, YAML_TEXT, "what it is made from"),
    FIELD(struct paper_column, decimals, YAML_COUNT, "decimals printed"),
    FIELD(struct paper_column, sign, YAML_FLAG, "a plus before what is not negative"),
    FIELD(struct paper_column, csv_only, YAML_FLAG, "left out of text and Markdown"),
    FIELDS_END,
};
static const char *const style_words[] = {"count", "number", "percent", NULL};
static const char *const compare_words[] = {"never", "always", "same_warp", NULL};
static const char *const column_choices[] = {"style", "compare", NULL};

static const struct yaml_field table_fields[] = {
    FIELD(struct paper_table, title, YAML_TEXT, "heading"),
    FIELD(struct paper_table, sql, YAML_TEXT, "file beside this one"),
    FIELD(struct paper_table, published, YAML_TEXT, "published table"),
    FIELD(struct paper_table, row, YAML_TEXT, "SQL column that names a row"),
    FIELD(struct paper_table, row_title, YAML_TEXT, "heading of the rows"),
    FIELD(struct paper_table, published_row, YAML_TEXT, "SQL column that names the published row"),
    FIELD(struct paper_table, experiment, YAML_TEXT, "experiment that produces it"),
    FIELD(struct paper_table, view, YAML_TEXT, "view of the database with the rows behind it"),
    FIELDS_END,
};
static const char *const table_others[] = {"columns", "common", "remarks", "cited", NULL};

static const struct yaml_field figure_fields[] = {
    FIELD(struct paper_figure, title, YAML_TEXT, "heading"),
    FIELD(struct paper_figure, table, YAML_TEXT, "table whose CSV it draws"),
    FIELD(struct paper_figure, script, YAML_TEXT, "gnuplot file beside this one"),
    FIELDS_END,
};
static const char *const figure_others[] = {"scenes", NULL};

// folder/name, kept as long as the paper.
static const char *beside(struct paper *paper, const char *name, struct error *error)
{
    struct paper_file *file = paper->file;
    if (file->path_count == file->path_capacity) {
        const size_t capacity = file->path_capacity ? 2 * file->path_capacity : 16;
        char **paths = realloc(file->paths, capacity * sizeof *paths);
        if (!paths) {
            error_set(error, ERROR_SYSTEM, "no memory");
            return NULL;
        }
        file->paths = paths;
        file->path_capacity = capacity;
    }
    char *path = NULL;
    if (asprintf(&path, "%s/%s", paper->folder, name) < 0) {
        error_set(error, ERROR_SYSTEM, "no memory");
        return NULL;
    }
    return file->paths[file->path_count++] = path;
}

static bool choose(struct yaml_source *source, yaml_node_t *mapping, const char *key, const char *const *words,
                   uint32_t *chosen, struct error *error)
{
    yaml_node_t *node = yaml_find(source, mapping, key);
    return !node || yaml_choose(source, node, key, words, chosen, error);
}

// A published column that a table's column names must be there.
static bool check_published(struct yaml_source *source, yaml_node_t *node, const struct published_table *published,
                            const char *name, struct error *error)
{
    if (!name[0] || (published && published_column(published, name)))
        return true;
    return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "published.yaml has no column '%s'", name);
}

static bool read_column(struct yaml_source *source, yaml_node_t *node, const struct published_table *published,
                        struct paper_column *column, struct error *error)
{
    return yaml_read_mapping(source, node, column->name, column_fields, column_choices, column, NULL, error) &&
           choose(source, node, "style", style_words, &column->style, error) &&
           choose(source, node, "compare", compare_words, &column->compare, error) &&
           check_published(source, node, published, column->published, error) &&
           check_published(source, node, published, column->published_cumulative, error);
}

static bool read_columns(struct yaml_source *source, yaml_node_t *node, const struct published_table *published,
                         struct paper_table *table, struct error *error)
{
    table->columns = yaml_array(yaml_length(node), sizeof *table->columns, error);
    if (!table->columns)
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        struct paper_column *column = &table->columns[table->column_count++];
        const char *name = yaml_key(source, node, i);
        *column = (struct paper_column){.name = name,
                                        .title = name,
                                        .unit = "",
                                        .direction = "none",
                                        .cumulative = "",
                                        .published = "",
                                        .published_cumulative = "",
                                        .published_value = "",
                                        .published_value_cumulative = "",
                                        .published_half = "",
                                        .published_half_cumulative = "",
                                        .derived = "",
                                        .ratio = "",
                                        .low = "",
                                        .high = "",
                                        .flags = "",
                                        .trials = "",
                                        .needs = ""};
        if (!read_column(source, yaml_value(source, node, i), published, column, error))
            return false;
    }
    return true;
}

// A list of texts, to be freed; none where the key is not there.
static bool read_texts(struct yaml_source *source, yaml_node_t *mapping, const char *key, const char ***texts,
                       size_t *count, struct error *error)
{
    yaml_node_t *node = yaml_find(source, mapping, key);
    *texts = yaml_array(yaml_length(node), sizeof **texts, error);
    if (!*texts || (node && !yaml_expect(source, node, YAML_SEQUENCE_NODE, key, error)))
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        const char *text = yaml_text(yaml_value(source, node, i));
        if (!text)
            return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "%s must be a list of texts", key);
        (*texts)[(*count)++] = text;
    }
    return true;
}

static bool read_cited(struct yaml_source *source, yaml_node_t *node, const struct paper *paper,
                       struct paper_table *table, struct error *error)
{
    if (!read_texts(source, node, "cited", &table->cited, &table->cited_count, error))
        return false;
    for (size_t i = 0; i < table->cited_count; ++i)
        if (!published_quote(paper->published, table->cited[i]) &&
            !published_misprint(paper->published, table->cited[i]))
            return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node),
                                "published.yaml has neither a quotation nor a misprint '%s'", table->cited[i]);
    return true;
}

static bool read_table(struct yaml_source *source, yaml_node_t *node, struct paper *paper, struct paper_table *table,
                       struct error *error)
{
    table->title = table->row_title = table->published = table->published_row = table->experiment = table->view = "";
    if (!yaml_read_mapping(source, node, table->id, table_fields, table_others, table, NULL, error) ||
        !read_texts(source, node, "common", &table->common, &table->common_count, error) ||
        !read_texts(source, node, "remarks", &table->remarks, &table->remark_count, error) ||
        !read_cited(source, node, paper, table, error) || !yaml_member(source, node, "sql", YAML_SCALAR_NODE, error) ||
        !yaml_member(source, node, "row", YAML_SCALAR_NODE, error))
        return false;
    if (!table->row_title[0])
        table->row_title = table->row;
    const struct published_table *published = published_table(paper->published, table->published);
    if (table->published[0] && !published)
        return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "published.yaml has no table '%s'",
                            table->published);
    yaml_node_t *columns = yaml_member(source, node, "columns", YAML_MAPPING_NODE, error);
    table->sql = columns ? beside(paper, table->sql, error) : NULL;
    bool found = table->sql != NULL;
    for (size_t i = 0; found && i < table->common_count; ++i)
        found = (table->common[i] = beside(paper, table->common[i], error)) != NULL;
    return found && read_columns(source, columns, published, table, error);
}

static bool read_figure(struct yaml_source *source, yaml_node_t *node, struct paper *paper, struct paper_figure *figure,
                        struct error *error)
{
    figure->title = figure->table = figure->script = "";
    if (!yaml_read_mapping(source, node, figure->id, figure_fields, figure_others, figure, NULL, error) ||
        !read_texts(source, node, "scenes", &figure->scenes, &figure->scene_count, error))
        return false;
    if (!figure->script[0])
        return true;
    if (!paper_table_find(paper, figure->table))
        return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node),
                            "%s draws table '%s', which is not listed", figure->id, figure->table);
    return (figure->script = beside(paper, figure->script, error)) != NULL;
}

static bool read_flags(struct yaml_source *source, yaml_node_t *node, struct paper *paper, struct error *error)
{
    if (node && !yaml_expect(source, node, YAML_MAPPING_NODE, "flags", error))
        return false;
    paper->flags = yaml_array(yaml_length(node), sizeof *paper->flags, error);
    if (!paper->flags)
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        const char *text = yaml_text(yaml_value(source, node, i));
        if (!text)
            return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "a flag is a word and a sentence");
        paper->flags[paper->flag_count++] = (struct paper_flag){yaml_key(source, node, i), text};
    }
    return true;
}

static bool read_lists(struct paper *paper, struct error *error)
{
    struct yaml_source *source = &paper->file->yaml.source;
    yaml_node_t *root = yaml_source_root(source);
    yaml_node_t *tables = yaml_member(source, root, "tables", YAML_MAPPING_NODE, error);
    if (!read_texts(source, root, "prepare", &paper->prepare, &paper->prepare_count, error) ||
        !read_texts(source, root, "views", &paper->views, &paper->view_count, error))
        return false;
    for (size_t i = 0; i < paper->prepare_count; ++i)
        if (!(paper->prepare[i] = beside(paper, paper->prepare[i], error)))
            return false;
    yaml_node_t *figures = tables ? yaml_member(source, root, "figures", YAML_MAPPING_NODE, error) : NULL;
    if (!figures || !read_flags(source, yaml_find(source, root, "flags"), paper, error) ||
        !(paper->tables = yaml_array(yaml_length(tables), sizeof *paper->tables, error)) ||
        !(paper->figures = yaml_array(yaml_length(figures), sizeof *paper->figures, error)))
        return false;
    for (size_t i = 0; i < yaml_length(tables); ++i) {
        struct paper_table *table = &paper->tables[paper->table_count++];
        table->id = yaml_key(source, tables, i);
        if (!read_table(source, yaml_value(source, tables, i), paper, table, error))
            return false;
    }
    for (size_t i = 0; i < yaml_length(figures); ++i) {
        struct paper_figure *figure = &paper->figures[paper->figure_count++];
        figure->id = yaml_key(source, figures, i);
        if (!read_figure(source, yaml_value(source, figures, i), paper, figure, error))
            return false;
    }
    return true;
}

static bool open_paper(struct paper *paper, const char *id, struct error *error)
{
    char root[400], path[600];
    if (!paper_root(root, sizeof root, error))
        return false;
    snprintf(paper->id, sizeof paper->id, "%s", id);
    snprintf(paper->folder, sizeof paper->folder, "%s/%s", root, paper->id);
    snprintf(path, sizeof path, "%s/tables.yaml", paper->folder);
    if (strchr(id, '/') || access(path, F_OK) != 0)
        return paper_unknown(id, error);
    if (!yaml_file_open(&paper->file->yaml, path, error))
        return false;
    snprintf(path, sizeof path, "%s/published.yaml", paper->folder);
    paper->published = published_load(path, error);
    return paper->published && read_lists(paper, error);
}

struct paper *paper_load(const char *id, struct error *error)
{
    struct paper *paper = yaml_array(1, sizeof *paper, error);
    if (!paper)
        return NULL;
    paper->file = yaml_array(1, sizeof *paper->file, error);
    if (paper->file && open_paper(paper, id, error))
        return paper;
    paper_free(paper);
    return NULL;
}

void paper_free(struct paper *paper)
{
    if (!paper)
        return;
    for (size_t i = 0; i < paper->table_count; ++i) {
        free(paper->tables[i].columns);
        free(paper->tables[i].common);
        free(paper->tables[i].remarks);
        free(paper->tables[i].cited);
    }
    for (size_t i = 0; i < paper->figure_count; ++i)
        free(paper->figures[i].scenes);
    for (size_t i = 0; paper->file && i < paper->file->path_count; ++i)
        free(paper->file->paths[i]);
    if (paper->file) {
        yaml_file_close(&paper->file->yaml);
        free(paper->file->paths);
    }
    free(paper->file);
    free(paper->tables);
    free(paper->figures);
    free(paper->flags);
    free(paper->prepare);
    free(paper->views);
    published_free(paper->published);
    free(paper);
}

const struct paper_table *paper_table_find(const struct paper *paper, const char *id)
{
    for (size_t i = 0; i < paper->table_count; ++i)
        if (!strcmp(paper->tables[i].id, id))
            return &paper->tables[i];
    return NULL;
}

const struct paper_figure *paper_figure_find(const struct paper *paper, const char *id)
{
    for (size_t i = 0; i < paper->figure_count; ++i)
        if (!strcmp(paper->figures[i].id, id))
            return &paper->figures[i];
    return NULL;
}

const char *paper_flag_text(const struct paper *paper, const char *flag)
{
    for (size_t i = 0; i < paper->flag_count; ++i)
        if (!strcmp(paper->flags[i].word, flag))
            return paper->flags[i].text;
    return flag;
}
