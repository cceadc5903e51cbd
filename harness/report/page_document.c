// SPDX-License-Identifier: MIT
// The page of a paper, and its appendix, as documents.
#include <stdlib.h>
#include <string.h>

#include "report/claims/claims_document.h"
#include "report/report_page.h"
#include "report/tables/table_document.h"

const char *page_title(const struct report_page *page)
{
    const struct published *published = page->paper->published;
    return published->title[0] ? published->title : page->paper->id;
}

const char *page_origin(const struct report_page *page, struct document *document)
{
    const struct published *published = page->paper->published;
    return published->venue[0] ? doc_join(document, published->authors, ", ", published->venue) : published->authors;
}

// ---- what was found

static double area_of(const struct report_panel *panel)
{
    return strtod(report_fact(panel, "width"), NULL) * strtod(report_fact(panel, "height"), NULL);
}

static bool same_device(const struct report_panel *panel, const struct report_panel *other)
{
    return !strcmp(report_fact(panel, "device_name"), report_fact(other, "device_name"));
}

static size_t panels_beside(const struct report_table *table, const struct report_panel *panel)
{
    size_t count = 0;
    for (size_t i = 0; i < table->panel_count; ++i)
        count += same_device(panel, &table->panels[i]);
    return count;
}

// A headline speaks for all panels of a device and size: of the device with most panels, and of these of the largest image, which
// decides claims. "" where they say different things: a sentence about one panel of several is none about the table.
static const char *headline_of(const struct report_table *table)
{
    const struct report_panel *most = NULL;
    for (size_t i = 0; i < table->panel_count; ++i) {
        const struct report_panel *panel = &table->panels[i];
        const size_t beside = panels_beside(table, panel), before = most ? panels_beside(table, most) : 0;
        if (report_fact(panel, "headline")[0] &&
            (beside > before || (same_device(panel, most) && area_of(panel) > area_of(most))))
            most = panel;
    }
    const char *headline = most ? report_fact(most, "headline") : "";
    for (size_t i = 0; most && i < table->panel_count; ++i) {
        const struct report_panel *panel = &table->panels[i];
        const char *other = report_fact(panel, "headline");
        if (same_device(panel, most) && area_of(panel) == area_of(most) && other[0] && strcmp(other, headline) != 0)
            return "";
    }
    return headline;
}

static bool is_among(const char *text, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!strcmp(text, list[i]))
            return true;
    return false;
}

static const char *agreement(struct document *document, const struct report_page *page)
{
    static const char *const fates[VERDICT_COUNT] = {"reproduced",
                                                     "reproduced in direction only, not in size",
                                                     "mixed (some parts hold, others do not)",
                                                     "refuted on this hardware",
                                                     "undecided",
                                                     "not implemented"};
    const char *text = NULL;
    for (size_t i = 0; page->claims && i < VERDICT_COUNT; ++i)
        if (page->claims->of[i])
            text = doc_join(document, text, ", ", doc_text(document, "%zu %s", page->claims->of[i], fates[i]));
    if (page->claims && page->claims->arithmetic)
        text = doc_join(document, text, ", ",
                        doc_text(document, "%zu decided by arithmetic on its own numbers", page->claims->arithmetic));
    return text ? doc_text(document, "Of its %zu claims, each judged as literally worded: %s.", page->claims->count,
                           text)
                : "";
}

static void add_sentence(struct document *document, const char *text)
{
    if (text[0])
        doc_add(document, DOC_TEXT, DOC_FINDINGS, text);
}

// In this order: what was found, how far that agrees with the document, and why it differs.
void page_found(const struct report_page *page, struct document *document)
{
    const char *found[8];
    size_t count = 0, measured = 0;
    for (size_t i = 0; i < page->table_count; ++i) {
        const char *headline = headline_of(page->tables[i]);
        measured += making_measured(page->tables[i]);
        if (headline[0] && !is_among(headline, found, count) && count < sizeof found / sizeof *found)
            found[count++] = headline;
    }
    add_sentence(document,
                 count ? found[0]
                       : doc_text(document, "%zu of its %zu tables were measured.", measured, page->table_count));
    add_sentence(document, agreement(document, page));
    for (size_t i = 1; i < count; ++i)
        add_sentence(document, found[i]);
    claims_bar(page->claims, document);
}

// ---- how it was made

