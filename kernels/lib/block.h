// SPDX-License-Identifier: MIT
// Scan, reduction and sort within a block, for any block size and warp width. All lanes of the block call them together,
// each time with the same memory; `shared` is free again when they return.
#pragma once

#include "lib/platform.h"

enum { BLOCK_RANK_BARRIERS = 2 }; // of a rank or reduction

// Words of shared memory that a rank or reduction needs: one for each warp.
DEVICE uint32_t block_rank_words(uint32_t block, uint32_t warp)
{
    return (block + warp - 1u) / warp;
}

// What is scanned is read in runs, one a lane, and stands with one word left out behind each 32, so that the runs of a warp
// begin in different banks.
enum { SCAN_RUN = 8 }; // divides 32

DEVICE uint32_t scan_place(uint32_t index)
{
    return index + index / 32u;
}

// Words of shared memory that a scan of as many words needs: whole runs, and their sum.
DEVICE uint32_t scan_words(uint32_t words)
{
    return scan_place((words + (uint32_t)SCAN_RUN - 1u) / (uint32_t)SCAN_RUN * (uint32_t)SCAN_RUN) + 1u;
}

enum { SORT_BITS = 4, SORT_DIGITS = 1 << SORT_BITS }; // sorted by in one pass

DEVICE uint32_t block_sort_words(uint32_t block, uint32_t warp)
{
    return 2u * block + scan_words((uint32_t)SORT_DIGITS * block_rank_words(block, warp));
}

// The sum of the values of the lanes of this warp up to and including this one.
DEVICE uint32_t warp_scan_u32(uint32_t value)
{
    UNROLLED for (uint32_t distance = 1u; distance < warp_width(); distance *= 2u)
    {
        const uint32_t other = warp_shuffle_up_u32(warp_mask(), value, distance);
        value += lane_index() >= distance ? other : 0u;
    }
    return value;
}

// Turns a run into the sums of the words before them, of which the words of this warp's earlier rounds make `all`. Returns
// the sum up to the end of this lane's run, if it has one.
DEVICE uint32_t scan_runs(uint32_t *run, bool has_run, uint32_t all)
{
    LANE_LOCAL_ARRAY uint32_t own[SCAN_RUN];
    uint32_t sum = 0u;
    UNROLLED for (uint32_t i = 0u; i < (uint32_t)SCAN_RUN; ++i)
    {
        own[i] = has_run ? run[i] : 0u;
        sum += own[i];
    }
    const uint32_t up_to = all + warp_scan_u32(sum);
    uint32_t before = up_to - sum;
    UNROLLED for (uint32_t i = 0u; i < (uint32_t)SCAN_RUN; ++i)
    {
        if (has_run)
            run[i] = before;
        before += own[i];
    }
    return up_to;
}

// Turns words into the sums of those before them, and puts that of all behind them. The first warp does so, each of its
// lanes with a run at a time, as CUB's raking scan does: shuffles of every warp would keep the unit busy that serves shared
// memory, too. Call block_sync() before and after. Where the last run is not full, what stands behind its words is summed
// after them, and the sum of all is written by the run; otherwise by the lane that has the last.
DEVICE void scan_by_first_warp(uint32_t *shared, uint32_t words)
{
    if (thread_index() >= warp_width())
        return;
    const uint32_t lanes = lanemask_count(warp_mask()), round = lanes * (uint32_t)SCAN_RUN;
    uint32_t all = 0u;
    for (uint32_t base = 0u; base < words; base += round) {
        const uint32_t first = base + lane_index() * (uint32_t)SCAN_RUN;
        const uint32_t up_to = scan_runs(shared + scan_place(first), first < words, all);
        if (first + (uint32_t)SCAN_RUN == words)
            shared[scan_place(words)] = up_to;
        if (base + round < words)
            all = warp_broadcast_u32(warp_mask(), up_to, lanes - 1u);
    }
}

// The sum of the values of all lanes before this one; that of all in `total`. `shared`: scan_words() of the block.
DEVICE uint32_t block_scan_u32(uint32_t value, uint32_t *total, uint32_t *shared)
{
    shared[scan_place(thread_index())] = value;
    block_sync();
    scan_by_first_warp(shared, block_size());
    block_sync();
    const uint32_t before = shared[scan_place(thread_index())];
    *total = shared[scan_place(block_size())];
    block_sync();
    return before;
}

// The sum of a word of each warp before this one, and that of all in `total`. Each warp reads all of them, as many at a
// time as it has lanes.
DEVICE uint32_t block_over_warps(uint32_t of_warp, uint32_t *total, uint32_t *shared)
{
    const uint32_t warp = thread_index() / warp_width(), warps = block_rank_words(block_size(), warp_width());
    const uint32_t lanes = lanemask_count(warp_mask());
    if (lane_index() == 0u)
        shared[warp] = of_warp;
    block_sync();
    uint32_t before = 0u, all = 0u;
    for (uint32_t first = 0u; first < warps; first += lanes) {
        const uint32_t other = first + lane_index(), word = other < warps ? shared[other] : 0u;
        before += warp_sum_u32(warp_mask(), other < warp ? word : 0u);
        all += warp_sum_u32(warp_mask(), word);
    }
    block_sync();
    *total = all;
    return before;
}

