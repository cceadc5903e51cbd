// SPDX-License-Identifier: MIT
#include "report/papers/paper_store.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "report/claims/claims_file.h"
#include "report/claims/claims_words.h"
#include "report/papers/paper.h"
#include "report/papers/sql_rows.h"

// The tables, and who fills them.
enum { PAPER, FACT, PUBLISHED, QUOTATION, MISPRINT, CHOICE, CONFLICT, TABLES };
static const struct sql_rows tables[TABLES + 1] = {
    [PAPER] = {.table = "paper", {"id TEXT", "title TEXT", "authors TEXT", "venue TEXT", "year INTEGER"}},
    [FACT] = {.table = "fact", {"paper TEXT", "section TEXT", "name TEXT", "value TEXT"}},
    [PUBLISHED] = {.table = "published",
                   {"paper TEXT", "item TEXT", "row TEXT", "column TEXT", "unit TEXT", "printed TEXT", "corrected TEXT",
                    "misprint TEXT", "value REAL", "half REAL"}},
    [QUOTATION] = {.table = "quotation",
                   {"paper TEXT", "id TEXT", "place TEXT", "value TEXT", "unit TEXT", "meaning TEXT", "verified TEXT"}},
    [MISPRINT] = {.table = "misprint",
                  {"paper TEXT", "id TEXT", "place TEXT", "printed TEXT", "corrected TEXT", "certainty TEXT",
                   "reason TEXT"}},
    [CHOICE] = {.table = "choice", {"paper TEXT", "id TEXT", "issue TEXT", "resolution TEXT"}},
    [CONFLICT] = {.table = "conflict", {"id TEXT", "claims TEXT", "issue TEXT", "experiment TEXT"}},
};

static void add_facts(struct sql_rows *rows, const struct published *published)
{
    for (size_t i = 0; i < published->fact_count; ++i)
        SQL_ROWS_TEXTS(rows, published->id, published->facts[i].section, published->facts[i].name,
                       published->facts[i].value);
    for (size_t i = 0; i < published->quote_count; ++i) {
        const struct published_quote *quote = &published->quotes[i];
        if (quote->measured[0])
            SQL_ROWS_TEXTS(rows, published->id, "quoted", arena_format(&rows->memory, "%s.measured", quote->id),
                           quote->measured);
    }
}

static void add_cells(struct sql_rows *rows, const struct published *published, const struct published_table *table)
{
    for (size_t i = 0; i < table->row_count * table->column_count; ++i) {
        const struct published_cell *cell = &table->cells[i];
        const struct published_column *column = &table->columns[i % table->column_count];
        if (!cell->printed)
            continue;
        SQL_ROWS_TEXTS(rows, published->id, table->id, table->row_keys[i / table->column_count], column->name,
                       column->unit, cell->printed, cell->corrected, cell->misprint);
        sql_rows_number(rows, cell->value);
        sql_rows_number(rows, cell->half);
    }
}

static void add_lists(struct sql_rows *rows, const struct published *published)
{
    for (size_t i = 0; i < published->quote_count; ++i) {
        const struct published_quote *quote = &published->quotes[i];
        SQL_ROWS_TEXTS(&rows[QUOTATION], published->id, quote->id, quote->where, quote->value, quote->unit, quote->of,
                       quote->check);
    }
    for (size_t i = 0; i < published->misprint_count; ++i) {
        const struct published_misprint *misprint = &published->misprints[i];
        SQL_ROWS_TEXTS(&rows[MISPRINT], published->id, misprint->id, misprint->where, misprint->printed,
                       misprint->corrected, misprint->certainty, misprint->reason);
    }
    for (size_t i = 0; i < published->choice_count; ++i)
        SQL_ROWS_TEXTS(&rows[CHOICE], published->id, published->choices[i].id, published->choices[i].issue,
                       published->choices[i].resolution);
}

static bool add_paper(struct sql_rows *rows, const char *id, struct error *error)
{
    char path[PATH_MAX];
    if (!paper_path(path, sizeof path, error, "%s/published.yaml", id))
        return false;
    struct published *published = published_load(path, error);
    if (!published)
        return false;
    SQL_ROWS_TEXTS(&rows[PAPER], published->id, published->title, published->authors, published->venue,
                   published->year ? arena_format(&rows[PAPER].memory, "%" PRIu64, published->year) : NULL);
    add_facts(&rows[FACT], published);
    for (size_t i = 0; i < published->table_count; ++i)
        add_cells(&rows[PUBLISHED], published, &published->tables[i]);
    add_lists(rows, published);
    published_free(published);
    return true;
}

static bool add_conflicts(struct sql_rows *rows, struct error *error)
{
    struct claim_conflicts *conflicts = claim_conflicts_load(error);
    for (size_t i = 0; conflicts && i < conflicts->count; ++i) {
        const struct claim_conflict *conflict = &conflicts->list[i];
        SQL_ROWS_TEXTS(rows, conflict->id, claim_join(&rows->memory, conflict->claims, conflict->claim_count),
                       conflict->issue, conflict->experiment);
    }
    claim_conflicts_free(conflicts);
    return conflicts != NULL;
}

bool papers_load(struct store *store, const char *sql, struct error *error)
{
    struct sql_rows rows[TABLES + 1], none[TABLES + 1];
    struct paper_names names;
    if (sql && !sql_rows_named(tables, sql))
        return true;
    memcpy(rows, tables, sizeof rows);
    memcpy(none, tables, sizeof none);
    bool done = paper_names(&names, error);
    for (size_t i = 0; done && i < names.count; ++i)
        done = !paper_is_published(names.list[i]) || add_paper(rows, names.list[i], error);
    done = sql_rows_load(store, rows, done && add_conflicts(&rows[CONFLICT], error), error);
    return done || (sql_rows_load(store, none, true, NULL) && false);
}

void papers_load_if_any(struct store *store, const char *sql)
{
    struct error error = {0};
    char text[2200];
    if (papers_load(store, sql, &error))
        return;
    error_format(&error, text, sizeof text);
    fprintf(stderr, "the tables of papers are empty: %s\n", text);
}
