// SPDX-License-Identifier: MIT
// What a report prints, before any format: blocks in their order. Tables, claims and pages make documents; a writer for
// each format (write_text.c, write_markdown.c, write_latex.c, write_html.c) prints any of them. Texts hold no markup and
// live as long as their document; NULL and "" are the same.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"

// The lines of a cell. All cells of a row have the same ones, so that these stand beside each other.
enum doc_line { DOC_HERE, DOC_INTERVAL, DOC_PAPER, DOC_RATIO, DOC_LINES };
extern const char *const doc_line_names[DOC_LINES]; // "here", "95 %", ...

// A value, what corrects it ("18,651 W-M2"), and the running value of both.
struct doc_value {
    const char *value, *fix, *running, *running_fix;
};

struct doc_cell {
    struct doc_value lines[DOC_LINES]; // of a cell of words: the first alone
    const char *marks;                 // letters of its footnotes: "ab"
    const char *trials;                // behind it, "12, 15": a page traces it to their raw data
    const char *role; // how a page shows its words up to a comma, others being small below it: a class of page.css
    double exact, low, high, ratio; // for sorting and traces; NaN where there is none
};

struct doc_column {
    const char *title, *unit;
    bool words;        // its cells are texts, broken over lines
    bool bare;         // of words: where a row is a record (text), they stand without the title
    bool detail;       // of words: left out where there is little room (LaTeX) or they can be unfolded (HTML)
    bool narrow;       // of words: these are few
    bool running;      // has running values
    bool paper, ratio; // has lines of these kinds
};

struct doc_row {
    const char *key;
    bool unmeasured;            // only the paper has values: there is no line DOC_HERE
    const char *id, *role;      // anchor; class of page.css, by which a page filters rows
    struct doc_cell *cells;     // one for each column
    struct document *detail;    // what a page unfolds in its last bare column; NULL where there is nothing
    const char *detail_summary; // and the words that unfold it
};

struct doc_table {
    const char *caption; // for those who do not see what stands around it
    const char *key;     // heading of the rows' keys
    struct doc_column *columns;
    struct doc_row *rows;
    size_t column_count, row_count;
    bool lined; // the lines of cells are named
};

struct doc_item {
    const char *label, *text;    // "a" of a footnote, "Devices" of a fact, id of a picture; NULL where it has none
    size_t weight;               // of a bar
    const char *shown, *printed; // paths of a picture: on a page, in print
    const char *files;           // and of all that belongs to it, blanks between them
};

enum doc_kind {
    DOC_HEADING,  // `level` 1 to 3; one of 2 with an `id` begins a section; `alone`: what contents say beside it
    DOC_CONTENTS, // of these sections
    DOC_TEXT,     // a paragraph
    DOC_LINKS,    // paths of files, blanks between them
    DOC_LIST,
    DOC_TABLE,
    DOC_FOLD,   // begins what a page can fold away, until DOC_UNFOLD; `open`: it is not folded at first
    DOC_UNFOLD, // `text`: title among its neighbours; `alone`: title where it stands by itself
    DOC_BAR,    // items by their weights, each with its role as label
    DOC_PICTURES,
};

// What a list or a text is, from which a format chooses how it looks.
enum doc_role {
    DOC_PLAIN,
    DOC_SETTING,
    DOC_FINDINGS,
    DOC_FOOTNOTES,
    DOC_NOTES,
    DOC_SOURCES,
    DOC_FACTS,
    DOC_ASIDE,
    DOC_RESULTS, // of a heading: a table's
    DOC_ROLES
};

struct doc_block {
    enum doc_kind kind;
    enum doc_role role;
    const char *text, *alone, *id;
    int level;
    bool open;
    struct doc_item *items;
    size_t item_count;
    struct doc_table *table;
};

struct document {
    struct doc_block *blocks;
    size_t count;
    struct arena own, *shared; // memory of all texts and rows: its own, or that of the document that it is a part of
};

void document_finish(struct document *document); // harmless on a zeroed one

// A text that lives as long as the document.
#define doc_text(document, ...) arena_format(doc_memory(document), __VA_ARGS__)
struct arena *doc_memory(struct document *document);
#define doc_join(document, list, separator, more) arena_join(doc_memory(document), list, separator, more)

// The new last block; valid until the next is added.
struct doc_block *doc_add(struct document *document, enum doc_kind kind, enum doc_role role, const char *text);
struct doc_block *doc_heading(struct document *document, int level, const char *id, const char *text);
// A new item of the last block, which is a list or a bar.
struct doc_item *doc_item(struct document *document, const char *label, const char *text);
// A table with so many empty columns, and a row of it without values.
struct doc_table *doc_table(struct document *document, const char *key, size_t columns);
struct doc_row *doc_row(struct document *document, struct doc_table *table, const char *key);
// The same of texts: a column of words for each title, and a row with as many texts.
struct doc_table *doc_words_table(struct document *document, const char *key, const char *caption, size_t columns,
                                  const char *const *titles);
void doc_words_row(struct document *document, struct doc_table *table, const char *key, const char *const *texts);
// Sets a cell of words.
void doc_words(struct doc_row *row, size_t column, const char *text);

bool doc_has(const char *text);                    // not NULL, and not empty
bool doc_has_words(const struct doc_table *table); // in any column
// Whether a row has anything in that line.
bool doc_row_has(const struct doc_table *table, const struct doc_row *row, enum doc_line line);
// Whether it is the row's first line, in which its key stands.
bool doc_row_begins(const struct doc_row *row, enum doc_line line);

// How a format writes a value: "983k [985k W-M1] (1,966k)".
struct doc_markup {
    void (*text)(const char *text, FILE *stream);
    const char *fix, *fix_end, *running, *running_end; // what stands around a correction, and around a running value
};
// `shown`: in place of the value's first text.
void doc_put_value(const struct doc_value *value, const char *shown, const struct doc_markup *markup, FILE *stream);
// What a page shows of a cell's first line: a dash where a footnote tells why there is nothing.
const char *doc_shown(const struct doc_cell *cell);

// Writers of all formats but CSV, which holds exact values of its own.
void doc_write_text(const struct document *document, FILE *stream);
void doc_write_markdown(const struct document *document, FILE *stream);
void doc_write_latex(const struct document *document, FILE *stream);
void doc_write_html(const struct document *document, FILE *stream);
