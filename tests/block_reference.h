// SPDX-License-Identifier: MIT
// What a persistent kernel with ordered tickets does, as a plain loop: in each trip the lanes that are not busy take the
// next items in the order of their numbers. Item i keeps a lane busy for in[i] trips; out[i] = who took it, from 1.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Returns the trips that every lane takes.
static inline uint32_t drain_plainly(const uint32_t *in, uint32_t items, uint32_t lanes, uint32_t *out)
{
    uint32_t *busy = calloc(lanes, sizeof *busy), next = 0, trips = 0;
    for (bool more = busy != NULL; more; ++trips) {
        more = next < items;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            more |= busy[lane] > 0;
            if (busy[lane] == 0 && next < items) {
                out[next] = 1 + lane;
                busy[lane] = in[next++];
            }
            busy[lane] -= busy[lane] > 0;
        }
    }
    free(busy);
    return trips;
}
