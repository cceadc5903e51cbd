// SPDX-License-Identifier: MIT
// Device memory is host memory: every command is complete when it returns, on a stream or not.
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/emulator/emulator.h"

enum { ALIGNMENT = 256, HUGE_BYTES = 16 << 20 };

#ifdef NDEBUG
static void scribble(void *memory, size_t bytes)
{
    (void)memory, (void)bytes;
}
#else
static void scribble(void *memory, size_t bytes)
{
    memset(memory, 0xCD, bytes);
}
#endif

// Walks over a large tree miss the address cache less on large pages. Only advice: failure changes nothing.
static void prefer_huge_pages(char *memory, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)memory + page - 1) / page * page,
                    end = ((uintptr_t)memory + bytes) / page * page;
    if (bytes >= HUGE_BYTES)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void *emulator_alloc(struct device *device, size_t bytes, struct error *error)
{
    (void)device;
    void *memory = NULL;
    // The exact size, so that AddressSanitizer sees the first byte past it.
    if (posix_memalign(&memory, ALIGNMENT, bytes ? bytes : 1) != 0) {
        error_set(error, ERROR_SYSTEM, "the emulator has no %zu bytes of memory", bytes);
        return NULL;
    }
    prefer_huge_pages(memory, bytes);
    scribble(memory, bytes);
    return memory;
}

void emulator_release(struct device *device, void *memory)
{
    (void)device;
    free(memory);
}

bool emulator_upload(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                     struct error *error)
{
    (void)device, (void)stream, (void)error;
    if (bytes > 0)
        memcpy(to, from, bytes);
    return true;
}

bool emulator_fill(struct device *device, struct device_stream *stream, void *to, uint8_t value, size_t bytes,
                   struct error *error)
{
    (void)device, (void)stream, (void)error;
    if (bytes > 0)
        memset(to, value, bytes);
    return true;
}
