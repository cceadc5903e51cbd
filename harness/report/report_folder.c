// SPDX-License-Identifier: MIT
// A report as a folder: tables in every format, figures, and for a whole paper the page that shows all of it.
#include "report/report_folder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/processors.h"
#include "report/claims/claims_words.h"
#include "report/folder_figures.h"
#include "report/report_claims.h"
#include "report/report_page.h"
#include "report/sweep/sweep_page.h"
#include "report/tables/table_document.h"
#include "store/kept.h"
#include "store/shared.h"

struct folder {
    struct making *making;
    struct staging staging;
    struct plots plots;
    struct report_page *pages; // one per paper
    size_t page_count;
    struct claims_survey *survey; // of a report of whole papers
    struct error *error;
};

static bool write_tables(struct folder *folder, const struct report_page *page, const struct report_table *table)
{
    // Of an appendix what its figures are drawn from.
    const char *only = folder->making->request->appendix ? "csv" : folder->making->request->format;
    struct document document = {.count = 0};
    bool done = true;
    report_document(table, &document);
    for (const struct report_format *format = report_formats; done && format->name; ++format) {
        char name[200];
        if (only && strcmp(only, format->name) != 0)
            continue;
        snprintf(name, sizeof name, "%stables/%.80s.%s", page->prefix, table->definition->id, format->suffix);
        FILE *stream = staging_open(&folder->staging, name, folder->error);
        if (stream)
            report_write(format, table, &document, stream);
        done = stream && staging_close(&folder->staging, stream, folder->error);
    }
    document_finish(&document);
    return done;
}

// The table of a definition, built once. `whole`: one of a paper's, which has the paper's half where nothing was
// measured.
static struct report_table *folder_table(struct folder *folder, struct report_page *page,
                                         const struct paper_table *definition, bool whole)
{
    struct report_table **table = &page->tables[definition - page->paper->tables];
    if (*table)
        return *table;
    *table = making_table(folder->making, page->paper, definition, folder->error);
    page->store = folder->making->store;
    if (whole && *table && !(*table)->panel_count && (*table)->published)
        report_table_publish(*table);
    if (!*table || !(*table)->panel_count)
        return *table;
    return write_tables(folder, page, *table) ? *table : NULL;
}

// Figures of one table, a figure of its name among them, or one figure with what it draws.
static bool add_figures(struct folder *folder, struct report_page *page, const struct report_item *item)
{
    const bool pictures = !folder->making->request->format;
    for (size_t i = 0; pictures && i < page->paper->figure_count; ++i) {
        const struct paper_figure *figure = &page->paper->figures[i];
        const struct paper_table *definition =
            !figure->scene_count ? paper_table_find(page->paper, figure->table) : NULL;
        if ((item->figure && item->figure != figure) ||
            (item->table && item->table != definition && strcmp(item->table->id, figure->id) != 0))
            continue;
        struct report_table *table =
            definition ? folder_table(folder, page, definition, !item->table && !item->figure) : NULL;
        if (definition && !table)
            return false;
        if (!folder_figure(&folder->staging, &folder->plots, page, figure, table, item->figure != NULL, folder->error))
            return false;
    }
    return true;
}

// Figures first: they are drawn while other tables are made.
static bool add_item(struct folder *folder, struct report_page *page, const struct report_item *item)
{
    if (!add_figures(folder, page, item))
        return false;
    for (size_t i = 0; !item->figure && i < page->paper->table_count; ++i)
        if ((!item->table || item->table == &page->paper->tables[i]) &&
            !folder_table(folder, page, &page->paper->tables[i], !item->table))
            return false;
    return true;
}

// ---- the page of a whole paper

static bool write_trials(struct folder *folder, const struct report_page *page, const char *prefix)
{
    char name[100];
    snprintf(name, sizeof name, "%strials.js", prefix);
    FILE *stream = staging_open(&folder->staging, name, folder->error);
    if (!stream)
        return false;
    if (page_write_trials(page, stream, folder->error))
        return staging_close(&folder->staging, stream, folder->error);
    fclose(stream);
    return false;
}

