// SPDX-License-Identifier: MIT
// A row's executions: attempts by workers, and what becomes of each.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "run/interrupt.h"
#include "run/made_by.h"
#include "run/sweep.h"
#include "store/film.h"

// The end of one attempt, in words that are stored.
struct verdict {
    enum attempt_status status;
    bool may_pass; // a skip for what the machine lacks now
    char reason[800];
};

// A device that faulted or is lost, or a machine that ran out of something, may do better in another process: its
// worker is ended.
static bool ends_worker(const struct error *cause)
{
    return cause->kind == ERROR_DEVICE || cause->kind == ERROR_SYSTEM;
}

static void judge_error(const struct error *cause, struct verdict *verdict)
{
    verdict->may_pass = cause->kind == ERROR_UNAVAILABLE;
    verdict->status = verdict->may_pass || cause->kind == ERROR_UNSUPPORTED ? ATTEMPT_SKIPPED
                      : ends_worker(cause)                                  ? ATTEMPT_KILLED
                                                                            : ATTEMPT_FAILED;
    char text[2200];
    error_format(cause, text, sizeof text);
    for (char *place = text; *place; ++place)
        if (*place == '\n')
            *place = ';';
    snprintf(verdict->reason, sizeof verdict->reason, "%.790s", text);
}

static void judge_reply(const struct reply *reply, struct verdict *verdict)
{
    static const enum attempt_status statuses[] = {
        [PROCESS_ANSWERED] = ATTEMPT_DONE,     [PROCESS_DIED] = ATTEMPT_KILLED,    [PROCESS_TIMEOUT] = ATTEMPT_TIMEOUT,
        [PROCESS_STOPPED] = ATTEMPT_ABANDONED, [PROCESS_GARBLED] = ATTEMPT_KILLED,
    };
    *verdict = (struct verdict){.status = statuses[reply->outcome]};
    if (reply->outcome != PROCESS_ANSWERED) {
        snprintf(verdict->reason, sizeof verdict->reason, "%.790s", reply->error.message);
    } else if (reply->kind == ANSWER_ERROR) {
        judge_error(&reply->error, verdict);
    } else if (reply->kind != ANSWER_MEASUREMENT) {
        verdict->status = ATTEMPT_FAILED;
        snprintf(verdict->reason, sizeof verdict->reason, "the worker gave the wrong kind of answer");
    }
}

// Whether the worker's program is the one of the key: of the trial's, of the attempt's where it counted.
static bool same_program(const struct key_facts *facts, enum collection kind, const char *provenance)
{
    char hash[HASH_TEXT];
    if (kind != COLLECTION_COUNTS)
        return strstr(facts->provenance.programs, provenance) != NULL;
    hash_text(hash_bytes(provenance, strlen(provenance)), hash);
    return !strcmp(hash, facts->made_by[kind]);
}

// A result is stored under the key that was found before the sweep began: what the worker used must be what made that
// key.
static void check_made_by(const struct key_facts *facts, enum collection kind, const struct reply *reply,
                          struct verdict *verdict)
{
    char content[HASH_TEXT];
    if (verdict->status != ATTEMPT_DONE)
        return;
    hash_text(reply->measurement.scene_content, content);
    const bool same_scene = !strcmp(content, facts->provenance.scene_content);
    if (same_scene && same_program(facts, kind, reply->measurement.provenance))
        return;
    verdict->status = ATTEMPT_FAILED;
    snprintf(verdict->reason, sizeof verdict->reason, "the %s changed while the sweep was running; run it again",
             same_scene ? "program" : "scene");
}

static bool store_verdict(struct sweep *sweep, int64_t attempt, const struct reply *reply,
                          const struct verdict *verdict, struct error *error)
{
    if (verdict->status == ATTEMPT_DONE)
        return store_finish_attempt(sweep->session->store, attempt, &reply->measurement, error);
    return store_fail_attempt(sweep->session->store, attempt, verdict->status, verdict->reason, verdict->may_pass,
                              error);
}

static bool take_made_by(void *context, const struct store_row *row)
{
    char **text = context;
    *text = memory_copy(row->values[0].text ? row->values[0].text : "");
    return false;
}

