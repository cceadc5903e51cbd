// SPDX-License-Identifier: MIT
// Pictures of the scenes that stand in for a paper's, rendered for the report.
#pragma once

#include "report/staging.h"
#include "report/table.h"

// Renders every scene at hand that stands in for one of the figure's (the built-in `open` where there is none) as
// NAME.png and NAME.exr, and all of them on one sheet, FIGURE.png, with their places in FIGURE.txt. Scenes that are not
// at hand are named in `remarks`, with what to do. `scene` (may be NULL) asks for one scene only.
bool pictures_render(struct staging *staging, const struct paper *paper, const struct paper_figure *figure,
                     const char *scene, FILE *remarks, struct error *error);
