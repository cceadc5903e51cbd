// SPDX-License-Identifier: MIT
// Benchmarks that users run: the rows of `bench`.
#pragma once

#include "commands/shared.h"
#include "commands/text_table.h"

// The trace of a pipeline, round by round.
bool bench_rounds(const struct command_line *line, struct error *error);
bool bench_rays(const struct command_line *line, struct error *error);
