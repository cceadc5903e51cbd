// SPDX-License-Identifier: MIT
// The table of commands: one file and one row each.
#pragma once

#include "commands/command_line.h"

extern const struct command *const command_rows[]; // ends with NULL

extern const struct command command_run, command_plan, command_status, command_show, command_redo, command_list,
    command_render, command_query, command_report, command_sweep_table, command_sweep_plot, command_verify,
    command_scene, command_facts, command_bench, command_doctor, command_worker, command_compare, command_merge,
    command_export, command_completion, command_man, command_copy;
