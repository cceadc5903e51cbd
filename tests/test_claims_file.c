// SPDX-License-Identifier: MIT
// Reading claims, their variants and conflicts: what is there, and what is said of mistakes.
#include <math.h>
#include <sys/stat.h>

#include "check.h"
#include "folder_support.h"
#include "report/claims/claims_file.h"
#include "report/papers/paper.h"

static const char *folder;
static char before[600];

static void put(const char *name, const char *text)
{
    folder_write_text(folder, name, text);
}

static const char variants[] = "variants:\n"
                               "  W-NAIVE: {ours: naive, title: a}\n"
                               "  F-TILE: {title: b}\n"
                               "  RR-BLOCK: {title: c}\n"
                               "  SPEC: {ours: \"traversal=speculative\", title: d}\n"
                               "  DUMMY: {ours: dummy_flops, title: e}\n";

#define CLAIM                                                                                                          \
    "claims:\n"                                                                                                        \
    "  C01:\n"                                                                                                         \
    "    words: it is faster\n"                                                                                        \
    "    where: Table 1\n"                                                                                             \
    "    statement: \"faster: always\"\n"                                                                              \
    "    variants: [W-NAIVE, SPEC, DUMMY]\n"                                                                           \
    "    published: \"2\"\n"                                                                                           \
    "    range: [1.5, 2.5]\n"                                                                                          \
    "    check: [counts, times]\n"                                                                                     \
    "    tier: 2\n"                                                                                                    \
    "    sql: one.sql\n"                                                                                               \
    "    parts:\n"                                                                                                     \
    "      - kind: literal\n"                                                                                          \
    "        text: faster\n"                                                                                           \
    "        accept: yes it is\n"                                                                                      \
    "        refute: no it is not\n"
#define TESTS CLAIM "        tests:\n"
#define VALUE_TEST TESTS "          - {value: v, accept: [1, null], refute: [null, 0.5]}\n"

static int setup(void **state)
{
    char path[200];
    if (!paper_root(before, sizeof before, &why))
        return -1;
    folder = folder_new();
    snprintf(path, sizeof path, "%s/p", folder);
    mkdir(path, 0700);
    put("p/one.sql", "SELECT 1\n");
    put("p/two.sql", "SELECT 2\n");
    return setenv("WARPSTUDY_PAPERS", folder, 1);
}

static int teardown(void **state)
{
    return setenv("WARPSTUDY_PAPERS", before, 1);
}

static struct claims *load(const char *text, struct error *error)
{
    *error = (struct error){0};
    put("variants.yaml", variants);
    put("p/claims.yaml", text);
    return claims_load("p", error);
}

TEST(test_good)
{
    struct claims *claims = load(
        "excluding: [idle, fitted]\n" VALUE_TEST
        "          - {value: w, title: the w, unit: ms, decimals: 4, accept: [-1, 2], refute_outside: [-1, null],"
        " on: most, refuted_on: any}\n"
        "      - {kind: surrogate, text: nearly, accept: e, refute: f, sql: two.sql, tests: [{value: u, accept: [1, 2],"
        " refute: [3, 4]}, {value: p, printed: [1.02, 2], direction: [1, null],"
        " refute: [null, 0.9]}]}\n"
        "  C02: {words: a, translation: b, where: c, statement: d, variants: [F-TILE, W-NAIVE, RR-BLOCK], published: e,"
        " check: [static], tier: 3, parts: [{kind: whole, accept: f, refute: g}]}\n",
        &why);
    assert_non_null(claims);
    assert_int_equal(claims->count, 2);
    assert_int_equal(claims->excluding_count, 2);
    assert_string_equal(claims->excluding[1], "fitted");
    const struct claim *first = claim_find(claims, "C01"), *second = claim_find(claims, "C02");
    assert_string_equal(first->words, "it is faster");
    assert_string_equal(first->statement, "faster: always");
    assert_string_equal(first->missing, "");
    assert_string_equal(first->checks[1], "times");
    assert_true(first->low == 1.5 && first->high == 2.5 && first->tier == 2);
    assert_string_equal(strstr(claims->folder, "/p"), "/p");
    assert_true(first->part_count == 2 && first->test_count == 4);
    assert_true(first->parts[0].decides && !first->parts[1].decides);
    assert_true(first->parts[0].count == 2 && first->parts[1].first == 2 && first->parts[1].count == 2);
    assert_string_equal(first->parts[1].text, "nearly");
    const struct claim_test *one = &first->tests[0], *two = &first->tests[1], *three = &first->tests[2];
    assert_string_equal(one->title, "v");
    assert_string_equal(one->sql, "one.sql");
    assert_string_equal(three->sql, "two.sql");
    const struct claim_test *four =
        &first->tests[3]; // each end of what is printed is widened by half of its last place
    assert_float_equal(four->accept.least, 1.015, 1e-12);
    assert_float_equal(four->accept.most, 2.5, 1e-12);
    assert_true(four->has_direction && four->direction.least == 1 && !three->has_direction);
    assert_true(one->decides && !three->decides && three->part == 1);
    assert_true(one->accept.least == 1 && one->accept.most == INFINITY);
    assert_true(one->has_refute && !one->refute_outside && one->refute.most == 0.5);
    assert_string_equal(one->on.words, "all");
    assert_string_equal(one->refuted_on.words, "all");
    assert_int_equal(one->decimals, 2);
    assert_string_equal(two->title, "the w");
    assert_true(two->refute_outside && two->refute.least == -1 && two->refute.most == INFINITY);
    assert_string_equal(two->on.words, "most");
    assert_string_equal(two->refuted_on.words, "any");
    assert_int_equal(two->decimals, 4);
    assert_string_equal(second->missing, "F-TILE, RR-BLOCK");
    assert_string_equal(second->translation, "b");
    assert_true(isnan(second->low) && second->test_count == 0 && second->parts[0].kind == KIND_WHOLE);
    assert_null(claim_find(claims, "C03"));
    claims_unload(claims);
    claims = claims_load("another", &why); // a paper without the file
    assert_non_null(claims);
    assert_int_equal(claims->count, 0);
    claims_unload(claims);
}

