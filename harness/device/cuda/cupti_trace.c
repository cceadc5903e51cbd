// SPDX-License-Identifier: MIT
#include "device/cuda/cupti_trace.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    RECORDS = 1 << 20, // bytes of a buffer of activity records
    RECORD_ALIGNMENT = 8,
};

// Activity records come without a context of ours, and maybe on a thread of CUPTI.
static struct {
    pthread_mutex_t lock;
    struct device_timeline_kernel *rows;
    size_t count, room, lost;
} kernels = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void CUPTIAPI request_buffer(uint8_t **buffer, size_t *size, size_t *most)
{
    *buffer = aligned_alloc(RECORD_ALIGNMENT, RECORDS);
    *size = *buffer ? RECORDS : 0;
    *most = 0;
}

// Under the lock.
static void add_kernel(uint64_t start, uint64_t end)
{
    if (kernels.count == kernels.room) {
        const size_t room = kernels.room ? 2 * kernels.room : 1024;
        void *rows = realloc(kernels.rows, room * sizeof *kernels.rows);
        if (!rows) {
            kernels.lost += 1;
            return;
        }
        kernels.rows = rows;
        kernels.room = room;
    }
    kernels.rows[kernels.count++] = (struct device_timeline_kernel){start, end};
}

static void CUPTIAPI complete_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    const struct cupti *cupti = cupti_load(NULL);
    CUpti_Activity *record = NULL;
    size_t dropped = 0;
    (void)size;
    pthread_mutex_lock(&kernels.lock);
    while (valid && cupti->ActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
            // The struct grows from release to release, at its end.
            const CUpti_ActivityKernel9 *kernel = (const CUpti_ActivityKernel9 *)(const void *)record;
            add_kernel(kernel->start, kernel->end);
        }
    if (cupti->ActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
        kernels.lost += dropped;
    pthread_mutex_unlock(&kernels.lock);
    free(buffer);
}

bool cupti_trace_forget(struct error *error)
{
    const bool done = CUPTI_CALL(error, ActivityFlushAll, 0);
    kernels.count = kernels.lost = 0;
    return done;
}

static int compare_kernels(const void *left, const void *right)
{
    const struct device_timeline_kernel *a = left, *b = right;
    return a->start != b->start ? (a->start > b->start) - (a->start < b->start) : (a->end > b->end) - (a->end < b->end);
}

bool cupti_trace_take(const struct device_timeline_kernel **rows, size_t *count, struct error *error)
{
    if (!CUPTI_CALL(error, ActivityFlushAll, 0))
        return false;
    if (kernels.lost)
        return error_set(error, ERROR_FAILED, "CUPTI lost the times of %zu kernels", kernels.lost);
    if (kernels.count)
        qsort(kernels.rows, kernels.count, sizeof *kernels.rows, compare_kernels);
    *rows = kernels.rows;
    *count = kernels.count;
    return true;
}

bool cupti_trace_open(struct error *error)
{
    return CUPTI_CALL(error, ActivityRegisterCallbacks, request_buffer, complete_buffer) &&
           CUPTI_CALL(error, ActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

void cupti_trace_close(void)
{
    (void)CUPTI_CALL(NULL, ActivityDisable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    (void)cupti_trace_forget(NULL);
}
