// SPDX-License-Identifier: MIT
#include "run/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "commands/shared.h"
#include "run/device_choice.h"
#include "run/progress.h"

static const long long standard_bounces[] = {2, 8};
enum { MOST_BOUNCES = 16 };

struct verification {
    struct verify_options options;
    struct verify_report report;
    struct executor *executor;
    struct progress progress;
    struct verify_tally total;
    struct verify_coverage coverage;
    unsigned time_limit; // seconds a case may take, 0 = any
    char doing[256];
    const char *variants[COMMAND_VALUES];
    int64_t bounces[MOST_BOUNCES];
    size_t bounce_count;
};

static void print_failure(void *context, const struct trial_spec *spec, const char *label, const char *why)
{
    struct verification *verification = context;
    progress_clear(&verification->progress);
    printf("  FAILED %s%s%s on %s: %s\n", spec->variant, label[0] ? ", " : "", label, spec->device, why);
    fflush(stdout);
}

static void show_case(void *context, const struct trial_spec *spec, const char *label)
{
    struct verification *verification = context;
    snprintf(verification->doing, sizeof verification->doing, "%.60s, %lld bounces: %s%s%s", spec->scene,
             (long long)spec->parameters.max_bounces, spec->variant, label[0] ? " " : "", label);
    progress_step(&verification->progress);
    progress_doing(&verification->progress, verification->doing);
    verify_deadline(verification->time_limit, verification->doing);
}

// The time that building a scene takes is not the case's.
static void show_building(void *context, const char *step, double fraction)
{
    struct verification *verification = context;
    progress_scene(&verification->progress, step, fraction);
    verify_deadline(verification->time_limit, verification->doing);
}

static void print_missed(void *context, const struct verify_value *value, bool refused)
{
    char text[48];
    (void)context;
    parameter_format(value->parameter, value->value, text, sizeof text);
    printf("  %s %s, %s=%s: %s\n", refused ? "never runs:" : "FAILED, skipped in every case:", value->variant->name,
           value->parameter->name, text, value->reason);
}

static void print_row(const struct trial_spec *spec, const char *work, const struct verify_tally *tally,
                      const struct verify_result *reference)
{
    char image[HASH_TEXT];
    hash_text(reference->image, image);
    printf("%-16.16s %3lld  %-22s %6u %8u %8u %7u  %s  %016llx\n", spec->scene, (long long)spec->parameters.max_bounces,
           work, tally->cases, tally->formulas, tally->skipped, tally->failed, image,
           (unsigned long long)reference->path_hash);
    fflush(stdout);
}

static bool verify_one(struct verification *verification, const struct trial_spec *spec, const char *work,
                       bool thorough, struct error *error)
{
    struct verify_result *reference = memory_new(1, sizeof *reference);
    struct verify_tally tally = {0};
    struct error cause = {0};
    bool done = verify_work(verification->executor, &verification->options, spec, thorough, &verification->report,
                            &tally, reference, &cause);
    verify_deadline(0, "");
    progress_clear(&verification->progress);
    if (!done && cause.kind == ERROR_UNSUPPORTED) {
        printf("%-16.16s %3lld  %-22s skipped: %s\n", spec->scene, (long long)spec->parameters.max_bounces, work,
               cause.message);
        done = true;
    } else if (done) {
        print_row(spec, work, &tally, reference);
    } else {
        *error = cause;
    }
    verification->total.cases += tally.cases;
    verification->total.formulas += tally.formulas;
    verification->total.skipped += tally.skipped;
    verification->total.failed += tally.failed;
    verify_result_finish(reference);
    free(reference);
    return done;
}

