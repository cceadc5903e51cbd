// SPDX-License-Identifier: MIT
// The figure of a comparison of two runs.
#pragma once

#include <stdio.h>

#include "store/store.h"

// From the table `compared` (store/compare.h): ratios of the settings that both sides timed, as compare.csv, compare.gp and pictures, whose
// paths go to `stream`. Without gnuplot the pictures are missing, and `remarks` says so. `a`, `b`: what the sides are called. ERROR_FAILED:
// no setting was timed on both.
bool compare_plot(struct store *both, const char *a, const char *b, const char *folder, FILE *stream, FILE *remarks,
                  struct error *error);
