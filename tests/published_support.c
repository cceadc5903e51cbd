// SPDX-License-Identifier: MIT
#include <math.h>

#include "check.h"
#include "published_support.h"
#include "report/papers/paper.h"

void published_path(const char *name, char *path, size_t size)
{
    char root[256];
    assert_true(paper_root(root, sizeof root, &why));
    snprintf(path, size, "%s/%s", root, name);
}

struct published *published_of(const char *paper)
{
    char name[100], path[700];
    snprintf(name, sizeof name, "%s/published.yaml", paper);
    published_path(name, path, sizeof path);
    return made(published_load(path, &why));
}

static const struct published_cell *cell_of(const struct published *published, const char *table, const char *row,
                                            const char *column)
{
    const struct published_table *found = published_table(published, table);
    const struct published_cell *cell = found ? published_cell(found, row, column) : NULL;
    if (!cell)
        fail_msg("%s has no cell %s, %s, %s", published->id, table, row, column);
    return cell;
}

double published_value(const struct published *published, const char *table, const char *row, const char *column)
{
    return cell_of(published, table, row, column)->value;
}

double published_printed(const struct published *published, const char *table, const char *row, const char *column)
{
    const struct published_cell *cell = cell_of(published, table, row, column);
    return cell->misprint
               ? strtod(cell->printed, NULL) * published_column(published_table(published, table), column)->scale
               : cell->value;
}

const char *published_words(const struct published *published, const char *table, const char *row, const char *column)
{
    const struct published_cell *cell = cell_of(published, table, row, column);
    return cell->corrected ? cell->corrected : cell->printed ? cell->printed : "";
}

const char *published_said(const struct published *published, const char *section, const char *name)
{
    const struct published_fact *fact = published_fact(published, section, name);
    return fact ? fact->value : "";
}

double published_number(const struct published *published, const char *section, const char *name)
{
    return strtod(published_said(published, section, name), NULL);
}

void published_corrupt_numbers(const struct published *published, int (*violations)(void))
{
    int numbers = 0;
    for (size_t i = 0; i < published->table_count; ++i) {
        const struct published_table *table = &published->tables[i];
        for (size_t j = 0; j < table->row_count * table->column_count; ++j) {
            const double good = table->cells[j].value;
            if (isnan(good))
                continue;
            table->cells[j].value = good * 1.2 + (good == 0);
            if (!violations())
                fail_msg("%s, %s, row %s, column %s may be anything", published->id, table->id,
                         table->row_keys[j / table->column_count], table->columns[j % table->column_count].name);
            table->cells[j].value = good;
            ++numbers;
        }
    }
    assert_true(numbers > 0);
    assert_int_equal(violations(), 0);
}
