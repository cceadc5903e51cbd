// SPDX-License-Identifier: MIT
// Stacks and the switch between them, on Boost.Context's C entry points: a switch takes a few nanoseconds where
// swapcontext, which saves the signal mask by a system call, takes two hundred.
#pragma once

#include <stdint.h>

#include "base/error.h"

#if defined __SANITIZE_ADDRESS__
#define FIBER_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define FIBER_ASAN 1
#endif
#endif
#ifndef FIBER_ASAN
#define FIBER_ASAN 0
#endif

struct fiber_transfer {
    void *context, *data; // where the fiber that jumped here continues; what it passed
};
struct fiber_transfer jump_fcontext(void *to, void *data);
void *make_fcontext(void *stack_top, size_t stack_size, void (*entry)(struct fiber_transfer));

struct fiber {
    void *context;            // where it continues, NULL before fiber_init
    const void *stack_bottom; // these three are for AddressSanitizer alone
    size_t stack_size;
    void *fake_stack;
};

// `count` stacks of FIBER_STACK_SIZE bytes, each above an inaccessible page.
enum { FIBER_STACK_SIZE = 64 * 1024 };
struct fiber_stacks {
    char *memory;
    size_t stride, bytes;
    uint32_t count;
};
// How many of them a process may have: each is two mappings, of which the system allows vm.max_map_count (65530 by
// default: about 32,000 stacks). Some mappings are left for everything else.
uint64_t fiber_stacks_most(void);
bool fiber_stacks_create(struct fiber_stacks *stacks, uint32_t count, struct error *error);
void fiber_stacks_destroy(struct fiber_stacks *stacks); // an empty one is fine
// The usable bytes of stack `index`, from the lowest.
char *fiber_stack(const struct fiber_stacks *stacks, uint32_t index);
// Whether `address` lies in the inaccessible page below a stack.
bool fiber_stacks_overflow(const struct fiber_stacks *stacks, const void *address);

// Makes `fiber` start in `entry` at the first switch to it. `offset` bytes at the top of the stack stay unused: stacks
// that all start at the same offset in a page would fight for the same cache sets.
void fiber_init(struct fiber *fiber, char *stack, size_t offset, void (*entry)(struct fiber_transfer));

// What AddressSanitizer has to know: fiber_leave and fiber_enter surround a switch; fiber_moved is for code that finds
// itself on a stack to which nothing switched.
#if FIBER_ASAN
void __sanitizer_start_switch_fiber(void **fake_stack_save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *fake_stack_save, const void **bottom_old, size_t *size_old);
static inline void fiber_leave(struct fiber *from, const struct fiber *to)
{
    __sanitizer_start_switch_fiber(&from->fake_stack, to->stack_bottom, to->stack_size);
}
static inline void fiber_enter(const struct fiber *self, struct fiber *previous)
{
    __sanitizer_finish_switch_fiber(self->fake_stack, &previous->stack_bottom, &previous->stack_size);
}
static inline void fiber_moved(const char *stack)
{
    __sanitizer_start_switch_fiber(NULL, stack, FIBER_STACK_SIZE);
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
}
#else
static inline void fiber_leave(struct fiber *from, const struct fiber *to)
{
    (void)from, (void)to;
}
static inline void fiber_enter(const struct fiber *self, struct fiber *previous)
{
    (void)self, (void)previous;
}
static inline void fiber_moved(const char *stack)
{
    (void)stack;
}
#endif

// The first thing that a fiber's entry function calls, and what happens on each return of fiber_switch.
static inline void fiber_arrive(const struct fiber *self, struct fiber_transfer transfer)
{
    struct fiber *previous = transfer.data;
    previous->context = transfer.context;
    fiber_enter(self, previous);
}

// Suspends `from`, which must be the fiber that runs, and continues `to`. A thread's own stack is a fiber, too: a
// zeroed one.
static inline void fiber_switch(struct fiber *from, struct fiber *to)
{
    fiber_leave(from, to);
    const struct fiber_transfer transfer = jump_fcontext(to->context, from);
    fiber_arrive(from, transfer);
}
