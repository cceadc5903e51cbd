// SPDX-License-Identifier: MIT
#include <string.h>
#include <sys/statvfs.h>

#include "store/store_internal.h"

// Bytes a row takes, measured on filled databases and rounded up; trial, links and attempts together are TRIAL_BYTES.
enum {
    TRIAL_BYTES = 768,
    ATTEMPT_BYTES = 384,
    COUNT_ROW_BYTES = 128,
    LOCKSTEP_ROW_BYTES = 48,
    REPETITION_BYTES = 56,
    LAUNCH_BYTES = 64,
    LAUNCH_TIME_BYTES = 20, // of repetitions after the first
    COUNTERS_BYTES = 1200,  // metrics and sites of a launch, where all of metrics.def is asked for
    STALL_BYTES = 20 * 18,  // reasons of a launch
    STALL_LINES_BYTES = 40 << 10,
    TIMELINE_BYTES = 400 << 10, // 15 ms, sampled every 2 us
    LOG_BYTES = 20 << 20,       // the write-ahead log between two checkpoints
    ENOUGH_TRIALS = 50          // stored trials from which their mean is believed
};

// Without experience: schedules that launch once a bounce, with one auxiliary launch each.
static int64_t rule(const struct plan_shape *shape)
{
    const int64_t bounces = (int64_t)count_bin((uint32_t)shape->max_bounces) + 2;
    int64_t bytes = TRIAL_BYTES;
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind)
        bytes += shape->collections >> kind & 1 ? ATTEMPT_BYTES : 0;
    if (shape->collections & 1u << COLLECTION_COUNTS)
        bytes += bounces * (2 * COUNT_ROW_BYTES + 2 * LOCKSTEP_ROW_BYTES + 2 * LAUNCH_BYTES);
    if (shape->collections & 1u << COLLECTION_FRAME)
        bytes += (int64_t)shape->repetitions * REPETITION_BYTES;
    if (shape->collections & 1u << COLLECTION_LAUNCHES)
        bytes += 2 * bounces * LAUNCH_BYTES +
                 (int64_t)shape->repetitions * (REPETITION_BYTES + 2 * bounces * LAUNCH_TIME_BYTES);
    if (shape->collections & 1u << COLLECTION_COUNTERS)
        bytes += 2 * bounces * (LAUNCH_BYTES + COUNTERS_BYTES);
    if (shape->collections & 1u << COLLECTION_STALLS)
        bytes += 2 * bounces * (LAUNCH_BYTES + STALL_BYTES) + STALL_LINES_BYTES;
    if (shape->collections & 1u << COLLECTION_TIMELINE)
        bytes += 2 * bounces * 2 * LAUNCH_BYTES + TIMELINE_BYTES;
    return bytes;
}

// Bytes of a stored trial; 0 where there are too few to tell.
static bool mean_stored(struct store *store, int64_t *bytes, struct error *error)
{
    return store_ask(store, error, bytes, 0,
                     "SELECT iif(n < ?, 0, page_count * page_size / n) FROM pragma_page_count, pragma_page_size, "
                     "(SELECT count(DISTINCT trial) AS n FROM attempt WHERE status = 'done')",
                     INTEGER(ENOUGH_TRIALS));
}

bool store_space(struct store *store, int64_t trials, int64_t *needed, int64_t *available, struct error *error)
{
    int64_t each;
    if (!mean_stored(store, &each, error))
        return false;
    *needed = LOG_BYTES + trials * (each ? each + each / 4 : rule(&store->shape));
    *available = INT64_MAX;
    if (store->mode == STORE_MEMORY)
        return true;
    struct statvfs status;
    if (statvfs(store->path, &status))
        return error_set_errno(error, "look at the disk of", store->path);
    *available = (int64_t)(status.f_bavail * status.f_frsize);
    return true;
}
