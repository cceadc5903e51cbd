// SPDX-License-Identifier: MIT
#include "report/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/claims_judge.h"
#include "report/prepare.h"
#include "report/report_query.h"
#include "base/yaml.h"

struct gathering {
    struct claim_result *result;
    size_t capacity;
    struct error *error;
    bool failed;
};

// VALUE_low, VALUE_high
static double side_of(const struct store_row *row, const char *value, const char *side)
{
    char name[128];
    snprintf(name, sizeof name, "%s_%s", value, side);
    return row_number(row, name);
}

// The columns that the claim's tests name must be there, and hold numbers.
static bool check_columns(const struct claim *claim, const struct store_row *row, struct error *error)
{
    if (!row_value(row, "place"))
        return error_set(error, ERROR_INPUT, "the query of %s has no column 'place'", claim->id);
    for (size_t i = 0; i < claim->test_count; ++i) {
        const struct store_value *value = row_value(row, claim->tests[i].value);
        if (!value)
            return error_set(error, ERROR_INPUT, "the query of %s has no column '%s', which a test of it names",
                             claim->id, claim->tests[i].value);
        if (value->type == STORE_TEXT)
            return error_set(error, ERROR_INPUT, "column '%s' of the query of %s holds the text '%.60s'",
                             claim->tests[i].value, claim->id, value->text);
    }
    return true;
}

static bool fill_case(const struct claim *claim, const struct store_row *row, struct claim_case *at,
                      struct error *error)
{
    at->place = strdup(row_text(row, "place"));
    at->excluded = strdup(row_text(row, "excluded"));
    at->flags = strdup(row_text(row, "flags"));
    at->trials = strdup(row_text(row, "trials"));
    at->value = yaml_array(3 * claim->test_count, sizeof *at->value, error);
    if (!at->place || !at->excluded || !at->flags || !at->trials)
        error_set(error, ERROR_SYSTEM, "no memory");
    if (!at->place || !at->excluded || !at->flags || !at->trials || !at->value)
        return false;
    at->low = at->value + claim->test_count;
    at->high = at->low + claim->test_count;
    for (size_t i = 0; i < claim->test_count; ++i) {
        at->value[i] = row_number(row, claim->tests[i].value);
        at->low[i] = side_of(row, claim->tests[i].value, "low");
        at->high[i] = side_of(row, claim->tests[i].value, "high");
    }
    return true;
}

static bool add_case(struct gathering *gathering, const struct store_row *row)
{
    struct claim_result *result = gathering->result;
    if (!check_columns(result->claim, row, gathering->error))
        return false;
    if (result->case_count == gathering->capacity) {
        const size_t capacity = gathering->capacity ? 2 * gathering->capacity : 16;
        struct claim_case *cases = realloc(result->cases, capacity * sizeof *cases);
        if (!cases)
            return error_set(gathering->error, ERROR_SYSTEM, "no memory");
        result->cases = cases;
        gathering->capacity = capacity;
    }
    for (size_t i = 0; i < result->claim->test_count; ++i) {
        char name[128];
        snprintf(name, sizeof name, "%s_low", result->claim->tests[i].value);
        result->interval[i] = row_value(row, name) != NULL;
    }
    struct claim_case *at = &result->cases[result->case_count++];
    *at = (struct claim_case){0};
    return fill_case(result->claim, row, at, gathering->error);
}

static bool take_case(void *context, const struct store_row *row)
{
    struct gathering *gathering = context;
    gathering->failed = !add_case(gathering, row);
    return !gathering->failed;
}

static bool measure(struct store *store, const struct report_options *options, struct claim_result *result,
                    struct error *error)
{
    const struct claim *claim = result->claim;
    if (!claim->sql[0])
        return true;
    char *text = paper_file_text(claim->sql, error);
    if (!text)
        return false;
    const struct report_bindings bindings = report_bind(options);
    struct gathering gathering = {.result = result, .error = error};
    const bool done = store_keep_views(store, text, error) &&
                      store_query(store, text, bindings.list, take_case, &gathering, error) && !gathering.failed;
    free(text);
    if (!done && error && !error->file[0])
        snprintf(error->file, sizeof error->file, "%s", claim->sql);
    return done;
}

static bool judge(struct store *store, const struct report_options *options, struct claim_results *results,
                  const struct claim *claim, struct error *error)
{
    struct claim_result *result = &results->results[results->count++];
    result->claim = claim;
    result->interval = yaml_array(claim->test_count, sizeof *result->interval, error);
    if (!result->interval || !measure(store, options, result, error))
        return false;
    claim_decide(result);
    ++results->of[result->verdict];
    return claim_describe(results->paper, result, error);
}

struct claim_results *claims_judge_loaded(struct store *store, const struct paper *paper, struct claims *claims,
                                          const struct report_options *options, struct error *error)
{
    struct claim_results *results = yaml_array(1, sizeof *results, error);
    if (!results) {
        claims_unload(claims);
        return NULL;
    }
    results->paper = paper;
    results->claims = claims;
    results->results = yaml_array(claims->count, sizeof *results->results, error);
    bool done = results->results != NULL;
    for (size_t i = 0; done && i < claims->count; ++i)
        done = judge(store, options, results, &claims->list[i], error);
    if (done)
        return results;
    claims_free(results);
    return NULL;
}

struct claim_results *claims_judge(struct store *store, const struct paper *paper, const struct report_options *options,
                                   struct error *error)
{
    struct claims *claims = claims_load(paper->id, error);
    return claims ? claims_judge_loaded(store, paper, claims, options, error) : NULL;
}

static void finish_result(struct claim_result *result)
{
    for (size_t i = 0; i < result->case_count; ++i) {
        free(result->cases[i].place);
        free(result->cases[i].excluded);
        free(result->cases[i].flags);
        free(result->cases[i].trials);
        free(result->cases[i].value);
    }
    free(result->cases);
    free(result->interval);
    free(result->evidence);
    free(result->held);
    free(result->failed);
}

void claims_free(struct claim_results *results)
{
    if (!results)
        return;
    for (size_t i = 0; results->results && i < results->count; ++i)
        finish_result(&results->results[i]);
    free(results->results);
    claims_unload(results->claims);
    free(results);
}
