// SPDX-License-Identifier: MIT
// A claim over a made-up database, in a copy of the papers' folder: its cases, what changes its verdict, and wrong
// queries.
#include <math.h>

#include "check.h"
#include "folder_support.h"
#include "report/claims/claims_document.h"
#include "report_support.h"

static const char *folder;
static char before[600];

static void shell(const char *format, const char *first, const char *second)
{
    char command[1400];
    snprintf(command, sizeof command, format, first, second);
    assert_int_equal(system(command), 0);
}

static void put(const char *name, const char *text)
{
    folder_write_text(folder, name, text);
}

static const char claims_text[] =
    "excluding: [fitted]\n"
    "claims:\n"
    "  C01:\n"
    "    words: more than 2.3x\n"
    "    where: Table 2\n"
    "    statement: \"warps & paths, 100 % \\\"saved\\\"\"\n"
    "    variants: [W-NAIVE, W-WF]\n"
    "    published: \"2.30\"\n"
    "    check: [counts]\n"
    "    tier: 1\n"
    "    sql: saved.sql\n"
    "    experiment: experiments/quickstart.yaml\n"
    "    parts:\n"
    "      - kind: literal\n"
    "        text: in all\n"
    "        accept: a\n"
    "        refute: b\n"
    "        tests:\n"
    "          - {value: saved, title: warps saved, unit: x, decimals: 3, accept: [2.2, 2.4], refute: [null, 1.3]}\n"
    "          - {value: printed, title: as printed, unit: x, accept: [2.25, 2.35], refute_outside: [2, null]}\n";

static const char query_text[] =
    "SELECT s.label || ', ' || s.width || 'x' || s.height AS place, iif(s.scene = 'cornell', 'fitted|fitted', '') AS "
    "flags,\n"
    "       s.trials || ', ' || n.trials AS trials, 1.0 * n.warps / o.warps AS saved,\n"
    "       (SELECT 1.0 * sum(naive_warps) / sum(compacted_warps) FROM published_table2) AS printed\n"
    "FROM setup AS s JOIN totals AS o ON o.spec = s.spec AND o.nth = 1\n"
    "JOIN counted_naive AS n ON n.work = s.work AND n.device_name = s.device_name AND n.schedule = s.schedule\n"
    "WHERE s.variant = 'whole_frame' ORDER BY s.scene DESC\n";

static int setup(void **state)
{
    if (!paper_root(before, sizeof before, &why))
        return -1;
    folder = folder_new();
    shell("cp -r '%s/wald2011' '%s'", before, folder);
    shell("cp '%s/variants.yaml' '%s'", before, folder);
    shell("cp '%s/common.sql' '%s'", before, folder);
    shell("cp '%s/tables.yaml' '%s'", before, folder);
    return setenv("WARPSTUDY_PAPERS", folder, 1);
}

static int teardown(void **state)
{
    return setenv("WARPSTUDY_PAPERS", before, 1);
}

struct judged {
    struct bench bench;
    struct claims_survey *survey;
    const struct claim_result *result;
};

static void judge(struct judged *judged, const uint64_t *naive_warps, const char *scene)
{
    uint64_t warps[BOUNCES];
    made_compact(fairy_paths, warps);
    struct made naive = made_fairy("naive", naive_warps), compacted = made_fairy("whole_frame", warps);
    naive.scene = compacted.scene = scene;
    bench_open(&judged->bench);
    bench_add(&judged->bench, &naive);
    bench_add(&judged->bench, &compacted);
    judged->survey = claims_survey(judged->bench.store, NULL, &(struct report_options){0}, NULL, &why);
    need(judged->survey);
    judged->result = claims_survey_find(judged->survey, "wald2011-C01", NULL);
    assert_non_null(judged->result);
}

static void judged_free(struct judged *judged)
{
    claims_survey_free(judged->survey);
    bench_close(&judged->bench);
}

static char *render(const struct judged *judged, const char *claim, const char *format)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const struct claims_page page = {.survey = judged->survey, .claim = claim, .database = "made_up.db"};
    for (const struct report_format *row = report_formats; row->name; ++row)
        if (!strcmp(row->name, format))
            claims_write(row, &page, stream);
    fclose(stream);
    return text;
}

static void assert_shown(const struct judged *judged, const char *claim, const char *format, const char *wanted)
{
    char *text = render(judged, claim, format);
    if (!strstr(text, wanted))
        fail_msg("%s of %s has no \"%s\":\n%s", format, claim ? claim : "all", wanted, text);
    free(text);
}

