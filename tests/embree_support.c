// SPDX-License-Identifier: MIT
#include "embree_support.h"

#include <embree3/rtcore.h>
#include <stdlib.h>
#include <string.h>

struct embree {
    RTCDevice device;
    RTCScene scene;
};

static bool add_mesh(const struct embree *embree, const struct test_mesh *mesh)
{
    RTCGeometry geometry = rtcNewGeometry(embree->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                              3 * sizeof *vertices, 3 * (size_t)mesh->count);
    unsigned *indices =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof *indices, mesh->count);
    if (vertices && indices) {
        memcpy(vertices, mesh->corners, 9 * sizeof *vertices * mesh->count);
        for (unsigned i = 0; i < 3 * mesh->count; ++i)
            indices[i] = i;
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(embree->scene, geometry);
    }
    rtcReleaseGeometry(geometry);
    rtcCommitScene(embree->scene);
    return rtcGetDeviceError(embree->device) == RTC_ERROR_NONE;
}

struct embree *embree_create(const struct test_mesh *mesh)
{
    struct embree *embree = calloc(1, sizeof *embree);
    if (!embree)
        return NULL;
    embree->device = rtcNewDevice(NULL);
    embree->scene = embree->device ? rtcNewScene(embree->device) : NULL;
    if (!embree->scene || !add_mesh(embree, mesh)) {
        embree_destroy(embree);
        return NULL;
    }
    return embree;
}

void embree_destroy(struct embree *embree)
{
    if (embree && embree->scene)
        rtcReleaseScene(embree->scene);
    if (embree && embree->device)
        rtcReleaseDevice(embree->device);
    free(embree);
}

void embree_trace(const struct embree *embree, const struct ray_record *rays, uint32_t count, struct hit *hits)
{
    for (uint32_t i = 0; i < count; ++i) {
        struct RTCIntersectContext context;
        struct RTCRayHit ray = {.ray = {.org_x = rays[i].origin[0],
                                        .org_y = rays[i].origin[1],
                                        .org_z = rays[i].origin[2],
                                        .tnear = rays[i].t_min,
                                        .dir_x = rays[i].direction[0],
                                        .dir_y = rays[i].direction[1],
                                        .dir_z = rays[i].direction[2],
                                        .tfar = rays[i].t_max,
                                        .mask = ~0u},
                                .hit = {.primID = HIT_NONE, .geomID = RTC_INVALID_GEOMETRY_ID}};
        rtcInitIntersectContext(&context);
        rtcIntersect1(embree->scene, &context, &ray);
        hits[i].t = ray.ray.tfar;
        hits[i].id = ray.hit.primID;
    }
}
