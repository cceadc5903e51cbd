// SPDX-License-Identifier: MIT
// Verdicts of made-up cases, and the words for them.
#include <math.h>

#include "check.h"
#include "report/claims/claims_judge.h"
#include "report/claims/claims_words.h"
#include "report_support.h"

enum { CASES = 6 };

// One test that accepts 2 to 4 and is refuted at 0.5 or less; cases by their letter: a accepted, r refuted, b between, w
// accepted by its value but not by all of its interval, s refuted by its value but not by all of its interval, e
// excluded, n not measured, d (where there is a direction) more than what is accepted; capitals have an interval, a * after one is a flag.
struct judged {
    const char *cases;
    const char *on, *refuted_on;
    enum claim_verdict verdict;
    const char *confidence;
};

static const struct judged judged[] = {
    {"", "all", "all", VERDICT_UNDECIDED, ""},
    {"nn", "all", "all", VERDICT_UNDECIDED, ""},
    {"e", "all", "all", VERDICT_UNDECIDED, ""},
    {"en", "all", "all", VERDICT_UNDECIDED, ""},
    {"a", "all", "all", VERDICT_REPRODUCED, "exact"},
    {"ane", "all", "all", VERDICT_REPRODUCED, "exact"},
    {"b", "all", "all", VERDICT_MIXED, "exact"},
    {"ab", "all", "all", VERDICT_MIXED, "exact"},
    {"ab", "half", "all", VERDICT_REPRODUCED, "exact"},
    {"ab", "most", "all", VERDICT_MIXED, "exact"},
    {"aab", "most", "all", VERDICT_REPRODUCED, "exact"},
    {"abbb", "any", "all", VERDICT_REPRODUCED, "exact"},
    {"bbbb", "any", "all", VERDICT_MIXED, "exact"},
    {"aab", "2 of 3", "all", VERDICT_REPRODUCED, "exact"},
    {"aabb", "2 of 3", "all", VERDICT_MIXED, "exact"},
    {"rra", "all", "2 of 3", VERDICT_REFUTED, "exact"},
    {"rraa", "all", "2 of 3", VERDICT_MIXED, "exact"},
    {"r", "all", "all", VERDICT_REFUTED, "exact"},
    {"re", "all", "all", VERDICT_REFUTED, "exact"},
    {"ra", "all", "all", VERDICT_MIXED, "exact"},
    {"ra", "all", "half", VERDICT_REFUTED, "exact"},
    {"ra", "all", "most", VERDICT_MIXED, "exact"},
    {"raaa", "most", "any", VERDICT_REFUTED, "exact"},
    {"raaa", "most", "all", VERDICT_REPRODUCED, "exact"},
    {"A", "all", "all", VERDICT_REPRODUCED, "low"},
    {"AA", "all", "all", VERDICT_REPRODUCED, "medium"},
    {"AAA", "all", "all", VERDICT_REPRODUCED, "high"},
    {"AAA*", "all", "all", VERDICT_REPRODUCED, "medium"},
    {"AA*A*", "all", "all", VERDICT_REPRODUCED, "low"},
    {"AAA*A*", "all", "all", VERDICT_REPRODUCED, "medium"}, // half of them
    {"AAa", "all", "all", VERDICT_REPRODUCED, "medium"},    // one without the interval that its column would hold
    {"AAAE*N*", "all", "all", VERDICT_REPRODUCED, "high"},
    {"a*a*", "all", "all", VERDICT_REPRODUCED, "low"}, // counts have no flags
    {"aaa*", "all", "all", VERDICT_REPRODUCED, "medium"},
    {"W", "all", "all", VERDICT_MIXED, "low"},
    {"WAA", "all", "all", VERDICT_MIXED, "high"},
    {"S", "all", "all", VERDICT_MIXED, "low"},
    {"SR", "all", "all", VERDICT_MIXED, "medium"},
    {"SR", "all", "any", VERDICT_REFUTED, "medium"},
};

