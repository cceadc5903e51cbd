// SPDX-License-Identifier: MIT
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "report/claims/claims_judge.h"
#include "report/claims/claims_survey.h"
#include "report/papers/prepare.h"
#include "report/papers/report_query.h"
#include "store/kept.h"
#include "report/papers/template.h"

struct gathering {
    const struct claim_results *results;
    struct claim_result *result;
    const char *sql; // of which tests
    struct error *error;
    size_t rows; // of the part of the query that is read
    bool failed;
};

// Whether `words`, joined by '|', has the word.
static bool has_word(const char *words, const char *word)
{
    char at[REPORT_FLAG_TEXT];
    while (report_next_flag(&words, at, sizeof at))
        if (!strcmp(at, word))
            return true;
    return false;
}

static void add_word(struct arena *memory, const char **words, const char *word)
{
    if (!has_word(*words, word))
        *words = arena_join(memory, *words, "|", arena_format(memory, "%s", word));
}

// What speaks against the case, each once: what the query has among `excluded`, words of `reasons` as sentences, and of its
// flags those that exclude.
static void sort_flags(const struct claim_results *results, const struct store_row *row, struct arena *memory,
                       struct claim_case *at)
{
    const struct claims *claims = results->claims;
    const struct template_source source = template_of_row(row);
    char word[REPORT_FLAG_TEXT];
    at->excluded = at->flags = "";
    for (const char *words = row_text(row, "excluded"); report_next_flag(&words, word, sizeof word);) {
        const struct claim_reason *reason = ARRAY_FIND(claims->reasons, claims->reason_count, word);
        add_word(memory, &at->excluded, reason ? template_fill(reason->text, &source, memory) : word);
    }
    for (const char *words = row_text(row, "flags"); report_next_flag(&words, word, sizeof word);) {
        bool excludes = false;
        for (size_t i = 0; i < claims->excluding_count; ++i)
            excludes = excludes || !strcmp(claims->excluding[i], word);
        add_word(memory, excludes ? &at->excluded : &at->flags, word);
    }
}

// What the tests name must be numbers.
static bool check_column(const struct claim *claim, const struct claim_test *test, const struct store_value *value,
                         struct error *error)
{
    return value->type != STORE_TEXT ||
           error_set(error, ERROR_INPUT, "column '%s' of the query of %s holds the text '%.60s'", test->value,
                     claim->id, value->text);
}

static void take_value(struct claim_result *result, const struct claim_test *test, const struct store_row *row,
                       size_t index, struct claim_case *at)
{
    char half[128];
    snprintf(half, sizeof half, "%s_half", test->value);
    result->interval[index] = row_value(row, half) != NULL;
    result->read[index] = true;
    at->value[index] = row_number(row, test->value);
    at->low[index] = at->value[index] - row_number(row, half);
    at->high[index] = at->value[index] + row_number(row, half);
}

// What names the case: the claim's templates, else the column `place`.
static bool name_case(const struct claim *claim, const struct store_row *row, struct arena *memory, const char **place,
                      struct error *error)
{
    const struct template_source source = template_of_row(row);
    *place = claim->place[0] ? template_fill(claim->place, &source, memory)
                             : arena_format(memory, "%s", row_text(row, "place"));
    if (claim->place[0] && !(*place)[0])
        return error_set(error, ERROR_INPUT, "a field of `place` of %s has no value", claim->id);
    return claim->place[0] || row_value(row, "place") ||
           error_set(error, ERROR_INPUT, "the query of %s has no column 'place'", claim->id);
}

static bool take_case(void *context, const struct store_row *row)
{
    struct gathering *gathering = context;
    struct claim_result *result = gathering->result;
    const size_t count = result->claim->test_count;
    struct claim_case *at = ARENA_ADD(&result->memory, result->cases, result->case_count);
    gathering->failed = !name_case(result->claim, row, &result->memory, &at->place, gathering->error);
    ++gathering->rows;
    sort_flags(gathering->results, row, &result->memory, at);
    at->trials = arena_format(&result->memory, "%s", row_text(row, "trials"));
    at->vote = arena_format(&result->memory, "%s", row_text(row, "vote"));
    at->literal = fmax(0, row_number(row, "literal")); // of a NaN and a number: the number
    at->elsewhere = result->claim->scenes_decide == SCENES_DOCUMENT && row_number(row, "in_document") == 0;
    at->votes = arena_new(&result->memory, count, sizeof *at->votes);
    at->sql = gathering->sql;
    at->value = arena_new(&result->memory, 3 * count, sizeof *at->value);
    at->low = at->value + count;
    at->high = at->low + count;
    for (size_t i = 0; i < 3 * count; ++i)
        at->value[i] = NAN;
    for (size_t i = 0; i < count && !gathering->failed; ++i) {
        const struct claim_test *test = &result->claim->tests[i];
        const struct store_value *value = row_value(row, test->value);
        if (strcmp(test->sql, gathering->sql) != 0 || !value)
            continue;
        gathering->failed = !check_column(result->claim, test, value, gathering->error);
        take_value(result, test, row, i, at);
    }
    return !gathering->failed;
}

