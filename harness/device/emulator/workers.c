// SPDX-License-Identifier: MIT
#include "device/emulator/workers.h"

#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "device/emulator/faults.h"

struct worker {
    struct workers *pool;
    struct block_runner runner;
    struct block_runner *at_work; // which runner this thread uses in the present launch
    pthread_t thread;
    bool started;
    pthread_cond_t posted; // with the pool's lock:
    bool due;              // a launch that this thread takes part in has been posted
    char *signal_stack;
    // The watchdog's: the processor time of this thread when it saw progress last, and the stamp that it saw.
    uint_fast64_t seen;
    double seen_seconds;
};

struct workers {
    uint32_t count;
    double spin_seconds;
    struct worker *all;
    struct block_runner cooperative; // of the first worker: its blocks take turns on one thread, in a fixed order

    pthread_mutex_t lock; // of these:
    pthread_cond_t done, watch;
    uint32_t busy; // threads that have not finished the present launch
    bool stop;
    bool unwatched; // the watchdog waits for a launch

    const struct block_launch *launch;
    atomic_uint_fast64_t next_block;
    atomic_uint_fast64_t failed_block; // the first that failed, so far; no block after it is started

    pthread_t watchdog;
    bool watchdog_started;
};

static void fail_from(struct workers *pool, uint64_t block)
{
    uint_fast64_t first = atomic_load(&pool->failed_block);
    while (block < first && !atomic_compare_exchange_weak(&pool->failed_block, &first, block))
        ;
}

// Takes the next block of the launch. False where none is left that matters.
static bool take_block(struct workers *pool, uint64_t *block)
{
    *block = atomic_fetch_add(&pool->next_block, 1);
    return *block < pool->launch->grid && *block < atomic_load(&pool->failed_block);
}

static void run_together(struct worker *worker)
{
    struct workers *pool = worker->pool;
    if (worker != pool->all)
        return;
    block_runner_prepare(&pool->cooperative, pool->launch);
    if (!block_run_cooperative(&pool->cooperative))
        fail_from(pool, pool->cooperative.fault.block);
}

static void run_blocks(struct worker *worker)
{
    struct workers *pool = worker->pool;
    uint64_t block;
    if (!take_block(pool, &block))
        return;
    block_runner_prepare(&worker->runner, pool->launch);
    do {
        if (!block_run(&worker->runner, (uint32_t)block)) {
            fail_from(pool, block);
            return;
        }
    } while (take_block(pool, &block));
}

static void *worker_main(void *argument)
{
    struct worker *worker = argument;
    struct workers *pool = worker->pool;
    faults_enter_thread(worker->signal_stack);
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!worker->due && !pool->stop)
            pthread_cond_wait(&worker->posted, &pool->lock);
        if (pool->stop)
            break;
        worker->due = false;
        pthread_mutex_unlock(&pool->lock);
        if (pool->launch->cooperative)
            run_together(worker);
        else
            run_blocks(worker);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    faults_leave_thread();
    return NULL;
}

// ---- the watchdog

static double seconds_of(const struct timespec *time)
{
    return (double)time->tv_sec + 1e-9 * (double)time->tv_nsec;
}

// The thread's own processor time: a machine that is stopped, or busy elsewhere, is no reason to give up.
static double worker_seconds(const struct worker *worker)
{
    clockid_t clock;
    struct timespec time = {0};
    if (pthread_getcpuclockid(worker->thread, &clock) == 0)
        clock_gettime(clock, &time);
    return seconds_of(&time);
}

static void look_at(struct worker *worker)
{
    const uint_fast64_t stamp = atomic_load(&worker->at_work->progress);
    const double now = worker_seconds(worker);
    if (stamp != worker->seen) {
        worker->seen = stamp;
        worker->seen_seconds = now;
    } else if (now - worker->seen_seconds >= worker->pool->spin_seconds) {
        faults_interrupt(worker->thread, worker->at_work, stamp);
    }
}

static struct timespec after(double seconds)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    const double at = seconds_of(&time) + seconds;
    time.tv_sec = (time_t)at;
    time.tv_nsec = (long)(1e9 * (at - (double)time.tv_sec));
    return time;
}

