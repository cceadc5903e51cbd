// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "store/store_internal.h"

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
    sqlite3_stmt *list = store_with(store, error,
                                    "SELECT status, made_by FROM attempt WHERE trial = ?1 AND collection = ?2 AND "
                                    "NOT superseded AND made_by IS NOT NULL",
                                    INTEGER(trial), TEXT(collection_names[collection]));
    int row;
    while ((row = store_row(store, list, error)) > 0)
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
    const bool done = file_check(store, error) &&
                      store_do(store, error,
                               "INSERT INTO attempt (trial, collection, run, number, status, started, made_by) "
                               "SELECT ?1, ?2, ?3, 1 + count(*), 'running', " STORE_NOW
                               ", ?4 FROM attempt WHERE trial = ?1 AND collection = ?2",
                               INTEGER(trial), TEXT(collection_names[collection]), INTEGER(run), TEXT(made_by));
    *attempt = sqlite3_last_insert_rowid(store->db);
    return done;
}

static bool check_changed(struct store *store, int64_t attempt, struct error *error)
{
    return sqlite3_changes64(store->db) == 1 ||
           error_set(error, ERROR_FAILED, "attempt %lld is not running: it cannot be finished twice",
                     (long long)attempt);
}

// What an attempt outdates that is about to be done: attempts at the same that other things made, or that none made yet.
static bool supersede(struct store *store, int64_t attempt, struct error *error)
{
    return store_do(
        store, error,
        "UPDATE attempt SET superseded = 1 FROM attempt AS n WHERE n.id = ?1 AND attempt.trial = n.trial AND "
        "attempt.collection = n.collection AND attempt.id <> n.id AND NOT attempt.superseded AND "
        "attempt.status <> 'running' AND attempt.made_by IS NOT n.made_by",
        INTEGER(attempt));
}

static bool finish(struct store *store, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    const enum collection kind = measurement->collection;
    char digest[HASH_TEXT], image[HASH_TEXT], scene[HASH_TEXT], path_hash[24];
    int64_t provenance;
    if (!store_name_id(store, STORE_TEXTS, measurement->provenance, &provenance, error) ||
        !store_measurement(store, attempt, measurement, digest, error) || !supersede(store, attempt, error))
        return false;
    hash_text(measurement->image, image);
    hash_text(measurement->scene_content, scene);
    snprintf(path_hash, sizeof path_hash, "%016llx", (unsigned long long)measurement->path_hash);
    return store_do(store, error,
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
           check_changed(store, attempt, error);
}

// No kill loses a committed attempt. A power cut may lose those of the last SYNC_SECONDS, and never damages the file:
// the log is synchronised by at most one commit in that time, so that a sweep of very short trials does not wait for
// the disk.
enum { SYNC_SECONDS = 1 };

static bool set_durable(struct store *store, bool durable, struct error *error)
{
    const char *sql = durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL";
    return store_run(store, store_prepare(store, sql, error), error);
}

bool store_finish_attempt(struct store *store, int64_t attempt, const struct measurement *measurement,
                          struct error *error)
{
    const double time = clock_seconds();
    const bool durable = time - store->synced >= SYNC_SECONDS;
    if (durable && !set_durable(store, true, error))
        return false;
    const bool done = store_begin(store, error) && store_end(store, finish(store, attempt, measurement, error), error);
    if (durable && done)
        store->synced = time;
    return (!durable || set_durable(store, false, done ? error : NULL)) && done;
}

bool store_fail_attempt(struct store *store, int64_t attempt, enum attempt_status status, const char *reason,
                        bool may_pass, struct error *error)
{
    return store_do(store, error,
                    "UPDATE attempt SET status = ?2, reason = ?3, finished = " STORE_NOW
                    ", made_by = iif(?4, NULL, made_by) WHERE id = ?1 AND status = 'running'",
                    INTEGER(attempt), TEXT(attempt_status_names[status]), TEXT(reason), INTEGER(may_pass)) &&
           check_changed(store, attempt, error);
}

bool store_recover(struct store *store, int64_t *abandoned, struct error *error)
{
    sqlite3_stmt *update = store_prepare(
        store,
        "UPDATE attempt SET status = 'abandoned', reason = 'its run ended without finishing it', finished = " STORE_NOW
        " WHERE status = 'running'",
        error);
    const bool done = store_run(store, update, error);
    *abandoned = sqlite3_changes64(store->db);
    return done;
}
