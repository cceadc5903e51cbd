// SPDX-License-Identifier: MIT
// Verdicts of made-up cases, and the words for them.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/claims_judge.h"
#include "report/claims_words.h"
#include "report_support.h"

enum { CASES = 6 };

// One test that accepts 2 to 4, has 1 or more for its direction, and is refuted at 0.5 or less; cases by their letter:
// a accepted, d direction, r refuted, b between, w accepted by its value but not by all of its interval (then
// direction), s refuted by its value but not by all of its interval, e excluded, n not measured; capitals have an
// interval, a * after one is a flag.
struct judged {
    const char *cases;
    uint32_t on, refuted_on;
    enum claim_verdict verdict;
    const char *confidence;
};

static const struct judged judged[] = {
    {"", CLAIM_ALL, CLAIM_ALL, VERDICT_NOT_MEASURED, ""},
    {"nn", CLAIM_ALL, CLAIM_ALL, VERDICT_NOT_MEASURED, ""},
    {"e", CLAIM_ALL, CLAIM_ALL, VERDICT_INCONCLUSIVE, ""},
    {"en", CLAIM_ALL, CLAIM_ALL, VERDICT_INCONCLUSIVE, ""},
    {"a", CLAIM_ALL, CLAIM_ALL, VERDICT_REPRODUCED, "exact"},
    {"ane", CLAIM_ALL, CLAIM_ALL, VERDICT_REPRODUCED, "exact"},
    {"ad", CLAIM_ALL, CLAIM_ALL, VERDICT_DIRECTION, "exact"},
    {"ab", CLAIM_ALL, CLAIM_ALL, VERDICT_INCONCLUSIVE, "exact"},
    {"ab", CLAIM_HALF, CLAIM_ALL, VERDICT_REPRODUCED, "exact"},
    {"ab", CLAIM_MOST, CLAIM_ALL, VERDICT_INCONCLUSIVE, "exact"},
    {"aab", CLAIM_MOST, CLAIM_ALL, VERDICT_REPRODUCED, "exact"},
    {"abbb", CLAIM_ANY, CLAIM_ALL, VERDICT_REPRODUCED, "exact"},
    {"dbbb", CLAIM_ANY, CLAIM_ALL, VERDICT_DIRECTION, "exact"},
    {"adb", CLAIM_MOST, CLAIM_ALL, VERDICT_DIRECTION, "exact"},
    {"r", CLAIM_ALL, CLAIM_ALL, VERDICT_REFUTED, "exact"},
    {"re", CLAIM_ALL, CLAIM_ALL, VERDICT_REFUTED, "exact"},
    {"ra", CLAIM_ALL, CLAIM_ALL, VERDICT_INCONCLUSIVE, "exact"},
    {"ra", CLAIM_ALL, CLAIM_HALF, VERDICT_REFUTED, "exact"},
    {"ra", CLAIM_ALL, CLAIM_MOST, VERDICT_INCONCLUSIVE, "exact"},
    {"raaa", CLAIM_MOST, CLAIM_ANY, VERDICT_REFUTED, "exact"},
    {"raaa", CLAIM_MOST, CLAIM_ALL, VERDICT_REPRODUCED, "exact"},
    {"A", CLAIM_ALL, CLAIM_ALL, VERDICT_REPRODUCED, "low"},
    {"AA", CLAIM_ALL, CLAIM_ALL, VERDICT_REPRODUCED, "medium"},
    {"AAA", CLAIM_ALL, CLAIM_ALL, VERDICT_REPRODUCED, "high"},
    {"AAA*", CLAIM_ALL, CLAIM_ALL, VERDICT_REPRODUCED, "medium"},
    {"AA*A*", CLAIM_ALL, CLAIM_ALL, VERDICT_REPRODUCED, "low"},
    {"AAA*A*", CLAIM_ALL, CLAIM_ALL, VERDICT_REPRODUCED, "medium"}, // half of them
    {"AAa", CLAIM_ALL, CLAIM_ALL, VERDICT_REPRODUCED, "medium"}, // one without the interval that its column would hold
    {"AAAE*N*", CLAIM_ALL, CLAIM_ALL, VERDICT_REPRODUCED, "high"},
    {"a*a*", CLAIM_ALL, CLAIM_ALL, VERDICT_REPRODUCED, "exact"}, // counts are counts
    {"W", CLAIM_ALL, CLAIM_ALL, VERDICT_DIRECTION, "low"},
    {"WAA", CLAIM_ALL, CLAIM_ALL, VERDICT_DIRECTION, "high"},
    {"S", CLAIM_ALL, CLAIM_ALL, VERDICT_INCONCLUSIVE, "low"},
    {"SR", CLAIM_ALL, CLAIM_ALL, VERDICT_INCONCLUSIVE, "medium"},
    {"SR", CLAIM_ALL, CLAIM_ANY, VERDICT_REFUTED, "medium"},
};

