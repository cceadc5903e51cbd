// SPDX-License-Identifier: MIT
#include "run/device_choice.h"

#include <stdlib.h>
#include <string.h>

#include "device/device.h"

const char *device_auto(void)
{
    for (const struct device_backend *const *row = device_backends; *row; ++row)
        if (!(*row)->unavailable || !(*row)->unavailable())
            return (*row)->name;
    return "emulator";
}

// The backend that a spec names, with or without an ordinal.
static const struct device_backend *find_backend(const char *spec)
{
    const size_t length = strcspn(spec, ":");
    for (const struct device_backend *const *row = device_backends; *row; ++row) {
        const struct device_backend *backend = *row;
        if (strlen(backend->name) != length || memcmp(backend->name, spec, length))
            continue;
        if (!spec[length])
            return backend;
        char *end;
        strtoul(spec + length + 1, &end, 10);
        return spec[length + 1] >= '0' && spec[length + 1] <= '9' && !*end ? backend : NULL;
    }
    return NULL;
}

bool device_check_name(const char *spec, struct error *error)
{
    if (!strcmp(spec, "auto") || find_backend(spec))
        return true;
    const char *names[16] = {"auto"};
    size_t count = 1;
    for (const struct device_backend *const *row = device_backends; *row && count < 15; ++row)
        names[count++] = (*row)->name;
    error_set(error, ERROR_USE, "unknown device '%s'", spec);
    if (!strcmp(spec, "gpu")) // whose nearest name is cpu
        return error_remedy(error, "did you mean 'cuda'?");
    return error_near(error, spec, names, "see warpstudy list devices");
}

bool device_has_clock(const char *spec)
{
    const struct device_backend *backend = find_backend(strcmp(spec, "auto") ? spec : device_auto());
    return !backend || !backend->untimed;
}

bool device_check_usable(const char *spec, struct error *error)
{
    const struct device_backend *backend = find_backend(strcmp(spec, "auto") ? spec : device_auto());
    if (!backend)
        return device_check_name(spec, error);
    const char *reason = backend->unavailable ? backend->unavailable() : NULL;
    if (!reason)
        return true;
    error_set(error, ERROR_USE, "device %s cannot be used here: %s", spec, reason);
    return error_remedy(error, "use --device emulator, or see warpstudy doctor");
}
