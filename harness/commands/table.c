// SPDX-License-Identifier: MIT
#include "commands/shared.h"
#include "commands/text_table.h"
#include "report/sweep/sweep_choice.h"
#include "report/sweep/sweep_document.h"

static bool print_document(const struct sweep_rows *rows, const struct command_line *line,
                           const struct experiment_report *report, const char *format, struct error *error)
{
    // Who names one side names the other too, or leaves it to what is over.
    const bool asked = command_option(line, "rows") || command_option(line, "columns");
    struct sweep_layout layout;
    if (!sweep_layout_of(rows, command_option_or(line, "rows", asked ? "" : report->rows),
                         command_option_or(line, "columns", asked ? "" : report->columns), &layout, error))
        return false;
    struct document document = {.count = 0};
    sweep_document(rows, &layout, &document);
    if (format[0] == 'm')
        doc_write_markdown(&document, stdout);
    else if (format[0] == 'l')
        doc_write_latex(&document, stdout);
    else
        doc_write_text(&document, stdout);
    document_finish(&document);
    return true;
}

static bool table_read(struct store *store, const struct command_line *line, struct error *error)
{
    const char *format = command_option(line, "format"), *name = line->word_count ? line->words[0] : NULL;
    const bool records = format && (format[0] == 'c' || format[0] == 'j');
    if (records && (command_option(line, "rows") || command_option(line, "columns"))) {
        error_set(error, ERROR_USE, "table: --rows and --columns arrange a table, and %s has a record a setting",
                  format);
        return error_remedy(error, "leave them out, or choose --format text, md or latex");
    }
    struct experiment_report report;
    struct sweep_rows rows = {.experiment = NULL};
    const char *remark;
    bool done = sweep_choice_read(store, name, command_option(line, "value"), &report, &rows, &remark, error);
    if (remark[0])
        fprintf(stderr, "%s\n", remark);
    if (done && records)
        done = text_table_query(store, rows.sql, NULL, format[0] == 'c' ? TEXT_CSV : TEXT_JSON, "no rows", error);
    else if (done)
        done = print_document(&rows, line, &report, format ? format : "text", error);
    sweep_rows_finish(&rows);
    return done;
}

const struct command command_sweep_table = {
    .name = "table",
    .arguments = "[EXPERIMENT] [--rows P,...] [--columns P,...] [--value MEASURE]",
    .summary = "prints a table of a sweep: a measure by the parameters that vary in it",
    .details =
        "  warpstudy table                                    the experiment of the latest run\n"
        "  warpstudy table mine --rows variant,tile_m --columns max_bounces --value live_lanes\n\n"
        "A measure is frame_ms, speedup (over naive), live_lanes, saved_warps, noise_floor, any count "
        "(docs/metrics.md) or\n"
        "any metric (warpstudy list metrics) that was measured. csv and json have a record a setting, with every "
        "digit.\n"
        "The key `report` of the experiment file may give the defaults. `warpstudy query sweep` has all measures.",
    .options =
        {
            {COMMAND_OPTION_DB},
            {"rows", "P,...", "parameters that run down; default: all that are not in --columns", 0},
            {"columns", "P,...", "parameters that run across; default: the last that varies", 0},
            {"value", "MEASURE", "what cells hold; default: frame_ms, or live_lanes where no time was measured", 0},
            {"format", "text|csv|md|latex|json", "default text", 'f'},
        },
    .most_words = 1,
    .read = table_read,
};
