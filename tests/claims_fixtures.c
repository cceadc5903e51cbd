// SPDX-License-Identifier: MIT
// What the claims and tables of a document come to over made-up results: every case of a file of tests/claims (tests/claims/README.md).
//
// usage: claims_fixtures [--refresh] FILE
//   --refresh   writes the tables that are expected as files of tests/report/
#include <math.h>

#include "check.h"
#include "made_results.h"
#include "made_tables.h"
#include "published_support.h"
#include "report/claims/claims.h"
#include "report/papers/prepare.h"
#include "views_support.h"

enum { CLAIMS = 40 };
static const struct report_options no_options = {0};

// One file, and the case that is judged.
struct fixture {
    struct yaml_file file;
    struct made_results results;
    struct bench bench;
    struct made_tables tables;
    struct claim_results *judged[CLAIMS]; // one each
    size_t judged_count;
    const char *all;   // outcome of every part in place of what is expected; NULL: as expected
    const char *where; // of the case, for messages
    bool refresh;      // written tables are put down, not compared
    size_t names;      // in the scope of every case
    size_t checks, failed;
};
static struct fixture fixture;

static bool check_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool check_failed(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", fixture.where);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    ++fixture.failed;
    return false;
}

// ---- what claims come to

static const struct claim_result *claim_judge(const char *id)
{
    for (size_t i = 0; i < fixture.judged_count; ++i)
        for (size_t k = 0; k < fixture.judged[i]->count; ++k)
            if (!strcmp(fixture.judged[i]->results[k].claim->id, id))
                return &fixture.judged[i]->results[k];
    assert_true(fixture.judged_count < CLAIMS);
    struct claim_results *results = made(claims_judge(fixture.bench.store, fixture.bench.paper, id, &no_options, &why));
    if (results->count != 1)
        fail_msg("%s: there is no claim %s", fixture.where, id);
    fixture.judged[fixture.judged_count++] = results;
    return results->results;
}

static double case_value(const struct claim_result *result, const char *place, const char *value)
{
    double found = NAN;
    for (size_t i = 0; i < result->case_count; ++i)
        for (size_t k = 0; k < result->claim->test_count; ++k)
            if (strstr(result->cases[i].place, place) && !strcmp(result->claim->tests[k].value, value) &&
                !isnan(result->cases[i].value[k]))
                found = result->cases[i].value[k];
    return found;
}

static void part_check(const struct claim_result *result, size_t part, const char *wanted)
{
    static const char *const words[] = {"refuted", "missing",   "unmeasured", "excluded",
                                        "between", "direction", "accepted"};
    assert_true(part < result->claim->part_count);
    const char *is = words[claim_part_outcome(result, &result->claim->parts[part])];
    if (strcmp(is, fixture.all ? fixture.all : wanted) != 0)
        check_failed("%s, part %zu: %s, not %s: %s; %s", result->claim->id, part, is,
                     fixture.all ? fixture.all : wanted, result->evidence[part], result->left_out);
}

static void verdict_check(const struct claim_result *result, const char *wanted)
{
    const char *is = claim_verdict_names[result->verdict];
    if (!fixture.all && !fixture.results.timeless && strcmp(is, wanted) != 0)
        check_failed("%s: %s, not %s", result->claim->id, is, wanted);
}

// The part that has a test of that column.
static size_t part_find(const struct claim_result *result, const char *value)
{
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (!strcmp(result->claim->tests[i].value, value))
            return result->claim->tests[i].part;
    fail_msg("%s: no part of %s has a test of %s", fixture.where, result->claim->id, value);
    return 0;
}

// ---- what is expected

static void value_check(const struct expected *expected, double value)
{
    double wanted;
    if (!expected_value(&fixture.results.scope, expected, value, &wanted))
        check_failed("%s %s %s: %.12g, not %.12g (%s)", expected->words[0], expected->words[1], expected->place, value,
                     wanted, expected->expression);
}

static void claim_check(const struct expected *expected)
{
    const struct claim_result *result = claim_judge(expected->words[0]);
    const char *value = expected->words[1];
    if (!strcmp(value, "cases")) {
        value_check(expected, (double)result->case_count);
        return;
    }
    if (expected->words[2][0])
        part_check(result, part_find(result, value), expected->words[2]);
    if (expected->expression[0] && !fixture.all)
        value_check(expected, case_value(result, expected->place, value));
}

static void found_check(const struct claim_result *result, const char *wanted)
{
    if (!fixture.all && !fixture.results.timeless && !strstr(result->found, wanted))
        check_failed("%s: found '%s', without '%s'", result->claim->id, result->found, wanted);
}