// A file, the line of its mistake, and parts of what is said.
struct mistake {
    const char *text;
    int line;
    const char *said, *remedy;
};

static const struct mistake mistakes[] = {
    {"claims: [C01]\n", 1, "claims must be a mapping", ""},
    {"claim: {}\n", 1, "'claims' is missing", ""},
    {"claims:\n  C01: {words: x, where: x}\n", 2, "C01: 'statement' is missing", ""},
    {CLAIM "    direktion: up\n", 17, "unknown key of C01 \"direktion\"", "statement"},
    {CLAIM "    tier: 1\n", 17, "\"tier\" is given twice", "line 10"},
    {CLAIM "  C01: {}\n", 17, "\"C01\" is given twice", "line 2"},
    {TESTS "          - {value: v, accept: [1, 2, 3], refute: [0, 0]}\n", 18, "accept: 3 values, but 2", "null"},
    {TESTS "          - {value: v, accept: [2, 1], refute: [0, 0]}\n", 18, "accept: 2 is more than 1", ""},
    {TESTS "          - {value: v, accept: [null, null], refute: [0, 0]}\n", 18, "accept: both sides are open", ""},
    {TESTS "          - {value: v, accept: [1, two], refute: [0, 0]}\n", 18, "\"two\" is not a number", ""},
    {TESTS "          - {value: v, accept: [1, nan], refute: [0, 0]}\n", 18, "\"nan\" is not a number", ""},
    {TESTS "          - {value: v, accept: 1, refute: [0, 0]}\n", 18, "accept must be a list", ""},
    {TESTS "          - {accept: [1, 2], refute: [0, 0]}\n", 18, "'value' is missing", ""},
    {TESTS "          - {value: v, refute: [0, 0]}\n", 18, "a test needs accept or printed", ""},
    {TESTS "          - {value: v, accept: [1, 2], printed: [1, 2], refute: [0, 0]}\n", 18, "and not both: 'v'", ""},
    {TESTS "          - {value: v, printed: [2, 3], direction: [1, null], refute: [0, 1]}\n", 18, "overlap", "gap"},
    {TESTS "          - {value: v, accept: [1, 2]}\n", 18, "no test of 'faster' can refute it", ""},
    {TESTS "          - {value: v, accept: [1, 2], refute: [2, 3]}\n", 18, "refute of 'v' overlap", ""},
    {TESTS "          - {value: v, accept: [1, 2], refute_outside: [1.1, 3]}\n", 18, "overlap", "gap"},
    {TESTS "          - {value: v, accept: [1, 2], refute: [3, 4], refute_outside: [0, 3]}\n", 18, "not both", ""},
    {TESTS "          - {value: v, accept: [1, 2], refute: [3, 4], on: mots}\n", 18, "'on' must be all, most, half",
     ""},
    {TESTS "          - {value: v, accept: [1, 2], on: 8 of 7}\n", 18, "'on' must be", ""},
    {TESTS "          - {value: v, accept: [1, 2], on: 0 of 7}\n", 18, "'on' must be", ""},
    {TESTS "          - {value: v, accept: [1, 2], on: 5 of 7s}\n", 18, "'on' must be", ""},
    {TESTS "          - {value: v, accept: [1, 2], refute: [3, 4], refuted_on: -1 of 7}\n", 18, "'refuted_on' must be",
     ""},
    {CLAIM "        sql: none.sql\n", 17, "there is no query", ""},
    {CLAIM "      - {kind: literal, accept: a}\n", 17, "'refute' is missing", ""},
    {CLAIM "    note: [a]\n", 17, "note must be a single value", ""},
    {CLAIM "\tx: 1\n", 17, "not YAML", "indentation"},
};

