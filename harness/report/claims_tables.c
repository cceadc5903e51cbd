// SPDX-License-Identifier: MIT
#include "report/claims_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/claims_survey.h"
#include "report/claims_words.h"
#include "report/paper_store.h"

static const char *const claim_columns[] = {
    "paper TEXT",     "id TEXT",   "tier",        "verdict TEXT",  "confidence TEXT",
    "evidence TEXT",  "held TEXT", "failed TEXT", "trials TEXT",   "statement TEXT",
    "published TEXT", "low",       "high",        "hardware TEXT", "checks TEXT",
};
static const char *const case_columns[] = {
    "paper TEXT", "id TEXT",      "place TEXT",  "test TEXT",   "title TEXT",    "value",      "low",         "high",
    "unit TEXT",  "outcome TEXT", "accept TEXT", "refute TEXT", "excluded TEXT", "flags TEXT", "trials TEXT",
};
enum {
    CLAIM_COLUMNS = sizeof claim_columns / sizeof claim_columns[0],
    CASE_COLUMNS = sizeof case_columns / sizeof case_columns[0],
};

// Rows of one table, cell after cell; NULL where there is nothing.
struct rows {
    char **cells;
    size_t count, capacity; // of cells
    bool failed;
};

static void add_text(struct rows *rows, const char *text)
{
    if (rows->count == rows->capacity) {
        const size_t capacity = rows->capacity ? 2 * rows->capacity : 256;
        char **cells = realloc(rows->cells, capacity * sizeof *cells);
        rows->failed = rows->failed || !cells;
        if (!cells)
            return;
        rows->cells = cells;
        rows->capacity = capacity;
    }
    char *copy = text ? strdup(text) : NULL;
    rows->failed = rows->failed || (text && !copy);
    rows->cells[rows->count++] = copy;
}

static void add_number(struct rows *rows, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", value);
    add_text(rows, isnan(value) ? NULL : text);
}

static void add_claim(struct rows *rows, const struct paper *paper, const struct claim_result *result)
{
    const struct claim *claim = result->claim;
    char *trials = claim_trials(result), checks[80] = "";
    for (size_t i = 0, used = 0; i < claim->check_count && used < sizeof checks; ++i)
        used += (size_t)snprintf(checks + used, sizeof checks - used, "%s%s", i ? ", " : "", claim->checks[i]);
    add_text(rows, paper->id);
    add_text(rows, claim->id);
    add_number(rows, (double)claim->tier);
    add_text(rows, claim_verdict_names[result->verdict]);
    add_text(rows, result->confidence);
    add_text(rows, result->evidence);
    add_text(rows, result->held);
    add_text(rows, result->failed);
    add_text(rows, trials ? trials : "");
    add_text(rows, claim->statement);
    add_text(rows, claim->published);
    add_number(rows, claim->low);
    add_number(rows, claim->high);
    add_text(rows, claim->hardware);
    add_text(rows, checks);
    rows->failed = rows->failed || !trials;
    free(trials);
}

static void add_case(struct rows *rows, const struct paper *paper, const struct claim_result *result,
                     const struct claim_case *at, size_t index)
{
    const struct claim_test *test = &result->claim->tests[index];
    char accept[80], refute[80] = "";
    claim_bounds_text(test->accept, false, accept, sizeof accept);
    if (test->has_refute)
        claim_bounds_text(test->refute, test->refute_outside, refute, sizeof refute);
    add_text(rows, paper->id);
    add_text(rows, result->claim->id);
    add_text(rows, at->place);
    add_text(rows, test->value);
    add_text(rows, test->title);
    add_number(rows, at->value[index]);
    add_number(rows, at->low[index]);
    add_number(rows, at->high[index]);
    add_text(rows, test->unit);
    add_text(rows, claim_outcome_names[claim_case_outcome(test, at, index)]);
    add_text(rows, accept);
    add_text(rows, refute);
    add_text(rows, at->excluded);
    add_text(rows, at->flags);
    add_text(rows, at->trials);
}

static void add_results(struct rows *claims, struct rows *cases, const struct claim_results *results)
{
    for (size_t i = 0; i < results->count; ++i) {
        const struct claim_result *result = &results->results[i];
        add_claim(claims, results->paper, result);
        for (size_t k = 0; k < result->case_count; ++k)
            for (size_t test = 0; test < result->claim->test_count; ++test)
                add_case(cases, results->paper, result, &result->cases[k], test);
    }
}

static bool load_rows(struct store *store, const char *table, const char *const *columns, size_t column_count,
                      const struct rows *rows, struct error *error)
{
    if (rows->failed)
        return error_set(error, ERROR_SYSTEM, "no memory for the claims");
    return store_load_table(store, table, columns, column_count, (const char *const *)rows->cells,
                            rows->count / column_count, error);
}

static void free_rows(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; ++i)
        free(rows->cells[i]);
    free(rows->cells);
}

bool claims_tables_load(struct store *store, const char *sql, struct error *error)
{
    if (!sql_mentions(sql, "claims") && !sql_mentions(sql, "claim_cases"))
        return true;
    struct rows claims = {.failed = false}, cases = claims;
    struct claims_survey *survey = claims_survey(store, &(struct report_options){.all = false}, error);
    for (size_t i = 0; survey && i < survey->count; ++i)
        add_results(&claims, &cases, survey->results[i]);
    const bool done = survey && load_rows(store, "claims", claim_columns, CLAIM_COLUMNS, &claims, error) &&
                      load_rows(store, "claim_cases", case_columns, CASE_COLUMNS, &cases, error);
    claims_survey_free(survey);
    free_rows(&claims);
    free_rows(&cases);
    return done;
}
