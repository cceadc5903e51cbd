// SPDX-License-Identifier: MIT
// What rows of several tables have in common. Only for files of store/.
#pragma once

#include <stdint.h>

#include "sql/handle.h"

// Tables of names, each stored once.
enum store_names { STORE_KERNELS, STORE_METRICS, STORE_REASONS, STORE_FILES, STORE_TEXTS };
// The number of a name, which is added where it is new.
bool store_name_id(struct sql *db, enum store_names names, const char *name, int64_t *id, struct error *error);

// A bounce or launch as it is stored: -1 for MEASURED_TOTALS and MEASURED_FRAME.
static inline int64_t store_place(uint32_t number)
{
    return number == UINT32_MAX ? -1 : (int64_t)number;
}
