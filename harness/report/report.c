// SPDX-License-Identifier: MIT
#include "report/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/notes.h"
#include "report/paper_store.h"
#include "report/pictures.h"
#include "report/plot.h"
#include "report/staging.h"

enum { PLOTS_MAX = 64, TARGETS_MAX = 60 };

// One report in the making.
struct making {
    const struct report_request *request;
    struct store *store; // opened when the first table asks for it
    struct staging staging;
    const struct paper *prepared; // whose tables the store has
    size_t made, empty;           // tables and figures; tables without any data
    char remedy[900];             // for the first empty table
    char left_out[4096];          // a line for each
    bool no_gnuplot;
    struct error *error;
    bool failed;
};

static bool open_store(struct making *making, const struct paper *paper)
{
    if (!making->store) {
        making->store = store_open(making->request->database, STORE_READ, making->error);
        if (making->store && !papers_load(making->store, making->error))
            return false;
    }
    if (!making->store || making->prepared == paper)
        return making->store != NULL;
    making->prepared = paper;
    return report_prepare(making->store, paper, &making->request->options, making->error);
}

// The table, or NULL: failed (making->failed), or nothing measured.
static struct report_table *build(struct making *making, const struct paper *paper,
                                  const struct paper_table *definition)
{
    struct report_table *table =
        !definition->sql || open_store(making, paper)
            ? report_table_build(making->store, paper, definition, &making->request->options, making->error)
            : NULL;
    making->failed = !table;
    if (!table || table->panel_count)
        return table;
    char remedy[900];
    report_remedy(table, remedy, sizeof remedy);
    if (!making->empty++)
        snprintf(making->remedy, sizeof making->remedy, "%s", remedy);
    const size_t used = strlen(making->left_out);
    snprintf(making->left_out + used, sizeof making->left_out - used,
             "%s is left out: nothing was measured for it. Make it with: %s\n", definition->id, remedy);
    report_table_free(table);
    return NULL;
}

static bool wanted_format(const struct report_request *request, const struct report_format *format)
{
    return request->format ? !strcmp(request->format, format->name) : request->folder || format == report_formats;
}

