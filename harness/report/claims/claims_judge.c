// SPDX-License-Identifier: MIT
#include "report/claims/claims_judge.h"

#include <math.h>

const char *const claim_verdict_names[VERDICT_COUNT] = {"reproduced", "direction only", "mixed",
                                                        "refuted",    "undecided",      "not implemented"};

const char *claim_outcome_word(const struct claim_test *test, enum claim_outcome outcome)
{
    static const char *const words[OUTCOME_COUNT] = {
        "refuted", "not implemented", "not measured", "excluded", "between the bounds", "direction only", "accepted"};
    const bool both = test && isfinite(test->accept.least) && isfinite(test->accept.most);
    return both && outcome == OUTCOME_ACCEPTED  ? "within"
           : both && outcome == OUTCOME_REFUTED ? "outside"
                                                : words[outcome];
}

static bool has_interval(const struct claim_case *at, size_t index)
{
    return !isnan(at->low[index]) && !isnan(at->high[index]);
}

static void tally_span(double value, double *least, double *most)
{
    *least = fmin(*least, value); // of a NaN and a number: the number
    *most = fmax(*most, value);
}

static void tally_add(const struct claim_case *at, size_t index, enum claim_outcome outcome, struct claim_tally *tally,
                      struct claim_tally *excluded)
{
    const double value = at->value[index];
    if (outcome == OUTCOME_EXCLUDED) {
        ++tally->excluded;
        tally_span(value, &excluded->least, &excluded->most);
    } else if (at->elsewhere) {
        ++tally->elsewhere;
        tally->agreeing += outcome == OUTCOME_ACCEPTED;
        tally_span(value, &tally->other_least, &tally->other_most);
    } else {
        tally_span(value, &tally->all_least, &tally->all_most);
    }
    if (!at->votes[index])
        return;
    ++tally->deciding;
    tally->accepted += outcome == OUTCOME_ACCEPTED;
    tally->directed += outcome >= OUTCOME_DIRECTION;
    tally->refuted += outcome == OUTCOME_REFUTED;
    tally_span(value, &tally->least, &tally->most);
}

// The value that as many votes lie below as above; of an even number the mean of the middle two.
static double votes_median(const struct claim_result *result, size_t index)
{
    double sum = 0;
    size_t votes = 0, middle = 0;
    for (size_t i = 0; i < result->case_count; ++i)
        votes += result->cases[i].votes[index];
    for (size_t i = 0; i < result->case_count; ++i) {
        size_t below = 0, equal = 0;
        for (size_t k = 0; result->cases[i].votes[index] && k < result->case_count; ++k) {
            const double difference = result->cases[k].value[index] - result->cases[i].value[index];
            below += result->cases[k].votes[index] && difference < 0;
            equal += result->cases[k].votes[index] && difference == 0;
        }
        if (equal && 2 * below <= votes && 2 * (below + equal) >= votes) {
            sum += result->cases[i].value[index];
            ++middle;
        }
    }
    return middle ? sum / (double)middle : NAN;
}

struct claim_tally claim_tally(const struct claim_result *result, size_t index)
{
    struct claim_tally tally = {.least = NAN,
                                .most = NAN,
                                .all_least = NAN,
                                .all_most = NAN,
                                .other_least = NAN,
                                .other_most = NAN},
                       excluded = tally;
    for (size_t i = 0; i < result->case_count; ++i) {
        const struct claim_case *at = &result->cases[i];
        const enum claim_outcome outcome = claim_case_outcome(&result->claim->tests[index], at, index);
        if (outcome != OUTCOME_UNMEASURED)
            tally_add(at, index, outcome, &tally, &excluded);
    }
    tally.median = votes_median(result, index);
    if (!tally.deciding) {
        tally.least = excluded.least;
        tally.most = excluded.most;
    }
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
        return tally.excluded || tally.elsewhere ? OUTCOME_EXCLUDED : OUTCOME_UNMEASURED;
    if (test->has_refute && enough(&test->refuted_on, tally.refuted, tally.deciding))
        return OUTCOME_REFUTED;
    if (enough(&test->on, tally.accepted, tally.deciding))
        return result->claim->comparable[0] ? OUTCOME_DIRECTION : OUTCOME_ACCEPTED;
    return test->has_direction && enough(&test->on, tally.directed, tally.deciding) ? OUTCOME_DIRECTION
                                                                                    : OUTCOME_BETWEEN;
}

