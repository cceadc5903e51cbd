// SPDX-License-Identifier: MIT
#include "run/coordinator.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "plan/error_line.h"
#include "plan/device_choice.h"
#include "run/dispatch.h"
#include "run/environment.h"
#include "run/interrupt.h"
#include "plan/overrides.h"
#include "plan/space.h"
#include "store/attempt.h"
#include "store/query.h"
#include "store/run.h"
#include "run/summary.h"

// All that one invocation runs.
struct campaign {
    const struct run_options *options;
    struct session session;
    struct experiment_list experiments;
    struct sweep *sweeps; // one for each experiment
    size_t count;
    struct shard shard;
    int64_t left; // executions, when work begins
    struct tally total;
    double started;
};

enum { MINUTES_A_DAY = 24 * 60 };

static int minute_of_day(time_t when)
{
    struct tm day;
    localtime_r(&when, &day);
    return 60 * day.tm_hour + day.tm_min;
}

// Minute by minute, since a change to or from summer time moves the clock: forwards over times that it then never
// shows, or backwards, so that it shows times twice.
static time_t next_passing(int minute, time_t now)
{
    const time_t start = now - now % 60;
    int before = minute_of_day(start);
    for (time_t when = start + 60;; when += 60) {
        const int shown = minute_of_day(when), step = (shown - before + MINUTES_A_DAY) % MINUTES_A_DAY;
        const int ahead = (minute - before + MINUTES_A_DAY) % MINUTES_A_DAY;
        if (shown == minute || (step < MINUTES_A_DAY / 2 && ahead > 0 && ahead <= step))
            return when;
        before = shown;
    }
}

bool coordinator_parse_until(const char *text, time_t now, time_t *until, struct error *error)
{
    int hours, minutes;
    char rest;
    if (sscanf(text, "%2d:%2d%c", &hours, &minutes, &rest) != 2 || hours < 0 || hours > 23 || minutes < 0 ||
        minutes > 59) {
        error_set(error, ERROR_USE, "--until: '%s' is no time of day", text);
        return error_remedy(error, "write HH:MM, such as 07:00");
    }
    *until = next_passing(60 * hours + minutes, now);
    return true;
}

static void print_size(int64_t bytes, char *text, size_t size)
{
    snprintf(text, size, bytes < 10 << 20 ? "%.2f MiB" : "%.0f MiB", (double)bytes / (1 << 20));
}

// Another program may hold the database for long, and no measurement shall be lost for that.
static bool wait_for_database(void *context, double seconds)
{
    struct session *session = context;
    if (interrupt_count() >= 2)
        return false;
    if (seconds < 1)
        session->said_waiting = false;
    if (seconds >= 1 && !session->said_waiting) {
        session->said_waiting = true;
        progress_clear(&session->progress);
        fprintf(stderr, "waiting for the database, which another program holds; Ctrl-C twice gives up\n");
    }
    return true;
}

// ---- before anything runs

static bool check_space(const struct campaign *campaign, int64_t needed, int64_t available, struct error *error)
{
    if (needed <= available)
        return true;
    char wanted[32], there[32];
    print_size(needed, wanted, sizeof wanted);
    print_size(available, there, sizeof there);
    error_set(error, ERROR_SYSTEM, "%s: this sweep will need about %s, and the disk has %s",
              store_path(campaign->session.store), wanted, there);
    return error_remedy(error, "free some space, or choose another place with --db");
}

// Trials of the plan, less those that runs of this experiment have stored. What of these is due again, since a kernel
// or a scene has changed, shows later only.
static bool count_new(const struct sweep *sweep, int64_t *count, struct error *error)
{
    int64_t stored = 0;
    const char *const bindings[] = {"name", sweep->experiment->name, NULL};
    if (!store_query(sweep->session->store,
                     "SELECT count(DISTINCT l.trial) FROM run_trial l JOIN run r ON r.id = l.run "
                     "JOIN experiment e ON e.id = r.experiment JOIN attempt a ON a.trial = l.trial "
                     "WHERE e.name = :name AND a.status = 'done'",
                     bindings, store_take_integer, &stored, error))
        return false;
    const int64_t planned = (int64_t)sweep->count;
    *count = stored < planned ? planned - stored : 0;
    return true;
}

// Where one of the devices asked for can be used, trials of the others are stored as skips with the reason; where none
// can, nothing is worth beginning.
static bool check_devices(const struct sweep *sweep, struct error *error)
{
    const char *last = "";
    bool usable = sweep->count == 0;
    struct error why = {0};
    for (size_t i = 0; i < sweep->count; ++i) {
        const char *device = sweep->rows[i].plan.spec.device;
        if (!strcmp(device, last))
            continue;
        last = device;
        struct error *cause = why.kind ? NULL : &why;
        if (device_check_usable(device, cause))
            usable = true;
        else if (cause)
            error_line_axis(sweep->experiment, "device", device, cause);
    }
    if (!usable)
        *error = why;
    return usable;
}

