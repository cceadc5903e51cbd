// SPDX-License-Identifier: MIT
#include "trees/wide_order.h"

#include <math.h>
#include <string.h>

#include "trees/wide.h"

enum { COST_UNIT = 1 << 16 };

static double child_centre(const struct wide_children_boxes *boxes, uint32_t c, uint32_t axis)
{
    return 0.5 * ((double)boxes->low[c][axis] + (double)boxes->high[c][axis]);
}

static uint32_t axis_count(uint32_t slots)
{
    return slots == 8 ? 3 : slots == 4 ? 2 : 1;
}

uint32_t wide_axes(const struct wide_children_boxes *boxes)
{
    double extent[3];
    uint32_t axes = 0, taken = 0;
    if (boxes->slots == 8)
        return 0 | 1 << 2 | 2 << 4;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t c = 0; c < boxes->count; ++c) {
            low = fmin(low, child_centre(boxes, c, axis));
            high = fmax(high, child_centre(boxes, c, axis));
        }
        extent[axis] = high - low;
    }
    for (uint32_t i = 0; i < axis_count(boxes->slots); ++i) {
        uint32_t best = 3;
        for (uint32_t axis = 0; axis < 3; ++axis)
            if (!(taken >> axis & 1) && (best == 3 || extent[axis] > extent[best]))
                best = axis;
        taken |= 1u << best;
        axes |= best << 2 * i;
    }
    return axes;
}

// Where the children's centres lie about that of the node, in steps of the largest such distance.
static void centre_steps(const struct wide_children_boxes *boxes, int64_t steps[WIDE_MOST][3])
{
    double offset[WIDE_MOST][3], largest = 0.0;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t c = 0; c < boxes->count; ++c) {
            low = fmin(low, (double)boxes->low[c][axis]);
            high = fmax(high, (double)boxes->high[c][axis]);
        }
        for (uint32_t c = 0; c < boxes->count; ++c) {
            offset[c][axis] = child_centre(boxes, c, axis) - 0.5 * (low + high);
            largest = fmax(largest, fabs(offset[c][axis]));
        }
    }
    for (uint32_t c = 0; c < boxes->count; ++c)
        for (uint32_t axis = 0; axis < 3; ++axis)
            steps[c][axis] = largest > 0.0 ? (int64_t)(offset[c][axis] / largest * COST_UNIT) : 0;
}

void wide_costs(uint32_t axes, const struct wide_children_boxes *boxes, struct wide_cost_table *costs)
{
    int64_t steps[WIDE_MOST][3];
    memset(costs, 0, sizeof *costs);
    centre_steps(boxes, steps);
    for (uint32_t c = 0; c < boxes->count; ++c)
        for (uint32_t s = 0; s < boxes->slots; ++s)
            for (uint32_t i = 0; i < axis_count(boxes->slots); ++i)
                costs->of[c][s] += s >> i & 1 ? -steps[c][axes >> 2 * i & 3] : steps[c][axes >> 2 * i & 3];
}

// ---- auction

struct auction {
    uint32_t count;
    int64_t benefit[WIDE_MOST][WIDE_MOST], price[WIDE_MOST], step;
    uint32_t owner[WIDE_MOST], *slot_of; // count: none
};

// The child bids for its best slot so much that it would be as content with its second best, and a step more.
static void auction_bid(struct auction *auction, uint32_t child)
{
    int64_t best = INT64_MIN, second = INT64_MIN;
    uint32_t wanted = 0;
    for (uint32_t s = 0; s < auction->count; ++s) {
        const int64_t value = auction->benefit[child][s] - auction->price[s];
        if (value > best) {
            second = best;
            best = value;
            wanted = s;
        } else if (value > second) {
            second = value;
        }
    }
    const uint32_t loser = auction->owner[wanted];
    if (loser < auction->count)
        auction->slot_of[loser] = auction->count;
    auction->owner[wanted] = child;
    auction->slot_of[child] = wanted;
    auction->price[wanted] += (auction->count > 1 ? best - second : 0) + auction->step;
}

static void assign_all(struct auction *auction)
{
    bool all = false;
    for (uint32_t i = 0; i < auction->count; ++i)
        auction->owner[i] = auction->slot_of[i] = auction->count;
    while (!all) {
        all = true;
        for (uint32_t child = 0; child < auction->count; ++child)
            if (auction->slot_of[child] == auction->count) {
                auction_bid(auction, child);
                all = false;
            }
    }
}

// With costs multiplied by more than the number of children, a last step of 1 gives the optimum: the sum is off by less
// than one unit of the costs.
void wide_auction(uint32_t count, const struct wide_cost_table *costs, uint32_t slot_of[WIDE_MOST])
{
    enum { FINER = 5 };
    struct auction auction = {.count = count, .slot_of = slot_of};
    int64_t largest = 1;
    for (uint32_t c = 0; c < count; ++c)
        for (uint32_t s = 0; s < count; ++s) {
            auction.benefit[c][s] = -costs->of[c][s] * (count + 1);
            largest = auction.benefit[c][s] > largest ? auction.benefit[c][s] : largest;
        }
    for (auction.step = largest / 2 + 1;; auction.step = auction.step / FINER + 1) {
        assign_all(&auction);
        if (auction.step == 1)
            return;
    }
}

// ---- greedy

static void assign_greedily(const struct wide_children_boxes *boxes, const struct wide_cost_table *costs,
                            uint32_t slot_of[WIDE_MOST])
{
    uint32_t children = 0, slots = 0; // those that are taken
    for (uint32_t i = 0; i < boxes->count; ++i) {
        uint32_t best_child = WIDE_MOST, best_slot = 0;
        for (uint32_t c = 0; c < boxes->count; ++c)
            for (uint32_t s = 0; s < boxes->slots; ++s)
                if (!(children >> c & 1) && !(slots >> s & 1) &&
                    (best_child == WIDE_MOST || costs->of[c][s] < costs->of[best_child][best_slot])) {
                    best_child = c;
                    best_slot = s;
                }
        slot_of[best_child] = best_slot;
        children |= 1u << best_child;
        slots |= 1u << best_slot;
    }
}

void wide_order(uint32_t order, uint32_t axes, const struct wide_children_boxes *boxes, uint32_t slot_of[WIDE_MOST])
{
    struct wide_cost_table costs;
    for (uint32_t c = 0; c < WIDE_MOST; ++c)
        slot_of[c] = c;
    if (order == CHILD_ORDER_NONE || boxes->count == 0)
        return;
    wide_costs(axes, boxes, &costs);
    if (order == CHILD_ORDER_GREEDY)
        assign_greedily(boxes, &costs, slot_of);
    else
        wide_auction(boxes->slots, &costs, slot_of);
}
