// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "commands/plan_demand.h"
#include "plan/due.h"
#include "commands/plan_scenes.h"
#include "commands/run.h"
#include "commands/shared.h"
#include "commands/text_table.h"
#include "plan/experiment.h"
#include "plan/device_choice.h"
#include "plan/error_line.h"
#include "plan/overrides.h"
#include "plan/plan.h"
#include "run/tally.h"
#include "scene/scene_read.h"
#include "scene/scene_find.h"
#include "trial/executor.h"
#include "frame/variant.h"

struct found_scene {
    char name[TRIAL_TEXT], (*cameras)[64]; // without cameras: a packed scene, which is not read
    size_t camera_count;
};

struct planning {
    const struct experiment *experiment;
    struct keys_terms terms; // of it
    bool several;            // the first column names the experiment
    struct text_table table;
    int64_t shown, limit; // limit -1: the default
    struct demands demands;
    struct due *due;           // NULL: everything is planned, whether it has a result or not
    struct executor *executor; // opens devices, to ask what they can do
    char usable[32];           // the device asked about last ...
    bool is_usable;            // ... and whether it is there
    bool unknown;              // for some rows there was no device to ask
    struct tally skips;
    bool build_scenes;
    struct built_scenes built;
    struct found_scene *scenes;
    size_t scene_count;
    struct error *error; // of a row that cannot be
    bool failed;
};

// ---- scenes

// The name must be a scene's; nothing is built. NULL and an error where it is none.
static const struct found_scene *find_scene(struct planning *planning, const char *name)
{
    char path[4096];
    struct scene_file file = {0};
    for (size_t i = 0; i < planning->scene_count; ++i)
        if (!strcmp(planning->scenes[i].name, name))
            return &planning->scenes[i];
    bool found = scene_find(name, path, sizeof path, planning->error);
    if (found && access(path, R_OK))
        found = error_set_errno(planning->error, "open the scene", path);
    found = found && (scene_is_packed(path) || scene_file_read(&file, path, planning->error));
    struct found_scene *scene = found ? ARRAY_ADD(planning->scenes, planning->scene_count) : NULL;
    if (scene)
        snprintf(scene->name, sizeof scene->name, "%s", name);
    else
        error_line_axis(planning->experiment, "scene", name, planning->error);
    for (uint32_t i = 0; scene && i < file.camera_count; ++i)
        snprintf(*ARRAY_ADD(scene->cameras, scene->camera_count), sizeof *scene->cameras, "%s", file.cameras[i].name);
    scene_file_finish(&file);
    return scene;
}

// Refuses a camera that the scene does not have, as `run` does. The first one becomes "", as what is done is stored.
static bool check_camera(struct planning *planning, const struct found_scene *scene, struct trial_spec *spec)
{
    size_t i = 0;
    while (i < scene->camera_count && strcmp(scene->cameras[i], spec->camera))
        ++i;
    if (scene->camera_count && i == 0)
        spec->camera[0] = 0;
    if (!spec->camera[0] || i < scene->camera_count || !scene->camera_count)
        return true;
    error_set(planning->error, ERROR_USE, "scene %s has no camera \"%.60s\"", scene->name, spec->camera);
    error_remedy(planning->error, "`warpstudy scene info %s` lists those it has", scene->name);
    error_line_scene(planning->experiment, spec, planning->error);
    return false;
}

// ---- rows

static void format_collections(uint32_t bits, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind)
        if (bits >> kind & 1 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", collection_names[kind]);
}

// The camera, and the parameters that differ from their default and that the variant uses. To be freed.
static char *format_settings(const struct trial_spec *spec)
{
    const struct parameters standard = parameters_default();
    const struct variant *variant = variant_find(spec->variant);
    char *text;
    size_t size;
    FILE *stream = memory_stream(&text, &size);
    const char *gap = spec->camera[0] ? " " : "";
    if (spec->camera[0])
        fprintf(stream, "camera=%s", spec->camera);
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *row = &parameter_table[i];
        const int64_t value = parameter_get(&spec->parameters, row);
        char one[64];
        if (value == parameter_get(&standard, row) || (variant && !variant_uses(variant, row)))
            continue;
        parameter_format(row, value, one, sizeof one);
        fprintf(stream, "%s%s=%s", gap, row->name, one);
        gap = " ";
    }
    memory_close(stream);
    return text;
}

