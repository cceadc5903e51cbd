// SPDX-License-Identifier: MIT
#include "run/run_device.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/device.h"
#include "run/cores.h"
#include "run/interrupt.h"

static void open_device(struct session *session, size_t i, const struct device_list *devices)
{
    struct run_device *device = &session->devices[i];
    *device = (struct run_device){.session = session, .bit = 1u << i};
    device->workers = (struct workers){.progress = &session->progress, .preparing = true, .ordinal = -1};
    if (!devices->count)
        return;
    device->workers.ordinal = (int)devices->ordinals[i];
    device->workers.lock = devices->count > 1 ? &session->lock : NULL;
    snprintf(device->name, sizeof device->name, "%s:%u", devices->backend, devices->ordinals[i]);
}

void run_devices_open(struct session *session, const struct device_list *devices)
{
    cpu_set_t shares[DEVICES_MOST];
    session->device_count = devices->count ? devices->count : 1;
    session->devices = memory_new(session->device_count, sizeof *session->devices);
    for (size_t i = 0; i < session->device_count; ++i)
        open_device(session, i, devices);
    // A model's times mean nothing, and it is another device with other cores.
    if (devices->count < 2 || device_is(devices->backend, DEVICE_MODEL) || !cores_share(devices->count, shares))
        return;
    for (size_t i = 0; i < session->device_count; ++i) {
        session->devices[i].cores = shares[i];
        session->devices[i].workers.cores = &session->devices[i].cores;
    }
}

void run_devices_finish(struct session *session)
{
    for (size_t i = 0; i < session->device_count; ++i)
        workers_finish(&session->devices[i].workers);
    free(session->devices);
}

void run_devices_format(const struct session *session, char *text, size_t size)
{
    text[0] = 0;
    for (size_t i = 0, length = 0; session->device_count > 1 && i < session->device_count && length < size; ++i) {
        const struct run_device *device = &session->devices[i];
        char cores[160] = "all cores";
        if (device->workers.cores)
            cores_format(device->workers.cores, cores, sizeof cores);
        length += (size_t)snprintf(text + length, size - length, "%s%s on %s", i ? "; " : "", device->name, cores);
    }
}

// ---- before anything runs

static bool check_model(const struct run_device *first, const struct run_device *other, struct error *error)
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
static bool run_device_look(struct run_device *device, const struct trial_spec *spec)
{
    enum { TRIES = 3 };
    struct workers *workers = &device->workers;
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

bool run_devices_check(struct session *session, const struct trial_spec *spec, bool alone, struct error *error)
{
    for (size_t i = 0; i < session->device_count; ++i) {
        struct run_device *device = &session->devices[i];
        const bool seen = run_device_look(device, spec);
        if (!interrupt_check(error))
            return false;
        if (!seen) {
            *error = device->workers.blind;
            return false;
        }
        for (size_t j = 0; j < i; ++j)
            if (!check_model(&session->devices[j], device, error))
                return false;
        if (alone && device->workers.device.foreign_processes > 0) {
            error_set(error, ERROR_USE, "other programs use device %s: times would be meaningless", device->name);
            return error_remedy(error, "end what nvidia-smi shows, or allow it: --shared-device");
        }
        snprintf(device->uuid, sizeof device->uuid, "%s", device->workers.device.uuid);
    }
    return true;
}

// ---- while it runs

uint32_t run_devices_alive(const struct session *session)
{
    uint32_t alive = 0;
    for (size_t i = 0; i < session->device_count; ++i)
        alive |= session->devices[i].lost ? 0 : session->devices[i].bit;
    return alive;
}

static void lose(struct run_device *device, const char *cause)
{
    device->lost = true;
    snprintf(device->cause, sizeof device->cause, "%.390s", cause);
    progress_clear(&device->session->progress);
    if (!device->session->quiet)
        fprintf(stderr, "%s is lost%s: %s\n", device->name,
                run_devices_alive(device->session) ? ", and the other devices go on" : "", cause);
}

bool run_device_survives(struct run_device *device, const struct trial_spec *spec, const char *cause)
{
    workers_retire_describer(&device->workers);
    device->workers.device.device_name[0] = 0;
    const bool same = run_device_look(device, spec) && !strcmp(device->workers.device.uuid, device->uuid);
    workers_retire_describer(&device->workers);
    if (!same && interrupt_count() < 2)
        lose(device, cause);
    return !device->lost;
}

void run_device_did(struct run_device *device, uint32_t failed_on)
{
    struct session *session = device->session;
    device->strikes = 0;
    device->done += 1;
    for (size_t i = 0; i < session->device_count; ++i) {
        struct run_device *other = &session->devices[i];
        if (other == device || other->lost || !(failed_on & other->bit) || ++other->strikes < DEVICE_STRIKES)
            continue;
        lose(other, "what fails on it is done by the others");
    }
}
