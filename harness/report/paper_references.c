// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>

#include "report/claims_file.h"
#include "report/paper_rows.h"

static bool add_paper(struct paper_rows *rows, const struct published *published, struct error *error)
{
    (void)error;
    char year[24];
    snprintf(year, sizeof year, "%" PRIu64, published->year);
    const char *const cells[] = {published->id, published->title, published->authors, published->venue,
                                 published->year ? year : NULL};
    paper_rows_add(rows, cells);
    return true;
}

static bool add_facts(struct paper_rows *rows, const struct published *published, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < published->fact_count; ++i) {
        const struct published_fact *fact = &published->facts[i];
        const char *const cells[] = {published->id, fact->section, fact->name, fact->value};
        paper_rows_add(rows, cells);
    }
    for (size_t i = 0; i < published->quote_count; ++i) {
        char name[80];
        const struct published_quote *quote = &published->quotes[i];
        snprintf(name, sizeof name, "%.60s.measured", quote->id);
        const char *const cells[] = {published->id, "quoted", name, quote->measured};
        if (quote->measured[0])
            paper_rows_add(rows, cells);
    }
    return true;
}

static bool add_published(struct paper_rows *rows, const struct published *published, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < published->table_count; ++i) {
        const struct published_table *table = &published->tables[i];
        for (size_t j = 0; j < table->row_count * table->column_count; ++j) {
            char value[40], half[40];
            const struct published_cell *cell = &table->cells[j];
            const struct published_column *column = &table->columns[j % table->column_count];
            const char *const cells[] = {published->id,
                                         table->id,
                                         table->row_keys[j / table->column_count],
                                         column->name,
                                         column->unit,
                                         cell->printed,
                                         cell->corrected,
                                         cell->misprint,
                                         paper_rows_number(cell->value, value),
                                         paper_rows_number(cell->half, half)};
            if (cell->printed)
                paper_rows_add(rows, cells);
        }
    }
    return true;
}

static bool add_quotations(struct paper_rows *rows, const struct published *published, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < published->quote_count; ++i) {
        const struct published_quote *quote = &published->quotes[i];
        const char *const cells[] = {published->id, quote->id, quote->where, quote->value,
                                     quote->unit,   quote->of, quote->check};
        paper_rows_add(rows, cells);
    }
    return true;
}

static bool add_misprints(struct paper_rows *rows, const struct published *published, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < published->misprint_count; ++i) {
        const struct published_misprint *misprint = &published->misprints[i];
        const char *const cells[] = {published->id,       misprint->id,        misprint->where, misprint->printed,
                                     misprint->corrected, misprint->certainty, misprint->reason};
        paper_rows_add(rows, cells);
    }
    return true;
}

static bool add_choices(struct paper_rows *rows, const struct published *published, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < published->choice_count; ++i) {
        const struct published_choice *choice = &published->choices[i];
        const char *const cells[] = {published->id, choice->id, choice->issue, choice->resolution};
        paper_rows_add(rows, cells);
    }
    return true;
}

const struct paper_reference paper_references[] = {
    {"paper", {"id TEXT", "title TEXT", "authors TEXT", "venue TEXT", "year INTEGER"}, add_paper, NULL},
    {"fact", {"paper TEXT", "section TEXT", "name TEXT", "value TEXT"}, add_facts, NULL},
    {"published",
     {"paper TEXT", "item TEXT", "row TEXT", "column TEXT", "unit TEXT", "printed TEXT", "corrected TEXT",
      "misprint TEXT", "value REAL", "half REAL"},
     add_published,
     NULL},
    {"quotation",
     {"paper TEXT", "id TEXT", "place TEXT", "value TEXT", "unit TEXT", "meaning TEXT", "verified TEXT"},
     add_quotations,
     NULL},
    {"misprint",
     {"paper TEXT", "id TEXT", "place TEXT", "printed TEXT", "corrected TEXT", "certainty TEXT", "reason TEXT"},
     add_misprints,
     NULL},
    {"choice", {"paper TEXT", "id TEXT", "issue TEXT", "resolution TEXT"}, add_choices, NULL},
    {"conflict", {"id TEXT", "claims TEXT", "issue TEXT", "experiment TEXT"}, NULL, claims_rows_of_conflicts},
    {NULL, {NULL}, NULL, NULL},
};
