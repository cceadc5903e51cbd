// SPDX-License-Identifier: MIT
#include "run/verify.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void verify_result_finish(struct verify_result *result)
{
    free(result->path_length);
    *result = (struct verify_result){0};
}

// ---- one run

static void add_counts(struct bounce_counts *to, const struct bounce_counts *from)
{
    to->active_paths += from->active_paths;
    to->active_warps += from->active_warps;
    for (int cause = 0; cause < DEATH_CAUSES; ++cause)
        to->deaths[cause] += from->deaths[cause];
    to->shadow_rays += from->shadow_rays;
    to->occluded += from->occluded;
    to->path_hash += from->path_hash;
    for (int material = 0; material < COUNT_MATERIALS; ++material)
        to->material_hits[material] += from->material_hits[material];
}

static void take_result(struct measurement *measurement, const struct verify_case *row, struct verify_result *result)
{
    *result = (struct verify_result){
        .counted = !row->clean, .image = measurement->image, .path_hash = measurement->path_hash};
    for (size_t i = 0; i < measurement->count_count; ++i)
        if (measurement->counts[i].bounce != MEASURED_TOTALS)
            add_counts(&result->bounces[count_bin(measurement->counts[i].bounce)], &measurement->counts[i].counts);
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

// ---- comparisons

struct compared {
    const char *name;
    size_t offset;
};

static const struct compared compared[] = {
    {"active paths", offsetof(struct bounce_counts, active_paths)},
    {"misses", offsetof(struct bounce_counts, deaths[DEATH_MISS])},
    {"deaths by depth", offsetof(struct bounce_counts, deaths[DEATH_DEPTH])},
    {"deaths by absorption", offsetof(struct bounce_counts, deaths[DEATH_ABSORB])},
    {"deaths by roulette", offsetof(struct bounce_counts, deaths[DEATH_ROULETTE])},
    {"shadow rays", offsetof(struct bounce_counts, shadow_rays)},
    {"occluded shadow rays", offsetof(struct bounce_counts, occluded)},
    {"the path hash", offsetof(struct bounce_counts, path_hash)},
};

static uint64_t count_at(const struct bounce_counts *counts, size_t offset)
{
    uint64_t value;
    memcpy(&value, (const char *)counts + offset, sizeof value);
    return value;
}

const char *verify_compare(const struct verify_result *reference, const struct verify_result *result, char *text,
                           size_t size)
{
    for (int bounce = 0; result->counted && bounce < COUNT_BINS; ++bounce)
        for (size_t i = 0; i < sizeof compared / sizeof *compared; ++i) {
            const uint64_t wanted = count_at(&reference->bounces[bounce], compared[i].offset),
                           found = count_at(&result->bounces[bounce], compared[i].offset);
            if (wanted == found)
                continue;
            snprintf(text, size, "%s of bounce %d: %llu, not %llu", compared[i].name, bounce, (unsigned long long)found,
                     (unsigned long long)wanted);
            return text;
        }
    for (int bounce = 0; result->counted && bounce < COUNT_BINS; ++bounce)
        if (memcmp(reference->bounces[bounce].material_hits, result->bounces[bounce].material_hits,
                   sizeof result->bounces[bounce].material_hits)) {
            snprintf(text, size, "hits per material of bounce %d differ", bounce);
            return text;
        }
    if (result->counted && reference->path_hash != result->path_hash)
        return "the path hash differs";
    if (hash_equal(reference->image, result->image))
        return NULL;
    return result->counted ? "the image differs, though all counts agree" : "the image differs";
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

// ---- what has run

void verify_coverage_finish(struct verify_coverage *coverage)
{
    free(coverage->values);
    *coverage = (struct verify_coverage){0};
}

static struct verify_value *cover_value(struct verify_coverage *coverage, const struct variant *variant,
                                        const struct parameter *parameter, int64_t value)
{
    for (size_t i = 0; i < coverage->count; ++i) {
        struct verify_value *row = &coverage->values[i];
        if (row->variant == variant && row->parameter == parameter && row->value == value)
            return row;
    }
    if (coverage->count == coverage->room) {
        const size_t room = coverage->room ? 2 * coverage->room : 256;
        struct verify_value *values = realloc(coverage->values, room * sizeof *values);
        if (!values)
            return NULL;
        coverage->values = values;
        coverage->room = room;
    }
    struct verify_value *row = &coverage->values[coverage->count++];
    *row = (struct verify_value){.variant = variant, .parameter = parameter, .value = value};
    return row;
}

static size_t variant_index(const struct variant *variant)
{
    size_t index = 0;
    while (variant_table[index] && variant_table[index] != variant && index < VERIFY_VARIANTS - 1)
        ++index;
    return index;
}

// `reason`: NULL where the case has run.
static bool cover(struct verify_coverage *coverage, const struct verify_case *row, const char *reason,
                  struct error *error)
{
    const struct parameters standard = parameters_default();
    if (reason)
        coverage->variants[variant_index(row->variant)].skipped += 1;
    else
        coverage->variants[variant_index(row->variant)].cases += 1;
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *parameter = &parameter_table[i];
        const int64_t value = parameter_get(&row->parameters, parameter);
        if (parameter->role != PARAMETER_SCHEDULE || !variant_uses(row->variant, parameter) ||
            value == parameter_get(&standard, parameter))
            continue;
        struct verify_value *found = cover_value(coverage, row->variant, parameter, value);
        if (!found)
            return error_set(error, ERROR_SYSTEM, "no memory left");
        found->ran |= !reason;
        if (reason)
            snprintf(found->reason, sizeof found->reason, "%.190s", reason);
    }
    return true;
}

// ---- whether anything was missed

struct pairing {
    const struct verify_value *missed;
    const struct parameter *other;
    struct parameters parameters;
    const struct device_properties *properties;
};

static bool is_refused(const struct pairing *pairing)
{
    char reason[512];
    const struct variant *variant = pairing->missed->variant;
    return pairing->parameters.block > pairing->properties->max_block ||
           (variant->supports && !variant->supports(&pairing->parameters, pairing->properties, reason, sizeof reason));
}

static bool pair_is_refused(void *context, int64_t value)
{
    struct pairing pairing = *(const struct pairing *)context;
    memcpy((char *)&pairing.parameters + pairing.other->offset, &value, sizeof value);
    return is_refused(&pairing);
}

// Whether the variant takes the value neither alone nor with any one value of another parameter.
static bool refused_with_all(struct executor *executor, const struct trial_spec *spec, const struct verify_value *value,
                             bool *refused, struct error *error)
{
    struct pairing pairing = {.missed = value, .parameters = spec->parameters};
    memcpy((char *)&pairing.parameters + value->parameter->offset, &value->value, sizeof value->value);
    pairing.properties = execute_device(executor, spec, error);
    if (!pairing.properties)
        return false;
    *refused = is_refused(&pairing);
    for (size_t i = 0; *refused && i < parameter_count; ++i) {
        pairing.other = &parameter_table[i];
        if (pairing.other != value->parameter && pairing.other->role == PARAMETER_SCHEDULE &&
            variant_uses(value->variant, pairing.other))
            *refused = verify_values(pairing.other, pair_is_refused, &pairing);
    }
    return true;
}

static bool check_wanted(const struct verify_options *options, const struct verify_coverage *coverage,
                         struct error *error)
{
    const char *estimator = variant_find("naive")->estimator;
    for (size_t i = 0; i < options->variant_count; ++i) {
        const struct variant *variant = variant_find(options->variants[i]);
        if (coverage->variants[variant_index(variant)].cases)
            continue;
        if (strcmp(variant->estimator, estimator))
            return error_set(error, ERROR_FAILED,
                             "no case of %s was run: it computes '%s', and only variants of '%s' are compared",
                             variant->name, variant->estimator, estimator);
        return error_set(error, ERROR_FAILED, "no case of %s was run: all were skipped", variant->name);
    }
    if (!coverage->variants[variant_index(variant_find("naive"))].cases)
        return error_set(error, ERROR_FAILED, "no case was run: all were skipped");
    return true;
}

bool verify_complete(struct executor *executor, const struct verify_options *options, const struct trial_spec *spec,
                     const struct verify_coverage *coverage,
                     void (*missed)(void *context, const struct verify_value *, bool refused), void *context,
                     struct error *error)
{
    size_t count = 0;
    if (!check_wanted(options, coverage, error))
        return false;
    for (size_t i = 0; i < coverage->count; ++i) {
        bool refused = false;
        if (coverage->values[i].ran)
            continue;
        if (!refused_with_all(executor, spec, &coverage->values[i], &refused, error))
            return false;
        missed(context, &coverage->values[i], refused);
        count += !refused;
    }
    return !count ||
           error_set(error, ERROR_FAILED, "%zu values were skipped in every case, though they could have run", count);
}

// ---- all cases of one scene and WORK setting

struct verifying {
    struct executor *executor;
    const struct verify_options *options;
    const struct verify_report *report;
    struct verify_tally *tally;
    struct trial_spec spec;
    const struct verify_result *reference;
    struct error *error;
};

static void fail(struct verifying *verifying, const char *label, const char *why)
{
    verifying->tally->failed += 1;
    verifying->report->failed(verifying->report->context, &verifying->spec, label, why);
}

// Active warps of a bounce by formula. false: nothing predicts them.
static bool predict(const struct verifying *verifying, const struct verify_case *row,
                    const struct verify_result *result, uint32_t warp_width, uint32_t bounce, uint64_t *warps)
{
    const char *name = row->variant->name;
    const uint32_t *path_length = verifying->reference->path_length;
    bool ok = false;
    if (row->parameters.spp != 1 || !path_length)
        return false;
    if (!strncmp(name, "tiled", 5)) {
        *warps = verify_tile_warps(&row->parameters, warp_width, path_length, bounce);
        return true;
    }
    if (!strcmp(name, "whole_frame")) {
        const uint32_t every = (uint32_t)row->parameters.compact_every;
        if (every == 1)
            *warps = verify_list_warps(&row->parameters, warp_width, result->bounces[bounce].active_paths, &ok);
        if (!ok)
            *warps =
                verify_place_warps(&row->parameters, warp_width, path_length, bounce - bounce % every, bounce, &ok);
    } else if (!strcmp(name, "naive") || !strcmp(name, "whole_frame_off") || !strcmp(name, "skeleton")) {
        // skeleton's stride is a whole number of blocks, so its warps are those of a full grid.
        *warps = verify_place_warps(&row->parameters, warp_width, path_length, 0, bounce, &ok);
    }
    return ok;
}

static void check_warps(struct verifying *verifying, const struct verify_case *row, const struct verify_result *result,
                        uint32_t warp_width)
{
    bool any = false;
    for (uint32_t bounce = 0; bounce <= (uint32_t)row->parameters.max_bounces; ++bounce) {
        uint64_t wanted;
        const uint64_t found = result->bounces[bounce].active_warps;
        if (!predict(verifying, row, result, warp_width, bounce, &wanted))
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
        return cover(coverage, row, cause->message, verifying->error);
    }
    if (cause->kind == ERROR_FAILED) {
        verifying->tally->cases += 1;
        fail(verifying, row->label, cause->message);
        return cover(coverage, row, NULL, verifying->error);
    }
    *verifying->error = *cause;
    return false;
}

static bool check_case(void *context, const struct verify_case *row)
{
    struct verifying *verifying = context;
    struct verify_result result = {0};
    struct error cause = {0};
    char text[200];
    verifying->spec.parameters = row->parameters;
    snprintf(verifying->spec.variant, sizeof verifying->spec.variant, "%s", row->variant->name);
    verifying->report->doing(verifying->report->context, &verifying->spec, row->label);
    if (!run_case(verifying->executor, &verifying->spec, row, &result, &cause))
        return take_error(verifying, row, &cause);
    verifying->tally->cases += 1;
    const char *why = verify_compare(verifying->reference, &result, text, sizeof text);
    if (why)
        fail(verifying, row->label, why);
    else if (!row->clean)
        check_warps(verifying, row, &result, execute_device(verifying->executor, &verifying->spec, NULL)->warp_width);
    verify_result_finish(&result);
    return cover(verifying->report->coverage, row, NULL, verifying->error);
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
    struct verify_case row = {.variant = variant_find("naive"), .parameters = spec->parameters};
    snprintf(against.device, sizeof against.device, "%s", options->against);
    snprintf(against.variant, sizeof against.variant, "naive");
    report->doing(report->context, &against, "(the reference)");
    return run_case(executor, &against, &row, reference, error);
}

// ---- all kernels at once, where they have to be compiled

struct spec_list {
    struct trial_spec base, *specs;
    size_t count, room;
};

static bool add_spec(void *context, const struct verify_case *row)
{
    struct spec_list *list = context;
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 256;
        struct trial_spec *specs = realloc(list->specs, room * sizeof *specs);
        if (!specs)
            return false;
        list->specs = specs;
        list->room = room;
    }
    struct trial_spec *spec = &list->specs[list->count++];
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
    const char *estimator = variant_find("naive")->estimator;
    const bool emulator = !strcmp(options->device, "emulator");
    bool done = true;
    for (const struct variant *const *row = variant_table; done && *row; ++row)
        if (!strcmp((*row)->estimator, estimator) &&
            (selected(options, (*row)->name) || !strcmp((*row)->name, "naive")))
            done = verify_cases(*row, work, emulator, thorough && !options->quick, visit, context);
    return done;
}

static bool compile_cases(const struct verifying *verifying, const struct parameters *work, bool thorough)
{
    struct spec_list list = {.base = verifying->spec};
    bool done = walk_cases(verifying, work, thorough, add_spec, &list) ||
                error_set(verifying->error, ERROR_SYSTEM, "no memory left");
    done = done && execute_compile(verifying->executor, list.specs, list.count, NULL, NULL, verifying->error);
    free(list.specs);
    return done;
}

bool verify_work(struct executor *executor, const struct verify_options *options, const struct trial_spec *spec,
                 bool thorough, const struct verify_report *report, struct verify_tally *tally,
                 struct verify_result *reference, struct error *error)
{
    struct verifying *verifying = calloc(1, sizeof *verifying);
    if (!verifying)
        return error_set(error, ERROR_SYSTEM, "no memory left");
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
