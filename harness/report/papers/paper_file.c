// SPDX-License-Identifier: MIT
#include "report/papers/paper.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "report/papers/paper_columns.h"
#include "report/papers/template.h"
#include "base/yaml.h"

static const struct yaml_field table_fields[] = {
    YAML_FIELD(struct paper_table, title, YAML_TEXT, "heading"),
    YAML_FIELD(struct paper_table, sql, YAML_TEXT, "file beside this one"),
    YAML_FIELD(struct paper_table, missing, YAML_TEXT, "why there is no such file"),
    YAML_FIELD(struct paper_table, published, YAML_TEXT, "published table"),
    YAML_FIELD(struct paper_table, row, YAML_TEXT, "SQL column that names a row"),
    YAML_FIELD(struct paper_table, column, YAML_TEXT, "SQL column that names the series of values"),
    YAML_FIELD(struct paper_table, label, YAML_TEXT, "template of what names a row"),
    YAML_FIELD(struct paper_table, finding, YAML_TEXT, "template of a short summary of a panel"),
    YAML_FIELD(struct paper_table, headline, YAML_TEXT, "template of a sentence for the top of the page"),
    YAML_FIELD(struct paper_table, drawn, YAML_TEXT, "template of what the heading of its figure says first"),
    YAML_FIELD(struct paper_table, problem, YAML_TEXT, "template of why a panel is not to be trusted"),
    YAML_FIELD(struct paper_table, listed, YAML_TEXT, "SQL column: 0 where the panel is shown with --all alone"),
    YAML_FIELD(struct paper_table, least_rows, YAML_COUNT, "of a panel that is shown"),
    YAML_FIELD(struct paper_table, row_title, YAML_TEXT, "heading of the rows"),
    YAML_FIELD(struct paper_table, published_row, YAML_TEXT, "SQL column that names the published row"),
    YAML_FIELD(struct paper_table, experiment, YAML_TEXT, "experiment that produces its data"),
    YAML_FIELD(struct paper_table, view, YAML_TEXT, "view of the database with the rows behind it"),
    YAML_FIELDS_END,
};
static const char *const table_others[] = {"columns", "defaults", "common", "remarks", "cited",
                                           "panel",   "one_per",  "most",   "others",  NULL};

static const struct yaml_field figure_fields[] = {
    YAML_FIELD(struct paper_figure, title, YAML_TEXT, "heading"),
    YAML_FIELD(struct paper_figure, table, YAML_TEXT, "table whose CSV it draws"),
    YAML_FIELD(struct paper_figure, script, YAML_TEXT, "gnuplot file beside this one"),
    YAML_FIELD(struct paper_figure, materials, YAML_TEXT, "of pictures; else those that the study rendered with"),
    YAML_FIELD(struct paper_figure, key, YAML_FLAG, "whether it stands below the opening sentences"),
    YAML_FIELD(struct paper_figure, together, YAML_FLAG, "whether one picture shows all panels"),
    YAML_FIELDS_END,
};
static const char *const figure_others[] = {"scenes", NULL};

// What becomes the name of a report's files is one, and whole: two ids never name one file.
static bool check_id(struct yaml_source *source, yaml_node_t *node, const char *id, struct error *error)
{
    if (path_is_name(id))
        return true;
    yaml_fail(source, node, error, "'%.100s' is no name for the files of a report", id);
    return error_remedy(error,
                        "use at most %d characters, none of them a slash or control character, no dot or hyphen first",
                        PATH_NAME_MAX);
}

// folder/name
static const char *beside(struct paper *paper, const char *name)
{
    return arena_format(&paper->published->arena, "%s/%s", paper->folder, name);
}

static bool read_cited(struct yaml_source *source, yaml_node_t *node, const struct paper *paper,
                       struct paper_table *table, struct error *error)
{
    if (!yaml_texts(source, node, "cited", &paper->published->arena, &table->cited, &table->cited_count, error))
        return false;
    for (size_t i = 0; i < table->cited_count; ++i)
        if (!published_quote(paper->published, table->cited[i]) &&
            !published_misprint(paper->published, table->cited[i]) &&
            !published_choice(paper->published, table->cited[i]))
            return yaml_fail(source, node, error, "published.yaml has no quotation, misprint or choice '%s'",
                             table->cited[i]);
    return true;
}

