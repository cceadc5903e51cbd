// SPDX-License-Identifier: MIT
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "commands/shared.h"
#include "plan/device_choice.h"

enum { MOST_BOUNCES = 16 };

struct verification {
    struct verify verify;
    struct trial_spec spec;
    int64_t bounces[MOST_BOUNCES];
    size_t bounce_count;
};

// The time that building a scene takes is not the case's.
static void show_building(void *context, const char *step, double fraction)
{
    struct verify *verify = context;
    progress_scene(&verify->progress, step, fraction);
    verify_deadline(verify->time_limit, verify->doing);
}

// Other work, one choice at a time, then another seed with several paths a pixel.
static bool verify_other_work(struct verify *verify, const struct trial_spec *spec, struct error *error)
{
    char label[64], text[32];
    struct trial_spec other;
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *row = &parameter_table[i];
        int64_t value;
        if (row->role != PARAMETER_WORK || !row->choices || !estimator_uses(verify->estimator, row))
            continue;
        for (size_t place = 0; verify_next_value(row, &place, &value);) {
            other = *spec;
            memcpy((char *)&other.parameters + row->offset, &value, sizeof value);
            parameter_format(row, value, text, sizeof text);
            snprintf(label, sizeof label, "%.14s=%.20s", row->name, text);
            if (!verify_work(verify, &other, label, false, error))
                return false;
        }
    }
    other = *spec;
    other.parameters.spp = 3;
    other.parameters.seed = 7;
    return verify_work(verify, &other, "spp=3 seed=7", false, error);
}

static bool verify_scene(struct verification *verification, const char *scene, struct error *error)
{
    struct verify *verify = &verification->verify;
    struct trial_spec *spec = &verification->spec;
    if (strlen(scene) >= sizeof spec->scene)
        return error_set(error, ERROR_USE, "the scene's name is too long");
    snprintf(spec->scene, sizeof spec->scene, "%s", scene);
    const bool limited = estimator_uses(verify->estimator, parameter_find("max_bounces"));
    for (size_t i = 0; i < (limited ? verification->bounce_count : 1); ++i) {
        spec->parameters.max_bounces = verification->bounces[i];
        if (!verify_work(verify, spec, "", true, error))
            return false;
    }
    return verify->quick || verify_other_work(verify, spec, error);
}

// ---- the command line

static bool parse_bounces(const char *text, struct verification *verification, struct error *error)
{
    char *copy = memory_copy(text), *place = NULL;
    const struct parameter *row = parameter_find("max_bounces");
    bool done = true;
    for (char *word = strtok_r(copy, ",", &place); done && word; word = strtok_r(NULL, ",", &place)) {
        if (verification->bounce_count == MOST_BOUNCES)
            done = error_set(error, ERROR_USE, "--bounces: at most %d limits", MOST_BOUNCES);
        else
            done = parameter_parse(row, word, &verification->bounces[verification->bounce_count++], error);
    }
    free(copy);
    return done && (verification->bounce_count || error_set(error, ERROR_USE, "--bounces: nothing is given"));
}

static bool parse_size(const char *text, struct parameters *parameters, struct error *error)
{
    unsigned width, height;
    char rest;
    if (sscanf(text, "%5ux%5u%c", &width, &height, &rest) != 2 || width < 1 || height < 1 || width > 16384 ||
        height > 16384) {
        error_set(error, ERROR_USE, "--size: '%s' is no size", text);
        return error_remedy(error, "write WIDTHxHEIGHT, such as 64x48");
    }
    parameters->width = width;
    parameters->height = height;
    return true;
}

static bool check_device(const char *spec, struct error *error)
{
    if (device_is(spec, DEVICE_NOTHING))
        return error_set(error, ERROR_USE, "verify: device %s computes nothing that could agree", spec);
    return device_check_usable(spec, error);
}

static bool parse(const struct command_line *line, struct verification *verification, struct error *error)
{
    struct verify *verify = &verification->verify;
    const char *size = command_option(line, "size"), *bounces = command_option(line, "bounces"), *text;
    long long limit;
    verify->device = command_device(line, "device");
    verify->against = command_device(line, command_flag(line, "against") ? "against" : "device");
    verify->quick = command_flag(line, "quick");
    if (!command_integer(line, "time-limit", 0, 1000000, 60, &limit, error))
        return false;
    verify->time_limit = (unsigned)limit;
    for (size_t place = 0; (text = command_next_option(line, "variant", &place));) {
        if (!variant_check(text, error))
            return false;
        verify->variants[verify->variant_count++] = text;
    }
    snprintf(verification->spec.device, sizeof verification->spec.device, "%s", verify->device);
    return check_device(verify->device, error) && check_device(verify->against, error) &&
           parse_size(size ? size : "64x48", &verification->spec.parameters, error) &&
           parse_bounces(bounces ? bounces : "2,8", verification, error);
}

