// SPDX-License-Identifier: MIT
// The page of a paper: one file with its style and script; pictures and raw data lie beside it.
#include <string.h>

#include "report/html_claims.h"
#include "report/escape.h"
#include "report/report_page.h"
#include "report/table_document.h"

extern const char page_css[], page_js[];

static void put_head(const char *title, const char *database, FILE *stream)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
          stream);
    html_text(title, stream);
    fputs("</title>\n<style>\n", stream);
    fputs(page_css, stream);
    fputs("</style>\n</head>\n<body", stream);
    html_attribute("data-database", database, stream);
    fputs(">\n", stream);
}

static void put_front(const struct report_page *page, const struct page_facts *facts, FILE *stream)
{
    const struct published *published = page->paper->published;
    fputs("<header>\n<h1>", stream);
    html_text(published->title[0] ? published->title : page->paper->id, stream);
    fputs("</h1>\n<p class=\"subtitle\">", stream);
    html_text(published->authors, stream);
    if (published->venue[0]) {
        fputs(published->authors[0] ? ", " : "", stream);
        html_text(published->venue, stream);
    }
    fputs(
        "</p>\n<p>What this document prints, beside what was measured here. Every figure with trials behind it can be "
        "opened: a click, or Enter, shows the trials, their commands and clocks, and the raw samples.</p>\n"
        "<dl class=\"facts\">\n",
        stream);
    for (size_t i = 0; i < facts->count; ++i) {
        fputs("<dt>", stream);
        html_text(facts->list[i].title, stream);
        fputs("</dt><dd>", stream);
        (strncmp(facts->list[i].text, "warpstudy ", 10) ? html_text : html_sentence)(facts->list[i].text, stream);
        fputs("</dd>\n", stream);
    }
    fputs("</dl>\n</header>\n", stream);
}

// ---- contents

static void put_link(const char *target, const char *text, const char *aside, FILE *stream)
{
    fputs("<li><a href=\"#", stream);
    html_name(target, stream);
    fputs("\">", stream);
    html_text(text, stream);
    fputs("</a>", stream);
    if (aside[0]) {
        fputs(" <span class=\"aside\">", stream);
        html_text(aside, stream);
        fputs("</span>", stream);
    }
    fputs("</li>\n", stream);
}

static void put_contents(const struct report_page *page, FILE *stream)
{
    fputs("<nav aria-label=\"Contents\"><h2>Contents</h2>\n<ul>\n", stream);
    if (page->claims && page->claims->count)
        put_link("claims", "Claims", "", stream);
    for (size_t i = 0; i < page->table_count; ++i) {
        const struct report_table *table = page->tables[i];
        char aside[60] = "";
        if (!table->panel_count || table->unmeasured)
            snprintf(aside, sizeof aside, "not measured");
        else if (!table->definition->sql)
            snprintf(aside, sizeof aside, "not implemented");
        else if (table->panel_count > 1)
            snprintf(aside, sizeof aside, "%zu configurations", table->panel_count);
        put_link(table->definition->id, table->definition->title, aside, stream);
    }
    if (page->picture_count || page->no_gnuplot)
        put_link("figures", "Figures", "", stream);
    if (page->paper->published->misprint_count)
        put_link("misprints", "Misprints", "", stream);
    put_link("method", "How this was made", "", stream);
    fputs("</ul>\n</nav>\n", stream);
}

// ---- tables

static void put_files(const char *folder, const char *name, const char *const *suffixes, FILE *stream)
{
    fputs("<p class=\"files\">", stream);
    for (size_t i = 0; suffixes[i]; ++i) {
        fputs(i ? " <a href=\"" : "<a href=\"", stream);
        fprintf(stream, "%s/", folder);
        html_name(name, stream);
        fprintf(stream, ".%s\">%s</a>", suffixes[i], suffixes[i]);
    }
    fputs("</p>\n", stream);
}

static void put_table(const struct report_table *table, FILE *stream)
{
    const char *suffixes[8] = {NULL};
    for (size_t i = 0; report_formats[i].name && i < 7; ++i)
        suffixes[i] = report_formats[i].suffix;
    fputs("<section class=\"table\" id=\"", stream);
    html_name(table->definition->id, stream);
    fputs("\">\n<h2>", stream);
    html_text(table->definition->title, stream);
    fputs("</h2>\n", stream);
    if (table->panel_count) {
        put_files("tables", table->definition->id, suffixes, stream);
        struct document document = {.count = 0};
        report_document(table, &document);
        doc_write_html(&document, stream);
        document_finish(&document);
    }
    if (!table->panel_count || table->unmeasured) {
        char remedy[900];
        report_remedy(table, remedy, sizeof remedy);
        fputs("<p class=\"absent\">Not measured: this database has nothing for it. To make it: <code>", stream);
        html_text(remedy, stream);
        fputs("</code></p>\n", stream);
    }
    fputs("</section>\n", stream);
}

