// SPDX-License-Identifier: MIT
#include "verify/verify.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "device/device.h"

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
                              "\nwarpstudy: %.250s: did not finish within %u s\n"
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
    struct verify *verify;
    struct verify_tally tally;
    struct trial_spec spec; // of the case
    struct verify_result reference;
    struct verify_result own; // of the variant under test at its default settings: what the host may not change
    struct parameters mean;   // not alone: under which paths are, with the same mean
    bool alone;               // the estimator decides each path by itself: all variants have one reference
    uint32_t other_width;     // of the other device's warps; 0: as it is
};

static void verify_begin(struct verify *verify, const struct trial_spec *spec, const char *label)
{
    snprintf(verify->doing, sizeof verify->doing, "%.60s, %lld bounces: %s%s%s", spec->scene,
             (long long)spec->parameters.max_bounces, spec->variant, label[0] ? " " : "", label);
    progress_step(&verify->progress);
    progress_doing(&verify->progress, verify->doing);
    verify_deadline(verify->time_limit, verify->doing);
}

static void end(void)
{
    verify_deadline(0, "");
}

static void fail(struct verifying *verifying, const char *label, const char *why)
{
    verifying->tally.failed += 1;
    progress_clear(&verifying->verify->progress);
    printf("  FAILED %s%s%s on %s: %s\n", verifying->spec.variant, label[0] ? ", " : "", label, verifying->spec.device,
           why);
    fflush(stdout);
}

static void check_warps(struct verifying *verifying, const struct verify_case *row, const struct verify_result *result,
                        uint32_t warp_width)
{
    bool any = false;
    struct warps_asked asked = {
        .parameters = &row->parameters, .warp_width = warp_width, .path_length = verifying->reference.path_length};
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
    verifying->tally.formulas += any;
}

// The case ended with an error: a skip, a failure, or the end of all. false: the last.
static bool take_error(struct verifying *verifying, const struct verify_case *row, const struct error *cause)
{
    const bool skipped = cause->kind == ERROR_UNSUPPORTED;
    if (!skipped && cause->kind != ERROR_FAILED)
        return false;
    verify_cover(&verifying->verify->coverage, row, skipped ? cause->message : NULL);
    verifying->tally.skipped += skipped;
    verifying->tally.cases += !skipped;
    if (!skipped)
        fail(verifying, row->label, cause->message);
    return true;
}

static void set_spec(struct trial_spec *spec, const struct verify_case *row)
{
    spec->parameters = row->parameters;
    snprintf(spec->variant, sizeof spec->variant, "%s", row->variant->name);
}

// A case on the other device, whose warps are as wide where it can be told so.
static struct trial_spec on_other(const struct verifying *verifying, const struct verify_case *row)
{
    struct trial_spec spec = verifying->spec;
    set_spec(&spec, row);
    snprintf(spec.device, sizeof spec.device, "%s", verifying->verify->against);
    if (verifying->other_width)
        spec.parameters.warp_width = verifying->other_width;
    return spec;
}

// A schedule must repeat what the other device counted or, where only the host's threads and the order of its lanes
// differ from the variant's default case, what that did.
static bool check_schedule(struct verifying *verifying, const struct verify_case *row,
                           const struct verify_result *result, struct error *error)
{
    const struct verify *verify = verifying->verify;
    const struct verify_result *wanted = row->host_only && verifying->own.counted ? &verifying->own : NULL;
    struct verify_result *other = NULL;
    char text[200];
    bool done = true;
    if (row->clean || (row->variant->schedule_repeats && !row->variant->schedule_repeats(&row->parameters)))
        return true;
    if (strcmp(verify->device, verify->against)) {
        const struct trial_spec spec = on_other(verifying, row);
        wanted = other = memory_new(1, sizeof *other);
        done = verify_run(verify->executor, &spec, row, other, error);
    }
    const char *why = done && wanted ? verify_compare_schedule(wanted, result, text, sizeof text) : NULL;
    if (why)
        fail(verifying, row->label, why);
    if (other)
        verify_result_finish(other);
    free(other);
    return done || error->kind == ERROR_UNSUPPORTED;
}

