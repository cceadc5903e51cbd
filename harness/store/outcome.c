// SPDX-License-Identifier: MIT
#include "store/outcome.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sql/statement.h"
#include "store/store_handle.h"

struct outcomes {
    struct store *store;
    struct model {
        char name[128];
    } * models; // of all devices that trials were measured on; "" of those that could not be built
    size_t count;
};

static bool add_model(void *context, const struct store_row *row)
{
    struct outcomes *outcomes = context;
    struct model *model = ARRAY_ADD(outcomes->models, outcomes->count);
    snprintf(model->name, sizeof model->name, "%s", row->values[0].text);
    return true;
}

struct outcomes *outcomes_open(struct store *store, struct error *error)
{
    struct outcomes *outcomes = memory_new(1, sizeof *outcomes);
    outcomes->store = store;
    if (store_query(store, "SELECT device_name FROM trial_record UNION SELECT ''", NULL, add_model, outcomes, error))
        return outcomes;
    outcomes_close(outcomes);
    return NULL;
}

void outcomes_close(struct outcomes *outcomes)
{
    if (outcomes)
        free(outcomes->models);
    free(outcomes);
}

// Only results depend on the words: what was skipped or failed has an outcome whatever the policy was.
static bool read_outcomes(struct sql *db, sqlite3_stmt *list, const char *made_by, bool seen[ATTEMPT_STATUSES],
                          struct error *error)
{
    int row;
    while ((row = sql_row(db, list, error)) > 0)
        for (int status = 0; status < ATTEMPT_STATUSES; ++status)
            seen[status] |=
                !strcmp((const char *)sqlite3_column_text(list, 0), attempt_status_names[status]) &&
                (status != ATTEMPT_DONE || store_covers((const char *)sqlite3_column_text(list, 1), made_by));
    return row == 0;
}

bool outcomes_find(const struct outcomes *outcomes, const struct trial_row *row, enum collection kind,
                   const char *made_by, enum attempt_status *state, struct error *error)
{
    bool seen[ATTEMPT_STATUSES] = {false};
    for (size_t i = 0; i < outcomes->count; ++i) {
        char spec[HASH_TEXT];
        trial_spec_key(row, outcomes->models[i].name, spec);
        sqlite3_stmt *list = sql_with(&outcomes->store->db, error,
                                      "SELECT a.status, p.name || iif(a.collection IN ('counters', 'timeline'), "
                                      "' ' || coalesce(a.made_by, ''), '') FROM trial_record AS t "
                                      "JOIN long_text AS p ON p.id = t.policy_text JOIN attempt AS a ON a.trial = t.id "
                                      "WHERE t.spec = ?1 AND a.collection = ?2 AND NOT a.superseded",
                                      TEXT(spec), TEXT(collection_names[kind]));
        if (!read_outcomes(&outcomes->store->db, list, made_by, seen, error))
            return false;
    }
    *state = seen[ATTEMPT_DONE]                                                      ? ATTEMPT_DONE
             : seen[ATTEMPT_SKIPPED]                                                 ? ATTEMPT_SKIPPED
             : seen[ATTEMPT_FAILED] || seen[ATTEMPT_KILLED] || seen[ATTEMPT_TIMEOUT] ? ATTEMPT_FAILED
                                                                                     : ATTEMPT_RUNNING;
    return true;
}
