// SPDX-License-Identifier: MIT
#include "report/claims/claims_tables.h"

#include <string.h>

#include "report/claims/claims_survey.h"
#include "report/claims/claims_words.h"
#include "report/papers/sql_rows.h"

static void add_claim(struct sql_rows *rows, const char *paper, const struct claim_result *result)
{
    const struct claim *claim = result->claim;
    SQL_ROWS_TEXTS(rows, paper, claim->id, claim_verdict_names[result->verdict], result->confidence, claim->statement,
                   claim->words, claim->where, claim->published, result->here, result->found, result->parts,
                   result->left_out, result->held, result->failed, result->trials,
                   claim_join(&rows->memory, claim->checks, claim->check_count),
                   claim_join(&rows->memory, claim->variants, claim->variant_count), claim->missing, claim->scenes,
                   claim->setting, claim->metric, claim->note);
    sql_rows_number(rows, (double)claim->tier);
    sql_rows_number(rows, claim->low);
    sql_rows_number(rows, claim->high);
    sql_rows_number(rows, result->arithmetic);
}

static void add_part(struct sql_rows *rows, const char *paper, const struct claim_result *result, size_t index)
{
    const struct claim_part *part = &result->claim->parts[index];
    SQL_ROWS_TEXTS(rows, paper, result->claim->id, claim_kind_words[part->kind], part->text,
                   claim_outcome_word(NULL, claim_part_outcome(result, part)), result->evidence[index], part->accept,
                   part->refute);
    sql_rows_number(rows, (double)index + 1);
}

static void add_case(struct sql_rows *rows, const char *paper, const struct claim_result *result,
                     const struct claim_case *at, size_t index)
{
    const struct claim_test *test = &result->claim->tests[index];
    char accept[80], refute[80] = "";
    claim_bounds_text(test->accept, false, accept, sizeof accept);
    if (test->has_refute)
        claim_bounds_text(test->refute, test->refute_outside, refute, sizeof refute);
    SQL_ROWS_TEXTS(rows, paper, result->claim->id, at->place, test->value, test->title, test->unit,
                   claim_case_word(&rows->memory, test, at, index), accept, refute, at->excluded, at->flags,
                   at->trials);
    sql_rows_number(rows, (double)test->part + 1);
    sql_rows_number(rows, at->value[index]);
    sql_rows_number(rows, at->low[index]);
    sql_rows_number(rows, at->high[index]);
}

static void add_result(struct sql_rows *rows, const char *paper, const struct claim_result *result)
{
    add_claim(&rows[0], paper, result);
    for (size_t i = 0; i < result->claim->part_count; ++i)
        add_part(&rows[1], paper, result, i);
    for (size_t i = 0; i < result->case_count; ++i)
        for (size_t k = 0; k < result->claim->test_count; ++k)
            if (!strcmp(result->cases[i].sql, result->claim->tests[k].sql))
                add_case(&rows[2], paper, result, &result->cases[i], k);
}

bool claims_tables_load(struct store *store, const char *sql, struct error *error)
{
    struct sql_rows rows[] = {
        {.table = "claims", .columns = {"paper TEXT",     "id TEXT",      "verdict TEXT",  "confidence TEXT",
                                        "statement TEXT", "words TEXT",   "place TEXT",    "published TEXT",
                                        "here TEXT",      "found TEXT",   "evidence TEXT", "left_out TEXT",
                                        "held TEXT",      "failed TEXT",  "trials TEXT",   "checks TEXT",
                                        "variants TEXT",  "missing TEXT", "scenes TEXT",   "setting TEXT",
                                        "metric TEXT",    "note TEXT",    "tier",          "low",
                                        "high",           "by_arithmetic"}},
        {.table = "claim_parts",
         .columns = {"paper TEXT", "id TEXT", "kind TEXT", "text TEXT", "outcome TEXT", "evidence TEXT", "accept TEXT",
                     "refute TEXT", "part"}},
        {.table = "claim_cases",
         .columns = {"paper TEXT", "id TEXT", "place TEXT", "test TEXT", "title TEXT", "unit TEXT", "outcome TEXT",
                     "accept TEXT", "refute TEXT", "excluded TEXT", "flags TEXT", "trials TEXT", "part", "value", "low",
                     "high"}},
        {.table = NULL},
    };
    if (!sql_rows_named(rows, sql))
        return true;
    struct claims_survey *survey = claims_survey(store, NULL, &(struct report_options){.all = false}, NULL, error);
    for (size_t i = 0; survey && i < survey->count; ++i)
        for (size_t k = 0; k < survey->results[i]->count; ++k)
            add_result(rows, survey->results[i]->paper->id, &survey->results[i]->results[k]);
    const bool done = sql_rows_load(store, rows, survey != NULL, error);
    claims_survey_free(survey);
    return done;
}