static bool add_provenance(struct document *document, const struct report_page *page, struct error *error)
{
    doc_add(document, DOC_LIST, DOC_FACTS, NULL);
    if (!page_facts(page, document, error))
        return false;
    doc_add(document, DOC_LIST, DOC_NOTES, NULL);
    doc_item(document, NULL,
             "A cell holds up to four lines: here, the measured value; 95 %, its confidence interval, from the medians "
             "of the replicates; paper, the printed value; ratio, here / paper, only for dimensionless columns. A = "
             "before a ratio means that the measured value lies within the rounding of the published one.");
    doc_item(document, NULL,
             "Letters after a value refer to footnotes below its table, which say what weakens the value or why it is "
             "missing.");
    doc_item(document, NULL, "Scenes are stand-ins for the paper's; each table names the scene and its camera.");
    doc_item(
        document, NULL,
        "Every table is the result of a query over the database. tables/ has each table as text, Markdown, LaTeX and "
        "CSV; figures/ has each figure with the script that drew it; trials.js has the raw data of the trials named by "
        "cells; report.tex is the whole report for pdflatex, and appendix.tex a short version.");
    doc_item(document, NULL, "To see everything stored about a trial: warpstudy show TRIAL");
    for (const char *line = page->remarks; line && *line;) {
        const size_t length = strcspn(line, "\n");
        doc_item(document, NULL, doc_text(document, "%.*s", (int)length, line));
        line += length + (line[length] == '\n');
    }
    return true;
}

// ---- parts

void page_table(const struct report_table *table, const char *prefix, struct document *document)
{
    const char *files = NULL, *id = table->definition->id, *state = NULL;
    const bool missing = !table->panel_count || table->unmeasured || report_published_only(table);
    if (missing)
        state = strcmp(report_published_flag(table), PAPER_NOT_MEASURED) != 0 ? "not implemented" : "not measured";
    else if (table->panel_count > 1)
        state = doc_text(document, "%zu configurations", table->panel_count);
    struct doc_block *heading = doc_heading(document, 2, id, table->definition->title);
    heading->alone = state;
    heading->role = DOC_RESULTS;
    for (size_t i = 0; table->panel_count && report_formats[i].name; ++i)
        files =
            doc_join(document, files, " ", doc_text(document, "%stables/%s.%s", prefix, id, report_formats[i].suffix));
    if (files)
        doc_add(document, DOC_LINKS, DOC_PLAIN, files);
    report_document(table, document);
    if (!table->panel_count || table->unmeasured) {
        char remedy[900];
        report_remedy(table, remedy, sizeof remedy);
        doc_add(document, DOC_TEXT, DOC_ASIDE,
                doc_text(document, "Not measured: this database has no data for it. To measure it: %s", remedy));
    }
}

// Pictures of scenes stand on their figure's sheet, where that was drawn.
static bool on_a_sheet(const struct report_page *page, const struct page_picture *picture)
{
    for (size_t i = 0; !picture->table && i < page->picture_count; ++i) {
        const struct page_picture *sheet = &page->pictures[i];
        if (sheet != picture && sheet->figure == picture->figure && page_picture_has(sheet, "svg") &&
            !strcmp(strrchr(sheet->stem, '/') + 1, sheet->figure->id))
            return true;
    }
    return false;
}

// The path of the first kind of file that there is; NULL where there is none.
static const char *path_of(struct document *document, const struct page_picture *picture, const char *prefix,
                           const char *kind, const char *other)
{
    if (!page_picture_has(picture, kind))
        kind = other;
    return page_picture_has(picture, kind) ? doc_text(document, "%s%s.%s", prefix, picture->stem, kind) : NULL;
}

static void add_picture(struct document *document, const struct page_picture *picture, const char *prefix)
{
    const char *shown = path_of(document, picture, prefix, "svg", "png"), *files = NULL;
    if (!shown)
        return;
    struct doc_item *item =
        doc_item(document, doc_text(document, "picture-%s", strrchr(picture->stem, '/') + 1), picture->heading);
    item->shown = shown;
    item->printed = path_of(document, picture, prefix, "pdf", "png");
    char suffixes[64], *place = suffixes;
    snprintf(suffixes, sizeof suffixes, "%s", picture->suffixes);
    for (const char *suffix; (suffix = strsep(&place, " "));)
        if (suffix[0])
            files = doc_join(document, files, " ", doc_text(document, "%s%s.%s", prefix, picture->stem, suffix));
    if (picture->table)
        files = doc_text(document, "%s %sfigures/%s.gp %stables/%s.csv", files, prefix, picture->figure->id, prefix,
                         picture->table->definition->id);
    item->files = files;
}

// Pictures of one kind, under one heading each: a list of them where there are any.
void page_pictures(const struct report_page *page, const struct report_table *table, bool key, const char *prefix,
                   struct document *document)
{
    bool begun = false;
    for (size_t i = 0; i < page->picture_count; ++i) {
        const struct page_picture *picture = &page->pictures[i];
        const bool first = picture->figure->key && !picture->panel;
        if (key ? !first : first || picture->table != table || on_a_sheet(page, picture))
            continue;
        if (!begun)
            doc_add(document, DOC_PICTURES, key ? DOC_FINDINGS : DOC_PLAIN, NULL);
        begun = true;
        add_picture(document, picture, prefix);
    }
}

