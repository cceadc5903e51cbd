// SPDX-License-Identifier: MIT
#include "report/folder_figures.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/shell.h"
#include "report/write/escape.h"
#include "report/pictures.h"
#include "report/plot.h"

enum { PLOTS_MAX = 64 };

bool page_picture_has(const struct page_picture *picture, const char *suffix)
{
    const char *at = strstr(picture->suffixes, suffix);
    return at && (at[strlen(suffix)] == ' ' || !at[strlen(suffix)]);
}

// Lines for the page; who asked for this paper is told too.
static void remark(struct report_page *page, const char *lines)
{
    if (page->request->target)
        fputs(lines, page->request->remarks);
    page->remarks = arena_format(&page->memory, "%s%s", page->remarks ? page->remarks : "", lines);
}

// figures/FIGURE, or FIGURE_SCENE_PANEL where the table has several panels: plain characters only.
static const char *stem_of(struct report_page *page, const struct report_table *table,
                           const struct paper_figure *figure, size_t panel)
{
    const char *scene = report_fact(&table->panels[panel], "scene");
    if (table->panel_count == 1 || figure->together)
        return arena_format(&page->memory, "figures/%s", figure->id);
    if (!scene[0])
        scene = report_fact(&table->panels[panel], "device");
    const char *slash = strrchr(scene, '/');
    char *stem = arena_format(&page->memory, "figures/%s_%.40s_%zu", figure->id, slash ? slash + 1 : scene, panel + 1);
    for (char *at = stem + strlen("figures/"); *at; ++at)
        if (!isalnum((unsigned char)*at) && *at != '-' && *at != '.')
            *at = '_';
    return stem;
}

// "TITLE: open, 1280x768, NVIDIA H200; published for fairy (scene fitted to that curve)", of what the panel has.
static const char *heading_of(struct report_page *page, const struct report_table *table,
                              const struct paper_figure *figure, const struct report_panel *panel)
{
    const char *const facts[] = {report_fact(panel, "scene"), report_fact(panel, "width"), report_device(panel)};
    const char *drawn = report_fact(panel, "drawn"), *separator = " ";
    const char *heading = arena_format(&page->memory, "%s%s%s:", figure->title, drawn[0] ? ", " : "", drawn);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i) {
        if (!facts[i][0])
            continue;
        heading = arena_format(&page->memory, "%s%s%.60s%s%s", heading, separator, facts[i], i == 1 ? "x" : "",
                               i == 1 ? report_fact(panel, "height") : "");
        separator = ", ";
    }
    if (facts[0][0] && table->published && table->published->scene[0])
        heading = arena_format(&page->memory, "%s; published for %s", heading, table->published->scene);
    return panel->scene.fitted ? arena_format(&page->memory, "%s (scene fitted to that curve)", heading) : heading;
}

static struct page_picture *picture_of(struct report_page *page, const char *stem, size_t length)
{
    for (size_t i = 0; i < page->picture_count; ++i)
        if (strlen(page->pictures[i].stem) == length && !strncmp(page->pictures[i].stem, stem, length))
            return &page->pictures[i];
    struct page_picture *picture = ARENA_ADD(&page->memory, page->pictures, page->picture_count);
    picture->stem = arena_format(&page->memory, "%.*s", (int)length, stem);
    return picture;
}

// Files made since there were `before`, as pictures: those that differ in the suffix alone are one.
static void note_pictures(const struct staging *staging, size_t before, struct report_page *page,
                          const struct page_picture *facts)
{
    for (size_t i = before; i < staging->count; ++i) {
        const char *name = staging->names[i] + strlen(page->prefix), *dot = strrchr(name, '.'),
                   *slash = strrchr(name, '/');
        struct page_picture *picture = picture_of(page, name, (size_t)(dot - name));
        const char *base = picture->stem + (slash + 1 - name), *suffixes = picture->suffixes;
        const bool sheet = facts->table || !strcmp(base, facts->figure->id);
        const char *stem = picture->stem;
        *picture = *facts;
        picture->stem = stem;
        picture->suffixes =
            arena_format(&page->memory, "%s%s%s", suffixes ? suffixes : "", suffixes ? " " : "", dot + 1);
        if (!sheet)
            picture->heading = arena_format(&page->memory, "%s: %s", facts->figure->title, base);
    }
}

// Of all panels: the title, and the device where they share one.
static const char *heading_together(struct report_page *page, const struct report_table *table,
                                    const struct paper_figure *figure)
{
    const char *device = report_fact(&table->panels[0], "device_name");
    for (size_t i = 1; i < table->panel_count; ++i)
        if (strcmp(report_fact(&table->panels[i], "device_name"), device) != 0)
            return figure->title;
    return device[0] ? arena_format(&page->memory, "%s: %s", figure->title, device) : figure->title;
}

