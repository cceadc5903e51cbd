// SPDX-License-Identifier: MIT
// The main function of unit tests: those that TEST in check.h has added, in the order of their file.
#include "check.h"

enum { TEST_LIMIT = 100 };

static struct CMUnitTest added[TEST_LIMIT];
static size_t added_count;
static CMFixtureFunction group_begin, group_end, each_begin, each_end;

static int prepare(void **state)
{
    error_clear(&why);
    return each_begin ? each_begin(state) : 0;
}

static int finish(void **state)
{
    return each_end ? each_end(state) : 0;
}

void test_add(const char *name, CMUnitTestFunction body)
{
    if (added_count == TEST_LIMIT)
        abort();
    added[added_count++] =
        (struct CMUnitTest){.name = name, .test_func = body, .setup_func = prepare, .teardown_func = finish};
}

void test_group(CMFixtureFunction begin, CMFixtureFunction end)
{
    group_begin = begin;
    group_end = end;
}

void test_each(CMFixtureFunction begin, CMFixtureFunction end)
{
    each_begin = begin;
    each_end = end;
}

int main(void)
{
    if (!added_count) // a file without a test would pass
        return 1;
    return _cmocka_run_group_tests("tests", added, added_count, group_begin, group_end);
}
