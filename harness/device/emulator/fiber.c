// SPDX-License-Identifier: MIT
#include "device/emulator/fiber.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#if FIBER_ASAN
#include <sanitizer/asan_interface.h>
#endif

uint64_t fiber_stacks_most(void)
{
    enum { OTHERS = 1024 };
    unsigned long mappings = 0;
    FILE *file = fopen("/proc/sys/vm/max_map_count", "r");
    if (!file)
        return UINT32_MAX;
    const bool known = fscanf(file, "%lu", &mappings) == 1;
    fclose(file);
    if (!known)
        return UINT32_MAX;
    return mappings > OTHERS ? (mappings - OTHERS) / 2 : 0;
}

#if FIBER_ASAN
// Fibers that were abandoned in the middle of a call leave the red zones of their frames behind, for whatever is mapped
// there next, too.
static void forget_red_zones(char *memory, size_t bytes)
{
    __asan_unpoison_memory_region(memory, bytes);
}
#else
static void forget_red_zones(char *memory, size_t bytes)
{
    (void)memory, (void)bytes;
}
#endif

bool fiber_stacks_create(struct fiber_stacks *stacks, uint32_t count, struct error *error)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t stride = page + FIBER_STACK_SIZE;
    const size_t bytes = stride * count;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return error_set_errno(error, "reserve", "stacks for the lanes of a block");
    *stacks = (struct fiber_stacks){memory, stride, bytes, count};
    for (uint32_t i = 0; i < count; i++)
        if (mprotect(memory + stride * i, page, PROT_NONE) != 0) {
            error_set_errno(error, "protect", "the stacks of the lanes of a block");
            error_remedy(error, "use smaller blocks or fewer threads, or raise vm.max_map_count");
            fiber_stacks_destroy(stacks);
            return false;
        }
    return true;
}

void fiber_stacks_destroy(struct fiber_stacks *stacks)
{
    if (stacks->memory) {
        forget_red_zones(stacks->memory, stacks->bytes);
        munmap(stacks->memory, stacks->bytes);
    }
    *stacks = (struct fiber_stacks){0};
}

char *fiber_stack(const struct fiber_stacks *stacks, uint32_t index)
{
    return stacks->memory + stacks->stride * (index + (size_t)1) - FIBER_STACK_SIZE;
}

bool fiber_stacks_overflow(const struct fiber_stacks *stacks, const void *address)
{
    const uintptr_t base = (uintptr_t)stacks->memory, at = (uintptr_t)address;
    return base && at >= base && at - base < stacks->bytes &&
           (at - base) % stacks->stride < stacks->stride - FIBER_STACK_SIZE;
}

void fiber_init(struct fiber *fiber, char *stack, size_t offset, void (*entry)(struct fiber_transfer))
{
    forget_red_zones(stack, FIBER_STACK_SIZE);
    const size_t size = FIBER_STACK_SIZE - offset;
    *fiber =
        (struct fiber){.context = make_fcontext(stack + size, size, entry), .stack_bottom = stack, .stack_size = size};
}
