// SPDX-License-Identifier: MIT
#include "device/device.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct device_backend device_cuda_backend, device_emulator_backend, device_cpu_backend,
    device_opencl_backend, device_null_backend;

const struct device_backend *const device_backends[] = {
    &device_cuda_backend,   &device_emulator_backend, &device_cpu_backend,
    &device_opencl_backend, &device_null_backend,     NULL,
};

const char *const device_kind_names[DEVICE_KINDS] = {"gpu", "processor", "model", "nothing"};

enum { MAX_NAMES = 16 };

// ---- finding

static const struct device_backend *find_name(const char *name, size_t length)
{
    for (size_t i = 0; device_backends[i]; i++)
        if (strlen(device_backends[i]->name) == length && strncmp(device_backends[i]->name, name, length) == 0)
            return device_backends[i];
    return NULL;
}

const struct device_backend *device_find(const char *spec)
{
    const size_t length = strcspn(spec, ":");
    const char *ordinal = spec[length] ? spec + length + 1 : "0";
    return *ordinal && !ordinal[strspn(ordinal, "0123456789")] ? find_name(spec, length) : NULL;
}

void device_name_of(const char *spec, char name[DEVICE_NAME_TEXT])
{
    snprintf(name, DEVICE_NAME_TEXT, "%.*s", (int)strcspn(spec, ":"), spec);
}

bool device_is(const char *spec, enum device_kind kind)
{
    const struct device_backend *backend = device_find(spec);
    return backend && backend->kind == kind;
}

bool device_has_option(const char *spec, const char *parameter)
{
    const struct device_backend *backend = device_find(spec);
    for (size_t i = 0; backend && backend->options && backend->options[i]; ++i)
        if (!strcmp(backend->options[i], parameter))
            return true;
    return false;
}

const char *device_unavailable(const struct device_backend *backend)
{
    return backend->unavailable ? backend->unavailable() : NULL;
}

static const struct device_backend *find_usable(void)
{
    for (size_t i = 0; device_backends[i]; i++)
        if (device_backends[i]->kind != DEVICE_NOTHING && !device_unavailable(device_backends[i]))
            return device_backends[i];
    return NULL;
}

const char *device_auto(void)
{
    const struct device_backend *backend = find_usable();
    return backend ? backend->name : device_emulator_backend.name;
}

bool device_suggest(const char *spec, const char *otherwise, struct error *error)
{
    const char *names[MAX_NAMES + 1] = {"auto"};
    size_t count = 1;
    for (size_t i = 0; device_backends[i] && count + 1 < MAX_NAMES; i++) {
        names[count++] = device_backends[i]->name;
        if (device_backends[i]->numbered)
            names[count++] = device_backends[i]->numbered;
    }
    if (!strcmp(spec, "gpu")) // whose nearest name is cpu
        return error_remedy(error, "did you mean '%s'?", device_cuda_backend.name);
    return otherwise ? error_near(error, spec, names, "%s", otherwise) : error_near(error, spec, names, NULL);
}

// ---- opening

static struct device *open_backend(const struct device_backend *backend, const struct device_settings *settings,
                                   struct error *error)
{
    const char *why = device_unavailable(backend);
    if (!why)
        return backend->open(settings, error);
    error_set(error, ERROR_UNSUPPORTED, "device '%s' cannot be used here: %s", backend->name, why);
    return NULL;
}

static struct device *open_first(const struct device_settings *settings, struct error *error)
{
    const struct device_backend *backend = find_usable();
    if (backend)
        return backend->open(settings, error);
    error_set(error, ERROR_UNSUPPORTED, "no device can be used on this machine");
    return NULL;
}

static struct device *unknown(const char *spec, struct error *error)
{
    error_set(error, ERROR_USE, "there is no device '%s'", spec);
    device_suggest(spec, "use auto, or a name that `list devices` shows", error);
    return NULL;
}

// The N of "cuda:N".
static bool read_ordinal(const char *spec, const char *text, const struct device_backend *backend, uint32_t *ordinal,
                         struct error *error)
{
    char *end;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    if (!backend->numbered)
        return error_set(error, ERROR_USE, "device '%s': %s takes no number", spec, backend->name);
    if (text[0] < '0' || text[0] > '9' || *end || errno || value > INT_MAX)
        return error_set(error, ERROR_USE, "device '%s': '%s' is not the number of a device", spec, text);
    *ordinal = (uint32_t)value;
    return true;
}

struct device *device_open(const char *spec, const struct device_settings *settings, struct error *error)
{
    struct device_settings resolved = settings ? *settings : (struct device_settings){0};
    if (strcmp(spec, "auto") == 0)
        return open_first(&resolved, error);
    const char *colon = strchr(spec, ':');
    const struct device_backend *backend = find_name(spec, strcspn(spec, ":"));
    if (!backend)
        return unknown(spec, error);
    if (colon && !read_ordinal(spec, colon + 1, backend, &resolved.ordinal, error))
        return NULL;
    return open_backend(backend, &resolved, error);
}

void device_close(struct device *device)
{
    if (device)
        device->ops->close(device);
}
