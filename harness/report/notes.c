// SPDX-License-Identifier: MIT
#include "report/notes.h"

#include <stdlib.h>
#include <string.h>

#include "report/number_text.h"

enum { TRIALS_SHOWN = 60 }; // bytes of a list of trials

void report_remedy(const struct report_table *table, char *text, size_t size)
{
    char database[600];
    report_shell_word(table->database ? table->database : "", database, sizeof database);
    snprintf(text, size, "warpstudy run %s --db %s", table->definition->experiment, database);
}

// Whether a column of the same list has the same title.
static bool titled_before(const struct paper_table *definition, size_t first, size_t index,
                          const char *(*key)(const struct paper_column *))
{
    const struct paper_column *columns = definition->columns;
    for (size_t i = first; i < index; ++i)
        if (!strcmp(columns[i].title, columns[index].title) && !strcmp(key(&columns[i]), key(&columns[index])))
            return true;
    return false;
}

// Titles of the columns that share what `same` compares, "a, b, c".
static void list_titles(const struct paper_table *definition, size_t first,
                        const char *(*key)(const struct paper_column *), char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = first; i < definition->column_count && used < size; ++i)
        if (!definition->columns[i].csv_only &&
            !strcmp(key(&definition->columns[i]), key(&definition->columns[first])) &&
            !titled_before(definition, first, i, key))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", definition->columns[i].title);
}

static const char *key_needs(const struct paper_column *column)
{
    return column->needs;
}

static const char *key_trials(const struct paper_column *column)
{
    return column->trials;
}

// Whether an earlier column has the same key, so that this one is in its list already.
static bool listed(const struct paper_table *definition, size_t index, const char *(*key)(const struct paper_column *))
{
    for (size_t i = 0; i < index; ++i)
        if (!definition->columns[i].csv_only && !strcmp(key(&definition->columns[i]), key(&definition->columns[index])))
            return true;
    return definition->columns[index].csv_only || !key(&definition->columns[index])[0];
}

// Whether the footnotes tell why a column is empty. That nobody asked for it is what can be changed.
static bool explained(const struct report_panel *panel, size_t column)
{
    for (size_t i = 0; i < panel->row_count; ++i)
        if (panel->rows[i].cells[column].flags[0] && !strstr(panel->rows[i].cells[column].flags, "not_asked"))
            return true;
    return false;
}

static void add_missing(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    const struct paper_table *definition = table->definition;
    bool any = false;
    for (size_t i = 0; i < definition->column_count; ++i) {
        const struct paper_column *column = &definition->columns[i];
        char titles[400];
        if (listed(definition, i, key_needs) || report_measured(panel, i) || explained(panel, i))
            continue;
        list_titles(definition, i, key_needs, titles, sizeof titles);
        report_line(lines, "Not measured: %s; no finished %s at this configuration.", titles, column->needs);
        any = true;
    }
    char remedy[900];
    report_remedy(table, remedy, sizeof remedy);
    if (any)
        report_line(lines, "To make what is missing: %s", remedy);
}

// The footnotes that the letters at the cells stand for.
void report_footnotes(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    for (size_t i = 0; i < panel->flag_count; ++i)
        report_line(lines, "^%c: %s", (char)('a' + i), report_flag_text(table, panel->flags[i]));
    if (panel->flags_lost)
        report_line(lines, "^+: more footnotes than letters; the CSV has them all.");
}

void report_flag_letters(const struct report_panel *panel, const struct report_cell *cell, char *text, size_t size)
{
    char flag[REPORT_FLAG_TEXT];
    const char *flags = cell->flags;
    size_t used = 0;
    while (used + 1 < size && report_next_flag(&flags, flag, sizeof flag)) {
        const size_t index = report_flag_index(panel, flag);
        const char letter = index < panel->flag_count ? (char)('a' + index) : '+';
        if (!memchr(text, letter, used))
            text[used++] = letter;
    }
    text[used] = '\0';
}