enum claim_outcome claim_part_outcome(const struct claim_result *result, const struct claim_part *part)
{
    enum claim_outcome first = part->count ? OUTCOME_ACCEPTED : OUTCOME_UNMEASURED;
    for (size_t i = part->first; i < part->first + part->count; ++i) {
        const enum claim_outcome outcome = claim_test_outcome(result, i);
        first = outcome < first ? outcome : first;
    }
    const bool missing = part->missing[0] || (!part->count && result->claim->missing[0]);
    return missing && first == OUTCOME_UNMEASURED ? OUTCOME_MISSING : first;
}

// A cause that is named but not measured, and what does not exist here, leave a claim mixed at best. A cause that holds does not
// save what it is the cause of.
static enum claim_verdict verdict_of(const struct claim_result *result)
{
    const struct claim *claim = result->claim;
    size_t of[OUTCOME_COUNT] = {0}, decided = 0, open = 0, held = 0;
    for (size_t i = 0; i < claim->part_count; ++i) {
        const struct claim_part *part = &claim->parts[i];
        const enum claim_outcome outcome = claim_part_outcome(result, part);
        const bool unknown = outcome == OUTCOME_UNMEASURED || outcome == OUTCOME_EXCLUDED;
        if (!part->decides)
            continue;
        open += part->kind == KIND_CAUSE && unknown;
        of[outcome] += part->kind != KIND_CAUSE || !unknown;
        held += part->kind != KIND_CAUSE && outcome >= OUTCOME_DIRECTION;
        ++decided;
    }
    if (of[OUTCOME_MISSING] == decided)
        return VERDICT_NOT_IMPLEMENTED;
    if (of[OUTCOME_UNMEASURED] || of[OUTCOME_EXCLUDED] || of[OUTCOME_MISSING] + open == decided)
        return VERDICT_UNDECIDED;
    return of[OUTCOME_ACCEPTED] == decided                           ? VERDICT_REPRODUCED
           : of[OUTCOME_ACCEPTED] + of[OUTCOME_DIRECTION] == decided ? VERDICT_DIRECTION
           : of[OUTCOME_REFUTED] && !held                            ? VERDICT_REFUTED
                                                                     : VERDICT_MIXED;
}

bool claim_case_measured(const struct claim_result *result, const struct claim_case *at)
{
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (!isnan(at->value[i]))
            return true;
    return false;
}

bool claim_case_votes(const struct claim_result *result, const struct claim_case *at)
{
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (at->votes[i])
            return true;
    return false;
}

bool claim_case_decides(const struct claim_result *result, const struct claim_case *at)
{
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (result->claim->tests[i].decides && at->votes[i])
            return true;
    return false;
}

bool claim_case_holds(const struct claim_result *result, const struct claim_case *at)
{
    const struct claim_test *tests = result->claim->tests;
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (tests[i].decides && at->votes[i] && claim_case_outcome(&tests[i], at, i) != OUTCOME_ACCEPTED)
            return false;
    return true;
}

enum confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH, CONFIDENCE_EXACT };
static const char *const confidence_names[] = {"low", "medium", "high", "exact"};

// Weak: flagged, or without an interval where a measured value has one, as any time and any counter of the hardware has.
static enum confidence confidence_in(const struct claim_result *result, size_t index)
{
    const struct claim *claim = result->claim;
    const bool interval = result->interval[index] || claim_part_is_timed(&claim->parts[claim->tests[index].part]);
    size_t deciding = 0, weak = 0;
    for (size_t i = 0; i < result->case_count; ++i) {
        const struct claim_case *at = &result->cases[i];
        if (!at->votes[index])
            continue;
        ++deciding;
        weak += at->flags[0] || (interval && !has_interval(at, index));
    }
    if (!interval && !weak)
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

// Whether no case that counts names a trial.
static bool is_arithmetic(const struct claim_result *result)
{
    if (result->verdict == VERDICT_UNDECIDED || result->verdict == VERDICT_NOT_IMPLEMENTED)
        return false;
    for (size_t i = 0; i < result->case_count; ++i)
        if (claim_case_decides(result, &result->cases[i]) && result->cases[i].trials[0])
            return false;
    return true;
}

void claim_decide(struct claim_result *result)
{
    claim_vote(result);
    result->verdict = verdict_of(result);
    result->confidence = confidence_of(result);
    result->arithmetic = is_arithmetic(result);
}
