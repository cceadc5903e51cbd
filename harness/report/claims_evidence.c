// SPDX-License-Identifier: MIT
// What a claim's verdict rests on, in words.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/claims_judge.h"

enum { REASONS = 12 };

// Why cases decide nothing, or were not measured, and how many of them.
struct reasons {
    char text[REASONS][200];
    size_t of[REASONS], count, cases;
};

// A footnote's first part: "underfilled: under 4 waves of warps at bounce 0 or for over half of the time (the ..." ends
// before the bracket. It must be true by itself.
static void shorten(const char *footnote, char *text, size_t size)
{
    static const char said[] = "not measured: "; // by the words around it
    if (!strncmp(footnote, said, strlen(said)))
        footnote += strlen(said);
    size_t length = strcspn(footnote, ",;(");
    while (length && footnote[length - 1] == ' ')
        --length;
    snprintf(text, size, "%.*s", (int)length, footnote);
}

static void add_reasons(const struct paper *paper, const char *flags, struct reasons *reasons)
{
    char flag[REPORT_FLAG_TEXT], text[sizeof reasons->text[0]];
    while (report_next_flag(&flags, flag, sizeof flag)) {
        shorten(paper_flag_text(paper, flag), text, sizeof text);
        size_t i = 0;
        while (i < reasons->count && strcmp(reasons->text[i], text) != 0)
            ++i;
        if (i == REASONS)
            continue;
        snprintf(reasons->text[i], sizeof reasons->text[i], "%s", text);
        reasons->count += i == reasons->count;
        ++reasons->of[i];
    }
}

static bool has_value(const struct claim_result *result, const struct claim_case *at)
{
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (!isnan(at->value[i]))
            return true;
    return false;
}

static void write_reasons(const struct reasons *reasons, const char *what, FILE *stream)
{
    if (!reasons->cases)
        return;
    fprintf(stream, "; %zu %s %s", reasons->cases, reasons->cases == 1 ? "case" : "cases", what);
    for (size_t i = 0; i < reasons->count; ++i) {
        fprintf(stream, "%s%s", i ? ", " : ": ", reasons->text[i]);
        if (reasons->of[i] != reasons->cases)
            fprintf(stream, " (%zu)", reasons->of[i]);
    }
}

static void write_left_out(const struct paper *paper, const struct claim_result *result, FILE *stream)
{
    struct reasons idle = {.count = 0}, missing = {.count = 0};
    for (size_t i = 0; i < result->case_count; ++i) {
        const struct claim_case *at = &result->cases[i];
        if (!has_value(result, at)) {
            ++missing.cases;
            add_reasons(paper, at->excluded, &missing);
            add_reasons(paper, at->flags, &missing);
        } else if (at->excluded[0]) {
            ++idle.cases;
            add_reasons(paper, at->excluded, &idle);
        }
    }
    write_reasons(&idle, idle.cases == 1 ? "decides nothing" : "decide nothing", stream);
    write_reasons(&missing, "without a value", stream);
}

static void write_test(const struct claim_result *result, size_t index, FILE *stream)
{
    const struct claim_test *test = &result->claim->tests[index];
    const struct claim_tally tally = claim_tally(result, index);
    const int decimals = (int)test->decimals;
    fprintf(stream, "%s%s:", index ? "; " : "", test->title);
    if (!tally.deciding && !tally.excluded) {
        fputs(" not measured", stream);
        return;
    }
    char least[340], most[340]; // DBL_MAX has 309 digits before the point
    snprintf(least, sizeof least, "%.*f", decimals, tally.least);
    snprintf(most, sizeof most, "%.*f", decimals, tally.most);
    fprintf(stream, " %s", least);
    if (strcmp(least, most) != 0)
        fprintf(stream, " to %s", most);
    fprintf(stream, "%s%s", test->unit[0] ? " " : "", test->unit);
    if (!tally.deciding) {
        fputs(", undecided", stream);
        return;
    }
    fprintf(stream, ", accepted in %zu of %zu %s", tally.accepted, tally.deciding,
            tally.deciding == 1 ? "case" : "cases");
    if (tally.forward > tally.accepted)
        fprintf(stream, ", the right way in %zu more", tally.forward - tally.accepted);
    if (tally.refuted)
        fprintf(stream, ", refuted in %zu", tally.refuted);
}

static void write_evidence(const struct paper *paper, const struct claim_result *result, FILE *stream)
{
    const struct claim *claim = result->claim;
    if (!claim->test_count) {
        fprintf(stream, "%s%s", claim->missing[0] ? "needs " : "no query decides it", claim->missing);
        return;
    }
    if (!result->case_count)
        fputs("no case of it in the database", stream);
    for (size_t i = 0; result->case_count && i < claim->test_count; ++i)
        write_test(result, i, stream);
    write_left_out(paper, result, stream);
    if (result->verdict == VERDICT_NOT_MEASURED && claim->experiment[0])
        fprintf(stream, "; %s measures it", claim->experiment);
}

// Places of the deciding cases that hold, or of those that do not.
static void write_places(const struct claim_result *result, bool holds, FILE *stream)
{
    const char *before = "";
    for (size_t i = 0; i < result->case_count; ++i) {
        const struct claim_case *at = &result->cases[i];
        if (!claim_case_decides(result, at) || claim_case_holds(result, at) != holds)
            continue;
        fprintf(stream, "%s%s", before, at->place);
        before = "; ";
    }
}

bool claim_describe(const struct paper *paper, struct claim_result *result, struct error *error)
{
    char **const texts[] = {&result->evidence, &result->held, &result->failed};
    for (size_t i = 0; i < 3; ++i) {
        size_t size;
        FILE *stream = open_memstream(texts[i], &size);
        if (!stream)
            return error_set(error, ERROR_SYSTEM, "no memory");
        if (i == 0)
            write_evidence(paper, result, stream);
        else
            write_places(result, i == 1, stream);
        fclose(stream);
    }
    return true;
}