static bool write_formats(struct making *making, const struct report_table *table)
{
    for (const struct report_format *format = report_formats; format->name; ++format) {
        char name[180];
        if (!wanted_format(making->request, format))
            continue;
        if (!making->request->folder) {
            format->write(table, making->request->stream);
            continue;
        }
        const bool several = !making->request->target; // papers, which may all have a Table 1
        snprintf(name, sizeof name, "%s%s%.80s.%s", several ? table->paper->id : "", several ? "-" : "",
                 table->definition->id, format->suffix);
        FILE *stream = staging_open(&making->staging, name, making->error);
        if (!stream)
            return false;
        format->write(table, stream);
        if (!staging_close(&making->staging, stream, making->error))
            return false;
    }
    return true;
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

static bool draw_panel(struct making *making, const struct report_table *table, const struct paper_figure *figure,
                       size_t index, const char *csv, struct plots *plots)
{
    const struct report_panel *panel = &table->panels[index];
    char stem[128], heading[400];
    name_plot(table, figure, index, stem, sizeof stem);
    head_plot(table, figure, panel, heading, sizeof heading);
    switch (plot_begin(plots, &making->staging, figure, csv, stem, index + 1, heading, making->error)) {
    case PLOT_DONE: return true;
    case PLOT_NO_GNUPLOT: return !(making->no_gnuplot = true);
    default: return !(making->failed = true);
    }
}

// Draws from a CSV of its own, which does not stay.
static bool draw(struct making *making, const struct report_table *table, const struct paper_figure *figure)
{
    const char *csv = ".plot.csv";
    char path[1200];
    FILE *stream = NULL;
    snprintf(path, sizeof path, "%s/%s", making->staging.temporary, csv);
    if (!(stream = fopen(path, "wb"))) {
        making->failed = true;
        return error_set_errno(making->error, "write", path);
    }
    report_write_csv(table, stream);
    fclose(stream);
    struct plots plots = {.running = 0};
    size_t drawn = 0;
    while (drawn < table->panel_count && drawn < PLOTS_MAX && draw_panel(making, table, figure, drawn, csv, &plots))
        ++drawn;
    if (plot_finish(&plots, making->error) == PLOT_FAILED)
        making->failed = true;
    unlink(path);
    if (drawn == PLOTS_MAX && drawn < table->panel_count)
        fprintf(making->request->remarks, "%s: drawn for the first %d of %zu configurations\n", figure->id, PLOTS_MAX,
                table->panel_count);
    making->made += drawn > 0;
    return !making->failed;
}

static bool make_table(struct making *making, const struct paper *paper, const struct paper_table *definition)
{
    struct report_table *table = build(making, paper, definition);
    if (!table)
        return !making->failed;
    bool done = write_formats(making, table);
    making->made += done;
    for (size_t i = 0; done && making->request->folder && !making->request->format && i < paper->figure_count; ++i)
        if (paper->figures[i].script[0] && !strcmp(paper->figures[i].table, definition->id))
            done = draw(making, table, &paper->figures[i]);
    report_table_free(table);
    return done;
}

static bool make_figure(struct making *making, const struct paper *paper, const struct paper_figure *figure)
{
    const struct report_request *request = making->request;
    if (!request->folder) {
        error_set(making->error, ERROR_USE, "%s is made of picture files", figure->id);
        return error_remedy(making->error, "give a folder for them: warpstudy report %s --output DIR", figure->id);
    }
    if (!figure->script[0]) {
        const bool done = pictures_render(&making->staging, paper, figure, request->database, request->options.scene,
                                          request->remarks, making->error);
        making->made += done;
        return done;
    }
    struct report_table *table = build(making, paper, paper_table_find(paper, figure->table));
    if (!table)
        return !making->failed;
    const bool done = draw(making, table, figure);
    report_table_free(table);
    return done;
}

// Pictures among all that a paper has. A database outlives the files of its scenes: without them its tables are made
// all the same.
static bool make_pictures(struct making *making, const struct paper *paper, const struct paper_figure *figure)
{
    if (make_figure(making, paper, figure))
        return true;
    if (making->error->kind != ERROR_USE)
        return false;
    fprintf(making->request->remarks, "%s is left out: %s\n", figure->id, making->error->message);
    error_clear(making->error);
    return true;
}

static bool make_paper(struct making *making, const struct paper *paper)
{
    for (size_t i = 0; i < paper->table_count; ++i)
        if (!make_table(making, paper, &paper->tables[i]))
            return false;
    for (size_t i = 0; making->request->folder && !making->request->format && i < paper->figure_count; ++i)
        if (!paper->figures[i].script[0] && !make_pictures(making, paper, &paper->figures[i]))
            return false;
    return true;
}

// ---- what is asked for
// ----------------------------------------------------------------------------------------------------

struct choice {
    struct making *making;
    const char *paper, *word;       // NULL = every paper; every table and figure
    char near[TARGETS_MAX + 1][64]; // names there are, for a suggestion
    const char *names[TARGETS_MAX + 1];
    size_t name_count;
    char unmeasured[64]; // a paper whose table of that name nothing measures
    bool found;
};

static void remember(struct choice *choice, const char *name)
{
    if (choice->name_count == TARGETS_MAX)
        return;
    snprintf(choice->near[choice->name_count], sizeof choice->near[0], "%s", name);
    choice->names[choice->name_count] = choice->near[choice->name_count];
    ++choice->name_count;
}

static bool make_chosen(struct choice *choice, const struct paper *paper)
{
    struct making *making = choice->making;
    if (choice->paper && strcmp(choice->paper, paper->id) != 0)
        return true;
    if (!choice->word || !strcmp(choice->word, paper->id)) {
        choice->found = true;
        return make_paper(making, paper);
    }
    const struct paper_table *table = paper_table_find(paper, choice->word);
    if (table && !table->sql && !choice->paper) { // several papers have a Table 1: without a paper the measured one
        snprintf(choice->unmeasured, sizeof choice->unmeasured, "%s", paper->id);
        return true;
    }
    const struct paper_figure *figure = paper_figure_find(paper, choice->word);
    choice->found = choice->found || table || figure;
    if (table)
        return make_table(making, paper, table);
    if (figure)
        return make_figure(making, paper, figure);
    remember(choice, paper->id);
    for (size_t i = 0; i < paper->table_count; ++i)
        remember(choice, paper->tables[i].id);
    for (size_t i = 0; i < paper->figure_count; ++i)
        remember(choice, paper->figures[i].id);
    return true;
}

static bool visit_paper(void *context, const char *id)
{
    struct choice *choice = context;
    struct paper *paper = paper_load(id, choice->making->error);
    const bool done = paper && make_chosen(choice, paper);
    choice->making->prepared = NULL;
    paper_free(paper);
    choice->making->failed = !done;
    return done;
}

static bool unknown_target(const struct choice *choice, struct error *error)
{
    char list[400] = "";
    size_t used = 0;
    for (size_t i = 0; i < choice->name_count && used < sizeof list; ++i)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", choice->names[i]);
    const char *near = error_suggest(choice->word, choice->names);
    error_set(error, ERROR_USE, "there is no paper, table or figure '%.100s'", choice->word);
    return near ? error_remedy(error, "did you mean '%s'?", near) : error_remedy(error, "there are: %s", list);
}

static bool nothing_made(const struct making *making, struct error *error)
{
    const struct report_options *options = &making->request->options;
    if (making->no_gnuplot) {
        error_set(error, ERROR_SYSTEM, "gnuplot, which draws the figures, is not installed");
        return error_remedy(error, "sudo apt-get install gnuplot-nox");
    }
    error_set(error, ERROR_FAILED, "nothing to report: %.400s has no results for it%s%.60s%s%.60s",
              making->request->database, options->scene ? " of scene " : "", options->scene ? options->scene : "",
              options->run ? " in a run labelled " : "", options->run ? options->run : "");
    return error_remedy(error, "make them with: %s", making->remedy);
}

static bool make_all(struct making *making)
{
    const char *target = making->request->target, *item = making->request->item;
    struct choice choice = {.making = making, .paper = item ? target : NULL, .word = item ? item : target};
    if (item) {
        struct paper *paper = paper_load(target, making->error); // for its message, where there is none of that name
        paper_free(paper);
        if (!paper)
            return false;
    }
    if (!paper_each(visit_paper, &choice, making->error) || making->failed)
        return false;
    if (!choice.found && choice.unmeasured[0]) {
        choice.paper = choice.unmeasured;
        if (!paper_each(visit_paper, &choice, making->error) || making->failed)
            return false;
    }
    if (!choice.found)
        return unknown_target(&choice, making->error);
    return making->made || nothing_made(making, making->error);
}

static bool finish(struct making *making)
{
    const struct report_request *request = making->request;
    fputs(making->left_out, request->remarks);
    if (making->no_gnuplot)
        fputs("Figures are left out: gnuplot is not installed (sudo apt-get install gnuplot-nox).\n", request->remarks);
    if (request->folder && !staging_commit(&making->staging, making->error))
        return false;
    for (size_t i = 0; i < making->staging.count; ++i)
        fprintf(request->stream, "%s/%s\n", request->folder, making->staging.names[i]);
    return true;
}

bool report_run(const struct report_request *request, struct error *error)
{
    struct making making = {.request = request, .error = error};
    if (request->folder && !staging_begin(&making.staging, request->folder, error))
        return false;
    const bool done = make_all(&making) && finish(&making);
    staging_abandon(&making.staging);
    store_close(making.store);
    return done;
}
