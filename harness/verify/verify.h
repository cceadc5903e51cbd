// SPDX-License-Identifier: MIT
// Checks contract 2: every variant of an estimator, under every setting that may not matter, on every device, gives the
// same image, the same path hash and the same path counts; and warps are counted as the formulas say.
#pragma once

#include "base/error.h"
#include "run/progress.h"
#include "frame/counts.h"
#include "trial/execute.h"
#include "frame/parameters.h"

// What the runs of one (scene, WORK setting) are compared by.
struct verify_result {
    bool counted;
    struct hash image;
    uint64_t path_hash;
    struct bounce_counts bounces[COUNT_BINS]; // by count_bin, summed over launches
    struct bounce_counts totals;              // the launches' own rows, summed
    uint32_t *path_length;                    // of each pixel, where kept
};
void verify_result_finish(struct verify_result *result);

// One setting to run: a variant with parameters that differ from their default (none: label "").
struct verify_case {
    const struct variant *variant;
    struct parameters parameters;
    char label[96]; // "block=96", "storage=move scan=previous"
    bool clean;     // the clean build: only its image is compared
    bool host_only; // differs from the default only in what the host does: schedule counts must not differ
};

enum { VERIFY_VARIANTS = 128 };

struct verify_tally {
    uint32_t cases, skipped, failed, formulas;
};

// What has run of each variant, over all scenes and WORK settings.
struct verify_value {
    const struct variant *variant;
    const struct parameter *parameter; // SCHEDULE
    int64_t value;                     // not its default
    bool ran;
    bool refused;     // it did not, since the variant takes the value under no two settings that are tried
    bool missed;      // it did not, though it could have
    char reason[200]; // why it did not
};
struct verify_coverage {
    struct verify_value *values;
    size_t count;
    struct {
        uint32_t cases, skipped;
    } variants[VERIFY_VARIANTS]; // as variant_table
};
void verify_coverage_finish(struct verify_coverage *coverage);

struct verify {
    struct executor *executor;
    const struct estimator *estimator;     // whose variants are compared
    const char *device;                    // under test
    const char *against;                   // device of the reference
    const char *variants[VERIFY_VARIANTS]; // only these; none: all
    size_t variant_count;
    bool quick;          // default settings only
    unsigned time_limit; // seconds that a case may take, 0: any
    struct progress progress;
    char doing[256]; // which case runs
    struct verify_tally total;
    struct verify_coverage coverage;
};
bool verify_wants(const struct verify *verify, const struct variant *variant);

// Runs all cases of all variants of verify->estimator, for spec's scene, camera and WORK parameters, and prints a row, which
// calls the work `label`, and each failure; `thorough`: also every SCHEDULE, TREE and MACHINE setting, most of them one
// at a time. false only where the check could not be made.
bool verify_work(struct verify *verify, const struct trial_spec *spec, const char *label, bool thorough,
                 struct error *error);

// Whether all that could run has run; finds which values were refused and which were missed. False where one was
// missed, or where a variant asked for had no case at all. Of `spec` device and parameters matter.
bool verify_complete(struct verify *verify, const struct trial_spec *spec, struct error *error);

// Ends the program with exit code 1 and a message that names the case unless called again within so many seconds; 0:
// no limit any more.
void verify_deadline(unsigned seconds, const char *doing);

// ---- parts, also for tests

struct verify_cases {
    struct verify_case *rows; // to be freed
    size_t count;
};
// Adds the variant's default and, where `thorough`, every setting of it that may not matter; where paths are not decided one by
// one, those of the host that may not.
void verify_add_cases(struct verify_cases *cases, const struct variant *variant, const struct parameters *work,
                      bool emulator, bool thorough);
// Runs a case; `spec` has its variant and parameters. The result is to be finished.
bool verify_run(struct executor *executor, const struct trial_spec *spec, const struct verify_case *row,
                struct verify_result *result, struct error *error);
// Where paths are not decided one by one: the difference that the case's mean over some frames has from that of the
// estimator's reference under `mean`, in standard errors. Both have the same seeds, VERIFY_FRAMES of them.
enum {
    VERIFY_FRAMES = 8,
    VERIFY_SIGMAS = 7
}; // of Student's t with 7 degrees: met by one difference in 5000 without bias
bool verify_mean(const struct verify *verify, const struct trial_spec *spec, const struct verify_case *row,
                 const struct parameters *mean, double *sigmas, struct error *error);
// NULL where equal, else what differs, in `text`.
const char *verify_compare(const struct verify_result *reference, const struct verify_result *result, char *text,
                           size_t size);
// The same where the device traverses a tree of its own, whose hits are as exact but not of the same bits: numbers of paths at
// each bounce and the image's mean may differ by less than their noise.
const char *verify_compare_traced(const struct verify_result *reference, const struct verify_result *result, char *text,
                                  size_t size);
// The same for counts of class SCHEDULE.
const char *verify_compare_schedule(const struct verify_result *wanted, const struct verify_result *found, char *text,
                                    size_t size);
// The next value but the default that is tried for a parameter alone, from *place on (start with 0). false: none is left.
bool verify_next_value(const struct parameter *parameter, size_t *place, int64_t *value);
// Keeps that a case has run, or the reason why it has not; NULL where it has.
void verify_cover(struct verify_coverage *coverage, const struct verify_case *row, const char *reason);