// Of a variant's default case, where paths are not decided one by one.
static bool check_mean(struct verifying *verifying, const struct verify_case *row, struct error *error)
{
    double sigmas;
    char why[120];
    if (verifying->alone || row->label[0])
        return true;
    if (!verify_mean(verifying->verify, &verifying->spec, row, &verifying->mean, &sigmas, error))
        return false;
    snprintf(why, sizeof why, "the mean of %d frames is %.1f standard errors off", VERIFY_FRAMES, sigmas);
    if (!(sigmas < VERIFY_SIGMAS))
        fail(verifying, row->label, why);
    return true;
}

static bool check_result(struct verifying *verifying, const struct verify_case *row, const struct verify_result *result,
                         struct error *error)
{
    char text[200];
    const bool traced = row->parameters.tree == TREE_OPTIX;
    const char *why =
        (traced ? verify_compare_traced : verify_compare)(&verifying->reference, result, text, sizeof text);
    if (why)
        fail(verifying, row->label, why);
    if (why || traced)
        return true;
    if (!row->clean)
        check_warps(verifying, row, result,
                    execute_device(verifying->verify->executor, &verifying->spec, NULL)->warp_width);
    const bool done = check_schedule(verifying, row, result, error) && check_mean(verifying, row, error);
    if (!row->label[0]) {
        verifying->own = *result;
        verifying->own.path_length = NULL;
    }
    return done;
}

static bool check_case(struct verifying *verifying, const struct verify_case *row, struct error *error)
{
    struct verify_result *result = memory_new(1, sizeof *result);
    struct error cause = {0};
    set_spec(&verifying->spec, row);
    verify_begin(verifying->verify, &verifying->spec, row->label);
    if (!row->label[0])
        verifying->own = (struct verify_result){0}; // of the variant before
    bool done = verify_run(verifying->verify->executor, &verifying->spec, row, result, &cause);
    if (done) {
        verifying->tally.cases += 1;
        done = check_result(verifying, row, result, &cause);
    }
    end();
    verify_result_finish(result);
    free(result);
    if (done)
        verify_cover(&verifying->verify->coverage, row, NULL);
    else if (!take_error(verifying, row, &cause))
        *error = cause;
    return error->kind == ERROR_NONE;
}

bool verify_wants(const struct verify *verify, const struct variant *variant)
{
    for (size_t i = 0; i < verify->variant_count; ++i)
        if (!strcmp(verify->variants[i], variant->name))
            return true;
    return verify->variant_count == 0;
}

static bool make_reference(struct verifying *verifying, const struct verify_case *row, struct error *error)
{
    const struct verify *verify = verifying->verify;
    const struct trial_spec against = on_other(verifying, row);
    verify_begin(verifying->verify, &against, "(the reference)");
    verify_result_finish(&verifying->reference);
    const bool done = verify_run(verify->executor, &against, row, &verifying->reference, error);
    end();
    return done;
}

static bool make_common_reference(struct verifying *verifying, const struct trial_spec *spec, struct error *error)
{
    const struct verify_case row = {.variant = variant_find(verifying->verify->estimator->reference),
                                    .parameters = spec->parameters};
    return make_reference(verifying, &row, error);
}

// Whether any of its cases is run. A reference that was not asked for takes part with its default settings only. Where
// paths are not decided one by one, each variant that can is its own reference.
static bool takes_part(const struct verifying *verifying, const struct variant *variant)
{
    const struct estimator *estimator = verifying->verify->estimator;
    const bool wanted = verify_wants(verifying->verify, variant);
    return variant->estimator == estimator &&
           (verifying->alone ? wanted || !strcmp(variant->name, estimator->reference) : wanted && variant->together);
}

