// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <string.h>

#include "report/write/escape.h"
#include "base/shell.h"
#include "report/tables/table_document.h"

enum { TRIALS_SHOWN = 60 }; // bytes of a list of trials

void report_remedy(const struct report_table *table, char *text, size_t size)
{
    char database[600];
    shell_word(table->database, database, sizeof database);
    snprintf(text, size, "warpstudy run %s --db %s", table->definition->experiment, database);
}

// ---- columns that share something

static const char *text_at(const struct paper_column *column, size_t offset)
{
    return *(const char *const *)((const char *)column + offset);
}

// Of trials, those of all cells: in long form one SQL column has others in each series. `panel` is NULL for other texts.
static bool table_notes_alike(const struct paper_table *definition, const struct report_panel *panel, size_t a,
                              size_t b, size_t offset)
{
    const struct paper_column *x = &definition->columns[a], *y = &definition->columns[b];
    bool same = !x->csv_only && !y->csv_only && !strcmp(text_at(x, offset), text_at(y, offset));
    for (size_t i = 0; same && panel && i < panel->row_count; ++i)
        same = !strcmp(panel->rows[i].cells[a].trials, panel->rows[i].cells[b].trials);
    return same;
}

// Titles of the columns whose text at `offset` of their struct is that of `first`: "a, b, c". NULL where that is empty,
// or an earlier column has it, whose list this one is in.
static const char *titles_alike(struct document *document, const struct paper_table *definition,
                                const struct report_panel *panel, size_t first, size_t offset)
{
    const char *titles = NULL;
    if (definition->columns[first].csv_only || !text_at(&definition->columns[first], offset)[0])
        return NULL;
    for (size_t i = 0; i < first; ++i)
        if (table_notes_alike(definition, panel, i, first, offset))
            return NULL;
    for (size_t i = first; i < definition->column_count; ++i) {
        const char *title = definition->columns[i].title;
        bool named = !table_notes_alike(definition, panel, i, first, offset);
        for (size_t j = first; j < i && !named; ++j)
            named =
                table_notes_alike(definition, panel, j, first, offset) && !strcmp(definition->columns[j].title, title);
        titles = named ? titles : doc_join(document, titles, ", ", title);
    }
    return titles;
}

// ---- how to read a panel

static void add_findings(struct document *document, const struct report_panel *panel)
{
    const char *finding = report_fact(panel, "finding"), *problem = report_fact(panel, "problem");
    if (finding[0] || problem[0])
        doc_add(document, DOC_LIST, DOC_FINDINGS, NULL);
    if (finding[0])
        doc_item(document, NULL, doc_text(document, "In short: %s.", finding));
    if (problem[0])
        doc_item(document, NULL, doc_text(document, "Not to be trusted: %s", problem));
}

// What the letters at the cells stand for.
static void add_footnotes(struct document *document, const struct report_table *table, const struct report_panel *panel)
{
    if (panel->flag_count)
        doc_add(document, DOC_LIST, DOC_FOOTNOTES, NULL);
    for (size_t i = 0; i < panel->flag_count; ++i)
        doc_item(document, doc_text(document, "%c", (char)('a' + i)), report_flag_text(table, panel->flags[i]));
    if (panel->flags_lost)
        doc_item(document, "+", "more footnotes than letters; the CSV has them all.");
}

// Whether the footnotes tell why a column is empty. That nobody asked for it is what can be changed.
static bool explained(const struct report_panel *panel, size_t column)
{
    for (size_t i = 0; i < panel->row_count; ++i)
        if (panel->rows[i].cells[column].flags[0] && !strstr(panel->rows[i].cells[column].flags, "not_asked"))
            return true;
    return false;
}