// Why the row would be a skip, as its device says without building anything; "" where it would run, or there is no such
// device here.
static void find_skip(struct planning *planning, const struct trial_spec *spec, char *reason, size_t size)
{
    struct error error = {0};
    if (strcmp(planning->usable, spec->device)) {
        snprintf(planning->usable, sizeof planning->usable, "%s", spec->device);
        planning->is_usable = device_check_usable(spec->device, &error);
    }
    const struct device_properties *properties =
        planning->is_usable ? execute_device(planning->executor, spec, &error) : NULL;
    if (properties)
        executor_variant(properties, spec, &error);
    planning->unknown |= !properties && error.kind != ERROR_UNSUPPORTED;
    snprintf(reason, size, "%.600s", error.kind == ERROR_UNSUPPORTED ? error.message : "");
}

static void count_skip(struct planning *planning, const struct trial_row *row, const char *reason, int kind)
{
    char example[288];
    snprintf(example, sizeof example, "%s: %s on %.60s, trial %lld of this plan", collection_names[kind],
             row->spec.variant, row->spec.scene, (long long)row->ordinal);
    tally_add(&planning->skips, ATTEMPT_SKIPPED, reason, example);
}

static void add_row(struct planning *planning, const struct trial_row *row)
{
    char collections[96], *settings = format_settings(&row->spec);
    format_collections(row->collections, collections, sizeof collections);
    if (planning->several)
        text_table_add(&planning->table, "%s", planning->experiment->name);
    text_table_add(&planning->table, "%lld\t%d\t%s\t%s\t%s\t%s\t%s", (long long)row->ordinal, row->replicate,
                   row->spec.scene, row->spec.variant, row->spec.device, collections, settings);
    free(settings);
}

// Takes the collection off a row that has a result of it.
static bool leave_due(struct planning *planning, struct trial_row *row, enum collection kind)
{
    bool missing;
    char *made_by = keys_terms_words(&planning->terms, row->spec.device, kind);
    planning->failed = !due_add(planning->due, row, kind, made_by, &missing, planning->error);
    free(made_by);
    if (!planning->failed && !missing)
        row->collections &= ~(1u << kind);
    return !planning->failed;
}

static bool plan_visit(void *context, const struct trial_row *planned)
{
    struct planning *planning = context;
    const struct found_scene *scene = find_scene(planning, planned->spec.scene);
    struct trial_row row = *planned;
    char reason[640];
    planning->failed = !scene || !check_camera(planning, scene, &row.spec) ||
                       (planning->build_scenes && !built_scenes_add(&planning->built, &row.spec, planning->error));
    if (planning->failed)
        return false;
    find_skip(planning, &row.spec, reason, sizeof reason);
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind) {
        if (!(row.collections >> kind & 1))
            continue;
        if (reason[0])
            count_skip(planning, &row, reason, kind);
        else if (!planning->due)
            demands_add(&planning->demands, planning->experiment, &planning->terms, &row, (enum collection)kind);
        else if (!leave_due(planning, &row, (enum collection)kind))
            return false;
    }
    if ((!planning->due || (row.collections && !reason[0])) && planning->shown++ < planning->limit)
        add_row(planning, &row);
    return true;
}

static void print_clauses(const struct plan_summary *summary, const struct experiment *experiment, bool brief)
{
    if (brief) {
        printf("%s: %lld points, %lld trials with replicates\n", experiment->name, (long long)summary->points,
               (long long)summary->trials);
        return;
    }
    printf("%s: %lld points in the product\n", experiment->name, (long long)summary->product);
    if (summary->repeated)
        printf("  values listed again are left out: %lld\n", (long long)summary->repeated);
    for (size_t i = 0; i < summary->clause_count; ++i) {
        printf("  line %d removes %lld: ", summary->clauses[i].line, (long long)summary->clauses[i].removed);
        utf8_print(summary->clauses[i].expression, stdout);
        putchar('\n');
    }
    if (summary->collapsed)
        printf("  %lld are merged with others, because their variants ignore the differences\n",
               (long long)summary->collapsed);
    printf("  %lld points, %lld trials with replicates\n", (long long)summary->points, (long long)summary->trials);
}

static void begin_table(struct planning *planning)
{
    text_table_finish(&planning->table);
    planning->table.columns = planning->several ? 8 : 7;
    if (planning->several)
        text_table_add(&planning->table, "experiment");
    text_table_add(&planning->table, "order\treplicate\tscene\tvariant\tdevice\tcollect\tsettings");
    planning->shown = 0;
}