// All kernels at once, where they have to be compiled; the time that it takes is no case's.
static bool verify_compile(struct verifying *verifying, const struct verify_cases *cases, struct error *error)
{
    struct trial_spec *specs = memory_new(cases->count, sizeof *specs);
    for (size_t i = 0; i < cases->count; ++i) {
        specs[i] = verifying->spec;
        set_spec(&specs[i], &cases->rows[i]);
    }
    progress_doing(&verifying->verify->progress, "compiling kernels");
    const bool done = execute_compile(verifying->verify->executor, specs, cases->count, NULL, NULL, error);
    free(specs);
    return done;
}

static bool check_cases(struct verifying *verifying, const struct trial_spec *spec, bool thorough, struct error *error)
{
    const struct verify *verify = verifying->verify;
    struct verify_cases cases = {0};
    for (const struct variant *const *row = variant_table; *row; ++row)
        if (takes_part(verifying, *row))
            verify_add_cases(&cases, *row, &spec->parameters, device_is(verify->device, DEVICE_MODEL),
                             thorough && !verify->quick && verify_wants(verify, *row));
    snprintf(verifying->spec.device, sizeof verifying->spec.device, "%s", verify->device);
    bool done = verify_compile(verifying, &cases, error);
    for (size_t i = 0; done && i < cases.count; ++i)
        done = (verifying->alone || cases.rows[i].label[0] || make_reference(verifying, &cases.rows[i], error)) &&
               check_case(verifying, &cases.rows[i], error);
    free(cases.rows);
    return done;
}

static void print_row(const struct trial_spec *spec, const char *label, const struct verifying *verifying)
{
    const struct verify_tally *tally = &verifying->tally;
    char image[HASH_TEXT];
    hash_text(verifying->reference.image, image);
    printf("%-16.16s %3lld  %-22s %6u %8u %8u %7u  ", spec->scene, (long long)spec->parameters.max_bounces, label,
           tally->cases, tally->formulas, tally->skipped, tally->failed);
    if (verifying->alone)
        printf("%s  %016llx\n", image, (unsigned long long)verifying->reference.path_hash);
    else
        printf("each variant its own, and their mean\n");
    fflush(stdout);
}

// On two devices, the width of the tested one's warps, if the other's is an option.
static bool find_width(struct verifying *verifying, struct error *error)
{
    const struct verify *verify = verifying->verify;
    struct trial_spec spec = verifying->spec;
    if (!strcmp(verify->device, verify->against) || !device_has_option(verify->against, "warp_width"))
        return true;
    snprintf(spec.device, sizeof spec.device, "%s", verify->device);
    const struct device_properties *properties = execute_device(verify->executor, &spec, error);
    verifying->other_width = properties ? properties->warp_width : 0;
    return properties != NULL;
}

bool verify_work(struct verify *verify, const struct trial_spec *spec, const char *label, bool thorough,
                 struct error *error)
{
    struct verifying *verifying = memory_new(1, sizeof *verifying);
    struct error cause = {0};
    verifying->verify = verify;
    verifying->spec = *spec;
    verifying->alone = estimator_alone(verify->estimator, &spec->parameters, &verifying->mean);
    const bool done = find_width(verifying, &cause) &&
                      (!verifying->alone || make_common_reference(verifying, spec, &cause)) &&
                      check_cases(verifying, spec, thorough, &cause);
    progress_clear(&verify->progress);
    if (done)
        print_row(spec, label, verifying);
    else if (cause.kind == ERROR_UNSUPPORTED)
        printf("%-16.16s %3lld  %-22s skipped: %s\n", spec->scene, (long long)spec->parameters.max_bounces, label,
               cause.message);
    else
        *error = cause;
    verify->total.cases += verifying->tally.cases;
    verify->total.formulas += verifying->tally.formulas;
    verify->total.skipped += verifying->tally.skipped;
    verify->total.failed += verifying->tally.failed;
    verify_result_finish(&verifying->reference);
    free(verifying);
    return done || cause.kind == ERROR_UNSUPPORTED;
}
