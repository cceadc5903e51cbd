// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/run.h"
#include "commands/shared.h"
#include "commands/text_table.h"
#include "experiment/experiment.h"
#include "run/device_choice.h"
#include "run/blame.h"
#include "run/progress.h"
#include "run/tally.h"
#include "scene/scene_find.h"
#include "trial/execute.h"
#include "trial/variant.h"

// Seconds that executions of trials like one another took, by scene, variant, device and size; from the database.
struct experience {
    char scene[TRIAL_TEXT], variant[64], device[32];
    double seconds, paths; // mean of an attempt; extensions at most per frame
};

struct planning {
    const struct experiment *experiment;
    bool several; // the first column names the experiment
    struct text_table table;
    int64_t shown, limit, executions, known;
    struct experience *experience;
    size_t experience_count;
    double seconds;
    struct executor *executor; // opens devices, to ask what they can do
    char usable[32];           // the device asked about last ...
    bool is_usable;            // ... and whether it is there
    bool unknown;              // for some rows there was no device to ask
    struct tally skips;
    char (*scenes)[TRIAL_TEXT]; // found already
    size_t scene_count;
    struct error *error; // of a row that cannot be
    bool failed;
};

static const double emulator_rate = 0.4e6; // extensions a second and core, counted: the rule without experience
static const double gpu_rate = 500e6;

static double extensions(const struct parameters *parameters)
{
    // Of a path's bounces about three are executed on average.
    const double bounces = parameters->max_bounces < 3 ? (double)parameters->max_bounces + 1 : 4;
    return (double)parameters->width * (double)parameters->height * (double)parameters->spp * bounces;
}

static double guess(const struct planning *planning, const struct trial_spec *spec, bool *known)
{
    for (size_t i = 0; i < planning->experience_count; ++i) {
        const struct experience *row = &planning->experience[i];
        *known = !strcmp(row->scene, spec->scene) && !strcmp(row->variant, spec->variant) &&
                 !strcmp(row->device, spec->device);
        if (*known)
            return row->seconds * extensions(&spec->parameters) / row->paths;
    }
    const double rate = strcmp(spec->device, "emulator") ? gpu_rate : emulator_rate * 2;
    return 0.05 + extensions(&spec->parameters) / rate;
}

static void format_collections(uint32_t bits, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind)
        if (bits >> kind & 1 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", collection_names[kind]);
}

// The parameters that differ from their default and that the variant heeds.
static void format_settings(const struct trial_spec *spec, char *text, size_t size)
{
    const struct parameters standard = parameters_default();
    const struct variant *variant = variant_find(spec->variant);
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *row = &parameter_table[i];
        const int64_t value = parameter_get(&spec->parameters, row);
        char one[64];
        if (value == parameter_get(&standard, row) || (variant && !variant_uses(variant, row)) || used >= size)
            continue;
        parameter_format(row, value, one, sizeof one);
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used ? " " : "", row->name, one);
    }
}

static bool is_found(const struct planning *planning, const char *scene)
{
    for (size_t i = 0; i < planning->scene_count; ++i)
        if (!strcmp(planning->scenes[i], scene))
            return true;
    return false;
}

// The name must be a scene's; nothing is built.
static bool check_scene(struct planning *planning, const struct trial_spec *spec)
{
    char path[4096];
    struct error *error = planning->error;
    if (is_found(planning, spec->scene))
        return true;
    bool found = scene_find(spec->scene, path, sizeof path, error);
    if (found && access(path, R_OK))
        found = error_set_errno(error, "open the scene", path);
    if (!found) {
        blame_axis(planning->experiment, "scene", spec->scene, error);
        return false;
    }
    char(*more)[TRIAL_TEXT] = realloc(planning->scenes, (planning->scene_count + 1) * sizeof *more);
    if (!more)
        return error_set(error, ERROR_SYSTEM, "no memory left");
    planning->scenes = more;
    snprintf(more[planning->scene_count++], TRIAL_TEXT, "%s", spec->scene);
    return true;
}

// What a device says of the row without building anything. NULL where there is no such device here, or the reason of a
// skip is in `reason`.
static const struct device_properties *ask_device(struct planning *planning, const struct trial_spec *spec,
                                                  char *reason, size_t size)
{
    struct error error = {0};
    if (strcmp(planning->usable, spec->device)) {
        snprintf(planning->usable, sizeof planning->usable, "%s", spec->device);
        planning->is_usable = device_check_usable(spec->device, &error);
    }
    const struct device_properties *properties =
        planning->is_usable ? execute_device(planning->executor, spec, &error) : NULL;
    if (!properties && error.kind == ERROR_UNSUPPORTED)
        snprintf(reason, size, "%.600s", error.message);
    else if (!properties)
        planning->unknown = true;
    return properties;
}

