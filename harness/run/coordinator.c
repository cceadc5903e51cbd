// SPDX-License-Identifier: MIT
#include "run/coordinator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/device_choice.h"
#include "run/environment.h"
#include "run/interrupt.h"
#include "run/overrides.h"
#include "run/sweep.h"

bool coordinator_parse_until(const char *text, time_t *until, struct error *error)
{
    int hours, minutes;
    char rest;
    if (sscanf(text, "%2d:%2d%c", &hours, &minutes, &rest) != 2 || hours < 0 || hours > 23 || minutes < 0 ||
        minutes > 59) {
        error_set(error, ERROR_USE, "--until: '%s' is no time of day", text);
        return error_remedy(error, "write HH:MM, such as 07:00");
    }
    const time_t now = time(NULL);
    struct tm day;
    localtime_r(&now, &day);
    day.tm_hour = hours;
    day.tm_min = minutes;
    day.tm_sec = 0;
    *until = mktime(&day);
    if (*until <= now) {
        day.tm_mday += 1;
        *until = mktime(&day);
    }
    return true;
}

static bool override(struct experiment *experiment, const struct run_options *options, struct error *error)
{
    for (size_t i = 0; i < options->set_count; ++i)
        if (!override_experiment(experiment, options->sets[i], error))
            return false;
    if (!options->device)
        return true;
    char text[96];
    snprintf(text, sizeof text, "device=%.80s", options->device);
    return override_experiment(experiment, text, error);
}

bool coordinator_place_axis(const struct experiment *experiment, const char *axis, const char *text,
                            struct error *error)
{
    for (size_t i = 0; i < experiment->axis_count; ++i)
        for (size_t j = 0; !strcmp(experiment->axes[i].name, axis) && j < experiment->axes[i].count; ++j)
            if (!strcmp(experiment->axes[i].values[j].text, text) && experiment->axes[i].values[j].line > 0) {
                snprintf(error->file, sizeof error->file, "%s", experiment->path);
                error->line = experiment->axes[i].values[j].line;
                return true;
            }
    return false;
}

void coordinator_place_scene(const struct experiment *experiment, const struct trial_spec *spec, struct error *error)
{
    if (!error->file[0] && error->kind == ERROR_USE &&
        !(spec->camera[0] && coordinator_place_axis(experiment, "camera", spec->camera, error)))
        coordinator_place_axis(experiment, "scene", spec->scene, error);
}

struct experiment *coordinator_load(const struct run_options *options, struct error *error)
{
    struct experiment *experiment = experiment_load(options->experiment, error);
    if (experiment && !override(experiment, options, error)) {
        experiment_free(experiment);
        return NULL;
    }
    return experiment;
}

static void print_size(int64_t bytes, char *text, size_t size)
{
    snprintf(text, size, bytes < 10 << 20 ? "%.2f MiB" : "%.0f MiB", (double)bytes / (1 << 20));
}

// Another program may hold the database for long, and no measurement shall be lost for that.
static bool wait_for_database(void *context, double seconds, const char *holder)
{
    struct sweep *sweep = context;
    if (interrupt_count() >= 2)
        return false;
    if (seconds < 1)
        sweep->said_waiting = false;
    if (seconds >= 1 && !sweep->said_waiting) {
        sweep->said_waiting = true;
        progress_clear(&sweep->progress);
        fprintf(stderr, "waiting for the database, which %s holds; Ctrl-C twice gives up\n",
                holder[0] ? holder : "another program");
    }
    return true;
}

static bool check_space(const struct sweep *sweep, int64_t trials, struct error *error)
{
    int64_t needed, available;
    if (!store_space(sweep->store, trials, &needed, &available, error))
        return false;
    if (needed <= available)
        return true;
    char wanted[32], there[32];
    print_size(needed, wanted, sizeof wanted);
    print_size(available, there, sizeof there);
    error_set(error, ERROR_SYSTEM, "%s: this sweep will need about %s, and the disk has %s", store_path(sweep->store),
              wanted, there);
    return error_remedy(error, "free some space, or choose another place with --db");
}

static bool take_count(void *context, const struct store_row *row)
{
    *(int64_t *)context = row->values[0].integer;
    return false;
}

