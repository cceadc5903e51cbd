// SPDX-License-Identifier: MIT
// What makes two trials the same (contract 4). Every part is hashed with its length, so that no two lists run together.
// Of the parameters those that are heeded and differ from their default: a new row of parameters.def changes no key.
#include <stdio.h>
#include <string.h>

#include "store/store_internal.h"
#include "trial/variant.h"

bool spec_heeds(const struct trial_spec *spec, const struct parameter *parameter)
{
    if (parameter->role == PARAMETER_MACHINE)
        return !strcmp(spec->device, "emulator");
    const struct variant *variant = variant_find(spec->variant);
    return !variant || variant_uses(variant, parameter);
}

static void add_parameters(struct hash_state *state, const struct trial_spec *spec, bool work_only)
{
    const struct parameters standard = parameters_default();
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *parameter = &parameter_table[i];
        const int64_t set = parameter_get(&spec->parameters, parameter);
        if ((work_only && parameter->role != PARAMETER_WORK) || !spec_heeds(spec, parameter) ||
            set == parameter_get(&standard, parameter))
            continue;
        char value[64];
        parameter_format(parameter, set, value, sizeof value);
        hash_add_text(state, parameter->name);
        hash_add_text(state, value);
    }
}

static void add_spec(struct hash_state *state, const struct trial_spec *spec)
{
    hash_add_text(state, spec->scene);
    hash_add_text(state, spec->camera);
    hash_add_text(state, spec->variant);
    hash_add_text(state, spec->device);
    add_parameters(state, spec, false);
}

static void add_provenance(struct hash_state *state, const struct trial_provenance *provenance)
{
    hash_add_text(state, provenance->scene_content);
    hash_add_text(state, provenance->programs);
    hash_add_text(state, provenance->device_name);
    hash_add_text(state, provenance->driver);
    hash_add_text(state, provenance->policy);
    hash_add_text(state, provenance->harness);
}

// Of parameters, replicate and device model: equal in trials that outdate each other.
static void make_spec(const struct plan_row *row, const char *device_name, char text[HASH_TEXT])
{
    struct hash_state *state = hash_begin();
    add_spec(state, &row->spec);
    hash_add_text(state, device_name);
    hash_add(state, &row->replicate, sizeof row->replicate);
    hash_text(hash_end(state), text);
}

static void make_work(const struct plan_row *row, const char *estimator, const char *scene_content,
                      char text[HASH_TEXT])
{
    struct hash_state *state = hash_begin();
    hash_add_text(state, estimator);
    hash_add_text(state, scene_content);
    hash_add_text(state, row->spec.camera);
    add_parameters(state, &row->spec, true);
    hash_text(hash_end(state), text);
}

void trial_keys_make(const struct plan_row *row, const struct trial_provenance *provenance, struct trial_keys *keys)
{
    const struct variant *variant = variant_find(row->spec.variant);
    keys->estimator = variant ? variant->estimator->name : "";

    struct hash_state *state = hash_begin();
    add_spec(state, &row->spec);
    add_provenance(state, provenance);
    hash_text(hash_end(state), keys->setting);

    state = hash_begin();
    hash_add_text(state, keys->setting);
    hash_add(state, &row->replicate, sizeof row->replicate);
    hash_text(hash_end(state), keys->key);

    make_spec(row, provenance->device_name, keys->spec);
    make_work(row, keys->estimator, provenance->scene_content, keys->work);
}

// ---- of stored trials

enum {
    COLUMN_ID,
    COLUMN_REPLICATE,
    COLUMN_SCENE,
    COLUMN_CAMERA,
    COLUMN_VARIANT,
    COLUMN_DEVICE,
    COLUMN_DEVICE_NAME,
    COLUMN_ESTIMATOR,
    COLUMN_CONTENT,
    COLUMN_PARAMETERS
};

static const char *text_of(sqlite3_stmt *list, int column)
{
    const char *text = (const char *)sqlite3_column_text(list, column);
    return text ? text : "";
}

static bool read_row(sqlite3_stmt *list, struct plan_row *row, struct error *error)
{
    *row = (struct plan_row){.replicate = sqlite3_column_int(list, COLUMN_REPLICATE)};
    snprintf(row->spec.scene, sizeof row->spec.scene, "%s", text_of(list, COLUMN_SCENE));
    snprintf(row->spec.camera, sizeof row->spec.camera, "%s", text_of(list, COLUMN_CAMERA));
    snprintf(row->spec.variant, sizeof row->spec.variant, "%s", text_of(list, COLUMN_VARIANT));
    snprintf(row->spec.device, sizeof row->spec.device, "%s", text_of(list, COLUMN_DEVICE));
    row->spec.parameters = parameters_default(); // NULL: ignored or automatic, which is its default
    bool done = true;
    for (size_t i = 0; done && i < parameter_count; ++i)
        if (sqlite3_column_type(list, COLUMN_PARAMETERS + (int)i) != SQLITE_NULL)
            done = parameter_set(&row->spec.parameters, &parameter_table[i], text_of(list, COLUMN_PARAMETERS + (int)i),
                                 error);
    return done;
}

static bool renew(struct store *store, sqlite3_stmt *list, struct error *error)
{
    struct plan_row row;
    char spec[HASH_TEXT], work[HASH_TEXT];
    if (!read_row(list, &row, error))
        return false;
    make_spec(&row, text_of(list, COLUMN_DEVICE_NAME), spec);
    const struct variant *variant = variant_find(row.spec.variant);
    const char *estimator = variant ? variant->estimator->name : text_of(list, COLUMN_ESTIMATOR);
    make_work(&row, estimator, text_of(list, COLUMN_CONTENT), work);
    sqlite3_stmt *update =
        store_prepare(store, "UPDATE trial_record SET spec = ?2, work = ?3, estimator = ?4 WHERE id = ?1", error);
    store_bind_integer(update, 1, sqlite3_column_int64(list, COLUMN_ID));
    store_bind_text(update, 2, spec);
    store_bind_text(update, 3, work);
    store_bind_text(update, 4, estimator);
    return store_run(store, update, error);
}

bool trial_keys_renew(struct store *store, struct error *error)
{
    char *sql = sqlite3_mprintf("SELECT id, replicate, scene, camera, variant, device, device_name, estimator, "
                                "scene_content");
    for (size_t i = 0; i < parameter_count; ++i)
        sql = sqlite3_mprintf("%z, \"%w\"", sql, parameter_table[i].name);
    sql = sqlite3_mprintf("%z FROM trial_record", sql);
    sqlite3_stmt *list = NULL;
    bool done = sql && sqlite3_prepare_v2(store->db, sql, -1, &list, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    int code = SQLITE_DONE;
    while (done && (code = sqlite3_step(list)) == SQLITE_ROW)
        if (!renew(store, list, error)) {
            sqlite3_finalize(list);
            return false;
        }
    sqlite3_finalize(list);
    return (done && code == SQLITE_DONE) || store_failed(store->db, store->path, "migrate the database", error);
}
