// SPDX-License-Identifier: MIT
#include "device/device.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

extern const struct device_backend device_cuda_backend, device_emulator_backend, device_cpu_backend,
    device_null_backend;

const struct device_backend *const device_backends[] = {
    &device_cuda_backend, &device_emulator_backend, &device_cpu_backend, &device_null_backend, NULL,
};

enum { MAX_NAMES = 16 };

static struct device *open_backend(const struct device_backend *backend, const struct device_settings *settings,
                                   struct error *error)
{
    const char *why = backend->unavailable();
    if (!why)
        return backend->open(settings, error);
    error_set(error, ERROR_UNSUPPORTED, "device '%s' cannot be used here: %s", backend->name, why);
    return NULL;
}

static struct device *open_first(const struct device_settings *settings, struct error *error)
{
    for (size_t i = 0; device_backends[i]; i++)
        if (device_backends[i] != &device_null_backend && !device_backends[i]->unavailable())
            return device_backends[i]->open(settings, error);
    error_set(error, ERROR_UNSUPPORTED, "no device can be used on this machine");
    return NULL;
}

static struct device *unknown(const char *spec, struct error *error)
{
    const char *names[MAX_NAMES + 1] = {"auto"};
    for (size_t i = 0; device_backends[i] && i + 1 < MAX_NAMES; i++)
        names[i + 1] = device_backends[i]->name;
    const char *near = error_suggest(spec, names);
    error_set(error, ERROR_USE, "there is no device '%s'%s%s%s", spec, near ? "; did you mean '" : "", near ? near : "",
              near ? "'?" : "");
    error_remedy(error, "use auto, or a name that `list devices` shows");
    return NULL;
}

static const struct device_backend *find(const char *name, size_t length)
{
    for (size_t i = 0; device_backends[i]; i++)
        if (strlen(device_backends[i]->name) == length && strncmp(device_backends[i]->name, name, length) == 0)
            return device_backends[i];
    return NULL;
}

// The N of "cuda:N"; no other backend counts its devices.
static bool read_ordinal(const char *spec, const char *text, uint32_t *ordinal, struct error *error)
{
    char *end;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    if (strncmp(spec, "cuda:", 5) != 0)
        return error_set(error, ERROR_USE, "device '%s': only cuda takes a number", spec);
    if (text[0] < '0' || text[0] > '9' || *end || errno || value > INT_MAX)
        return error_set(error, ERROR_USE, "device '%s': '%s' is not the number of a GPU", spec, text);
    *ordinal = (uint32_t)value;
    return true;
}

struct device *device_open(const char *spec, const struct device_settings *settings, struct error *error)
{
    struct device_settings resolved = settings ? *settings : (struct device_settings){0};
    if (strcmp(spec, "auto") == 0)
        return open_first(&resolved, error);
    const char *colon = strchr(spec, ':');
    const struct device_backend *backend = find(spec, colon ? (size_t)(colon - spec) : strlen(spec));
    if (!backend)
        return unknown(spec, error);
    if (colon && !read_ordinal(spec, colon + 1, &resolved.ordinal, error))
        return NULL;
    return open_backend(backend, &resolved, error);
}

void device_close(struct device *device)
{
    if (device)
        device->ops->close(device);
}
