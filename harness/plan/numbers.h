// SPDX-License-Identifier: MIT
// The numbers of an experiment that are no parameters, once for its file and for --set: key in the file, member of struct
// experiment and name of --set, kind, bounds, what it is.
#pragma once

#define EXPERIMENT_PLAIN_NUMBERS(X)                                                                                    \
    X(replicates, replicates, WHOLE, 1, 10000, "how often each trial is measured anew")                                \
    X(time_limit, time_limit, REAL, 1e-6, 7 * 86400, "seconds after which a worker is killed")                         \
    X(retries, retries, WHOLE, 0, 100, "further attempts after a failure that may be temporary")

#define EXPERIMENT_STOP_NUMBERS(X)                                                                                     \
    X(relative_ci, relative_ci, REAL, 1e-6, 1, "width of the interval, relative to the median")                        \
    X(warmups, warmups, WHOLE, 0, 1000, "frames before the first that counts")                                         \
    X(min_repetitions, min_repetitions, WHOLE, 1, 1000000, "at least so many")                                         \
    X(max_repetitions, max_repetitions, WHOLE, 1, 1000000, "at most so many")                                          \
    X(max_seconds, max_seconds, REAL, 1e-6, 86400, "per trial and replicate")

#define EXPERIMENT_GATE_NUMBERS(X)                                                                                     \
    X(max_temperature, max_temperature, REAL, 1e-6, 200, "degrees Celsius")                                            \
    X(max_seconds, gate_seconds, REAL, 1e-6, 86400, "how long to wait for it")

#define EXPERIMENT_TIMELINE_NUMBERS(X)                                                                                 \
    X(interval_us, timeline_interval_us, REAL, 0.5, 1000, "microseconds from sample to sample")                        \
    X(window_ms, timeline_window_ms, REAL, 1, 10000, "milliseconds that are sampled at a time")