// A table has a query, or a reason why not and a published half to show.
static bool check_source(struct yaml_source *source, yaml_node_t *node, const struct paper_table *table,
                         const struct published_table *published, struct error *error)
{
    if (table->published[0] && !published)
        return yaml_fail(source, node, error, "published.yaml has no table '%s'", table->published);
    if (table->sql && table->missing[0])
        return yaml_fail(source, node, error, "%s has both 'sql' and 'missing'", table->id);
    if (!table->sql && (!table->missing[0] || !published)) {
        yaml_fail(source, node, error, "%s has no 'sql'", table->id);
        return error_remedy(error, "name its file; or give 'missing' (why there is none) and 'published' (what to "
                                   "show)");
    }
    return true;
}

static void find_files(struct paper *paper, struct paper_table *table)
{
    table->sql = table->sql ? beside(paper, table->sql) : NULL;
    for (size_t i = 0; i < table->common_count; ++i)
        table->common[i] = beside(paper, table->common[i]);
}

static bool read_table_columns(struct yaml_source *source, yaml_node_t *node, struct paper *paper,
                               const struct published_table *published, struct paper_table *table, struct error *error)
{
    if (!table->sql && !yaml_find(source, node, "columns")) {
        paper_columns_published(published, &paper->published->arena, table);
        return true;
    }
    yaml_node_t *columns = yaml_member(source, node, "columns", YAML_MAPPING_NODE, error),
                *defaults = yaml_find(source, node, "defaults");
    return columns && paper_columns_read(source, columns, defaults, published, &paper->published->arena, table, error);
}

// {published table: SQL column}
static bool read_others(struct yaml_source *source, yaml_node_t *node, const struct published *published,
                        struct paper_table *table, struct error *error)
{
    yaml_node_t *others = yaml_find(source, node, "others");
    table->others = table->others_row = "";
    if (!others)
        return true;
    if (!yaml_expect(source, others, YAML_MAPPING_NODE, "others", error))
        return false;
    table->others = yaml_length(others) ? yaml_key(source, others, 0) : "";
    const char *row = yaml_length(others) ? yaml_text(yaml_value(source, others, 0)) : NULL;
    if (!row || !published_table(published, table->others))
        return yaml_fail(source, others, error,
                         "'others' is a table of published.yaml and the column that names its rows");
    table->others_row = row;
    return true;
}

// How rows make panels, and what is said of these.
static bool read_panels(struct yaml_source *source, yaml_node_t *node, struct arena *arena, struct paper_table *table,
                        struct error *error)
{
    bool done = yaml_texts(source, node, "panel", arena, &table->panel, &table->panel_count, error) &&
                yaml_texts(source, node, "one_per", arena, &table->one_per, &table->one_per_count, error) &&
                yaml_texts(source, node, "most", arena, &table->most, &table->most_count, error);
    const char *const templates[][2] = {{"label", table->label},
                                        {"finding", table->finding},
                                        {"headline", table->headline},
                                        {"drawn", table->drawn},
                                        {"problem", table->problem}};
    for (size_t i = 0; done && i < sizeof templates / sizeof *templates; ++i)
        done = template_is_whole(source, node, templates[i][0], templates[i][1], error);
    if (done && table->one_per_count && !table->panel_count)
        return yaml_fail(source, node, error, "%s has 'one_per' without 'panel'", table->id);
    return done;
}