static bool write_claims(struct folder *folder, struct report_page *page)
{
    const struct claims_page claims = {
        .survey = folder->survey, .paper = page->paper->id, .database = page->request->database};
    page->claims = claims_survey_paper(folder->survey, page->paper->id);
    if (!page->claims || !page->claims->count || page->request->appendix)
        return true;
    snprintf(folder->staging.prefix, sizeof folder->staging.prefix, "%s", page->prefix);
    const bool done = report_claims_files(&folder->staging, &claims, NULL, folder->error);
    folder->staging.prefix[0] = '\0';
    return done;
}

// HTML or LaTeX, by the name.
static bool write_document(struct folder *folder, const char *prefix, const char *name, const struct document *document)
{
    char path[200];
    snprintf(path, sizeof path, "%s%s", prefix, name);
    FILE *stream = staging_open(&folder->staging, path, folder->error);
    if (stream && strstr(name, ".html"))
        page_write_html(document, folder->making->request->database, "", stream);
    else if (stream)
        page_write_latex(document, stream);
    return stream && staging_close(&folder->staging, stream, folder->error);
}

static bool write_whole(struct folder *folder, struct report_page *page)
{
    struct document document = {.count = 0};
    const bool done = page_document(page, &document, folder->error) &&
                      write_document(folder, page->prefix, "index.html", &document) &&
                      write_document(folder, page->prefix, "report.tex", &document) &&
                      write_trials(folder, page, page->prefix);
    document_finish(&document);
    return done;
}

static bool write_page(struct folder *folder, struct report_page *page)
{
    struct document appendix = {.count = 0};
    page->survey = folder->survey;
    if (page->paper->synthesis) // the index is its page
        return true;
    const bool done = write_claims(folder, page) && (page->request->appendix || write_whole(folder, page)) &&
                      page_appendix(page, &appendix, folder->error) &&
                      write_document(folder, page->prefix, "appendix.tex", &appendix);
    document_finish(&appendix);
    return done;
}

// The same findings as text that a repository can show.
static bool write_findings(struct folder *folder, const struct report_page *page)
{
    struct document document = {.count = 0};
    page_findings(page, folder->survey, &document);
    FILE *stream = staging_open(&folder->staging, "findings.md", folder->error);
    if (stream)
        doc_write_markdown(&document, stream);
    document_finish(&document);
    return stream && staging_close(&folder->staging, stream, folder->error) && write_trials(folder, page, "");
}

static bool write_index(struct folder *folder, struct document *sweeps)
{
    for (size_t i = 0; i < folder->page_count; ++i)
        if (folder->pages[i].paper->synthesis && !write_findings(folder, &folder->pages[i]))
            return false;
    struct document document = *sweeps;
    *sweeps = (struct document){.count = 0};
    page_index(folder->pages, folder->page_count, &document);
    const bool done = write_document(folder, "", "index.html", &document);
    document_finish(&document);
    return done;
}

// ---- all of it

static bool make_item(struct folder *folder, const struct report_item *item, bool several)
{
    struct report_page *page = &folder->pages[folder->page_count++];
    page->paper = item->paper;
    page->request = folder->making->request;
    page->table_count = item->paper->table_count;
    page->tables = memory_new(page->table_count, sizeof *page->tables);
    if (several || (item->paper->synthesis && folder->staging.replaces))
        snprintf(page->prefix, sizeof page->prefix, "%s/", item->paper->id);
    if (!add_item(folder, page, item))
        return false;
    folder->making->no_gnuplot = folder->making->no_gnuplot || page->no_gnuplot;
    return !folder->survey || write_page(folder, page);
}

static bool nothing_drawn(const struct making *making, const struct report_choice *choice, struct error *error)
{
    if (!making->no_gnuplot || !choice->items[0].figure)
        return true;
    error_set(error, ERROR_SYSTEM, "gnuplot, which draws the figures, is not installed");
    return error_remedy(error, "sudo apt-get install gnuplot-nox");
}

