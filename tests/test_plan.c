// SPDX-License-Identifier: MIT
// The sweep expanded: products, clauses, derived columns, order, and what expressions may not do.
#include "check.h"
#include "frame/variant.h"
#include "plan/plan.h"
#include "plan/plan_check.h"

static struct experiment *experiment;
static struct plan *made;
static bool (*stop)(void);

static int forget_plan(void **state)
{
    plan_close(made);
    experiment_free(experiment);
    made = NULL;
    experiment = NULL;
    return 0;
}

// The experiment stays: clauses of the summary point into it.
static bool plan(const char *text, struct plan_summary *summary, struct error *error)
{
    forget_plan(NULL);
    *error = (struct error){0};
    experiment = experiment_parse("try.yaml", text, strlen(text), error);
    if (!experiment)
        fail_msg("%d: %s", error->line, error->message);
    made = plan_make(experiment, "emulator", stop, summary, error);
    return made;
}

static void expand(const char *text, struct plan_summary *summary)
{
    need(plan(text, summary, &why));
}

struct rows {
    struct trial_row row[512];
    size_t count;
};

static bool keep(void *context, const struct trial_row *row)
{
    struct rows *rows = context;
    rows->row[rows->count++] = *row;
    return rows->count < 512;
}

static struct rows read_plan(void)
{
    static struct rows rows;
    rows.count = 0;
    assert_true(plan_rows(made, keep, &rows, &why));
    return rows;
}

#define HEAD "fixed: {scene: open, width: 320, device: auto}\n"

TEST(multiplies_and_filters)
{
    struct plan_summary summary;
    expand(HEAD "sweep:\n  variant: [naive, tiled_shared]\n  block: [32, 64, 96]\n  tile_m: [1, 2]\n"
                "where:\n  - block < 96\n  - block = 32 OR variant LIKE 'tiled%'\n",
           &summary);
    assert_int_equal(summary.product, 12);
    assert_int_equal(summary.clause_count, 2);
    assert_int_equal(summary.clauses[0].removed, 4);
    assert_int_equal(summary.clauses[1].removed, 2);
    assert_int_equal(summary.clauses[1].line, 8);
    assert_int_equal(summary.points, 5); // naive at block 32 with two tile heights is one point
    assert_int_equal(summary.collapsed, 1);
    assert_int_equal(summary.trials, 5);
    const struct rows rows = read_plan();
    assert_int_equal(rows.count, 5);
    for (size_t i = 0; i < rows.count; ++i) {
        assert_int_equal(rows.row[i].ordinal, i + 1);
        assert_int_equal(rows.row[i].spec.parameters.width, 320);
        assert_int_equal(rows.row[i].spec.parameters.registers, PARAMETER_AUTO);
        assert_string_equal(rows.row[i].spec.device, "emulator");
        if (!strcmp(rows.row[i].spec.variant, "naive"))
            assert_int_equal(rows.row[i].spec.parameters.tile_m, parameters_default().tile_m);
    }
}

TEST(a_value_listed_twice_counts_once)
{
    struct plan_summary summary;
    expand(HEAD "sweep: {variant: [naive, naive], seed: [1, 3..5, 1, 4, 2], registers: [auto, 32, auto]}\n"
                "where: seed <> 3\n",
           &summary);
    assert_int_equal(summary.repeated, 4);
    assert_int_equal(summary.product, 10);
    assert_int_equal(summary.points, 8);
    assert_int_equal(summary.collapsed, 0);
    expand("fixed: {scene: open, variant: naive}\nsweep: {device: [auto, emulator]}\n", &summary);
    assert_int_equal(summary.repeated, 1);
    assert_int_equal(summary.points, 1);
}

TEST(derives_columns_and_parameters)
{
    struct plan_summary summary;
    expand(HEAD
           "sweep: {variant: naive, block: [32, 64]}\nderive: {half: block / 2, spp: half / 8.0, max_bounces: spp}\n"
           "where: half > 16\n",
           &summary);
    const struct rows rows = read_plan();
    assert_int_equal(rows.count, 1);
    assert_int_equal(rows.row[0].spec.parameters.spp, 4);
    assert_int_equal(rows.row[0].spec.parameters.max_bounces, 4);
    refused(
        plan(HEAD "sweep: {variant: naive, block: [32, 64]}\nderive:\n  a: 1\n  spp: block / 3.0\n", &summary, &why),
        "spp", "");
    assert_int_equal(why.line, 5);
}

