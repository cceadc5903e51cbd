// SPDX-License-Identifier: MIT
// A report as a folder.
#pragma once

#include "report/report_making.h"

// Everything chosen, into the request's folder. `folder`: its path.
bool report_into_folder(struct making *making, const struct report_choice *choice, const char *folder,
                        struct error *error);
