// SPDX-License-Identifier: MIT
#include "run/dispatch.h"

#include <string.h>

#include "run/interrupt.h"

// ---- which row is next

static bool is_executing(const struct session *session, int64_t trial)
{
    for (size_t i = 0; trial && i < session->device_count; ++i)
        if (session->devices[i].executing == trial)
            return true;
    return false;
}

// Where it failed it goes back to last. What two experiments share is executed once.
static bool is_free(const struct dispatch *dispatch, const struct run_device *device, const struct sweep_row *row)
{
    return row->due && !row->taken && !(row->facts.unknown && dispatch->describing) &&
           !is_executing(dispatch->session, row->trial) &&
           (!(row->failed_on & device->bit) || !(run_devices_alive(dispatch->session) & ~row->failed_on));
}

// Shares of those that are alive: replicates of a point are spread over them.
static bool is_preferred(const struct run_device *device, const struct sweep_row *row)
{
    const uint32_t alive = run_devices_alive(device->session);
    const uint64_t share = (uint64_t)(row->plan.point + row->plan.replicate) % (uint64_t)__builtin_popcount(alive);
    return share == (uint64_t)__builtin_popcount(alive & (device->bit - 1));
}

static bool in_round(const struct sweep *sweep, const struct sweep_row *row, int32_t round)
{
    return !sweep->experiment->breadth_first || row->plan.replicate <= round;
}

// A row of this round that is free. *more: later rounds have some.
static struct sweep_row *find_row(const struct dispatch *dispatch, const struct run_device *device, int32_t round,
                                  bool preferred, struct sweep **sweep, bool *more)
{
    for (size_t i = 0; i < dispatch->count; ++i) {
        *sweep = &dispatch->sweeps[i];
        for (size_t j = (*sweep)->next; j < (*sweep)->count; ++j) {
            struct sweep_row *row = &(*sweep)->rows[j];
            if (!in_round(*sweep, row, round)) {
                *more = true;
                break;
            }
            if (is_free(dispatch, device, row) && (!preferred || is_preferred(device, row)))
                return row;
        }
    }
    return NULL;
}

// The first round that is not over, INT32_MAX if all are; rows that are finished are passed for good.
static int32_t first_round(struct dispatch *dispatch)
{
    int32_t round = INT32_MAX;
    for (size_t i = 0; i < dispatch->count; ++i) {
        struct sweep *sweep = &dispatch->sweeps[i];
        while (sweep->next < sweep->count && !sweep->rows[sweep->next].due)
            sweep->next += 1;
        const bool ordered = sweep->next < sweep->count && sweep->experiment->breadth_first;
        const int32_t own = ordered ? sweep->rows[sweep->next].plan.replicate : 0;
        if (sweep->next < sweep->count && own < round)
            round = own;
    }
    return round;
}

static struct sweep_row *next_row(struct dispatch *dispatch, const struct run_device *device, struct sweep **sweep)
{
    struct sweep_row *row = NULL;
    bool more = true;
    for (int32_t round = first_round(dispatch); !row && more && round < INT32_MAX; ++round) {
        more = false;
        if (dispatch->session->device_count > 1)
            row = find_row(dispatch, device, round, true, sweep, &more);
        if (!row)
            row = find_row(dispatch, device, round, false, sweep, &more);
    }
    return row;
}

// ---- devices at work

static bool dispatch_stops(struct dispatch *dispatch)
{
    if (!dispatch->reason && interrupt_count())
        dispatch->reason = "interrupted";
    if (!dispatch->reason && dispatch->until && time(NULL) >= dispatch->until)
        dispatch->reason = "until";
    return dispatch->reason != NULL;
}

static bool others_work(const struct dispatch *dispatch)
{
    for (size_t i = 0; i < dispatch->count; ++i)
        if (dispatch->sweeps[i].taken)
            return true;
    return false;
}

// The next row for this device; waits while others may yet give one back. NULL: there is none.
static struct sweep_row *take_row(struct dispatch *dispatch, struct run_device *device, struct sweep **sweep)
{
    struct session *session = dispatch->session;
    while (!device->lost && !dispatch_stops(dispatch)) {
        struct sweep_row *row = next_row(dispatch, device, sweep);
        if (row || !others_work(dispatch))
            return row;
        struct timespec wait;
        clock_gettime(CLOCK_REALTIME, &wait);
        wait.tv_sec += 1; // to look for wishes to stop, and for the time
        pthread_cond_timedwait(&session->changed, &session->lock, &wait);
    }
    return NULL;
}

static void execute_row(struct dispatch *dispatch, struct run_device *device, struct sweep *sweep,
                        struct sweep_row *row)
{
    struct error error = {0};
    const bool unknown = row->facts.unknown;
    row->taken = true;
    sweep->taken += 1;
    device->executing = row->trial;
    if (unknown) {
        dispatch->describing = true;
        keys_ask(dispatch->session->keys, &device->workers);
    }
    const bool done = sweep_execute(sweep, row, device, &error);
    row->taken = false;
    sweep->taken -= 1;
    device->executing = 0;
    if (unknown)
        dispatch->describing = false;
    if (done || dispatch->error->kind != ERROR_NONE)
        return;
    *dispatch->error = error;
    dispatch->reason = error.kind == ERROR_INTERRUPTED ? "interrupted" : "error";
}

static void work_through(struct dispatch *dispatch, struct run_device *device)
{
    struct sweep *sweep;
    struct sweep_row *row;
    while ((row = take_row(dispatch, device, &sweep))) {
        execute_row(dispatch, device, sweep, row);
        pthread_cond_broadcast(&dispatch->session->changed);
    }
}

static void *work_on_device(void *context)
{
    struct run_device *device = context;
    struct session *session = device->session;
    pthread_mutex_lock(&session->lock);
    work_through(session->dispatch, device);
    pthread_mutex_unlock(&session->lock);
    workers_finish(&device->workers); // they end with the thread that started them
    return NULL;
}

// Each of several has a thread; all that were started are waited for.
static void run_all(struct dispatch *dispatch)
{
    struct session *session = dispatch->session;
    size_t started = 0;
    session->dispatch = dispatch;
    for (; started < session->device_count; ++started) {
        struct run_device *device = &session->devices[started];
        if (pthread_create(&device->thread, NULL, work_on_device, device) != 0)
            break;
    }
    if (!started)
        error_set(dispatch->error, ERROR_SYSTEM, "no thread can be started for a device");
    pthread_mutex_unlock(&session->lock);
    for (size_t i = 0; i < started; ++i)
        pthread_join(session->devices[i].thread, NULL);
    pthread_mutex_lock(&session->lock);
}

void dispatch_run(struct dispatch *dispatch, const char **reason, struct error *error)
{
    struct session *session = dispatch->session;
    dispatch->error = error;
    if (session->device_count > 1)
        run_all(dispatch);
    else
        work_through(dispatch, session->devices);
    progress_clear(&session->progress);
    if (!dispatch->reason && !run_devices_alive(session) && error->kind == ERROR_NONE) {
        error_set(error, ERROR_DEVICE, "no device is left: %s: %s", session->devices->name, session->devices->cause);
        error_remedy(error, "see warpstudy doctor; the same command goes on with the devices that work");
    }
    *reason = dispatch->reason ? dispatch->reason : error->kind != ERROR_NONE ? "error" : "complete";
}
