// SPDX-License-Identifier: MIT
// Pictures of the scenes that stand in for a paper's, as a contact sheet.
#pragma once

#include "report/plot.h"

// Makes NAME.png of every scene that stands in for one of the figure's (of the built-in `open` where there is none),
// FIGURE.csv and FIGURE.txt, which list them, and begins the sheet that paper_figures/PAPER/FIGURE.gp draws from the list.
// Pictures come from the database (a path; NULL or no such file: there are none). Those that it lacks are named in
// `remarks`, with the command that makes them. `scene` (may be NULL) asks for one scene only. ERROR_USE where there is
// no picture at all.
bool pictures_make(struct staging *staging, struct plots *plots, const struct paper *paper,
                   const struct paper_figure *figure, const char *database, const char *scene, FILE *remarks,
                   struct error *error);
