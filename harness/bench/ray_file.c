// SPDX-License-Identifier: MIT
#include "bench/ray_file.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

enum { RAYS_MAX = 1 << 28 };

static bool check_size(const char *path, long long bytes, struct error *error)
{
    const long long size = sizeof(struct ray_record);
    if (bytes > 0 && bytes % size == 0 && bytes / size <= RAYS_MAX)
        return true;
    if (bytes / size > RAYS_MAX)
        error_set(error, ERROR_INPUT, "%s holds more than %d rays", path, RAYS_MAX);
    else if (bytes == 0)
        error_set(error, ERROR_INPUT, "%s is empty", path);
    else
        error_set(error, ERROR_INPUT, "%s is cut short: %lld bytes are not a whole number of rays of %lld bytes", path,
                  bytes, size);
    return error_remedy(error, "a ray is origin x y z, t_min, direction x y z, t_max: eight 32-bit floats");
}

static bool check_ray(const char *path, const struct ray_record *ray, uint32_t i, struct error *error)
{
    bool finite = ray->t_max > ray->t_min, turned = false;
    for (int axis = 0; axis < 3; ++axis) {
        finite = finite && isfinite(ray->origin[axis]) && isfinite(ray->direction[axis]);
        turned = turned || ray->direction[axis] != 0;
    }
    if (!finite || !turned)
        return error_set(error, ERROR_INPUT, "%s: ray %u has no finite origin, no direction, or no length", path, i);
    return ray->t_min >= 0 || error_set(error, ERROR_INPUT, "%s: ray %u begins before its origin: its t_min is %g",
                                        path, i, (double)ray->t_min);
}

// Traversal begins at a ray's origin and ends at a finite t. Moves the origin to where the ray begins; whether it did.
static bool settle_ray(struct ray_record *ray)
{
    const float t_min = ray->t_min;
    if (t_min > 0) {
        for (int axis = 0; axis < 3; ++axis)
            ray->origin[axis] = (float)(ray->origin[axis] + (double)t_min * ray->direction[axis]);
        ray->t_max = (float)((double)ray->t_max - t_min);
        ray->t_min = 0;
    }
    ray->t_max = fminf(ray->t_max, FLT_MAX);
    return t_min > 0;
}

static bool check_rays(const char *path, struct ray_record *rays, uint32_t count, struct error *error)
{
    uint32_t moved = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!check_ray(path, &rays[i], i, error))
            return false;
        moved += settle_ray(&rays[i]);
        if (!check_ray(path, &rays[i], i, error)) // beyond the largest number
            return false;
    }
    if (moved)
        fprintf(stderr, "warpstudy: warning: %s: %u of %u rays begin at t_min > 0: their origins were moved there\n",
                path, moved, count);
    return true;
}

static bool read_rays(FILE *file, const char *path, struct ray_sets *sets, struct error *error)
{
    if (fseek(file, 0, SEEK_END) != 0)
        return error_set_errno(error, "read", path);
    const long long bytes = ftell(file);
    if (!check_size(path, bytes, error))
        return false;
    struct ray_set *set = &sets->sets[0];
    sets->count = (uint32_t)(bytes / (long long)sizeof *set->rays);
    set->name = "file";
    set->rays = malloc((size_t)bytes);
    set->hits = malloc(sets->count * sizeof *set->hits);
    if (!set->rays || !set->hits)
        return error_memory(error, "for %u rays", sets->count);
    rewind(file);
    if (fread(set->rays, 1, (size_t)bytes, file) != (size_t)bytes)
        return error_set_errno(error, "read", path);
    return check_rays(path, set->rays, sets->count, error);
}

bool ray_file_read(const char *path, const struct ray_mesh *mesh, struct ray_sets *sets, struct error *error)
{
    memset(sets, 0, sizeof *sets);
    FILE *file = path_stream(path, error);
    if (!file)
        return false;
    const bool read = read_rays(file, path, sets, error);
    fclose(file);
    struct reference *reference = read ? reference_create(mesh, 0, error) : NULL;
    if (!reference)
        return false;
    const struct ray_set *set = &sets->sets[0];
    reference_hits(reference, set->rays, sets->count, 0, set->hits);
    reference_destroy(reference);
    for (uint32_t i = 0; i < sets->count; ++i) // the reference knows no end
        if (set->hits[i].t > (double)set->rays[i].t_max)
            set->hits[i] = (struct reference_hit){.t = (double)INFINITY, .id = REFERENCE_MISS};
    return true;
}
