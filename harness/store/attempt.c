// SPDX-License-Identifier: MIT
#include "store/attempt.h"

#include <string.h>

#include "base/clock.h"
#include "sql/statement.h"
#include "store/measure.h"
#include "store/reading.h"
#include "store/rows.h"
#include "store/store_handle.h"

const char *const attempt_status_names[ATTEMPT_STATUSES + 1] = {"running", "done",    "failed",    "killed",
                                                                "timeout", "skipped", "abandoned", NULL};

bool store_covers(const char *made, const char *wanted)
{
    for (size_t length; *wanted; wanted += length + (wanted[length] == ' ')) {
        length = strcspn(wanted, " ");
        const char *place = made;
        while (*place && (strcspn(place, " ") != length || memcmp(place, wanted, length))) {
            place += strcspn(place, " ");
            place += *place == ' ';
        }
        if (!*place && length)
            return false;
    }
    return true;
}

bool store_settled(struct store *store, int64_t trial, enum collection collection, const char *made_by, int32_t retries,
                   enum attempt_status *state, struct error *error)
{
    int64_t seen[ATTEMPT_STATUSES] = {0};
    sqlite3_stmt *list = sql_with(&store->db, error,
                                  "SELECT status, made_by FROM attempt WHERE trial = ?1 AND collection = ?2 AND "
                                  "NOT superseded AND made_by IS NOT NULL",
                                  INTEGER(trial), TEXT(collection_names[collection]));
    int row;
    while ((row = sql_row(&store->db, list, error)) > 0)
        for (int i = 0; i < ATTEMPT_STATUSES; ++i)
            seen[i] += !strcmp((const char *)sqlite3_column_text(list, 0), attempt_status_names[i]) &&
                       store_covers((const char *)sqlite3_column_text(list, 1), made_by);
    const bool failed = seen[ATTEMPT_FAILED] || seen[ATTEMPT_KILLED] + seen[ATTEMPT_TIMEOUT] > retries;
    *state = seen[ATTEMPT_DONE]      ? ATTEMPT_DONE
             : seen[ATTEMPT_SKIPPED] ? ATTEMPT_SKIPPED
             : failed                ? ATTEMPT_FAILED
                                     : ATTEMPT_RUNNING;
    return row == 0;
}

bool store_begin_attempt(struct store *store, int64_t run, int64_t trial, enum collection collection,
                         const char *made_by, int64_t *attempt, struct error *error)
{
    const bool done = sql_file_check(&store->file, error) &&
                      sql_do(&store->db, error,
                             "INSERT INTO attempt (trial, collection, run, number, status, started, made_by) "
                             "SELECT ?1, ?2, ?3, 1 + count(*), 'running', " STORE_NOW
                             ", ?4 FROM attempt WHERE trial = ?1 AND collection = ?2",
                             INTEGER(trial), TEXT(collection_names[collection]), INTEGER(run), TEXT(made_by));
    *attempt = done ? sqlite3_last_insert_rowid(store->db.connection) : 0;
    return done;
}

static bool check_changed(struct sql *db, int64_t attempt, struct error *error)
{
    return sqlite3_changes64(db->connection) == 1 ||
           error_set(error, ERROR_FAILED, "attempt %lld is not running: it cannot be finished twice",
                     (long long)attempt);
}

// What an attempt outdates that is about to be done: attempts at the same that other things made, or that none made yet.
static bool supersede_others(struct sql *db, int64_t attempt, struct error *error)
{
    return sql_do(db, error,
                  "UPDATE attempt SET superseded = 1 FROM attempt AS n WHERE n.id = ?1 AND attempt.trial = n.trial AND "
                  "attempt.collection = n.collection AND attempt.id <> n.id AND NOT attempt.superseded AND "
                  "attempt.status <> 'running' AND attempt.made_by IS NOT n.made_by",
                  INTEGER(attempt));
}

static bool finish_attempt(struct sql *db, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    const enum collection kind = measurement->collection;
    char digest[HASH_TEXT], image[HASH_TEXT], scene[HASH_TEXT], path_hash[24];
    int64_t provenance;
    if (!store_name_id(db, STORE_TEXTS, measurement->provenance, &provenance, error) ||
        !store_measurement(db, attempt, measurement, digest, error) || !supersede_others(db, attempt, error))
        return false;
    hash_text(measurement->image, image);
    hash_text(measurement->scene_content, scene);
    snprintf(path_hash, sizeof path_hash, "%016llx", (unsigned long long)measurement->path_hash);
    return sql_do(db, error,
                  "UPDATE attempt SET status = 'done', finished = " STORE_NOW
                  ", stop_reason = ?2, prepare_seconds = ?3, image = ?4, "
                  "path_hash = ?5, counts_digest = ?6, warp_width = ?7, multiprocessors = ?8, device_name = ?9, "
                  "driver = ?10, "
                  "times = ?11, provenance_text = ?12, scene_content = ?13, passes = ?14, dropped = ?15, "
                  "gate_seconds = ?16 "
                  "WHERE id = ?1 AND status = 'running'",
                  INTEGER(attempt), TEXT(measurement->stop_reason), REAL(measurement->prepare_seconds), TEXT(image),
                  TEXT(kind == COLLECTION_COUNTS ? path_hash : NULL), TEXT(kind == COLLECTION_COUNTS ? digest : NULL),
                  INTEGER(measurement->warp_width), INTEGER(measurement->multiprocessors),
                  TEXT(measurement->device_name), TEXT(measurement->driver), INTEGER(measurement->times),
                  INTEGER(provenance), TEXT(scene), INTEGER_IF(kind == COLLECTION_COUNTERS, measurement->passes),
                  INTEGER_IF(kind == COLLECTION_STALLS, measurement->dropped), REAL(measurement->gate_seconds)) &&
           check_changed(db, attempt, error);
}

