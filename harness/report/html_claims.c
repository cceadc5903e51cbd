// SPDX-License-Identifier: MIT
#include "report/html_claims.h"

#include <math.h>
#include <string.h>

#include "report/escape.h"

static void html_number(const char *name, double value, FILE *stream)
{
    if (isfinite(value))
        fprintf(stream, " %s=\"%.15g\"", name, value);
}

static void html_trials(const char *trials, FILE *stream)
{
    bool any = false;
    while (*trials) {
        const size_t digits = strspn(trials, "0123456789");
        if (digits)
            fprintf(stream, "%s%.*s", any ? " " : " data-t=\"", (int)digits, trials);
        any = any || digits;
        trials += digits + (digits == 0);
    }
    if (any)
        fputc('"', stream);
}

static const char *const verdict_classes[VERDICT_COUNT] = {
    "reproduced", "direction", "refuted", "inconclusive", "unmeasured", "unimplemented",
};
// Told apart without colour too.
static const char *const verdict_marks[VERDICT_COUNT] = {"✓", "↗", "✗", "?", "–", "·"};

static void put_verdict(enum claim_verdict verdict, FILE *stream)
{
    fprintf(stream, "<span class=\"verdict %s\"><span aria-hidden=\"true\">%s</span> %s</span>",
            verdict_classes[verdict], verdict_marks[verdict], claim_verdict_names[verdict]);
}

void html_claims_summary(const struct claim_results *claims, FILE *stream)
{
    if (!claims || !claims->count)
        return;
    fputs("<div class=\"summary\">\n<ul class=\"verdicts\">\n", stream);
    for (int i = 0; i < VERDICT_COUNT; ++i) {
        if (!claims->of[i])
            continue;
        fprintf(stream, "<li><b>%zu</b> ", claims->of[i]);
        put_verdict((enum claim_verdict)i, stream);
        fputs("</li>\n", stream);
    }
    fprintf(stream, "</ul>\n<p class=\"aside\">of %zu claims</p>\n<div class=\"bar\" aria-hidden=\"true\">",
            claims->count);
    for (int i = 0; i < VERDICT_COUNT; ++i)
        if (claims->of[i])
            fprintf(stream, "<span class=\"%s\" style=\"flex-grow:%zu\"></span>", verdict_classes[i], claims->of[i]);
    fputs("</div>\n</div>\n", stream);
}

// ---- one claim

static void put_value(const struct claim_test *test, const struct claim_case *at, size_t index, FILE *stream)
{
    char number[64];
    const double value = at->value[index];
    if (isnan(value)) {
        fputs("<td>-</td>", stream);
        return;
    }
    fputs("<td", stream);
    html_number("data-v", value, stream);
    html_number("data-l", at->low[index], stream);
    html_number("data-h", at->high[index], stream);
    html_trials(at->trials, stream);
    fputs(at->trials[0] ? "><button type=\"button\" class=\"v\">" : "><span class=\"v\">", stream);
    snprintf(number, sizeof number, "%.*f", (int)test->decimals, value);
    html_text(number, stream);
    fputs(at->trials[0] ? "</button>" : "</span>", stream);
    if (!isnan(at->low[index]))
        fprintf(stream, "<span class=\"i\">%.*f..%.*f</span>", (int)test->decimals, at->low[index], (int)test->decimals,
                at->high[index]);
    fputs("</td>", stream);
}

// Footnotes, each up to its first aside: the tables have them in full.
static void put_words(const struct paper *paper, const char *words, FILE *stream)
{
    char word[REPORT_FLAG_TEXT], text[REPORT_FLAG_TEXT];
    for (bool more = false; report_next_flag(&words, word, sizeof word); more = true) {
        const char *whole = paper_flag_text(paper, word);
        snprintf(text, sizeof text, "%.*s", (int)strcspn(whole, ",;("), whole);
        fputs(more ? "; " : "", stream);
        html_text(text, stream);
    }
}

static void put_case(const struct claim_results *claims, const struct claim_result *result, const struct claim_case *at,
                     FILE *stream)
{
    fputs("<tr><th scope=\"row\">", stream);
    html_text(at->place, stream);
    fputs("</th>", stream);
    for (size_t i = 0; i < result->claim->test_count; ++i)
        put_value(&result->claim->tests[i], at, i, stream);
    fputs("<td class=\"words\">", stream);
    if (at->excluded[0]) {
        fputs("decides nothing: ", stream);
        put_words(claims->paper, at->excluded, stream);
    }
    if (at->flags[0]) {
        fputs(at->excluded[0] ? "; " : "", stream);
        put_words(claims->paper, at->flags, stream);
    }
    fputs("</td></tr>\n", stream);
}

static void put_cases(const struct claim_results *claims, const struct claim_result *result, FILE *stream)
{
    if (!result->case_count)
        return;
    fprintf(stream,
            "<details><summary>%zu case%s</summary>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
            "aria-label=\"Cases of %s\"><table class=\"data cases\">\n<caption>Cases of %s</caption>\n"
            "<thead><tr><th scope=\"col\" aria-sort=\"none\"><button type=\"button\" class=\"sort\">case</button></th>",
            result->case_count, result->case_count == 1 ? "" : "s", result->claim->id, result->claim->id);
    for (size_t i = 0; i < result->claim->test_count; ++i) {
        fputs("<th scope=\"col\" aria-sort=\"none\"><button type=\"button\" class=\"sort\">", stream);
        html_text(result->claim->tests[i].title, stream);
        fputs("</button> <span class=\"unit\">", stream);
        html_text(result->claim->tests[i].unit, stream);
        fputs("</span></th>", stream);
    }
    fputs("<th scope=\"col\">remarks</th></tr></thead>\n<tbody>\n", stream);
    for (size_t i = 0; i < result->case_count; ++i)
        put_case(claims, result, &result->cases[i], stream);
    fputs("</tbody></table></div>\n</details>\n", stream);
}

