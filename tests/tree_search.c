// SPDX-License-Identifier: MIT
#include "tree_search.h"

#include "tree_support.h"
#include "trees/hit_point.h"

// Within one instance, or over all of a flat scene.
static void search(const struct scene_view *view, uint32_t first, uint32_t count, const struct ray *ray,
                   const struct box_ray *box, struct hit *hit)
{
    for (uint32_t i = first; i < first + count; ++i)
        triangle_test(view, view->split ? view->fragments[i].triangle : i, TRIANGLES_WHOLE, i, ray, box, hit);
}

// As trees/levels.h defines a hit.
static void search_instance(const struct scene_view *view, const struct instance *instance, uint32_t first_object,
                            const struct ray *ray, const struct box_ray *box, struct hit *hit)
{
    float entry, exit;
    struct ray own = *ray;
    struct box_ray own_box = *box;
    struct hit within = {.t = hit->t, .slot = HIT_NONE};
    box_interval(box, instance->low, instance->high, &entry, &exit);
    if (!(entry <= exit) || entry > hit->t)
        return;
    if (!instance->identity) {
        own.origin = instance_turn(instance->to_object, vec3_sub(ray->origin, instance->position));
        own.direction = instance_turn(instance->to_object, ray->direction);
        own_box = box_ray_make(&own);
    }
    own_box.pad = instance->pad;
    own_box.entry = entry;
    const bool is_mesh = instance->object == 0;
    search(view, is_mesh ? 0 : first_object, is_mesh ? first_object : view->triangle_count - first_object, &own,
           &own_box, &within);
    const uint32_t id = within.slot + instance->ids;
    if (within.slot == HIT_NONE || (within.t == hit->t && hit->id != HIT_NONE && id > hit->id))
        return;
    hit->t = within.t;
    hit->id = id;
}

struct hit tree_search(const struct scene_view *view, uint32_t first_object, const struct ray_record *record)
{
    const struct ray ray = record_ray(record);
    struct box_ray box = box_ray_make(&ray);
    struct hit hit = {.t = record->t_max, .slot = HIT_NONE, .id = HIT_NONE};
    for (uint32_t i = 0; i < view->instance_count; ++i)
        search_instance(view, &view->instances[i], first_object, &ray, &box, &hit);
    if (view->instance_count)
        return hit;
    if (view->split)
        box.shift = fragment_shift(view->grid_zero, ray.origin, box.inverse);
    search(view, 0, view->triangle_count, &ray, &box, &hit);
    hit.id = hit.slot; // in the scene's own order
    return hit;
}