// How many lanes before this one have the flag set, by a vote within the warp; in `total`, of all.
DEVICE uint32_t block_rank(bool flag, uint32_t *total, uint32_t *shared)
{
    const lanemask set = warp_ballot(warp_mask(), flag);
    return block_over_warps(lanemask_count(set), total, shared) + lanemask_count(set & lanemask_below(lane_index()));
}

// The same, and in `others` how many lanes of the block, which has fewer than 2^16, have another flag set.
DEVICE uint32_t block_rank_and_count(bool flag, bool other, uint32_t *total, uint32_t *others, uint32_t *shared)
{
    const lanemask set = warp_ballot(warp_mask(), flag), also = warp_ballot(warp_mask(), other);
    uint32_t both;
    const uint32_t before = block_over_warps(lanemask_count(set) | lanemask_count(also) << 16, &both, shared);
    *total = both & 0xFFFFu;
    *others = both >> 16;
    return (before & 0xFFFFu) + lanemask_count(set & lanemask_below(lane_index()));
}

DEVICE uint32_t block_sum_u32(uint32_t value, uint32_t *shared)
{
    uint32_t total;
    (void)block_over_warps(warp_sum_u32(warp_mask(), value), &total, shared);
    return total;
}

DEVICE uint32_t block_max_u32(uint32_t value, uint32_t *shared)
{
    const uint32_t of_warp = warp_max_u32(warp_mask(), value);
    const uint32_t warps = block_rank_words(block_size(), warp_width());
    if (lane_index() == 0u)
        shared[thread_index() / warp_width()] = of_warp;
    block_sync();
    uint32_t most = 0u;
    for (uint32_t i = 0u; i < warps; ++i)
        most = shared[i] > most ? shared[i] : most;
    block_sync();
    return most;
}

// Whether any lane of the block passes `p`: one barrier. `words`: BLOCK_ANY_WORDS, zero before the first call, which no
// other use shares; `call` counts the calls. Of three words one is added to, one is read by lanes that are late, and one is
// zeroed.
enum { BLOCK_ANY_WORDS = 3 };
DEVICE bool block_any(bool p, uint32_t call, uint32_t *words)
{
    uint32_t *const word = words + call % (uint32_t)BLOCK_ANY_WORDS;
    if (thread_index() == 0u)
        words[(call + 1u) % (uint32_t)BLOCK_ANY_WORDS] = 0u;
    if (warp_any(warp_mask(), p) && lane_index() == 0u)
        (void)atomic_add_u32(word, 1u);
    block_sync();
    return *word != 0u;
}

// The lanes of this warp whose digit is `digit`, of which `bits` has a vote for each bit.
DEVICE lanemask sort_digit_lanes(const lanemask bits[SORT_BITS], uint32_t digit)
{
    lanemask lanes = warp_mask();
    UNROLLED for (uint32_t bit = 0u; bit < (uint32_t)SORT_BITS; ++bit)
    {
        lanes &= (digit >> bit & 1u) != 0u ? bits[bit] : ~bits[bit];
    }
    return lanes;
}

// The place of this lane among all of the block in the order of one digit. `table` has a word for each digit of each warp,
// digits outermost.
DEVICE uint32_t sort_place(uint32_t digit, uint32_t *table)
{
    const uint32_t warps = (block_size() + warp_width() - 1u) / warp_width(), warp = thread_index() / warp_width();
    LANE_LOCAL_ARRAY lanemask bits[SORT_BITS];
    UNROLLED for (uint32_t bit = 0u; bit < (uint32_t)SORT_BITS; ++bit)
    {
        bits[bit] = warp_ballot(warp_mask(), (digit >> bit & 1u) != 0u);
    }
    for (uint32_t i = lane_index(); i < (uint32_t)SORT_DIGITS; i += lanemask_count(warp_mask()))
        table[scan_place(i * warps + warp)] = lanemask_count(sort_digit_lanes(bits, i));
    block_sync();
    scan_by_first_warp(table, (uint32_t)SORT_DIGITS * warps);
    block_sync();
    return table[scan_place(digit * warps + warp)] +
           lanemask_count(sort_digit_lanes(bits, digit) & lanemask_below(lane_index()));
}

// Stable sort by ascending key, bits [0, key_bits): lane i brings a pair, and leaves with the i-th.
DEVICE void block_sort_pairs(uint32_t *key, uint32_t *value, uint32_t key_bits, uint32_t *shared)
{
    uint32_t *keys = shared, *values = keys + block_size(), *table = values + block_size();
    for (uint32_t bit = 0u; bit < key_bits; bit += (uint32_t)SORT_BITS) {
        const uint32_t left = key_bits - bit, all = (uint32_t)SORT_DIGITS - 1u;
        const uint32_t digit = *key >> bit & (left < (uint32_t)SORT_BITS ? (1u << left) - 1u : all);
        const uint32_t place = sort_place(digit, table);
        keys[place] = *key; // what the last pass wrote there all lanes have read two barriers ago
        values[place] = *value;
        block_sync();
        *key = keys[thread_index()];
        *value = values[thread_index()];
    }
    block_sync();
}

// Barriers of such a sort.
DEVICE uint32_t block_sort_barriers(uint32_t key_bits)
{
    return (key_bits + (uint32_t)SORT_BITS - 1u) / (uint32_t)SORT_BITS * 3u + 1u;
}
