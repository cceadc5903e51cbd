// SPDX-License-Identifier: MIT
// What `warpstudy report` does: papers, tables and figures to a stream or into a folder.
#pragma once

#include "report/report_request.h"

// ERROR_FAILED where there was nothing to report, with the command that changes it; other kinds for bad use or a bad
// database.
bool report_run(const struct report_request *request, struct error *error);