TEST(test_bad)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
        const struct mistake *row = &mistakes[i];
        refused(load(row->text, &why), row->said, row->remedy);
        if (why.line != row->line || !strstr(why.file, "/p/claims.yaml"))
            fail_msg("row %zu: %s:%d: %s (%s)", i, why.file, why.line, why.message, why.remedy);
    }
}

// The same mistakes by changing one word of a good file.
TEST(test_words)
{
    static const struct {
        const char *from, *to, *said, *remedy;
    } rows[] = {
        {"W-NAIVE", "W-NAVIE", "unknown variant of variants.yaml \"W-NAVIE\"", "W-NAIVE"},
        {"literal", "litteral", "unknown kind \"litteral\"", "literal"},
        {"literal", "surrogate", "no part of C01 decides it", "literal"},
        {"sql: one.sql", "sql: other.sql", "there is no query", ""},
        {"times]", "timse]", "unknown check \"timse\"", "times"},
        {"tier: 2", "tier: 4", "tier: 4 is out of bounds", ""},
        {"[1.5, 2.5]", "[2.5, 1.5]", "range: 2.5 is more than 1.5", ""},
        {"[W-NAIVE, SPEC, DUMMY]", "W-NAIVE", "variants must be a list", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[1400];
        const char *at = strstr(CLAIM, rows[i].from);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(strlen(CLAIM) - strlen(at)), CLAIM, rows[i].to,
                 at + strlen(rows[i].from));
        refused(load(text, &why), rows[i].said, rows[i].remedy);
        assert_int_not_equal(why.line, 0);
    }
}

TEST(test_bad_variants)
{
    static const struct mistake rows[] = {
        {"variants:\n  A: {ours: naiv, title: a}\n", 2, "neither a variant nor a parameter 'naiv'", ""},
        {"variants:\n  A: {title: a}\n  B: {ours: traversal=fast, title: b}\n", 3, "traversal", ""},
        {"variants:\n  A: {ours: traversl=speculative, title: b}\n", 2, "'traversl'", ""},
        {"variants:\n  A: {ours: naive}\n", 2, "'title' is missing", ""},
        {"variants:\n  A: {our: naive, title: a}\n", 2, "unknown key of A \"our\"", "ours"},
        {"variants: [A]\n", 1, "variants must be a mapping", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        put("p/claims.yaml", CLAIM);
        put("variants.yaml", rows[i].text);
        refused(claims_load("p", &why), rows[i].said, rows[i].remedy);
        if (why.line != rows[i].line || !strstr(why.file, "/variants.yaml"))
            fail_msg("row %zu: %s:%d: %s", i, why.file, why.line, why.message);
    }
}

TEST(test_conflicts)
{
    struct claim_conflicts *none = made(claim_conflicts_load(&why));
    assert_int_equal(none->count, 0);
    claim_conflicts_free(none);
    put("conflicts.yaml", "conflicts:\n  X01: {claims: [p-C01, q-C02], issue: which, experiment: both}\n");
    struct claim_conflicts *one = made(claim_conflicts_load(&why));
    assert_int_equal(one->count, 1);
    assert_string_equal(one->list[0].claims[1], "q-C02");
    assert_string_equal(one->list[0].experiment, "both");
    claim_conflicts_free(one);
    put("conflicts.yaml", "conflicts:\n  X01: {claims: p-C01, issue: which}\n");
    refused(claim_conflicts_load(&why), "", "");
    assert_int_equal(why.line, 2);
}

TEST_GROUP(setup, teardown)