// The rows of all experiments, or this machine's share of them.
static bool collect_rows(struct campaign *campaign, struct error *error)
{
    const struct run_options *options = campaign->options;
    for (size_t i = 0; i < campaign->count; ++i) {
        struct sweep *sweep = &campaign->sweeps[i];
        sweep_init(sweep, &campaign->session, campaign->experiments.items[i]);
        if (!sweep_collect(sweep, &campaign->shard, error))
            return false;
    }
    const struct shard *shard = &campaign->shard;
    const size_t all = shard->trials.count;
    if (shard->all > 1 && !options->quiet)
        fprintf(stderr, "shard %u of %u: %zu of %zu trials\n", shard->number + 1, shard->all,
                (all + shard->all - shard->number - 1) / shard->all, all);
    return true;
}

static struct sweep *first_with_rows(const struct campaign *campaign)
{
    size_t i = 0;
    while (i + 1 < campaign->count && !campaign->sweeps[i].count)
        ++i;
    return &campaign->sweeps[i];
}

static bool check_models(struct campaign *campaign, struct error *error)
{
    bool alone = false;
    for (size_t i = 0; i < campaign->count; ++i)
        alone |= sweep_is_exclusive(&campaign->sweeps[i]);
    const struct sweep *first = first_with_rows(campaign);
    return campaign->session.device_count < 2 || !first->count ||
           run_devices_check(&campaign->session, &first->rows[0].plan.spec, alone, error);
}

// Everything that can be wrong with the experiments is found before anything is written.
static bool campaign_prepare(struct campaign *campaign, struct error *error)
{
    int64_t needed = 0, available = INT64_MAX;
    progress_doing(&campaign->session.progress, "planning");
    if (!collect_rows(campaign, error))
        return false;
    progress_doing(&campaign->session.progress, "opening scenes and devices");
    for (size_t i = 0; i < campaign->count; ++i) {
        struct sweep *sweep = &campaign->sweeps[i];
        int64_t trials = 0, more = 0;
        if (!check_devices(sweep, error) || !sweep_check_scenes(sweep, error) || !count_new(sweep, &trials, error) ||
            !plan_space(sweep->plan, campaign->session.store, trials, &more, &available, error))
            return false;
        needed += more;
    }
    if (!check_space(campaign, needed, available, error) || !sweep_warm(first_with_rows(campaign), error) ||
        !sweep_compile(campaign->sweeps, campaign->count, error) || !check_models(campaign, error))
        return false;
    for (size_t i = 0; i < campaign->count; ++i)
        if (!sweep_check_devices(&campaign->sweeps[i], error))
            return false;
    return true;
}

static bool recover_attempts(struct campaign *campaign, struct error *error)
{
    int64_t abandoned;
    if (!store_recover(campaign->session.store, &abandoned, error))
        return false;
    if (abandoned && !campaign->options->quiet)
        fprintf(stderr, "%lld executions that an earlier run left unfinished are due again\n", (long long)abandoned);
    return true;
}

// A device that cannot even be opened is no fault of a trial, but of the machine or of who named it.
static bool campaign_begin(struct campaign *campaign, struct error *error)
{
    if (campaign_prepare(campaign, error))
        return recover_attempts(campaign, error);
    if (error->kind == ERROR_DEVICE) {
        error->kind = ERROR_SYSTEM;
        if (!error->remedy[0])
            error_remedy(error, "see warpstudy doctor; name only devices that work");
    }
    return false;
}

// ---- runs

static bool begin_run(struct sweep *sweep, const struct run_options *options, struct error *error)
{
    struct run_environment environment;
    char devices[192];
    environment_collect(&environment);
    run_devices_format(sweep->session, devices, sizeof devices);
    environment_add(&environment, "devices", devices);
    const struct run_header header = {.label = options->label ? options->label : "",
                                      .command_line = options->command_line,
                                      .experiment = experiment_record(sweep->experiment),
                                      .environment = environment.pairs};
    return store_begin_run(sweep->session->store, &header, &sweep->run, error);
}

// Begins every run and finds what of it is due.
static bool find_due(struct campaign *campaign, struct error *error)
{
    int64_t needed = 0, available = INT64_MAX;
    for (size_t i = 0; i < campaign->count; ++i) {
        struct sweep *sweep = &campaign->sweeps[i];
        int64_t more = 0;
        if (!begin_run(sweep, campaign->options, error) || !sweep_find_due(sweep, error) ||
            !plan_space(sweep->plan, campaign->session.store, sweep->due, &more, &available, error))
            return false;
        needed += more;
        campaign->left += sweep->tally.left;
    }
    for (size_t i = 0; i < campaign->session.device_count; ++i) {
        struct workers *workers = &campaign->session.devices[i].workers;
        workers_retire_describer(workers);
        workers->preparing = false;
        workers_settle(workers);
    }
    return check_space(campaign, needed, available, error);
}

// What could not begin has no trial that its cause could be stored with: it is kept with the run.
static bool end_runs(struct campaign *campaign, const char *reason, struct error *error)
{
    for (size_t i = 0; i < campaign->count; ++i) {
        const struct sweep *sweep = &campaign->sweeps[i];
        char text[900];
        snprintf(text, sizeof text, "%s%s%s%s", summary_reason(sweep, reason), sweep->unknown ? ": " : "",
                 sweep->unknown ? sweep->unknown : "", sweep->found ? "" : " before all was known");
        if (sweep->run && !store_end_run(campaign->session.store, sweep->run, text, error))
            return false;
    }
    return true;
}

