// SPDX-License-Identifier: MIT
#include "run/verify.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

void verify_result_finish(struct verify_result *result)
{
    free(result->path_length);
    *result = (struct verify_result){0};
}

// ---- one run

static void take_result(struct measurement *measurement, const struct verify_case *row, struct verify_result *result)
{
    *result = (struct verify_result){
        .counted = !row->clean, .image = measurement->image, .path_hash = measurement->path_hash};
    for (size_t i = 0; i < measurement->count_count; ++i)
        count_add(measurement->counts[i].bounce == MEASURED_TOTALS
                      ? &result->totals
                      : &result->bounces[count_bin(measurement->counts[i].bounce)],
                  &measurement->counts[i].counts);
    result->path_length = measurement->path_length;
    measurement->path_length = NULL;
}

static bool run_case(struct executor *executor, const struct trial_spec *spec, const struct verify_case *row,
                     struct verify_result *result, struct error *error)
{
    const struct execute_request request = {.spec = spec,
                                            .collection = row->clean ? COLLECTION_FRAME : COLLECTION_COUNTS,
                                            .policy = policy_once(),
                                            .keep_film = !row->clean};
    struct measurement measurement;
    const bool done = execute(executor, &request, &measurement, error);
    if (done)
        take_result(&measurement, row, result);
    measurement_finish(&measurement);
    return done;
}

// ---- a case that does not end

static char late_message[400];
static size_t late_size;

// Only what a signal handler may do. The whole process ends: a kernel that hangs cannot be stopped otherwise.
static void end_late(int signal)
{
    (void)signal;
    const ssize_t ignored = write(2, late_message, late_size);
    (void)ignored;
    _exit(1);
}

