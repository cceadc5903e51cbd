// SPDX-License-Identifier: MIT
// What a claim's verdict rests on, in words.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/claims/claims_judge.h"
#include "report/claims/claims_words.h"
#include "report/papers/template.h"

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
        if (measured && !at->excluded[0] && (at->elsewhere || claim_case_votes(result, at)))
            continue;
        ++reasons->cases;
        add_reasons(paper, measured && !at->excluded[0] ? "another setting of its scene counts" : at->excluded,
                    &result->memory, reasons);
        if (!measured)
            add_reasons(paper, at->flags, &result->memory, reasons);
    }
    return join_reasons(&result->memory, join_reasons(&result->memory, "", &idle, "excluded"), &missing,
                        "without a value");
}

// "1.11 to 1.48 x"
static const char *range(struct arena *memory, const struct claim_test *test, double from, double to)
{
    char least[CLAIM_VALUE_TEXT], most[CLAIM_VALUE_TEXT];
    claim_value_text(test, from, least);
    claim_value_text(test, to, most);
    const bool one = !strcmp(least, most);
    return arena_format(memory, "%s%s%s%s%s", least, one ? "" : " to ", one ? "" : most, test->unit[0] ? " " : "",
                        test->unit);
}

// What the cases beside those that count say: " (0.9 to 1.6 x over all settings)", ", also seen on 3 other scenes ...".
static const char *beside(struct arena *memory, const struct claim_test *test, const struct claim_tally *tally)
{
    const char *text = "";
    const char *all = range(memory, test, tally->all_least, tally->all_most);
    if (tally->deciding && strcmp(all, range(memory, test, tally->least, tally->most)) != 0)
        text = arena_format(memory, " (%s over all settings)", all);
    if (tally->elsewhere)
        text = arena_format(memory, "%s, also seen in %zu case%s on other scenes: %s, %zu of them %s", text,
                            tally->elsewhere, tally->elsewhere == 1 ? "" : "s",
                            range(memory, test, tally->other_least, tally->other_most), tally->agreeing,
                            claim_outcome_word(test, OUTCOME_ACCEPTED));
    return text;
}

static const char *of_test(struct claim_result *result, size_t index)
{
    struct arena *memory = &result->memory;
    const struct claim_test *test = &result->claim->tests[index];
    const struct claim_tally tally = claim_tally(result, index);
    const char *more = beside(memory, test, &tally);
    if (!tally.deciding && !tally.excluded)
        return arena_format(memory, "%s: not measured%s", test->title, more);
    const char *text = arena_format(memory, "%s: %s", test->title, range(memory, test, tally.least, tally.most));
    if (!tally.deciding)
        return arena_format(memory, "%s, all excluded%s", text, more);
    text = arena_format(memory, "%s, %zu of %zu %s %s", text, tally.accepted, tally.deciding,
                        tally.deciding == 1 ? "case" : "cases", claim_outcome_word(test, OUTCOME_ACCEPTED));
    if (tally.directed > tally.accepted)
        text = arena_format(memory, "%s, %zu in direction only", text, tally.directed - tally.accepted);
    if (tally.refuted)
        text = arena_format(memory, "%s, %zu %s", text, tally.refuted, claim_outcome_word(test, OUTCOME_REFUTED));
    return arena_format(memory, "%s%s", text, more);
}

static const char *of_part(struct claim_result *result, const struct claim_part *part)
{
    const struct claim *claim = result->claim;
    const char *text = "", *missing = part->missing[0] ? part->missing : claim->missing;
    if (claim_part_outcome(result, part) == OUTCOME_MISSING)
        return arena_format(&result->memory, "needs %s", missing);
    if (!part->count)
        return "no query exists for it";
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

// Of the first test that decides and has a value that counts; where none has, of the first that was measured.
static const char *here(struct claim_result *result)
{
    for (int excluded = 0; excluded < 2; ++excluded)
        for (size_t i = 0; i < result->claim->test_count; ++i) {
            const struct claim_test *test = &result->claim->tests[i];
            const struct claim_tally tally = claim_tally(result, i);
            if (test->decides && !isnan(tally.least) && (excluded || tally.deciding))
                return arena_format(&result->memory, "%s: %s%s", test->title,
                                    range(&result->memory, test, tally.least, tally.most),
                                    tally.deciding ? "" : ", all excluded");
        }
    return "";
}

// What was written to a stream, which it closes. Long lists are written so: arena_join() copies what there is each time.
static const char *close_list(struct claim_result *result, FILE *stream, char **text)
{
    memory_close(stream);
    const char *list = arena_format(&result->memory, "%s", *text);
    free(*text);
    return list;
}

// Places of the deciding cases that hold, or of those that do not.
static const char *places(struct claim_result *result, bool holds)
{
    char *text;
    size_t size;
    FILE *stream = memory_stream(&text, &size);
    const char *separator = "";
    for (size_t i = 0; i < result->case_count; ++i)
        if (claim_case_decides(result, &result->cases[i]) && claim_case_holds(result, &result->cases[i]) == holds) {
            fprintf(stream, "%s%s", separator, result->cases[i].place);
            separator = "; ";
        }
    return close_list(result, stream, &text);
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
    char *text;
    size_t size;
    for (size_t i = 0; i < result->case_count; ++i) {
        const char *at = claim_case_measured(result, &result->cases[i]) ? result->cases[i].trials : "";
        while (*(at += strcspn(at, "0123456789")))
            *ARENA_ADD(&result->memory, ids, count) = strtoll(at, (char **)&at, 10);
    }
    if (count)
        qsort(ids, count, sizeof *ids, compare_ids);
    FILE *stream = memory_stream(&text, &size);
    for (size_t i = 0; i < count; ++i)
        if (!i || ids[i] != ids[i - 1])
            fprintf(stream, "%s%" PRId64, i ? ", " : "", ids[i]);
    return close_list(result, stream, &text);
}

// ---- what was found

// A field of the claim's sentence: VALUE_least, _median or _most of the cases of a test that count, VALUE_accepted or _cases.
static const char *found_field(const void *context, const char *name)
{
    static const char *const suffixes[] = {"_least", "_median", "_most", "_accepted", "_cases"};
    struct claim_result *result = (struct claim_result *)context;
    const char *suffix = strrchr(name, '_');
    for (size_t i = 0; suffix && i < result->claim->test_count; ++i) {
        const char *value = result->claim->tests[i].value;
        if (strlen(value) != (size_t)(suffix - name) || strncmp(value, name, strlen(value)) != 0)
            continue;
        const struct claim_tally tally = claim_tally(result, i);
        const double values[] = {tally.least, tally.median, tally.most, (double)tally.accepted, (double)tally.deciding};
        for (size_t k = 0; tally.deciding && k < sizeof suffixes / sizeof *suffixes; ++k)
            if (!strcmp(suffix, suffixes[k]))
                return arena_format(&result->memory, "%.17g", values[k]);
    }
    return "";
}

static const char *found(struct claim_result *result)
{
    const struct template_source source = {.text = found_field, .context = result};
    const char *comparable = result->claim->comparable;
    const char *text = template_fill(result->claim->found, &source, &result->memory);
    if (!text[0] || !comparable[0])
        return text;
    return arena_format(&result->memory, "%s Not comparable (%s): only the direction is judged.", text, comparable);
}

void claim_describe(const struct paper *paper, struct claim_result *result)
{
    result->here = here(result);
    result->found = found(result);
    describe_parts(result);
    result->left_out = left_out(paper, result);
    result->held = places(result, true);
    result->failed = places(result, false);
    result->trials = all_trials(result);
}
