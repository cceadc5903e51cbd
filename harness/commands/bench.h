// SPDX-License-Identifier: MIT
// Benchmarks that users run: the rows of `bench`.
#pragma once

#include "commands/shared.h"
#include "commands/text_table.h"

bool bench_rays(const struct command_line *line, struct error *error);
