// SPDX-License-Identifier: MIT
// A plan's private database. Only for the files plan*.c and space.c.
//   axis (axis, position, value)   the value lists of the sweep
//   plan (number, columns)         the product, then what `where` left of it, until there is `point`
//   point (number, columns)        after what variants ignore has fallen together, numbered from 1
//   schedule (ordinal, point, replicate, collections)
#pragma once

#include "base/arena.h"
#include "plan/experiment.h"
#include "sql/handle.h"

struct plan {
    struct sql db; // in memory: no expression of an experiment ever meets another database
    const struct experiment *experiment;
    bool (*stop)(void);        // ends the making and reading; NULL: nothing does
    double expression_seconds; // that expressions may still take
    double deadline;           // of the expression that is evaluated, in processor time; 0: none is
    int64_t max_bounces;       // the most of any point
    struct arena derived;      // what rows derive beside parameters
};
