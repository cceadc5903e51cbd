// SPDX-License-Identifier: MIT
// Pictures of the scenes that stand in for a paper's, as a contact sheet.
#pragma once

#include "report/staging.h"
#include "report/table.h"

// Makes NAME.png of every scene that stands in for one of the figure's (of the built-in `open` where there is none),
// FIGURE.csv and FIGURE.txt, which list them, and the sheet that paper_figures/PAPER/FIGURE.gp draws from the list.
// Pictures come from the database (a path; NULL or no such file: from none) as `warpstudy render --store` put them
// there; others are rendered, with NAME.exr, where the scene's files are at hand: `quick` at a quarter of the size and
// of the paths, for a report that holds much else. What is left out is named in `remarks`, with what to do. `scene`
// (may be NULL) asks for one scene only. ERROR_USE where there is no picture at all.
bool pictures_render(struct staging *staging, const struct paper *paper, const struct paper_figure *figure,
                     const char *database, const char *scene, bool quick, FILE *remarks, struct error *error);
