// SPDX-License-Identifier: MIT
// The rows of one measurement; those of the hardware's own counters are in measure_hardware.c.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/store_internal.h"
#include "trial/counts.h"

bool store_name_id(struct store *store, enum store_names names, const char *name, int64_t *id, struct error *error)
{
    static const struct {
        const char *find, *insert;
    } texts[] = {
        [STORE_KERNELS] = {"SELECT id FROM kernel WHERE name = ?", "INSERT INTO kernel (name) VALUES (?)"},
        [STORE_METRICS] = {"SELECT id FROM metric_name WHERE name = ?", "INSERT INTO metric_name (name) VALUES (?)"},
        [STORE_REASONS] = {"SELECT id FROM stall_reason WHERE name = ?", "INSERT INTO stall_reason (name) VALUES (?)"},
        [STORE_FILES] = {"SELECT id FROM source_file WHERE name = ?", "INSERT INTO source_file (name) VALUES (?)"},
        [STORE_TEXTS] = {"SELECT id FROM long_text WHERE name = ?", "INSERT INTO long_text (name) VALUES (?)"},
    };
    sqlite3_stmt *find = store_prepare(store, texts[names].find, error);
    store_bind_text(find, 1, name);
    if (!store_integer(store, find, 0, id, error) || *id)
        return *id != 0;
    sqlite3_stmt *insert = store_prepare(store, texts[names].insert, error);
    store_bind_text(insert, 1, name);
    if (!store_run(store, insert, error))
        return false;
    *id = sqlite3_last_insert_rowid(store->db);
    return true;
}

static bool add_repetitions(struct store *store, int64_t attempt, const struct measurement *measurement,
                            struct error *error)
{
    for (size_t i = 0; i < measurement->repetition_count; ++i) {
        const struct measured_repetition *row = &measurement->repetitions[i];
        sqlite3_stmt *insert = store_prepare(store, "INSERT INTO repetition VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", error);
        store_bind_integer(insert, 1, attempt);
        store_bind_integer(insert, 2, (int64_t)i);
        store_bind_real(insert, 3, row->host_seconds);
        store_bind_real(insert, 4, row->device_seconds);
        store_bind_real(insert, 5, row->gap_seconds);
        store_bind_integer(insert, 6, row->launches_path);
        store_bind_integer(insert, 7, row->launches_aux);
        store_bind_integer(insert, 8, row->readbacks);
        store_bind_real(insert, 9, row->sm_mhz);
        if (!store_run(store, insert, error))
            return false;
    }
    return true;
}

static bool add_launch(struct store *store, int64_t attempt, const struct measured_launch *row, int64_t kernel,
                       struct error *error)
{
    sqlite3_stmt *insert =
        store_prepare(store, "INSERT INTO launch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);
    const int64_t values[] = {attempt,        row->repetition, row->index, row->iteration, row->bounce,
                              row->auxiliary, kernel,          row->grid,  row->block,     (int64_t)row->shared_bytes};
    for (int i = 0; i < 10; ++i)
        store_bind_integer(insert, i + 1, values[i]);
    store_bind_real(insert, 11, row->seconds);
    store_bind_text(insert, 12, row->stage);
    return store_run(store, insert, error);
}

static bool add_launch_time(struct store *store, int64_t attempt, const struct measured_launch *row,
                            struct error *error)
{
    sqlite3_stmt *insert = store_prepare(store, "INSERT INTO launch_time VALUES (?, ?, ?, ?)", error);
    store_bind_integer(insert, 1, attempt);
    store_bind_integer(insert, 2, row->repetition);
    store_bind_integer(insert, 3, row->index);
    if (!isnan(row->seconds))
        store_bind_integer(insert, 4, llround(row->seconds * 1e9));
    return store_run(store, insert, error);
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
           first->block == row->block && first->shared_bytes == row->shared_bytes &&
           !strcmp(first->kernel, row->kernel) && !strcmp(first->stage, row->stage);
}

static bool add_launches(struct store *store, int64_t attempt, const struct measurement *measurement,
                         struct error *error)
{
    const char *latest = NULL; // most launches share the kernel of the one before
    int64_t kernel = 0;
    for (size_t i = 0; i < measurement->launch_count; ++i) {
        const struct measured_launch *row = &measurement->launches[i];
        if (is_repeated(measurement, row)) {
            if (!add_launch_time(store, attempt, row, error))
                return false;
            continue;
        }
        if ((!latest || strcmp(latest, row->kernel) != 0) &&
            !store_name_id(store, STORE_KERNELS, row->kernel, &kernel, error))
            return false;
        latest = row->kernel;
        if (!add_launch(store, attempt, row, kernel, error))
            return false;
    }
    return true;
}

// In the order of the table's key, so that rows are appended and not inserted between.
static int by_bounce(const void *left, const void *right)
{
    const struct measured_counts *a = left, *b = right;
    return a->bounce != b->bounce ? (a->bounce > b->bounce) - (a->bounce < b->bounce)
                                  : (a->launch > b->launch) - (a->launch < b->launch);
}

static struct measured_counts *sorted_counts(const struct measurement *measurement)
{
    struct measured_counts *rows = memory_new(measurement->count_count, sizeof *rows);
    if (!measurement->count_count)
        return rows;
    memcpy(rows, measurement->counts, measurement->count_count * sizeof *rows);
    qsort(rows, measurement->count_count, sizeof *rows, by_bounce);
    return rows;
}

static char counts_sql[2048]; // the same text each time: statements are known by its address

static void make_counts_sql(void)
{
    char *end = stpcpy(counts_sql, "INSERT INTO bounce_counts (attempt, bounce, launch");
    for (size_t i = 0; i < COUNT_WORDS; ++i)
        end += sprintf(end, ", %s", count_words()[i].name);
    end = stpcpy(end, ") VALUES (?, ?, ?");
    for (size_t i = 0; i < COUNT_WORDS; ++i)
        end = stpcpy(end, ", ?");
    stpcpy(end, ")");
}
_Static_assert(COUNT_WORDS *(sizeof((struct count_word *)0)->name + 5) < sizeof counts_sql, "room for all columns");

static bool insert_counts(struct store *store, sqlite3_stmt *insert, int64_t attempt, const struct measured_counts *row,
                          struct error *error)
{
    sqlite3_bind_int64(insert, 1, attempt);
    sqlite3_bind_int64(insert, 2, row->bounce == MEASURED_TOTALS ? -1 : (int64_t)row->bounce);
    sqlite3_bind_int64(insert, 3, row->launch);
    for (int i = 0; i < COUNT_WORDS; ++i)
        sqlite3_bind_int64(insert, 4 + i, (int64_t)count_get(&row->counts, (size_t)i));
    return store_run(store, insert, error);
}

static bool add_counts(struct store *store, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_counts_sql);
    sqlite3_stmt *insert = store_prepare(store, counts_sql, error);
    struct measured_counts *rows = sorted_counts(measurement);
    bool done = insert != NULL;
    for (size_t i = 0; done && i < measurement->count_count; ++i)
        done = insert_counts(store, insert, attempt, &rows[i], error);
    free(rows);
    return done;
}

