// SPDX-License-Identifier: MIT
// The flat table that light_search: cdf searches (see struct environment). Two passes over the grid: the first finds
// where each row begins, the second writes rows in any order, so that a table larger than the host's memory is no
// problem.
#pragma once

#include <stdint.h>

#include "base/error.h"
#include "geometry/types.h"

enum { ENVIRONMENT_CDF_WIDTH = 16384 }; // most columns

struct environment_cdf {
    const struct environment *map; // not owned
    uint32_t width, height;
    double *row_weight; // height + 1: luminance times solid angle before each row
    uint64_t *row_lit;  // height + 1: texels with light before each row
};

// `width` at most ENVIRONMENT_CDF_WIDTH, `height` even, 2^32 - 1 texels at most; the map must not be black. Finish it
// also after a failure.
bool environment_cdf_begin(struct environment_cdf *cdf, const struct environment *map, uint32_t width, uint32_t height,
                           struct error *error);
// Entries of `count` rows from the `first` on. The same bits on every machine, whatever the number of threads.
void environment_cdf_rows(struct environment_cdf *cdf, uint32_t first, uint32_t count, uint32_t *entries);
// height / 2 + 1 values of struct environment's cdf_half_sine2.
void environment_cdf_half_sine2(const struct environment_cdf *cdf, float *values);
void environment_cdf_finish(struct environment_cdf *cdf);