// Value and half width of the letters above.
static void letter_value(char letter, double *value, double *half)
{
    static const char letters[] = "adrbwsen";
    static const double values[] = {3, 1.5, 0.25, 0.75, 3.95, 0.45, 3, NAN},
                        halves[] = {0.5, 0.25, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    const char *at = strchr(letters, letter | 0x20);
    assert_non_null(at);
    *value = values[at - letters];
    *half = letter & 0x20 ? NAN : halves[at - letters];
}

static struct claim_test one_test(uint32_t on, uint32_t refuted_on)
{
    return (struct claim_test){.value = "v",
                               .title = "figure",
                               .unit = "x",
                               .accept = {2, 4},
                               .direction = {1, INFINITY},
                               .refute = {-INFINITY, 0.5},
                               .has_direction = true,
                               .has_refute = true,
                               .on = on,
                               .refuted_on = refuted_on,
                               .decimals = 2};
}

struct made_cases {
    struct claim_case cases[CASES];
    double numbers[CASES][3];
    bool interval;
    size_t count;
};

static void make_cases(const char *letters, struct made_cases *made)
{
    static char none[] = "", trials[] = "7, 5", excluded[] = "fitted", flags[] = "noisy", place[] = "somewhere";
    *made = (struct made_cases){.count = 0};
    for (; *letters; ++letters) {
        assert_in_range(made->count, 0, CASES - 1);
        double *numbers = made->numbers[made->count], half;
        letter_value(*letters, &numbers[0], &half);
        numbers[1] = numbers[0] - half;
        numbers[2] = numbers[0] + half;
        made->interval = made->interval || !isnan(half);
        made->cases[made->count++] = (struct claim_case){.place = place,
                                                         .excluded = (*letters | 0x20) == 'e' ? excluded : none,
                                                         .flags = letters[1] == '*' ? flags : none,
                                                         .trials = trials,
                                                         .value = numbers,
                                                         .low = numbers + 1,
                                                         .high = numbers + 2};
        letters += letters[1] == '*';
    }
}

static void test_judging(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof judged / sizeof judged[0]; ++i) {
        struct claim_test test = one_test(judged[i].on, judged[i].refuted_on);
        const struct claim claim = {.id = "C01", .missing = "", .sql = "x", .tests = &test, .test_count = 1};
        struct made_cases made;
        make_cases(judged[i].cases, &made);
        struct claim_result result = {
            .claim = &claim, .cases = made.cases, .case_count = made.count, .interval = &made.interval};
        claim_decide(&result);
        if (result.verdict != judged[i].verdict || strcmp(result.confidence, judged[i].confidence) != 0)
            fail_msg("row %zu, cases \"%s\": %s, confidence \"%s\"", i, judged[i].cases,
                     claim_verdict_names[result.verdict], result.confidence);
    }
}

