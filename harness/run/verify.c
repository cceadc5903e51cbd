// SPDX-License-Identifier: MIT
#include "run/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void verify_result_finish(struct verify_result *result)
{
    free(result->path_length);
    *result = (struct verify_result){0};
}

// ---- one run
// -----------------------------------------------------------------------------------------------------------

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
        if ((int64_t)measurement->counts[i].bounce <= row->parameters.max_bounces)
            add_counts(&result->bounces[measurement->counts[i].bounce], &measurement->counts[i].counts);
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
// -------------------------------------------------------------------------------------------------------

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
    for (int bounce = 0; result->counted && bounce <= COUNT_BOUNCE_MAX; ++bounce)
        for (size_t i = 0; i < sizeof compared / sizeof *compared; ++i) {
            const uint64_t wanted = count_at(&reference->bounces[bounce], compared[i].offset),
                           found = count_at(&result->bounces[bounce], compared[i].offset);
            if (wanted == found)
                continue;
            snprintf(text, size, "%s of bounce %d: %llu, not %llu", compared[i].name, bounce, (unsigned long long)found,
                     (unsigned long long)wanted);
            return text;
        }
    if (result->counted && memcmp(reference->bounces[0].material_hits, result->bounces[0].material_hits,
                                  sizeof result->bounces[0].material_hits))
        return "hits per material of bounce 0 differ";
    if (result->counted && reference->path_hash != result->path_hash)
        return "the path hash differs";
    if (hash_equal(reference->image, result->image))
        return NULL;
    return result->counted ? "the image differs, though all counts agree" : "the image differs";
}

// ---- all cases of one scene and WORK setting
// ---------------------------------------------------------------------------

enum { NAIVE_SETTINGS = 96 };

struct verifying {
    struct executor *executor;
    const struct verify_options *options;
    const struct verify_report *report;
    struct verify_tally *tally;
    struct trial_spec spec;
    const struct verify_result *reference;
    // Active warps of `naive` under each setting, for its control.
    struct {
        char label[64];
        uint64_t warps[COUNT_BOUNCE_MAX + 1];
    } naive[NAIVE_SETTINGS];
    size_t naive_count;
    struct error *error;
};

static void fail(struct verifying *verifying, const char *label, const char *why)
{
    verifying->tally->failed += 1;
    verifying->report->failed(verifying->report->context, &verifying->spec, label, why);
}

static const uint64_t *naive_warps(const struct verifying *verifying, const char *label)
{
    for (size_t i = 0; i < verifying->naive_count; ++i)
        if (!strcmp(verifying->naive[i].label, label))
            return verifying->naive[i].warps;
    return NULL;
}

static void remember_naive(struct verifying *verifying, const char *label, const struct verify_result *result)
{
    if (verifying->naive_count == NAIVE_SETTINGS)
        return;
    snprintf(verifying->naive[verifying->naive_count].label, sizeof verifying->naive[0].label, "%s", label);
    for (int bounce = 0; bounce <= COUNT_BOUNCE_MAX; ++bounce)
        verifying->naive[verifying->naive_count].warps[bounce] = result->bounces[bounce].active_warps;
    verifying->naive_count += 1;
}

// Active warps that formula or another variant predicts for a bounce. false: nothing predicts them.
static bool predict(const struct verifying *verifying, const struct verify_case *row,
                    const struct verify_result *result, uint32_t warp_width, uint32_t bounce, uint64_t *warps)
{
    const char *name = row->variant->name;
    bool ok = false;
    if (row->parameters.spp != 1)
        return false;
    if (!strcmp(name, "whole_frame") && row->parameters.compact_every == 1) {
        *warps = verify_list_warps(&row->parameters, warp_width, result->bounces[bounce].active_paths, &ok);
    } else if (!strcmp(name, "whole_frame_off")) {
        const uint64_t *naive = naive_warps(verifying, row->label);
        naive = naive ? naive : naive_warps(verifying, ""); // a setting of path memory, which naive has none of
        *warps = naive ? naive[bounce] : 0;
        ok = naive != NULL;
    } else if (!strncmp(name, "tiled", 5) && verifying->reference->path_length) {
        *warps = verify_tile_warps(&row->parameters, warp_width, verifying->reference->path_length, bounce);
        ok = true;
    }
    return ok;
}

static void check_warps(struct verifying *verifying, const struct verify_case *row, const struct verify_result *result,
                        uint32_t warp_width)
{
    if (!strcmp(row->variant->name, "naive"))
        remember_naive(verifying, row->label, result);
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

static bool check_case(void *context, const struct verify_case *row)
{
    struct verifying *verifying = context;
    struct verify_result result = {0};
    struct error cause = {0};
    char text[200];
    verifying->spec.parameters = row->parameters;
    snprintf(verifying->spec.variant, sizeof verifying->spec.variant, "%s", row->variant->name);
    verifying->report->doing(verifying->report->context, &verifying->spec, row->label);
    if (!run_case(verifying->executor, &verifying->spec, row, &result, &cause)) {
        if (cause.kind == ERROR_UNSUPPORTED) {
            verifying->tally->skipped += 1;
        } else if (cause.kind == ERROR_FAILED) {
            verifying->tally->cases += 1;
            fail(verifying, row->label, cause.message);
        } else {
            *verifying->error = cause;
            return false;
        }
        return true;
    }
    verifying->tally->cases += 1;
    const char *why = verify_compare(verifying->reference, &result, text, sizeof text);
    if (why)
        fail(verifying, row->label, why);
    else if (!row->clean)
        check_warps(verifying, row, &result, execute_device(verifying->executor, &verifying->spec, NULL)->warp_width);
    verify_result_finish(&result);
    return true;
}

static bool selected(const struct verify_options *options, const char *name)
{
    for (size_t i = 0; i < options->variant_count; ++i)
        if (!strcmp(options->variants[i], name))
            return true;
    return options->variant_count == 0;
}

static bool make_reference(struct executor *executor, const struct verify_options *options,
                           const struct trial_spec *spec, struct verify_result *reference, struct error *error)
{
    struct trial_spec against = *spec;
    struct verify_case row = {.variant = variant_find("naive"), .parameters = spec->parameters};
    snprintf(against.device, sizeof against.device, "%s", options->against);
    snprintf(against.variant, sizeof against.variant, "naive");
    return run_case(executor, &against, &row, reference, error);
}

bool verify_work(struct executor *executor, const struct verify_options *options, const struct trial_spec *spec,
                 bool thorough, const struct verify_report *report, struct verify_tally *tally,
                 struct verify_result *reference, struct error *error)
{
    const char *estimator = variant_find("naive")->estimator;
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
    bool done = make_reference(executor, options, spec, reference, error);
    const bool emulator = !strcmp(options->device, "emulator");
    snprintf(verifying->spec.device, sizeof verifying->spec.device, "%s", options->device);
    // naive first: its control is compared with it.
    for (int round = 0; done && round < 2; ++round)
        for (const struct variant *const *row = variant_table; done && *row; ++row)
            if (!strcmp((*row)->estimator, estimator) && (round == 0) == !strcmp((*row)->name, "naive") &&
                (selected(options, (*row)->name) || round == 0))
                done =
                    verify_cases(*row, &spec->parameters, emulator, thorough && !options->quick, check_case, verifying);
    free(verifying);
    return done;
}
