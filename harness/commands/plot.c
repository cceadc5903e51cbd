// SPDX-License-Identifier: MIT
#include "commands/shared.h"
#include "report/sweep/sweep_choice.h"
#include "report/sweep/sweep_plot.h"

static bool plot_read(struct store *store, const struct command_line *line, struct error *error)
{
    const char *folder = command_option(line, "output"), *name = line->word_count ? line->words[0] : NULL;
    struct experiment_report report;
    struct sweep_rows rows = {.experiment = NULL};
    const char *remark;
    bool done = sweep_choice_read(store, name, command_option(line, "y"), &report, &rows, &remark, error);
    if (remark[0])
        fprintf(stderr, "%s\n", remark);
    const struct sweep_figure figure = {.x = command_option_or(line, "x", report.x),
                                        .series = command_option_or(line, "series", report.series),
                                        .panels = command_option_or(line, "panels", report.panels),
                                        .log = command_option_or(line, "log", report.log),
                                        .folder = folder ? folder : "plot"};
    done = done && sweep_plot(&rows, &figure, stdout, stderr, error);
    sweep_rows_finish(&rows);
    return done;
}

const struct command command_sweep_plot = {
    .name = "plot",
    .arguments = "[EXPERIMENT] [--x P] [--y MEASURE] [--series P,...] [--panels P,...] [--output DIR]",
    .summary = "draws a sweep: a measure against a parameter that varies in it",
    .details = "  warpstudy plot                                     the experiment of the latest run\n"
               "  warpstudy plot mine --x tile_m --y live_lanes --series variant --panels max_bounces\n\n"
               "Writes SVG, PDF and PNG, the gnuplot script that draws them, and its data as CSV. Measures as in "
               "`warpstudy table`.\n"
               "Bars are 95 % intervals; hollow points do not fill the device.",
    .options =
        {
            {COMMAND_OPTION_DB},
            {"x", "P", "parameter along x; default: the number with most values", 0},
            {"y", "MEASURE", "what is drawn; default: frame_ms, or live_lanes where no time was measured", 0},
            {"series", "P,...", "parameters that tell lines apart; default: variant", 0},
            {"panels", "P,...", "parameters with a figure for each value; default: all others", 0},
            {"log", "x|y|xy|none", "logarithmic axes; default: where values are powers, or y spans a factor of 100", 0},
            {"output", "DIR", "folder for the files; default plot", 'o'},
        },
    .most_words = 1,
    .read = plot_read,
};
