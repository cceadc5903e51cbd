// SPDX-License-Identifier: MIT
// Surfaces with holes that are no geometry, as the transparency textures of foliage cut them (Wald 2011, section 4.2.7): with
// `opacity: scene` each ray that meets one either stops there or passes, by a random number of the path, bounce and layer
// alone. A path that passes has made an extension, as behind glass; a shadow ray that passes is traced on from there.
#pragma once

#include "surface/bsdf.h"
#include "surface/path.h"

// Whether a ray passes a surface of the material of that index. layer: as for random_pass.
DEVICE bool path_passes(const struct frame_args *frame, const struct path *path, uint32_t index, uint32_t layer)
{
    const struct material *const material = &frame->scene.materials[index];
    return !material_is_blend(material) && material->weight > 0.0f &&
           random_pass(frame, path->pixel, path->sample, path->bounce, layer) < material->weight;
}

// What the path meets where its ray hits a surface of the material of that index: this material, or a hole.
DEVICE struct material material_met(const struct frame_args *frame, const struct path *path, uint32_t index)
{
    struct material material = material_of(frame, index);
    if (CONFIG(frame, opacity) == OPACITY_SCENE && path_passes(frame, path, index, 0))
        material.kind = MATERIAL_HOLE;
    return material;
}