// What is no parameter comes with the first replicate of each point.
TEST(hands_out_derived_values)
{
    struct plan_summary summary;
    expand(HEAD "sweep: {variant: naive, block: 64}\nderive:\n  half: block / 2\n  spp: 2\n  share: half / 64.0\n"
                "  word: \"'wide'\"\n  none: null\ncollect: [frame]\nreplicates: 2\n",
           &summary);
    const struct rows rows = read_plan();
    const struct trial_derived *derived = rows.row[0].derived;
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.row[0].derived_count, 4);
    assert_int_equal(rows.row[1].derived_count, 0);
    assert_string_equal(derived[0].name, "half");
    assert_true(derived[0].value.type == STORE_INTEGER && derived[0].value.integer == 32);
    assert_true(derived[1].value.type == STORE_REAL && derived[1].value.real == 0.5);
    assert_true(derived[2].value.type == STORE_TEXT && !strcmp(derived[2].value.text, "wide"));
    assert_int_equal(derived[3].value.type, STORE_NULL);
}

TEST(reads_parameters_that_are_not_swept)
{
    struct plan_summary summary;
    expand(HEAD "sweep: {variant: naive, seed: [1, 2]}\nwhere: [height = 384, registers IS NULL, camera = '']\n",
           &summary);
    assert_int_equal(summary.points, 2);
}

TEST(orders_breadth_first)
{
    struct plan_summary summary;
    const char *text =
        HEAD "sweep: {variant: naive, seed: [1..40]}\ncollect: [counts, frame]\nreplicates: 3\nseed: 5\n";
    expand(text, &summary);
    assert_int_equal(summary.trials, 120);
    struct rows rows = read_plan();
    bool shuffled = false;
    for (size_t i = 0; i < rows.count; ++i) {
        assert_int_equal(rows.row[i].replicate, i / 40);
        assert_int_equal(rows.row[i].collections, i < 40 ? 3 : 2); // counts are exact: once is enough
        shuffled |= rows.row[i].point != (int64_t)(i % 40) + 1;
    }
    assert_true(shuffled);
    const int64_t first = rows.row[0].point;
    expand(text, &summary); // the same seed gives the same order
    rows = read_plan();
    assert_int_equal(rows.row[0].point, first);
    expand(HEAD "sweep: {variant: naive, seed: [1..4]}\ncollect: frame\nreplicates: 2\norder: depth_first\n", &summary);
    rows = read_plan();
    for (size_t i = 0; i < rows.count; ++i)
        assert_true(rows.row[i].point == (int64_t)i / 2 + 1 && rows.row[i].replicate == (int)(i % 2));
}

TEST(counts_alone_have_one_replicate)
{
    struct plan_summary summary;
    expand(HEAD "sweep: {variant: naive}\nreplicates: 7\n", &summary);
    assert_int_equal(summary.trials, 1);
}

TEST(says_which_clause_removed_the_last)
{
    struct plan_summary summary;
    refused(
        plan(HEAD "sweep: {variant: naive, block: [32, 64]}\nwhere:\n  - block > 1\n  - block = 65\n", &summary, &why),
        "block = 65", "");
    assert_int_equal(why.line, 5);
    assert_string_equal(why.file, "try.yaml");
    assert_non_null(strstr(why.message, "last 2 points"));
}

TEST(limits_the_product)
{
    struct plan_summary summary;
    refused(plan(HEAD "sweep: {variant: naive, seed: [1..60000], dummy_flops: [1..60000], height: [1..16000]}\n",
                 &summary, &why),
            "exceeds", "");
}

static const char *const forbidden[] = {
    "(SELECT 1)",
    "EXISTS (SELECT 1 FROM sqlite_schema)",
    "block IN (SELECT number FROM plan)",
    "load_extension('x')",
    "randomblob(9)",
    "random()",
    "sqlite_version()",
    "shuffle_key(1, 2, 3)",
    "printf('%99999d', 1)",
    "zeroblob(999999999)",
    "\\\"naive\\\" = variant",
    "[block] = 1",
    "`block` = 1",
    "1) OR (1",
    "1; DROP TABLE plan",
    "block = 1 -- all",
    "block = 1 /* all */",
    "block = ?1",
    "block = :x",
    "variant = 'naive",
    "(block = 1",
    "nothing = 1",
    "naive = 1",
    "max(block)",
    "count(*)",
    "row_number() OVER ()",
    "block = 1, 2",
    "block +",
    "RAISE(ABORT, 'x')",
    "variant MATCH 'x'",
    "variant REGEXP 'x'",
    "x'00' || 1 = plan.*",
};

