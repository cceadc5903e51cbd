// SPDX-License-Identifier: MIT
// Which rows of a query count for a test, so that a scene that was measured in several settings counts once.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/claims/claims_judge.h"

static bool vote_has_interval(const struct claim_case *at, size_t index)
{
    return !isnan(at->low[index]) && !isnan(at->high[index]);
}

// All of its interval, the value alone where there is none: within the bounds, or outside of them.
static bool lies(bool outside, struct claim_bounds bounds, const struct claim_case *at, size_t index)
{
    const bool interval = vote_has_interval(at, index);
    const double low = interval ? at->low[index] : at->value[index],
                 high = interval ? at->high[index] : at->value[index];
    return outside ? high < bounds.least || low > bounds.most : low >= bounds.least && high <= bounds.most;
}

enum claim_outcome claim_case_outcome(const struct claim_test *test, const struct claim_case *at, size_t index)
{
    if (isnan(at->value[index]))
        return OUTCOME_UNMEASURED;
    if (at->excluded[0])
        return OUTCOME_EXCLUDED;
    if (lies(false, test->accept, at, index))
        return OUTCOME_ACCEPTED;
    if (test->has_refute && lies(test->refute_outside, test->refute, at, index))
        return OUTCOME_REFUTED;
    return test->has_direction && lies(false, test->direction, at, index) ? OUTCOME_DIRECTION : OUTCOME_BETWEEN;
}

struct vote {
    const struct claim_test *test;
    const struct claim_case *cases;
    size_t index; // of the test
    size_t *of;   // cases that share the vote
    size_t count;
};

static bool may_vote(const struct claim_case *at, size_t index)
{
    return !isnan(at->value[index]) && !at->excluded[0] && !at->elsewhere;
}

// All that vote with case `first`; of these those nearest to the document's own setting alone.
static void vote_gather(const struct claim_result *result, size_t first, struct vote *vote)
{
    const struct claim_case *cases = result->cases;
    double literal = -INFINITY;
    vote->count = 0;
    for (size_t i = first; i < result->case_count; ++i) {
        const bool same = i == first || (cases[first].vote[0] && !strcmp(cases[first].vote, cases[i].vote));
        if (!same || !may_vote(&cases[i], vote->index))
            continue;
        if (cases[i].literal > literal)
            vote->count = 0;
        literal = fmax(literal, cases[i].literal);
        if (cases[i].literal == literal)
            vote->of[vote->count++] = i;
    }
}

static void vote_sort(struct vote *vote)
{
    for (size_t i = 1; i < vote->count; ++i)
        for (size_t k = i;
             k && vote->cases[vote->of[k]].value[vote->index] < vote->cases[vote->of[k - 1]].value[vote->index]; --k) {
            const size_t other = vote->of[k];
            vote->of[k] = vote->of[k - 1];
            vote->of[k - 1] = other;
        }
}

// How far a case lies within what accepts the claim; negative: outside.
static double vote_margin(const struct vote *vote, size_t at)
{
    const double value = vote->cases[at].value[vote->index];
    return fmin(value - vote->test->accept.least, vote->test->accept.most - value);
}

// The median; of an even number the one of the middle two that speaks less for the claim.
static size_t vote_median(const struct vote *vote)
{
    const size_t upper = vote->of[vote->count / 2], lower = vote->of[(vote->count - 1) / 2];
    const enum claim_outcome above = claim_case_outcome(vote->test, &vote->cases[upper], vote->index),
                             below = claim_case_outcome(vote->test, &vote->cases[lower], vote->index);
    const bool less = above == below ? vote_margin(vote, upper) < vote_margin(vote, lower) : above < below;
    return less ? upper : lower;
}

static bool is_first_of_vote(const struct claim_result *result, size_t at, size_t index)
{
    const char *vote = result->cases[at].vote;
    for (size_t i = 0; vote[0] && i < at; ++i)
        if (!strcmp(result->cases[i].vote, vote) && may_vote(&result->cases[i], index))
            return false;
    return may_vote(&result->cases[at], index);
}

void claim_vote(struct claim_result *result)
{
    struct vote vote = {.cases = result->cases,
                        .of = arena_new(&result->memory, result->case_count + 1, sizeof *vote.of)};
    for (size_t k = 0; k < result->claim->test_count; ++k) {
        vote.test = &result->claim->tests[k];
        vote.index = k;
        for (size_t i = 0; i < result->case_count; ++i) {
            if (!is_first_of_vote(result, i, k))
                continue;
            vote_gather(result, i, &vote);
            vote_sort(&vote);
            result->cases[vote_median(&vote)].votes[k] = true;
        }
    }
}
