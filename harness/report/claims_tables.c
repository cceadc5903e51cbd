// SPDX-License-Identifier: MIT
#include "report/claims_tables.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/claims_survey.h"
#include "report/claims_words.h"
#include "report/paper_store.h"

// A table in the making, cell after cell; NULL where there is nothing.
struct rows {
    const char *table;
    const char *columns[28]; // end with NULL
    char **cells;
    size_t count; // of cells
};

static void add_text(struct rows *rows, const char *text)
{
    *ARRAY_ADD(rows->cells, rows->count) = memory_copy(text);
}

static void add_texts(struct rows *rows, size_t count, const char *const *texts)
{
    for (size_t i = 0; i < count; ++i)
        add_text(rows, texts[i]);
}
#define ADD_TEXTS(rows, ...)                                                                                           \
    add_texts(rows, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (const char *const[]){__VA_ARGS__})

static void add_number(struct rows *rows, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", value);
    add_text(rows, isnan(value) ? NULL : text);
}

static void add_claim(struct rows *rows, const char *paper, const struct claim_result *result)
{
    const struct claim *claim = result->claim;
    char *trials = claim_trials(result), *evidence = claim_evidence(result),
         *variants = claim_join(claim->variants, claim->variant_count),
         *checks = claim_join(claim->checks, claim->check_count);
    ADD_TEXTS(rows, paper, claim->id, claim_verdict_names[result->verdict], result->confidence, claim->statement,
              claim->words, claim->where, claim->published, result->here, evidence, result->left_out, result->held,
              result->failed, trials, checks, variants, claim->missing, claim->scenes, claim->setting, claim->metric,
              claim->note);
    add_number(rows, (double)claim->tier);
    add_number(rows, claim->low);
    add_number(rows, claim->high);
    free(trials);
    free(evidence);
    free(checks);
    free(variants);
}

static void add_part(struct rows *rows, const char *paper, const struct claim_result *result, size_t index)
{
    const struct claim_part *part = &result->claim->parts[index];
    ADD_TEXTS(rows, paper, result->claim->id, claim_kind_words[part->kind], part->text,
              claim_outcome_word(NULL, claim_part_outcome(result, part)), result->evidence[index], part->accept,
              part->refute);
    add_number(rows, (double)index + 1);
}

static void add_case(struct rows *rows, const char *paper, const struct claim_result *result,
                     const struct claim_case *at, size_t index)
{
    const struct claim_test *test = &result->claim->tests[index];
    char accept[80], refute[80] = "";
    claim_bounds_text(test->accept, false, accept, sizeof accept);
    if (test->has_refute)
        claim_bounds_text(test->refute, test->refute_outside, refute, sizeof refute);
    ADD_TEXTS(rows, paper, result->claim->id, at->place, test->value, test->title, test->unit,
              claim_outcome_word(test, claim_case_outcome(test, at, index)), accept, refute, at->excluded, at->flags,
              at->trials);
    add_number(rows, (double)test->part + 1);
    add_number(rows, at->value[index]);
    add_number(rows, at->low[index]);
    add_number(rows, at->high[index]);
}

static void add_result(struct rows *rows, const char *paper, const struct claim_result *result)
{
    add_claim(&rows[0], paper, result);
    for (size_t i = 0; i < result->claim->part_count; ++i)
        add_part(&rows[1], paper, result, i);
    for (size_t i = 0; i < result->case_count; ++i)
        for (size_t k = 0; k < result->claim->test_count; ++k)
            if (!strcmp(result->cases[i].sql, result->claim->tests[k].sql))
                add_case(&rows[2], paper, result, &result->cases[i], k);
}

static bool load_rows(struct store *store, struct rows *rows, bool done, struct error *error)
{
    size_t columns = 1; // at least
    while (rows->columns[columns])
        ++columns;
    assert(rows->count % columns == 0);
    done = done && store_load_table(store, rows->table, rows->columns, columns, (const char *const *)rows->cells,
                                    rows->count / columns, error);
    for (size_t i = 0; i < rows->count; ++i)
        free(rows->cells[i]);
    free(rows->cells);
    return done;
}

bool claims_tables_load(struct store *store, const char *sql, struct error *error)
{
    struct rows rows[] = {
        {.table = "claims", .columns = {"paper TEXT",     "id TEXT",       "verdict TEXT",  "confidence TEXT",
                                        "statement TEXT", "words TEXT",    "place TEXT",    "published TEXT",
                                        "here TEXT",      "evidence TEXT", "left_out TEXT", "held TEXT",
                                        "failed TEXT",    "trials TEXT",   "checks TEXT",   "variants TEXT",
                                        "missing TEXT",   "scenes TEXT",   "setting TEXT",  "metric TEXT",
                                        "note TEXT",      "tier",          "low",           "high"}},
        {.table = "claim_parts",
         .columns = {"paper TEXT", "id TEXT", "kind TEXT", "text TEXT", "outcome TEXT", "evidence TEXT", "accept TEXT",
                     "refute TEXT", "part"}},
        {.table = "claim_cases",
         .columns = {"paper TEXT", "id TEXT", "place TEXT", "test TEXT", "title TEXT", "unit TEXT", "outcome TEXT",
                     "accept TEXT", "refute TEXT", "excluded TEXT", "flags TEXT", "trials TEXT", "part", "value", "low",
                     "high"}},
    };
    enum { TABLES = sizeof rows / sizeof rows[0] };
    bool named = false;
    for (size_t i = 0; i < TABLES; ++i)
        named = named || sql_mentions(sql, rows[i].table);
    if (!named)
        return true;
    struct claims_survey *survey = claims_survey(store, &(struct report_options){.all = false}, error);
    bool done = survey != NULL;
    for (size_t i = 0; survey && i < survey->count; ++i)
        for (size_t k = 0; k < survey->results[i]->count; ++k)
            add_result(rows, survey->results[i]->paper->id, &survey->results[i]->results[k]);
    for (size_t i = 0; i < TABLES; ++i)
        done = load_rows(store, &rows[i], done, error);
    claims_survey_free(survey);
    return done;
}
