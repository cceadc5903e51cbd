// SPDX-License-Identifier: MIT
#include "report/claims/claims_judge.h"

#include <math.h>

const char *const claim_verdict_names[VERDICT_COUNT] = {"reproduced", "mixed", "refuted", "undecided",
                                                        "not implemented"};

const char *claim_outcome_word(const struct claim_test *test, enum claim_outcome outcome)
{
    static const char *const words[] = {"refuted", "not measured", "excluded", "between the bounds", "accepted"};
    const bool both = test && isfinite(test->accept.least) && isfinite(test->accept.most);
    return both && outcome == OUTCOME_ACCEPTED  ? "within"
           : both && outcome == OUTCOME_REFUTED ? "outside"
                                                : words[outcome];
}

static bool has_interval(const struct claim_case *at, size_t index)
{
    return !isnan(at->low[index]) && !isnan(at->high[index]);
}

// All of its interval, the value alone where there is none: within the bounds, or outside of them.
static bool lies(bool outside, struct claim_bounds bounds, const struct claim_case *at, size_t index)
{
    const bool interval = has_interval(at, index);
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
    return test->has_refute && lies(test->refute_outside, test->refute, at, index) ? OUTCOME_REFUTED : OUTCOME_BETWEEN;
}

struct claim_tally claim_tally(const struct claim_result *result, size_t index)
{
    struct claim_tally tally = {.least = NAN, .most = NAN}, excluded = tally;
    for (size_t i = 0; i < result->case_count; ++i) {
        const struct claim_case *at = &result->cases[i];
        const enum claim_outcome outcome = claim_case_outcome(&result->claim->tests[index], at, index);
        if (outcome == OUTCOME_UNMEASURED)
            continue;
        struct claim_tally *to = outcome == OUTCOME_EXCLUDED ? &excluded : &tally;
        to->least = fmin(to->least, at->value[index]); // of a NaN and a number: the number
        to->most = fmax(to->most, at->value[index]);
        ++to->deciding;
        to->accepted += outcome == OUTCOME_ACCEPTED;
        to->refuted += outcome == OUTCOME_REFUTED;
    }
    if (!tally.deciding) {
        tally.least = excluded.least;
        tally.most = excluded.most;
    }
    tally.excluded = excluded.deciding;
    return tally;
}

static bool enough(const struct claim_share *share, size_t count, size_t of)
{
    return share->above ? count * share->of > share->count * of : count * share->of >= share->count * of;
}

static enum claim_outcome claim_test_outcome(const struct claim_result *result, size_t index)
{
    const struct claim_test *test = &result->claim->tests[index];
    const struct claim_tally tally = claim_tally(result, index);
    if (!tally.deciding)
        return tally.excluded ? OUTCOME_EXCLUDED : OUTCOME_UNMEASURED;
    if (test->has_refute && enough(&test->refuted_on, tally.refuted, tally.deciding))
        return OUTCOME_REFUTED;
    return enough(&test->on, tally.accepted, tally.deciding) ? OUTCOME_ACCEPTED : OUTCOME_BETWEEN;
}

enum claim_outcome claim_part_outcome(const struct claim_result *result, const struct claim_part *part)
{
    enum claim_outcome first = part->count ? OUTCOME_ACCEPTED : OUTCOME_UNMEASURED;
    for (size_t i = part->first; i < part->first + part->count; ++i) {
        const enum claim_outcome outcome = claim_test_outcome(result, i);
        first = outcome < first ? outcome : first;
    }
    return first;
}

static enum claim_verdict verdict_of(const struct claim_result *result)
{
    const struct claim *claim = result->claim;
    size_t of[OUTCOME_ACCEPTED + 1] = {0}, decided = 0;
    if (!claim->test_count && claim->missing[0])
        return VERDICT_NOT_IMPLEMENTED;
    for (size_t i = 0; i < claim->part_count; ++i)
        if (claim_part_decides(&claim->parts[i])) {
            ++of[claim_part_outcome(result, &claim->parts[i])];
            ++decided;
        }
    return of[OUTCOME_UNMEASURED] || of[OUTCOME_EXCLUDED] ? VERDICT_UNDECIDED
           : of[OUTCOME_ACCEPTED] == decided              ? VERDICT_REPRODUCED
           : of[OUTCOME_REFUTED] && !of[OUTCOME_ACCEPTED] ? VERDICT_REFUTED
                                                          : VERDICT_MIXED;
}

bool claim_case_measured(const struct claim_result *result, const struct claim_case *at)
{
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (!isnan(at->value[i]))
            return true;
    return false;
}

bool claim_case_decides(const struct claim_result *result, const struct claim_case *at)
{
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (!at->excluded[0] && result->claim->tests[i].decides && !isnan(at->value[i]))
            return true;
    return false;
}

bool claim_case_holds(const struct claim_result *result, const struct claim_case *at)
{
    const struct claim_test *tests = result->claim->tests;
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (tests[i].decides && !isnan(at->value[i]) && claim_case_outcome(&tests[i], at, i) != OUTCOME_ACCEPTED)
            return false;
    return true;
}

enum confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH, CONFIDENCE_EXACT };
static const char *const confidence_names[] = {"low", "medium", "high", "exact"};

// Weak: flagged, or without an interval where a measured value has one.
static enum confidence confidence_in(const struct claim_result *result, size_t index)
{
    size_t deciding = 0, weak = 0;
    for (size_t i = 0; i < result->case_count; ++i) {
        const struct claim_case *at = &result->cases[i];
        if (at->excluded[0] || isnan(at->value[index]))
            continue;
        ++deciding;
        weak += at->flags[0] || (result->interval[index] && !has_interval(at, index));
    }
    if (!result->interval[index] && !weak)
        return CONFIDENCE_EXACT;
    return deciding == 1 || 2 * weak > deciding ? CONFIDENCE_LOW
           : deciding == 2 || weak              ? CONFIDENCE_MEDIUM
                                                : CONFIDENCE_HIGH;
}

// The least of the tests that the verdict rests on: one test alone refutes.
static const char *confidence_of(const struct claim_result *result)
{
    enum confidence least = CONFIDENCE_EXACT;
    if (result->verdict == VERDICT_UNDECIDED || result->verdict == VERDICT_NOT_IMPLEMENTED)
        return "";
    for (size_t i = 0; i < result->claim->test_count; ++i) {
        const enum confidence confidence = result->claim->tests[i].decides ? confidence_in(result, i) : least;
        if ((result->verdict != VERDICT_REFUTED || claim_test_outcome(result, i) == OUTCOME_REFUTED) &&
            confidence < least)
            least = confidence;
    }
    return confidence_names[least];
}

void claim_decide(struct claim_result *result)
{
    result->verdict = verdict_of(result);
    result->confidence = confidence_of(result);
}
