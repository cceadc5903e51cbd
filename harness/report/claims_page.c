// SPDX-License-Identifier: MIT
#include "report/claims_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/claims_words.h"
#include "report/escape.h"

const struct claims_format claims_formats[] = {
    {"text", "txt", claims_write_text},
    {"markdown", "md", claims_write_markdown},
    {"csv", "csv", claims_write_csv},
    {"latex", "tex", claims_write_latex},
    {NULL, NULL, NULL},
};

bool claims_page_shows(const struct claims_page *page, const struct claim_results *results)
{
    return results->count > 0 && (!page->paper || !strcmp(page->paper, results->paper->id));
}

bool claims_page_shows_claim(const struct claims_page *page, const struct claim_result *result)
{
    return !page->claim || !strcmp(page->claim, result->claim->id);
}

bool claims_page_shows_conflict(const struct claims_page *page, const struct claim_conflict *conflict)
{
    for (size_t i = 0; i < conflict->claim_count; ++i) {
        const struct claim_results *results;
        const struct claim_result *result = claims_survey_find(page->survey, conflict->claims[i], &results);
        if (result && claims_page_shows(page, results) && claims_page_shows_claim(page, result))
            return true;
    }
    return false;
}

// ---- CSV

static void put_field(const char *text, FILE *stream)
{
    fputc(',', stream);
    csv_text(text, stream);
}

static void put_number(double value, FILE *stream)
{
    fputc(',', stream);
    if (isfinite(value))
        fprintf(stream, "%.10g", value);
}

static void write_csv_line(const struct claim_results *results, const struct claim_result *result, FILE *stream)
{
    const struct claim *claim = result->claim;
    char *trials = claim_trials(result);
    csv_text(results->paper->id, stream);
    put_field(claim->id, stream);
    fprintf(stream, ",%llu", (unsigned long long)claim->tier);
    const char *const texts[] = {claim_verdict_names[result->verdict], result->confidence, claim->statement,
                                 claim->where, claim->published};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        put_field(texts[i], stream);
    put_number(claim->low, stream);
    put_number(claim->high, stream);
    const char *const more[] = {result->evidence, result->held, result->failed, trials ? trials : ""};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; ++i)
        put_field(more[i], stream);
    fputs("\r\n", stream);
    free(trials);
}

void claims_write_csv(const struct claims_page *page, FILE *stream)
{
    fputs("paper,claim,tier,verdict,confidence,statement,where,published,low,high,evidence,held_on,not_on,trials\r\n",
          stream);
    for (size_t i = 0; i < page->survey->count; ++i) {
        const struct claim_results *results = page->survey->results[i];
        for (size_t k = 0; claims_page_shows(page, results) && k < results->count; ++k)
            if (claims_page_shows_claim(page, &results->results[k]))
                write_csv_line(results, &results->results[k], stream);
    }
}

// ---- LaTeX

static void put_cell(const char *before, const char *text, FILE *stream)
{
    fputs(before, stream);
    latex_text(text, stream);
}

static void write_latex_row(const struct claim_result *result, FILE *stream)
{
    const struct claim *claim = result->claim;
    put_cell("", claim->id, stream);
    put_cell(" & \\raggedright ", claim_verdict_names[result->verdict], stream);
    if (result->confidence[0])
        fprintf(stream, " (%s)", result->confidence);
    put_cell(" & \\raggedright ", claim->statement, stream);
    put_cell(" & \\raggedright ", claim->published, stream);
    put_cell(" & \\raggedright ", result->evidence, stream);
    char *trials = claim_trials(result);
    fprintf(stream, " \\tabularnewline %% trials: %s\n\\addlinespace\n", trials && trials[0] ? trials : "none");
    free(trials);
}

static void write_latex_paper(const struct claims_page *page, const struct claim_results *results, FILE *stream)
{
    static const char head[] = "\\toprule\nClaim & Verdict & The paper says & Published & Here \\\\\n\\midrule\n";
    char counts[300];
    claim_counts_text(results, counts, sizeof counts);
    fprintf(stream, "%% Claims of %s; needs booktabs and longtable.\n{\\footnotesize\\sloppy\n", results->paper->id);
    fputs("\\begin{longtable}{@{}lp{.12\\textwidth}p{.28\\textwidth}p{.15\\textwidth}p{.28\\textwidth}@{}}\n", stream);
    put_cell("\\caption{Claims of ", results->paper->published->authors, stream);
    put_cell(", ", results->paper->published->title, stream);
    put_cell(": ", counts, stream);
    fprintf(stream, ".}\\\\\n%s\\endfirsthead\n%s\\endhead\n\\bottomrule\n\\endfoot\n", head, head);
    for (size_t i = 0; i < results->count; ++i)
        if (claims_page_shows_claim(page, &results->results[i]))
            write_latex_row(&results->results[i], stream);
    fputs("\\end{longtable}}\n", stream);
}

static void write_latex_conflict(const struct claims_page *page, const struct claim_conflict *conflict, FILE *stream)
{
    put_cell("", conflict->id, stream);
    put_cell(" & \\raggedright ", conflict->issue, stream);
    fputs(" & \\raggedright ", stream);
    for (size_t i = 0; i < conflict->claim_count; ++i) {
        const struct claim_result *result = claims_survey_find(page->survey, conflict->claims[i], NULL);
        put_cell(i ? ", " : "", conflict->claims[i], stream);
        put_cell(": ", result ? claim_verdict_names[result->verdict] : "unknown here", stream);
    }
    put_cell(" & \\raggedright ", conflict->experiment, stream);
    fputs(" \\tabularnewline\n\\addlinespace\n", stream);
}

static void write_latex_conflicts(const struct claims_page *page, FILE *stream)
{
    static const char head[] = "\\toprule\nConflict & Issue & Sides & What would tell \\\\\n\\midrule\n";
    bool first = true;
    for (size_t i = 0; i < page->survey->conflicts->count; ++i) {
        const struct claim_conflict *conflict = &page->survey->conflicts->list[i];
        if (!claims_page_shows_conflict(page, conflict))
            continue;
        if (first)
            fprintf(stream,
                    "{\\footnotesize\\sloppy\n\\begin{longtable}{@{}lp{.28\\textwidth}p{.25\\textwidth}p{."
                    "32\\textwidth}@{}}\n"
                    "\\caption{Claims that cannot all hold as general truths.}\\\\\n%s\\endfirsthead\n%s\\endhead\n"
                    "\\bottomrule\n\\endfoot\n",
                    head, head);
        first = false;
        write_latex_conflict(page, conflict, stream);
    }
    if (!first)
        fputs("\\end{longtable}}\n", stream);
}

void claims_write_latex(const struct claims_page *page, FILE *stream)
{
    for (size_t i = 0; i < page->survey->count; ++i)
        if (claims_page_shows(page, page->survey->results[i]))
            write_latex_paper(page, page->survey->results[i], stream);
    write_latex_conflicts(page, stream);
}