// No kill loses a committed attempt. A power cut may lose those of the last SYNC_SECONDS, and never damages the file:
// the log is synchronised by at most one commit in that time, so that a sweep of very short trials does not wait for
// the disk.
enum { SYNC_SECONDS = 1 };

static bool set_durable(struct sql *db, bool durable, struct error *error)
{
    const char *sql = durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL";
    return sql_run(db, sql_prepare(db, sql, error), error);
}

bool store_finish_attempt(struct store *store, int64_t attempt, const struct measurement *measurement,
                          struct error *error)
{
    const double time = clock_seconds();
    const bool durable = time - store->synced >= SYNC_SECONDS;
    if (durable && !set_durable(&store->db, true, error))
        return false;
    const bool done = sql_begin(&store->db, error) &&
                      sql_end(&store->db, finish_attempt(&store->db, attempt, measurement, error), error);
    if (durable && done)
        store->synced = time;
    return (!durable || set_durable(&store->db, false, done ? error : NULL)) && done;
}

bool store_fail_attempt(struct store *store, int64_t attempt, enum attempt_status status, const char *reason,
                        bool may_pass, struct error *error)
{
    return sql_do(&store->db, error,
                  "UPDATE attempt SET status = ?2, reason = ?3, finished = " STORE_NOW
                  ", made_by = iif(?4, NULL, made_by) WHERE id = ?1 AND status = 'running'",
                  INTEGER(attempt), TEXT(attempt_status_names[status]), TEXT(reason), INTEGER(may_pass)) &&
           check_changed(&store->db, attempt, error);
}

bool store_recover(struct store *store, int64_t *abandoned, struct error *error)
{
    sqlite3_stmt *update = sql_prepare(
        &store->db,
        "UPDATE attempt SET status = 'abandoned', reason = 'its run ended without finishing it', finished = " STORE_NOW
        " WHERE status = 'running'",
        error);
    const bool done = sql_run(&store->db, update, error);
    *abandoned = sqlite3_changes64(store->db.connection);
    return done;
}

// ---- redo

// `collections`: their names.
static bool supersede_trials(struct sql *db, sqlite3_stmt *trials, const char *collections, int64_t *count,
                             struct error *error)
{
    int code;
    while ((code = sqlite3_step(trials)) == SQLITE_ROW) {
        if (!sql_do(
                db, error,
                "UPDATE attempt SET superseded = 1 WHERE trial = ?1 AND instr(?2, collection) AND NOT superseded AND "
                "status <> 'running'",
                INTEGER(sqlite3_column_int64(trials, 0)), TEXT(collections)))
            return false;
        *count += sqlite3_changes64(db->connection) > 0;
    }
    return code == SQLITE_DONE || sql_failed(db, "find the trials", error);
}

// A condition that is valid without the trials is the same for all of them: a number that is not written as one, or a slip.
static bool condition_names_columns(struct sql *db, const char *where, struct error *error)
{
    struct error unknown_column = {0};
    char *sql = sqlite3_mprintf("SELECT (%s\n)", where);
    sqlite3_stmt *constant = sql ? store_prepare_reading(db, sql, &unknown_column) : NULL;
    sqlite3_free(sql);
    if (!constant)
        return true;
    sqlite3_finalize(constant);
    error_set(error, ERROR_USE, "the condition names no column, so it is the same for every trial: %s", where);
    return error_remedy(error, "a trial is digits alone, such as 3; \"id > 0\" is every trial");
}

bool store_redo(struct store *store, const char *where, uint32_t collections, int64_t *count, struct error *error)
{
    char names[128] = "";
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind)
        if (collections >> kind & 1)
            strcat(strcat(names, " "), collection_names[kind]);
    *count = 0;
    if (!condition_names_columns(&store->db, where, error))
        return false;
    char *sql = sqlite3_mprintf("SELECT id FROM (SELECT id FROM trial WHERE (%s\n)) ORDER BY id", where);
    sqlite3_stmt *trials = sql ? store_prepare_reading(&store->db, sql, error) : NULL;
    sqlite3_free(sql);
    const bool begun = trials && sql_begin(&store->db, error),
               done = begun && supersede_trials(&store->db, trials, names, count, error);
    sqlite3_finalize(trials);
    return begun && sql_end(&store->db, done, error);
}
