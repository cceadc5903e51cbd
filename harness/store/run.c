// SPDX-License-Identifier: MIT
// Runs, trials and attempts.
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "store/store_internal.h"

const char *const attempt_status_names[ATTEMPT_STATUSES + 1] = {"running", "done",    "failed",    "killed",
                                                                "timeout", "skipped", "abandoned", NULL};

static const char *or_none(const char *text)
{
    return text ? text : "";
}

// ---- runs

static bool find_experiment(struct store *store, const struct experiment *experiment, int64_t *id, struct error *error)
{
    const char *text = or_none(experiment->text), *path = or_none(experiment->path);
    char hash[HASH_TEXT];
    hash_text(hash_bytes(text, strlen(text)), hash);
    return store_do(store, error,
                    "INSERT OR IGNORE INTO experiment (name, study, path, text, hash) VALUES (?, ?, ?, ?, ?)",
                    TEXT(experiment->name), TEXT(experiment->study), TEXT(path), TEXT(text), TEXT(hash)) &&
           store_ask(store, error, id, 0, "SELECT id FROM experiment WHERE hash = ? AND path = ?", TEXT(hash),
                     TEXT(path));
}

static bool add_environment(struct store *store, int64_t run, const char *const *pairs, struct error *error)
{
    bool done = true;
    for (; done && pairs && pairs[0] && pairs[1]; pairs += 2)
        done = store_do(store, error, "INSERT OR REPLACE INTO environment VALUES (?, ?, ?)", INTEGER(run),
                        TEXT(pairs[0]), TEXT(pairs[1]));
    return done;
}

static bool add_run(struct store *store, const struct run_header *header, int64_t experiment, int64_t *run,
                    struct error *error)
{
    const bool done = store_do(store, error,
                               "INSERT INTO run (experiment, label, command_line, started, order_seed, breadth_first) "
                               "VALUES (?, ?, ?, " STORE_NOW ", ?, ?)",
                               INTEGER(experiment), TEXT(or_none(header->label)), TEXT(or_none(header->command_line)),
                               INTEGER(header->experiment->order_seed), INTEGER(header->experiment->breadth_first));
    *run = sqlite3_last_insert_rowid(store->db);
    return done;
}

bool store_begin_run(struct store *store, const struct run_header *header, int64_t *run, struct error *error)
{
    int64_t experiment;
    return store_begin(store, error) && store_end(store,
                                                  find_experiment(store, header->experiment, &experiment, error) &&
                                                      add_run(store, header, experiment, run, error) &&
                                                      add_environment(store, *run, header->environment, error),
                                                  error);
}

bool store_end_run(struct store *store, int64_t run, const char *reason, struct error *error)
{
    return store_do(store, error, "UPDATE run SET ended = " STORE_NOW ", reason = ? WHERE id = ?", TEXT(reason),
                    INTEGER(run));
}

// ---- trials

// Made once: statements are known by the address of their text.
static const char *insert_trial_sql(void)
{
    static char *sql;
    if (sql)
        return sql;
    char *names = sqlite3_mprintf(""), *marks = sqlite3_mprintf("");
    for (size_t i = 0; i < parameter_count; ++i) {
        names = sqlite3_mprintf("%z, \"%w\"", names, parameter_table[i].name);
        marks = sqlite3_mprintf("%z, ?", marks);
    }
    return sql = sqlite3_mprintf(
               "INSERT OR IGNORE INTO trial_record (created, key, setting, spec, work, estimator, scene, "
               "camera, variant, device, replicate, scene_content, device_name, driver, harness, "
               "programs_text, policy_text, last_run%z) VALUES (%s, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
               "?, ?, ?, ?, ?%z)",
               names, STORE_NOW, marks);
}

static void bind_parameters(sqlite3_stmt *insert, int column, const struct trial_spec *spec)
{
    for (size_t i = 0; i < parameter_count; ++i, ++column) {
        const struct parameter *parameter = &parameter_table[i];
        const int64_t value = parameter_get(&spec->parameters, parameter);
        char text[64];
        const bool known = spec_heeds(spec, parameter) && value != PARAMETER_AUTO;
        if (known && parameter->choices)
            parameter_format(parameter, value, text, sizeof text);
        store_bind(insert, column, known && parameter->choices ? TEXT(text) : INTEGER_IF(known, value));
    }
}