static void add_missing(struct document *document, const struct report_table *table, const struct report_panel *panel)
{
    const struct paper_table *definition = table->definition;
    bool any = false;
    for (size_t i = 0; i < definition->column_count; ++i) {
        const char *titles = titles_alike(document, definition, NULL, i, offsetof(struct paper_column, needs));
        if (!titles || report_measured(panel, i) || explained(panel, i))
            continue;
        doc_item(document, NULL,
                 doc_text(document, "Not measured: %s; there are no completed %s for this configuration.", titles,
                          definition->columns[i].needs));
        any = true;
    }
    char remedy[900];
    report_remedy(table, remedy, sizeof remedy);
    if (any)
        doc_item(document, NULL, doc_text(document, "To measure what is missing: %s", remedy));
}

static bool any_column(const struct paper_table *definition, size_t offset)
{
    for (size_t i = 0; i < definition->column_count; ++i)
        if (!definition->columns[i].csv_only && text_at(&definition->columns[i], offset)[0])
            return true;
    return false;
}

static bool compared(const struct paper_table *definition)
{
    for (size_t i = 0; i < definition->column_count; ++i)
        if (!definition->columns[i].csv_only && definition->columns[i].compare != COMPARE_NEVER)
            return true;
    return false;
}

// Why there are no ratios.
static const char *no_ratios(struct document *document, const struct report_table *table,
                             const struct report_panel *panel)
{
    const char *scene = table->published ? table->published->scene : "", *stands_for = panel->scene.stands_for;
    if (!panel->scene.known)
        return "No ratios: the scene's file is not available, so it is unknown which scene it stands in for.";
    if (!stands_for[0])
        return "No ratios: the scene is not a stand-in.";
    return doc_text(document, "No ratios: the scene stands in for %s, but the published table is for %s.", stands_for,
                    scene);
}

// What holds for every panel of the table.
static void add_reading(struct document *document, const struct report_table *table)
{
    const struct paper_table *definition = table->definition;
    bool ratios = false, scenes = false;
    for (size_t i = 0; i < table->panel_count; ++i) {
        const struct report_panel *panel = &table->panels[i];
        ratios = ratios || (compared(definition) && report_stands_in(table, panel));
        scenes = scenes || report_fact(panel, "scene")[0] || report_fact(panel, "width")[0];
    }
    if (any_column(definition, offsetof(struct paper_column, low)))
        doc_item(document, NULL, "95 %: interval from the medians of the replicates.");
    if (any_column(definition, offsetof(struct paper_column, cumulative)))
        doc_item(document, NULL, "In brackets: running values over all bounces so far.");
    if (ratios)
        doc_item(
            document, NULL,
            doc_text(document,
                     "ratio: here / paper, only for dimensionless columns%s. =: the measured value lies within the "
                     "rounding of the published one.",
                     scenes ? ", because the scene is a stand-in" : ""));
    for (size_t i = 0; i < definition->column_count; ++i) {
        const char *titles = titles_alike(document, definition, NULL, i, offsetof(struct paper_column, derived));
        if (titles)
            doc_item(document, NULL,
                     doc_text(document, "*: not printed in the paper (%s); derived from its %s.", titles,
                              definition->columns[i].derived));
    }
}

// ---- what the paper says

static bool cites(const struct paper_table *definition, const char *id)
{
    for (size_t i = 0; i < definition->cited_count; ++i)
        if (!strcmp(definition->cited[i], id))
            return true;
    return false;
}

// Misprints of the table's own cells, and those that it names.
static void add_misprints(struct document *document, const struct report_table *table)
{
    const struct published *published = table->paper->published;
    const struct published_table *cells = table->published;
    for (size_t i = 0; i < published->misprint_count; ++i) {
        const struct published_misprint *misprint = &published->misprints[i];
        bool used = cites(table->definition, misprint->id);
        for (size_t j = 0; cells && j < cells->row_count * cells->column_count; ++j)
            used = used || (cells->cells[j].misprint && !strcmp(cells->cells[j].misprint, misprint->id));
        if (used)
            doc_item(document, NULL,
                     doc_text(document, "%s: %s: printed %s, [corrected] %s; %s: %s.", misprint->id, misprint->where,
                              misprint->printed, misprint->corrected, misprint->certainty, misprint->reason));
    }
}

