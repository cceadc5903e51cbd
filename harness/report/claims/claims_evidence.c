// SPDX-License-Identifier: MIT
// What a claim's verdict rests on, in words.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/claims/claims_judge.h"
#include "report/claims/claims_words.h"

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

static void add_reasons(const struct paper *paper, const char *flags, struct arena *memory, struct reasons *reasons)
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
            *ARENA_ADD(memory, reasons->list, reasons->count) = reason;
    }
}

// Behind `text`, which may be "": "3 cases excluded: fitted (2), underfilled (1)".
static const char *join_reasons(struct arena *memory, const char *text, const struct reasons *reasons, const char *what)
{
    if (!reasons->cases)
        return text;
    text = arena_join(memory, text, "; ",
                      arena_format(memory, "%zu %s %s", reasons->cases, reasons->cases == 1 ? "case" : "cases", what));
    for (size_t i = 0; i < reasons->count; ++i) {
        text = arena_join(memory, text, i ? ", " : ": ", reasons->list[i].text);
        if (reasons->list[i].of != reasons->cases)
            text = arena_format(memory, "%s (%zu)", text, reasons->list[i].of);
    }
    return text;
}

static const char *left_out(const struct paper *paper, struct claim_result *result)
{
    struct reasons idle = {.count = 0}, missing = {.count = 0};
    for (size_t i = 0; i < result->case_count; ++i) {
        const struct claim_case *at = &result->cases[i];
        const bool measured = claim_case_measured(result, at);
        struct reasons *reasons = measured ? &idle : &missing;
        if (measured && !at->excluded[0])
            continue;
        ++reasons->cases;
        add_reasons(paper, at->excluded, &result->memory, reasons);
        if (!measured)
            add_reasons(paper, at->flags, &result->memory, reasons);
    }
    return join_reasons(&result->memory, join_reasons(&result->memory, "", &idle, "excluded"), &missing,
                        "without a value");
}

// "1.11 to 1.48 x"
static const char *range(struct arena *memory, const struct claim_test *test, const struct claim_tally *tally)
{
    char least[CLAIM_VALUE_TEXT], most[CLAIM_VALUE_TEXT];
    claim_value_text(test, tally->least, least);
    claim_value_text(test, tally->most, most);
    const bool one = !strcmp(least, most);
    return arena_format(memory, "%s%s%s%s%s", least, one ? "" : " to ", one ? "" : most, test->unit[0] ? " " : "",
                        test->unit);
}

static const char *of_test(struct claim_result *result, size_t index)
{
    struct arena *memory = &result->memory;
    const struct claim_test *test = &result->claim->tests[index];
    const struct claim_tally tally = claim_tally(result, index);
    if (!tally.deciding && !tally.excluded)
        return arena_format(memory, "%s: not measured", test->title);
    const char *text = arena_format(memory, "%s: %s", test->title, range(memory, test, &tally));
    if (!tally.deciding)
        return arena_format(memory, "%s, all excluded", text);
    text = arena_format(memory, "%s, %zu of %zu %s %s", text, tally.accepted, tally.deciding,
                        tally.deciding == 1 ? "case" : "cases", claim_outcome_word(test, OUTCOME_ACCEPTED));
    return !tally.refuted
               ? text
               : arena_format(memory, "%s, %zu %s", text, tally.refuted, claim_outcome_word(test, OUTCOME_REFUTED));
}

static const char *of_part(struct claim_result *result, const struct claim_part *part)
{
    const struct claim *claim = result->claim;
    const char *text = "";
    if (!part->count)
        return claim->missing[0] ? arena_format(&result->memory, "needs %s", claim->missing) : "no query exists for it";
    for (size_t i = part->first; i < part->first + part->count; ++i)
        text = arena_join(&result->memory, text, "; ", of_test(result, i));
    const char *experiment = part->experiment[0] ? part->experiment : claim->experiment;
    if (experiment[0] && claim_part_outcome(result, part) == OUTCOME_UNMEASURED)
        text = arena_format(&result->memory, "%s; %s measures it", text, experiment);
    return text;
}

static void describe_parts(struct claim_result *result)
{
    const struct claim *claim = result->claim;
    result->evidence = arena_new(&result->memory, claim->part_count, sizeof *result->evidence);
    for (size_t i = 0; i < claim->part_count; ++i) {
        const struct claim_part *part = &claim->parts[i];
        result->evidence[i] = of_part(result, part);
        result->parts =
            arena_join(&result->memory, result->parts, "; ",
                       arena_format(&result->memory, "%s%s%s (%s)", part->text, part->text[0] ? ": " : "",
                                    claim_outcome_word(NULL, claim_part_outcome(result, part)), result->evidence[i]));
    }
}

static bool by_trials(const struct claim_result *result, size_t index)
{
    for (size_t i = 0; i < result->case_count; ++i)
        if (!isnan(result->cases[i].value[index]) && result->cases[i].trials[0])
            return true;
    return false;
}

// Of the first test that decides and was measured here; where none was, of the first that is arithmetic.
static const char *here(struct claim_result *result)
{
    for (int arithmetic = 0; arithmetic < 2; ++arithmetic)
        for (size_t i = 0; i < result->claim->test_count; ++i) {
            const struct claim_tally tally = claim_tally(result, i);
            if (result->claim->tests[i].decides && !isnan(tally.least) && (arithmetic || by_trials(result, i)))
                return range(&result->memory, &result->claim->tests[i], &tally);
        }
    return "";
}

// Places of the deciding cases that hold, or of those that do not.
static const char *places(struct claim_result *result, bool holds)
{
    const char *text = "";
    for (size_t i = 0; i < result->case_count; ++i)
        if (claim_case_decides(result, &result->cases[i]) && claim_case_holds(result, &result->cases[i]) == holds)
            text = arena_join(&result->memory, text, "; ", result->cases[i].place);
    return text;
}

static int compare_ids(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Of all cases with a value, each once.
static const char *all_trials(struct claim_result *result)
{
    size_t count = 0;
    int64_t *ids = NULL;
    const char *text = "";
    for (size_t i = 0; i < result->case_count; ++i) {
        const char *at = claim_case_measured(result, &result->cases[i]) ? result->cases[i].trials : "";
        while (*(at += strcspn(at, "0123456789")))
            *ARENA_ADD(&result->memory, ids, count) = strtoll(at, (char **)&at, 10);
    }
    if (count)
        qsort(ids, count, sizeof *ids, compare_ids);
    for (size_t i = 0; i < count; ++i)
        if (!i || ids[i] != ids[i - 1])
            text = arena_join(&result->memory, text, ", ", arena_format(&result->memory, "%" PRId64, ids[i]));
    return text;
}

void claim_describe(const struct paper *paper, struct claim_result *result)
{
    result->here = here(result);
    describe_parts(result);
    result->left_out = left_out(paper, result);
    result->held = places(result, true);
    result->failed = places(result, false);
    result->trials = all_trials(result);
}