static bool draw_panel(struct staging *staging, struct plots *plots, struct report_page *page,
                       struct page_picture *facts, struct error *error)
{
    char stem[300], csv[200];
    const size_t before = staging->count;
    facts->heading = facts->figure->together
                         ? heading_together(page, facts->table, facts->figure)
                         : heading_of(page, facts->table, facts->figure, &facts->table->panels[facts->panel]);
    snprintf(stem, sizeof stem, "%s%s", page->prefix, stem_of(page, facts->table, facts->figure, facts->panel));
    snprintf(csv, sizeof csv, "%stables/%.80s.csv", page->prefix, facts->table->definition->id);
    const size_t number = facts->figure->together ? 0 : facts->panel + 1;
    switch (plot_begin(plots, staging, facts->figure, csv, stem, number, facts->heading, error)) {
    case PLOT_DONE: note_pictures(staging, before, page, facts); return true;
    case PLOT_NO_GNUPLOT: return page->no_gnuplot = true;
    default: return false;
    }
}

// The script, with how to draw each panel again as comments.
static bool write_script(struct staging *staging, struct report_page *page, const struct paper_figure *figure,
                         struct error *error)
{
    char name[200], heading[1000];
    const char *commands = "";
    for (size_t i = 0; i < page->picture_count; ++i) {
        const struct page_picture *picture = &page->pictures[i];
        if (picture->figure != figure || !picture->table)
            continue;
        shell_word(picture->heading, heading, sizeof heading);
        heading[strcspn(heading, "\r\n")] = '\0';
        commands = arena_format(&page->memory, "%s#   gnuplot -c %s.gp ../tables/%s.csv %s %zu %s\n",
                                commands[0] ? commands : "# Drawn in this folder by:\n", figure->id,
                                picture->table->definition->id, strrchr(picture->stem, '/') + 1,
                                figure->together ? 0 : picture->panel + 1, heading);
    }
    if (commands[0])
        commands = arena_format(&page->memory, "%s#\n", commands);
    snprintf(name, sizeof name, "%sfigures/%.80s.gp", page->prefix, figure->id);
    FILE *stream = staging_open(staging, name, error);
    const bool done = stream && plot_write_script(figure, commands, stream, error);
    if (stream && !done)
        fclose(stream);
    return done && staging_close(staging, stream, error);
}

static bool draw(struct staging *staging, struct plots *plots, struct report_page *page,
                 const struct paper_figure *figure, const struct report_table *table, struct error *error)
{
    const size_t most = page->request->appendix || figure->together ? 1 : PLOTS_MAX; // an appendix has the first
    struct page_picture facts = {.figure = figure, .table = table};
    for (; facts.panel < table->panel_count && facts.panel < most && !page->no_gnuplot; ++facts.panel)
        if (!draw_panel(staging, plots, page, &facts, error))
            return false;
    if (facts.panel == PLOTS_MAX && facts.panel < table->panel_count)
        remark(page, arena_format(&page->memory, "%s: drawn for the first %d of %zu configurations\n", figure->id,
                                  PLOTS_MAX, table->panel_count));
    return write_script(staging, page, figure, error);
}

// A database outlives the files of its scenes: without them its tables are made all the same.
static bool make_pictures(struct staging *staging, struct plots *plots, struct report_page *page,
                          const struct paper_figure *figure, bool alone, struct error *error)
{
    const struct page_picture facts = {.figure = figure, .heading = figure->title};
    const size_t before = staging->count;
    snprintf(staging->prefix, sizeof staging->prefix, "%sfigures/", page->prefix);
    char *lines = NULL;
    size_t size;
    FILE *remarks = open_memstream(&lines, &size);
    const bool done = pictures_make(staging, plots, page->paper, figure, page->request->database,
                                    page->request->options.scene, remarks, error);
    fclose(remarks);
    remark(page, lines);
    free(lines);
    staging->prefix[0] = '\0';
    if (done)
        note_pictures(staging, before, page, &facts);
    if (done || alone || error->kind != ERROR_USE)
        return done;
    remark(page, arena_format(&page->memory, "%s is left out: %s\n", figure->id, error->message));
    error_clear(error);
    return true;
}

bool folder_figure(struct staging *staging, struct plots *plots, struct report_page *page,
                   const struct paper_figure *figure, const struct report_table *table, bool alone, struct error *error)
{
    if (!table)
        return page->request->appendix || make_pictures(staging, plots, page, figure, alone, error);
    if (!table->panel_count || table->unmeasured || page->no_gnuplot)
        return true;
    return draw(staging, plots, page, figure, table, error);
}
