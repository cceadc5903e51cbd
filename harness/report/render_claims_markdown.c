// SPDX-License-Identifier: MIT
// Claims as Markdown: a table of how many of each verdict, one of the claims of each paper, one of conflicts.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/claims_page.h"
#include "report/claims_words.h"
#include "report/escape.h"

static void put_cell(const char *text, FILE *stream)
{
    fputs("| ", stream);
    markdown_text(text, stream);
    fputc(' ', stream);
}

static void write_summary(const struct claims_page *page, FILE *stream)
{
    fputs("# Claims\n\nJudged from ", stream);
    markdown_text(page->database, stream);
    fputs(".\n\n| paper | claims ", stream);
    for (size_t i = 0; i < VERDICT_COUNT; ++i)
        put_cell(claim_verdict_names[i], stream);
    fputs("|\n|---|---:", stream);
    for (size_t i = 0; i < VERDICT_COUNT; ++i)
        fputs("|---:", stream);
    fputs("|\n", stream);
    for (size_t i = 0; i < page->survey->count; ++i) {
        const struct claim_results *results = page->survey->results[i];
        if (!claims_page_shows(page, results))
            continue;
        put_cell(results->paper->id, stream);
        fprintf(stream, "| %zu ", results->count);
        for (size_t k = 0; k < VERDICT_COUNT; ++k)
            fprintf(stream, "| %zu ", results->of[k]);
        fputs("|\n", stream);
    }
}

static void write_claim(const struct claim_result *result, FILE *stream)
{
    const struct claim *claim = result->claim;
    char *held = claim_some_places(result->held), *failed = claim_some_places(result->failed);
    const char *const cells[] = {claim->id,
                                 claim_verdict_names[result->verdict],
                                 result->confidence,
                                 claim->statement,
                                 claim->where,
                                 claim->published,
                                 result->evidence,
                                 held ? held : result->held,
                                 failed ? failed : result->failed};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; ++i)
        put_cell(cells[i], stream);
    fputs("|\n", stream);
    free(held);
    free(failed);
}

static void write_paper(const struct claims_page *page, const struct claim_results *results, FILE *stream)
{
    fputs(page->claim ? "## " : "\n## ", stream);
    markdown_text(results->paper->id, stream);
    fputs(": ", stream);
    markdown_text(results->paper->published->title, stream);
    fputs("\n\n| claim | verdict | confidence | the paper says | where | published | here | held on | not on |\n"
          "|---|---|---|---|---|---|---|---|---|\n",
          stream);
    for (size_t i = 0; i < results->count; ++i)
        if (claims_page_shows_claim(page, &results->results[i]))
            write_claim(&results->results[i], stream);
}

// "wald2011-C13: refuted, frolov2015-C11: not implemented"
static void put_sides(const struct claims_page *page, const struct claim_conflict *conflict, FILE *stream)
{
    for (size_t i = 0; i < conflict->claim_count; ++i) {
        const struct claim_result *result = claims_survey_find(page->survey, conflict->claims[i], NULL);
        fputs(i ? ", " : "| ", stream);
        markdown_text(conflict->claims[i], stream);
        fprintf(stream, ": %s", result ? claim_verdict_names[result->verdict] : "unknown here");
    }
    fputc(' ', stream);
}

static void write_conflicts(const struct claims_page *page, FILE *stream)
{
    bool first = true;
    for (size_t i = 0; i < page->survey->conflicts->count; ++i) {
        const struct claim_conflict *conflict = &page->survey->conflicts->list[i];
        if (!claims_page_shows_conflict(page, conflict))
            continue;
        if (first)
            fputs("\n## Claims that cannot all hold as general truths\n\n"
                  "| conflict | issue | sides | what would tell |\n|---|---|---|---|\n",
                  stream);
        first = false;
        put_cell(conflict->id, stream);
        put_cell(conflict->issue, stream);
        put_sides(page, conflict, stream);
        put_cell(conflict->experiment, stream);
        fputs("|\n", stream);
    }
}

// ---- one claim

static void write_case(const struct claim_result *result, const struct claim_case *at, size_t index, FILE *stream)
{
    const struct claim_test *test = &result->claim->tests[index];
    const int decimals = (int)test->decimals;
    put_cell(at->place, stream);
    put_cell(test->title, stream);
    fprintf(stream, "| %.*f ", decimals, at->value[index]);
    fputs("| ", stream);
    if (!isnan(at->low[index]) && !isnan(at->high[index]))
        fprintf(stream, "%.*f..%.*f ", decimals, at->low[index], decimals, at->high[index]);
    put_cell(test->unit, stream);
    put_cell(claim_outcome_names[claim_case_outcome(test, at, index)], stream);
    put_cell(at->excluded, stream);
    put_cell(at->flags, stream);
    put_cell(at->trials, stream);
    fputs("|\n", stream);
}

// Whether a case of the claim has the word among its flags.
static bool is_flagged(const struct claim_result *result, const char *word)
{
    char flag[REPORT_FLAG_TEXT];
    for (size_t i = 0; i < result->case_count; ++i)
        for (int weak = 0; weak < 2; ++weak)
            for (const char *flags = weak ? result->cases[i].flags : result->cases[i].excluded;
                 report_next_flag(&flags, flag, sizeof flag);)
                if (!strcmp(flag, word))
                    return true;
    return false;
}

static void write_words(const struct paper *paper, const struct claim_result *result, FILE *stream)
{
    const char *before = "\n- ";
    for (size_t i = 0; i < paper->flag_count; ++i) {
        if (!is_flagged(result, paper->flags[i].word))
            continue;
        fputs(before, stream);
        markdown_text(paper->flags[i].word, stream);
        fputs(": ", stream);
        markdown_text(paper->flags[i].text, stream);
        fputc('\n', stream);
        before = "- ";
    }
}

static void write_cases(const struct paper *paper, const struct claim_result *result, FILE *stream)
{
    if (!result->case_count)
        return;
    fputs("\n| case | value of | value | 95 % | unit | outcome | left out for | weak for | trials |\n"
          "|---|---|---:|---|---|---|---|---|---|\n",
          stream);
    for (size_t i = 0; i < result->case_count; ++i)
        for (size_t k = 0; k < result->claim->test_count; ++k)
            if (!isnan(result->cases[i].value[k]))
                write_case(result, &result->cases[i], k, stream);
    write_words(paper, result, stream);
}

void claims_write_markdown(const struct claims_page *page, FILE *stream)
{
    if (!page->claim)
        write_summary(page, stream);
    for (size_t i = 0; i < page->survey->count; ++i) {
        const struct claim_results *results = page->survey->results[i];
        if (!claims_page_shows(page, results))
            continue;
        write_paper(page, results, stream);
        for (size_t k = 0; page->claim && k < results->count; ++k)
            if (claims_page_shows_claim(page, &results->results[k]))
                write_cases(results->paper, &results->results[k], stream);
    }
    write_conflicts(page, stream);
}
