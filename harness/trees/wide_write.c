// SPDX-License-Identifier: MIT
#include "trees/wide_write.h"

#include <math.h>
#include <string.h>

void wide_write(const struct wide_content *content, void *node)
{
    const uint32_t slots = content->slot_count;
    float words[WIDE_WORDS] = {0};
    for (uint32_t s = 0; s < slots; ++s) {
        const struct wide_slot *slot = &content->slots[s];
        int32_t child = WIDE_EMPTY;
        if (slot->present)
            child = slot->inner ? (int32_t)(slot->node * (content->node_bytes / 16))
                                : bvh_leaf_make(slot->first, slot->count);
        for (uint32_t axis = 0; axis < 3 && slot->present; ++axis) {
            words[2 * axis * slots + s] = slot->low[axis];
            words[(2 * axis + 1) * slots + s] = slot->high[axis];
        }
        memcpy(&words[WIDE_CHILD_ROW * slots + s], &child, sizeof child);
    }
    if (slots < WIDE_MOST)
        memcpy(&words[WIDE_AXES_ROW * slots], &content->axes, sizeof content->axes);
    memcpy(node, words, content->node_bytes);
}

// ---- compressed

// The sign of origin + steps 2^(exponent - 127) - plane. Steps times a power of two is exact in a double; of the sum, what
// its rounding loses is exact as well.
static int wide_write_compare(float origin, uint32_t steps, uint32_t exponent, float plane)
{
    const double offset = ldexp((double)steps, (int)exponent - 127), sum = (double)origin + offset;
    const double part = sum - offset, lost = ((double)origin - part) + (offset - (sum - part));
    if (sum != (double)plane)
        return sum > (double)plane ? 1 : -1;
    return (lost > 0.0) - (lost < 0.0);
}

// Whether origin + steps 2^(exponent - 127) is at most, at least, the plane: exactly.
static bool wide_grid_below(float origin, uint32_t steps, uint32_t exponent, float plane)
{
    return wide_write_compare(origin, steps, exponent, plane) <= 0;
}

static bool wide_grid_above(float origin, uint32_t steps, uint32_t exponent, float plane)
{
    return wide_write_compare(origin, steps, exponent, plane) >= 0;
}

enum { STEPS_MOST = 255 };

static uint32_t steps_of(float origin, uint32_t exponent, float plane)
{
    const double steps = ((double)plane - (double)origin) / ldexp(1.0, (int)exponent - 127);
    return steps <= 0.0 ? 0 : steps >= STEPS_MOST ? STEPS_MOST : (uint32_t)steps;
}

static uint32_t steps_below(float origin, uint32_t exponent, float plane)
{
    uint32_t steps = steps_of(origin, exponent, plane);
    while (steps > 0 && !wide_grid_below(origin, steps, exponent, plane))
        --steps;
    return steps;
}

static uint32_t steps_above(float origin, uint32_t exponent, float plane)
{
    uint32_t steps = steps_of(origin, exponent, plane);
    while (steps < STEPS_MOST && !wide_grid_above(origin, steps, exponent, plane))
        ++steps;
    return steps;
}

// The finest grid from `low` on that reaches to `high`.
static uint32_t exponent_of(float low, float high)
{
    uint32_t exponent = WIDE_EXPONENT_LEAST;
    while (exponent < WIDE_EXPONENT_MOST && !wide_grid_above(low, STEPS_MOST, exponent, high))
        ++exponent;
    return exponent;
}

static void write_axis(const struct wide_content *content, uint32_t axis, struct wide_compressed_node *to)
{
    float low = INFINITY, high = -INFINITY;
    for (uint32_t s = 0; s < content->slot_count; ++s) {
        const struct wide_slot *slot = &content->slots[s];
        low = slot->present && slot->low[axis] < low ? slot->low[axis] : low;
        high = slot->present && slot->high[axis] > high ? slot->high[axis] : high;
    }
    if (!(low <= high))
        low = high = 0.0f;
    const uint32_t exponent = exponent_of(low, high);
    to->origin[axis] = low;
    to->exponent[axis] = (uint8_t)exponent;
    for (uint32_t s = 0; s < content->slot_count; ++s) {
        const struct wide_slot *slot = &content->slots[s];
        if (!slot->present)
            continue;
        to->low[axis][s] = (uint8_t)steps_below(low, exponent, slot->low[axis]);
        to->high[axis][s] = (uint8_t)steps_above(low, exponent, slot->high[axis]);
    }
}

void wide_write_compressed(const struct wide_content *content, void *node)
{
    struct wide_compressed_node to = {.nodes = content->nodes, .triangles = content->triangles};
    for (uint32_t s = 0; s < content->slot_count; ++s) {
        const struct wide_slot *slot = &content->slots[s];
        if (slot->present && slot->inner)
            to.inner = (uint8_t)(to.inner | 1u << s);
        else if (slot->present)
            to.leaf[s] = (uint8_t)(slot->count << WIDE_COMPRESSED_COUNT | (slot->first - content->triangles));
    }
    for (uint32_t axis = 0; axis < 3; ++axis)
        write_axis(content, axis, &to);
    memcpy(node, &to, sizeof to);
}
