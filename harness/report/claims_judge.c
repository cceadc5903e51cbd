// SPDX-License-Identifier: MIT
#include "report/claims_judge.h"

#include <math.h>

const char *const claim_verdict_names[VERDICT_COUNT] = {"reproduced",   "direction only", "refuted",
                                                        "inconclusive", "not measured",   "not implemented"};
const char *const claim_outcome_names[] = {"not measured",   "decides nothing", "accepted",
                                           "direction only", "refuted",         "between the bounds"};

static bool has_interval(const struct claim_case *at, size_t index)
{
    return !isnan(at->low[index]) && !isnan(at->high[index]);
}

// All of its interval; the value alone where there is none.
static bool within(struct claim_bounds bounds, const struct claim_case *at, size_t index)
{
    const bool interval = has_interval(at, index);
    const double low = interval ? at->low[index] : at->value[index],
                 high = interval ? at->high[index] : at->value[index];
    return low >= bounds.least && high <= bounds.most;
}

static bool outside(struct claim_bounds bounds, const struct claim_case *at, size_t index)
{
    const bool interval = has_interval(at, index);
    const double low = interval ? at->low[index] : at->value[index],
                 high = interval ? at->high[index] : at->value[index];
    return high < bounds.least || low > bounds.most;
}

static bool refutes(const struct claim_test *test, const struct claim_case *at, size_t index)
{
    return test->has_refute &&
           (test->refute_outside ? outside(test->refute, at, index) : within(test->refute, at, index));
}

enum claim_outcome claim_case_outcome(const struct claim_test *test, const struct claim_case *at, size_t index)
{
    if (isnan(at->value[index]))
        return CASE_NOT_MEASURED;
    if (at->excluded[0])
        return CASE_EXCLUDED;
    if (within(test->accept, at, index))
        return CASE_ACCEPTED;
    if (refutes(test, at, index))
        return CASE_REFUTED;
    return test->has_direction && within(test->direction, at, index) ? CASE_DIRECTION : CASE_BETWEEN;
}

static void widen(struct claim_tally *tally, double value)
{
    tally->least = fmin(tally->least, value); // of a NaN and a number: the number
    tally->most = fmax(tally->most, value);
}

struct claim_tally claim_tally(const struct claim_result *result, size_t index)
{
    const struct claim_test *test = &result->claim->tests[index];
    struct claim_tally deciding = {.least = NAN, .most = NAN}, excluded = deciding;
    for (size_t i = 0; i < result->case_count; ++i) {
        const struct claim_case *at = &result->cases[i];
        const enum claim_outcome outcome = claim_case_outcome(test, at, index);
        if (outcome == CASE_NOT_MEASURED)
            continue;
        struct claim_tally *tally = outcome == CASE_EXCLUDED ? &excluded : &deciding;
        widen(tally, at->value[index]);
        ++tally->deciding;
        tally->accepted += outcome == CASE_ACCEPTED;
        tally->forward += outcome == CASE_ACCEPTED || (test->has_direction && within(test->direction, at, index));
        tally->refuted += outcome != CASE_ACCEPTED && refutes(test, at, index);
    }
    if (!deciding.deciding) {
        deciding.least = excluded.least;
        deciding.most = excluded.most;
    }
    deciding.excluded = excluded.deciding;
    return deciding;
}

static bool enough(uint32_t quantifier, size_t count, size_t of)
{
    switch ((enum claim_quantifier)quantifier) {
    case CLAIM_ALL: return count == of;
    case CLAIM_MOST: return 2 * count > of;
    case CLAIM_HALF: return 2 * count >= of;
    case CLAIM_ANY: return count > 0;
    }
    return false;
}

enum claim_verdict claim_test_verdict(const struct claim_result *result, size_t index)
{
    const struct claim_test *test = &result->claim->tests[index];
    const struct claim_tally tally = claim_tally(result, index);
    if (!tally.deciding)
        return tally.excluded ? VERDICT_INCONCLUSIVE : VERDICT_NOT_MEASURED;
    if (test->has_refute && enough(test->refuted_on, tally.refuted, tally.deciding))
        return VERDICT_REFUTED;
    if (enough(test->on, tally.accepted, tally.deciding))
        return VERDICT_REPRODUCED;
    return test->has_direction && enough(test->on, tally.forward, tally.deciding) ? VERDICT_DIRECTION
                                                                                  : VERDICT_INCONCLUSIVE;
}

static enum claim_verdict verdict_of(const struct claim_result *result)
{
    const struct claim *claim = result->claim;
    if (!claim->test_count)
        return claim->missing[0] ? VERDICT_NOT_IMPLEMENTED : VERDICT_NOT_MEASURED;
    size_t of[VERDICT_COUNT] = {0};
    for (size_t i = 0; i < claim->test_count; ++i)
        ++of[claim_test_verdict(result, i)];
    return of[VERDICT_REFUTED]        ? VERDICT_REFUTED
           : of[VERDICT_NOT_MEASURED] ? VERDICT_NOT_MEASURED
           : of[VERDICT_INCONCLUSIVE] ? VERDICT_INCONCLUSIVE
           : of[VERDICT_DIRECTION]    ? VERDICT_DIRECTION
                                      : VERDICT_REPRODUCED;
}

bool claim_case_decides(const struct claim_result *result, const struct claim_case *at)
{
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (!at->excluded[0] && !isnan(at->value[i]))
            return true;
    return false;
}

bool claim_case_holds(const struct claim_result *result, const struct claim_case *at)
{
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (!isnan(at->value[i]) && claim_case_outcome(&result->claim->tests[i], at, i) != CASE_ACCEPTED)
            return false;
    return true;
}

enum confidence { CONFIDENCE_NONE, CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH, CONFIDENCE_EXACT };
static const char *const confidence_names[] = {"", "low", "medium", "high", "exact"};

// Weak: flagged, or without an interval where a measured value has one.
static enum confidence confidence_in(const struct claim_result *result, size_t index)
{
    size_t deciding = 0, weak = 0;
    for (size_t i = 0; i < result->case_count; ++i) {
        const struct claim_case *at = &result->cases[i];
        if (at->excluded[0] || isnan(at->value[index]))
            continue;
        ++deciding;
        weak += at->flags[0] || !has_interval(at, index);
    }
    if (!deciding)
        return CONFIDENCE_NONE;
    if (!result->interval[index])
        return CONFIDENCE_EXACT;
    return deciding == 1 || 2 * weak > deciding ? CONFIDENCE_LOW
           : deciding == 2 || weak              ? CONFIDENCE_MEDIUM
                                                : CONFIDENCE_HIGH;
}

// The least of the tests that the verdict rests on: one test alone refutes a claim or leaves it open.
static const char *confidence_of(const struct claim_result *result)
{
    const bool alone = result->verdict == VERDICT_REFUTED || result->verdict == VERDICT_INCONCLUSIVE;
    if (!result->claim->test_count || result->verdict == VERDICT_NOT_MEASURED)
        return "";
    enum confidence least = CONFIDENCE_EXACT;
    for (size_t i = 0; i < result->claim->test_count; ++i) {
        const enum confidence confidence = confidence_in(result, i);
        if ((!alone || claim_test_verdict(result, i) == result->verdict) && confidence < least)
            least = confidence;
    }
    return confidence_names[least];
}

void claim_decide(struct claim_result *result)
{
    result->verdict = verdict_of(result);
    result->confidence = confidence_of(result);
}
