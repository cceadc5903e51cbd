#define COUNTING 0
#include "lib/traverse.h"
#ifndef TRAV
#define TRAV TRAVERSAL_WHILE_WHILE
#endif
struct args { struct scene_view scene; const float4 *rays; uint4 *hits; uint32_t n; };
KERNEL(trace, struct args)
{
    const uint32_t i = block_index() * block_size() + thread_index();
    if (i >= args->n) return;
    const float4 a = __ldg(args->rays + 2 * i), b = __ldg(args->rays + 2 * i + 1);
    struct ray ray; ray.origin = vec3_make(a.x, a.y, a.z); ray.direction = vec3_make(b.x, b.y, b.z);
    struct traversal_work work; work.nodes = work.triangles = 0;
    const struct hit h = traverse(&args->scene, &ray, b.w, TRAVERSAL_CLOSEST, TRAV, false, 0xFFFFFFFFu, 0, &work);
    args->hits[i] = make_uint4(f32_bits(h.t), h.slot, h.id, 0u);
}
