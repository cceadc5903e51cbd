// SPDX-License-Identifier: MIT
#include "report/report_making.h"

#include <string.h>

#include "report/papers/prepare.h"

bool making_store(struct making *making, struct error *error)
{
    if (making->store)
        return true;
    making->store = store_open(making->request->database, STORE_READ, error);
    return making->store;
}

static bool making_prepare(struct making *making, const struct paper *paper, struct error *error)
{
    if (!making_store(making, error))
        return false;
    if (making->prepared && !strcmp(making->prepared->id, paper->id))
        return true;
    making->prepared = paper;
    return report_prepare(making->store, paper, &making->request->options, error);
}

bool making_measured(const struct report_table *table)
{
    for (size_t i = 0; i < table->panel_count; ++i)
        for (size_t j = 0; j < table->panels[i].row_count; ++j)
            for (size_t k = 0; k < table->definition->column_count; ++k)
                if (table->panels[i].rows[j].cells[k].trials[0])
                    return true;
    return false;
}

static void making_note_empty(struct making *making, const struct report_table *table)
{
    char remedy[900];
    report_remedy(table, remedy, sizeof remedy);
    if (!making->empty++)
        snprintf(making->remedy, sizeof making->remedy, "%s", remedy);
    if (table->panel_count)
        return;
    const size_t used = strlen(making->left_out);
    snprintf(making->left_out + used, sizeof making->left_out - used,
             "%s: nothing has been measured for it. To measure it: %s\n", table->definition->id, remedy);
}

struct report_table *making_table(struct making *making, const struct paper *paper,
                                  const struct paper_table *definition, struct error *error)
{
    if (definition->sql && !making_prepare(making, paper, error))
        return NULL;
    struct report_table *table = report_table_build(making->store, paper, definition, &making->request->options, error);
    if (table && making_measured(table))
        ++making->measured;
    else if (table && definition->sql)
        making_note_empty(making, table);
    return table;
}

bool making_nothing(const struct making *making, struct error *error)
{
    const struct report_options *options = &making->request->options;
    error_set(error, ERROR_FAILED, "nothing to report: %.400s has no results for this%s%.60s%s%.60s",
              making->request->database, options->scene ? " in scene " : "", options->scene ? options->scene : "",
              options->run ? " in a run labelled " : "", options->run ? options->run : "");
    if (making->remedy[0])
        return error_remedy(error, "make them with: %s", making->remedy);
    return error_remedy(
        error, "warpstudy run EXPERIMENT.yaml makes them; warpstudy report PAPER names the experiment of each table");
}
