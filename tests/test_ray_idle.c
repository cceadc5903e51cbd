// SPDX-License-Identifier: MIT
// Idle multiprocessors of a launch, against a look at every multiprocessor in every nanosecond.
#include "bench/ray_idle.h"
#include "tools/trace_ray.h"

#include "check.h"

enum { FIRST = 1000, LASTS = 400, SPANS = 300, WIDEST = 9 };

static bool is_busy(const struct ray_span *spans, size_t count, uint64_t multiprocessor, uint64_t when)
{
    for (size_t i = 0; i < count; ++i)
        if (spans[i].multiprocessor == multiprocessor && spans[i].start <= when && when < spans[i].end)
            return true;
    return false;
}

static void try_spans(const struct ray_span *spans, size_t count, uint32_t multiprocessors)
{
    struct ray_span sorted[SPANS];
    struct ray_idle idle;
    uint64_t from = UINT64_MAX, to = 0, busy = 0, few = 0;
    for (size_t i = 0; i < count; ++i) {
        from = spans[i].start < from ? spans[i].start : from;
        to = spans[i].end > to ? spans[i].end : to;
    }
    for (uint64_t when = from; when < to; ++when) {
        uint32_t now = 0;
        for (uint32_t m = 0; m < multiprocessors; ++m)
            now += is_busy(spans, count, m, when);
        busy += now;
        few += now < 0.5 * multiprocessors;
    }
    memcpy(sorted, spans, count * sizeof *spans);
    assert_true(ray_idle_of(sorted, count, multiprocessors, &idle));
    assert_float_equal(idle.idle, 1 - (double)busy / (double)((to - from) * multiprocessors), 1e-12);
    assert_float_equal(idle.half_idle, (double)few / (double)(to - from), 1e-12);
}

TEST(matches_every_nanosecond)
{
    static struct ray_span spans[SPANS];
    uint32_t seed = 1;
    for (uint32_t multiprocessors = 1; multiprocessors <= WIDEST; ++multiprocessors)
        for (size_t count = 1; count <= SPANS; count += count < 20 ? 1 : 56) {
            for (size_t i = 0; i < count; ++i) {
                seed = seed * 1664525u + 1013904223u;
                const uint32_t begins = (seed >> 8) % LASTS, lasts = 1 + (seed >> 20) % (LASTS / 8);
                spans[i] = (struct ray_span){.start = FIRST + begins,
                                             .end = FIRST + begins + lasts,
                                             .multiprocessor = (seed >> 3) % multiprocessors};
            }
            try_spans(spans, count, multiprocessors);
        }
}

// Four multiprocessors of which one works on alone, for the last 60 of 100 ns: 60 + 3 * 40 of 400 are busy.
TEST(one_straggles)
{
    struct ray_span spans[5];
    struct ray_idle idle;
    for (uint32_t i = 0; i < 4; ++i)
        spans[i] = (struct ray_span){.start = FIRST, .end = FIRST + 40, .multiprocessor = i};
    spans[4] = (struct ray_span){.start = FIRST + 40, .end = FIRST + 100, .multiprocessor = 2};
    assert_true(ray_idle_of(spans, 5, 4, &idle));
    assert_float_equal(idle.half_idle, 0.6, 1e-12);
    assert_float_equal(idle.idle, 1 - (100 + 3 * 40) / 400.0, 1e-12);
    // Exactly half is not fewer than half.
    spans[0] = (struct ray_span){.start = FIRST, .end = FIRST + 100, .multiprocessor = 0};
    spans[1] = (struct ray_span){.start = FIRST, .end = FIRST + 100, .multiprocessor = 1};
    assert_true(ray_idle_of(spans, 2, 4, &idle));
    assert_float_equal(idle.half_idle, 0, 0);
    assert_float_equal(idle.idle, 0.5, 1e-12);
}

TEST(tells_nothing)
{
    struct ray_span spans[2] = {{.start = FIRST, .end = FIRST + 1}, {.start = 0}};
    struct ray_idle idle = {.idle = 7, .half_idle = 8};
    assert_false(ray_idle_of(spans, 0, 4, &idle));
    assert_false(ray_idle_of(spans, 2, 4, &idle)); // one warp noted nothing
    assert_false(ray_idle_of(spans, 1, 0, &idle));
    spans[0] = spans[1] = (struct ray_span){.start = FIRST, .end = FIRST};
    assert_false(ray_idle_of(spans, 2, 4, &idle)); // within one step of the timer
    spans[0] = (struct ray_span){.start = FIRST + 1, .end = FIRST};
    assert_false(ray_idle_of(spans, 1, 4, &idle));
    assert_float_equal(idle.idle, 7, 0);
    assert_float_equal(idle.half_idle, 8, 0);
}
