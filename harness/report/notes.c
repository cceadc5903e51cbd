// SPDX-License-Identifier: MIT
#include "report/notes.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS_SHOWN = 60 }; // bytes of a list of trials

__attribute__((format(printf, 2, 3))) static void add_line(struct report_lines *lines, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    if (lines->count < REPORT_LINES && vasprintf(&text, format, arguments) >= 0)
        lines->text[lines->count++] = text;
    va_end(arguments);
}

void report_lines_finish(struct report_lines *lines)
{
    for (size_t i = 0; i < lines->count; ++i)
        free(lines->text[i]);
    lines->count = 0;
}

static void separate_thousands(const char *digits, char *text, size_t size)
{
    const struct published_column plain = {.suffix = ""};
    const bool minus = digits[0] == '-';
    if (minus && size)
        text[0] = '-';
    published_text(&plain, digits + minus, text + minus, size - minus);
}

void report_number(const struct paper_column *column, double value, char *text, size_t size)
{
    char digits[64];
    if (isnan(value)) {
        snprintf(text, size, "-");
    } else if (column->style == COLUMN_PERCENT) {
        snprintf(text, size, "%.*f%%", (int)column->decimals, 100 * value);
    } else {
        snprintf(digits, sizeof digits, "%.*f", column->style == COLUMN_COUNT ? 0 : (int)column->decimals, value);
        separate_thousands(digits, text, size);
    }
}

void report_title(const struct paper_column *column, char *text, size_t size)
{
    snprintf(text, size, "%s%s", column->title, column->derived[0] ? "*" : "");
}

void report_ratio(double ratio, bool within, char *text, size_t size)
{
    text[0] = '\0';
    if (isfinite(ratio))
        snprintf(text, size, "%s%.2f", within ? "=" : "", ratio);
}

void report_published(const struct report_table *table, const struct paper_column *column,
                      const struct published_cell *printed, const char *published, double value, char *text,
                      size_t size)
{
    text[0] = '\0';
    if (printed)
        published_text(published_column(table->published, published), printed->printed, text, size);
    else if (!isnan(value))
        report_number(column, value, text, size);
}

void report_correction(const struct report_table *table, const char *published, const struct published_cell *printed,
                       char *text, size_t size)
{
    char number[40];
    text[0] = '\0';
    if (!printed || !printed->misprint)
        return;
    published_text(published_column(table->published, published), printed->corrected, number, sizeof number);
    snprintf(text, size, "%s %s", number, printed->misprint);
}

void report_shell_word(const char *word, char *text, size_t size)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:+,@%";
    if (word[0] && strspn(word, plain) == strlen(word)) {
        snprintf(text, size, "%s", word);
        return;
    }
    size_t used = 0;
    text[used++] = '\'';
    for (; *word && used + 6 < size; ++word)
        used += (size_t)snprintf(text + used, size - used, *word == '\'' ? "'\\''" : "%c", *word);
    snprintf(text + used, size - used, "'");
}

void report_remedy(const struct report_table *table, char *text, size_t size)
{
    char database[600];
    report_shell_word(table->database ? table->database : "", database, sizeof database);
    snprintf(text, size, "warpstudy run %s --db %s", table->definition->experiment, database);
}

static const char *or_unknown(const char *text)
{
    return text[0] ? text : "?";
}

static void add_setting(const struct report_panel *panel, struct report_lines *lines)
{
    char stands[256] = "";
    if (panel->scene_title[0])
        snprintf(stands, sizeof stands, " (%s; %s%s)", panel->scene_title,
                 panel->stands_for[0] ? "stands in for " : "not a stand-in", panel->stands_for);
    add_line(lines, "here: scene %s%s, %s%s, %sx%s, paths per pixel %s, bounce limit %s, seed %s%s%s",
             or_unknown(report_fact(panel, "scene")), stands, panel->camera[0] ? "camera " : "the scene's first camera",
             panel->camera, report_fact(panel, "width"), report_fact(panel, "height"), report_fact(panel, "spp"),
             report_fact(panel, "max_bounces"), report_fact(panel, "seed"), report_fact(panel, "work")[0] ? ", " : "",
             report_fact(panel, "work"));
}

static void add_machine(const struct report_panel *panel, struct report_lines *lines)
{
    char paths[40];
    separate_thousands(report_fact(panel, "paths"), paths, sizeof paths);
    const char *padding = report_fact(panel, "padding");
    add_line(lines, "on %s (%s), warp width S = %s, N = %s paths, grid padding %s lanes%s%s",
             or_unknown(report_fact(panel, "device")), or_unknown(report_fact(panel, "device_name")),
             or_unknown(report_fact(panel, "warp_width")), paths, or_unknown(padding),
             report_fact(panel, "schedule")[0] ? ", " : "", report_fact(panel, "schedule"));
}