// What it says of this outside its tables; what it leaves open, and how that is read here.
static void add_cited(struct document *document, const struct report_table *table)
{
    const struct published *published = table->paper->published;
    const struct paper_table *definition = table->definition;
    for (size_t i = 0; i < definition->cited_count; ++i) {
        const struct published_quote *quote = published_quote(published, definition->cited[i]);
        if (quote)
            doc_item(document, NULL,
                     doc_text(document, "paper, %s (%s): %s%s%s: %s%s%s.", quote->where, quote->id, quote->value,
                              quote->unit[0] ? " " : "", quote->unit, quote->of, quote->check[0] ? "; " : "",
                              quote->check));
    }
    add_misprints(document, table);
    for (size_t i = 0; i < definition->cited_count; ++i) {
        const struct published_choice *choice = published_choice(published, definition->cited[i]);
        if (choice)
            doc_item(document, NULL,
                     doc_text(document, "%s: left open: %s; here: %s.", choice->id, choice->issue, choice->resolution));
    }
}

// ---- trials

// A long list of ids is cut: the command below it and the CSV have them all.
static const char *shortened(struct document *document, const char *list)
{
    size_t cut = TRIALS_SHOWN;
    if (strlen(list) <= TRIALS_SHOWN)
        return list;
    while (cut && list[cut] != ',')
        --cut;
    return doc_text(document, "%.*s, ... (the CSV has all)", (int)cut, list);
}

// "12, 15", or, where the rows have others each, "open: 12, 15; forest: 13, 16".
static const char *trials_of(struct document *document, const struct report_panel *panel, size_t column)
{
    const char *first = panel->rows[0].cells[column].trials, *list = NULL;
    bool same = true;
    for (size_t i = 1; i < panel->row_count; ++i)
        same = same && !strcmp(panel->rows[i].cells[column].trials, first);
    if (same)
        return first[0] ? doc_text(document, ": %s", shortened(document, first)) : NULL;
    for (size_t i = 0; i < panel->row_count; ++i) {
        const struct report_row *row = &panel->rows[i];
        if (row->cells[column].trials[0])
            list = doc_join(document, list, "; ",
                            doc_text(document, "%s: %s", row->key, shortened(document, row->cells[column].trials)));
    }
    return doc_text(document, ", by row: %s", list);
}

static void add_sources(struct document *document, const struct report_table *table, const struct report_panel *panel)
{
    const struct paper_table *definition = table->definition;
    const char *all = report_fact(panel, "trials"), *view = definition->view;
    char database[600];
    doc_add(document, DOC_LIST, DOC_SOURCES, NULL);
    for (size_t i = 0; panel->row_count && i < definition->column_count; ++i) {
        const char *titles = titles_alike(document, definition, panel, i, offsetof(struct paper_column, trials));
        const char *trials = titles ? trials_of(document, panel, i) : NULL;
        if (trials)
            doc_item(document, NULL, doc_text(document, "Trials of %s%s.", titles, trials));
    }
    shell_word(table->database, database, sizeof database);
    if (all[0] && view[0] && strlen(all) < 400)
        doc_item(document, NULL,
                 doc_text(document, "Raw rows: warpstudy query --db %s \"SELECT * FROM %s WHERE trial IN (%s)\"",
                          database, view, all));
}

void report_notes(struct document *document, const struct report_table *table, const struct report_panel *panel)
{
    add_findings(document, panel);
    add_footnotes(document, table, panel);
    doc_add(document, DOC_LIST, DOC_NOTES, NULL);
    add_missing(document, table, panel);
    if (compared(table->definition) && !report_stands_in(table, panel))
        doc_item(document, NULL, no_ratios(document, table, panel));
    if (table->panel_count == 1)
        report_reading(document, table);
    add_sources(document, table, panel);
}

void report_reading(struct document *document, const struct report_table *table)
{
    for (size_t i = 0; i < table->definition->remark_count; ++i)
        doc_item(document, NULL, table->definition->remarks[i]);
    add_reading(document, table);
    add_cited(document, table);
}
