// SPDX-License-Identifier: MIT
#include "report/compare_plot.h"

#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/shell.h"
#include "report/papers/paper.h"
#include "report/plot.h"
#include "report/write/escape.h"
#include "store/query.h"

static const char ratios_sql[] =
    "SELECT row_number() OVER (ORDER BY ratio, parameters, pair) AS row, replace(cell, ',', ' ') || "
    "iif(count(*) OVER (PARTITION BY parameters) > 1, ' on ' || coalesce(a_device, b_device), '') AS cell, ratio, low, "
    "high, "
    "noise_floor, verdict FROM temp.compared WHERE ratio IS NOT NULL ORDER BY ratio, parameters, pair";

struct ratios {
    FILE *stream;
    size_t count;
};

static bool put_ratio(void *context, const struct store_row *row)
{
    struct ratios *ratios = context;
    for (size_t i = 0; !ratios->count && i < row->count; ++i)
        fprintf(ratios->stream, "%s%s", i ? "," : "", row->names[i]);
    fputs(ratios->count++ ? "" : "\r\n", ratios->stream);
    for (size_t i = 0; i < row->count; ++i) {
        fputs(i ? "," : "", ratios->stream);
        if (row->values[i].type == STORE_REAL)
            fprintf(ratios->stream, "%.17g", row->values[i].real);
        else if (row->values[i].type != STORE_NULL)
            csv_text(row->values[i].text, ratios->stream);
    }
    fputs("\r\n", ratios->stream);
    return true;
}

static bool write_ratios(struct store *both, struct staging *staging, struct error *error)
{
    struct ratios ratios = {.stream = staging_open(staging, "compare.csv", error)};
    if (!ratios.stream)
        return false;
    const bool done = store_query(both, ratios_sql, NULL, put_ratio, &ratios, error);
    if (!staging_close(staging, ratios.stream, done ? error : NULL) || !done)
        return false;
    if (ratios.count)
        return true;
    error_set(error, ERROR_FAILED, "nothing to draw: no setting was timed on both sides");
    return error_remedy(error, "times need `collect: [frame]` and a device with a clock");
}

static bool draw_ratios(struct staging *staging, const char *heading, bool *no_gnuplot, struct error *error)
{
    char body[PATH_MAX], word[1000], *remarks;
    struct plots plots = {0};
    if (!paper_path(body, sizeof body, error, "compare.gp"))
        return false;
    const struct paper_figure figure = {.id = "compare", .title = heading, .script = body};
    FILE *script = staging_open(staging, "compare.gp", error);
    if (!script)
        return false;
    shell_word(heading, word, sizeof word);
    remarks =
        memory_format("# Drawn in this folder by:\n#   gnuplot -c compare.gp compare.csv compare 0 %s\n#\n", word);
    bool done = plot_write_script(&figure, remarks, script, error);
    free(remarks);
    done = staging_close(staging, script, done ? error : NULL) && done;
    const enum plot_result drawn =
        done ? plot_begin(&plots, staging, &figure, "compare.csv", "compare", 0, heading, error) : PLOT_FAILED;
    *no_gnuplot = drawn == PLOT_NO_GNUPLOT;
    return plot_finish(&plots, drawn == PLOT_FAILED ? NULL : error) == PLOT_DONE && drawn != PLOT_FAILED;
}

bool compare_plot(struct store *both, const char *a, const char *b, const char *folder, FILE *stream, FILE *remarks,
                  struct error *error)
{
    struct staging staging = {.lock = -1};
    char *heading = memory_format("Time of B over time of A. A: %s. B: %s", a, b);
    bool no_gnuplot = false;
    const bool done = staging_begin(&staging, folder, error) && write_ratios(both, &staging, error) &&
                      draw_ratios(&staging, heading, &no_gnuplot, error) && staging_commit(&staging, error);
    for (size_t i = 0; done && i < staging.count; ++i)
        fprintf(stream, "%s/%s\n", folder, staging.names[i]);
    if (done && no_gnuplot)
        fputs(
            "gnuplot is not installed (apt-get install gnuplot-nox): the data and the script are written, no picture\n",
            remarks);
    staging_abandon(&staging);
    free(heading);
    return done;
}
