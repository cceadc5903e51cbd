// SPDX-License-Identifier: MIT
// Compiled three times: `scalar` as CUDA sees it, without vector bodies; `vector` as it runs, with them where the processor has them;
// `counted` with counts and without BOX_TEST. TRACE_RAYS and BOX_TEST are the names of what it defines.
#include "trace_rays.h"

// What does not change from ray to ray is a constant where traverse() is inlined, as it is in kernels.
static inline __attribute__((always_inline)) struct trace_work trace_all(const struct scene_view *scene, uint32_t kind,
                                                                         uint32_t traversal, bool far_first,
                                                                         const struct ray_record *rays, uint32_t count,
                                                                         struct hit *hits)
{
    struct trace_work total = {0};
    for (uint32_t i = 0; i < count; ++i) {
        struct traversal_work work = traversal_work_none();
        struct ray ray;
        ray.origin = vec3_make(rays[i].origin[0], rays[i].origin[1], rays[i].origin[2]);
        ray.direction = vec3_make(rays[i].direction[0], rays[i].direction[1], rays[i].direction[2]);
        hits[i] = traverse(scene, &ray, rays[i].t_max, kind, traversal, far_first, 1, 0, &work);
        total.nodes += work.nodes;
        total.triangles += work.triangles;
        total.loads += work.loads;
        total.never_visited += work.never_visited;
        total.sectors += work.sectors;
        total.leaves += work.leaves;
        total.leaf_lines += work.leaf_lines;
        total.list_lines += work.list_lines;
        total.hops += work.hops;
        total.hop_octaves += work.hop_octaves;
        total.top_nodes += work.top_nodes;
        total.entered += work.entered;
    }
    return total;
}

#define TRACE_WAYS(kind, far_first)                                                                                    \
    (options->traversal == TRAVERSAL_SPECULATIVE                                                                       \
         ? trace_all(scene, kind, TRAVERSAL_SPECULATIVE, far_first, rays, count, hits)                                 \
     : options->traversal == TRAVERSAL_VOTED                                                                           \
         ? trace_all(scene, kind, TRAVERSAL_VOTED, far_first, rays, count, hits)                                       \
         : trace_all(scene, kind, TRAVERSAL_WHILE_WHILE, far_first, rays, count, hits))

struct trace_work TRACE_RAYS(const struct scene_view *scene, const struct trace_options *options,
                             const struct ray_record *rays, uint32_t count, struct hit *hits) {
    if (options->any)
        return TRACE_WAYS(TRAVERSAL_ANY, false);
    if (options->far_first)
        return TRACE_WAYS(TRAVERSAL_CLOSEST, true);
    return TRACE_WAYS(TRAVERSAL_CLOSEST, false);
}

#if !COUNTING
uint32_t
BOX_TEST(const struct bvh_node *node, const struct box_ray *ray, float t_best, float entry[2])
{
    bool met[2];
    two_box_test(node, ray, t_best, met, entry);
    return (uint32_t)met[0] | (uint32_t)met[1] << 1;
}
#endif
