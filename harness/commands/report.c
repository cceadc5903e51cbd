// SPDX-License-Identifier: MIT
#include "commands/shared.h"
#include "report/claims/claims_page.h"
#include "report/report.h"
#include "report/report_claims.h"

static bool report_command(const struct command_line *line, struct error *error)
{
    const struct report_request request = {
        .target = line->word_count ? line->words[0] : NULL,
        .item = line->word_count > 1 ? line->words[1] : NULL,
        .database = command_database(line),
        .format = command_option(line, "format"),
        .appendix = command_flag(line, "appendix"),
        .folder = command_option(line, "output"),
        .options = {command_option(line, "run"), command_option(line, "scene"), command_flag(line, "all")},
        .stream = stdout,
        .remarks = stderr,
    };
    const bool claims = command_flag(line, "claims") || report_names_claim(&request);
    return claims ? report_claims(&request, error) : report_run(&request, error);
}

const struct command command_report = {
    .name = "report",
    .arguments = "[PAPER] [TABLE | FIGURE | CLAIM] [--claims | --appendix] [--format FORMAT] [--output DIR]",
    .summary = "reports a paper's tables, figures and claims, with measured and published values",
    .details =
        "  warpstudy report wald2011                  everything, as a folder: report-wald2011/index.html\n"
        "  warpstudy report wald2011 --appendix       a few pages for pdflatex: appendix-wald2011/appendix.tex\n"
        "  warpstudy report wald2011 --format text    its tables, printed\n"
        "  warpstudy report table2                    Wald's Table 2, printed as text\n"
        "  warpstudy report table2 --format csv       for a spreadsheet or a plot\n"
        "  warpstudy report active_paths --output DIR one figure, with the script and data that draw it\n"
        "  warpstudy report --claims                  the verdict on each claim of all papers\n"
        "  warpstudy report wald2011 C13              one claim with its cases, bounds and trials\n\n"
        "A folder of papers ($WARPSTUDY_PAPERS) is code: gnuplot runs its scripts, which can run any command.\n\n"
        "Exit codes: 0 done, 1 nothing to report, 2 wrong usage or database.",
    .options =
        {
            {COMMAND_OPTION_DB},
            {"format", "text|markdown|latex|csv",
             "how to print it; with --output only files of that format are written", 'f'},
            {"claims", NULL, "the verdict on each claim of the paper, or of all papers", 0},
            {"output", "DIR", "write files into this folder; default for whole papers: report-PAPER, or report", 'o'},
            {"run", "LABEL", "only what runs with this label requested", 0},
            {"scene", "SCENE", "only this scene", 0},
            {"appendix", NULL,
             "for whole papers: a few pages for pdflatex, appendix.tex, with the figures that they show", 0},
            {"all", NULL, "all configurations; default: for each scene and device, the one nearest to the paper's", 0},
        },
    .most_words = 2,
    .run = report_command,
};
