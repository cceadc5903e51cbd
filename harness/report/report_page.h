// SPDX-License-Identifier: MIT
// Everything of one paper that its folder shows: what the HTML page, report.tex and the lists of files are written
// from.
#pragma once

#include "report/claims/claims_page.h"
#include "report/report_making.h"
#include "report/staging.h"

// One picture, in as many kinds of file as there are.
struct page_picture {
    const struct paper_figure *figure;
    const struct report_table *table; // that it draws; NULL for pictures of scenes
    size_t panel;                     // of the table
    const char *stem;                 // path without suffix, relative to the page: "figures/active_paths"
    const char *heading, *suffixes;   // "svg pdf png"
};

struct report_page {
    const struct paper *paper;
    const struct report_request *request;
    struct store *store;          // NULL where no table needs one
    struct report_table **tables; // one per definition of the paper; without panels where nothing was measured
    size_t table_count;
    struct page_picture *pictures;
    size_t picture_count;
    const struct claims_survey *survey; // the claims of all papers
    const struct claim_results *claims; // of this one; NULL where there are none
    const char *remarks;                // what was left out and why, a line each; NULL where nothing was
    struct arena memory;                // of pictures and remarks
    bool no_gnuplot;
    char prefix[72]; // of its files in the folder: "wald2011/"; "" where the folder is of one paper
};

// Whether it was made with that suffix.
bool page_picture_has(const struct page_picture *picture, const char *suffix);

// Into the last list of the document: what was measured where and when, in items of a title and a text.
bool page_facts(const struct report_page *page, struct document *document, struct error *error);
// A line: on what, here and there.
bool page_hardware(const struct report_page *page, struct document *document, struct error *error);

// The whole page, and its appendix.
bool page_document(const struct report_page *page, struct document *document, struct error *error);
bool page_appendix(const struct report_page *page, struct document *document, struct error *error);
// What all documents show together (`page`: the synthesis, NULL: none), and how their claims were judged; then the same with
// each document's sentences, and a link to its page.
void page_findings(const struct report_page *page, const struct claims_survey *survey, struct document *document);
void page_index(const struct report_page *pages, size_t count, struct document *document);

// Parts of these: title, authors and venue; the opening sentences and a bar of the verdicts; a table; the figures of a table,
// or, `key`, those that stand below the sentences. `prefix`: of files, as the document's own file names them.
const char *page_title(const struct report_page *page);
const char *page_origin(const struct report_page *page, struct document *document);
void page_found(const struct report_page *page, struct document *document);
void page_table(const struct report_table *table, const char *prefix, struct document *document);
void page_pictures(const struct report_page *page, const struct report_table *table, bool key, const char *prefix,
                   struct document *document);

// As a file of its own; `head`: further lines of its head, "" for none. Links are relative; HTML needs trials.js beside
// it, for traces only.
void page_write_html(const struct document *document, const char *database, const char *head, FILE *stream);
void page_write_latex(const struct document *document, FILE *stream);
// Raw data of every trial that the page names, as a script: what a trace shows.
bool page_write_trials(const struct report_page *page, FILE *stream, struct error *error);
