// SPDX-License-Identifier: MIT
#include "report/claims/claims_document.h"

#include <math.h>
#include <string.h>

#include "report/claims/claims_words.h"

// Classes of page.css.
static const char *const verdict_roles[VERDICT_COUNT] = {
    "reproduced", "direction", "mixed", "refuted", "undecided", "unimplemented",
};
static const char by_arithmetic[] = "by arithmetic";

void claims_bar(const struct claim_results *results, struct document *document)
{
    doc_add(document, DOC_BAR, DOC_PLAIN, NULL);
    for (int i = 0; results && i < VERDICT_COUNT; ++i)
        if (results->of[i])
            doc_item(document, verdict_roles[i], claim_verdict_names[i])->weight = results->of[i];
    if (results && results->arithmetic)
        doc_item(document, "arithmetic", by_arithmetic)->weight = results->arithmetic;
}

void claims_summary(const struct claims_page *page, struct document *document)
{
    struct doc_table *table = doc_table(document, "paper", VERDICT_COUNT + 2);
    table->caption = "Number of claims by verdict";
    for (int i = 0; i <= VERDICT_COUNT; ++i)
        table->columns[i].title = i ? claim_verdict_names[i - 1] : "claims";
    table->columns[VERDICT_COUNT + 1].title = by_arithmetic;
    for (size_t i = 0; i < page->survey->count; ++i) {
        const struct claim_results *results = page->survey->results[i];
        if (!claims_page_shows(page, results))
            continue;
        struct doc_row *row = doc_row(document, table, results->paper->id);
        for (int k = 0; k <= VERDICT_COUNT; ++k)
            doc_words(row, (size_t)k, doc_text(document, "%zu", k ? results->of[k - 1] : results->count));
        doc_words(row, VERDICT_COUNT + 1, doc_text(document, "%zu", results->arithmetic));
    }
}

// ---- cases

// Footnotes of a case: on a page of many cases each up to its first aside, as the tables have them in full.
static const char *flag_words(struct document *document, const struct paper *paper, const char *flags, bool whole)
{
    const char *list = NULL;
    char flag[REPORT_FLAG_TEXT];
    while (report_next_flag(&flags, flag, sizeof flag)) {
        const char *text = paper_flag_text(paper, flag);
        list = doc_join(document, list, "; ",
                        doc_text(document, "%.*s", (int)(whole ? strlen(text) : strcspn(text, ",;(")), text));
    }
    return list;
}

static void fill_value(struct document *document, const struct claim_test *test, const struct claim_case *at,
                       size_t index, struct doc_cell *cell)
{
    char value[CLAIM_VALUE_TEXT], low[CLAIM_VALUE_TEXT], high[CLAIM_VALUE_TEXT];
    if (isnan(at->value[index]))
        return;
    claim_value_text(test, at->value[index], value);
    claim_value_text(test, at->low[index], low);
    claim_value_text(test, at->high[index], high);
    cell->lines[DOC_HERE].value = doc_text(document, "%s", value);
    if (!isnan(at->low[index]))
        cell->lines[DOC_INTERVAL].value = doc_text(document, "%s..%s", low, high);
    cell->exact = at->value[index];
    cell->low = at->low[index];
    cell->high = at->high[index];
    cell->trials = at->trials;
}

static void add_case(struct document *document, const struct claim_results *results, const struct claim_result *result,
                     const struct claim_case *at, struct doc_table *table, bool whole)
{
    const size_t tests = result->claim->test_count;
    const char *outcomes = NULL;
    struct doc_row *row = doc_row(document, table, at->place);
    for (size_t i = 0; i < tests; ++i) {
        fill_value(document, &result->claim->tests[i], at, i, &row->cells[i]);
        if (!isnan(at->value[i]))
            outcomes = doc_join(document, outcomes, "; ",
                                claim_case_word(doc_memory(document), &result->claim->tests[i], at, i));
    }
    doc_words(row, tests, outcomes);
    doc_words(row, tests + 1, flag_words(document, results->paper, at->excluded, whole));
    doc_words(row, tests + 2, flag_words(document, results->paper, at->flags, whole));
    if (whole)
        doc_words(row, tests + 3, at->trials);
}