static void add_tables(const struct report_page *page, struct document *document)
{
    for (size_t i = 0; i < page->table_count; ++i) {
        page_table(page->tables[i], "", document);
        page_pictures(page, page->tables[i], false, "", document);
    }
}

// Those that draw no table.
static void add_scenes(const struct report_page *page, struct document *document)
{
    bool any = false;
    for (size_t i = 0; i < page->picture_count; ++i)
        any = any || !page->pictures[i].table;
    if (!any)
        return;
    doc_heading(document, 2, "scenes", "Scenes");
    page_pictures(page, NULL, false, "", document);
}

static void add_misprints(struct document *document, const struct published *published)
{
    static const char *const titles[] = {"where", "printed", "corrected", "certainty", "reason"};
    if (!published->misprint_count)
        return;
    doc_heading(document, 2, "misprints", "Errata of the document");
    doc_add(document, DOC_TEXT, DOC_PLAIN,
            "Ratios use the corrected values. In the tables a correction follows the printed value in square "
            "brackets.");
    struct doc_table *table =
        doc_words_table(document, "id", "Errors in the document, and the reasons for the corrections",
                        sizeof titles / sizeof *titles, titles);
    for (size_t i = 0; i < published->misprint_count; ++i) {
        const struct published_misprint *misprint = &published->misprints[i];
        doc_words_row(document, table, misprint->id,
                      (const char *const[]){misprint->where, misprint->printed, misprint->corrected,
                                            misprint->certainty, misprint->reason});
    }
}

static void add_claims(struct document *document, const struct report_page *page)
{
    const struct claims_page claims = {.survey = page->survey, .paper = page->paper->id};
    if (!page->claims || !page->claims->count)
        return;
    doc_heading(document, 2, "claims", "Claims and verdicts");
    claims_list(&claims, page->claims, document);
}

// ---- documents

static bool page_document_begin(const struct report_page *page, struct document *document, struct error *error)
{
    doc_heading(document, 1, NULL, doc_text(document, "A reproduction of: %s", page_title(page)));
    doc_add(document, DOC_TEXT, DOC_ASIDE, page_origin(page, document));
    page_found(page, document);
    if (page->no_gnuplot)
        doc_add(document, DOC_TEXT, DOC_ASIDE,
                "Not drawn, because gnuplot is not installed. The data are in the tables. To draw the figures: "
                "sudo apt-get install gnuplot-nox");
    page_pictures(page, NULL, true, "", document);
    return page_hardware(page, document, error);
}

bool page_document(const struct report_page *page, struct document *document, struct error *error)
{
    const struct claims_page claims = {.survey = page->survey, .paper = page->paper->id};
    if (!page_document_begin(page, document, error))
        return false;
    doc_add(document, DOC_FOLD, DOC_PLAIN, "Provenance");
    if (!add_provenance(document, page, error))
        return false;
    doc_add(document, DOC_UNFOLD, DOC_PLAIN, NULL);
    doc_add(document, DOC_CONTENTS, DOC_PLAIN, NULL);
    add_tables(page, document);
    add_claims(document, page);
    claims_conflicts_part(&claims, document);
    add_scenes(page, document);
    add_misprints(document, page->paper->published);
    return true;
}

enum { APPENDIX_TABLES = 3, APPENDIX_FIGURES = 8 };

// Of each of the first tables the panel that decides, and of each figure that of the paper's own scene.
bool page_appendix(const struct report_page *page, struct document *document, struct error *error)
{
    size_t tables = 0, figures = 0;
    if (!page_document_begin(page, document, error))
        return false;
    doc_add(document, DOC_CONTENTS, DOC_PLAIN, NULL);
    add_claims(document, page);
    for (size_t i = 0; i < page->table_count && tables < APPENDIX_TABLES; ++i) {
        struct report_table first = *page->tables[i];
        if (!making_measured(&first))
            continue;
        first.panel_count = 1;
        first.left_out = 0;
        doc_heading(document, 2, NULL, first.definition->title);
        report_document(&first, document);
        ++tables;
    }
    doc_heading(document, 2, NULL, "Figures");
    doc_add(document, DOC_PICTURES, DOC_PLAIN, NULL);
    for (size_t i = 0; i < page->picture_count && figures < APPENDIX_FIGURES; ++i)
        if (page->pictures[i].table && !page->pictures[i].panel && !page->pictures[i].figure->key && ++figures)
            add_picture(document, &page->pictures[i], "");
    doc_heading(document, 2, NULL, "Provenance");
    return add_provenance(document, page, error);
}