// Whether any table of it has something measured; what that notes is forgotten.
static bool is_measured(struct folder *folder, const struct paper *paper, bool *measured)
{
    struct making before = *folder->making;
    *measured = false;
    for (size_t i = 0; !*measured && i < paper->table_count; ++i) {
        struct report_table *table = making_table(folder->making, paper, &paper->tables[i], folder->error);
        if (!table)
            return false;
        *measured = making_measured(table);
        report_table_free(table);
    }
    before.store = folder->making->store;
    before.prepared = folder->making->prepared;
    *folder->making = before;
    return true;
}

// Of several papers those that something measures.
static bool make_items(struct folder *folder, const struct report_choice *choice)
{
    const bool several = choice->item_count > 1, sift = several && folder->staging.replaces;
    const char *none = NULL;
    struct arena memory = {NULL};
    bool done = true, measured = true;
    for (size_t i = 0; done && i < choice->item_count; ++i) {
        const struct report_item *item = &choice->items[i];
        if (item->paper->synthesis && folder->making->request->appendix)
            continue;
        done = !sift || is_measured(folder, item->paper, &measured);
        if (done && measured)
            done = make_item(folder, item, several);
        else if (done && !item->paper->synthesis)
            none = arena_join(&memory, none, ", ", item->paper->id);
    }
    if (done && none)
        fprintf(folder->making->request->remarks,
                "nothing was measured of %s: warpstudy report PAPER says what would\n", none);
    arena_free(&memory);
    return done;
}

// Whether the folder has a page over its papers.
static bool has_index(const struct folder *folder, const struct report_choice *choice)
{
    return folder->staging.replaces && !folder->making->request->appendix &&
           (choice->item_count > 1 || choice->items[0].paper->synthesis);
}

static bool make_survey(struct folder *folder, const char *paper)
{
    struct making *making = folder->making;
    folder->survey = claims_survey(making->store, paper, &making->request->options, making->prepared, folder->error);
    making->prepared = folder->survey ? folder->survey->prepared : NULL;
    return folder->survey != NULL;
}

// Judges the claims in a thread with its own connection while the tables are made. What a run stores meanwhile may be in one and not yet
// in the other.
struct judging {
    const struct report_request *request;
    struct store_shared *shared;
    const char *paper;
    struct claims_survey *survey; // NULL: error
    struct error error;
};

static void *judge(void *context)
{
    struct judging *judging = context;
    struct store *store = store_open(judging->request->database, STORE_READ, &judging->error);
    if (store) {
        store_share(store, judging->shared);
        judging->survey = claims_survey(store, judging->paper, &judging->request->options, NULL, &judging->error);
    }
    store_close(store);
    return NULL;
}

// One paper: its tables, and of a whole one its claims.
static bool make_one(struct folder *folder, const struct report_choice *choice, const char *paper)
{
    struct judging judging = {.request = folder->making->request, .shared = store_shared_new(paper), .paper = paper};
    pthread_t thread;
    const bool whole = folder->staging.replaces,
               beside = whole && processors_usable() > 1 && !pthread_create(&thread, NULL, judge, &judging);
    if (beside)
        store_share(folder->making->store, judging.shared);
    bool done = make_items(folder, choice);
    if (beside) {
        store_share(folder->making->store, NULL);
        pthread_join(thread, NULL);
        folder->survey = judging.survey;
        if (done && !judging.survey)
            *folder->error = judging.error;
        done = done && judging.survey;
    }
    store_shared_free(judging.shared);
    return done && (!whole || ((beside || make_survey(folder, paper)) && write_page(folder, folder->pages)));
}

static bool make_parts(struct folder *folder, const struct report_choice *choice, struct document *sweeps,
                       size_t *sweep_count)
{
    struct making *making = folder->making;
    const struct paper *only = choice->item_count == 1 ? choice->items[0].paper : NULL;
    if (folder->staging.replaces && !making_store(making, folder->error))
        return false;
    if (only && !only->synthesis)
        return make_one(folder, choice, only->id);
    if (folder->staging.replaces && !make_survey(folder, NULL))
        return false;
    if (has_index(folder, choice) && !only &&
        !sweep_sections(making->store, &folder->staging, sweeps, sweep_count, &making->no_gnuplot, folder->error))
        return false;
    return make_items(folder, choice);
}

