// SPDX-License-Identifier: MIT
#include "device/emulator/shared_memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/emulator/fiber.h"

#if FIBER_ASAN
#include <sanitizer/asan_interface.h>
#endif

// Wide, so that an index that is wrong by much is still told from a stray pointer.
enum { GUARD_BYTES = 1 << 20 };

bool shared_memory_create(struct shared_memory *shared, struct error *error)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t capacity = (SHARED_MEMORY_MAX + page - 1) / page * page;
    const size_t mapped = capacity + GUARD_BYTES;
    char *memory = mmap(NULL, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return error_set_errno(error, "reserve", "shared memory for a block");
    *shared = (struct shared_memory){.memory = memory, .capacity = capacity, .mapped = mapped};
    if (mprotect(memory, capacity, PROT_READ | PROT_WRITE) != 0) {
        error_set_errno(error, "open", "the shared memory of a block");
        shared_memory_destroy(shared);
        return false;
    }
    shared_memory_resize(shared, 0);
    return true;
}

#if FIBER_ASAN
// The guard ends the block; AddressSanitizer can watch its beginning, too, and the last bytes up to a multiple of 16.
static void watch_edges(const struct shared_memory *shared)
{
    __asan_poison_memory_region(shared->memory, shared->capacity);
    __asan_unpoison_memory_region(shared->base, shared->bytes);
}

static void unwatch_edges(const struct shared_memory *shared)
{
    __asan_unpoison_memory_region(shared->memory, shared->capacity);
}
#else
static void watch_edges(const struct shared_memory *shared)
{
    (void)shared;
}

static void unwatch_edges(const struct shared_memory *shared)
{
    (void)shared;
}
#endif

void shared_memory_destroy(struct shared_memory *shared)
{
    if (shared->memory) {
        unwatch_edges(shared);
        munmap(shared->memory, shared->mapped);
    }
    *shared = (struct shared_memory){0};
}

void shared_memory_resize(struct shared_memory *shared, size_t bytes)
{
    shared->bytes = bytes;
    shared->base = shared->memory + shared->capacity - (bytes + 15) / 16 * 16;
    watch_edges(shared);
}

void shared_memory_scribble(struct shared_memory *shared)
{
    memset(shared->base, 0xCD, shared->bytes);
}

bool shared_memory_overflow(const struct shared_memory *shared, const void *address, size_t *bytes_past)
{
    const uintptr_t at = (uintptr_t)address, end = (uintptr_t)shared->base + shared->bytes;
    if (at < end || at >= (uintptr_t)shared->memory + shared->mapped)
        return false;
    *bytes_past = at - end + 1;
    return true;
}
