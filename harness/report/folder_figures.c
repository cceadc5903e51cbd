// SPDX-License-Identifier: MIT
#include "report/folder_figures.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/escape.h"
#include "report/pictures.h"
#include "report/plot.h"

enum { PLOTS_MAX = 64, SUFFIXES = 8 };

const char *page_picture_suffix(const struct page_picture *picture, const char *suffix)
{
    for (size_t i = 0; i < picture->suffix_count; ++i)
        if (!strcmp(picture->suffixes[i], suffix))
            return picture->suffixes[i];
    return "";
}

// Told to the user, and on the page.
static void remark(struct report_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void remark(struct report_page *page, const char *format, ...)
{
    va_list arguments;
    char *line = NULL, *joined = NULL;
    va_start(arguments, format);
    const int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    fprintf(page->request->remarks, "%s\n", line);
    if (asprintf(&joined, "%s%s\n", page->remarks ? page->remarks : "", line) >= 0) {
        free(page->remarks);
        page->remarks = joined;
    }
    free(line);
}

// FIGURE, or FIGURE_SCENE_PANEL where the table has several panels: plain characters only.
static void name_plot(const struct report_table *table, const struct paper_figure *figure, size_t panel, char *text,
                      size_t size)
{
    if (table->panel_count == 1) {
        snprintf(text, size, "%.60s", figure->id);
        return;
    }
    const char *scene = report_fact(&table->panels[panel], "scene");
    if (!scene[0])
        scene = report_fact(&table->panels[panel], "device");
    const char *slash = strrchr(scene, '/');
    snprintf(text, size, "%.60s_%.40s_%zu", figure->id, slash ? slash + 1 : scene, panel + 1);
    for (; *text; ++text)
        if (!isalnum((unsigned char)*text) && *text != '-' && *text != '.')
            *text = '_';
}

// "TITLE: open, 1280x768, NVIDIA H200; published for fairy (scene fitted to that curve)", of what the panel has.
static void head_plot(const struct report_table *table, const struct paper_figure *figure,
                      const struct report_panel *panel, char *text, size_t size)
{
    const char *scene = report_fact(panel, "scene"), *width = report_fact(panel, "width"),
               *device = report_fact(panel, "device"),
               *published = scene[0] && table->published ? table->published->scene : "";
    snprintf(text, size, "%.60s: %.60s%s%s%s%s%s%.60s%s%.60s%s", figure->title, scene, scene[0] ? ", " : "", width,
             width[0] ? "x" : "", width[0] ? report_fact(panel, "height") : "", width[0] ? ", " : "",
             !strcmp(device, "cuda") ? report_fact(panel, "device_name") : device,
             published[0] ? "; published for " : "", published,
             panel->scene.fitted ? " (scene fitted to that curve)" : "");
}

static struct page_picture *add_picture(struct report_page *page, const char *stem, struct error *error)
{
    for (size_t i = 0; i < page->picture_count; ++i)
        if (!strcmp(page->pictures[i].stem, stem))
            return &page->pictures[i];
    if (page->picture_count == page->picture_capacity) {
        const size_t capacity = page->picture_capacity ? 2 * page->picture_capacity : 32;
        struct page_picture *pictures = realloc(page->pictures, capacity * sizeof *pictures);
        if (!pictures) {
            error_set(error, ERROR_SYSTEM, "no memory");
            return NULL;
        }
        page->pictures = pictures;
        page->picture_capacity = capacity;
    }
    struct page_picture *picture = &page->pictures[page->picture_count++];
    *picture = (struct page_picture){.table = NULL};
    snprintf(picture->stem, sizeof picture->stem, "%s", stem);
    return picture;
}

// Files made since there were `before`, as pictures: those that differ in the suffix alone are one.
static bool note_pictures(const struct staging *staging, size_t before, struct report_page *page,
                          const struct page_picture *facts, struct error *error)
{
    for (size_t i = before; i < staging->count; ++i) {
        char stem[200];
        const char *name = staging->names[i] + strlen(page->prefix), *dot = strrchr(name, '.');
        if (!dot || strlen(dot) > sizeof facts->suffixes[0])
            continue;
        snprintf(stem, sizeof stem, "%.*s", (int)(dot - name), name);
        const size_t known = page->picture_count;
        struct page_picture *picture = add_picture(page, stem, error);
        if (!picture)
            return false;
        if (page->picture_count > known) {
            const char *slash = strrchr(stem, '/');
            picture->figure = facts->figure;
            picture->table = facts->table;
            picture->panel = facts->panel;
            snprintf(picture->heading, sizeof picture->heading, "%s", facts->heading);
            if (!facts->table && strcmp(slash ? slash + 1 : stem, facts->figure->id) != 0)
                snprintf(picture->heading, sizeof picture->heading, "%.200s: %.150s", facts->figure->title,
                         slash ? slash + 1 : stem);
        }
        if (picture->suffix_count < SUFFIXES)
            snprintf(picture->suffixes[picture->suffix_count++], sizeof picture->suffixes[0], "%s", dot + 1);
    }
    return true;
}

static bool draw_panel(struct staging *staging, struct plots *plots, struct report_page *page,
                       struct page_picture *facts, struct error *error)
{
    char name[128], stem[200], csv[200];
    const size_t before = staging->count;
    name_plot(facts->table, facts->figure, facts->panel, name, sizeof name);
    head_plot(facts->table, facts->figure, &facts->table->panels[facts->panel], facts->heading, sizeof facts->heading);
    snprintf(stem, sizeof stem, "%sfigures/%.110s", page->prefix, name);
    snprintf(csv, sizeof csv, "%stables/%.80s.csv", page->prefix, facts->table->definition->id);
    switch (plot_begin(plots, staging, facts->figure, csv, stem, facts->panel + 1, facts->heading, error)) {
    case PLOT_DONE: return note_pictures(staging, before, page, facts, error);
    case PLOT_NO_GNUPLOT: return page->no_gnuplot = true;
    default: return false;
    }
}

// How to draw each panel again, as comments; to be freed.
static char *commands_of(const struct report_page *page, const struct paper_figure *figure)
{
    char *text = NULL;
    size_t size;
    bool any = false;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; stream && i < page->picture_count; ++i) {
        const struct page_picture *picture = &page->pictures[i];
        char heading[1000];
        if (picture->figure != figure || !picture->table)
            continue;
        shell_word(picture->heading, heading, sizeof heading);
        heading[strcspn(heading, "\r\n")] = '\0';
        fprintf(stream, "%s#   gnuplot -c %s.gp ../tables/%s.csv %s %zu %s\n",
                any ? "" : "# Drawn in this folder by:\n", figure->id, picture->table->definition->id,
                strrchr(picture->stem, '/') + 1, picture->panel + 1, heading);
        any = true;
    }
    if (any)
        fputs("#\n", stream);
    return stream && fclose(stream) == 0 ? text : NULL;
}

