// SPDX-License-Identifier: MIT
#include <string.h>

#include "commands/commands.h"
#include "report/report.h"
#include "store/store.h"

static const struct command_option options[] = {
    COMMAND_OPTION_DB,
    {"format", "FORMAT", "text, markdown or csv; default text, or with --output all of them", 'f'},
    {"output", "DIR", "write files into this folder, figures too", 'o'},
    {"run", "LABEL", "only what runs with this label asked for", 0},
    {"scene", "SCENE", "only this scene", 0},
    {"all", NULL, "every configuration; default: of each scene and device the nearest to the paper's", 0},
    COMMAND_OPTIONS_END,
};

static bool check_format(const char *format, struct error *error)
{
    const char *names[8];
    size_t count = 0;
    for (const struct report_format *row = report_formats; row->name && count < 7; ++row)
        names[count++] = row->name;
    names[count] = NULL;
    for (size_t i = 0; i < count; ++i)
        if (!format || !strcmp(names[i], format))
            return true;
    const char *near = error_suggest(format, names);
    error_set(error, ERROR_USE, "report: unknown format '%.60s'", format);
    return near ? error_remedy(error, "did you mean %s?", near)
                : error_remedy(error, "there are text, markdown and csv");
}

static bool run(const struct command_line *line, struct error *error)
{
    char path[1024];
    store_default_path(path, sizeof path);
    const char *database = command_option(line, "db");
    const struct report_request request = {
        .target = line->word_count ? line->words[0] : NULL,
        .item = line->word_count > 1 ? line->words[1] : NULL,
        .database = database ? database : path,
        .format = command_option(line, "format"),
        .folder = command_option(line, "output"),
        .options = {command_option(line, "run"), command_option(line, "scene"), command_flag(line, "all")},
        .stream = stdout,
        .remarks = stderr,
    };
    return check_format(request.format, error) && report_run(&request, error);
}

const struct command command_report = {
    .name = "report",
    .arguments = "[PAPER] [TABLE | FIGURE] [--format FORMAT] [--output DIR]",
    .summary = "print a paper's tables with measured values beside the published ones",
    .details = "  warpstudy report table2                    Wald's Table 2, as text\n"
               "  warpstudy report table2 --format csv       for a spreadsheet or a plot\n"
               "  warpstudy report wald2011 --output DIR     all tables and figures of a paper\n"
               "  warpstudy report figure1 --output DIR      pictures of its scenes\n\n"
               "Exit codes: 0 done, 1 nothing to report, 2 bad use or database.",
    .options = options,
    .most_words = 2,
    .run = run,
};