// Before anything is written: trials of the plan, less those that runs of this experiment have stored. What of these is
// due again, since a kernel or a scene has changed, shows later only.
static bool check_space_early(const struct sweep *sweep, struct error *error)
{
    int64_t stored = 0;
    const char *const bindings[] = {"name", sweep->experiment->name, NULL};
    if (!store_query(sweep->store,
                     "SELECT count(DISTINCT l.trial) FROM run_trial l JOIN run r ON r.id = l.run "
                     "JOIN experiment e ON e.id = r.experiment JOIN attempt a ON a.trial = l.trial "
                     "WHERE e.name = :name AND a.status = 'done'",
                     bindings, take_count, &stored, error))
        return false;
    const int64_t planned = (int64_t)sweep->count;
    return check_space(sweep, stored < planned ? planned - stored : 0, error);
}

static int64_t due_trials(const struct sweep *sweep)
{
    int64_t count = 0;
    for (size_t i = 0; i < sweep->count; ++i)
        count += sweep->rows[i].due != 0;
    return count;
}

// Runs what is due, in the plan's order. *reason: why it ended.
static bool work(struct sweep *sweep, time_t until, const char **reason, struct error *error)
{
    *reason = "complete";
    for (size_t i = 0; i < sweep->count; ++i) {
        if (!sweep->rows[i].due)
            continue;
        if (interrupt_count())
            *reason = "interrupted";
        else if (until && time(NULL) >= until)
            *reason = "until";
        if (strcmp(*reason, "complete"))
            break;
        if (!sweep_execute(sweep, &sweep->rows[i], error)) {
            *reason = error->kind == ERROR_INTERRUPTED ? "interrupted" : "error";
            break;
        }
    }
    progress_clear(&sweep->progress);
    return error->kind == ERROR_NONE;
}

static void print_quoted(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    if (text[0] && !text[strspn(text, plain)]) {
        printf(" %s", text);
        return;
    }
    fputs(" '", stdout);
    for (; *text; ++text)
        *text == '\'' ? fputs("'\\''", stdout) : putchar(*text);
    putchar('\'');
}

static void print_option(const char *option, const char *value)
{
    if (!value)
        return;
    printf(" %s", option);
    print_quoted(value);
}

// What to type next.
static void print_next(const struct sweep *sweep, const struct run_options *options, const char *reason)
{
    const struct tally *tally = &sweep->tally;
    const int64_t before = tally->settled - tally->skipped_before - tally->failed_before;
    if (tally->left || !strcmp(reason, "error") || !strcmp(reason, "interrupted")) {
        printf("  next     the same command again goes on where this one stopped\n");
    } else if (tally->failed + tally->failed_before) {
        printf("  next     warpstudy status");
        print_option("--db", options->database);
        printf(", then warpstudy run --retry-failed");
        print_option("--db", options->database);
        print_option("--device", options->device);
        for (size_t i = 0; i < options->set_count; ++i)
            print_option("--set", options->sets[i]);
        print_quoted(options->experiment);
        putchar('\n');
    } else {
        printf("  next     warpstudy %s", tally->done + before ? "report" : "status");
        print_option("--db", options->database);
        putchar('\n');
    }
}

static void print_summary(const struct sweep *sweep, const struct run_options *options, const char *reason,
                          double seconds)
{
    char took[32], busy[32], date[64];
    const time_t now = time(NULL);
    struct tm local;
    strftime(date, sizeof date, "%Y-%m-%d %H:%M", localtime_r(&now, &local));
    progress_duration(seconds, took, sizeof took);
    progress_duration(sweep->tally.busy_seconds, busy, sizeof busy);
    printf("%s: run %lld %s at %s after %s (%s in workers)\n", sweep->experiment->name, (long long)sweep->run,
           !strcmp(reason, "complete") ? "complete"
           : !strcmp(reason, "until")  ? "stopped by the clock"
                                       : reason,
           date, took, busy);
    tally_print(&sweep->tally, stdout);
    printf("  database %s\n", store_path(sweep->store));
    print_next(sweep, options, reason);
}

