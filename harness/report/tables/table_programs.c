// SPDX-License-Identifier: MIT
// Which cells are not, or not alone, of the program that measured most of the page.
#include "report/tables/table_programs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/query.h"

struct other_trial {
    int64_t trial;
    const char *program;
};

struct other_trials {
    struct other_trial *list; // by trial
    size_t count;
    struct arena *memory;
};

static bool add_trial(void *context, const struct store_row *row)
{
    struct other_trials *others = context;
    *ARENA_ADD(others->memory, others->list, others->count) =
        (struct other_trial){row->values[0].integer, arena_format(others->memory, "%s", row->values[1].text)};
    return true;
}

static int by_trial(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = ((const struct other_trial *)right)->trial;
    return (a > b) - (a < b);
}

// Of trials "12, 15" the first other program, NULL where there is none; *all: whether all are by others.
static const char *other_program(const struct other_trials *others, const char *trials, bool *all)
{
    const char *program = NULL;
    char *end;
    *all = true;
    for (int64_t trial; trial = strtoll(trials, &end, 10), end > trials; trials = end + strspn(end, ", ")) {
        const struct other_trial *found = bsearch(&trial, others->list, others->count, sizeof *others->list, by_trial);
        *all = *all && found;
        program = program || !found ? program : found->program;
    }
    return program;
}

static void note_cell(const struct other_trials *others, struct report_cell *cell)
{
    bool all;
    const char *program = isnan(cell->value) ? NULL : other_program(others, cell->trials, &all);
    if (program)
        cell->flags = arena_format(others->memory, "%s%s%s by another program than most of this page%s%s", cell->flags,
                                   cell->flags[0] ? "|" : "", all ? "measured" : "measured in part",
                                   program[0] ? ": " : "", program);
}

bool table_note_programs(struct store *store, struct report_table *table, struct error *error)
{
    struct other_trials others = {.memory = &table->memory};
    if (!store_query(store, "SELECT trial, program FROM other_program ORDER BY trial", NULL, add_trial, &others, error))
        return false;
    for (size_t i = 0; others.count && i < table->panel_count; ++i)
        for (size_t j = 0; j < table->panels[i].row_count; ++j)
            for (size_t k = 0; k < table->definition->column_count; ++k)
                note_cell(&others, &table->panels[i].rows[j].cells[k]);
    return true;
}