// One experiment; of several, csv and json are one table.
static bool plan_one(struct planning *planning, enum text_format format, struct error *error)
{
    struct plan_summary summary;
    if (format == TEXT_TABLE)
        begin_table(planning);
    keys_terms_finish(&planning->terms);
    keys_terms_make(planning->experiment, &planning->terms);
    struct plan *plan = plan_make(planning->experiment, device_auto(), NULL, &summary, error);
    const bool done = plan && plan_rows(plan, plan_visit, planning, error) && !planning->failed;
    plan_close(plan);
    if (!done)
        return false;
    if (format != TEXT_TABLE)
        return true;
    print_clauses(&summary, planning->experiment, planning->limit == 0);
    if (planning->limit == 0)
        return true;
    putchar('\n');
    if (planning->due && !planning->shown)
        return true;
    text_table_print(&planning->table, format);
    if (planning->shown > planning->limit)
        printf("... and %lld more (--rows N shows N)\n", (long long)(planning->shown - planning->limit));
    putchar('\n');
    return true;
}

static void print_end(const struct planning *planning)
{
    if (!planning->due)
        demands_print(&planning->demands);
    if (planning->skips.skipped)
        printf("%lld more are skipped as unsupported\n", (long long)planning->skips.skipped);
    tally_print_skips(&planning->skips, stdout);
    if (planning->unknown && !planning->due)
        printf("some devices cannot be used here: trials that they would skip as unsupported are included\n");
    if (planning->due)
        due_print(planning->due);
}

static bool plan_all(struct planning *planning, const struct experiment_list *list, enum text_format format,
                     struct error *error)
{
    planning->several = list->count > 1;
    if (planning->limit < 0)
        planning->limit = planning->several && !planning->due ? 0 : 12;
    begin_table(planning);
    for (size_t i = 0; i < list->count; ++i) {
        planning->experiment = list->items[i];
        if (!plan_one(planning, format, error))
            return false;
    }
    if (format == TEXT_TABLE && !planning->limit)
        printf("(--rows N shows N trials of each, and how they come about)\n\n");
    if (format == TEXT_TABLE)
        print_end(planning);
    else
        text_table_print(&planning->table, format);
    return true;
}

static bool plan_run(const struct command_line *line, struct error *error)
{
    struct run_options options;
    const char *sets[COMMAND_VALUES];
    const enum text_format format = (enum text_format)command_choice(line, "format");
    long long limit;
    if (!command_run_options(line, &options, sets, error) ||
        !command_integer(line, "rows", 0, 1000000000, format == TEXT_TABLE ? -1 : 1000000000, &limit, error))
        return false;
    struct experiment_list list = {0};
    struct planning planning = {.executor = executor_create(),
                                .limit = limit,
                                .build_scenes = command_flag(line, "build-scenes"),
                                .error = error};
    struct due due = {0};
    bool done = experiments_load(&options, &list, error);
    planning.due = command_flag(line, "due") ? &due : NULL;
    done =
        done &&
        (planning.due ? due_open(&due, command_database(line), error) : demands_open(&planning.demands, line, error)) &&
        plan_all(&planning, &list, format, error) && (!planning.due || due_check(&due, command_database(line), error));
    if (done && format == TEXT_TABLE && !planning.due) {
        printf("next: ");
        command_print(line, command_find("run"), stdout);
        putchar('\n');
    }
    due_close(&due);
    demands_close(&planning.demands);
    keys_terms_finish(&planning.terms);
    text_table_finish(&planning.table);
    executor_destroy(planning.executor);
    for (size_t i = 0; i < planning.scene_count; ++i)
        free(planning.scenes[i].cameras);
    free(planning.scenes);
    built_scenes_finish(&planning.built);
    experiment_list_finish(&list);
    return done;
}

const struct command command_plan = {
    .name = "plan",
    .arguments = "EXPERIMENT.yaml ... [OPTIONS]",
    .summary = "shows what experiments would run and how long that would take; runs nothing",
    .details =
        "The estimate uses past executions in the database: of the same settings if there are any, else of the most\n"
        "similar ones on the same kind of device. Without any, it is a range from a rule of thumb.\n"
        "--due needs no device. It accepts results from any model of the device and any version of the kernels.",
    .options =
        {
            {COMMAND_OPTION_DB},
            {"times", "FILE", "database with past times for the estimate; default: that of --db", 0},
            {"device", "DEVICE", "device to use instead of the experiment's", 'd'},
            {"set", "NAME=VALUES", "replaces a parameter or a setting of the experiment; may be repeated", 's'},
            {"due", NULL, "show only trials without a result in the database; exit code 1 if there are any", 0},
            {"build-scenes", NULL, "build the scenes that are not in the cache yet", 0},
            {"shared-device", NULL, "plan for a run with --shared-device", 0},
            {"rows", "N",
             "number of trials to print; default 12, none of several experiments without --due, all in csv and json",
             'n'},
            {COMMAND_OPTION_FORMAT},
        },
    .least_words = 1,
    .most_words = COMMAND_VALUES,
    .run = plan_run,
};