static bool read_table(struct yaml_source *source, yaml_node_t *node, struct paper *paper, struct paper_table *table,
                       struct error *error)
{
    yaml_empty_texts(table_fields, table);
    table->sql = NULL;
    if (!yaml_read_mapping(source, node, table->id, table_fields, table_others, table, NULL, error) ||
        !yaml_texts(source, node, "common", &paper->published->arena, &table->common, &table->common_count, error) ||
        !yaml_texts(source, node, "remarks", &paper->published->arena, &table->remarks, &table->remark_count, error) ||
        !read_cited(source, node, paper, table, error) || !read_others(source, node, paper->published, table, error) ||
        !read_panels(source, node, &paper->published->arena, table, error))
        return false;
    if (!table->sql && !table->missing[0] && paper->queries)
        table->sql = arena_format(&paper->published->arena, "%s#%s", paper->queries, table->id);
    const struct published_table *published = published_table(paper->published, table->published);
    if (!check_source(source, node, table, published, error))
        return false;
    if (!table->sql && !table->row[0])
        table->row = published->row;
    if (!table->title[0] && published)
        table->title = published->title;
    if (!table->row[0])
        return yaml_member(source, node, "row", YAML_SCALAR_NODE, error) != NULL;
    if (!table->row_title[0])
        table->row_title = table->row;
    find_files(paper, table);
    return read_table_columns(source, node, paper, published, table, error);
}

static bool read_flags(struct yaml_source *source, yaml_node_t *node, struct paper *paper, struct error *error)
{
    if (node && !yaml_expect(source, node, YAML_MAPPING_NODE, "flags", error))
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        const char *text = yaml_text(yaml_value(source, node, i));
        if (!text)
            return yaml_fail(source, node, error, "a flag is a word and a sentence");
        *ARENA_ADD(&paper->published->arena, paper->flags, paper->flag_count) =
            (struct paper_flag){yaml_key(source, node, i), text};
    }
    return true;
}

// An entry, or, with `like`, that of the shared file but for the experiment.
static bool read_entry(struct yaml_source *source, yaml_node_t *node, struct paper *paper, struct paper_table *table,
                       struct error *error)
{
    static const struct yaml_field fields[] = {
        YAML_FIELD(struct paper_table, like, YAML_TEXT, "entry of the shared file"),
        YAML_FIELD(struct paper_table, experiment, YAML_TEXT, "experiment that produces its data"),
        YAML_FIELDS_END,
    };
    struct paper_table own = {.id = table->id, .like = "", .experiment = ""};
    if (!yaml_find(source, node, "like"))
        return read_table(source, node, paper, table, error);
    if (!yaml_read_mapping(source, node, table->id, fields, NULL, &own, NULL, error))
        return false;
    yaml_node_t *tables = paper->shared.path[0] ? yaml_source_root(&paper->shared.source) : NULL;
    yaml_node_t *like = tables ? yaml_find(&paper->shared.source, tables, "tables") : NULL;
    like = like ? yaml_find(&paper->shared.source, like, own.like) : NULL;
    if (!like)
        return yaml_fail(source, node, error, "the file 'shared' has no table '%s'", own.like);
    if (!read_table(&paper->shared.source, like, paper, table, error))
        return false;
    if (own.experiment[0])
        table->experiment = own.experiment;
    return true;
}

// The file of tables and flags that several papers share; those of its flags count that the paper has not itself.
static bool open_shared(struct paper *paper, struct error *error)
{
    struct yaml_source *source = &paper->file.source;
    yaml_node_t *node = yaml_find(source, yaml_source_root(source), "shared");
    const char *name = node ? yaml_word(source, node, "shared", error) : NULL;
    if (!node)
        return true;
    if (!name || !yaml_file_open(&paper->shared, beside(paper, name), error))
        return false;
    struct yaml_source *shared = &paper->shared.source;
    return read_flags(shared, yaml_find(shared, yaml_source_root(shared), "flags"), paper, error);
}