static bool campaign_verdict(const struct tally *total, const char *reason, struct error *error)
{
    if (error->kind != ERROR_NONE)
        return false;
    if (!strcmp(reason, "interrupted"))
        return error_set(error, ERROR_INTERRUPTED, "interrupted; %lld executions are left", (long long)total->left);
    if (total->unknown && total->unknown == total->failed)
        return error_set(error, ERROR_FAILED, "%lld executions could not begin; the same command tries them again",
                         (long long)total->unknown);
    if (total->failed)
        return error_set(error, ERROR_FAILED, "%lld executions failed; their causes are stored",
                         (long long)total->failed);
    if (total->failed_before)
        return error_set(error, ERROR_FAILED, "%lld executions failed in an earlier run",
                         (long long)total->failed_before);
    return true;
}

static void campaign_watch(struct campaign *campaign)
{
    struct run_watch *watch = campaign->options->watch;
    campaign->session.watch = watch;
    if (!watch)
        return;
    watch->state = (struct run_state){
        .database = store_path(campaign->session.store),
        .command_line = campaign->options->command_line,
        .first_run = campaign->sweeps->run,
    };
}

// From here on runs are recorded: they are ended, and summed up, whatever comes.
static bool run_recorded(struct campaign *campaign, struct error *error)
{
    const char *reason = "error";
    if (find_due(campaign, error)) {
        progress_start(&campaign->session.progress, campaign->left, campaign->options->quiet);
        campaign_watch(campaign);
        struct dispatch dispatch = {.session = &campaign->session,
                                    .sweeps = campaign->sweeps,
                                    .count = campaign->count,
                                    .until = campaign->options->until};
        dispatch_run(&dispatch, &reason, error);
    } else if (error->kind == ERROR_INTERRUPTED) {
        reason = "interrupted";
    }
    if (error->kind == ERROR_SYSTEM && interrupt_count() >= 2) {
        error_set(error, ERROR_INTERRUPTED, "interrupted while it waited for the database");
        reason = "interrupted";
    }
    for (size_t i = 0; i < campaign->count; ++i)
        tally_merge(&campaign->total, &campaign->sweeps[i].tally);
    if (!strcmp(reason, "complete") && campaign->total.unknown)
        reason = "incomplete";
    struct error ending = {0};
    if (!end_runs(campaign, reason, &ending) && error->kind == ERROR_NONE)
        *error = ending;
    if (!store_keep(campaign->session.store, &ending))
        *error = ending; // more than that it is gone: where its results are
    watch_look(campaign->session.watch, &campaign->session.progress, NULL, reason);
    summary_print(campaign->sweeps, campaign->count, &campaign->total, campaign->options, reason,
                  clock_seconds() - campaign->started);
    return campaign_verdict(&campaign->total, reason, error);
}

static bool open_session(struct campaign *campaign, struct error *error)
{
    const struct run_options *options = campaign->options;
    struct session *session = &campaign->session;
    session->retry_failed = options->retry_failed;
    session->store = store_open(options->database ? options->database : store_default_path(), STORE_WRITE, error);
    if (!session->store || !store_lock_to_run(session->store, error))
        return false;
    session->quiet = options->quiet;
    run_devices_open(session, &options->device_list);
    session->keys = keys_create(&session->devices->workers);
    store_wait(session->store, wait_for_database, session);
    progress_start(&session->progress, 0, options->quiet);
    campaign->count = campaign->experiments.count;
    campaign->sweeps = memory_new(campaign->count, sizeof *campaign->sweeps);
    return true;
}

static void campaign_finish(struct campaign *campaign)
{
    for (size_t i = 0; campaign->sweeps && i < campaign->count; ++i)
        sweep_finish(&campaign->sweeps[i]);
    free(campaign->sweeps);
    run_devices_finish(&campaign->session);
    keys_destroy(campaign->session.keys);
    store_close(campaign->session.store);
    experiment_list_finish(&campaign->experiments);
    shard_finish(&campaign->shard);
    pthread_mutex_unlock(&campaign->session.lock);
}

// Where the database was lost before anything began, more than why it did not begin: where its results are. Always false.
static bool campaign_keep(struct campaign *campaign, struct error *error)
{
    struct error lost = {0};
    if (!store_keep(campaign->session.store, &lost))
        *error = lost;
    return false;
}

bool coordinator_run(const struct run_options *options, struct error *error)
{
    struct campaign campaign = {
        .options = options,
        .shard = options->shard,
        .session = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER},
        .started = clock_seconds(),
    };
    pthread_mutex_lock(&campaign.session.lock);
    bool done = experiments_load(options, &campaign.experiments, error);
    if (done) {
        interrupt_install();
        done = open_session(&campaign, error) &&
               (campaign_begin(&campaign, error) ? run_recorded(&campaign, error) : campaign_keep(&campaign, error));
    }
    campaign_finish(&campaign);
    return done;
}