// "CLAIM VALUE [OUTCOME] [\[PLACE\]] [= EXPRESSION]", "CLAIM part N OUTCOME", "CLAIM verdict VERDICT", "CLAIM found TEXT",
// "CLAIM cases = EXPRESSION", or of a table.
static void expected_check(const char *text)
{
    size_t part;
    char claim[16], outcome[16], verdict[24], found[160];
    ++fixture.checks;
    if (sscanf(text, "%15s found %159[^\n]", claim, found) == 2) {
        found_check(claim_judge(claim), found);
        return;
    }
    struct expected expected = expected_read(&fixture.results.memory, text);
    if (made_tables_take(&fixture.tables, &expected)) {
        const char *wrong = made_tables_check(&fixture.tables, &expected);
        if (wrong)
            check_failed("%s [%s] %s: %s", fixture.tables.table, fixture.tables.place, expected.words[2], wrong);
        return;
    }
    if (!expected.words[2][0] && !expected.expression[0])
        fail_msg("%s: nothing is expected of %s", fixture.where, text);
    if (sscanf(text, "%*s part %zu %15s", &part, outcome) == 2)
        part_check(claim_judge(expected.words[0]), part, outcome);
    else if (sscanf(text, "%*s verdict %23[a-z ]", verdict) == 1)
        verdict_check(claim_judge(expected.words[0]), verdict);
    else
        claim_check(&expected);
}

// Each of a text, from semicolon to semicolon.
static void expected_check_all(const char *text)
{
    while (text && *text) {
        const size_t length = strcspn(text, ";");
        expected_check(arena_format(&fixture.results.memory, "%.*s", (int)length, text));
        text += length + (text[length] == ';');
    }
}

// ---- a case

// A group of cases, and one of them.
struct group {
    yaml_node_t *node;
    const char *kind, *each, *always, *timeless; // NULL where not given
    const char *untimed;                         // parts that were judged without a clock: "C01 gain;"
};

static yaml_node_t *group_member(const struct group *group, const char *key)
{
    return yaml_find(&fixture.file.source, group->node, key);
}

static const char *group_text(const struct group *group, const char *key)
{
    const yaml_node_t *node = group_member(group, key);
    return node ? yaml_text(node) : NULL;
}

// Values "a=1 b=1,2" into the scope; in a loop the elements of `index`.
static void values_set(const char *text, int index)
{
    struct made_scope *scope = &fixture.results.scope;
    const char *word, *name, *value;
    while (text && (word = made_word(scope->memory, &text))) {
        if (!made_split(scope->memory, word, &name, &value))
            fail_msg("%s: %s is no value", fixture.where, word);
        if (strchr(value, ','))
            made_set_list(scope, name, value, index);
        else
            made_set(scope, name, value);
    }
}

// A case's own words: values and results, with a comma and a blank between them.
struct given {
    const char *values, *results[40];
    size_t count;
};

static struct given given_read(const char *text)
{
    struct arena *memory = &fixture.results.memory;
    struct given given = {.values = ""};
    while (text && *text) {
        const char *end = strstr(text, ", ");
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        const char *part = arena_format(memory, "%.*s", (int)length, text), *name, *value, *words = part;
        assert_true(given.count < sizeof given.results / sizeof *given.results);
        if (made_split(memory, made_word(memory, &words), &name, &value))
            given.values = arena_join(memory, given.values, " ", part);
        else
            given.results[given.count++] = part;
        text += length + (end ? 2 : 0);
    }
    return given;
}

// The group's results, those that name the loop's variable once for each of its values.
static void results_add(const struct group *group, const struct given *given)
{
    struct made_scope *scope = &fixture.results.scope;
    const size_t before = scope->count;
    yaml_node_t *lines = group_member(group, "results");
    const char *each = group->each, *variable = each ? made_word(scope->memory, &each) : "";
    for (size_t i = 0; i < yaml_length(lines); ++i) {
        const char *line = yaml_text(yaml_value(&fixture.file.source, lines, i)), *elements = each, *element;
        const bool loop = each && strstr(line, arena_format(scope->memory, "$%s", variable));
        for (int index = 0; (element = loop ? made_word(scope->memory, &elements) : !index ? "" : NULL); ++index) {
            values_set(group_text(group, "values"), loop ? index : -1);
            values_set(given->values, loop ? index : -1);
            made_set(scope, variable, element);
            made_set(scope, "nth", arena_format(scope->memory, "%d", index));
            made_results_add(&fixture.results, group->kind, line);
            scope->count = before;
        }
    }
    values_set(group_text(group, "values"), -1);
    values_set(given->values, -1);
    for (size_t i = 0; i < given->count; ++i)
        made_results_add(&fixture.results, group->kind, given->results[i]);
    scope->count = before;
}