static bool write_script(struct staging *staging, const struct report_page *page, const struct paper_figure *figure,
                         struct error *error)
{
    char name[200], *commands = commands_of(page, figure);
    if (!commands)
        return error_set(error, ERROR_SYSTEM, "no memory");
    snprintf(name, sizeof name, "%sfigures/%.80s.gp", page->prefix, figure->id);
    FILE *stream = staging_open(staging, name, error);
    const bool done = stream && plot_write_script(figure, commands, stream, error);
    free(commands);
    if (stream && !done)
        fclose(stream);
    return done && staging_close(staging, stream, error);
}

static bool draw(struct staging *staging, struct plots *plots, struct report_page *page,
                 const struct paper_figure *figure, const struct report_table *table, struct error *error)
{
    struct page_picture facts = {.figure = figure, .table = table};
    for (; facts.panel < table->panel_count && facts.panel < PLOTS_MAX && !page->no_gnuplot; ++facts.panel)
        if (!draw_panel(staging, plots, page, &facts, error))
            return false;
    if (facts.panel == PLOTS_MAX && facts.panel < table->panel_count)
        remark(page, "%s: drawn for the first %d of %zu configurations", figure->id, PLOTS_MAX, table->panel_count);
    return write_script(staging, page, figure, error);
}

// A database outlives the files of its scenes: without them its tables are made all the same.
static bool make_pictures(struct staging *staging, struct report_page *page, const struct paper_figure *figure,
                          bool alone, struct error *error)
{
    struct page_picture facts = {.figure = figure};
    const size_t before = staging->count;
    snprintf(facts.heading, sizeof facts.heading, "%s", figure->title);
    snprintf(staging->prefix, sizeof staging->prefix, "%sfigures/", page->prefix);
    const bool done = pictures_make(staging, page->paper, figure, page->request->database, page->request->options.scene,
                                    page->request->remarks, error);
    staging->prefix[0] = '\0';
    if (done)
        return note_pictures(staging, before, page, &facts, error);
    if (alone || error->kind != ERROR_USE)
        return false;
    remark(page, "%s is left out: %s", figure->id, error->message);
    error_clear(error);
    return true;
}

bool folder_figure(struct staging *staging, struct plots *plots, struct report_page *page,
                   const struct paper_figure *figure, const struct report_table *table, bool alone, struct error *error)
{
    if (!table)
        return make_pictures(staging, page, figure, alone, error);
    if (!table->panel_count || table->unmeasured || page->no_gnuplot)
        return true;
    return draw(staging, plots, page, figure, table, error);
}