static bool cites(const struct paper_table *definition, const char *id)
{
    for (size_t i = 0; i < definition->cited_count; ++i)
        if (!strcmp(definition->cited[i], id))
            return true;
    return false;
}

// Misprints of the table's own cells, and those that it names.
static void add_misprints(const struct report_table *table, struct report_lines *lines)
{
    const struct published *published = table->paper->published;
    const struct published_table *cells = table->published;
    for (size_t i = 0; i < published->misprint_count; ++i) {
        const struct published_misprint *misprint = &published->misprints[i];
        bool used = cites(table->definition, misprint->id);
        for (size_t j = 0; cells && j < cells->row_count * cells->column_count; ++j)
            used = used || (cells->cells[j].misprint && !strcmp(cells->cells[j].misprint, misprint->id));
        if (used)
            report_line(lines, "%s: %s: printed %s, [corrected] %s; %s: %s.", misprint->id, misprint->where,
                        misprint->printed, misprint->corrected, misprint->certainty, misprint->reason);
    }
}

// What the paper says of this outside its tables.
static void add_quotes(const struct report_table *table, struct report_lines *lines)
{
    for (size_t i = 0; i < table->definition->cited_count; ++i) {
        const struct published_quote *quote = published_quote(table->paper->published, table->definition->cited[i]);
        if (quote)
            report_line(lines, "paper, %s (%s): %s%s%s: %s%s%s.", quote->where, quote->id, quote->value,
                        quote->unit[0] ? " " : "", quote->unit, quote->of, quote->check[0] ? "; " : "", quote->check);
    }
}

// What it leaves open of this, and how that is read here.
static void add_choices(const struct report_table *table, struct report_lines *lines)
{
    for (size_t i = 0; i < table->definition->cited_count; ++i) {
        const struct published_choice *choice = published_choice(table->paper->published, table->definition->cited[i]);
        if (choice)
            report_line(lines, "%s: left open: %s; here: %s.", choice->id, choice->issue, choice->resolution);
    }
}

static void add_remarks(const struct report_table *table, struct report_lines *lines)
{
    for (size_t i = 0; i < table->definition->remark_count; ++i)
        report_line(lines, "%s", table->definition->remarks[i]);
}

// A long list of ids is cut: the command below it and the CSV have them all.
static void shorten(const char *list, char *text, size_t size)
{
    snprintf(text, size, "%s", list);
    if (strlen(text) <= TRIALS_SHOWN)
        return;
    char *cut = text + TRIALS_SHOWN;
    while (cut > text && *cut != ',')
        --cut;
    snprintf(cut, size - (size_t)(cut - text), ", ... (all in the CSV)");
}

// Whether every row of a column has the same trials.
static bool same_trials(const struct report_panel *panel, size_t column)
{
    for (size_t i = 1; i < panel->row_count; ++i)
        if (strcmp(panel->rows[i].cells[column].trials, panel->rows[0].cells[column].trials) != 0)
            return false;
    return true;
}

// "open 12, 15; forest 13, 16"
static void list_trials(const struct report_panel *panel, size_t column, FILE *stream)
{
    bool more = false;
    for (size_t i = 0; i < panel->row_count; ++i) {
        const struct report_row *row = &panel->rows[i];
        char trials[2 * TRIALS_SHOWN];
        if (!row->cells[column].trials[0])
            continue;
        shorten(row->cells[column].trials, trials, sizeof trials);
        fprintf(stream, "%s%s: %s", more ? "; " : "", row->key, trials);
        more = true;
    }
}

static void add_trials(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    const struct paper_table *definition = table->definition;
    for (size_t i = 0; panel->row_count && i < definition->column_count; ++i) {
        char titles[400], trials[2 * TRIALS_SHOWN];
        const char *first = panel->rows[0].cells[i].trials;
        const bool same = same_trials(panel, i);
        if (listed(definition, i, key_trials) || (same && !first[0]))
            continue;
        list_titles(definition, i, key_trials, titles, sizeof titles);
        shorten(first, trials, sizeof trials);
        FILE *stream = report_line_begin(lines);
        if (!stream)
            return;
        fprintf(stream, "Trials of %s%s", titles, same ? ": " : ", by row: ");
        if (same)
            fputs(trials, stream);
        else
            list_trials(panel, i, stream);
        fputc('.', stream);
        report_line_end(stream);
    }
}

