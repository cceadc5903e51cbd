// SPDX-License-Identifier: MIT
// What a claim's verdict rests on, in words.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/claims_judge.h"
#include "report/claims_words.h"

// Why cases are excluded or have no value, and how many of them.
struct reasons {
    struct reason {
        char text[200];
        size_t of;
    } * list;
    size_t count, cases;
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
    char flag[REPORT_FLAG_TEXT];
    while (report_next_flag(&flags, flag, sizeof flag)) {
        struct reason reason = {.of = 1};
        size_t i = 0;
        shorten(paper_flag_text(paper, flag), reason.text, sizeof reason.text);
        while (i < reasons->count && strcmp(reasons->list[i].text, reason.text) != 0)
            ++i;
        if (i < reasons->count)
            ++reasons->list[i].of;
        else
            *ARRAY_ADD(reasons->list, reasons->count) = reason;
    }
}

static void write_reasons(struct reasons *reasons, const char *what, const char *before, FILE *stream)
{
    if (reasons->cases)
        fprintf(stream, "%s%zu %s %s", before, reasons->cases, reasons->cases == 1 ? "case" : "cases", what);
    for (size_t i = 0; reasons->cases && i < reasons->count; ++i) {
        fprintf(stream, "%s%s", i ? ", " : ": ", reasons->list[i].text);
        if (reasons->list[i].of != reasons->cases)
            fprintf(stream, " (%zu)", reasons->list[i].of);
    }
    free(reasons->list);
}

static void write_left_out(const struct paper *paper, const struct claim_result *result, FILE *stream)
{
    struct reasons idle = {.count = 0}, missing = {.count = 0};
    for (size_t i = 0; i < result->case_count; ++i) {
        const struct claim_case *at = &result->cases[i];
        const bool measured = claim_case_measured(result, at);
        struct reasons *reasons = measured ? &idle : &missing;
        if (measured && !at->excluded[0])
            continue;
        ++reasons->cases;
        add_reasons(paper, at->excluded, reasons);
        if (!measured)
            add_reasons(paper, at->flags, reasons);
    }
    const char *between = idle.cases ? "; " : "";
    write_reasons(&idle, "excluded", "", stream);
    write_reasons(&missing, "without a value", between, stream);
}

// "1.11 to 1.48 x"
static void write_range(const struct claim_test *test, const struct claim_tally *tally, FILE *stream)
{
    char least[CLAIM_VALUE_TEXT], most[CLAIM_VALUE_TEXT];
    claim_value_text(test, tally->least, least);
    claim_value_text(test, tally->most, most);
    fputs(least, stream);
    if (strcmp(least, most) != 0)
        fprintf(stream, " to %s", most);
    fprintf(stream, "%s%s", test->unit[0] ? " " : "", test->unit);
}

static void write_test(const struct claim_result *result, size_t index, const char *before, FILE *stream)
{
    const struct claim_test *test = &result->claim->tests[index];
    const struct claim_tally tally = claim_tally(result, index);
    fprintf(stream, "%s%s: ", before, test->title);
    if (!tally.deciding && !tally.excluded) {
        fputs("not measured", stream);
        return;
    }
    write_range(test, &tally, stream);
    if (!tally.deciding) {
        fputs(", all excluded", stream);
        return;
    }
    fprintf(stream, ", %zu of %zu %s %s", tally.accepted, tally.deciding, tally.deciding == 1 ? "case" : "cases",
            claim_outcome_word(test, OUTCOME_ACCEPTED));
    if (tally.refuted)
        fprintf(stream, ", %zu %s", tally.refuted, claim_outcome_word(test, OUTCOME_REFUTED));
}

static void write_part(const struct claim_result *result, const struct claim_part *part, FILE *stream)
{
    const struct claim *claim = result->claim;
    if (!part->count && claim->missing[0])
        fprintf(stream, "needs %s", claim->missing);
    else if (!part->count)
        fputs("no query measures it", stream);
    for (size_t i = part->first; i < part->first + part->count; ++i)
        write_test(result, i, i > part->first ? "; " : "", stream);
    if (part->count && claim->experiment[0] && claim_part_outcome(result, part) == OUTCOME_UNMEASURED)
        fprintf(stream, "; %s measures it", claim->experiment);
}

static bool by_trials(const struct claim_result *result, size_t index)
{
    for (size_t i = 0; i < result->case_count; ++i)
        if (!isnan(result->cases[i].value[index]) && result->cases[i].trials[0])
            return true;
    return false;
}

// Of the first test that decides and was measured here; where none was, of the first that is arithmetic.
static void write_here(const struct claim_result *result, FILE *stream)
{
    for (int arithmetic = 0; arithmetic < 2; ++arithmetic)
        for (size_t i = 0; i < result->claim->test_count; ++i) {
            const struct claim_tally tally = claim_tally(result, i);
            if (!result->claim->tests[i].decides || isnan(tally.least) || (!arithmetic && !by_trials(result, i)))
                continue;
            write_range(&result->claim->tests[i], &tally, stream);
            return;
        }
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

void claim_describe(const struct paper *paper, struct claim_result *result)
{
    size_t size;
    FILE *stream = memory_stream(&result->here, &size);
    write_here(result, stream);
    memory_close(stream);
    stream = memory_stream(&result->left_out, &size);
    write_left_out(paper, result, stream);
    memory_close(stream);
    for (int holds = 0; holds < 2; ++holds) {
        stream = memory_stream(holds ? &result->held : &result->failed, &size);
        write_places(result, holds, stream);
        memory_close(stream);
    }
    result->evidence = memory_new(result->claim->part_count, sizeof *result->evidence);
    for (size_t i = 0; i < result->claim->part_count; ++i) {
        stream = memory_stream(&result->evidence[i], &size);
        write_part(result, &result->claim->parts[i], stream);
        memory_close(stream);
    }
}
