// SPDX-License-Identifier: MIT
#include "plan/device_choice.h"

#include <stdlib.h>
#include <string.h>

#include "device/device.h"

bool device_check_name(const char *spec, struct error *error)
{
    if (!strcmp(spec, "auto") || device_find(spec))
        return true;
    error_set(error, ERROR_USE, "unknown device '%s'", spec);
    return device_suggest(spec, "see warpstudy list devices", error);
}

static const struct device_backend *choice_find(const char *spec)
{
    return device_find(strcmp(spec, "auto") ? spec : device_auto());
}

bool device_has_clock(const char *spec)
{
    const struct device_backend *backend = choice_find(spec);
    return !backend || backend->has_times;
}

bool device_check_usable(const char *spec, struct error *error)
{
    const struct device_backend *backend = choice_find(spec);
    if (!backend)
        return device_check_name(spec, error);
    const char *reason = device_unavailable(backend);
    if (!reason)
        return true;
    error_set(error, ERROR_USE, "device %s cannot be used here: %s", spec, reason);
    return error_remedy(error, "use --device emulator, or see warpstudy doctor");
}

// ---- several of them

static bool add_all(struct device_list *list)
{
    const struct device_backend *backend = choice_find("auto");
    const uint32_t count = backend->count ? backend->count() : 1;
    list->backend = backend->name;
    for (list->count = 0; list->count < count && list->count < DEVICES_MOST; ++list->count)
        list->ordinals[list->count] = (uint32_t)list->count;
    return true;
}

static bool add_one(const char *word, struct device_list *list, struct error *error)
{
    const struct device_backend *backend = device_find(word);
    const char *number = strchr(word, ':');
    const unsigned long ordinal = number ? strtoul(number + 1, NULL, 10) : 0;
    if (!backend) {
        error_set(error, ERROR_USE, "--devices: '%s' is no device", word);
        return error_remedy(error, "write a list such as cuda:0,cuda:1, or all");
    }
    if (list->backend && list->backend != backend->name) {
        error_set(error, ERROR_USE, "--devices: %s and %s are of different kinds", list->backend, word);
        return error_remedy(error, "run each kind by itself: results of different devices are different trials");
    }
    for (size_t i = 0; i < list->count; ++i)
        if (list->ordinals[i] == ordinal) {
            error_set(error, ERROR_USE, "--devices: %s:%lu is in the list twice", backend->name, ordinal);
            return error_remedy(error, "name each device once");
        }
    if (device_unavailable(backend))
        return device_check_usable(backend->name, error);
    const uint32_t there = backend->count ? backend->count() : DEVICES_MOST;
    if (ordinal >= there || list->count == DEVICES_MOST) {
        error_set(error, ERROR_USE, "--devices: there is no %s: %u of them are numbered from 0", word, there);
        return error_remedy(error, "warpstudy doctor lists GPUs; a run has at most %d devices", DEVICES_MOST);
    }
    list->backend = backend->name;
    list->ordinals[list->count++] = (uint32_t)ordinal;
    return true;
}

bool device_list_parse(const char *text, struct device_list *list, struct error *error)
{
    char copy[512], *place = copy, *word;
    *list = (struct device_list){0};
    if (!strcmp(text, "all"))
        return add_all(list);
    if (strlen(text) >= sizeof copy)
        return error_set(error, ERROR_USE, "--devices: the list is too long");
    strcpy(copy, text);
    while ((word = strsep(&place, ",")))
        if (!add_one(word, list, error))
            return false;
    return true;
}