static bool make_all(struct folder *folder, const struct report_choice *choice)
{
    size_t sweep_count = 0;
    struct document sweeps = {.count = 0};
    bool done = make_parts(folder, choice, &sweeps, &sweep_count);
    done = plot_finish(&folder->plots, folder->error) == PLOT_DONE && done;
    done = done && nothing_drawn(folder->making, choice, folder->error);
    if (done && (folder->staging.replaces || !folder->staging.count) && !folder->making->measured && !sweep_count &&
        (folder->making->empty || !folder->page_count))
        done = making_nothing(folder->making, folder->error);
    done = done && (!has_index(folder, choice) || write_index(folder, &sweeps)) &&
           staging_commit(&folder->staging, folder->error);
    document_finish(&sweeps);
    return done;
}

// "wald2011: 18 of 19 tables measured, 25 pictures, 36 claims: 20 reproduced, ..."
static void tell_page(const struct report_page *page, FILE *stream)
{
    size_t measured = 0;
    for (size_t i = 0; i < page->table_count; ++i)
        measured += making_measured(page->tables[i]);
    fprintf(stream, "%s: %zu of %zu tables measured, %zu picture%s", page->paper->id, measured, page->table_count,
            page->picture_count, page->picture_count == 1 ? "" : "s");
    if (page->claims && page->claims->count) {
        char counts[300];
        claim_counts_text(page->claims, counts, sizeof counts);
        fprintf(stream, ", %zu claims: %s", page->claims->count, counts);
    }
    fputc('\n', stream);
}

// Of whole papers: the page, and what there is of each. Else the names of the files.
static void tell(const struct folder *folder, const char *path)
{
    FILE *stream = folder->making->request->stream;
    for (size_t i = 0; !folder->staging.replaces && i < folder->staging.count; ++i)
        fprintf(stream, "%s/%s\n", path, folder->staging.names[i]);
    if (!folder->staging.replaces)
        return;
    for (size_t i = 0; folder->making->request->appendix && i < folder->page_count; ++i)
        fprintf(stream, "%s/%sappendix.tex\n", path, folder->pages[i].prefix);
    if (!folder->making->request->appendix)
        fprintf(stream, "%s/index.html\n", path);
    for (size_t i = 0; i < folder->page_count; ++i)
        tell_page(&folder->pages[i], stream);
}

static void report_folder_finish(struct folder *folder)
{
    for (size_t i = 0; i < folder->page_count; ++i) {
        struct report_page *page = &folder->pages[i];
        for (size_t j = 0; page->tables && j < page->table_count; ++j)
            report_table_free(page->tables[j]);
        free(page->tables);
        arena_free(&page->memory);
    }
    free(folder->pages);
    folder->making->prepared = NULL;
    claims_survey_free(folder->survey);
    staging_abandon(&folder->staging);
}

// A figure has files of its own, whatever the formats of tables.
static bool check_format(const struct making *making, const struct report_choice *choice, struct error *error)
{
    const struct paper_figure *figure = choice->items[0].figure;
    if (!figure || !making->request->format)
        return true;
    error_set(error, ERROR_USE, "%s is a figure and has no %s form", figure->id, making->request->format);
    return error_remedy(error, "leave --format out%s%s", figure->table[0] ? ", or name its table: " : "",
                        figure->table);
}

bool report_into_folder(struct making *making, const struct report_choice *choice, const char *path,
                        struct error *error)
{
    struct folder folder = {.making = making, .error = error};
    if (!check_format(making, choice, error))
        return false;
    folder.pages = memory_new(choice->item_count, sizeof *folder.pages);
    bool done = staging_begin(&folder.staging, path, error);
    folder.staging.replaces = report_choice_whole(choice) && !making->request->format;
    folder.plots.without_png = folder.staging.replaces;
    done = done && make_all(&folder, choice);
    if (done)
        tell(&folder, path);
    if (done && making->no_gnuplot)
        fputs("Figures are left out: gnuplot is not installed (sudo apt-get install gnuplot-nox).\n",
              making->request->remarks);
    report_folder_finish(&folder);
    return done;
}