// A column that a test names must be in one of the query's parts, where each of them has rows.
static bool check_read(const struct claim_result *result, const char *sql, struct error *error)
{
    for (size_t i = 0; i < result->claim->test_count; ++i) {
        const struct claim_test *test = &result->claim->tests[i];
        if (!strcmp(test->sql, sql) && !result->read[i])
            return error_set(error, ERROR_INPUT, "the query of %s has no column '%s', which one of its tests names",
                             result->claim->id, test->value);
    }
    return true;
}

static bool claims_results_measure(struct store *store, const struct claim_results *results,
                                   const struct report_options *options, struct gathering *gathering,
                                   struct error *error)
{
    char path[PATH_MAX], *text;
    if (!path_format(path, sizeof path, error, "%s/%s", results->claims->folder, gathering->sql))
        return false;
    const struct report_bindings bindings = report_bind(options);
    bool done = true, found = true, all_have_rows = true;
    for (size_t part = 0; done && (text = paper_query_text(path, part, &found, error)); ++part) {
        gathering->rows = 0;
        done = store_keep_views(store, text, error) &&
               store_query(store, text, bindings.list, take_case, gathering, error) && !gathering->failed;
        all_have_rows = all_have_rows && gathering->rows;
        free(text);
    }
    done = done && !found && (!all_have_rows || check_read(gathering->result, gathering->sql, error));
    if (!done && error && !error->file[0])
        snprintf(error->file, sizeof error->file, "%.*s", (int)sizeof error->file - 1, path);
    return done;
}

// Each query once, however many tests read it.
static bool judge(struct store *store, const struct report_options *options, struct claim_results *results,
                  const struct claim *claim, struct error *error)
{
    struct claim_result *result = &results->results[results->count++];
    result->claim = claim;
    result->interval = arena_new(&result->memory, claim->test_count, sizeof *result->interval);
    result->read = arena_new(&result->memory, claim->test_count, sizeof *result->read);
    for (size_t i = 0; i < claim->test_count; ++i) {
        struct gathering gathering = {.results = results, .result = result, .sql = claim->tests[i].sql, .error = error};
        size_t before = 0;
        while (strcmp(claim->tests[before].sql, gathering.sql) != 0)
            ++before;
        if (before == i && gathering.sql[0] && !claims_results_measure(store, results, options, &gathering, error))
            return false;
    }
    claim_decide(result);
    if (result->arithmetic)
        ++results->arithmetic;
    else
        ++results->of[result->verdict];
    claim_describe(results->paper, result);
    return true;
}

// Which claims of a paper are judged; NULL: all.
typedef bool claims_filter(const void *context, const char *paper, const char *claim);

static struct claim_results *judge_some(struct store *store, struct paper *paper, struct claims *claims,
                                        claims_filter *filter, const void *context,
                                        const struct report_options *options, struct error *error)
{
    struct claim_results *results = memory_new(1, sizeof *results);
    results->paper = paper;
    results->claims = claims;
    results->results = memory_new(claims->count, sizeof *results->results);
    for (size_t i = 0; i < claims->count; ++i)
        if ((!filter || filter(context, paper->id, claims->list[i].id)) &&
            !judge(store, options, results, &claims->list[i], error)) {
            claims_free(results);
            return NULL;
        }
    return results;
}

static bool is_claim(const void *wanted, const char *paper, const char *claim)
{
    (void)paper;
    return !strcmp(claim, wanted);
}

struct claim_results *claims_judge(struct store *store, struct paper *paper, const char *only,
                                   const struct report_options *options, struct error *error)
{
    struct claims *claims = claims_load(paper->id, error);
    return claims ? judge_some(store, paper, claims, only ? is_claim : NULL, only, options, error) : NULL;
}

void claims_free(struct claim_results *results)
{
    if (!results)
        return;
    for (size_t i = 0; i < results->count; ++i)
        arena_free(&results->results[i].memory);
    free(results->results);
    claims_unload(results->claims);
    free(results);
}

// ---- of all papers

// What is wanted of a survey.
struct surveying {
    struct claims_survey *survey;
    struct store *store;
    const char *paper; // of this one all; of others what a conflict lists beside one of its claims; NULL: all
    const struct report_options *options;
};

static bool is_of(const char *name, const char *paper)
{
    const size_t length = strlen(paper);
    return !strncmp(name, paper, length) && name[length] == '-';
}

