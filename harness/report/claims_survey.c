// SPDX-License-Identifier: MIT
#include "report/claims_survey.h"

#include <stdlib.h>
#include <string.h>

#include "report/prepare.h"
#include "base/yaml.h"

struct surveying {
    struct claims_survey *survey;
    struct store *store;
    const struct report_options *options;
    struct error *error;
    bool failed;
};

static bool has_queries(const struct claims *claims)
{
    for (size_t i = 0; i < claims->count; ++i)
        if (claims->list[i].sql[0])
            return true;
    return false;
}

// Room for one more; the paper is the survey's from here on.
static bool keep_paper(struct claims_survey *survey, struct paper *paper, struct error *error)
{
    if (survey->count == survey->capacity) {
        const size_t capacity = survey->capacity ? 2 * survey->capacity : 8;
        struct paper **papers = realloc(survey->papers, capacity * sizeof *papers);
        if (papers)
            survey->papers = papers;
        struct claim_results **results = realloc(survey->results, capacity * sizeof *results);
        if (results)
            survey->results = results;
        if (!papers || !results) {
            paper_free(paper);
            return error_set(error, ERROR_SYSTEM, "no memory for the claims");
        }
        survey->capacity = capacity;
    }
    survey->results[survey->count] = NULL;
    survey->papers[survey->count++] = paper;
    return true;
}

static bool judge_paper(struct surveying *surveying, const char *id)
{
    struct claims_survey *survey = surveying->survey;
    struct paper *paper = paper_load(id, surveying->error);
    if (!paper || !keep_paper(survey, paper, surveying->error))
        return false;
    struct claims *claims = claims_load(id, surveying->error);
    if (!claims)
        return false;
    if (has_queries(claims) && !report_prepare(surveying->store, paper, surveying->options, surveying->error)) {
        claims_unload(claims);
        return false;
    }
    if (has_queries(claims))
        survey->prepared = paper;
    struct claim_results *results =
        claims_judge_loaded(surveying->store, paper, claims, surveying->options, surveying->error);
    survey->results[survey->count - 1] = results;
    return results != NULL;
}

static bool visit_paper(void *context, const char *id)
{
    struct surveying *surveying = context;
    surveying->failed = !judge_paper(surveying, id);
    return !surveying->failed;
}

// Of papers that are here: one of another paper is shown as unknown.
static bool check_conflicts(const struct claims_survey *survey, struct error *error)
{
    for (size_t i = 0; i < survey->conflicts->count; ++i) {
        const struct claim_conflict *conflict = &survey->conflicts->list[i];
        for (size_t k = 0; k < conflict->claim_count; ++k) {
            const struct claim_results *results;
            if (!claims_survey_find(survey, conflict->claims[k], &results) && results)
                return error_set(error, ERROR_INPUT, "conflicts.yaml: %s names the claim '%.60s', which does not exist",
                                 conflict->id, conflict->claims[k]);
        }
    }
    return true;
}

struct claims_survey *claims_survey(struct store *store, const struct report_options *options, struct error *error)
{
    struct claims_survey *survey = yaml_array(1, sizeof *survey, error);
    struct surveying surveying = {.survey = survey, .store = store, .options = options, .error = error};
    if (survey && paper_each(visit_paper, &surveying, error) && !surveying.failed &&
        (survey->conflicts = claim_conflicts_load(error)) && check_conflicts(survey, error))
        return survey;
    claims_survey_free(survey);
    return NULL;
}

void claims_survey_free(struct claims_survey *survey)
{
    if (!survey)
        return;
    for (size_t i = 0; i < survey->count; ++i) {
        claims_free(survey->results[i]);
        paper_free(survey->papers[i]);
    }
    claim_conflicts_free(survey->conflicts);
    free(survey->papers);
    free(survey->results);
    free(survey);
}

const struct claim_results *claims_survey_paper(const struct claims_survey *survey, const char *paper)
{
    for (size_t i = 0; i < survey->count; ++i)
        if (!strcmp(survey->papers[i]->id, paper))
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