// `whole`: footnotes in full, and the trials.
static void add_cases(struct document *document, const struct claim_results *results, const struct claim_result *result,
                      bool whole)
{
    static const char *const words[] = {"outcome", "excluded", "weak", "trials"};
    const size_t tests = result->claim->test_count, more = whole ? 4 : 3;
    if (!result->case_count)
        return;
    struct doc_table *table = doc_table(document, "case", tests + more);
    table->caption = doc_text(document, "Cases of %s", result->claim->id);
    for (size_t i = 0; i < tests; ++i) {
        table->columns[i].title = result->claim->tests[i].title;
        table->columns[i].unit = result->claim->tests[i].unit;
    }
    for (size_t i = 0; i < more; ++i)
        table->columns[tests + i] = (struct doc_column){.title = words[i], .words = true};
    for (size_t i = 0; i < result->case_count; ++i)
        add_case(document, results, result, &result->cases[i], table, whole);
}

// ---- claims

static void add_fact(struct document *document, const char *label, const char *text)
{
    if (text && text[0])
        doc_item(document, label, text);
}

// Its parts in the paper's terms, what would decide each, and what was found.
static void add_parts(struct document *document, const struct claim_result *result)
{
    static const char *const titles[] = {"part", "accepted if", "refuted if", "outcome", "here", "bounds"};
    const struct claim *claim = result->claim;
    struct doc_table *table = doc_words_table(document, "kind", doc_text(document, "Parts of %s", claim->id),
                                              sizeof titles / sizeof *titles, titles);
    for (size_t i = 0; i < claim->part_count; ++i) {
        const struct claim_part *part = &claim->parts[i];
        const char *bounds = NULL;
        for (size_t k = part->first; k < part->first + part->count; ++k) {
            char text[CLAIM_VALUE_TEXT];
            claim_test_text(&claim->tests[k], text, sizeof text);
            bounds = doc_join(document, bounds, "; ", doc_text(document, "%s", text));
        }
        doc_words_row(document, table, claim_kind_words[part->kind],
                      (const char *const[]){part->text, part->accept, part->refute,
                                            claim_outcome_word(NULL, claim_part_outcome(result, part)),
                                            result->evidence[i], bounds});
    }
}

// All that the list does not say of it; `whole`: of a claim by itself.
static void add_details(struct document *document, const struct claim_results *results,
                        const struct claim_result *result, bool whole)
{
    const struct claim *claim = result->claim;
    doc_add(document, DOC_LIST, DOC_FACTS, NULL);
    add_fact(document, "words",
             doc_text(document, "“%s”%s%s", claim->words, claim->translation[0] ? ", " : "", claim->translation));
    add_fact(document, "scenes", claim->scenes);
    add_fact(document, "setting", claim->setting);
    add_fact(document, "measured", claim->metric);
    add_fact(document, "decided by", claim_join(doc_memory(document), claim->checks, claim->check_count));
    add_fact(document, "excluded", result->left_out);
    add_fact(document, "held on", whole ? "" : result->held);
    add_fact(document, "not on", whole ? "" : result->failed);
    add_fact(document, "missing here", claim->missing);
    add_fact(document, "not comparable", claim->comparable);
    add_fact(document, "note", claim->note);
    add_fact(document, "query",
             whole && claim->sql[0] ? doc_text(document, "%s/%s", results->claims->folder, claim->sql) : "");
    add_parts(document, result);
    add_cases(document, results, result, whole);
}

static struct document *detail_of(struct document *document, const struct claim_results *results,
                                  const struct claim_result *result)
{
    struct document *detail = arena_new(doc_memory(document), 1, sizeof *detail);
    detail->shared = doc_memory(document);
    add_details(detail, results, result, false);
    return detail;
}

static void add_claim(struct document *document, const struct claims_page *page, const struct claim_results *results,
                      const struct claim_result *result, struct doc_table *table)
{
    const struct claim *claim = result->claim;
    struct doc_row *row = doc_row(document, table, claim->id);
    const bool sure = result->confidence[0];
    row->id = claim->id;
    row->role = verdict_roles[result->verdict];
    row->cells[0].role = row->role;
    row->cells[0].exact = result->verdict;
    doc_words(row, 0,
              doc_text(document, "%s%s%s%s", claim_verdict_names[result->verdict],
                       result->arithmetic ? ", by arithmetic" : "", sure ? ", confidence: " : "", result->confidence));
    doc_words(row, 1, doc_text(document, "%s (%s)", claim->statement, claim->where));
    doc_words(row, 2, claim->published);
    doc_words(row, 3, result->here);
    doc_words(row, 4, result->found);
    doc_words(row, 7, page->claim ? result->held : claim_some_places(doc_memory(document), result->held));
    doc_words(row, 8, page->claim ? result->failed : claim_some_places(doc_memory(document), result->failed));
    if (page->claim)
        return;
    doc_words(row, 6, result->left_out);
    doc_words(row, 5, result->parts);
    row->detail = detail_of(document, results, result);
    row->detail_summary =
        doc_text(document, "wording, %zu part%s, %zu case%s", claim->part_count, claim->part_count == 1 ? "" : "s",
                 result->case_count, result->case_count == 1 ? "" : "s");
}

