// SPDX-License-Identifier: MIT
#include "bench/ray_idle.h"

#include <stdlib.h>

#include "base/memory.h"
#include "tools/trace_ray.h"

// A multiprocessor becomes busy, or idle.
struct change {
    uint64_t when;
    int by; // +1, -1
};

static int compare_spans(const void *a, const void *b)
{
    const struct ray_span *x = a, *y = b;
    if (x->multiprocessor != y->multiprocessor)
        return x->multiprocessor > y->multiprocessor ? 1 : -1;
    return (x->start > y->start) - (x->start < y->start);
}

static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    return (x->when > y->when) - (x->when < y->when);
}

// Of each multiprocessor's spans, sorted by their start, those that overlap or touch as one. Returns the number of changes.
static size_t merge_spans(const struct ray_span *spans, size_t count, struct change *changes)
{
    size_t found = 0;
    for (size_t i = 0; i < count;) {
        const struct ray_span *first = &spans[i];
        uint64_t end = first->end;
        for (++i; i < count && spans[i].multiprocessor == first->multiprocessor && spans[i].start <= end; ++i)
            end = spans[i].end > end ? spans[i].end : end;
        changes[found++] = (struct change){.when = first->start, .by = 1};
        changes[found++] = (struct change){.when = end, .by = -1};
    }
    return found;
}

bool ray_idle_of(struct ray_span *spans, size_t count, uint32_t multiprocessors, struct ray_idle *idle)
{
    for (size_t i = 0; i < count; ++i)
        if (!spans[i].start || spans[i].end < spans[i].start)
            return false;
    if (!count || !multiprocessors)
        return false;
    qsort(spans, count, sizeof *spans, compare_spans);
    struct change *changes = memory_new(2 * count, sizeof *changes);
    const size_t found = merge_spans(spans, count, changes);
    qsort(changes, found, sizeof *changes, compare_changes);
    double busy = 0, half = 0;
    int64_t now = 0;
    for (size_t i = 0; i + 1 < found; ++i) {
        const double lasts = (double)(changes[i + 1].when - changes[i].when);
        now += changes[i].by;
        busy += lasts * (double)now;
        half += 2 * now < multiprocessors ? lasts : 0;
    }
    const double length = (double)(changes[found - 1].when - changes[0].when);
    free(changes);
    if (!(length > 0))
        return false;
    *idle = (struct ray_idle){.idle = 1 - busy / length / multiprocessors, .half_idle = half / length};
    return true;
}