void verify_deadline(unsigned seconds, const char *doing)
{
    alarm(0);
    if (!seconds)
        return;
    const int size = snprintf(late_message, sizeof late_message,
                              "\nwarpstudy: %.250s: no end within %u s\n"
                              "  this variant hangs, or --time-limit SECONDS is too short for it\n",
                              doing, seconds);
    late_size = (size_t)size < sizeof late_message ? (size_t)size : sizeof late_message - 1;
    struct sigaction action = {.sa_handler = end_late, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    alarm(seconds);
}

// ---- all cases of one scene and WORK setting

struct verifying {
    struct executor *executor;
    const struct verify_options *options;
    const struct verify_report *report;
    struct verify_tally *tally;
    struct trial_spec spec;
    const struct verify_result *reference;
    struct verify_result own; // of the variant under test at its default settings: what the host may not change
    struct error *error;
};

static void fail(struct verifying *verifying, const char *label, const char *why)
{
    verifying->tally->failed += 1;
    verifying->report->failed(verifying->report->context, &verifying->spec, label, why);
}

static void check_warps(struct verifying *verifying, const struct verify_case *row, const struct verify_result *result,
                        uint32_t warp_width)
{
    bool any = false;
    struct warps_asked asked = {
        .parameters = &row->parameters, .warp_width = warp_width, .path_length = verifying->reference->path_length};
    const uint32_t limit = row->variant->estimator->limit(&row->parameters);
    if (!row->variant->warps || !asked.path_length || row->parameters.spp != 1)
        return;
    for (uint32_t bounce = 0; bounce <= limit && bounce < COUNT_EXACT; ++bounce) {
        uint64_t wanted;
        const uint64_t found = result->bounces[bounce].active_warps;
        asked.bounce = bounce;
        asked.paths = result->bounces[bounce].active_paths;
        if (!row->variant->warps(&asked, &wanted))
            continue;
        any = true;
        if (found == wanted)
            continue;
        char why[160];
        snprintf(why, sizeof why, "active warps of bounce %u: %llu, by formula %llu", bounce, (unsigned long long)found,
                 (unsigned long long)wanted);
        fail(verifying, row->label, why);
        return;
    }
    verifying->tally->formulas += any;
}

// The case ended with an error: a skip, a failure, or the end of all. false: the last.
static bool take_error(struct verifying *verifying, const struct verify_case *row, const struct error *cause)
{
    struct verify_coverage *coverage = verifying->report->coverage;
    if (cause->kind == ERROR_UNSUPPORTED) {
        verifying->tally->skipped += 1;
        verify_cover(coverage, row, cause->message);
        return true;
    }
    if (cause->kind == ERROR_FAILED) {
        verifying->tally->cases += 1;
        fail(verifying, row->label, cause->message);
        verify_cover(coverage, row, NULL);
        return true;
    }
    *verifying->error = *cause;
    return false;
}

// The result that this case's schedule must repeat: that of the other device, or, where only the host's threads and the
// order of its lanes differ from the variant's default case, of that. NULL where there is none.
static bool schedule_wanted(struct verifying *verifying, const struct verify_case *row, struct verify_result *other,
                            const struct verify_result **wanted, struct error *error)
{
    const struct verify_options *options = verifying->options;
    *wanted = NULL;
    if (row->clean || (row->variant->schedule_repeats && !row->variant->schedule_repeats(&row->parameters)))
        return true;
    if (!strcmp(options->device, options->against)) {
        *wanted = row->host_only && verifying->own.counted ? &verifying->own : NULL;
        return true;
    }
    struct trial_spec spec = verifying->spec;
    snprintf(spec.device, sizeof spec.device, "%s", options->against);
    if (!run_case(verifying->executor, &spec, row, other, error))
        return error->kind == ERROR_UNSUPPORTED;
    *wanted = other;
    return true;
}

static bool check_schedule(struct verifying *verifying, const struct verify_case *row,
                           const struct verify_result *result, struct error *error)
{
    struct verify_result *other = memory_new(1, sizeof *other);
    const struct verify_result *wanted = NULL;
    char text[200];
    const bool done = schedule_wanted(verifying, row, other, &wanted, error);
    const char *why = done && wanted ? verify_compare_schedule(wanted, result, text, sizeof text) : NULL;
    if (why)
        fail(verifying, row->label, why);
    verify_result_finish(other);
    free(other);
    return done;
}

// Keeps the counts of a variant's default case.
static void keep_own(struct verifying *verifying, const struct verify_case *row, const struct verify_result *result)
{
    if (row->label[0])
        return;
    verifying->own = *result;
    verifying->own.path_length = NULL;
}

static bool check_result(struct verifying *verifying, const struct verify_case *row, const struct verify_result *result,
                         struct error *error)
{
    char text[200];
    const char *why = verify_compare(verifying->reference, result, text, sizeof text);
    if (why) {
        fail(verifying, row->label, why);
        return true;
    }
    if (!row->clean)
        check_warps(verifying, row, result, execute_device(verifying->executor, &verifying->spec, NULL)->warp_width);
    const bool done = check_schedule(verifying, row, result, error);
    keep_own(verifying, row, result);
    return done;
}

static bool check_case(void *context, const struct verify_case *row)
{
    struct verifying *verifying = context;
    struct verify_result *result = memory_new(1, sizeof *result);
    struct error cause = {0};
    verifying->spec.parameters = row->parameters;
    snprintf(verifying->spec.variant, sizeof verifying->spec.variant, "%s", row->variant->name);
    verifying->report->doing(verifying->report->context, &verifying->spec, row->label);
    if (!row->label[0])
        verifying->own = (struct verify_result){0}; // of the variant before
    bool done = run_case(verifying->executor, &verifying->spec, row, result, &cause);
    if (done) {
        verifying->tally->cases += 1;
        done = check_result(verifying, row, result, &cause);
    }
    verify_result_finish(result);
    free(result);
    if (done)
        verify_cover(verifying->report->coverage, row, NULL);
    return done || take_error(verifying, row, &cause);
}

static bool selected(const struct verify_options *options, const char *name)
{
    for (size_t i = 0; i < options->variant_count; ++i)
        if (!strcmp(options->variants[i], name))
            return true;
    return options->variant_count == 0;
}

static bool make_reference(struct executor *executor, const struct verify_options *options,
                           const struct trial_spec *spec, const struct verify_report *report,
                           struct verify_result *reference, struct error *error)
{
    struct trial_spec against = *spec;
    struct verify_case row = {.variant = variant_find(options->estimator->reference), .parameters = spec->parameters};
    snprintf(against.device, sizeof against.device, "%s", options->against);
    snprintf(against.variant, sizeof against.variant, "%s", options->estimator->reference);
    report->doing(report->context, &against, "(the reference)");
    return run_case(executor, &against, &row, reference, error);
}

// ---- all kernels at once, where they have to be compiled

struct spec_list {
    struct trial_spec base, *specs;
    size_t count;
};

static bool add_spec(void *context, const struct verify_case *row)
{
    struct spec_list *list = context;
    struct trial_spec *spec = ARRAY_ADD(list->specs, list->count);
    *spec = list->base;
    spec->parameters = row->parameters;
    snprintf(spec->variant, sizeof spec->variant, "%s", row->variant->name);
    return true;
}

// Walks all cases of a work: those of every variant asked for.
static bool walk_cases(const struct verifying *verifying, const struct parameters *work, bool thorough,
                       bool (*visit)(void *context, const struct verify_case *), void *context)
{
    const struct verify_options *options = verifying->options;
    const struct estimator *estimator = options->estimator;
    const bool emulator = !strcmp(options->device, "emulator");
    bool done = true;
    for (const struct variant *const *row = variant_table; done && *row; ++row)
        if ((*row)->estimator == estimator &&
            (selected(options, (*row)->name) || !strcmp((*row)->name, estimator->reference)))
            done = verify_cases(*row, work, emulator, thorough && !options->quick, visit, context);
    return done;
}

static bool compile_cases(const struct verifying *verifying, const struct parameters *work, bool thorough)
{
    struct spec_list list = {.base = verifying->spec};
    const bool done = walk_cases(verifying, work, thorough, add_spec, &list) &&
                      execute_compile(verifying->executor, list.specs, list.count, NULL, NULL, verifying->error);
    free(list.specs);
    return done;
}

bool verify_work(struct executor *executor, const struct verify_options *options, const struct trial_spec *spec,
                 bool thorough, const struct verify_report *report, struct verify_tally *tally,
                 struct verify_result *reference, struct error *error)
{
    struct verifying *verifying = memory_new(1, sizeof *verifying);
    *verifying = (struct verifying){.executor = executor,
                                    .options = options,
                                    .report = report,
                                    .tally = tally,
                                    .spec = *spec,
                                    .reference = reference,
                                    .error = error};
    bool done = make_reference(executor, options, spec, report, reference, error);
    snprintf(verifying->spec.device, sizeof verifying->spec.device, "%s", options->device);
    done = done && compile_cases(verifying, &spec->parameters, thorough) &&
           walk_cases(verifying, &spec->parameters, thorough, check_case, verifying);
    free(verifying);
    return done;
}
