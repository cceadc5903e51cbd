// SPDX-License-Identifier: MIT
// The claims of all papers: that they are there, unchanged, and that each has one verdict.
#include "check.h"
#include "ask_support.h"
#include "report/claims/claims_survey.h"
#include "report/claims/claims_tables.h"
#include "report/papers/paper_store.h"
#include "report_support.h"

// How many claims each document makes, counted apart from the files.
static const struct {
    const char *paper;
    size_t claims;
} documents[] = {{"wald2011", 39}, {"frolov2015", 26}, {"volpt2018", 22}, {"kdtree2015", 12}, {"cmu2023", 25}};

// What the papers give for their claims, entered once: numbers and the words around them.
static const char published_checksum[] = "a883db5bf00339c05e1a6968a7d69e88";

static void check_published(struct claims *const papers[5])
{
    struct hash_state *state = hash_begin();
    char text[HASH_TEXT];
    assert_non_null(state);
    for (size_t i = 0; i < 5; ++i)
        for (size_t k = 0; k < papers[i]->count; ++k) {
            char range[80];
            const struct claim *claim = &papers[i]->list[k];
            snprintf(range, sizeof range, "%g %g", claim->low, claim->high);
            hash_add_text(state, claim->published);
            hash_add_text(state, range);
        }
    hash_text(hash_end(state), text);
    if (strcmp(text, published_checksum) != 0)
        fail_msg("what is published for the claims has changed: put %s here if that is meant", text);
}

TEST(test_files)
{
    struct claims *papers[5];
    for (size_t i = 0; i < 5; ++i) {
        papers[i] = claims_load(documents[i].paper, &why);
        assert_non_null(papers[i]);
        assert_int_equal(papers[i]->count, documents[i].claims);
    }
    check_published(papers);
    struct claim_conflicts *conflicts = made(claim_conflicts_load(&why));
    assert_int_equal(conflicts->count, 9);
    for (size_t i = 0; i < conflicts->count; ++i)
        for (size_t k = 0; k < conflicts->list[i].claim_count; ++k) {
            const char *name = conflicts->list[i].claims[k], *dash = strrchr(name, '-');
            bool found = false;
            for (size_t at = 0; at < 5; ++at)
                found = found || (!strncmp(name, documents[at].paper, (size_t)(dash - name)) &&
                                  claim_find(papers[at], dash + 1));
            if (!found)
                fail_msg("%s: there is no %s", conflicts->list[i].id, name);
        }
    claim_conflicts_free(conflicts);
    for (size_t i = 0; i < 5; ++i)
        claims_unload(papers[i]);
}

// Judges every claim: once for all that is counted.
static void load_rows(struct store *store)
{
    const char *sql = "SELECT 1 FROM claims, conflict";
    need(claims_tables_load(store, sql, &why));
    need(papers_load(store, sql, &why));
}

static void check_results(struct store *store, const struct claim_results *results)
{
    size_t sum = 0, of[VERDICT_COUNT] = {0};
    for (size_t i = 0; i < results->count; ++i) {
        const struct claim_result *result = &results->results[i];
        of[result->verdict] += !result->arithmetic;
        if (!result->claim->test_count)
            assert_int_equal(result->verdict, result->claim->missing[0] ? VERDICT_NOT_IMPLEMENTED : VERDICT_UNDECIDED);
        else
            assert_int_not_equal(result->verdict, VERDICT_NOT_IMPLEMENTED);
        for (size_t k = 0; k < result->claim->part_count; ++k)
            assert_true(result->evidence[k][0]);
    }
    assert_int_equal(results->count, results->claims->count);
    for (size_t i = 0; i < VERDICT_COUNT; ++i) {
        char sql[200];
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM claims WHERE paper = '%s' AND verdict = '%s' AND NOT by_arithmetic",
                 results->paper->id, claim_verdict_names[i]);
        assert_int_equal(of[i], results->of[i]);
        assert_int_equal(ask_int(store, sql), of[i]);
        sum += of[i];
    }
    assert_int_equal(sum + results->arithmetic, results->count);
}

// On a database without any trial: no query fails, and nothing holds or fails but by arithmetic.
TEST(test_survey)
{
    struct bench bench;
    bench_open(&bench);
    struct claims_survey *survey = made(claims_survey(bench.store, NULL, &(struct report_options){0}, NULL, &why));
    assert_int_equal(survey->count, 5);
    load_rows(bench.store);
    for (size_t i = 0; i < survey->count; ++i) {
        const size_t *of = survey->results[i]->of;
        check_results(bench.store, survey->results[i]);
        assert_int_equal(of[VERDICT_UNDECIDED] + of[VERDICT_NOT_IMPLEMENTED] + survey->results[i]->arithmetic,
                         survey->results[i]->count);
    }
    assert_non_null(claims_survey_find(survey, "wald2011-C13", NULL));
    assert_null(claims_survey_find(survey, "wald2011-C99", NULL));
    assert_null(claims_survey_find(survey, "nobody1999-C01", NULL));
    claims_survey_free(survey);
    bench_close(&bench);
}

// The tables of what papers say: every claim and conflict, and what is not here is what has no verdict.
TEST(test_rows)
{
    struct bench bench;
    bench_open(&bench);
    load_rows(bench.store);
    for (size_t i = 0; i < 5; ++i) {
        char sql[200];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM claims WHERE paper = '%s'", documents[i].paper);
        assert_int_equal(ask_int(bench.store, sql), documents[i].claims);
    }
    assert_int_equal(ask_int(bench.store, "SELECT count(*) FROM conflict"), 9);
    assert_int_equal(
        ask_int(bench.store, "SELECT count(*) FROM claims WHERE verdict = 'not implemented' AND missing = ''"), 0);
    assert_int_equal(ask_int(bench.store, "SELECT count(*) FROM claims WHERE paper = 'wald2011' AND id = 'C01' AND "
                                          "low = 1.12 AND high = 1.16 AND variants = 'W-NAIVE, W-WF' AND tier = 1"),
                     1);
    bench_close(&bench);
}