// Two tests: the verdicts of each, and of the claim.
static void test_several(void **state)
{
    (void)state;
    static const struct {
        double first, second; // the second should have an interval, so that one case of it says little
        enum claim_verdict verdict;
        const char *confidence;
    } rows[] = {
        {3, 3, VERDICT_REPRODUCED, "low"},        {3, 1.5, VERDICT_DIRECTION, "low"},
        {1.5, 0.75, VERDICT_INCONCLUSIVE, "low"}, {0.75, 3, VERDICT_INCONCLUSIVE, "exact"},
        {3, NAN, VERDICT_NOT_MEASURED, ""},       {NAN, 0.75, VERDICT_NOT_MEASURED, ""},
        {NAN, 0.25, VERDICT_REFUTED, "low"},      {0.25, 3, VERDICT_REFUTED, "exact"},
    };
    struct claim_test tests[] = {one_test(CLAIM_ALL, CLAIM_ALL), one_test(CLAIM_ALL, CLAIM_ALL)};
    const struct claim claim = {.id = "C01", .missing = "", .sql = "x", .tests = tests, .test_count = 2};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        static char none[] = "";
        double values[] = {rows[i].first, rows[i].second}, open[] = {NAN, NAN};
        struct claim_case at = {none, none, none, none, values, open, open};
        bool interval[2] = {false, true};
        struct claim_result result = {.claim = &claim, .cases = &at, .case_count = 1, .interval = interval};
        claim_decide(&result);
        if (result.verdict != rows[i].verdict || strcmp(result.confidence, rows[i].confidence) != 0)
            fail_msg("row %zu: %s, confidence \"%s\"", i, claim_verdict_names[result.verdict], result.confidence);
    }
}

static void test_outside(void **state)
{
    (void)state;
    struct claim_test test = one_test(CLAIM_ALL, CLAIM_ALL);
    test.refute_outside = true;
    test.refute = (struct claim_bounds){1, 5};
    static const struct {
        double value, half;
        enum claim_outcome outcome;
    } rows[] = {{0.99, NAN, CASE_REFUTED}, {1, NAN, CASE_DIRECTION}, {5, NAN, CASE_DIRECTION},
                {5.01, NAN, CASE_REFUTED}, {5.2, 0.1, CASE_REFUTED}, {5.2, 0.3, CASE_DIRECTION},
                {0.9, 0.2, CASE_BETWEEN},  {3, 0.5, CASE_ACCEPTED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        static char none[] = "";
        double value = rows[i].value, low = value - rows[i].half, high = value + rows[i].half;
        const struct claim_case at = {none, none, none, none, &value, &low, &high};
        if (claim_case_outcome(&test, &at, 0) != rows[i].outcome)
            fail_msg("row %zu: %s", i, claim_outcome_names[claim_case_outcome(&test, &at, 0)]);
    }
}

static void test_evidence(void **state)
{
    (void)state;
    struct error error = {0};
    struct paper *paper = paper_load("wald2011", &error);
    must(paper != NULL, &error);
    struct claim_test test = one_test(CLAIM_ALL, CLAIM_ALL);
    const struct claim claim = {
        .id = "C01", .missing = "", .sql = "x", .experiment = "", .tests = &test, .test_count = 1};
    struct made_cases made;
    make_cases("adren", &made);
    char first[] = "first", second[] = "second", third[] = "third";
    made.cases[0].place = first;
    made.cases[1].place = second;
    made.cases[2].place = third;
    struct claim_result result = {
        .claim = &claim, .cases = made.cases, .case_count = made.count, .interval = &made.interval};
    claim_decide(&result);
    must(claim_describe(paper, &result, &error), &error);
    assert_string_equal(result.evidence,
                        "figure: 0.25 to 3.00 x, accepted in 1 of 3 cases, the right way in 1 more, refuted "
                        "in 1; 1 case decides nothing: the scene is fitted to the published curve; "
                        "1 case without a value");
    assert_string_equal(result.held, "first");
    assert_string_equal(result.failed, "second; third");
    free(result.evidence);
    free(result.held);
    free(result.failed);
    paper_free(paper);
}

static void test_places(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"", ""},
        {"a", "a"},
        {"a; b; c; d; e; f; g", "a; b; c; d; e; f; g"},
        {"a; b; c; d; e; f; g; h", "a; b; c; d; e; f; and 2 more"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char *text = claim_some_places(rows[i][0]);
        assert_string_equal(text, rows[i][1]);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judging),  cmocka_unit_test(test_several), cmocka_unit_test(test_outside),
        cmocka_unit_test(test_evidence), cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
