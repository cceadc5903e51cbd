// SPDX-License-Identifier: MIT
// What the kernels of block_kernels.h do, as plain loops.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline int compare_pairs(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    if (left[0] != right[0])
        return left[0] < right[0] ? -1 : 1;
    return (left[1] > right[1]) -
           (left[1] < right[1]); // the value is the place it had: a stable sort keeps it in order
}

static inline uint32_t draw_plainly(uint32_t a, uint32_t b, uint32_t round)
{
    return ((a ^ b * 0x9E3779B9u) * 0x85EBCA6Bu + round) / 4;
}

// The rounds of one block of `block` lanes: pairs of key and value in `out`.
static inline void sort_rounds_plainly(const uint32_t *in, uint32_t block, uint32_t rounds, uint32_t mask,
                                       uint32_t *out)
{
    for (uint32_t i = 0; i < block; ++i) {
        out[2 * i] = in[i];
        out[2 * i + 1] = 0;
    }
    for (uint32_t round = 0; round < rounds; ++round) {
        for (uint32_t i = 0; i < block; ++i) {
            out[2 * i] = draw_plainly(out[2 * i], out[2 * i + 1], round) & mask;
            out[2 * i + 1] = i;
        }
        qsort(out, block, 2 * sizeof *out, compare_pairs);
    }
}

// The same of scans or, where `flags`, of ranks: what came before a lane, and the total.
static inline void scan_rounds_plainly(const uint32_t *in, uint32_t block, uint32_t rounds, uint32_t mask, bool flags,
                                       uint32_t *out)
{
    uint32_t *drawn = malloc(block * sizeof *drawn), total = 0;
    for (uint32_t i = 0; drawn && i < block; ++i) {
        drawn[i] = in[i];
        out[2 * i] = 0;
    }
    for (uint32_t round = 0; drawn && round < rounds; ++round) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < block; ++i) {
            const uint32_t next = draw_plainly(drawn[i] ^ out[2 * i], total, round);
            out[2 * i] = sum;
            drawn[i] = flags ? next : next & mask;
            sum += flags ? (next & mask) != 0 : drawn[i];
        }
        total = sum;
    }
    for (uint32_t i = 0; i < block; ++i)
        out[2 * i + 1] = total;
    free(drawn);
}

// What a persistent kernel with ordered tickets does, as a plain loop: in each trip the lanes that are not busy take the
// next items in the order of their numbers. Item i keeps a lane busy for in[i] trips; out[i] = who took it, from 1.
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