static bool insert_trial(struct store *store, int64_t run, const struct plan_row *row,
                         const struct trial_provenance *provenance, const struct trial_keys *keys, struct error *error)
{
    int64_t programs, policy;
    if (!store_name_id(store, STORE_TEXTS, or_none(provenance->programs), &programs, error) ||
        !store_name_id(store, STORE_TEXTS, or_none(provenance->policy), &policy, error))
        return false;
    sqlite3_stmt *insert = store_with(
        store, error, insert_trial_sql(), TEXT(keys->key), TEXT(keys->setting), TEXT(keys->spec), TEXT(keys->work),
        TEXT(keys->estimator), TEXT(row->spec.scene), TEXT(row->spec.camera), TEXT(row->spec.variant),
        TEXT(row->spec.device), INTEGER(row->replicate), TEXT(or_none(provenance->scene_content)),
        TEXT(or_none(provenance->device_name)), TEXT(or_none(provenance->driver)), TEXT(or_none(provenance->harness)),
        INTEGER(programs), INTEGER(policy), INTEGER(run));
    if (insert)
        bind_parameters(insert, 18, &row->spec);
    return store_run(store, insert, error);
}

// Trials like this one whose builds failed, before their device's model was known, are outdated by it.
static bool adopt_failed(struct store *store, const struct trial_keys *keys, struct error *error)
{
    return store_do(store, error, "UPDATE trial_record SET spec = ?1 WHERE spec = ?2 AND ?1 <> ?2", TEXT(keys->spec),
                    TEXT(keys->spec_nowhere));
}

static bool link_trial(struct store *store, int64_t run, const struct plan_row *row, int64_t trial, struct error *error)
{
    return store_do(store, error, "INSERT OR REPLACE INTO run_trial VALUES (?, ?, ?, ?, ?)", INTEGER(run),
                    INTEGER(trial), INTEGER(row->point), INTEGER(row->ordinal), INTEGER(row->collections)) &&
           store_do(store, error, "UPDATE trial_record SET last_run = ?1 WHERE id = ?2 AND last_run < ?1", INTEGER(run),
                    INTEGER(trial));
}

// Values of the plan's derived columns that are no parameters, once per point.
static bool add_derived(struct store *store, int64_t run, const struct plan_row *row, struct error *error)
{
    if (!store->plan || !store->shape.derived || row->replicate)
        return true;
    sqlite3_stmt *point = store_with(store->plan, error, "SELECT * FROM point WHERE number = ?", INTEGER(row->point));
    bool done = store_row(store->plan, point, error) == 1;
    for (int i = 1 + store->shape.axes; done && i < sqlite3_column_count(point); ++i) {
        if (parameter_find(sqlite3_column_name(point, i)))
            continue;
        sqlite3_stmt *insert = store_with(store, error, "INSERT OR REPLACE INTO derived VALUES (?, ?, ?, ?)",
                                          INTEGER(run), INTEGER(row->point), TEXT(sqlite3_column_name(point, i)));
        if (insert)
            sqlite3_bind_value(insert, 4, sqlite3_column_value(point, i));
        done = store_run(store, insert, error);
    }
    sqlite3_reset(point);
    return done;
}

bool store_trial(struct store *store, int64_t run, const struct plan_row *row,
                 const struct trial_provenance *provenance, int64_t *trial, char key[HASH_TEXT], struct error *error)
{
    struct trial_keys keys;
    trial_keys_make(row, provenance, &keys);
    memcpy(key, keys.key, HASH_TEXT);
    return store_begin(store, error) &&
           store_end(
               store,
               insert_trial(store, run, row, provenance, &keys, error) && adopt_failed(store, &keys, error) &&
                   store_ask(store, error, trial, 0, "SELECT id FROM trial_record WHERE key = ?", TEXT(keys.key)) &&
                   link_trial(store, run, row, *trial, error) && add_derived(store, run, row, error),
               error);
}
