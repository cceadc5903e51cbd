// SPDX-License-Identifier: MIT
// What several commands do alike.
#pragma once

#include "commands/commands.h"
#include "store/store.h"
#include "trial/parameters.h"

// Opens the database of --db, or the default one.
struct store *command_open_store(const struct command_line *line, enum store_mode mode, struct error *error);

// A trial from --variant, --device, --camera and any number of --set NAME=VALUE; scene from `scene`. Device `auto` is
// resolved.
bool command_trial_spec(const struct command_line *line, const char *scene, struct trial_spec *spec,
                        struct error *error);
// Whether the database has a view or table of that name; else an error with a suggestion.
bool command_check_relation(struct store *store, const char *name, struct error *error);
// One NAME=VALUE.
bool command_set_parameter(struct parameters *parameters, const char *text, struct error *error);

#define COMMAND_OPTION_DEVICE                                                                                          \
    {                                                                                                                  \
        "device", "DEVICE", "auto, emulator, cuda, cuda:N or cpu; default auto", 'd'                                   \
    }
#define COMMAND_OPTION_SET                                                                                             \
    {                                                                                                                  \
        "set", "NAME=VALUE", "sets a parameter; may be repeated (see list parameters)", 's'                            \
    }
