// SPDX-License-Identifier: MIT
#include "run/station.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/device.h"
#include "run/cores.h"
#include "run/interrupt.h"

static void open_station(struct session *session, size_t i, const struct device_list *devices)
{
    struct station *station = &session->stations[i];
    *station = (struct station){.session = session, .bit = 1u << i};
    station->workers = (struct workers){.progress = &session->progress, .preparing = true, .ordinal = -1};
    if (!devices->count)
        return;
    station->workers.ordinal = (int)devices->ordinals[i];
    station->workers.lock = devices->count > 1 ? &session->lock : NULL;
    snprintf(station->name, sizeof station->name, "%s:%u", devices->backend, devices->ordinals[i]);
}

void stations_open(struct session *session, const struct device_list *devices)
{
    cpu_set_t shares[DEVICES_MOST];
    session->station_count = devices->count ? devices->count : 1;
    session->stations = memory_new(session->station_count, sizeof *session->stations);
    for (size_t i = 0; i < session->station_count; ++i)
        open_station(session, i, devices);
    // A model's times mean nothing, and it is another device with other cores.
    if (devices->count < 2 || device_is(devices->backend, DEVICE_MODEL) || !cores_share(devices->count, shares))
        return;
    for (size_t i = 0; i < session->station_count; ++i) {
        session->stations[i].cores = shares[i];
        session->stations[i].workers.cores = &session->stations[i].cores;
    }
}

void stations_finish(struct session *session)
{
    for (size_t i = 0; i < session->station_count; ++i)
        workers_finish(&session->stations[i].workers);
    free(session->stations);
}

void stations_format(const struct session *session, char *text, size_t size)
{
    text[0] = 0;
    for (size_t i = 0, length = 0; session->station_count > 1 && i < session->station_count && length < size; ++i) {
        const struct station *station = &session->stations[i];
        char cores[160] = "all cores";
        if (station->workers.cores)
            cores_format(station->workers.cores, cores, sizeof cores);
        length += (size_t)snprintf(text + length, size - length, "%s%s on %s", i ? "; " : "", station->name, cores);
    }
}

// ---- before anything runs

static bool check_model(const struct station *first, const struct station *other, struct error *error)
{
    const struct execute_facts *a = &first->workers.device, *b = &other->workers.device;
    if (a->uuid[0] && !strcmp(a->uuid, b->uuid)) {
        error_set(error, ERROR_USE, "--devices: %s and %s are the same device, %s", first->name, other->name, a->uuid);
        return error_remedy(error, "name each device once");
    }
    if (!strcmp(a->device_name, b->device_name) && !strcmp(a->driver, b->driver) &&
        a->compute_capability == b->compute_capability)
        return true;
    error_set(error, ERROR_USE, "--devices: %s is %s (%s), but %s is %s (%s)", first->name, a->device_name, a->driver,
              other->name, b->device_name, b->driver);
    return error_remedy(error, "name devices of one model with one driver; the others need a run of their own");
}

// Has a worker open the device and say which it is, where that was not done. One that dies may have been killed: it is
// tried again.
static bool look(struct station *station, const struct trial_spec *spec)
{
    enum { TRIES = 3 };
    struct workers *workers = &station->workers;
    for (int i = 0; i < TRIES && !interrupt_count(); ++i) {
        workers_settle(workers);
        if (workers->device.device_name[0])
            return true;
        workers_retire_describer(workers);
        if (!workers_look(workers, spec, &workers->blind))
            return false;
    }
    workers_settle(workers);
    return workers->device.device_name[0] != 0;
}

bool stations_check(struct session *session, const struct trial_spec *spec, bool alone, struct error *error)
{
    for (size_t i = 0; i < session->station_count; ++i) {
        struct station *station = &session->stations[i];
        const bool seen = look(station, spec);
        if (!interrupt_check(error))
            return false;
        if (!seen) {
            *error = station->workers.blind;
            return false;
        }
        for (size_t j = 0; j < i; ++j)
            if (!check_model(&session->stations[j], station, error))
                return false;
        if (alone && station->workers.device.foreign_processes > 0) {
            error_set(error, ERROR_USE, "other programs use device %s: times would be meaningless", station->name);
            return error_remedy(error, "end what nvidia-smi shows, or allow it: --shared-device");
        }
        snprintf(station->uuid, sizeof station->uuid, "%s", station->workers.device.uuid);
    }
    return true;
}

// ---- while it runs

uint32_t stations_alive(const struct session *session)
{
    uint32_t alive = 0;
    for (size_t i = 0; i < session->station_count; ++i)
        alive |= session->stations[i].lost ? 0 : session->stations[i].bit;
    return alive;
}

static void lose(struct station *station, const char *cause)
{
    station->lost = true;
    snprintf(station->cause, sizeof station->cause, "%.390s", cause);
    progress_clear(&station->session->progress);
    if (!station->session->quiet)
        fprintf(stderr, "%s is lost%s: %s\n", station->name,
                stations_alive(station->session) ? ", and the other devices go on" : "", cause);
}

bool station_survives(struct station *station, const struct trial_spec *spec, const char *cause)
{
    workers_retire_describer(&station->workers);
    station->workers.device.device_name[0] = 0;
    const bool same = look(station, spec) && !strcmp(station->workers.device.uuid, station->uuid);
    workers_retire_describer(&station->workers);
    if (!same && interrupt_count() < 2)
        lose(station, cause);
    return !station->lost;
}

void station_did(struct station *station, uint32_t failed_on)
{
    struct session *session = station->session;
    station->strikes = 0;
    station->done += 1;
    for (size_t i = 0; i < session->station_count; ++i) {
        struct station *other = &session->stations[i];
        if (other == station || other->lost || !(failed_on & other->bit) || ++other->strikes < STATION_STRIKES)
            continue;
        lose(other, "what fails on it is done by the others");
    }
}