// The command that shows the rows behind the panel.
static void add_raw(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    char database[600];
    report_shell_word(table->database ? table->database : "", database, sizeof database);
    const char *all = report_fact(panel, "trials"), *view = table->definition->view;
    if (all[0] && view[0] && strlen(all) < 400)
        report_line(lines, "Raw rows: warpstudy query --db %s \"SELECT * FROM %s WHERE trial IN (%s)\"", database, view,
                    all);
}

static bool any_column(const struct paper_table *definition, bool (*is)(const struct paper_column *))
{
    for (size_t i = 0; i < definition->column_count; ++i)
        if (!definition->columns[i].csv_only && is(&definition->columns[i]))
            return true;
    return false;
}

static bool is_cumulative(const struct paper_column *column)
{
    return column->cumulative[0] != '\0';
}

static bool is_compared(const struct paper_column *column)
{
    return column->compare != COMPARE_NEVER;
}

static bool has_interval(const struct paper_column *column)
{
    return column->low[0] != '\0';
}

// Why there are no ratios.
static void put_no_ratios(const struct report_table *table, const struct report_panel *panel, FILE *stream)
{
    const char *scene = table->published ? table->published->scene : "", *stands_for = panel->scene.stands_for;
    fputs("No ratios: ", stream);
    if (!panel->scene.known)
        fputs("the scene's file is not at hand, so it is not known what it stands in for.", stream);
    else if (!stands_for[0])
        fputs("the scene is not a stand-in.", stream);
    else
        fprintf(stream, "the scene stands in for %s, the published table is of %s.", stands_for, scene);
}

static void add_ratios(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    const struct paper_table *definition = table->definition;
    const bool brackets = any_column(definition, is_cumulative), compared = any_column(definition, is_compared);
    if (any_column(definition, has_interval))
        report_line(lines, "95 %%: interval from the medians of the replicates.");
    FILE *stream = brackets || compared ? report_line_begin(lines) : NULL;
    if (!stream)
        return;
    if (brackets)
        fputs("In brackets: running value over all bounces so far. ", stream);
    if (compared && report_stands_in(table, panel))
        fputs("ratio: here / paper, of dimensionless columns only; the scene is a stand-in. =: the measured value lies "
              "within the rounding of the published one.",
              stream);
    else if (compared)
        put_no_ratios(table, panel, stream);
    report_line_end(stream);
}

static const char *key_derived(const struct paper_column *column)
{
    return column->derived;
}

// The footnote of the stars in the headings.
static void add_derived(const struct report_table *table, struct report_lines *lines)
{
    const struct paper_table *definition = table->definition;
    for (size_t i = 0; i < definition->column_count; ++i)
        if (!listed(definition, i, key_derived))
            report_line(lines, "*: the paper prints no %s; derived from its %s.", definition->columns[i].title,
                        definition->columns[i].derived);
}

void report_findings(const struct report_panel *panel, struct report_lines *lines)
{
    if (report_fact(panel, "finding")[0])
        report_line(lines, "In short: %s.", report_fact(panel, "finding"));
    if (report_fact(panel, "problem")[0])
        report_line(lines, "Not to be trusted: %s", report_fact(panel, "problem"));
}

void report_remarks(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    add_missing(table, panel, lines);
    add_remarks(table, lines);
    add_ratios(table, panel, lines);
    add_derived(table, lines);
    add_quotes(table, lines);
    add_misprints(table, lines);
    add_choices(table, lines);
}

void report_sources(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    add_trials(table, panel, lines);
    add_raw(table, panel, lines);
}

void report_notes(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    report_findings(panel, lines);
    report_footnotes(table, panel, lines);
    report_remarks(table, panel, lines);
    report_sources(table, panel, lines);
}
