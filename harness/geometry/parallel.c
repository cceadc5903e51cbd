// SPDX-License-Identifier: MIT
#include "geometry/parallel.h"

#include <pthread.h>

#include "base/processors.h"

enum { THREADS_MAX = 256 };

struct loop {
    void (*body)(void *context, uint32_t i);
    void *context;
    uint32_t count, next;
};

static void *parallel_work(void *argument)
{
    struct loop *loop = argument;
    for (;;) {
        const uint32_t i = __atomic_fetch_add(&loop->next, 1, __ATOMIC_RELAXED);
        if (i >= loop->count)
            return NULL;
        loop->body(loop->context, i);
    }
}

static uint32_t thread_count(uint32_t wanted, uint32_t count)
{
    if (wanted == 0)
        wanted = processors_usable();
    wanted = wanted < THREADS_MAX ? wanted : THREADS_MAX;
    return wanted < count ? wanted : count;
}

void parallel_for(uint32_t threads, uint32_t count, void (*body)(void *context, uint32_t i), void *context)
{
    struct loop loop = {.body = body, .context = context, .count = count};
    pthread_t others[THREADS_MAX];
    uint32_t started = 0;
    for (uint32_t i = 1; i < thread_count(threads, count); ++i)
        if (pthread_create(&others[started], NULL, parallel_work, &loop) == 0)
            ++started;
    parallel_work(&loop);
    for (uint32_t i = 0; i < started; ++i)
        pthread_join(others[i], NULL);
}
