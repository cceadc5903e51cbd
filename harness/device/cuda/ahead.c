// SPDX-License-Identifier: MIT
// Compiles builds into the cache, several at once.
#include "device/cuda/backend.h"

#include <pthread.h>
#include <string.h>

#include "base/processors.h"
#include "device/kernel_cache.h"
#include "device/cuda/compile.h"

enum { THREADS_MOST = 16 };

// NVRTC compiles different programs in several threads at once (before CUDA 12.3 they take turns), and the cache's
// files appear whole, so the threads share nothing but the place in the list. NVRTC 13.0, 24 builds: 13.8 s by one
// thread, 6.7 by two, 3.4 by four, 1.4 by 16.
struct ahead {
    const struct device_build *builds;
    size_t count;
    uint32_t compute_capability;
    void (*progress)(void *context, size_t done);
    void *context;
    pthread_mutex_t lock; // of what follows, and of progress
    size_t next, done;
};

static bool same_build(const struct device_build *a, const struct device_build *b)
{
    if (strcmp(a->variant, b->variant) != 0 || a->counting != b->counting || a->register_cap != b->register_cap ||
        a->constant_count != b->constant_count)
        return false;
    for (size_t i = 0; i < a->constant_count; ++i)
        if (a->constants[i].value != b->constants[i].value || strcmp(a->constants[i].name, b->constants[i].name) != 0)
            return false;
    return true;
}

// Whether an earlier one is the same: two threads would compile it at once for nothing.
static bool repeats(const struct ahead *ahead, size_t index)
{
    for (size_t i = 0; i < index; ++i)
        if (same_build(&ahead->builds[i], &ahead->builds[index]))
            return true;
    return false;
}

static void compile_one(const struct ahead *ahead, size_t index)
{
    char header[CUDA_HEADER];
    struct cuda_request request = cuda_request_of(&ahead->builds[index], header);
    struct kernel_binary binary;
    request.compute_capability = ahead->compute_capability;
    if (cuda_compile(&request, &binary, NULL)) // what fails is told when it is built
        kernel_binary_finish(&binary);
    struct cuda_request traced;
    if (cuda_request_for_optix(&request, &traced) && cuda_compile(&traced, &binary, NULL))
        kernel_binary_finish(&binary);
}

static void *ahead_work(void *argument)
{
    struct ahead *ahead = argument;
    pthread_mutex_lock(&ahead->lock);
    while (ahead->next < ahead->count) {
        const size_t index = ahead->next++;
        pthread_mutex_unlock(&ahead->lock);
        if (!repeats(ahead, index))
            compile_one(ahead, index);
        pthread_mutex_lock(&ahead->lock);
        ahead->done += 1;
        if (ahead->progress)
            ahead->progress(ahead->context, ahead->done);
    }
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

static size_t thread_count(size_t builds)
{
    const uint32_t usable = processors_usable();
    const size_t count = usable > THREADS_MOST ? THREADS_MOST : usable;
    return count < builds ? count : builds;
}

bool cuda_compile_all(const struct device_build *builds, size_t count, uint32_t compute_capability,
                      void (*progress)(void *context, size_t done), void *context, struct error *error)
{
    struct ahead ahead = {.builds = builds,
                          .count = count,
                          .compute_capability = compute_capability,
                          .progress = progress,
                          .context = context,
                          .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[THREADS_MOST];
    size_t started = 0;
    if (!cuda_nvrtc_load(error))
        return false;
    if (!kernel_cache_usable("cuda")) // there is nowhere to leave them
        return true;
    while (started + 1 < thread_count(count) && pthread_create(&threads[started], NULL, ahead_work, &ahead) == 0)
        ++started;
    ahead_work(&ahead); // this thread is one of them
    for (size_t i = 0; i < started; ++i)
        pthread_join(threads[i], NULL);
    return true;
}

bool cuda_compile_ahead(struct device *device, const struct device_build *builds, size_t count,
                        void (*progress)(void *context, size_t done), void *context, struct error *error)
{
    return cuda_compile_all(builds, count, cuda_device_of(device)->properties.compute_capability, progress, context,
                            error);
}
