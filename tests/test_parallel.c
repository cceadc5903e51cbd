// SPDX-License-Identifier: MIT
// Loops over threads: each index once, and no more threads than the process has processors.
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "base/processors.h"
#include "geometry/parallel.h"

enum { COUNT = 1000 };

struct visits {
    uint32_t times[COUNT];
    pthread_t by[COUNT];
};

static void visit(void *context, uint32_t i)
{
    struct visits *visits = context;
    visits->times[i] += 1;
    visits->by[i] = pthread_self();
    sched_yield(); // others get their turn
}

TEST(visits_each_index_once)
{
    static const uint32_t threads[] = {0, 1, 2, 7, COUNT + 5};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i) {
        struct visits *visits = calloc(1, sizeof *visits);
        parallel_for(threads[i], COUNT, visit, visits);
        for (uint32_t j = 0; j < COUNT; ++j)
            assert_int_equal(visits->times[j], 1);
        free(visits);
    }
}

// As a worker has a share of the cores: more threads than these would only disturb each other.
TEST(starts_no_thread_where_one_processor_is_ours)
{
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(processors_usable(), CPU_COUNT(&all));
    CPU_ZERO(&one);
    for (int i = 0; !CPU_COUNT(&one); ++i)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(processors_usable(), 1);
    struct visits *visits = calloc(1, sizeof *visits);
    parallel_for(0, COUNT, visit, visits);
    for (uint32_t i = 0; i < COUNT; ++i)
        assert_true(pthread_equal(visits->by[i], pthread_self()));
    free(visits);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}
