// SPDX-License-Identifier: MIT
#include "report/paper.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/yaml_file.h"

#ifndef WARPSTUDY_DATADIR
#define WARPSTUDY_DATADIR ""
#endif
#ifndef WARPSTUDY_SOURCE_PAPERS
#define WARPSTUDY_SOURCE_PAPERS ""
#endif

enum { PAPER_NAMES = 64 };

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
    FIELD(struct paper_column, trials, YAML_TEXT, "SQL column that lists the trials"),
    FIELD(struct paper_column, needs, YAML_TEXT, "variants that it is made from"),
    FIELD(struct paper_column, decimals, YAML_COUNT, "decimals printed"),
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
    FIELD(struct paper_table, experiment, YAML_TEXT, "experiment that produces it"),
    FIELDS_END,
};
static const char *const table_others[] = {"columns", NULL};

static const struct yaml_field figure_fields[] = {
    FIELD(struct paper_figure, title, YAML_TEXT, "heading"),
    FIELD(struct paper_figure, table, YAML_TEXT, "table whose CSV it draws"),
    FIELD(struct paper_figure, script, YAML_TEXT, "gnuplot file beside this one"),
    FIELDS_END,
};
static const char *const figure_others[] = {"scenes", NULL};

static bool is_folder(const char *path)
{
    struct stat facts;
    return path[0] && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool paper_root(char *path, size_t size, struct error *error)
{
    const char *chosen = getenv("WARPSTUDY_PAPERS");
    if (chosen && chosen[0]) {
        snprintf(path, size, "%s", chosen);
        if (is_folder(path))
            return true;
        error_set(error, ERROR_INPUT, "$WARPSTUDY_PAPERS is '%.400s', which is not a folder", chosen);
        return error_remedy(error, "unset it, or name a folder like the project's paper_figures/");
    }
    snprintf(path, size, "%s", WARPSTUDY_SOURCE_PAPERS);
    if (is_folder(path))
        return true;
    snprintf(path, size, "%s/paper_figures", WARPSTUDY_DATADIR);
    if (is_folder(path))
        return true;
    error_set(error, ERROR_INPUT, "the published values are not installed at %.400s", path);
    return error_remedy(error, "install the program again, or set WARPSTUDY_PAPERS to the project's paper_figures/");
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Folders that hold a tables.yaml, sorted; the caller frees each name.
static bool paper_names(char *names[PAPER_NAMES], size_t *count, struct error *error)
{
    char root[512], path[1200];
    *count = 0;
    if (!paper_root(root, sizeof root, error))
        return false;
    DIR *folder = opendir(root);
    if (!folder)
        return error_set_errno(error, "read", root);
    for (const struct dirent *entry; (entry = readdir(folder)) && *count < PAPER_NAMES;) {
        snprintf(path, sizeof path, "%s/%s/tables.yaml", root, entry->d_name);
        if (entry->d_name[0] != '.' && access(path, R_OK) == 0 && (names[*count] = strdup(entry->d_name)))
            ++*count;
    }
    closedir(folder);
    qsort(names, *count, sizeof *names, compare_names);
    return true;
}

bool paper_each(bool (*visit)(void *context, const char *id), void *context, struct error *error)
{
    char *names[PAPER_NAMES];
    size_t count;
    if (!paper_names(names, &count, error))
        return false;
    bool more = true;
    for (size_t i = 0; i < count; ++i) {
        more = more && visit(context, names[i]);
        free(names[i]);
    }
    return true;
}

static bool unknown_paper(const char *id, struct error *error)
{
    char *names[PAPER_NAMES + 1];
    size_t count;
    if (!paper_names(names, &count, error))
        return false;
    names[count < PAPER_NAMES ? count : PAPER_NAMES - 1] = NULL;
    const char *near = error_suggest(id, (const char *const *)names);
    error_set(error, ERROR_USE, "there is no paper or table '%.100s'", id);
    if (near)
        error_remedy(error, "did you mean '%s'?", near);
    else
        error_remedy(error, "there are: %s", count ? names[0] : "none");
    for (size_t i = 0; i < count; ++i)
        free(names[i]);
    return false;
}

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
                                        .trials = "",
                                        .needs = ""};
        if (!read_column(source, yaml_value(source, node, i), published, column, error))
            return false;
    }
    return true;
}

static bool read_table(struct yaml_source *source, yaml_node_t *node, struct paper *paper, struct paper_table *table,
                       struct error *error)
{
    table->title = table->published = table->experiment = "";
    if (!yaml_read_mapping(source, node, table->id, table_fields, table_others, table, NULL, error) ||
        !yaml_member(source, node, "sql", YAML_SCALAR_NODE, error) ||
        !yaml_member(source, node, "row", YAML_SCALAR_NODE, error))
        return false;
    const struct published_table *published = published_table(paper->published, table->published);
    if (table->published[0] && !published)
        return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "published.yaml has no table '%s'",
                            table->published);
    yaml_node_t *columns = yaml_member(source, node, "columns", YAML_MAPPING_NODE, error);
    table->sql = columns ? beside(paper, table->sql, error) : NULL;
    return table->sql && read_columns(source, columns, published, table, error);
}

static bool read_scenes(struct yaml_source *source, yaml_node_t *node, struct paper_figure *figure, struct error *error)
{
    figure->scenes = yaml_array(yaml_length(node), sizeof *figure->scenes, error);
    if (!figure->scenes)
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        const char *text = yaml_text(yaml_value(source, node, i));
        if (!text)
            return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "scenes must be a list of names");
        figure->scenes[figure->scene_count++] = text;
    }
    return true;
}

static bool read_figure(struct yaml_source *source, yaml_node_t *node, struct paper *paper, struct paper_figure *figure,
                        struct error *error)
{
    figure->title = figure->table = figure->script = "";
    if (!yaml_read_mapping(source, node, figure->id, figure_fields, figure_others, figure, NULL, error) ||
        !read_scenes(source, yaml_find(source, node, "scenes"), figure, error))
        return false;
    if (!figure->script[0])
        return true;
    if (!paper_table_find(paper, figure->table))
        return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node),
                            "%s draws table '%s', which is not listed", figure->id, figure->table);
    return (figure->script = beside(paper, figure->script, error)) != NULL;
}

static bool read_lists(struct paper *paper, struct error *error)
{
    struct yaml_source *source = &paper->file->yaml.source;
    yaml_node_t *root = yaml_source_root(source);
    yaml_node_t *tables = yaml_member(source, root, "tables", YAML_MAPPING_NODE, error);
    yaml_node_t *figures = tables ? yaml_member(source, root, "figures", YAML_MAPPING_NODE, error) : NULL;
    if (!figures || !(paper->tables = yaml_array(yaml_length(tables), sizeof *paper->tables, error)) ||
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
        return unknown_paper(id, error);
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
    for (size_t i = 0; i < paper->table_count; ++i)
        free(paper->tables[i].columns);
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
