// SPDX-License-Identifier: MIT
#include "plan/space.h"

#include <sys/statvfs.h>

#include "frame/counts.h"
#include "plan/plan_handle.h"
#include "store/attempt.h"
#include "store/query.h"

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
    LOG_BYTES = 20 << 20,       // the write-ahead log between two checkpoints, at most
    START_BYTES = 1 << 20,      // what a run writes beside its trials
    ENOUGH_TRIALS = 50          // stored trials from which their mean is believed
};

// Without experience: schedules that launch once a bounce, with one auxiliary launch each.
static int64_t rule_bytes(const struct plan *plan)
{
    const uint32_t collections = plan->experiment->collections;
    const int64_t repetitions = plan->experiment->max_repetitions;
    const int64_t bounces = (int64_t)count_bin((uint32_t)plan->max_bounces) + 2;
    int64_t bytes = TRIAL_BYTES;
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind)
        bytes += collections >> kind & 1 ? ATTEMPT_BYTES : 0;
    if (collections & 1u << COLLECTION_COUNTS)
        bytes += bounces * (2 * COUNT_ROW_BYTES + 2 * LOCKSTEP_ROW_BYTES + 2 * LAUNCH_BYTES);
    if (collections & 1u << COLLECTION_FRAME)
        bytes += repetitions * REPETITION_BYTES;
    if (collections & 1u << COLLECTION_LAUNCHES)
        bytes += 2 * bounces * LAUNCH_BYTES + repetitions * (REPETITION_BYTES + 2 * bounces * LAUNCH_TIME_BYTES);
    if (collections & 1u << COLLECTION_COUNTERS)
        bytes += 2 * bounces * (LAUNCH_BYTES + COUNTERS_BYTES);
    if (collections & 1u << COLLECTION_STALLS)
        bytes += 2 * bounces * (LAUNCH_BYTES + STALL_BYTES) + STALL_LINES_BYTES;
    if (collections & 1u << COLLECTION_TIMELINE)
        bytes += 2 * bounces * 2 * LAUNCH_BYTES + TIMELINE_BYTES;
    return bytes;
}

// Bytes of a stored trial; 0 where there are too few to tell.
static bool stored_bytes(struct store *store, int64_t *bytes, struct error *error)
{
    char enough[16];
    snprintf(enough, sizeof enough, "%d", ENOUGH_TRIALS);
    const char *const bindings[] = {"enough INTEGER", enough, NULL};
    return store_query(store,
                       "SELECT iif(n < :enough, 0, page_count * page_size / n) FROM pragma_page_count, "
                       "pragma_page_size, (SELECT count(DISTINCT trial) AS n FROM attempt WHERE status = 'done')",
                       bindings, store_take_integer, bytes, error);
}

bool plan_space(const struct plan *plan, struct store *store, int64_t trials, int64_t *needed, int64_t *available,
                struct error *error)
{
    int64_t each = 0;
    struct statvfs status;
    if (!stored_bytes(store, &each, error))
        return false;
    const int64_t rows = trials * (each ? each + each / 4 : rule_bytes(plan)), log = rows + START_BYTES;
    *needed = trials ? rows + (log < LOG_BYTES ? log : LOG_BYTES) : 0;
    if (statvfs(store_path(store), &status))
        return error_set_errno(error, "look at the disk of", store_path(store));
    *available = (int64_t)(status.f_bavail * status.f_frsize);
    return true;
}