static void put_part(const char *title, const char *text, FILE *stream)
{
    if (!text || !text[0])
        return;
    fprintf(stream, "<p><b>%s</b> ", title);
    html_text(text, stream);
    fputs("</p>\n", stream);
}

static void put_claim(const struct claim_results *claims, const struct claim_result *result, FILE *stream)
{
    const struct claim *claim = result->claim;
    fprintf(stream, "<tr id=\"");
    html_name(claim->id, stream);
    fprintf(stream, "\" data-verdict=\"%s\"><th scope=\"row\" data-v=\"%s\">", verdict_classes[result->verdict],
            claim->id);
    html_text(claim->id, stream);
    fprintf(stream, "</th><td data-v=\"%d\">", (int)result->verdict);
    put_verdict(result->verdict, stream);
    if (result->confidence[0]) {
        fputs("<span class=\"aside\">confidence: ", stream);
        html_text(result->confidence, stream);
        fputs("</span>", stream);
    }
    fputs("</td><td class=\"words\"><div class=\"sides\"><div><p>", stream);
    html_text(claim->statement, stream);
    fputs(" <span class=\"aside\">", stream);
    html_text(claim->where, stream);
    fputs("</span></p>\n", stream);
    put_part("Published", claim->published, stream);
    put_part("Accepted if", claim->accept, stream);
    put_part("Refuted if", claim->refute, stream);
    fputs("</div><div>", stream);
    put_part("Evidence", result->evidence, stream);
    put_part("Held on", result->held, stream);
    put_part("Failed on", result->failed, stream);
    put_part("Missing here", claim->missing, stream);
    put_part("Note", claim->note, stream);
    fputs("</div></div>\n", stream);
    put_cases(claims, result, stream);
    fputs("</td></tr>\n", stream);
}

static void put_filters(const struct claim_results *claims, FILE *stream)
{
    fputs("<p class=\"filters\" role=\"group\" aria-label=\"Show claims by verdict\">"
          "<button type=\"button\" data-show=\"\" aria-pressed=\"true\">all</button>",
          stream);
    for (int i = 0; i < VERDICT_COUNT; ++i)
        if (claims->of[i])
            fprintf(stream, "<button type=\"button\" data-show=\"%s\" aria-pressed=\"false\">%s (%zu)</button>",
                    verdict_classes[i], claim_verdict_names[i], claims->of[i]);
    fputs("</p>\n", stream);
}

void html_claims(const struct claim_results *claims, FILE *stream)
{
    static const char *const titles[] = {"claim", "verdict", NULL};
    if (!claims || !claims->count)
        return;
    fputs("<section id=\"claims\">\n<h2>Claims</h2>\n", stream);
    put_filters(claims, stream);
    fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Claims\"><table class=\"data claims\">\n"
          "<caption>What the document claims, and what was found here</caption>\n<thead><tr>",
          stream);
    for (size_t i = 0; titles[i]; ++i)
        fprintf(stream, "<th scope=\"col\" aria-sort=\"none\"><button type=\"button\" class=\"sort\">%s</button></th>",
                titles[i]);
    fputs("<th scope=\"col\">what is claimed, and what was found</th></tr></thead>\n<tbody>\n", stream);
    for (size_t i = 0; i < claims->count; ++i)
        put_claim(claims, &claims->results[i], stream);
    fputs("</tbody></table></div>\n</section>\n", stream);
}

// ---- between papers

static void put_side(const struct claims_page *page, const char *name, FILE *stream)
{
    const struct claim_result *result = claims_survey_find(page->survey, name, NULL);
    fputs("<p>", stream);
    html_text(name, stream);
    fputs(" ", stream);
    if (result)
        put_verdict(result->verdict, stream);
    else
        fputs("unknown here", stream);
    fputs("</p>\n", stream);
}

static void put_conflict(const struct claims_page *page, const struct claim_conflict *conflict, FILE *stream)
{
    fputs("<tr><th scope=\"row\">", stream);
    html_text(conflict->id, stream);
    fputs("</th><td class=\"words\">", stream);
    html_text(conflict->issue, stream);
    fputs("</td><td>", stream);
    for (size_t i = 0; i < conflict->claim_count; ++i)
        put_side(page, conflict->claims[i], stream);
    fputs("</td><td class=\"words\">", stream);
    html_text(conflict->experiment, stream);
    fputs("</td></tr>\n", stream);
}

void html_conflicts(const struct claims_page *page, FILE *stream)
{
    bool any = false;
    for (size_t i = 0; i < page->survey->conflicts->count; ++i) {
        if (!claims_page_shows_conflict(page, &page->survey->conflicts->list[i]))
            continue;
        if (!any)
            fputs(
                "<section id=\"conflicts\">\n<h2>Conflicts between claims</h2>\n<div class=\"scroll\" role=\"region\" "
                "tabindex=\"0\" aria-label=\"Conflicts\"><table class=\"text\">\n<caption>Claims that cannot all hold "
                "as "
                "general truths</caption>\n<thead><tr><th scope=\"col\">conflict</th><th scope=\"col\">issue</th><th "
                "scope=\"col\">sides</th><th scope=\"col\">what would tell</th></tr></thead>\n<tbody>\n",
                stream);
        any = true;
        put_conflict(page, &page->survey->conflicts->list[i], stream);
    }
    fputs(any ? "</tbody></table></div>\n</section>\n" : "", stream);
}
