// SPDX-License-Identifier: MIT
// The traversal of all kernels of a host build, for their -DTRAVERSE_LINKED; built with another
// PLATFORM_FIRST_SITE, because its votes are other places than theirs.
#define TRAVERSE
#define traverse EMULATOR_SYMBOL(traverse, EMULATOR_BUILD)

#include "lib/count.h"
#include "lib/scene.h"

struct ray;
struct hit traverse(const struct scene_view *scene, const struct ray *ray, float t_max, uint32_t kind,
                    uint32_t traversal, bool far_first, lanemask group, uint32_t bounce, struct traversal_work *work);

#include "trees/traverse.h"
