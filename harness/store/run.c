// SPDX-License-Identifier: MIT
#include "store/run.h"

#include <string.h>

#include "device/device.h"
#include "frame/variant.h"
#include "sql/statement.h"
#include "store/rows.h"
#include "store/store_handle.h"

static const char *or_none(const char *text)
{
    return text ? text : "";
}

// ---- runs

static bool find_experiment(struct sql *db, const struct run_experiment *experiment, int64_t *id, struct error *error)
{
    const char *text = or_none(experiment->text), *path = or_none(experiment->path);
    char hash[HASH_TEXT];
    hash_text(hash_bytes(text, strlen(text)), hash);
    return sql_do(db, error, "INSERT OR IGNORE INTO experiment (name, study, path, text, hash) VALUES (?, ?, ?, ?, ?)",
                  TEXT(or_none(experiment->name)), TEXT(or_none(experiment->study)), TEXT(path), TEXT(text),
                  TEXT(hash)) &&
           sql_ask(db, error, id, 0, "SELECT id FROM experiment WHERE hash = ? AND path = ?", TEXT(hash), TEXT(path));
}

static bool add_environment(struct sql *db, int64_t run, const char *const *pairs, struct error *error)
{
    bool done = true;
    for (; done && pairs && pairs[0] && pairs[1]; pairs += 2)
        done = sql_do(db, error, "INSERT OR REPLACE INTO environment VALUES (?, ?, ?)", INTEGER(run), TEXT(pairs[0]),
                      TEXT(pairs[1]));
    return done;
}

static bool add_run(struct sql *db, const struct run_header *header, int64_t experiment, int64_t *run,
                    struct error *error)
{
    const bool done = sql_do(db, error,
                             "INSERT INTO run (experiment, label, command_line, started, order_seed, breadth_first) "
                             "VALUES (?, ?, ?, " STORE_NOW ", ?, ?)",
                             INTEGER(experiment), TEXT(or_none(header->label)), TEXT(or_none(header->command_line)),
                             INTEGER(header->experiment.order_seed), INTEGER(header->experiment.breadth_first));
    *run = sqlite3_last_insert_rowid(db->connection);
    return done;
}

bool store_begin_run(struct store *store, const struct run_header *header, int64_t *run, struct error *error)
{
    int64_t experiment;
    return sql_begin(&store->db, error) &&
           sql_end(&store->db,
                   find_experiment(&store->db, &header->experiment, &experiment, error) &&
                       add_run(&store->db, header, experiment, run, error) &&
                       add_environment(&store->db, *run, header->environment, error),
                   error);
}

bool store_end_run(struct store *store, int64_t run, const char *reason, struct error *error)
{
    return sql_do(&store->db, error, "UPDATE run SET ended = " STORE_NOW ", reason = ? WHERE id = ?", TEXT(reason),
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
        const bool known = trial_uses(spec, parameter) && value != PARAMETER_AUTO;
        if (known && parameter->choices)
            parameter_format(parameter, value, text, sizeof text);
        sql_bind(insert, column, known && parameter->choices ? TEXT(text) : INTEGER_IF(known, value));
    }
}

static bool insert_trial(struct sql *db, int64_t run, const struct trial_row *row,
                         const struct trial_provenance *provenance, const struct trial_keys *keys, struct error *error)
{
    int64_t programs, policy;
    char device[DEVICE_NAME_TEXT];
    device_name_of(row->spec.device, device);
    if (!store_name_id(db, STORE_TEXTS, or_none(provenance->programs), &programs, error) ||
        !store_name_id(db, STORE_TEXTS, or_none(provenance->policy), &policy, error))
        return false;
    sqlite3_stmt *insert = sql_with(
        db, error, insert_trial_sql(), TEXT(keys->key), TEXT(keys->setting), TEXT(keys->spec), TEXT(keys->work),
        TEXT(keys->estimator), TEXT(row->spec.scene), TEXT(row->spec.camera), TEXT(row->spec.variant), TEXT(device),
        INTEGER(row->replicate), TEXT(or_none(provenance->scene_content)), TEXT(or_none(provenance->device_name)),
        TEXT(or_none(provenance->driver)), TEXT(or_none(provenance->harness)), INTEGER(programs), INTEGER(policy),
        INTEGER(run));
    if (insert)
        bind_parameters(insert, 18, &row->spec);
    return sql_run(db, insert, error);
}

// Trials like this one whose builds failed, before their device's model was known, are outdated by it.
static bool adopt_failed(struct sql *db, const struct trial_keys *keys, struct error *error)
{
    return sql_do(db, error, "UPDATE trial_record SET spec = ?1 WHERE spec = ?2 AND ?1 <> ?2", TEXT(keys->spec),
                  TEXT(keys->spec_nowhere));
}

static bool link_trial(struct sql *db, int64_t run, const struct trial_row *row, int64_t trial, struct error *error)
{
    return sql_do(db, error, "INSERT OR REPLACE INTO run_trial VALUES (?, ?, ?, ?, ?)", INTEGER(run), INTEGER(trial),
                  INTEGER(row->point), INTEGER(row->ordinal), INTEGER(row->collections)) &&
           sql_do(db, error, "UPDATE trial_record SET last_run = ?1 WHERE id = ?2 AND last_run < ?1", INTEGER(run),
                  INTEGER(trial));
}

static bool add_derived(struct sql *db, int64_t run, const struct trial_row *row, struct error *error)
{
    bool done = true;
    for (size_t i = 0; done && i < row->derived_count; ++i) {
        const struct store_value *value = &row->derived[i].value;
        const struct sql_value bound = value->type == STORE_INTEGER ? INTEGER(value->integer)
                                       : value->type == STORE_REAL  ? REAL(value->real)
                                                                    : TEXT(value->text);
        done = sql_do(db, error, "INSERT OR REPLACE INTO derived VALUES (?, ?, ?, ?)", INTEGER(run),
                      INTEGER(row->point), TEXT(row->derived[i].name), bound);
    }
    return done;
}

bool store_trial(struct store *store, int64_t run, const struct trial_row *row,
                 const struct trial_provenance *provenance, int64_t *trial, char key[HASH_TEXT], struct error *error)
{
    struct trial_keys keys;
    trial_keys_make(row, provenance, &keys);
    memcpy(key, keys.key, HASH_TEXT);
    return sql_begin(&store->db, error) &&
           sql_end(
               &store->db,
               insert_trial(&store->db, run, row, provenance, &keys, error) && adopt_failed(&store->db, &keys, error) &&
                   sql_ask(&store->db, error, trial, 0, "SELECT id FROM trial_record WHERE key = ?", TEXT(keys.key)) &&
                   link_trial(&store->db, run, row, *trial, error) && add_derived(&store->db, run, row, error),
               error);
}