// What the attempt is to be made by: of counters also those that it is about to outdate, so that experiments that want
// different ones of the same trial do not take them from each other. To be freed.
static char *wanted_made_by(struct sweep *sweep, const struct sweep_row *row, enum collection kind, struct error *error)
{
    const char *wanted = row->facts.made_by[kind];
    char id[32], *made = NULL;
    snprintf(id, sizeof id, "%lld", (long long)row->trial);
    const char *const bindings[] = {"trial", id, NULL};
    if (kind == COLLECTION_COUNTERS &&
        !store_query(sweep->session->store,
                     "SELECT made_by FROM attempt WHERE trial = :trial AND collection = 'counters' AND status = 'done' "
                     "AND NOT superseded",
                     bindings, take_made_by, &made, error))
        return NULL;
    char *joined = made ? made_by_join(wanted, made) : memory_copy(wanted);
    free(made);
    return joined;
}

// Has a worker execute it.
static bool ask_worker(struct sweep *sweep, const struct sweep_row *row, struct run_device *device,
                       enum collection kind, const char *made_by, struct reply *reply, struct error *error)
{
    struct worker_request request = {.job = WORKER_EXECUTE,
                                     .spec = row->plan.spec,
                                     .collection = kind,
                                     .policy = sweep->policy,
                                     .timeline = experiment_timeline(sweep->experiment)};
    if ((kind == COLLECTION_COUNTS || kind == COLLECTION_FRAME) &&
        !store_lacks_film(sweep->session->store, row->trial, &request.picture, error))
        return false;
    char *words = memory_copy(made_by);
    request.counters = memory_new(made_by_count(made_by), sizeof *request.counters);
    if (kind == COLLECTION_COUNTERS)
        request.counter_count = made_by_names(words, request.counters);
    const double start = clock_seconds();
    const bool done =
        workers_ask(&device->workers, &request, row->plan.replicate, sweep->experiment->time_limit, reply, error);
    sweep->tally.busy_seconds += clock_seconds() - start;
    free(request.counters);
    free(words);
    return done;
}

// What may pass is tried again; an error that the worker reported itself would only come again.
static bool may_pass(enum attempt_status status)
{
    return status == ATTEMPT_KILLED || status == ATTEMPT_TIMEOUT;
}

// Of several devices: that it was on the right one, which after the loss of another may have its number; and on which it
// failed. What a lost device did to a trial does not count.
static void check_device(struct run_device *device, const struct sweep_row *row, const struct reply *reply,
                         struct verdict *verdict)
{
    if (device->session->device_count < 2)
        return;
    if (verdict->status == ATTEMPT_DONE && strcmp(reply->measurement.uuid, device->uuid)) {
        verdict->status = ATTEMPT_KILLED;
        snprintf(verdict->reason, sizeof verdict->reason, "another device has its number: %.40s",
                 reply->measurement.uuid);
    }
    if (!may_pass(verdict->status))
        return;
    verdict->may_pass = !run_device_survives(device, &row->plan.spec, verdict->reason);
    const size_t length = strlen(verdict->reason);
    snprintf(verdict->reason + length, sizeof verdict->reason - length, " (on %.40s)", device->name);
}

// One attempt at one collection, in a worker.
static bool execute_attempt(struct sweep *sweep, const struct sweep_row *row, struct run_device *device,
                            enum collection kind, const char *made_by, struct verdict *verdict, struct error *error)
{
    int64_t id;
    struct reply reply;
    if (!store_begin_attempt(sweep->session->store, sweep->run, row->trial, kind, made_by, &id, error) ||
        !ask_worker(sweep, row, device, kind, made_by, &reply, error))
        return false;
    judge_reply(&reply, verdict);
    check_made_by(&row->facts, kind, &reply, verdict);
    if (verdict->status == ATTEMPT_FAILED ||
        verdict->status == ATTEMPT_KILLED) // its device may have been left in any state
        workers_retire(&device->workers, kind);
    check_device(device, row, &reply, verdict);
    const bool stored = store_verdict(sweep, id, &reply, verdict, error);
    measurement_finish(&reply.measurement);
    return stored;
}