// What the group expects `over` a list: "NAME ELEMENT ...", each element with its number `nth`.
static void expected_check_rows(const struct group *group)
{
    struct made_scope *scope = &fixture.results.scope;
    const char *elements = group_text(group, "over"), *expected = group_text(group, "there"), *element;
    if (!elements || fixture.all || fixture.results.timeless)
        return;
    const char *name = made_word(scope->memory, &elements);
    for (int nth = 0; (element = made_word(scope->memory, &elements)); ++nth) {
        made_set(scope, name, element);
        made_set(scope, "nth", arena_format(scope->memory, "%d", nth));
        expected_check_all(made_replace(scope, expected));
    }
}

// Whether the first row of each query of the case, as text, is what is expected: "KEY: ROW", where KEY may be what the group's query
// lacks at its end. Says so where not, unless `quiet`, and stops there.
static bool queries_hold(const struct group *group, yaml_node_t *queries, bool quiet)
{
    struct yaml_source *source = &fixture.file.source;
    bool hold = true;
    for (size_t i = 0; i < yaml_length(queries) && (hold || !quiet); ++i) {
        yaml_node_t *query = yaml_value(source, queries, i);
        const char *key = yaml_key(source, query, 0), *wanted = yaml_text(yaml_value(source, query, 0)),
                   *begins = strncmp(key, "SELECT ", 7) != 0 ? group_text(group, "query") : "";
        char row[512] = "(no row)";
        need(store_query(fixture.bench.store, arena_join(&fixture.results.memory, begins, " ", key), NULL, take_row,
                         row, &why));
        const bool same = !strcmp(row, wanted);
        hold = hold && same;
        if (!same && !quiet)
            check_failed("%s: '%s', not '%s'", key, row, wanted);
    }
    return hold;
}

// ---- what guards the published numbers

static struct guard {
    const struct group *group;
    yaml_node_t *queries;
} guard;

static int guard_violations(void)
{
    need(report_prepare(fixture.bench.store, fixture.bench.paper, &no_options, &why));
    return !queries_hold(guard.group, guard.queries, true);
}

static void queries_check(const struct group *group, yaml_node_t *queries)
{
    fixture.checks += yaml_length(queries);
    if (!queries_hold(group, queries, false) || !group_text(group, "guards"))
        return;
    guard = (struct guard){group, queries};
    fixture.bench.paper->prepare_count = 0; // published numbers alone
    published_corrupt_numbers(fixture.bench.paper->published, guard_violations);
}

static void case_judge(const struct group *group, const char *expected, const char *words, const char *always,
                       yaml_node_t *queries)
{
    struct made_scope *scope = &fixture.results.scope;
    const size_t before = scope->count;
    const struct given given = given_read(words);
    yaml_node_t *root = yaml_source_root(&fixture.file.source);
    bench_open_paper(&fixture.bench, yaml_text(yaml_find(&fixture.file.source, root, "document")));
    fixture.tables = (struct made_tables){.bench = &fixture.bench, .scope = scope, .refresh = fixture.refresh};
    results_add(group, &given);
    need(report_prepare(fixture.bench.store, fixture.bench.paper, &no_options, &why));
    values_set(group_text(group, "values"), -1);
    values_set(given.values, -1);
    expected_check_all(expected);
    expected_check_all(always);
    expected_check_rows(group);
    queries_check(group, queries);
    while (fixture.judged_count)
        claims_free(fixture.judged[--fixture.judged_count]);
    bench_close(&fixture.bench);
    scope->count = before;
}

// Of what is expected, the parts that want a clock and were not judged without one yet, as expected then.
static const char *untimed_parts(struct group *group, const char *expected)
{
    struct arena *memory = &fixture.results.memory;
    const char *parts = "";
    for (size_t length; *expected; expected += length + (expected[length] == ';')) {
        length = strcspn(expected, ";");
        const struct expected read = expected_read(memory, arena_format(memory, "%.*s", (int)length, expected));
        const char *part = arena_format(memory, "%s %s", read.words[0], read.words[1]);
        const bool wanted = group->timeless && (!strcmp(group->timeless, "all") || strstr(group->timeless, part));
        if (!wanted || !read.words[2][0] || strstr(group->untimed, arena_format(memory, "%s;", part)))
            continue;
        group->untimed = arena_join(memory, group->untimed, "", arena_format(memory, "%s;", part));
        parts = arena_join(memory, parts, ";", arena_format(memory, "%s unmeasured", part));
    }
    return parts;
}

