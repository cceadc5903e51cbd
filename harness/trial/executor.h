// SPDX-License-Identifier: MIT
// Inside of an executor; only execute*.c see it.
#pragma once

#include "trial/execute.h"
#include "trial/execute_settings.h"

struct executor {
    struct device *device;
    char device_spec[32];
    struct device_settings settings;

    struct scene *scene;
    char scene_name[TRIAL_TEXT];
    struct scene_tree_options tree;
    bool uploaded;
    struct scene_on_device on_device;

    void (*progress)(void *context, const char *step, double fraction);
    void *progress_context;
};

// Builds one of the variant's two programs. NULL and an error otherwise.
struct device_program *executor_build(struct device *device, const struct trial_spec *spec, bool counting,
                                      struct error *error);
// Looks the variant up and asks whether it can run so. ERROR_UNSUPPORTED where not.
const struct variant *executor_variant(const struct device_properties *properties, const struct trial_spec *spec,
                                       struct error *error);
// Closes the device: after a failure it may be in any state.
void executor_drop_device(struct executor *executor);