// Other work, one choice at a time, then another seed with several paths a pixel.
static bool verify_other_work(struct verification *verification, const struct trial_spec *spec, struct error *error)
{
    char label[64], text[32];
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *row = &parameter_table[i];
        if (row->role != PARAMETER_WORK || !row->choices || !estimator_heeds(verification->options.estimator, row))
            continue;
        int64_t value = 0;
        for (const char *place = row->choices; place; place = strchr(place, '|'), place += place != NULL, ++value) {
            struct trial_spec other = *spec;
            if (value == parameter_get(&spec->parameters, row))
                continue;
            memcpy((char *)&other.parameters + row->offset, &value, sizeof value);
            parameter_format(row, value, text, sizeof text);
            snprintf(label, sizeof label, "%.12s=%.20s", row->name, text);
            if (!verify_one(verification, &other, label, false, error))
                return false;
        }
    }
    struct trial_spec other = *spec;
    other.parameters.spp = 3;
    other.parameters.seed = 7;
    return verify_one(verification, &other, "spp=3 seed=7", false, error);
}

static bool verify_scene(struct verification *verification, struct trial_spec *spec, const char *scene,
                         struct error *error)
{
    if (strlen(scene) >= sizeof spec->scene)
        return error_set(error, ERROR_USE, "the scene's name is too long");
    snprintf(spec->scene, sizeof spec->scene, "%s", scene);
    const bool limited = estimator_heeds(verification->options.estimator, parameter_find("max_bounces"));
    for (size_t i = 0; i < (limited ? verification->bounce_count : 1); ++i) {
        spec->parameters.max_bounces = verification->bounces[i];
        if (!verify_one(verification, spec, "", true, error))
            return false;
    }
    return verification->options.quick || verify_other_work(verification, spec, error);
}

// ---- the command line

static bool parse_bounces(const char *text, struct verification *verification, struct error *error)
{
    char *copy = memory_copy(text ? text : ""), *place = NULL;
    const struct parameter *row = parameter_find("max_bounces");
    bool done = true;
    for (char *word = strtok_r(copy, ",", &place); done && word; word = strtok_r(NULL, ",", &place)) {
        if (verification->bounce_count == MOST_BOUNCES)
            done = error_set(error, ERROR_USE, "--bounces: at most %d limits", MOST_BOUNCES);
        else
            done = parameter_parse(row, word, &verification->bounces[verification->bounce_count++], error);
    }
    free(copy);
    for (size_t i = 0; !text && i < sizeof standard_bounces / sizeof *standard_bounces; ++i)
        verification->bounces[verification->bounce_count++] = standard_bounces[i];
    return done && (verification->bounce_count || error_set(error, ERROR_USE, "--bounces: nothing is given"));
}

static bool parse_size(const char *text, struct verify_options *options, struct error *error)
{
    char rest;
    options->width = 64;
    options->height = 48;
    if (text && (sscanf(text, "%ux%u%c", &options->width, &options->height, &rest) != 2 || options->width < 1 ||
                 options->height < 1 || options->width > 16384 || options->height > 16384)) {
        error_set(error, ERROR_USE, "--size: '%s' is no size", text);
        return error_remedy(error, "write WIDTHxHEIGHT, such as 64x48");
    }
    return true;
}

static bool parse(const struct command_line *line, struct verification *verification, struct error *error)
{
    struct verify_options *options = &verification->options;
    const char *device = command_option(line, "device"), *against = command_option(line, "against"), *text;
    options->device = device && strcmp(device, "auto") ? device : device_auto();
    options->against = against && strcmp(against, "auto") ? against : options->device;
    options->quick = command_flag(line, "quick");
    long long limit;
    if (!command_integer(line, "time-limit", 0, 1000000, 60, &limit, error))
        return false;
    verification->time_limit = (unsigned)limit;
    options->variants = verification->variants;
    for (size_t place = 0; (text = command_next_option(line, "variant", &place));) {
        if (!variant_check(text, error))
            return false;
        verification->variants[options->variant_count++] = text;
    }
    return device_check_usable(options->device, error) && device_check_usable(options->against, error) &&
           parse_size(command_option(line, "size"), options, error) &&
           parse_bounces(command_option(line, "bounces"), verification, error);
}

static void print_variants(const struct verify_coverage *coverage)
{
    printf("\ncases");
    for (size_t i = 0; variant_table[i] && i < VERIFY_VARIANTS; ++i)
        if (coverage->variants[i].cases || coverage->variants[i].skipped)
            printf("  %s %u", variant_table[i]->name, coverage->variants[i].cases);
    putchar('\n');
}

