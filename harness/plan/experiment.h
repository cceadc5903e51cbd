// SPDX-License-Identifier: MIT
// An experiment file, read and checked; plan.h expands it into trials.
#pragma once

#include "base/error.h"
#include "frame/measurement.h"
#include "frame/parameters.h"
#include "store/run.h"
#include "trial/policy.h"

// A value or an expression, with the line it stands on.
struct experiment_text {
    char *text;
    int line;
};

// One axis of the sweep. `name` is a parameter, or scene, camera, variant, device. A `fixed` entry is an axis of one
// value.
struct experiment_axis {
    char name[64];
    int line;
    struct experiment_text *values;
    size_t count;
};

struct experiment_derived {
    char name[64];
    struct experiment_text expression;
};

// How `table` and `plot` show it where their command lines do not say: names with commas between, "" where not given.
enum { EXPERIMENT_REPORT_TEXT = 200 };
struct experiment_report {
    int line;
    char x[EXPERIMENT_REPORT_TEXT], series[EXPERIMENT_REPORT_TEXT], panels[EXPERIMENT_REPORT_TEXT];
    char rows[EXPERIMENT_REPORT_TEXT], columns[EXPERIMENT_REPORT_TEXT];
    char measure[EXPERIMENT_REPORT_TEXT], log[EXPERIMENT_REPORT_TEXT];
};

struct experiment {
    char *path, *text; // the file's path and its bytes
    char name[64], study[64];
    struct experiment_axis *axes; // in file order, `device` among them (default auto)
    size_t axis_count;
    struct experiment_text *where;
    size_t where_count;
    struct experiment_derived *derived;
    size_t derived_count;
    uint32_t collections; // bit 1 << enum collection
    struct experiment_text *counters;
    size_t counter_count;
    // default 5 where frame or launches are collected, else 1; experiment_set_untimed() says where 5 make no sense
    int32_t replicates;
    bool replicates_given;
    double relative_ci;                                // stop: 0.01
    int32_t warmups, min_repetitions, max_repetitions; // stop: 2, 10, 1000
    double max_seconds;                                // stop: 10, per trial and replicate
    double max_temperature;                            // gate: 75 degrees Celsius
    double gate_seconds;                               // gate: max_seconds: 120
    bool shared_device;                                // other programs on the device are allowed; default no
    double timeline_interval_us;                       // timeline: interval_us: 2
    double timeline_window_ms;                         // timeline: window_ms: 50
    double time_limit;  // seconds after which a worker that has not answered is killed; default 600
    int32_t retries;    // further attempts after a failure that may pass (killed, timed out); default 2
    bool breadth_first; // order: breadth_first (default) | depth_first
    uint64_t order_seed;
    struct experiment_report report;
};

// Reads and checks names, types and bounds of everything but the expressions and the scenes. Unknown keys and values
// come with a suggestion; every message names file and line. NULL and an error otherwise. Bounds: file 1 MiB, 10 M
// values. `path` is used in messages.
struct experiment *experiment_parse(const char *path, const char *text, size_t size, struct error *error);
void experiment_free(struct experiment *experiment);

// All devices that it names have no clock that means something: where the file does not say how many replicates, there
// is one.
void experiment_set_untimed(struct experiment *experiment);

// The experiments of a file: itself, or those that its `include` names, with what it says in place of theirs. Paths are
// relative to the file.
struct experiment_list {
    struct experiment **items;
    size_t count;
};
// Adds to the list, which experiment_list_finish() frees, also after a failure. A file that includes itself, or is not
// there, is an error with the file and line that name it.
bool experiment_list_load(struct experiment_list *list, const char *path, struct error *error);
void experiment_list_finish(struct experiment_list *list);

// The axis of a name, which is added without a value where there is none.
struct experiment_axis *experiment_axis_named(struct experiment *experiment, const char *name);
// Gives the axis of that name, added where there is none, the values of another. Lines become 0: they would be taken for lines of this
// experiment's file.
void experiment_replace_axis(struct experiment *experiment, const struct experiment_axis *by);
void experiment_free_texts(struct experiment_text *texts, size_t count);

// How it samples timelines.
struct timeline_policy experiment_timeline(const struct experiment *experiment);

// The columns of its plan: what the sweep lists, then what `derive` makes.
size_t experiment_column_count(const struct experiment *experiment);
const char *experiment_column(const struct experiment *experiment, size_t index);
bool experiment_has_column(const struct experiment *experiment, const char *name);

// What a run keeps of it; lives as long.
struct run_experiment experiment_record(const struct experiment *experiment);

// For the files that read it.
bool experiment_is_timed(const struct experiment *experiment); // frame or launches
void experiment_default_replicates(struct experiment *experiment);
// Whether the settings go together: `stop`, `timeline`. Errors name no place.
bool experiment_check_stop(const struct experiment *experiment, struct error *error);
bool experiment_check_window(const struct experiment *experiment, struct error *error);
