// SPDX-License-Identifier: MIT
// The rows of one measurement; those of the hardware's own counters are in measure_hardware.c.
#include "store/measure.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/memory.h"
#include "frame/counts.h"
#include "sql/statement.h"
#include "store/film.h"
#include "store/measure_hardware.h"
#include "store/rows.h"

static bool add_repetition(struct sql *db, int64_t attempt, size_t number, const struct measured_repetition *row,
                           struct error *error)
{
    return sql_do(db, error, "INSERT INTO repetition VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", INTEGER(attempt),
                  INTEGER(number), REAL(row->host_seconds), REAL(row->device_seconds), REAL(row->gap_seconds),
                  INTEGER(row->launches_path), INTEGER(row->launches_aux), INTEGER(row->readbacks), REAL(row->sm_mhz));
}

static bool add_launch(struct sql *db, int64_t attempt, const struct measured_launch *row, int64_t kernel,
                       struct error *error)
{
    return sql_do(db, error,
                  "INSERT INTO launch (attempt, repetition, number, iteration, bounce, auxiliary, kernel, grid, block, "
                  "shared_bytes, seconds, stage, more) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                  INTEGER(attempt), INTEGER(row->repetition), INTEGER(row->index), INTEGER(row->iteration),
                  INTEGER(row->bounce), INTEGER(row->auxiliary), INTEGER(kernel), INTEGER(row->grid),
                  INTEGER(row->block), INTEGER(row->shared_bytes), REAL(row->seconds), TEXT(row->stage),
                  INTEGER(row->more));
}

static bool add_launch_time(struct sql *db, int64_t attempt, const struct measured_launch *row, struct error *error)
{
    return sql_do(db, error, "INSERT INTO launch_time VALUES (?, ?, ?, ?)", INTEGER(attempt), INTEGER(row->repetition),
                  INTEGER(row->index), INTEGER_IF(!isnan(row->seconds), llround(row->seconds * 1e9)));
}

// Whether the launch is that of the first repetition but for its time: of such only the time is stored. Launches come
// in order, so that those of the first repetition are the first rows.
static bool is_repeated(const struct measurement *measurement, const struct measured_launch *row)
{
    if (!row->repetition || row->index >= measurement->launch_count)
        return false;
    const struct measured_launch *first = &measurement->launches[row->index];
    return !first->repetition && first->index == row->index && first->iteration == row->iteration &&
           first->bounce == row->bounce && first->auxiliary == row->auxiliary && first->grid == row->grid &&
           first->block == row->block && first->shared_bytes == row->shared_bytes && first->more == row->more &&
           !strcmp(first->kernel, row->kernel) && !strcmp(first->stage, row->stage);
}

static bool add_launches(struct sql *db, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    const char *latest = ""; // most launches share the kernel of the one before
    int64_t kernel = 0;
    bool done = true;
    for (size_t i = 0; done && i < measurement->launch_count; ++i) {
        const struct measured_launch *row = &measurement->launches[i];
        if (is_repeated(measurement, row)) {
            done = add_launch_time(db, attempt, row, error);
            continue;
        }
        done = (!strcmp(latest, row->kernel) || store_name_id(db, STORE_KERNELS, row->kernel, &kernel, error)) &&
               add_launch(db, attempt, row, kernel, error);
        latest = row->kernel;
    }
    return done;
}

// In the order of the table's key, so that rows are appended and not inserted between.
static int by_bounce(const void *left, const void *right)
{
    const struct measured_counts *a = left, *b = right;
    return a->bounce != b->bounce ? (a->bounce > b->bounce) - (a->bounce < b->bounce)
                                  : (a->launch > b->launch) - (a->launch < b->launch);
}

// Made once: statements are known by the address of their text.
static const char *counts_sql;

static void make_counts_sql(void)
{
    char *names = sqlite3_mprintf("attempt, bounce, launch"), *marks = sqlite3_mprintf("?, ?, ?");
    for (size_t i = 0; i < COUNT_WORDS; ++i) {
        names = sqlite3_mprintf("%z, %s", names, count_words()[i].name);
        marks = sqlite3_mprintf("%z, ?", marks);
    }
    counts_sql = sqlite3_mprintf("INSERT INTO bounce_counts (%z) VALUES (%z)", names, marks);
}

static bool insert_counts(struct sql *db, sqlite3_stmt *insert, int64_t attempt, const struct measured_counts *row,
                          struct error *error)
{
    sqlite3_bind_int64(insert, 1, attempt);
    sqlite3_bind_int64(insert, 2, store_place(row->bounce));
    sqlite3_bind_int64(insert, 3, row->launch);
    for (int i = 0; i < COUNT_WORDS; ++i)
        sqlite3_bind_int64(insert, 4 + i, (int64_t)count_get(&row->counts, (size_t)i));
    return sql_run(db, insert, error);
}

static bool add_counts(struct sql *db, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_counts_sql);
    sqlite3_stmt *insert = sql_prepare(db, counts_sql, error);
    struct measured_counts *rows = memory_new(measurement->count_count, sizeof *rows);
    if (measurement->count_count)
        memcpy(rows, measurement->counts, measurement->count_count * sizeof *rows);
    qsort(rows, measurement->count_count, sizeof *rows, by_bounce);
    bool done = insert != NULL;
    for (size_t i = 0; done && i < measurement->count_count; ++i)
        done = insert_counts(db, insert, attempt, &rows[i], error);
    free(rows);
    return done;
}

