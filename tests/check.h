// SPDX-License-Identifier: MIT
// What every unit test includes: cmocka with the headers that it needs, and the usual ones.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

// TEST(what_it_does) { ... } is a test, and needs to be listed nowhere: unit.c runs all of a file in their order.
#define TEST(test)                                                                                                     \
    static void test(void **state);                                                                                    \
    __attribute__((constructor)) static void add_##test(void)                                                          \
    {                                                                                                                  \
        test_add(#test, test);                                                                                         \
    }                                                                                                                  \
    static void test(void **state)
// What is done once before the first test of the file, and after the last; NULL for nothing.
#define TEST_GROUP(begin, end)                                                                                         \
    __attribute__((constructor)) static void add_group(void)                                                           \
    {                                                                                                                  \
        test_group(begin, end);                                                                                        \
    }
// What is done before and after each; NULL alike.
#define TEST_EACH(begin, end)                                                                                          \
    __attribute__((constructor)) static void add_each(void)                                                            \
    {                                                                                                                  \
        test_each(begin, end);                                                                                         \
    }

// Why the last call that failed did; nothing when a test begins.
extern struct error why;
// Fails the test, with those words, where a call that sets `why` fails.
#define need(call) ((call) ? (void)0 : need_failed(#call))
void need_failed(const char *call);
// The same of a call that gives a pointer, which it hands on.
#define made(call) check_made(call, #call)
void *check_made(void *made, const char *call);
// Fails it where the call does not fail, or does not say so: `words` in the message, `advice` in the remedy.
#define refused(call, words, advice) (error_clear(&why), check_refused(!(call), #call, words, advice))
void check_refused(bool refused, const char *call, const char *words, const char *advice);

void test_add(const char *name, CMUnitTestFunction body);
void test_group(CMFixtureFunction begin, CMFixtureFunction end);
void test_each(CMFixtureFunction begin, CMFixtureFunction end);