// Value and half width of the letters above.
static void letter_value(char letter, double *value, double *half)
{
    static const char letters[] = "arbwsend";
    static const double values[] = {3, 0.25, 0.75, 3.95, 0.45, 3, NAN, 9},
                        halves[] = {0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    const char *at = strchr(letters, letter | 0x20);
    assert_non_null(at);
    *value = values[at - letters];
    *half = letter & 0x20 ? NAN : halves[at - letters];
}

static struct claim_test one_test(const char *on, const char *refuted_on)
{
    struct claim_test test = {.value = "v",
                              .title = "value",
                              .unit = "x",
                              .accept = {2, 4},
                              .refute = {-INFINITY, 0.5},
                              .has_refute = true,
                              .decides = true,
                              .decimals = 2};
    assert_true(claim_share_read(on, &test.on) && claim_share_read(refuted_on, &test.refuted_on));
    return test;
}

struct made_cases {
    struct claim_case cases[CASES];
    double numbers[CASES][3];
    bool votes[CASES], interval;
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
        made->cases[made->count] = (struct claim_case){.place = place,
                                                       .excluded = (*letters | 0x20) == 'e' ? excluded : none,
                                                       .flags = letters[1] == '*' ? flags : none,
                                                       .trials = trials,
                                                       .vote = none,
                                                       .votes = &made->votes[made->count],
                                                       .value = numbers,
                                                       .low = numbers + 1,
                                                       .high = numbers + 2};
        ++made->count;
        letters += letters[1] == '*';
    }
}

// A claim of that one part and test.
static struct claim one_claim(struct claim_part *part, struct claim_test *test)
{
    return (struct claim){.id = "C01",
                          .missing = "",
                          .comparable = "",
                          .found = "",
                          .experiment = "",
                          .parts = part,
                          .part_count = 1,
                          .tests = test,
                          .test_count = 1};
}

TEST(test_judging)
{
    for (size_t i = 0; i < sizeof judged / sizeof judged[0]; ++i) {
        struct claim_test test = one_test(judged[i].on, judged[i].refuted_on);
        struct claim_part part = {.missing = "", .decides = true, .count = 1};
        const struct claim claim = one_claim(&part, &test);
        struct made_cases made;
        make_cases(judged[i].cases, &made);
        struct claim_result result = {
            .claim = &claim, .cases = made.cases, .case_count = made.count, .interval = &made.interval};
        claim_decide(&result);
        if (result.verdict != judged[i].verdict || strcmp(result.confidence, judged[i].confidence) != 0)
            fail_msg("row %zu, cases \"%s\": %s, confidence \"%s\"", i, judged[i].cases,
                     claim_verdict_names[result.verdict], result.confidence);
        arena_free(&result.memory);
    }
}

