// SPDX-License-Identifier: MIT
// The faces of a volume's box: passed straight through, or a boundary between air and a dielectric, smooth or of rough
// microfacets, by Walter, Marschner, Li and Torrance, Microfacet Models for Refraction through Rough Surfaces (2007):
// a facet reflects by Fresnel's equations (their 22, 39) and refracts by Snell's law (40), both with the normals GGX (33)
// and Smith's shadowing (34), of both sides apart (23). Normals are drawn as the path sees them, so that the weight is
// G1 of the new direction alone; it is that of their equation 41 where normals are drawn by D |m . n|. What facets reflect
// or refract into other facets is lost. Paths carry radiance over the square of the index, which no boundary changes.
#pragma once

#include "lib/dielectric.h"
#include "lib/microfacet.h"
#include "volume/path.h"

// A face of the box, by the axis that it is across: 0, 1, 2; `side` is the sign, along it, of the normal on the path's
// side.
struct face {
    uint32_t axis;
    float side;
};

// Distance at which a ray comes to the plane of its first face along an axis, or leaves by the second.
DEVICE float face_distance(float origin, float direction, float low, float high, bool leaving)
{
    if (direction == 0.0f)
        return leaving ? 3.0e38f : -3.0e38f;
    return ((direction > 0.0f) == leaving ? high - origin : low - origin) / direction;
}

// Through which a ray enters or leaves the box.
DEVICE struct face face_of(const struct volume_view *volume, const struct ray *ray, bool leaving)
{
    const struct vec3 o = ray->origin, d = ray->direction, low = volume->low, high = volume->high;
    const float sign = leaving ? 1.0f : -1.0f; // the nearest one out, the farthest one in
    const float x = sign * face_distance(o.x, d.x, low.x, high.x, leaving);
    const float y = sign * face_distance(o.y, d.y, low.y, high.y, leaving);
    const float z = sign * face_distance(o.z, d.z, low.z, high.z, leaving);
    struct face face;
    face.axis = x <= y && x <= z ? 0u : y <= z ? 1u : 2u;
    face.side = (face.axis == 0u ? d.x : face.axis == 1u ? d.y : d.z) > 0.0f ? -1.0f : 1.0f;
    return face;
}

// In coordinates in which the face's normal is z, and back.
DEVICE struct vec3 face_local(struct face face, struct vec3 v)
{
    if (face.axis == 0u)
        return vec3_make(v.y, v.z, face.side * v.x);
    if (face.axis == 1u)
        return vec3_make(v.z, v.x, face.side * v.y);
    return vec3_make(v.x, v.y, face.side * v.z);
}

DEVICE struct vec3 face_world(struct face face, struct vec3 v)
{
    if (face.axis == 0u)
        return vec3_make(face.side * v.z, v.x, v.y);
    if (face.axis == 1u)
        return vec3_make(v.y, face.side * v.z, v.x);
    return vec3_make(v.x, v.y, face.side * v.z);
}

struct scattered {
    struct vec3 direction;
    float weight; // 0: the path ends
    bool through;
};

// At a boundary whose normal is z, from a side with z > 0, which `wo` points to; eta = index behind it over index in
// front. `facet` chooses the microfacet, `lobe` between reflection and refraction. A smooth one has alpha 0.
DEVICE struct scattered dielectric_scatter(float alpha, float eta, struct vec3 wo, struct pair facet, float lobe)
{
    struct vec3 m = vec3_make(0.0f, 0.0f, 1.0f);
    struct scattered scattered;
    if (alpha > 0.0f)
        m = microfacet_visible_normal(alpha, wo, facet.u, facet.v);
    const float cosine = minimum_f32(maximum_f32(vec3_dot(wo, m), 0.0f), 1.0f);
    scattered.through = lobe >= fresnel_dielectric(cosine, eta);
    scattered.direction = scattered.through ? refracted_direction(m, wo, cosine, eta) : mirror_direction(m, wo);
    const float away = scattered.through ? -scattered.direction.z : scattered.direction.z;
    scattered.weight = away > 0.0f ? 1.0f : 0.0f;
    if (alpha > 0.0f && away > 0.0f)
        scattered.weight = 2.0f * away * microfacet_shadowing(alpha, away);
    return scattered;
}

DEVICE struct vec3 box_nearest(const struct volume_view *volume, struct vec3 p)
{
    const struct vec3 low = volume->low, high = volume->high;
    return vec3_make(minimum_f32(maximum_f32(p.x, low.x), high.x), minimum_f32(maximum_f32(p.y, low.y), high.y),
                     minimum_f32(maximum_f32(p.z, low.z), high.z));
}

// Of a path at a face of the box, from within or from outside: through it, or back. Returns what ends it, or
// DEATH_CAUSES.
DEVICE uint32_t cross_boundary(const struct frame_args *frame, struct path *path, uint64_t key)
{
    const struct volume_view *volume = &frame->scene.volume;
    const bool inside = path->place == VOLUME_INSIDE;
    path->place = inside ? VOLUME_BEHIND : VOLUME_INSIDE;
    if (CONFIG(frame, boundary) == BOUNDARY_STRAIGHT)
        return DEATH_CAUSES;
    const struct face face = face_of(volume, &path->ray, inside);
    const struct scattered scattered = dielectric_scatter(volume->alpha, inside ? 1.0f / volume->ior : volume->ior,
                                                          face_local(face, vec3_negate(path->ray.direction)),
                                                          path_pair(key, STEP_DIRECTION), path_pair(key, STEP_LOBE).u);
    path->ray.origin = box_nearest(volume, path->ray.origin);
    path->ray.direction = face_world(face, scattered.direction);
    path->weight = vec3_scale(path->weight, scattered.weight);
    if (!scattered.through)
        path->place = inside ? VOLUME_INSIDE : VOLUME_BEHIND;
    return scattered.weight > 0.0f ? DEATH_CAUSES : DEATH_ABSORB;
}