static void add_paper(const struct report_table *table, struct report_lines *lines)
{
    const struct published *published = table->paper->published;
    char pixels[32], paths[40];
    snprintf(pixels, sizeof pixels, "%" PRIu64, published->width * published->height);
    separate_thousands(pixels, paths, sizeof paths);
    const char *scene = table->published ? table->published->scene : "";
    add_line(lines, "paper: %s, %s; %s%s%s%llux%llu, bounce limit %llu, %s, S = %llu, N = %s paths", published->authors,
             published->venue, scene[0] ? "scene " : "", scene, scene[0] ? ", " : "",
             (unsigned long long)published->width, (unsigned long long)published->height,
             (unsigned long long)published->max_bounces, published->gpu, (unsigned long long)published->warp_width,
             paths);
}

void report_heading(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    add_setting(panel, lines);
    add_machine(panel, lines);
    if (table->published)
        add_paper(table, lines);
    if (panel->fitted)
        add_line(lines, "The scene is fitted to the published curve: this table decides no claim.");
}

// Titles of the columns that share what `same` compares, "a, b, c".
static void list_titles(const struct paper_table *definition, size_t first,
                        const char *(*key)(const struct paper_column *), char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = first; i < definition->column_count && used < size; ++i)
        if (!definition->columns[i].csv_only && !strcmp(key(&definition->columns[i]), key(&definition->columns[first])))
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

static void add_missing(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    const struct paper_table *definition = table->definition;
    bool any = false;
    for (size_t i = 0; i < definition->column_count; ++i) {
        const struct paper_column *column = &definition->columns[i];
        char titles[400];
        if (listed(definition, i, key_needs) || report_measured(panel, i))
            continue;
        list_titles(definition, i, key_needs, titles, sizeof titles);
        add_line(lines, "Missing: %s; no finished counts of %s at this configuration.", titles, column->needs);
        any = true;
    }
    char remedy[900];
    report_remedy(table, remedy, sizeof remedy);
    if (any)
        add_line(lines, "To make what is missing: %s", remedy);
}

static void add_misprints(const struct report_table *table, struct report_lines *lines)
{
    const struct published *published = table->paper->published;
    for (size_t i = 0; table->published && i < published->misprint_count; ++i) {
        const struct published_misprint *misprint = &published->misprints[i];
        bool used = false;
        const size_t cells = table->published->row_count * table->published->column_count;
        for (size_t j = 0; j < cells; ++j)
            used = used ||
                   (table->published->cells[j].misprint && !strcmp(table->published->cells[j].misprint, misprint->id));
        if (used)
            add_line(lines, "%s: %s: printed %s, [corrected] %s; %s: %s.", misprint->id, misprint->where,
                     misprint->printed, misprint->corrected, misprint->certainty, misprint->reason);
    }
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

static void add_trials(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    const struct paper_table *definition = table->definition;
    for (size_t i = 0; i < definition->column_count; ++i) {
        char titles[400], trials[2 * TRIALS_SHOWN];
        const char *list = report_fact(panel, definition->columns[i].trials);
        if (listed(definition, i, key_trials) || !list[0])
            continue;
        list_titles(definition, i, key_trials, titles, sizeof titles);
        shorten(list, trials, sizeof trials);
        add_line(lines, "Trials of %s: %s.", titles, trials);
    }
    char database[600];
    report_shell_word(table->database ? table->database : "", database, sizeof database);
    const char *all = report_fact(panel, "trials");
    if (all[0] && strlen(all) < 400)
        add_line(lines, "Raw rows: warpstudy query --db %s \"SELECT * FROM %s WHERE trial IN (%s)\"", database,
                 definition->id, all);
}

static void add_ratios(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    const char *scene = table->published ? table->published->scene : "";
    if (report_stands_in(table, panel))
        add_line(lines, "In brackets: running value over all bounces so far. ratio: here / paper, of dimensionless "
                        "columns only; the scene is a stand-in. =: the measured value lies within the rounding of the "
                        "published one.");
    else
        add_line(lines, "In brackets: running value over all bounces so far. No ratios: %s%s%s%s%s.",
                 panel->known ? "the scene "
                              : "the scene's file is not at hand, so it is not known what it stands in for",
                 !panel->known          ? ""
                 : panel->stands_for[0] ? "stands in for "
                                        : "is not a stand-in",
                 panel->stands_for, panel->stands_for[0] && scene[0] ? ", the published table is of " : "",
                 panel->stands_for[0] ? scene : "");
}

static const char *key_derived(const struct paper_column *column)
{
    return column->derived;
}

// The footnote of the stars in the headings.
static void add_derived(const struct report_table *table, struct report_lines *lines)
{
    const struct paper_table *definition = table->definition;
    for (size_t i = 0; table->published && i < definition->column_count; ++i)
        if (!listed(definition, i, key_derived))
            add_line(lines, "*: the paper prints no %s; derived from its %s.", definition->columns[i].title,
                     definition->columns[i].derived);
}

void report_notes(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    if (report_fact(panel, "problem")[0])
        add_line(lines, "Not to be trusted: %s", report_fact(panel, "problem"));
    add_missing(table, panel, lines);
    add_ratios(table, panel, lines);
    add_derived(table, lines);
    add_misprints(table, lines);
    add_trials(table, panel, lines);
}