static bool is_wanted(const void *context, const char *paper, const char *claim)
{
    const struct surveying *surveying = context;
    const struct claim_conflicts *conflicts = surveying->survey->conflicts;
    if (!surveying->paper || !strcmp(surveying->paper, paper))
        return true;
    for (size_t i = 0; i < conflicts->count; ++i) {
        const struct claim_conflict *conflict = &conflicts->list[i];
        bool concerns = false, lists = false;
        for (size_t k = 0; k < conflict->claim_count; ++k) {
            concerns = concerns || is_of(conflict->claims[k], surveying->paper);
            lists =
                lists || (is_of(conflict->claims[k], paper) && !strcmp(conflict->claims[k] + strlen(paper) + 1, claim));
        }
        if (concerns && lists)
            return true;
    }
    return false;
}

static bool has_queries(const struct surveying *surveying, const struct paper *paper, const struct claims *claims)
{
    for (size_t i = 0; i < claims->count; ++i)
        for (size_t k = 0; k < claims->list[i].test_count; ++k)
            if (claims->list[i].tests[k].sql[0] && is_wanted(surveying, paper->id, claims->list[i].id))
                return true;
    return false;
}

// Of papers that are here: one of another paper is shown as unknown.
static bool check_conflicts(const struct claim_conflicts *conflicts, const struct paper *paper,
                            const struct claims *claims, struct error *error)
{
    for (size_t i = 0; i < conflicts->count; ++i) {
        const struct claim_conflict *conflict = &conflicts->list[i];
        for (size_t k = 0; k < conflict->claim_count; ++k)
            if (is_of(conflict->claims[k], paper->id) &&
                !claim_find(claims, conflict->claims[k] + strlen(paper->id) + 1))
                return error_set(error, ERROR_INPUT, "conflicts.yaml: %s names the claim '%.60s', which does not exist",
                                 conflict->id, conflict->claims[k]);
    }
    return true;
}

static bool judge_paper(const struct surveying *surveying, const char *id, struct error *error)
{
    struct claims_survey *survey = surveying->survey;
    struct paper *paper = paper_load(id, error);
    struct claims *claims = paper ? claims_load(id, error) : NULL;
    bool done = claims && check_conflicts(survey->conflicts, paper, claims, error);
    if (done && has_queries(surveying, paper, claims) &&
        !(survey->prepared && !strcmp(survey->prepared->id, paper->id))) {
        survey->prepared = paper;
        done = report_prepare(surveying->store, paper, surveying->options, error);
    }
    struct claim_results *results =
        done ? judge_some(surveying->store, paper, claims, is_wanted, surveying, surveying->options, error) : NULL;
    if (!done)
        claims_unload(claims);
    if (results)
        *ARRAY_ADD(survey->results, survey->count) = results;
    else
        paper_free(paper);
    return results != NULL;
}

struct claims_survey *claims_survey(struct store *store, const char *paper, const struct report_options *options,
                                    const struct paper *prepared, struct error *error)
{
    struct claims_survey *survey = memory_new(1, sizeof *survey);
    const struct surveying surveying = {survey, store, paper, options};
    struct paper_names names;
    survey->conflicts = claim_conflicts_load(error);
    survey->prepared = prepared;
    bool done = survey->conflicts && paper_names(&names, error);
    if (done && paper)
        done = judge_paper(&surveying, paper, error);
    for (size_t i = 0; done && i < names.count; ++i)
        if (paper_is_published(names.list[i]) && (!paper || strcmp(paper, names.list[i]) != 0))
            done = judge_paper(&surveying, names.list[i], error);
    if (done)
        return survey;
    claims_survey_free(survey);
    return NULL;
}

void claims_survey_free(struct claims_survey *survey)
{
    if (!survey)
        return;
    for (size_t i = 0; i < survey->count; ++i) {
        struct paper *paper = survey->results[i]->paper;
        claims_free(survey->results[i]);
        paper_free(paper);
    }
    claim_conflicts_free(survey->conflicts);
    free(survey->results);
    free(survey);
}

const struct claim_results *claims_survey_paper(const struct claims_survey *survey, const char *paper)
{
    for (size_t i = 0; i < survey->count; ++i)
        if (!strcmp(survey->results[i]->paper->id, paper))
            return survey->results[i];
    return NULL;
}

const struct claim_result *claims_survey_find(const struct claims_survey *survey, const char *name,
                                              const struct claim_results **results)
{
    char paper[64];
    const char *dash = strrchr(name, '-');
    snprintf(paper, sizeof paper, "%.*s", dash ? (int)(dash - name) : 0, name);
    const struct claim_results *of = dash ? claims_survey_paper(survey, paper) : NULL;
    if (results)
        *results = of;
    for (size_t i = 0; of && i < of->count; ++i)
        if (!strcmp(of->results[i].claim->id, dash + 1))
            return &of->results[i];
    return NULL;
}