// Stores why it cannot run, without asking a worker.
static bool refuse_row(struct sweep *sweep, const struct sweep_row *row, enum collection kind, struct verdict *verdict,
                       struct error *error)
{
    int64_t id;
    *verdict = (struct verdict){.status = row->facts.failed ? ATTEMPT_FAILED : ATTEMPT_SKIPPED};
    snprintf(verdict->reason, sizeof verdict->reason, "%s", row->facts.refused);
    return store_begin_attempt(sweep->session->store, sweep->run, row->trial, kind, "", &id, error) &&
           store_fail_attempt(sweep->session->store, id, verdict->status, verdict->reason, false, error);
}

// If another device is left that has not failed at it, that one tries too, even with no retries: only this shows whether the trial or the
// device is at fault.
static int32_t retries_of(const struct sweep *sweep, const struct sweep_row *row, const struct run_device *device)
{
    const int32_t wanted = sweep->experiment->retries;
    const uint32_t others = run_devices_alive(sweep->session) & ~(row->failed_on | device->bit);
    return wanted < 1 && others ? 1 : wanted;
}

// Attempts until one is done, or another would not help; of several devices each makes one, and leaves the next to others.
static bool execute_attempts(struct sweep *sweep, struct sweep_row *row, struct run_device *device,
                             enum collection kind, struct verdict *verdict, bool *again, struct error *error)
{
    char *made_by = wanted_made_by(sweep, row, kind, error);
    bool done = made_by != NULL;
    *again = done;
    while (*again) {
        done = execute_attempt(sweep, row, device, kind, made_by, verdict, error);
        *again = done && may_pass(verdict->status) &&
                 (device->lost || (row->tries < retries_of(sweep, row, device) && !interrupt_count()));
        row->failed_on |= *again ? device->bit : 0;
        row->tries += *again && !device->lost;
        if (sweep->session->device_count > 1)
            break;
    }
    free(made_by);
    if (done && verdict->status == ATTEMPT_ABANDONED)
        return error_set(error, ERROR_INTERRUPTED, "interrupted");
    if (done && verdict->status == ATTEMPT_DONE) {
        sweep->tally.retried += row->tries > 0;
        run_device_did(device, row->failed_on);
    }
    return done;
}

// *again: another device shall try it.
static bool execute_kind(struct sweep *sweep, struct sweep_row *row, struct run_device *device, enum collection kind,
                         bool *again, struct error *error)
{
    const struct trial_spec *spec = &row->plan.spec;
    char doing[288];
    struct verdict verdict;
    snprintf(doing, sizeof doing, "%s: %s on %.60s, %lldx%lld, %s, replicate %d", collection_names[kind], spec->variant,
             spec->scene, (long long)spec->parameters.width, (long long)spec->parameters.height, spec->device,
             row->plan.replicate);
    progress_doing(&sweep->session->progress, doing);
    watch_look(sweep->session->watch, &sweep->session->progress, doing, NULL);
    if (row->facts.unknown) {
        verdict = (struct verdict){.status = ATTEMPT_KILLED};
        snprintf(verdict.reason, sizeof verdict.reason, "%s", row->facts.refused);
        sweep->tally.unknown += 1;
        sweep->unknown = row->facts.refused;
    } else if (row->facts.refused[0] ? !refuse_row(sweep, row, kind, &verdict, error)
                                     : !execute_attempts(sweep, row, device, kind, &verdict, again, error))
        return false;
    if (*again)
        return true;
    tally_add(&sweep->tally, verdict.status, verdict.reason, doing);
    return true;
}

bool sweep_execute(struct sweep *sweep, struct sweep_row *row, struct run_device *device, struct error *error)
{
    if (row->facts.unknown) {
        if (!sweep_identify(sweep, row, true, error))
            return false;
        workers_retire_describer(&device->workers);
    }
    for (unsigned kind = 0; kind < COLLECTION_KINDS; ++kind) {
        bool made = false; // by now, for another experiment of this run: then it is settled for this one too
        bool again = false;
        if (!(row->due >> kind & 1))
            continue;
        if ((!row->facts.unknown && !row->failed_on &&
             !sweep_is_settled(sweep, row, (enum collection)kind, &made, error)) ||
            (!made && !execute_kind(sweep, row, device, (enum collection)kind, &again, error)))
            return false;
        if (again)
            return true;
        row->tries = 0;
        row->failed_on = 0;
        sweep->tally.settled += made;
        sweep->tally.left -= 1;
        progress_step(&sweep->session->progress);
        row->due &= ~(1u << kind);
    }
    return true;
}