TEST(test_reproduced)
{
    put("wald2011/claims.yaml", claims_text);
    put("wald2011/saved.sql", query_text);
    struct judged judged;
    judge(&judged, fairy_warps, "open");
    const struct claim_result *result = judged.result;
    double naive = 0, compacted = 0;
    for (int i = 0; i < BOUNCES; ++i) {
        naive += (double)fairy_warps[i];
        compacted += ceil((double)fairy_paths[i] / 32);
    }
    assert_int_equal(result->verdict, VERDICT_REPRODUCED);
    assert_string_equal(result->confidence, "exact");
    assert_int_equal(result->case_count, 1);
    assert_true(fabs(result->cases[0].value[0] - naive / compacted) < 1e-12);
    assert_true(isnan(result->cases[0].low[0]) && !result->interval[0]);
    assert_string_equal(result->held, "open (fairy), 1280x768");
    assert_shown(
        &judged, NULL, "text",
        "wald2011       1           1               0      0        0          0                0              0");
    assert_shown(&judged, NULL, "text", "warps saved: 2.304 x, 1 of 1 case within");
    assert_shown(&judged, "C01", "text", "warps saved: 2.2 to 2.4 x on all");
    assert_shown(&judged, "C01", "text", "more than 2.3x");
    assert_shown(&judged, "C01", "text", "trials      2, 1\n");
    assert_shown(&judged, NULL, "markdown",
                 "| C01 | reproduced, confidence: exact | warps & paths, 100 % \"saved\" (Table 2) |");
    assert_shown(&judged, "C01", "markdown", "| open (fairy), 1280x768 | 2.304 | 2.28 | within; within |");
    assert_shown(&judged, NULL, "csv",
                 "wald2011,C01,1,reproduced,exact,\"warps & paths, 100 % \"\"saved\"\"\",more than 2.3x,Table "
                 "2,2.30,,,warps saved: 2.304 x,,");
    assert_shown(&judged, NULL, "csv", ",\"1, 2\"\r\n");
    assert_shown(&judged, NULL, "latex", "warps \\& paths, 100 \\% ''saved''");
    judged_free(&judged);
}

// One count, one published number, one scene: each changes the verdict.
TEST(test_changed)
{
    struct judged judged;
    put("wald2011/claims.yaml", claims_text);
    put("wald2011/saved.sql", query_text);
    uint64_t warps[BOUNCES];
    made_compact(fairy_paths, warps);
    judge(&judged, warps, "open"); // nothing is saved
    assert_int_equal(judged.result->verdict, VERDICT_REFUTED);
    assert_string_equal(judged.result->failed, "open (fairy), 1280x768");
    judged_free(&judged);
    memcpy(warps, fairy_warps, sizeof warps);
    warps[8] += 20000; // one sample
    judge(&judged, warps, "open");
    assert_int_equal(judged.result->verdict, VERDICT_MIXED);
    judged_free(&judged);
    judge(&judged, fairy_warps, "cornell"); // excluded by the query
    assert_int_equal(judged.result->verdict, VERDICT_UNDECIDED);
    assert_string_equal(judged.result->confidence, "");
    assert_string_equal(judged.result->cases[0].excluded, "fitted");
    assert_non_null(strstr(judged.result->evidence[0], "2.304 x, all excluded; "));
    assert_string_equal(judged.result->left_out, "1 case excluded: the scene is fitted to the published curve");
    judged_free(&judged);
    put("wald2011/saved.sql", "SELECT 'a' AS place, 1 AS saved, 1 AS printed WHERE 0\n");
    judge(&judged, fairy_warps, "open");
    assert_int_equal(judged.result->verdict, VERDICT_UNDECIDED);
    assert_shown(&judged, NULL, "text", "experiments/quickstart.yaml");
    judged_free(&judged);
    put("wald2011/saved.sql", query_text);
    shell("sed -i 's/bounce: 1, \\(.*\\)naive_warps: 30720/bounce: 1, \\1naive_warps: 3072/' "
          "'%s/wald2011/published.yaml'%s",
          folder, "");
    judge(&judged, fairy_warps, "open"); // one published value
    assert_int_equal(judged.result->verdict, VERDICT_MIXED);
    judged_free(&judged);
    shell("cp '%s/wald2011/published.yaml' '%s/wald2011'", before, folder);
}

TEST(test_wrong_queries)
{
    static const struct {
        const char *sql, *said;
    } rows[] = {
        {"SELECT 1 AS saved, 1 AS printed", "the query of C01 has no column 'place'"},
        {"SELECT 'a' AS place, 1 AS saved", "has no column 'printed', which one of its tests names"},
        {"SELECT 'a' AS place, 'much' AS saved, 1 AS printed",
         "column 'saved' of the query of C01 holds the text 'much'"},
        {"SELECT FROM", "the query is not valid"},
        {"DELETE FROM trial_record", "a query may only read"},
        {"SELECT 'a' AS place, 1 AS saved, 1 AS printed; SELECT 2", "a query is one statement"},
        {"", "there is no statement in the query"},
    };
    struct bench bench;
    bench_open(&bench);
    put("wald2011/claims.yaml", claims_text);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        put("wald2011/saved.sql", rows[i].sql);
        refused(claims_survey(bench.store, NULL, &(struct report_options){0}, NULL, &why), rows[i].said, "");
        assert_non_null(strstr(why.file, "wald2011/saved.sql"));
    }
    bench_close(&bench);
}

// Known papers are looked through for the claims of a conflict; others may not be installed.
TEST(test_conflicts)
{
    struct judged judged;
    put("wald2011/claims.yaml", claims_text);
    put("wald2011/saved.sql", query_text);
    put("conflicts.yaml",
        "conflicts:\n  X01: {claims: [wald2011-C01, other2000-C07], issue: which?, experiment: both}\n");
    judge(&judged, fairy_warps, "open");
    assert_shown(&judged, NULL, "text", "X01  which?\n     sides      wald2011-C01: reproduced: warps");
    assert_shown(&judged, NULL, "text", "other2000-C07: unknown here");
    assert_shown(&judged, NULL, "markdown", "; other2000-C07: unknown here");
    put("conflicts.yaml", "conflicts:\n  X01: {claims: [wald2011-C02], issue: which?}\n");
    refused(claims_survey(judged.bench.store, NULL, &(struct report_options){0}, NULL, &why),
            "X01 names the claim 'wald2011-C02', which does not exist", "");
    judged_free(&judged);
}

TEST_GROUP(setup, teardown)