// Parts, each of one test with one case: what each comes to by its letter, and the claim.
TEST(test_parts)
{
    static const struct {
        const char *cases;
        enum claim_kind kinds[3];
        enum claim_verdict verdict;
    } rows[] = {
        {"aa", {KIND_LITERAL, KIND_LITERAL}, VERDICT_REPRODUCED},
        {"ar", {KIND_LITERAL, KIND_LITERAL}, VERDICT_MIXED},
        {"ab", {KIND_LITERAL, KIND_LITERAL}, VERDICT_MIXED},
        {"bb", {KIND_LITERAL, KIND_LITERAL}, VERDICT_MIXED},
        {"rr", {KIND_LITERAL, KIND_LITERAL}, VERDICT_REFUTED},
        {"rb", {KIND_LITERAL, KIND_LITERAL}, VERDICT_REFUTED},
        {"an", {KIND_LITERAL, KIND_LITERAL}, VERDICT_UNDECIDED},
        {"rn", {KIND_LITERAL, KIND_LITERAL}, VERDICT_UNDECIDED},
        {"ae", {KIND_LITERAL, KIND_LITERAL}, VERDICT_UNDECIDED},
        {"arn", {KIND_LITERAL, KIND_SURROGATE, KIND_HARNESS}, VERDICT_REPRODUCED}, // these do not decide
        {"rab", {KIND_LITERAL, KIND_DIRECTION, KIND_TABLE}, VERDICT_REFUTED},
        {"nab", {KIND_LITERAL, KIND_EXTENSION, KIND_EXTENSION}, VERDICT_UNDECIDED},
        {"ra", {KIND_WHOLE, KIND_TABLE}, VERDICT_REFUTED},
        {"aa", {KIND_LITERAL, KIND_CAUSE}, VERDICT_REPRODUCED}, // a cause that is named counts
        {"ar", {KIND_LITERAL, KIND_CAUSE}, VERDICT_MIXED},
        {"an", {KIND_LITERAL, KIND_CAUSE}, VERDICT_MIXED}, // but does not hide what was measured
        {"ae", {KIND_LITERAL, KIND_CAUSE}, VERDICT_MIXED},
        {"rn", {KIND_LITERAL, KIND_CAUSE}, VERDICT_REFUTED},
        {"ra", {KIND_LITERAL, KIND_CAUSE}, VERDICT_REFUTED}, // nor save what it would be the cause of
        {"nn", {KIND_LITERAL, KIND_CAUSE}, VERDICT_UNDECIDED},
        {"na", {KIND_LITERAL, KIND_CAUSE}, VERDICT_UNDECIDED},
        {"am", {KIND_LITERAL, KIND_LITERAL}, VERDICT_MIXED}, // needs a variant that does not exist
        {"rm", {KIND_LITERAL, KIND_LITERAL}, VERDICT_REFUTED},
        {"nm", {KIND_LITERAL, KIND_LITERAL}, VERDICT_UNDECIDED},
        {"mm", {KIND_LITERAL, KIND_LITERAL}, VERDICT_NOT_IMPLEMENTED},
        {"dd", {KIND_LITERAL, KIND_LITERAL}, VERDICT_DIRECTION},
        {"ad", {KIND_LITERAL, KIND_LITERAL}, VERDICT_DIRECTION},
        {"bd", {KIND_LITERAL, KIND_LITERAL}, VERDICT_MIXED},
        {"rd", {KIND_LITERAL, KIND_LITERAL}, VERDICT_MIXED},
        {"nd", {KIND_LITERAL, KIND_LITERAL}, VERDICT_UNDECIDED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        static char none[] = "", excluded[] = "fitted";
        struct claim_test tests[3];
        struct claim_part parts[3];
        struct claim_case cases[3];
        double values[3][3], open[] = {NAN, NAN, NAN};
        bool interval[3] = {false}, votes[3][3] = {{false}};
        const size_t count = strlen(rows[i].cases);
        for (size_t k = 0; k < count; ++k) {
            double half;
            const bool missing = rows[i].cases[k] == 'm';
            parts[k] = (struct claim_part){
                .kind = rows[i].kinds[k], .missing = missing ? "C-OPTIX" : "", .first = k, .count = 1};
            parts[k].decides = rows[i].kinds[k] <= KIND_WHOLE || rows[i].kinds[k] == KIND_CAUSE;
            tests[k] = one_test("all", "all");
            tests[k].direction = (struct claim_bounds){1, INFINITY};
            tests[k].has_direction = true;
            tests[k].decides = parts[k].decides;
            tests[k].part = k;
            for (size_t j = 0; j < 3; ++j)
                values[k][j] = NAN;
            letter_value(missing ? 'n' : rows[i].cases[k], &values[k][k], &half);
            cases[k] = (struct claim_case){.place = none,
                                           .excluded = rows[i].cases[k] == 'e' ? excluded : none,
                                           .flags = none,
                                           .trials = none,
                                           .vote = none,
                                           .value = values[k],
                                           .low = open,
                                           .high = open,
                                           .votes = votes[k]};
        }
        const struct claim claim = {.id = "C01",
                                    .missing = "",
                                    .comparable = "",
                                    .parts = parts,
                                    .part_count = count,
                                    .tests = tests,
                                    .test_count = count};
        struct claim_result result = {.claim = &claim, .cases = cases, .case_count = count, .interval = interval};
        claim_decide(&result);
        if (result.verdict != rows[i].verdict)
            fail_msg("row %zu: %s", i, claim_verdict_names[result.verdict]);
        arena_free(&result.memory);
    }
}

TEST(test_outside)
{
    struct claim_test test = one_test("all", "all");
    test.refute_outside = true;
    test.refute = (struct claim_bounds){1, 5};
    static const struct {
        double value, half;
        enum claim_outcome outcome;
    } rows[] = {{0.99, NAN, OUTCOME_REFUTED}, {1, NAN, OUTCOME_BETWEEN},   {5, NAN, OUTCOME_BETWEEN},
                {5.01, NAN, OUTCOME_REFUTED}, {5.2, 0.1, OUTCOME_REFUTED}, {5.2, 0.3, OUTCOME_BETWEEN},
                {0.9, 0.2, OUTCOME_BETWEEN},  {3, 0.5, OUTCOME_ACCEPTED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        static char none[] = "";
        double value = rows[i].value, low = value - rows[i].half, high = value + rows[i].half;
        const struct claim_case at = {.excluded = none, .value = &value, .low = &low, .high = &high};
        if (claim_case_outcome(&test, &at, 0) != rows[i].outcome)
            fail_msg("row %zu: %s", i, claim_outcome_word(&test, claim_case_outcome(&test, &at, 0)));
    }
}

TEST(test_evidence)
{
    struct paper *paper = made(paper_load("wald2011", &why));
    struct claim_test test = one_test("all", "all");
    struct claim_part part = {.text = "of late", .experiment = "", .missing = "", .decides = true, .count = 1};
    struct claim claim = one_claim(&part, &test);
    claim.found = "{v_least to v_most:.2f} times, {v_accepted} of {v_cases} cases[, {w_least}].";
    claim.comparable = "another year's machine";
    struct made_cases made;
    make_cases("abren", &made);
    char first[] = "first", second[] = "second", third[] = "third";
    made.cases[0].place = first;
    made.cases[1].place = second;
    made.cases[2].place = third;
    struct claim_result result = {
        .claim = &claim, .cases = made.cases, .case_count = made.count, .interval = &made.interval};
    claim_decide(&result);
    claim_describe(paper, &result);
    assert_string_equal(result.here, "value: 0.25 to 3.00 x");
    assert_string_equal(result.found,
                        "0.25 to 3.00 times, 1 of 3 cases. Not comparable (another year's machine): only the "
                        "direction is judged.");
    assert_string_equal(result.evidence[0], "value: 0.25 to 3.00 x, 1 of 3 cases within, 1 outside");
    assert_string_equal(result.left_out,
                        "1 case excluded: the scene is fitted to the published curve; 1 case without a value");
    assert_string_equal(result.held, "first");
    assert_string_equal(result.failed, "second; third");
    assert_string_equal(result.parts,
                        "of late: between the bounds (value: 0.25 to 3.00 x, 1 of 3 cases within, 1 outside)");
    arena_free(&result.memory);
    paper_free(paper);
}

// One vote a scene: its literal settings, else the median of all; scenes of others beside it.
TEST(test_votes)
{
    static const struct {
        const char *cases, *votes; // letters as above; the vote of each, a capital: literal, a dot: of its own
        const char *counts;        // + counts, - does not
        double median;
    } rows[] = {
        {"ab", "..", "++", (3 + 0.75) / 2}, {"abr", "ppp", "-+-", 0.75},
        {"abrd", "ppqq", "-++-", 0.5},      {"ba", "pp", "+-", 0.75},
        {"rba", "ppP", "--+", 3},           {"rdda", "PpqQ", "+--+", (0.25 + 3) / 2},
        {"ena", "ppp", "--+", 3},           {"arbrar", "pppppp", "-----+", 0.25},
        {"aw", "pp", "-+", 3.95}, // both accepted, and up to 4
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        struct claim_test test = one_test("all", "all");
        struct claim_part part = {.missing = "", .decides = true, .count = 1};
        const struct claim claim = one_claim(&part, &test);
        struct made_cases made;
        char votes[CASES][2] = {""};
        make_cases(rows[i].cases, &made);
        for (size_t k = 0; k < made.count; ++k) {
            votes[k][0] = rows[i].votes[k] == '.' ? '\0' : (char)(rows[i].votes[k] | 0x20);
            made.cases[k].vote = votes[k];
            made.cases[k].literal = rows[i].votes[k] != '.' && !(rows[i].votes[k] & 0x20);
        }
        struct claim_result result = {
            .claim = &claim, .cases = made.cases, .case_count = made.count, .interval = &made.interval};
        claim_decide(&result);
        for (size_t k = 0; k < made.count; ++k)
            if (made.votes[k] != (rows[i].counts[k] == '+'))
                fail_msg("row %zu: case %zu %s", i, k, made.votes[k] ? "counts" : "does not count");
        assert_float_equal(claim_tally(&result, 0).median, rows[i].median, 1e-12);
        arena_free(&result.memory);
    }
}

TEST(test_elsewhere)
{
    struct paper *paper = made(paper_load("wald2011", &why));
    struct claim_test test = one_test("all", "any");
    struct claim_part part = {.text = "", .experiment = "", .missing = "", .decides = true, .count = 1};
    const struct claim claim = one_claim(&part, &test);
    struct made_cases made;
    make_cases("aara", &made);
    made.cases[2].elsewhere = made.cases[3].elsewhere = true;
    struct claim_result result = {
        .claim = &claim, .cases = made.cases, .case_count = made.count, .interval = &made.interval};
    claim_decide(&result);
    claim_describe(paper, &result);
    assert_int_equal(result.verdict, VERDICT_REPRODUCED);
    assert_string_equal(result.evidence[0],
                        "value: 3.00 x, 2 of 2 cases within, also seen in 2 cases on other scenes: 0.25 "
                        "to 3.00 x, 1 of them within");
    assert_string_equal(claim_case_word(&result.memory, &test, &made.cases[2], 0), "outside, also seen");
    arena_free(&result.memory);
    paper_free(paper);
}

// What decides, and by which kind of evidence.
TEST(test_basis)
{
    static const char *const times[] = {"times"}, *const counts[] = {"counts", "static"};
    static char none[] = "";
    struct claim_test test = one_test("all", "all");
    struct claim_part part = {
        .missing = "", .decides = true, .checks = (const char **)times, .check_count = 1, .count = 1};
    struct claim claim = one_claim(&part, &test);
    struct made_cases made;
    make_cases("aaa", &made);
    struct claim_result result = {
        .claim = &claim, .cases = made.cases, .case_count = made.count, .interval = &made.interval};
    claim_decide(&result);
    assert_string_equal(result.confidence, "low"); // times without an interval
    assert_false(result.arithmetic);
    part.checks = (const char **)counts;
    part.check_count = 2;
    for (size_t i = 0; i < made.count; ++i)
        made.cases[i].trials = none;
    claim_decide(&result);
    assert_string_equal(result.confidence, "exact");
    assert_true(result.arithmetic); // no trial is behind it
    claim.comparable = "other machines";
    claim_decide(&result);
    assert_int_equal(result.verdict, VERDICT_DIRECTION);
    arena_free(&result.memory);
}

// As many digits as show on which side of a bound a value lies.
TEST(test_digits)
{
    const struct claim_test test = one_test("all", "all"); // 2 to 4, refuted at most 0.5
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {3, "3.00"},      {1.999, "1.999"}, {2.0004, "2.0004"},     {2, "2.00"}, {4.001, "4.001"}, {0.5, "0.50"},
        {0.504, "0.504"}, {1.994, "1.99"},  {1.9999999, "2.00000"}, {NAN, "-"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[CLAIM_VALUE_TEXT];
        claim_value_text(&test, rows[i].value, text);
        assert_string_equal(text, rows[i].text);
    }
}

TEST(test_places)
{
    static const char *const rows[][2] = {
        {"", ""},
        {"a", "a"},
        {"a; b; c; d; e; f; g", "a; b; c; d; e; f; g"},
        {"a; b; c; d; e; f; g; h", "a; b; c; d; e; f; and 2 more"},
    };
    struct arena memory = {NULL};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        assert_string_equal(claim_some_places(&memory, rows[i][0]), rows[i][1]);
    arena_free(&memory);
}