static bool add_lockstep(struct sql *db, int64_t attempt, const struct measured_lockstep *row, struct error *error)
{
    const struct device_lockstep *steps = &row->steps;
    return sql_do(db, error, "INSERT INTO lockstep VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", INTEGER(attempt),
                  INTEGER(store_place(row->bounce)), INTEGER(row->launch), INTEGER(row->kind),
                  INTEGER(steps->inner_steps), INTEGER(steps->inner_live), INTEGER(steps->triangle_steps),
                  INTEGER(steps->triangle_live), INTEGER(steps->warps));
}

static bool add_entry(struct sql *db, int64_t attempt, const struct measured_entry *row, struct error *error)
{
    const struct device_lockstep *steps = &row->steps;
    return sql_do(db, error, "INSERT INTO entry_lanes VALUES (?, ?, ?, ?, ?, ?, ?)", INTEGER(attempt),
                  INTEGER(row->lanes), INTEGER(steps->warps), INTEGER(steps->inner_steps), INTEGER(steps->inner_live),
                  INTEGER(steps->triangle_steps), INTEGER(steps->triangle_live));
}

// A fact that has no meaning here is negative.
static bool add_kernel(struct sql *db, int64_t attempt, const struct measured_kernel *row, struct error *error)
{
    const struct device_kernel_facts *facts = &row->facts;
    int64_t kernel;
    return store_name_id(db, STORE_KERNELS, row->kernel, &kernel, error) &&
           sql_do(db, error, "INSERT INTO kernel_facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", INTEGER(attempt),
                  INTEGER(kernel), INTEGER_IF(facts->registers >= 0, facts->registers),
                  INTEGER_IF(facts->spill_bytes >= 0, facts->spill_bytes),
                  INTEGER_IF(facts->local_bytes >= 0, facts->local_bytes),
                  INTEGER_IF(facts->static_shared_bytes >= 0, facts->static_shared_bytes), INTEGER(row->block),
                  INTEGER(row->shared_bytes), INTEGER_IF(row->resident_warps, row->resident_warps),
                  INTEGER(row->auxiliary));
}

// What no schedule, tree or machine may change, summed over launches per bounce; only what was counted at all, so that a
// count that comes later changes no digest of what it does not count.
static void make_digest(const struct measurement *measurement, char digest[HASH_TEXT])
{
    struct bounce_counts sums[COUNT_BINS] = {{0}};
    struct hash_state *state = hash_begin();
    for (size_t i = 0; i < measurement->count_count; ++i)
        if (measurement->counts[i].bounce != MEASURED_TOTALS)
            count_add(&sums[count_bin(measurement->counts[i].bounce)], &measurement->counts[i].counts);
    for (uint32_t bin = 0; bin < COUNT_BINS; ++bin)
        for (size_t word = 0; word < COUNT_WORDS; ++word) {
            const uint64_t value = count_get(&sums[bin], word);
            if (!value || count_words()[word].class != COUNT_PATH)
                continue;
            hash_add(state, &bin, sizeof bin);
            hash_add_text(state, count_words()[word].name);
            hash_add(state, &value, sizeof value);
        }
    hash_text(hash_end(state), digest);
}

static bool add_card(struct sql *db, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    struct utsname node;
    if (!measurement->card || uname(&node) != 0)
        return true;
    return sql_do(db, error, "INSERT OR IGNORE INTO card (uuid, node, ordinal) VALUES (?, ?, ?)",
                  TEXT(measurement->uuid), TEXT(node.nodename), INTEGER(measurement->card - 1)) &&
           sql_do(db, error,
                  "INSERT INTO attempt_card SELECT ?, id FROM card WHERE uuid = ? AND node = ? AND ordinal = ?",
                  INTEGER(attempt), TEXT(measurement->uuid), TEXT(node.nodename), INTEGER(measurement->card - 1));
}

static bool add_device_tree(struct sql *db, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    const struct device_structure *structure = &measurement->structure;
    const struct device_tracing *tracing = &measurement->tracing;
    return !structure->bytes || sql_do(db, error, "INSERT INTO device_tree VALUES (?, ?, ?, ?, ?, ?, ?)",
                                       INTEGER(attempt), TEXT(tracing->name), INTEGER(tracing->rt_cores),
                                       INTEGER(tracing->reorders), INTEGER((int64_t)structure->bytes),
                                       INTEGER((int64_t)structure->build_bytes), REAL(structure->seconds));
}

bool store_measurement(struct sql *db, int64_t attempt, const struct measurement *measurement, char digest[HASH_TEXT],
                       struct error *error)
{
    bool done = true;
    make_digest(measurement, digest);
    for (size_t i = 0; done && i < measurement->repetition_count; ++i)
        done = add_repetition(db, attempt, i, &measurement->repetitions[i], error);
    done = done && add_launches(db, attempt, measurement, error) && add_counts(db, attempt, measurement, error);
    for (size_t i = 0; done && i < measurement->lockstep_count; ++i)
        done = add_lockstep(db, attempt, &measurement->lockstep[i], error);
    for (size_t i = 0; done && i < measurement->entry_count; ++i)
        done = add_entry(db, attempt, &measurement->entries[i], error);
    for (size_t i = 0; done && i < measurement->kernel_count; ++i)
        done = add_kernel(db, attempt, &measurement->kernels[i], error);
    done = done && add_card(db, attempt, measurement, error) && add_device_tree(db, attempt, measurement, error);
    return done && store_hardware(db, attempt, measurement, error) && store_film(db, attempt, measurement, error);
}