// ---- all

static void print_not_run(const struct verify_value *value)
{
    char text[48];
    parameter_format(value->parameter, value->value, text, sizeof text);
    printf("  %s %s, %s=%s: %s\n",
           value->refused ? "never runs:" : "FAILED, skipped in every case:", value->variant->name,
           value->parameter->name, text, value->reason);
}

static bool print_end(struct verification *verification, struct error *error)
{
    struct verify *verify = &verification->verify;
    const struct verify_tally *total = &verify->total;
    struct error incomplete = {0};
    printf("\ncases");
    for (size_t i = 0; variant_table[i] && i < VERIFY_VARIANTS; ++i)
        if (verify->coverage.variants[i].cases || verify->coverage.variants[i].skipped)
            printf("  %s %u", variant_table[i]->name, verify->coverage.variants[i].cases);
    putchar('\n');
    const bool complete = verify_complete(verify, &verification->spec, &incomplete);
    for (size_t i = 0; i < verify->coverage.count; ++i)
        if (verify->coverage.values[i].refused || verify->coverage.values[i].missed)
            print_not_run(&verify->coverage.values[i]);
    printf("%u cases agree with their reference, %u of them also with a formula for warps; %u skipped as unsupported; "
           "%u FAILED\n",
           total->cases - total->failed, total->formulas, total->skipped, total->failed);
    if (total->failed)
        return error_set(error, ERROR_FAILED, "%u cases do not agree", total->failed);
    if (!complete)
        *error = incomplete;
    return complete;
}

// Whether a variant of the estimator was asked for.
static bool wanted(const struct verify *verify, const struct estimator *estimator)
{
    bool found = false;
    for (const struct variant *const *row = variant_table; *row; ++row)
        found |= (*row)->estimator == estimator && verify_wants(verify, *row);
    return found;
}

// On the scenes that were named, or on its own.
static bool verify_estimator(struct verification *verification, const struct command_line *line, struct error *error)
{
    for (size_t i = 0; i < line->word_count; ++i)
        if (!verify_scene(verification, line->words[i], error))
            return false;
    for (const char *const *scene = verification->verify.estimator->scenes; !line->word_count && *scene; ++scene)
        if (!verify_scene(verification, *scene, error))
            return false;
    return true;
}

static bool verify_all(struct verification *verification, const struct command_line *line, struct error *error)
{
    struct verify *verify = &verification->verify;
    const struct parameters *size = &verification->spec.parameters;
    printf("%lldx%lld on %s against each estimator's reference on %s\n\n%-16s %3s  %-22s %6s %8s %8s %7s  %-32s  %s\n",
           (long long)size->width, (long long)size->height, verify->device, verify->against, "scene", "B", "work",
           "cases", "formulas", "skipped", "FAILED", "image hash", "path hash");
    fflush(stdout);
    for (const struct estimator *const *row = estimator_table; *row; ++row) {
        verify->estimator = *row;
        if (wanted(verify, *row) && !verify_estimator(verification, line, error))
            return false;
    }
    return print_end(verification, error);
}

static bool verify_command(const struct command_line *line, struct error *error)
{
    struct verification verification = {.spec = {.parameters = parameters_default()}};
    struct verify *verify = &verification.verify;
    if (!parse(line, &verification, error))
        return false;
    progress_start(&verify->progress, 0, false);
    verify->executor = executor_create();
    executor_progress(verify->executor, show_building, verify);
    const bool done = verify_all(&verification, line, error);
    executor_destroy(verify->executor);
    verify_coverage_finish(&verify->coverage);
    return done;
}

const struct command command_verify = {
    .name = "verify",
    .arguments = "[SCENE...] [OPTIONS]",
    .summary = "checks that all variants and settings give the same image, paths and counts, on one or two devices",
    .details =
        "Every SCHEDULE, TREE and MACHINE parameter is set to each of its choices, one at a time, or together if\n"
        "parameters depend on each other. Warp counts are checked against formulas. With roulette by warp or block,\n"
        "each variant is compared with itself, and its mean over a few frames with the mean without roulette.\n"
        "By default eight of the built-in scenes are used: six for surfaces, two for volumes.\n"
        "Exit code 1 if anything differs, hangs, or never ran although it could have.",
    .options =
        {
            {COMMAND_OPTION_DEVICE},
            {"against", "DEVICE", "device of the reference; default the same", 0},
            {"size", "WxH", "image size; default 64x48", 0},
            {"bounces", "B,B,...", "bounce limits; default 2,8", 'b'},
            {"variant", "VARIANT", "only this one, in addition to the default settings of naive; may be repeated", 0},
            {"time-limit", "SECONDS", "fail if a case takes longer; default 60, 0 = no limit", 0},
            {"quick", NULL, "default settings only", 'q'},
        },
    .most_words = 64,
    .run = verify_command,
};