// ---- figures

// Pictures of scenes stand on their figure's sheet, where that was drawn.
static bool on_a_sheet(const struct report_page *page, const struct page_picture *picture)
{
    for (size_t i = 0; !picture->table && i < page->picture_count; ++i) {
        const struct page_picture *sheet = &page->pictures[i];
        if (sheet != picture && sheet->figure == picture->figure && page_picture_suffix(sheet, "svg")[0] &&
            !strcmp(strrchr(sheet->stem, '/') + 1, sheet->figure->id))
            return true;
    }
    return false;
}

static void put_picture(const struct page_picture *picture, FILE *stream)
{
    const char *const shown[] = {"svg", "png", NULL};
    const char *suffix = "";
    for (size_t i = 0; shown[i] && !suffix[0]; ++i)
        suffix = page_picture_suffix(picture, shown[i]);
    if (!suffix[0])
        return;
    fputs("<figure id=\"picture-", stream);
    html_name(strrchr(picture->stem, '/') + 1, stream);
    fprintf(stream, "\">\n<a href=\"%s.%s\"><img loading=\"lazy\" src=\"%s.%s\"", picture->stem, suffix, picture->stem,
            suffix);
    html_attribute("alt", picture->heading, stream);
    fputs("></a>\n<figcaption>", stream);
    html_text(picture->heading, stream);
    fputs(" <span class=\"files\">", stream);
    for (size_t i = 0; i < picture->suffix_count; ++i)
        fprintf(stream, "<a href=\"%s.%s\">%s</a> ", picture->stem, picture->suffixes[i], picture->suffixes[i]);
    if (picture->table)
        fprintf(stream, "<a href=\"figures/%s.gp\">gnuplot</a> <a href=\"tables/%s.csv\">data</a>", picture->figure->id,
                picture->table->definition->id);
    fputs("</span></figcaption>\n</figure>\n", stream);
}

static void put_figures(const struct report_page *page, FILE *stream)
{
    if (!page->picture_count && !page->no_gnuplot)
        return;
    fputs("<section id=\"figures\">\n<h2>Figures</h2>\n", stream);
    if (page->no_gnuplot)
        fputs("<p class=\"absent\">Not drawn: gnuplot is not installed. The tables beside hold the data. To draw them: "
              "<code>sudo apt-get install gnuplot-nox</code>, and make this report again.</p>\n",
              stream);
    fputs("<div class=\"figures\">\n", stream);
    for (size_t i = 0; i < page->picture_count; ++i)
        if (!on_a_sheet(page, &page->pictures[i]))
            put_picture(&page->pictures[i], stream);
    fputs("</div>\n</section>\n", stream);
}

// ---- the end

static void put_cell(const char *text, FILE *stream)
{
    fputs("<td>", stream);
    html_text(text, stream);
    fputs("</td>", stream);
}

static void put_misprints(const struct published *published, FILE *stream)
{
    if (!published->misprint_count)
        return;
    fputs("<section id=\"misprints\">\n<h2>Misprints</h2>\n"
          "<p>Ratios use the corrected values. In the tables a correction stands in square brackets behind what is "
          "printed.</p>\n"
          "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Misprints\"><table class=\"text\">\n"
          "<caption>What the document misprints, and why that is known</caption>\n<thead><tr>"
          "<th scope=\"col\">id</th><th scope=\"col\">where</th><th scope=\"col\">printed</th>"
          "<th scope=\"col\">corrected</th><th scope=\"col\">certainty</th><th scope=\"col\">reason</th></tr></thead>\n"
          "<tbody>\n",
          stream);
    for (size_t i = 0; i < published->misprint_count; ++i) {
        const struct published_misprint *misprint = &published->misprints[i];
        fputs("<tr><th scope=\"row\">", stream);
        html_text(misprint->id, stream);
        fputs("</th>", stream);
        put_cell(misprint->where, stream);
        put_cell(misprint->printed, stream);
        put_cell(misprint->corrected, stream);
        put_cell(misprint->certainty, stream);
        put_cell(misprint->reason, stream);
        fputs("</tr>\n", stream);
    }
    fputs("</tbody></table></div>\n</section>\n", stream);
}

