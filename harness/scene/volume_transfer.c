// SPDX-License-Identifier: MIT
// From values to densities and albedos: a window, and a piecewise linear transfer function over it.
#include <stdlib.h>

#include "scene/volume_transfer.h"

uint32_t volume_pack_albedo(const double albedo[3])
{
    uint32_t packed = 0;
    for (int i = 0; i < 3; ++i)
        packed |= (uint32_t)floor(albedo[i] * 255 + 0.5) << 8 * i;
    return packed;
}

// ---- the window

static bool below_zero(const struct volume_samples *samples, uint64_t voxel, struct error *error)
{
    const uint32_t *size = samples->size;
    error_set(error, ERROR_INPUT, "voxel (%llu, %llu, %llu) has the density %g", (unsigned long long)(voxel % size[0]),
              (unsigned long long)(voxel / size[0] % size[1]), (unsigned long long)(voxel / size[0] / size[1]),
              (double)samples->values[voxel]);
    return error_remedy(error, "add window: [LOW, HIGH], the values that density rises between");
}

// Without one of its own: from 0 to the largest value, so that values are densities.
static bool window_of(const struct volume_samples *samples, const struct scene_volume *volume, double window[2],
                      struct error *error)
{
    const uint64_t count = volume_voxels(samples->size);
    window[0] = volume->window[0];
    window[1] = volume->window[1];
    if (volume->has_window)
        return true;
    window[0] = window[1] = 0;
    for (uint64_t i = 0; i < count; ++i) {
        if (!(samples->values[i] >= 0.0f))
            return below_zero(samples, i, error);
        window[1] = fmax(window[1], (double)samples->values[i]);
    }
    if (window[1] == 0)
        window[1] = 1;
    return true;
}

static double place_in(const double window[2], float value)
{
    const double place = ((double)value - window[0]) / (window[1] - window[0]);
    return place <= 0 ? 0 : place >= 1 ? 1 : place;
}

// ---- the transfer function

static struct volume_point transfer_at(const struct scene_volume *volume, double at)
{
    const struct volume_point *points = volume->points;
    struct volume_point point = {at, at, {volume->albedo[0], volume->albedo[1], volume->albedo[2]}};
    uint32_t above = 0;
    if (volume->point_count == 0)
        return point;
    while (above < volume->point_count && points[above].at < at)
        ++above;
    if (above == 0)
        return points[0];
    if (above == volume->point_count)
        return points[above - 1];
    const struct volume_point *a = &points[above - 1], *b = &points[above];
    const double along = (at - a->at) / (b->at - a->at);
    point.density = a->density + along * (b->density - a->density);
    for (int i = 0; i < 3; ++i)
        point.albedo[i] = a->albedo[i] + along * (b->albedo[i] - a->albedo[i]);
    return point;
}

// ---- storing

static const uint32_t store_bits[] = {[VOLUME_STORE_8] = 8, [VOLUME_STORE_16] = 16, [VOLUME_STORE_FLOAT] = 32};
static const double store_top[] = {[VOLUME_STORE_8] = 255, [VOLUME_STORE_16] = 65535, [VOLUME_STORE_FLOAT] = 1};

static void store_density(struct volume_grids *grids, uint64_t voxel, double share)
{
    if (grids->bits == 8)
        ((uint8_t *)grids->density)[voxel] = (uint8_t)floor(share * 255 + 0.5);
    else if (grids->bits == 16)
        ((uint16_t *)grids->density)[voxel] = (uint16_t)floor(share * 65535 + 0.5);
    else
        ((float *)grids->density)[voxel] = (float)share;
}

static bool nothing_there(const double window[2], struct error *error)
{
    error_set(error, ERROR_INPUT, "every voxel is empty between %g and %g", window[0], window[1]);
    return error_remedy(error, "choose another window or transfer function: nothing would scatter light");
}

bool volume_transfer(struct volume_grids *grids, const struct volume_samples *samples,
                     const struct scene_volume *volume, struct error *error)
{
    double window[2], largest = 0;
    if (!window_of(samples, volume, window, error))
        return false;
    grids->bits = store_bits[volume->store];
    grids->top = (float)store_top[volume->store];
    grids->density = malloc(grids->count * (grids->bits / 8));
    grids->albedo = malloc(grids->count * sizeof *grids->albedo);
    if (!grids->density || !grids->albedo)
        return error_memory(error, "for a volume of %llu voxels", (unsigned long long)grids->count);
    for (uint64_t i = 0; i < grids->count; ++i)
        largest = fmax(largest, transfer_at(volume, place_in(window, samples->values[i])).density);
    if (!(largest * volume->density > 1e-6))
        return nothing_there(window, error);
    for (uint64_t i = 0; i < grids->count; ++i) {
        const struct volume_point point = transfer_at(volume, place_in(window, samples->values[i]));
        store_density(grids, i, point.density / largest);
        grids->albedo[i] = volume_pack_albedo(point.albedo);
    }
    grids->majorant = (float)(volume->density * largest);
    return true;
}