static bool add_lockstep(struct store *store, int64_t attempt, const struct measurement *measurement,
                         struct error *error)
{
    for (size_t i = 0; i < measurement->lockstep_count; ++i) {
        const struct measured_lockstep *row = &measurement->lockstep[i];
        const struct device_lockstep *steps = &row->steps;
        sqlite3_stmt *insert = store_prepare(store, "INSERT INTO lockstep VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", error);
        store_bind_integer(insert, 1, attempt);
        store_bind_integer(insert, 2, row->bounce == MEASURED_TOTALS ? -1 : (int64_t)row->bounce);
        store_bind_integer(insert, 3, row->launch);
        store_bind_integer(insert, 4, row->kind);
        store_bind_integer(insert, 5, (int64_t)steps->inner_steps);
        store_bind_integer(insert, 6, (int64_t)steps->inner_live);
        store_bind_integer(insert, 7, (int64_t)steps->triangle_steps);
        store_bind_integer(insert, 8, (int64_t)steps->triangle_live);
        store_bind_integer(insert, 9, (int64_t)steps->warps);
        if (!store_run(store, insert, error))
            return false;
    }
    return true;
}

static bool add_kernels(struct store *store, int64_t attempt, const struct measurement *measurement,
                        struct error *error)
{
    for (size_t i = 0; i < measurement->kernel_count; ++i) {
        const struct measured_kernel *row = &measurement->kernels[i];
        const int32_t facts[] = {row->facts.registers, row->facts.spill_bytes, row->facts.local_bytes,
                                 row->facts.static_shared_bytes};
        int64_t kernel;
        if (!store_name_id(store, STORE_KERNELS, row->kernel, &kernel, error))
            return false;
        sqlite3_stmt *insert =
            store_prepare(store, "INSERT INTO kernel_facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);
        store_bind_integer(insert, 1, attempt);
        store_bind_integer(insert, 2, kernel);
        for (int k = 0; k < 4; ++k)
            if (facts[k] >= 0)
                store_bind_integer(insert, 3 + k, facts[k]);
        store_bind_integer(insert, 7, row->block);
        store_bind_integer(insert, 8, (int64_t)row->shared_bytes);
        if (row->resident_warps)
            store_bind_integer(insert, 9, row->resident_warps);
        store_bind_integer(insert, 10, row->auxiliary);
        if (!store_run(store, insert, error))
            return false;
    }
    return true;
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

bool store_measurement(struct store *store, int64_t attempt, const struct measurement *measurement,
                       char digest[HASH_TEXT], struct error *error)
{
    make_digest(measurement, digest);
    return add_repetitions(store, attempt, measurement, error) && add_launches(store, attempt, measurement, error) &&
           add_counts(store, attempt, measurement, error) && add_lockstep(store, attempt, measurement, error) &&
           add_kernels(store, attempt, measurement, error) && store_hardware(store, attempt, measurement, error) &&
           store_film(store, attempt, measurement, error);
}
