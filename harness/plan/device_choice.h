// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "base/error.h"

// Devices of one backend that share a run.
enum { DEVICES_MOST = 16 };
struct device_list {
    const char *backend; // static; NULL where the list is empty
    uint32_t ordinals[DEVICES_MOST];
    size_t count;
};
// As a user writes it: cuda:0,cuda:1, or all: those of `auto`. ERROR_USE: none, one twice, unknown ones, of different
// backends.
bool device_list_parse(const char *text, struct device_list *list, struct error *error);

// Checks a device as a user writes it: auto, emulator, cuda, cuda:1, cpu, null. Suggests the nearest.
bool device_check_name(const char *spec, struct error *error);
// Whether times on the device of this spec mean anything; true also where it is not known.
bool device_has_clock(const char *spec);
// The backend of a spec is usable here; else the error says why and how to correct it.
bool device_check_usable(const char *spec, struct error *error);
