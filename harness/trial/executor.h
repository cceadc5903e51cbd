// SPDX-License-Identifier: MIT
// Inside of an executor; only execute*.c, programs.c and scenes.c see it, and of what is outside those who ask executor_variant().
#pragma once

#include "trial/execute_settings.h"

struct trial_spec;
struct variant;
struct known_program;
struct kept_scene;

struct executor {
    struct device *device;
    char device_spec[32];
    int32_t ordinal; // of the device that a spec without a number means; -1: the first
    struct device_settings settings;
    bool asked_foreign; // once per device: it is slow
    int32_t foreign_processes;
    struct known_program *programs; // of this device: released with it
    uint64_t program_uses;

    struct kept_scene *scenes; // by their latest use

    void *film_slices[2]; // host memory that the device copies to, kept over executions, freed with it

    void (*progress)(void *context, const char *step, double fraction);
    void *progress_context;
};

// Looks the variant up and asks whether it can run so. ERROR_UNSUPPORTED where not.
const struct variant *executor_variant(const struct device_properties *properties, const struct trial_spec *spec,
                                       struct error *error);
// Whether this device can traverse the tree of such a trial. ERROR_UNSUPPORTED where not.
bool executor_can_trace(struct device *device, const struct trial_spec *spec, struct error *error);
// Closes the device: after a failure it may be in any state.
void executor_drop_device(struct executor *executor);

// ---- programs.c: one of a variant's two builds. The device must be open.

// Loaded, and the executor's: it keeps a few that were used last. NULL and an error otherwise.
struct device_program *executor_program(struct executor *executor, const struct trial_spec *spec, bool counting,
                                        struct error *error);
// Its provenance, remembered also where the program is not loaded any more.
const char *executor_provenance(struct executor *executor, const struct trial_spec *spec, bool counting,
                                struct error *error);
void executor_forget_programs(struct executor *executor);

// ---- scenes.c

// Both live until the next execution.
struct executor_scene {
    const struct scene *scene;
    const struct scene_view *view;            // on the device
    const struct device_structure *structure; // as in scene_on_device
};
// Opens the spec's scene and copies it to the device, which must be open, where either is not done already.
bool executor_upload_scene(struct executor *executor, const struct trial_spec *spec, struct executor_scene *scene,
                           struct error *error);
// What is counted of the tree of the scene that was uploaded last: found once for as long as the scene stays open. NULL and
// an error where there is no memory to find it. The executor's.
const struct bounce_counts *executor_tree_counts(struct executor *executor, struct error *error);
void executor_release_scenes(struct executor *executor); // from the device
void executor_close_scenes(struct executor *executor);

// ---- programs.c

// A build with the constants that it points to; it must stay where it was made.
struct executor_build {
    struct device_build build;
    struct device_constant constants[EXECUTE_CONSTANTS];
    struct hash key;
};
void executor_build_make(const struct trial_spec *spec, bool counting, struct executor_build *made);
