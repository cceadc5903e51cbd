// SPDX-License-Identifier: MIT
#include "plan/error_line.h"

#include <string.h>

bool error_line_axis(const struct experiment *experiment, const char *axis, const char *text, struct error *error)
{
    for (size_t i = 0; i < experiment->axis_count; ++i)
        for (size_t j = 0; !strcmp(experiment->axes[i].name, axis) && j < experiment->axes[i].count; ++j)
            if (!strcmp(experiment->axes[i].values[j].text, text) && experiment->axes[i].values[j].line > 0) {
                snprintf(error->file, sizeof error->file, "%s", experiment->path);
                error->line = experiment->axes[i].values[j].line;
                return true;
            }
    return false;
}

void error_line_scene(const struct experiment *experiment, const struct trial_spec *spec, struct error *error)
{
    if (!error->file[0] && error->kind == ERROR_USE &&
        !(spec->camera[0] && error_line_axis(experiment, "camera", spec->camera, error)))
        error_line_axis(experiment, "scene", spec->scene, error);
}
