// SPDX-License-Identifier: MIT
#include "report/sweep/sweep_choice.h"

#include <string.h>

#include "store/query.h"

static bool take_report(void *context, const struct store_row *row)
{
    struct error error = {.kind = ERROR_NONE}; // a file that this program would refuse says nothing
    struct experiment *experiment =
        experiment_parse(row->values[0].text, row->values[1].text, strlen(row->values[1].text), &error);
    if (experiment)
        memcpy(context, &experiment->report, sizeof experiment->report);
    experiment_free(experiment);
    return false;
}

bool sweep_choice(struct store *store, const char *experiment, struct experiment_report *report, struct error *error)
{
    const char *const bindings[] = {"name", experiment ? experiment : "", NULL};
    *report = (struct experiment_report){.line = 0};
    return store_query(store,
                       "SELECT e.path, e.text FROM run AS r JOIN experiment AS e ON e.id = r.experiment "
                       "WHERE :name = '' OR e.name = :name OR e.path = :name ORDER BY r.id DESC LIMIT 1",
                       bindings, take_report, report, error);
}

const char *sweep_word(const char *text)
{
    return text[0] ? text : NULL;
}
