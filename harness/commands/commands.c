// SPDX-License-Identifier: MIT
#include "commands/commands.h"

const struct command *const command_rows[] = {
    &command_run,         &command_plan,       &command_status,     &command_show,   &command_redo,   &command_report,
    &command_sweep_table, &command_sweep_plot, &command_compare,    &command_merge,  &command_query,  &command_copy,
    &command_export,      &command_list,       &command_render,     &command_verify, &command_scene,  &command_facts,
    &command_bench,       &command_doctor,     &command_completion, &command_man,    &command_worker, NULL,
};