static bool begin_run(struct sweep *sweep, const struct run_options *options, struct error *error)
{
    struct run_environment environment;
    environment_collect(&environment);
    const struct run_header header = {.label = options->label ? options->label : "",
                                      .command_line = options->command_line,
                                      .experiment = sweep->experiment,
                                      .environment = environment.pairs};
    return store_begin_run(sweep->store, &header, &sweep->run, error);
}

static bool verdict(const struct sweep *sweep, const char *reason, struct error *error)
{
    if (error->kind != ERROR_NONE)
        return false;
    if (!strcmp(reason, "interrupted"))
        return error_set(error, ERROR_INTERRUPTED, "interrupted; %lld executions are left",
                         (long long)sweep->tally.left);
    if (sweep->tally.failed)
        return error_set(error, ERROR_FAILED, "%lld executions failed; their causes are stored",
                         (long long)sweep->tally.failed);
    if (sweep->tally.failed_before)
        return error_set(error, ERROR_FAILED, "%lld executions failed in an earlier run",
                         (long long)sweep->tally.failed_before);
    return true;
}

// From here on a run is recorded: it is ended, and summed up, whatever comes.
static bool run_recorded(struct sweep *sweep, const struct run_options *options, double started, struct error *error)
{
    const char *reason = "error";
    if (sweep_find_due(sweep, error) && check_space(sweep, due_trials(sweep), error)) {
        progress_start(&sweep->progress, sweep->tally.left, options->quiet);
        work(sweep, options->until, &reason, error);
    } else if (error->kind == ERROR_INTERRUPTED) {
        reason = "interrupted";
    }
    if (error->kind == ERROR_SYSTEM && interrupt_count() >= 2) {
        error_set(error, ERROR_INTERRUPTED, "interrupted while it waited for the database");
        reason = "interrupted";
    }
    struct error ending = {0};
    if (!store_end_run(sweep->store, sweep->run, reason, &ending) && error->kind == ERROR_NONE)
        *error = ending;
    print_summary(sweep, options, reason, progress_now() - started);
    return verdict(sweep, reason, error);
}

static bool check_devices(const struct sweep *sweep, struct error *error)
{
    const char *last = "";
    for (size_t i = 0; i < sweep->count; ++i) {
        const char *device = sweep->rows[i].plan.spec.device;
        if (strcmp(device, last) && !device_check_usable(device, error)) {
            coordinator_place_axis(sweep->experiment, "device", device, error);
            return false;
        }
        last = device;
    }
    return true;
}

static bool run_sweep(struct sweep *sweep, const struct run_options *options, struct error *error)
{
    const double started = progress_now();
    struct plan_summary summary;
    int64_t abandoned;
    if (!store_plan(sweep->store, sweep->experiment, device_auto(), &summary, error) || !sweep_collect(sweep, error) ||
        !check_devices(sweep, error))
        return false;
    progress_start(&sweep->progress, 0, options->quiet);
    if (!sweep_check_scenes(sweep, error) || !store_recover(sweep->store, &abandoned, error))
        return false;
    if (abandoned && !options->quiet)
        fprintf(stderr, "%lld executions that an earlier run left half-done are due again\n", (long long)abandoned);
    return check_space_early(sweep, error) && begin_run(sweep, options, error) &&
           run_recorded(sweep, options, started, error);
}

bool coordinator_run(const struct run_options *options, struct error *error)
{
    char path[4096];
    struct experiment *experiment = coordinator_load(options, error);
    if (!experiment)
        return false;
    store_default_path(path, sizeof path);
    interrupt_install();
    struct sweep sweep = {
        .experiment = experiment, .policy = keys_policy(experiment), .retry_failed = options->retry_failed};
    sweep.store = store_open(options->database ? options->database : path, STORE_WRITE, error);
    bool done =
        sweep.store && store_lock(sweep.store, error) && (sweep.keys = keys_create(&sweep.workers, experiment, error));
    if (done) {
        store_wait(sweep.store, wait_for_database, &sweep);
        done = run_sweep(&sweep, options, error);
    }
    sweep_finish(&sweep);
    store_close(sweep.store);
    experiment_free(experiment);
    return done;
}