TEST(keeps_expressions_in)
{
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; ++i)
        for (int derived = 0; derived < 2; ++derived) {
            char text[512];
            struct plan_summary summary;
            snprintf(text, sizeof text, HEAD "sweep: {variant: naive, block: [32, 64]}\n%s \"%s\"\n",
                     derived ? "derive:\n  d:" : "where:\n  -", forbidden[i]);
            refused(plan(text, &summary, &why), "", "");
            if (why.line != 4 || strcmp(why.file, "try.yaml") || !why.remedy[0])
                fail_msg("%s says line %d: %s", forbidden[i], why.line, why.message);
            assert_int_equal(error_exit_code(&why), 2);
        }
}

TEST(takes_plain_expressions)
{
    static const char *const allowed[] = {
        "abs(block) > min(1, 2) AND max(block, 3) >= 3",
        "coalesce(registers, 64) = 64",
        "iif(block = 32, 1, 0)",
        "variant GLOB 'n*' AND upper(variant) = 'NAIVE'",
        "substr(variant, 1, 2) = 'na' AND instr(variant, 'v') = 4",
        "round(block / 3.0) BETWEEN 10 AND 22",
        "block IN (32, 64)",
        "CASE WHEN block = 32 THEN 1 ELSE 0 END",
        "variant <> 'it''s' AND length(scene) = 4",
        "block & 32 OR block | 1",
        "CAST(block AS TEXT) = '32'",
    };
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; ++i) {
        char text[512];
        struct plan_summary summary;
        snprintf(text, sizeof text, HEAD "sweep: {variant: naive, block: [32, 64]}\nwhere:\n  - \"%s\"\n", allowed[i]);
        expand(text, &summary);
        assert_true(summary.points >= 1);
    }
}

TEST(limits_expressions)
{
    char clause[50000] = "1";
    for (int i = 0; i < 5000; ++i)
        strcat(clause, " + block");
    char text[51000];
    struct plan_summary summary;
    snprintf(text, sizeof text, HEAD "sweep: {variant: naive, seed: [1..50000], block: [1..32]}\nwhere: %s\n", clause);
    refused(plan(text, &summary, &why), "", "");
    assert_int_equal(why.line, 3);
}

static void refuses_expression(const char *before, int repeated, const char *after, const char *message)
{
    static char text[20000];
    struct plan_summary summary;
    int used = snprintf(text, sizeof text, HEAD "sweep: {variant: naive, seed: [1..20000]}\n%s", before);
    while (repeated--)
        text[used++] = 'a';
    snprintf(text + used, sizeof text - (size_t)used, "%s\n", after);
    refused(plan(text, &summary, &why), message, "");
    assert_true(why.line >= 3 && why.remedy[0]);
}

// Neither many rows nor a function over long texts, which is one step of SQLite's, takes for ever.
TEST(ends_expressions)
{
    refuses_expression("where: instr('", 6000, "', 'b') < seed", "more than 5000 characters");
    refuses_expression("derive:\n  d: \"'", 4000, "'\"\n  e: length(d || d || d)", "more than 10000 bytes");
    plan_expression_seconds = 0.1;
    refuses_expression("derive:\n  d: \"'", 4000, "' || seed\"\n  e: instr(d, substr(d, 1, 2000) || 'b')",
                       "runs too long");
    plan_expression_seconds = 20;
}

static int looks;
static bool stop_soon(void)
{
    return ++looks > 3;
}

TEST(is_interrupted)
{
    static const char text[] = HEAD "sweep: {variant: naive, seed: [1..20000]}\nwhere: seed % 2\n";
    struct plan_summary summary;
    stop = stop_soon;
    refused(plan(text, &summary, &why), "", "");
    assert_int_equal(why.kind, ERROR_INTERRUPTED);
    stop = NULL;
    need(plan(text, &summary, &why));
    assert_int_equal(looks, 4);
}

// A parameter that every variant ignores would fall back to its default in all trials, whatever an experiment asks for.
TEST(every_parameter_is_used)
{
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct variant *const *variant = variant_table;
        while (*variant && !variant_uses(*variant, &parameter_table[i]))
            ++variant;
        if (!*variant)
            fail_msg("no variant uses %s", parameter_table[i].name);
    }
}

TEST_GROUP(NULL, forget_plan)
