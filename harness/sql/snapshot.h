// SPDX-License-Identifier: MIT
#pragma once

#include "sql/handle.h"

// All that is stored at this moment as a new file, whole also while a run writes the database; it has its name only once it is
// complete. Errors: there is such a file; no space.
bool sql_snapshot(struct sql *db, const char *path, struct error *error);
