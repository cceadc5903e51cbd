// SPDX-License-Identifier: MIT
#include "run/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/device_choice.h"
#include "plan/error_line.h"
#include "run/interrupt.h"

void sweep_init(struct sweep *sweep, struct session *session, const struct experiment *experiment)
{
    *sweep = (struct sweep){.session = session, .experiment = experiment, .policy = keys_policy(experiment)};
    keys_terms_make(experiment, &sweep->terms);
}

// ---- before anything runs

struct collected {
    struct sweep *sweep;
    struct shard *shard;
};

static bool collect_row(void *context, const struct trial_row *row)
{
    const struct collected *collected = context;
    struct sweep *sweep = collected->sweep;
    if (!shard_has(collected->shard, row))
        return true;
    *ARRAY_ADD(sweep->rows, sweep->count) = (struct sweep_row){.plan = *row};
    sweep->tally.left += __builtin_popcount(row->collections);
    return true;
}

bool sweep_collect(struct sweep *sweep, struct shard *shard, struct error *error)
{
    struct plan_summary summary;
    sweep->plan = plan_make(sweep->experiment, device_auto(), interrupt_wished, &summary, error);
    return sweep->plan && plan_rows(sweep->plan, collect_row, &(struct collected){sweep, shard}, error);
}

bool sweep_check_scenes(struct sweep *sweep, struct error *error)
{
    for (size_t i = 0; i < sweep->count; ++i) {
        struct trial_spec *spec = &sweep->rows[i].plan.spec;
        if (!keys_check_scene(sweep->session->keys, spec, error)) {
            error_line_scene(sweep->experiment, spec, error);
            return false;
        }
        if (!interrupt_check(error))
            return false;
    }
    progress_clear(&sweep->session->progress);
    return true;
}

bool sweep_is_settled(struct sweep *sweep, const struct sweep_row *row, enum collection kind, bool *settled,
                      struct error *error)
{
    enum attempt_status state;
    if (!store_settled(sweep->session->store, row->trial, kind, row->facts.made_by[kind], sweep->experiment->retries,
                       &state, error))
        return false;
    *settled = state != ATTEMPT_RUNNING && !(state == ATTEMPT_FAILED && sweep->session->retry_failed);
    sweep->tally.skipped_before += state == ATTEMPT_SKIPPED;
    sweep->tally.failed_before += state == ATTEMPT_FAILED && *settled;
    return true;
}

bool sweep_identify(struct sweep *sweep, struct sweep_row *row, bool again, struct error *error)
{
    char key[HASH_TEXT];
    return keys_find(sweep->session->keys, &sweep->terms, &row->plan.spec, again, &row->facts, error) &&
           (row->facts.unknown || store_trial(sweep->session->store, sweep->run, &row->plan, &row->facts.provenance,
                                              &row->trial, key, error));
}

static bool find_due(struct sweep *sweep, struct sweep_row *row, struct error *error)
{
    if (!sweep_identify(sweep, row, false, error))
        return false;
    for (unsigned kind = 0; kind < COLLECTION_KINDS; ++kind) {
        bool settled = false;
        if (!(row->plan.collections >> kind & 1))
            continue;
        if (!row->facts.unknown && !sweep_is_settled(sweep, row, (enum collection)kind, &settled, error))
            return false;
        row->due |= settled ? 0 : 1u << kind;
        sweep->tally.settled += settled;
        sweep->tally.left -= settled;
    }
    sweep->due += row->due != 0;
    return true;
}

bool sweep_find_due(struct sweep *sweep, struct error *error)
{
    for (size_t i = 0; i < sweep->count; ++i) {
        if (!find_due(sweep, &sweep->rows[i], error) || !interrupt_check(error))
            return false;
        progress_doing(&sweep->session->progress, "finding what is done already");
        progress_step(&sweep->session->progress);
    }
    progress_clear(&sweep->session->progress);
    sweep->found = true;
    return true;
}

// ---- builds

bool sweep_compile(struct sweep *sweeps, size_t count, struct error *error)
{
    struct session *session = sweeps->session;
    size_t total = 0, listed = 0;
    for (size_t i = 0; i < count; ++i)
        total += sweeps[i].count;
    const struct trial_spec **specs = memory_new(total, sizeof *specs);
    for (size_t i = 0; i < count; ++i)
        for (size_t j = 0; j < sweeps[i].count; ++j)
            specs[listed++] = &sweeps[i].rows[j].plan.spec;
    const bool done = keys_compile(session->keys, specs, listed, error);
    free(specs);
    progress_clear(&session->progress);
    return done;
}

bool sweep_warm(struct sweep *sweep, struct error *error)
{
    const struct session *session = sweep->session;
    if (sweep->count == 0)
        return true;
    const struct trial_row *first = &sweep->rows[0].plan;
    for (size_t i = 0; i < session->device_count; ++i) {
        struct workers *workers = &session->devices[i].workers;
        if (session->device_count > 1 && !workers_look(workers, &first->spec, error))
            return false;
        for (unsigned kind = 0; kind < COLLECTION_KINDS; ++kind)
            if (first->collections >> kind & 1 &&
                !workers_warm(workers, (enum collection)kind, first->replicate, &first->spec, error))
                return false;
    }
    return true;
}

static bool is_timed(const struct sweep_row *row)
{
    return (row->plan.collections & ~(1u << COLLECTION_COUNTS)) != 0;
}

bool sweep_is_exclusive(const struct sweep *sweep)
{
    bool timed = false;
    for (size_t i = 0; !timed && i < sweep->count; ++i)
        timed = is_timed(&sweep->rows[i]);
    return timed && !sweep->policy.shared_device;
}

bool sweep_check_devices(struct sweep *sweep, struct error *error)
{
    const char *asked = "";
    bool asked_alone = false;
    for (size_t i = 0; i < sweep->count; ++i) {
        const struct trial_spec *spec = &sweep->rows[i].plan.spec;
        const bool alone = is_timed(&sweep->rows[i]) && !sweep->policy.shared_device;
        struct key_facts facts;
        if (!strcmp(asked, spec->device) && (asked_alone || !alone))
            continue;
        asked = spec->device;
        asked_alone = alone;
        if (!keys_find(sweep->session->keys, &sweep->terms, spec, false, &facts, error))
            return false;
        if (!alone || facts.foreign_processes <= 0)
            continue;
        error_set(error, ERROR_USE, "%d other program%s device %s: times would be meaningless", facts.foreign_processes,
                  facts.foreign_processes == 1 ? " uses" : "s use", spec->device);
        return error_remedy(error, "end what nvidia-smi shows, or allow it: --shared-device, or shared_device: yes");
    }
    return true;
}

void sweep_finish(struct sweep *sweep)
{
    keys_terms_finish(&sweep->terms);
    plan_close(sweep->plan);
    free(sweep->rows);
}
