// SPDX-License-Identifier: MIT
#include "geometry/alias.h"

#include <stdlib.h>

// The heaviest cell: what is left over by rounding may safely go there.
static uint32_t heaviest_entry(const double *weights, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; ++i)
        if (weights[i] > weights[best])
            best = i;
    return best;
}

static void alias_fill(const double *weights, uint32_t n, double *scaled, uint32_t *small, uint32_t *large,
                       struct alias_entry *table)
{
    uint32_t small_count = 0, large_count = 0;
    double sum = 0;
    for (uint32_t i = 0; i < n; ++i)
        sum += weights[i];
    for (uint32_t i = 0; i < n; ++i) {
        scaled[i] = weights[i] / sum * n;
        if (scaled[i] < 1)
            small[small_count++] = i;
        else
            large[large_count++] = i;
    }
    while (small_count && large_count) {
        const uint32_t less = small[--small_count], more = large[large_count - 1];
        table[less] = (struct alias_entry){(float)scaled[less], more};
        scaled[more] = (scaled[more] + scaled[less]) - 1;
        if (scaled[more] < 1) {
            --large_count;
            small[small_count++] = more;
        }
    }
    while (large_count) {
        const uint32_t i = large[--large_count];
        table[i] = (struct alias_entry){1, i};
    }
    const uint32_t best = heaviest_entry(weights, n);
    while (small_count) {
        const uint32_t i = small[--small_count];
        table[i] = weights[i] > 0 ? (struct alias_entry){1, i} : (struct alias_entry){0, best};
    }
}

bool alias_build(const double *weights, uint32_t n, struct alias_entry *table, struct error *error)
{
    double *scaled = malloc(n * sizeof *scaled);
    uint32_t *small = malloc(n * sizeof *small), *large = malloc(n * sizeof *large);
    const bool done = scaled && small && large;
    if (done)
        alias_fill(weights, n, scaled, small, large, table);
    else
        error_memory(error, "for an alias table of %u cells", n);
    free(scaled);
    free(small);
    free(large);
    return done;
}