void claims_list(const struct claims_page *page, const struct claim_results *results, struct document *document)
{
    static const struct doc_column columns[] = {
        {.title = "verdict", .words = true, .bare = true, .narrow = true},
        {.title = "the paper says", .words = true, .bare = true},
        {.title = "published", .words = true},
        {.title = "here", .words = true},
        {.title = "found", .words = true},
        {.title = "parts", .words = true, .detail = true},
        {.title = "excluded", .words = true, .detail = true},
        {.title = "held on", .words = true, .detail = true},
        {.title = "not on", .words = true, .detail = true},
    };
    struct doc_table *table = doc_table(document, "claim", sizeof columns / sizeof *columns);
    table->caption = "Claims of the document and results here";
    memcpy(table->columns, columns, sizeof columns);
    for (size_t i = 0; i < results->count; ++i)
        if (claims_page_shows_claim(page, &results->results[i]))
            add_claim(document, page, results, &results->results[i], table);
}

// ---- conflicts

// "wald2011-C13: mixed: Less than 1 % of ...; ..."
static const char *sides_of(const struct claims_page *page, const struct claim_conflict *conflict,
                            struct document *document)
{
    const char *sides = NULL;
    for (size_t k = 0; k < conflict->claim_count; ++k) {
        const struct claim_result *result = claims_survey_find(page->survey, conflict->claims[k], NULL);
        sides = doc_join(document, sides, "; ",
                         doc_text(document, "%s: %s%s%s", conflict->claims[k],
                                  result ? claim_verdict_names[result->verdict] : "unknown here", result ? ": " : "",
                                  result ? result->claim->statement : ""));
    }
    return sides;
}

void claims_conflicts_part(const struct claims_page *page, struct document *document)
{
    static const char title[] = "Claims of different documents that contradict each other";
    static const char *const titles[] = {"issue", "sides", "to tell"};
    struct doc_table *table = NULL;
    for (size_t i = 0; i < page->survey->conflicts->count; ++i) {
        const struct claim_conflict *conflict = &page->survey->conflicts->list[i];
        if (!claims_page_shows_conflict(page, conflict))
            continue;
        if (!table) {
            doc_heading(document, 2, "conflicts", title);
            table = doc_words_table(document, "conflict", title, sizeof titles / sizeof *titles, titles);
            table->columns[0].bare = true;
        }
        doc_words_row(document, table, conflict->id,
                      (const char *const[]){conflict->issue, sides_of(page, conflict, document), conflict->experiment});
    }
}

// ---- all

static void claims_document(const struct claims_page *page, struct document *document)
{
    if (!page->claim) {
        doc_heading(document, 1, NULL, doc_text(document, "Claims, judged from %s", page->database));
        claims_summary(page, document);
    }
    for (size_t i = 0; i < page->survey->count; ++i) {
        const struct claim_results *results = page->survey->results[i];
        const struct published *published = results->paper->published;
        if (!claims_page_shows(page, results))
            continue;
        doc_heading(document, 2, NULL,
                    page->claim ? doc_text(document, "%s, claim %s, judged from %s", results->paper->id, page->claim,
                                           page->database)
                                : doc_text(document, "%s: %s%s\"%s\"", results->paper->id, published->authors,
                                           published->authors[0] ? ", " : "", published->title));
        claims_list(page, results, document);
        for (size_t k = 0; page->claim && k < results->count; ++k)
            if (claims_page_shows_claim(page, &results->results[k]))
                add_details(document, results, &results->results[k], true);
    }
    claims_conflicts_part(page, document);
}

void claims_write(const struct report_format *format, const struct claims_page *page, FILE *stream)
{
    struct document document = {.count = 0};
    if (!format->write) {
        claims_write_csv(page, stream);
        return;
    }
    claims_document(page, &document);
    format->write(&document, stream);
    document_finish(&document);
}
