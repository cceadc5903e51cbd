// SPDX-License-Identifier: MIT
// What several commands do alike.
#pragma once

#include "commands/command_line.h"
#include "device/device.h"
#include "frame/parameters.h"
#include "store/store.h"

// The database of --db, or the default one: its path, which lives as long as the program, or open.
const char *command_database(const struct command_line *line);
struct store *command_open_store(const struct command_line *line, enum store_mode mode, struct error *error);

// The device that an option names, or the one that `auto` is here.
const char *command_device(const struct command_line *line, const char *option);
// A trial from --variant, --device, --camera and any number of --set NAME=VALUE; scene from `scene`. Device `auto` is
// resolved.
bool command_trial_spec(const struct command_line *line, const char *scene, struct trial_spec *spec,
                        struct error *error);
// Whether the database has a view or table of that name; else an error with a suggestion.
bool command_check_relation(struct store *store, const char *name, struct error *error);
// Sets what every --set NAME=VALUE says.
bool command_set_parameters(const struct command_line *line, struct parameters *parameters, struct error *error);
// The same where only these have an effect, "NAME, NAME, ...": others are refused.
bool command_set_of(const struct command_line *line, const char *names, struct parameters *parameters,
                    struct error *error);

// One line of a tree that a device built by itself over so many triangles, and by what it traverses it.
void command_print_structure(const struct device_structure *structure, const struct device_tracing *tracing,
                             uint64_t triangles);

#define COMMAND_OPTION_DEVICE                                                                                          \
    "device", "DEVICE", "auto, emulator, cuda, cuda:N, cpu, opencl or opencl:N; default auto", 'd'
// For command_set_of: what determines a tree, and what else its traversal.
#define TREE_PARAMETERS                                                                                                \
    "tree, top_tree, instances, splits, reinsert, leaf_size, bins, tree_width, child_order, node_align, tree_stack, "  \
    "kd_order, triangle_test, optix_build, optix_compact"
#define TRAVERSAL_PARAMETERS                                                                                           \
    "traversal, far_first, kd_step, kd_stack, affine_order, tree_loads, reorder, block, registers, warp_width, "       \
    "lane_order, threads"
#define COMMAND_OPTION_SET "set", "NAME=VALUE", "sets a parameter; may be repeated (see list parameters)", 's'
