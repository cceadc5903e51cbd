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

static bool sweep_choice(struct store *store, const char *experiment, struct experiment_report *report,
                         struct error *error)
{
    const char *const bindings[] = {"name", experiment ? experiment : "", NULL};
    *report = (struct experiment_report){.line = 0};
    return store_query(store,
                       "SELECT e.path, e.text FROM run AS r JOIN experiment AS e ON e.id = r.experiment "
                       "WHERE :name = '' OR e.name = :name OR e.path = :name ORDER BY r.id DESC LIMIT 1",
                       bindings, take_report, report, error);
}

// Takes names that do not vary out of a list with commas between, and adds them to those left out.
static const char *keep_varying(const struct sweep_rows *rows, char *list, const char *left_out, struct arena *memory)
{
    const char *kept = "";
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        const char *name = arena_format(memory, "%.*s", (int)strcspn(at, ","), at);
        const char **to = sweep_axis_find(rows, name) ? &kept : &left_out;
        if (to == &left_out && strstr(arena_format(memory, " %s,", left_out), arena_format(memory, " %s,", name)))
            continue;
        *to = arena_format(memory, "%s%s%s", *to, **to ? ", " : "", name);
    }
    char *end = list;
    for (const char *at = kept; *at; ++at)
        if (*at != ' ')
            *end++ = *at;
    *end = '\0';
    return left_out;
}

static const char *sweep_choice_fit(struct experiment_report *report, const struct sweep_rows *rows,
                                    struct arena *memory)
{
    char *const lists[] = {report->x, report->series, report->panels, report->rows, report->columns};
    const char *left_out = "";
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
        left_out = keep_varying(rows, lists[i], left_out, memory);
    return left_out[0]
               ? arena_format(memory,
                              "%s: named in the `report` of %s's file, but without two values here, and left out",
                              left_out, rows->experiment)
               : "";
}

bool sweep_choice_read(struct store *store, const char *experiment, const char *measure,
                       struct experiment_report *report, struct sweep_rows *rows, const char **remark,
                       struct error *error)
{
    *remark = "";
    if (!sweep_choice(store, experiment, report, error) ||
        !sweep_rows_read(store, experiment, measure ? measure : sweep_word(report->measure), rows, error))
        return false;
    *remark = sweep_choice_fit(report, rows, &rows->memory);
    return true;
}

const char *sweep_word(const char *text)
{
    return text[0] ? text : NULL;
}