// Why the row would be a skip; "" where it would run.
static void find_skip(struct planning *planning, const struct trial_spec *spec, char *reason, size_t size)
{
    char why[512] = "";
    const struct variant *variant = variant_find(spec->variant);
    reason[0] = 0;
    const struct device_properties *properties = ask_device(planning, spec, reason, size);
    if (!properties || !variant)
        return;
    if (spec->parameters.block > properties->max_block)
        snprintf(reason, size, "block: %lld lanes are more than the %u that %s allows",
                 (long long)spec->parameters.block, properties->max_block, properties->name);
    else if (variant->supports && !variant->supports(&spec->parameters, properties, why, sizeof why))
        snprintf(reason, size, "%s: %s", variant->name, why[0] ? why : "not supported so");
}

static void count_skip(struct planning *planning, const struct plan_row *row, const char *reason, int kind)
{
    char example[288];
    snprintf(example, sizeof example, "%s: %s on %.60s, trial %lld of this plan", collection_names[kind],
             row->spec.variant, row->spec.scene, (long long)row->ordinal);
    tally_add(&planning->skips, ATTEMPT_SKIPPED, reason, example);
}

static void add_row(struct planning *planning, const struct plan_row *row)
{
    char ordinal[32], replicate[32], collections[96], settings[512];
    snprintf(ordinal, sizeof ordinal, "%lld", (long long)row->ordinal);
    snprintf(replicate, sizeof replicate, "%d", row->replicate);
    format_collections(row->collections, collections, sizeof collections);
    format_settings(&row->spec, settings, sizeof settings);
    const char *const cells[] = {planning->experiment->name, ordinal,          replicate,   row->spec.scene,
                                 row->spec.variant,          row->spec.device, collections, settings};
    text_table_row(&planning->table, cells + !planning->several);
}

static bool visit(void *context, const struct plan_row *row)
{
    struct planning *planning = context;
    char reason[640];
    bool known = false;
    if (!check_scene(planning, &row->spec)) {
        planning->failed = true;
        return false;
    }
    find_skip(planning, &row->spec, reason, sizeof reason);
    const double once = guess(planning, &row->spec, &known);
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind) {
        if (!(row->collections >> kind & 1))
            continue;
        if (reason[0]) {
            count_skip(planning, row, reason, kind);
            continue;
        }
        const bool repeats =
            (kind == COLLECTION_FRAME || kind == COLLECTION_LAUNCHES) && device_has_clock(row->spec.device);
        planning->seconds += repeats ? planning->experiment->max_seconds : once;
        planning->executions += 1;
        planning->known += known;
    }
    if (planning->shown++ < planning->limit)
        add_row(planning, row);
    return true;
}

static bool add_experience(void *context, const struct store_row *row)
{
    struct planning *planning = context;
    struct experience *more = realloc(planning->experience, (planning->experience_count + 1) * sizeof *more);
    if (more)
        planning->experience = more;
    if (!more || row->count < 5)
        return false;
    struct experience *one = &more[planning->experience_count];
    *one = (struct experience){.seconds = row->values[3].real, .paths = row->values[4].real};
    if (row->values[0].text && row->values[1].text && row->values[2].text && one->paths > 0) {
        snprintf(one->scene, sizeof one->scene, "%s", row->values[0].text);
        snprintf(one->variant, sizeof one->variant, "%s", row->values[1].text);
        snprintf(one->device, sizeof one->device, "%s", row->values[2].text);
        planning->experience_count += 1;
    }
    return true;
}

// Best effort: where there is no database yet, the rule must do.
static void recall(const struct command_line *line, struct planning *planning)
{
    struct error ignored = {0};
    struct store *store = command_open_store(line, STORE_READ, &ignored);
    if (store)
        store_query(store,
                    "SELECT t.scene, t.variant, t.device, avg(0.05 + r.host_seconds), "
                    "avg(1.0 * t.width * t.height * t.spp * min(t.max_bounces + 1, 4)) "
                    "FROM trial_record t JOIN attempt a ON a.trial = t.id JOIN repetition r ON r.attempt = a.id "
                    "WHERE a.status = 'done' GROUP BY t.scene, t.variant, t.device",
                    NULL, add_experience, planning, &ignored);
    store_close(store);
}