static void *watchdog_main(void *argument)
{
    struct workers *pool = argument;
    const double period = pool->spin_seconds < 4 ? pool->spin_seconds / 4 : 1;
    pthread_mutex_lock(&pool->lock);
    while (!pool->stop) {
        if (pool->busy == 0) {
            pool->unwatched = true;
            pthread_cond_wait(&pool->watch, &pool->lock);
            pool->unwatched = false;
            continue;
        }
        const struct timespec time = after(period);
        pthread_cond_timedwait(&pool->watch, &pool->lock, &time);
        for (uint32_t i = 0; i < pool->count && pool->busy > 0; i++)
            look_at(&pool->all[i]);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

// ---- the pool

static bool start_worker(struct workers *pool, struct worker *worker, const struct device_settings *settings,
                         struct error *error)
{
    worker->pool = pool;
    worker->at_work = &worker->runner;
    worker->signal_stack = memory_new(FAULTS_STACK_SIZE, 1);
    block_runner_init(&worker->runner, settings, settings->warp_width);
    pthread_cond_init(&worker->posted, NULL);
    const int cause = pthread_create(&worker->thread, NULL, worker_main, worker);
    if (cause != 0) {
        pthread_cond_destroy(&worker->posted);
        return error_set(error, ERROR_SYSTEM, "cannot start a worker thread: %s", strerror(cause));
    }
    worker->started = true;
    return true;
}

static bool start_all(struct workers *pool, const struct device_settings *settings, struct error *error)
{
    pool->all = memory_new(pool->count, sizeof *pool->all);
    for (uint32_t i = 0; i < pool->count; i++)
        if (!start_worker(pool, &pool->all[i], settings, error))
            return false;
    const int cause = pthread_create(&pool->watchdog, NULL, watchdog_main, pool);
    if (cause != 0)
        return error_set(error, ERROR_SYSTEM, "cannot start the watchdog: %s", strerror(cause));
    pool->watchdog_started = true;
    return true;
}

static void init_conditions(struct workers *pool)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->done, NULL);
    pthread_cond_init(&pool->watch, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

struct workers *workers_create(uint32_t count, const struct device_settings *settings, struct error *error)
{
    if (!faults_install(error))
        return NULL;
    struct workers *pool = memory_new(1, sizeof *pool);
    pool->count = count;
    pool->spin_seconds = settings->spin_seconds;
    block_runner_init(&pool->cooperative, settings, settings->warp_width);
    init_conditions(pool);
    if (start_all(pool, settings, error))
        return pool;
    workers_destroy(pool);
    return NULL;
}

static void stop_threads(struct workers *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    for (uint32_t i = 0; pool->all && i < pool->count; i++)
        if (pool->all[i].started)
            pthread_cond_signal(&pool->all[i].posted);
    pthread_cond_broadcast(&pool->watch);
    pthread_mutex_unlock(&pool->lock);
    if (pool->watchdog_started)
        pthread_join(pool->watchdog, NULL);
    for (uint32_t i = 0; pool->all && i < pool->count; i++)
        if (pool->all[i].started) {
            pthread_join(pool->all[i].thread, NULL);
            pthread_cond_destroy(&pool->all[i].posted);
        }
}

void workers_destroy(struct workers *pool)
{
    if (!pool)
        return;
    stop_threads(pool);
    for (uint32_t i = 0; pool->all && i < pool->count; i++) {
        block_runner_finish(&pool->all[i].runner);
        free(pool->all[i].signal_stack);
    }
    block_runner_finish(&pool->cooperative);
    free(pool->all);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->watch);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
    faults_remove();
}

// Many launches have one block: no more threads are woken than have work, nor the watchdog while it looks anyway. (Of the
// processor time of pipelines over small pools, waking all took a quarter.)
static void post_and_wait(struct workers *pool, const struct block_launch *launch, uint32_t threads)
{
    pthread_mutex_lock(&pool->lock);
    pool->launch = launch;
    atomic_store(&pool->next_block, 0);
    atomic_store(&pool->failed_block, UINT64_MAX);
    pool->all[0].at_work = launch->cooperative ? &pool->cooperative : &pool->all[0].runner;
    pool->busy = threads;
    for (uint32_t i = 0; i < threads; i++) {
        pool->all[i].due = true;
        pthread_cond_signal(&pool->all[i].posted);
    }
    if (pool->unwatched)
        pthread_cond_signal(&pool->watch);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

static bool report_fault(const struct workers *pool, const struct block_launch *launch, struct error *error)
{
    const uint64_t block = atomic_load(&pool->failed_block);
    for (uint32_t i = 0; i < pool->count; i++) {
        const struct block_fault *fault = &pool->all[i].at_work->fault;
        if (fault->raised && fault->block == block)
            return error_set(error, ERROR_FAILED, "kernel %s: block %u, lane %u: %s", launch->kernel, fault->block,
                             fault->lane, fault->text);
    }
    return true;
}

// All lanes of a cooperative launch have stacks at once, beside those that the threads keep.
static bool reserve_together(struct workers *pool, const struct block_launch *launch, struct error *error)
{
    const uint64_t wanted = (uint64_t)launch->grid * launch->block;
    uint64_t most = fiber_stacks_most(), kept = launch->grid; // a stack of each block is for signals
    for (uint32_t i = 0; i < pool->count; i++)
        kept += pool->all[i].runner.lane_capacity;
    most -= kept < most ? kept : most;
    if (wanted <= most)
        return block_runner_reserve(&pool->cooperative, launch->grid, launch->block, error);
    error_set(error, ERROR_UNSUPPORTED,
              "kernel %s: %u blocks of %u lanes that run at once are %llu lanes, and the emulator can hold %llu",
              launch->kernel, launch->grid, launch->block, (unsigned long long)wanted, (unsigned long long)most);
    return error_remedy(error, "use fewer multiprocessors, resident_blocks or lanes a block, or raise vm.max_map_count "
                               "(two mappings a lane)");
}

bool workers_run(struct workers *pool, const struct block_launch *launch, struct error *error)
{
    if (launch->cooperative && !reserve_together(pool, launch, error))
        return false;
    const uint32_t threads = launch->cooperative || !launch->grid ? 1
                             : launch->grid < pool->count         ? launch->grid
                                                                  : pool->count;
    for (uint32_t i = 0; i < pool->count; i++) {
        pool->all[i].runner.fault.raised = false;
        if (!launch->cooperative && i < threads && !block_runner_reserve(&pool->all[i].runner, 1, launch->block, error))
            return false;
    }
    post_and_wait(pool, launch, threads);
    return report_fault(pool, launch, error);
}

void workers_take_lockstep(struct workers *pool, struct device_lockstep *rows, uint32_t kinds, uint32_t bounces,
                           struct device_lockstep *entered)
{
    for (uint32_t i = 0; i < pool->count; i++)
        lockstep_drain(&pool->all[i].runner.sums, rows, kinds, bounces, entered);
    lockstep_drain(&pool->cooperative.sums, rows, kinds, bounces, entered);
}