static void put_conflicts(const struct report_page *page, const char *paper, FILE *stream)
{
    const struct claims_page claims = {.survey = page->survey, .paper = paper, .database = page->request->database};
    html_conflicts(&claims, stream);
}

static void put_method(const struct report_page *page, FILE *stream)
{
    fputs(
        "<section id=\"method\">\n<h2>How this was made</h2>\n<ul class=\"notes\">\n"
        "<li>A cell holds four lines: <b>here</b>, what was measured; <b>95 %</b>, its interval from the medians of "
        "the replicates; <b>paper</b>, as printed; <b>ratio</b>, here / paper, of dimensionless columns only. A "
        "<b>=</b> before a ratio: the measured value lies within the rounding of the published one.</li>\n"
        "<li>Letters behind a value are footnotes below its table: what weakens it, or why there is none.</li>\n"
        "<li>Scenes are stand-ins of the paper's; each table names the scene and its camera.</li>\n"
        "<li>Every table is a query over the database; <code>tables/</code> has each as text, Markdown, LaTeX and CSV, "
        "<code>figures/</code> has each figure with the script that drew it, <code>report.tex</code> is all of it for "
        "pdflatex, <code>trials.js</code> the raw data of the trials that cells name.</li>\n"
        "<li>All of one trial: <code>warpstudy show TRIAL</code>; any question: <code>warpstudy query "
        "SQL</code>.</li>\n",
        stream);
    for (const char *line = page->remarks; line && *line;) {
        const size_t length = strcspn(line, "\n");
        char text[1200];
        snprintf(text, sizeof text, "%.*s", (int)length, line);
        fputs("<li>", stream);
        html_sentence(text, stream);
        fputs("</li>\n", stream);
        line += length + (line[length] == '\n');
    }
    fputs("</ul>\n</section>\n", stream);
}

void page_write_html(const struct report_page *page, const struct page_facts *facts, FILE *stream)
{
    char title[300];
    snprintf(title, sizeof title, "%s: measured beside published", page->paper->id);
    put_head(title, page->request->database, stream);
    fputs("<main>\n", stream);
    put_front(page, facts, stream);
    html_claims_summary(page->claims, stream);
    put_contents(page, stream);
    html_claims(page->claims, stream);
    for (size_t i = 0; i < page->table_count; ++i)
        put_table(page->tables[i], stream);
    put_figures(page, stream);
    put_conflicts(page, page->paper->id, stream);
    put_misprints(page->paper->published, stream);
    put_method(page, stream);
    fputs(
        "</main>\n<aside id=\"trace\" role=\"dialog\" aria-labelledby=\"trace-title\" tabindex=\"-1\" hidden></aside>\n"
        "<script>\n",
        stream);
    fputs(page_js, stream);
    fputs("</script>\n</body>\n</html>\n", stream);
}

// ---- several papers

void page_write_index(const struct report_page *pages, size_t count, FILE *stream)
{
    put_head("warpstudy: measured beside published", "", stream);
    fputs("<main>\n<header><h1>Measured beside published</h1>\n<p>Each document has a page of its own.</p></header>\n"
          "<ul class=\"papers\">\n",
          stream);
    for (size_t i = 0; i < count; ++i) {
        const struct report_page *page = &pages[i];
        const struct published *published = page->paper->published;
        size_t measured = 0;
        for (size_t j = 0; j < page->table_count; ++j)
            measured += making_measured(page->tables[j]);
        fputs("<li><a href=\"", stream);
        html_name(page->paper->id, stream);
        fputs("/index.html\">", stream);
        html_text(published->title[0] ? published->title : page->paper->id, stream);
        fputs("</a>\n<p>", stream);
        html_text(published->authors, stream);
        fputs(published->authors[0] && published->venue[0] ? ", " : "", stream);
        html_text(published->venue, stream);
        fprintf(stream, "</p>\n<p class=\"aside\">%zu of %zu tables measured</p>\n", measured, page->table_count);
        html_claims_summary(page->claims, stream);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n", stream);
    if (count)
        put_conflicts(pages, NULL, stream);
    fputs("</main>\n</body>\n</html>\n", stream);
}
