// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"

// What `auto` stands for on this machine: the first backend that is usable.
const char *device_auto(void);
// Checks a device as a user writes it: auto, emulator, cuda, cuda:1, cpu, null. Suggests the nearest.
bool device_check_name(const char *spec, struct error *error);
// Whether times on the device of this spec mean anything; true also where it is not known.
bool device_has_clock(const char *spec);
// The backend of a spec is usable here; else the error says why and what mends it.
bool device_check_usable(const char *spec, struct error *error);
