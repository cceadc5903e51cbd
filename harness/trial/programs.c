// SPDX-License-Identifier: MIT
// The programs of an executor. Loading one takes milliseconds on a GPU, and a sweep comes back to the same few.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trial/execute.h"
#include "trial/executor.h"

enum { PROGRAMS_LOADED = 12 };

struct known_program {
    struct known_program *next;
    struct hash key;
    char *provenance;
    struct device_program *program; // NULL where it was released again
    uint64_t used;                  // when, in uses of any
};

static struct hash build_key(const struct device_build *build)
{
    struct hash_state *state = hash_begin();
    hash_add_text(state, build->variant);
    hash_add(state, &build->counting, sizeof build->counting);
    hash_add(state, &build->register_cap, sizeof build->register_cap);
    for (size_t i = 0; i < build->constant_count; ++i)
        hash_add(state, &build->constants[i].value, sizeof build->constants[i].value);
    return hash_end(state);
}

void executor_build_make(const struct trial_spec *spec, bool counting, struct executor_build *made)
{
    struct config config;
    const int64_t registers = spec->parameters.registers;
    const size_t count = execute_constants(&spec->parameters, made->constants, &config);
    made->build = (struct device_build){
        .variant = spec->variant,
        .counting = counting,
        .register_cap = registers == PARAMETER_AUTO ? 0 : (uint32_t)registers,
        .constants = made->constants,
        .constant_count = count,
    };
    made->key = build_key(&made->build);
}

// ---- programs

static struct known_program *programs_find(struct executor *executor, struct hash key)
{
    struct known_program *known = executor->programs;
    while (known && !hash_equal(known->key, key))
        known = known->next;
    return known;
}

// Releases the one that was used longest ago, where as many are loaded as may be.
static void make_room(struct executor *executor)
{
    size_t loaded = 0;
    struct known_program *oldest = NULL;
    for (struct known_program *known = executor->programs; known; known = known->next) {
        loaded += known->program != NULL;
        if (known->program && (!oldest || known->used < oldest->used))
            oldest = known;
    }
    if (loaded < PROGRAMS_LOADED)
        return;
    executor->device->ops->release_program(executor->device, oldest->program);
    oldest->program = NULL;
}

static struct known_program *remember(struct executor *executor, struct hash key, const char *provenance)
{
    struct known_program *known = memory_new(1, sizeof *known);
    *known = (struct known_program){.next = executor->programs, .key = key, .provenance = memory_copy(provenance)};
    return executor->programs = known;
}

static struct known_program *programs_load(struct executor *executor, const struct executor_build *made,
                                           struct error *error)
{
    struct device *device = executor->device;
    make_room(executor);
    struct device_program *program = device->ops->build(device, &made->build, error);
    if (!program)
        return NULL;
    struct known_program *known = programs_find(executor, made->key);
    if (!known)
        known = remember(executor, made->key, device->ops->provenance(program));
    known->program = program;
    return known;
}

struct device_program *executor_program(struct executor *executor, const struct trial_spec *spec, bool counting,
                                        struct error *error)
{
    struct executor_build made;
    executor_build_make(spec, counting, &made);
    struct known_program *known = programs_find(executor, made.key);
    if (!known || !known->program)
        known = programs_load(executor, &made, error);
    if (!known)
        return NULL;
    known->used = ++executor->program_uses;
    return known->program;
}

const char *executor_provenance(struct executor *executor, const struct trial_spec *spec, bool counting,
                                struct error *error)
{
    struct executor_build made;
    executor_build_make(spec, counting, &made);
    struct known_program *known = programs_find(executor, made.key);
    if (!known)
        known = programs_load(executor, &made, error);
    return known ? known->provenance : NULL;
}

void executor_forget_programs(struct executor *executor)
{
    for (struct known_program *known = executor->programs, *next; known; known = next) {
        next = known->next;
        if (known->program)
            executor->device->ops->release_program(executor->device, known->program);
        free(known->provenance);
        free(known);
    }
    executor->programs = NULL;
}
