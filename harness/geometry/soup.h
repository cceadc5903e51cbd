// SPDX-License-Identifier: MIT
// Triangles as they are gathered, in the scene's own order.
#pragma once

#include "base/error.h"
#include "geometry/exact_math.h"
#include "geometry/types.h"

enum { SOUP_MAX = 1 << 27 }; // triangles

struct soup {
    struct triangle *triangles;
    uint64_t count, capacity;
    uint64_t limit;                   // most triangles; more is an error
    uint64_t dropped;                 // triangles without area
    struct exact_transform transform; // applied to every vertex
    uint32_t material;                // of the triangles that follow
    const char *what;                 // names the thing being built in messages
    struct error *error;
};

void soup_init(struct soup *soup, uint64_t limit, struct error *error);
void soup_finish(struct soup *soup);

// Adds one triangle; counter-clockwise seen from the side its normal points to. False, with the error set, where there
// are too many or a vertex is not finite or out of reach.
bool soup_triangle(struct soup *soup, struct exact_vec a, struct exact_vec b, struct exact_vec c);

// Adds a copy of a triangle in another place; soup->transform and material are ignored.
bool soup_placed(struct soup *soup, const struct triangle *from, const struct exact_transform *transform);

// a, b, c, d in a ring.
bool soup_quad(struct soup *soup, struct exact_vec a, struct exact_vec b, struct exact_vec c, struct exact_vec d);