static bool read_figure(struct yaml_source *source, yaml_node_t *node, struct paper *paper, struct paper_figure *figure,
                        struct error *error)
{
    yaml_empty_texts(figure_fields, figure);
    if (!yaml_read_mapping(source, node, figure->id, figure_fields, figure_others, figure, NULL, error) ||
        !yaml_texts(source, node, "scenes", &paper->published->arena, &figure->scenes, &figure->scene_count, error))
        return false;
    if (!figure->script[0])
        return true;
    if (!figure->scene_count && !paper_table_find(paper, figure->table))
        return yaml_fail(source, node, error, "%s draws table '%s', which is not listed", figure->id, figure->table);
    figure->script = beside(paper, figure->script);
    return true;
}

// Whether a table has the query of that name.
static bool is_asked(const void *context, const char *name)
{
    const struct paper *paper = context;
    for (size_t i = 0; i < paper->table_count; ++i) {
        const char *at = paper->tables[i].sql ? strrchr(paper->tables[i].sql, '#') : NULL;
        if (at && !strcmp(at + 1, name))
            return true;
    }
    return false;
}

static bool read_lists(struct paper *paper, struct error *error)
{
    struct yaml_source *source = &paper->file.source;
    yaml_node_t *root = yaml_source_root(source);
    yaml_node_t *tables = yaml_member(source, root, "tables", YAML_MAPPING_NODE, error);
    if (!yaml_texts(source, root, "prepare", &paper->published->arena, &paper->prepare, &paper->prepare_count, error))
        return false;
    for (size_t i = 0; i < paper->prepare_count; ++i)
        paper->prepare[i] = beside(paper, paper->prepare[i]);
    yaml_node_t *queries = yaml_find(source, root, "queries");
    if (queries && !(paper->queries = yaml_word(source, queries, "queries", error)))
        return false;
    yaml_node_t *figures = tables ? yaml_member(source, root, "figures", YAML_MAPPING_NODE, error) : NULL;
    if (!figures || !read_flags(source, yaml_find(source, root, "flags"), paper, error) || !open_shared(paper, error))
        return false;
    for (size_t i = 0; i < yaml_length(tables); ++i) {
        struct paper_table *table = ARENA_ADD(&paper->published->arena, paper->tables, paper->table_count);
        table->id = yaml_key(source, tables, i);
        if (!check_id(source, yaml_value(source, tables, i), table->id, error) ||
            !read_entry(source, yaml_value(source, tables, i), paper, table, error))
            return false;
    }
    if (paper->queries && !paper_queries_check(beside(paper, paper->queries), is_asked, paper, error))
        return false;
    for (size_t i = 0; i < yaml_length(figures); ++i) {
        struct paper_figure *figure = ARENA_ADD(&paper->published->arena, paper->figures, paper->figure_count);
        figure->id = yaml_key(source, figures, i);
        if (!check_id(source, yaml_value(source, figures, i), figure->id, error) ||
            !read_figure(source, yaml_value(source, figures, i), paper, figure, error))
            return false;
    }
    return true;
}

static bool open_paper(struct paper *paper, const char *id, struct error *error)
{
    char path[PATH_MAX];
    if (!path_is_name(id))
        return paper_unknown(id, error);
    snprintf(paper->id, sizeof paper->id, "%s", id);
    if (!paper_path(paper->folder, sizeof paper->folder, error, "%s", id) ||
        !path_format(path, sizeof path, error, "%s/tables.yaml", paper->folder))
        return false;
    if (access(path, F_OK) != 0)
        return paper_unknown(id, error);
    if (!yaml_file_open(&paper->file, path, error) ||
        !path_format(path, sizeof path, error, "%s/published.yaml", paper->folder))
        return false;
    paper->synthesis = !paper_is_published(id);
    paper->published = paper->synthesis ? published_none() : published_load(path, error);
    return paper->published && read_lists(paper, error);
}

struct paper *paper_load(const char *id, struct error *error)
{
    struct paper *paper = memory_new(1, sizeof *paper);
    if (open_paper(paper, id, error))
        return paper;
    paper_free(paper);
    return NULL;
}

void paper_free(struct paper *paper)
{
    if (!paper)
        return;
    yaml_file_close(&paper->file);
    yaml_file_close(&paper->shared);
    published_free(paper->published);
    free(paper);
}