static bool print_end(const struct verification *verification, const struct trial_spec *standard, struct error *error)
{
    const struct verify_tally *total = &verification->total;
    struct trial_spec spec = *standard;
    struct error incomplete = {0};
    snprintf(spec.device, sizeof spec.device, "%s", verification->options.device);
    print_variants(&verification->coverage);
    const bool complete = verify_complete(verification->executor, &verification->options, &spec,
                                          &verification->coverage, print_missed, NULL, &incomplete);
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
static bool wanted(const struct verify_options *options, const struct estimator *estimator)
{
    for (size_t i = 0; i < options->variant_count; ++i)
        if (variant_find(options->variants[i])->estimator == estimator)
            return true;
    return !options->variant_count;
}

static void print_heading(const struct verification *verification)
{
    const struct verify_options *options = &verification->options;
    printf("%ux%u on %s against each estimator's reference on %s\n\n%-16s %3s  %-22s %6s %8s %8s %7s  %-32s  %s\n",
           options->width, options->height, options->device, options->against, "scene", "B", "work", "cases",
           "formulas", "skipped", "FAILED", "image hash", "path hash");
    fflush(stdout);
}

// On the scenes that were named, or on its own.
static bool verify_estimator(struct verification *verification, struct trial_spec *spec,
                             const struct estimator *estimator, const struct command_line *line, struct error *error)
{
    verification->options.estimator = estimator;
    for (size_t i = 0; i < line->word_count; ++i)
        if (!verify_scene(verification, spec, line->words[i], error))
            return false;
    for (const char *const *scene = estimator->scenes; !line->word_count && *scene; ++scene)
        if (!verify_scene(verification, spec, *scene, error))
            return false;
    return true;
}

static bool verify_all(struct verification *verification, const struct command_line *line, struct error *error)
{
    struct trial_spec spec = {.parameters = parameters_default()};
    spec.parameters.width = verification->options.width;
    spec.parameters.height = verification->options.height;
    print_heading(verification);
    for (const struct estimator *const *row = estimator_table; *row; ++row)
        if (wanted(&verification->options, *row) && !verify_estimator(verification, &spec, *row, line, error))
            return false;
    return print_end(verification, &spec, error);
}

static bool run(const struct command_line *line, struct error *error)
{
    struct verification verification = {0};
    if (!parse(line, &verification, error))
        return false;
    progress_start(&verification.progress, 0, false);
    verification.report = (struct verify_report){&verification.coverage, print_failure, show_case, &verification};
    verification.executor = executor_create(error);
    if (verification.executor)
        executor_progress(verification.executor, show_building, &verification);
    const bool done = verification.executor && verify_all(&verification, line, error);
    executor_destroy(verification.executor);
    verify_coverage_finish(&verification.coverage);
    return done;
}

const struct command command_verify = {
    .name = "verify",
    .arguments = "[SCENE...] [OPTIONS]",
    .summary = "checks that all variants and settings give the same image, paths and counts, here or across devices",
    .details =
        "Every SCHEDULE, TREE and MACHINE parameter is set to each of its choices, one at a time, and those that need\n"
        "one another together. Warps are compared with their formulas. Scenes: the built-in ones unless some are "
        "named.\n"
        "Exit code 1 where anything differs, hangs, or never ran though it could have.",
    .options =
        {
            {COMMAND_OPTION_DEVICE},
            {"against", "DEVICE", "device of the reference; default the same", 0},
            {"size", "WxH", "image size; default 64x48", 0},
            {"bounces", "B,B,...", "bounce limits; default 2,8", 'b'},
            {"variant", "VARIANT", "only this one beside naive; may be repeated", 0},
            {"time-limit", "SECONDS", "ends with an error where a case takes longer; default 60, 0 = no limit", 0},
            {"quick", NULL, "default settings only", 'q'},
        },
    .most_words = 64,
    .run = run,
};