static void print_clauses(const struct plan_summary *summary, const struct experiment *experiment)
{
    printf("%s: %lld points in the product\n", experiment->name, (long long)summary->product);
    for (size_t i = 0; i < summary->clause_count; ++i)
        printf("  line %d removes %lld: %s\n", summary->clauses[i].line, (long long)summary->clauses[i].removed,
               summary->clauses[i].expression);
    if (summary->collapsed)
        printf("  %lld fall together with others, since their variants ignore what differs\n",
               (long long)summary->collapsed);
    printf("  %lld points, %lld trials with replicates\n", (long long)summary->points, (long long)summary->trials);
}

static void print_estimate(const struct planning *planning)
{
    char duration[32];
    progress_duration(planning->seconds, duration, sizeof duration);
    printf("%lld executions; about %s if none is done yet (%s)\n", (long long)planning->executions, duration,
           !planning->known                          ? "by rule: nothing like them is stored"
           : planning->known == planning->executions ? "from stored executions like them"
                                                     : "partly from stored executions, partly by rule");
    if (planning->skips.skipped)
        printf("%lld more are skipped as unsupported\n", (long long)planning->skips.skipped);
    tally_print_skips(&planning->skips, stdout);
    if (planning->unknown)
        printf("some are for a device that cannot be used here: what it does not support is not known\n");
}

static void begin_table(struct planning *planning)
{
    static const char *const head[] = {"experiment", "order",  "replicate", "scene",
                                       "variant",    "device", "collect",   "settings"};
    const size_t columns = sizeof head / sizeof *head - !planning->several;
    text_table_finish(&planning->table);
    text_table_begin(&planning->table, columns, head + !planning->several);
    planning->shown = 0;
}

// One experiment; of several, csv and json are one table.
static bool plan(struct planning *planning, struct store *store, enum text_format format, struct error *error)
{
    struct plan_summary summary;
    if (format == TEXT_TABLE)
        begin_table(planning);
    if (!store_plan(store, planning->experiment, device_auto(), &summary, error) ||
        !store_plan_rows(store, visit, planning, error) || planning->failed)
        return false;
    if (format != TEXT_TABLE)
        return true;
    print_clauses(&summary, planning->experiment);
    putchar('\n');
    if (!text_table_print(&planning->table, format, stdout, error))
        return false;
    if (planning->shown > planning->limit)
        printf("... and %lld more (--rows N shows N)\n", (long long)(planning->shown - planning->limit));
    putchar('\n');
    return true;
}

static bool plan_all(struct planning *planning, const struct experiment_list *list, struct store *store,
                     enum text_format format, struct error *error)
{
    planning->several = list->count > 1;
    begin_table(planning);
    for (size_t i = 0; i < list->count; ++i) {
        planning->experiment = list->items[i];
        if (!plan(planning, store, format, error))
            return false;
    }
    if (format != TEXT_TABLE)
        return text_table_print(&planning->table, format, stdout, error);
    print_estimate(planning);
    return true;
}

static bool run(const struct command_line *line, struct error *error)
{
    struct run_options options;
    const char *sets[COMMAND_VALUES];
    enum text_format format;
    long long limit;
    if (!command_run_options(line, &options, sets, error) ||
        !text_format_parse(command_option(line, "format"), &format, error) ||
        !command_integer(line, "rows", 0, 1000000000, format == TEXT_TABLE ? 12 : 1000000000, &limit, error))
        return false;
    struct experiment_list list = {0};
    struct planning planning = {.limit = limit, .error = error};
    bool done = coordinator_load(&options, &list, error);
    struct store *store = done ? store_open("", STORE_MEMORY, error) : NULL;
    done = store && (planning.executor = executor_create(error));
    if (done) {
        recall(line, &planning);
        done = plan_all(&planning, &list, store, format, error);
    }
    text_table_finish(&planning.table);
    executor_destroy(planning.executor);
    free(planning.experience);
    free(planning.scenes);
    store_close(store);
    experiment_list_finish(&list);
    return done;
}

static const struct command_option options[] = {
    COMMAND_OPTION_DB,
    {"device", "DEVICE", "instead of the experiment's", 'd'},
    {"set", "NAME=VALUES", "replaces an axis or a setting of the experiment; may be repeated", 's'},
    {"rows", "N", "how many trials to print; default 12, all in csv and json", 'n'},
    COMMAND_OPTION_FORMAT,
    COMMAND_OPTIONS_END,
};

const struct command command_plan = {
    .name = "plan",
    .arguments = "EXPERIMENT.yaml ... [OPTIONS]",
    .summary = "shows what experiments would run, and about how long it would take; runs nothing",
    .options = options,
    .least_words = 1,
    .most_words = COMMAND_VALUES,
    .run = run,
};