// As it is; and where the group asks for that, without a clock, and on a scene that decides nothing.
static void case_judge_all(struct group *group, yaml_node_t *node)
{
    struct yaml_source *source = &fixture.file.source;
    yaml_node_t *then = yaml_find(source, node, "expected"), *given = yaml_find(source, node, "given"),
                *queries = yaml_find(source, node, "queries");
    const char *expected = then      ? yaml_text(then)
                           : queries ? ""
                                     : yaml_key(source, node, 0),
               *words = yaml_text(given ? given : yaml_value(source, node, 0)), *also = group_text(group, "also");
    fixture.where = arena_format(&fixture.results.memory, "%s:%d", fixture.file.path, yaml_line(node));
    case_judge(group, expected, words, group->always, queries);
    const char *untimed = untimed_parts(group, expected);
    fixture.results.timeless = true;
    if (untimed[0])
        case_judge(group, untimed, words, NULL, NULL);
    fixture.results.timeless = false;
    if (also) {
        assert_string_equal(also, "fitted");
        fixture.all = "excluded";
        fixture.results.of = "forest";
        fixture.results.instead = "open";
        case_judge(group, expected, words, NULL, NULL);
        fixture.results.of = NULL;
    }
    fixture.all = NULL;
}

// ---- a file

static void group_judge(void **state)
{
    static const char *const keys[] = {"about", "kind",  "each",   "values",   "results", "always", "over",
                                       "there", "query", "guards", "timeless", "also",    "cases",  NULL};
    struct group group = {.node = *state};
    yaml_node_t *cases = group_member(&group, "cases");
    const size_t failed = fixture.failed;
    fixture.results.scope.count = fixture.names;
    made_expect_keys(&fixture.file.source, group.node, keys);
    group.kind = group_text(&group, "kind");
    group.each = group_text(&group, "each");
    group.always = group_text(&group, "always");
    group.timeless = group_text(&group, "timeless");
    group.untimed = "";
    assert_true(yaml_length(cases) > 0);
    for (size_t i = 0; i < yaml_length(cases); ++i)
        case_judge_all(&group, yaml_value(&fixture.file.source, cases, i));
    if (fixture.failed > failed)
        fail_msg("%zu of what is expected", fixture.failed - failed);
}

// Names for what expressions come to.
static void constants_set(yaml_node_t *constants)
{
    struct made_scope *scope = &fixture.results.scope;
    for (size_t i = 0; i < yaml_length(constants); ++i) {
        struct yaml_source *source = &fixture.file.source;
        made_set(scope, yaml_key(source, constants, i),
                 made_literal(scope, yaml_text(yaml_value(source, constants, i))));
    }
}

int main(int count, char **words)
{
    struct CMUnitTest tests[64] = {{.name = NULL}};
    fixture.refresh = count == 3 && !strcmp(words[1], "--refresh");
    if (count != 2 && !fixture.refresh)
        return 2;
    need(yaml_file_open(&fixture.file, words[count - 1], &why));
    struct yaml_source *source = &fixture.file.source;
    yaml_node_t *root = yaml_source_root(source), *groups = yaml_find(source, root, "groups"),
                *parameters = yaml_find(source, root, "parameters");
    made_results_open(&fixture.results);
    constants_set(yaml_find(source, root, "constants"));
    fixture.names = fixture.results.scope.count;
    fixture.results.own = &fixture.file;
    fixture.results.bench = &fixture.bench;
    if (parameters)
        fixture.results.parameters = yaml_text(parameters);
    const size_t group_count = yaml_length(groups);
    if (group_count == 0 || group_count > sizeof tests / sizeof *tests)
        return 2;
    for (size_t i = 0; i < group_count; ++i) {
        const struct group group = {.node = yaml_value(source, groups, i)};
        tests[i] = (struct CMUnitTest){.name = group_text(&group, "about"), .test_func = group_judge};
        tests[i].initial_state = group.node;
    }
    const int failed = _cmocka_run_group_tests(words[1], tests, group_count, NULL, NULL);
    printf("%zu expectations, %zu failed\n", fixture.checks, fixture.failed);
    made_results_close(&fixture.results);
    yaml_file_close(&fixture.file);
    return failed != 0;
}
