// SPDX-License-Identifier: MIT
#include "scene/volume.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/volume_bricks.h"
#include "scene/volume_shapes.h"

// ---- without a file

static bool fill_constant(struct volume_grids *grids, const struct scene_volume *volume, struct error *error)
{
    grids->bits = 8;
    grids->top = 255;
    grids->majorant = (float)volume->density;
    grids->density = malloc(grids->count);
    grids->albedo = malloc(grids->count * sizeof *grids->albedo);
    if (!grids->density || !grids->albedo)
        return error_memory(error, "for a volume of %llu voxels", (unsigned long long)grids->count);
    const uint32_t albedo = volume_pack_albedo(volume->albedo);
    memset(grids->density, 255, grids->count);
    for (uint64_t i = 0; i < grids->count; ++i)
        grids->albedo[i] = albedo;
    return true;
}

// ---- from a file, or of a shape

static bool check_layer(const struct scene_file *file, const uint32_t size[3], struct error *error)
{
    const struct scene_volume *volume = &file->volume;
    if (volume->layer_from + volume->layer_voxels <= size[2])
        return true;
    error_set_at(error, ERROR_USE, file->path, volume->line, "the layer ends at voxel %u, the volume at %u",
                 volume->layer_from + volume->layer_voxels, size[2]);
    return error_remedy(error, "begin it earlier, or make it thinner");
}

static bool fill_from_samples(struct volume_grids *grids, const struct scene_volume *volume,
                              struct volume_samples *samples, struct error *error)
{
    if (volume->has_crop && !volume_samples_crop(samples, volume->crop_from, volume->crop_size, error))
        return false;
    memcpy(grids->size, samples->size, sizeof grids->size);
    grids->count = volume_voxels(grids->size);
    return volume_transfer(grids, samples, volume, error);
}

static struct volume_source source_of(const struct scene_volume *volume, const char *path)
{
    const uint32_t *size = volume->size;
    const double *spacing = volume->spacing;
    return (struct volume_source){
        .path = path,
        .format = (enum volume_format)volume->format,
        .layout = {.type = volume->type,
                   .big_endian = volume->big_endian,
                   .to_end = true,
                   .offset = volume->offset,
                   .size = {size[0], size[1], size[2]},
                   .slope = 1},
        .spacing = {spacing[0], spacing[1], spacing[2]},
        .has_spacing = volume->has_spacing,
    };
}

static bool fill_from_file(struct volume_grids *grids, const struct scene_file *file, struct volume_samples *samples,
                           struct error *error)
{
    char path[1024];
    const struct scene_volume *volume = &file->volume;
    if (!scene_file_locate(file, volume->file, volume->package, volume->line, path, sizeof path, error))
        return false;
    const struct volume_source source = source_of(volume, path);
    if (volume_samples_read(samples, &source, error) && fill_from_samples(grids, volume, samples, error))
        return true;
    if (error && !error->file[0])
        snprintf(error->file, sizeof error->file, "%.500s", path);
    scene_file_add_use(file, volume->line, volume->package, "correct the volume, or get its file again", error);
    return false;
}

static bool fill_from_shape(struct volume_grids *grids, const struct scene_file *file, struct volume_samples *samples,
                            struct error *error)
{
    const struct scene_volume *volume = &file->volume;
    if (volume_shape_fill(samples, volume, error) && fill_from_samples(grids, volume, samples, error))
        return true;
    if (error && !error->file[0]) {
        snprintf(error->file, sizeof error->file, "%.500s", file->path);
        error->line = volume->line;
    }
    return false;
}

// ---- both

// Scales the longest edge to 1. An error where another edge is vanishingly short.
static bool place_box(struct volume_grids *grids, const struct scene_file *file, const double spacing[3],
                      struct error *error)
{
    double edge[3], longest = 0;
    for (int i = 0; i < 3; ++i) {
        edge[i] = grids->size[i] * spacing[i];
        longest = fmax(longest, edge[i]);
    }
    for (int i = 0; i < 3; ++i) {
        grids->high[i] = (float)(edge[i] / longest / 2);
        grids->low[i] = -grids->high[i];
        if (!(grids->high[i] - grids->low[i] > VOLUME_THINNEST)) {
            error_set_at(error, ERROR_INPUT, file->path, file->volume.line,
                         "the volume's edge along %c is %g times as long as its longest one: at least %g is needed",
                         'x' + i, edge[i] / longest, (double)VOLUME_THINNEST);
            return error_remedy(error, "correct its spacing, or that in the header of its file");
        }
    }
    return true;
}

static void paint_layer(struct volume_grids *grids, const struct scene_volume *volume)
{
    const uint64_t slice = (uint64_t)grids->size[0] * grids->size[1];
    const uint64_t from = slice * volume->layer_from, to = from + slice * volume->layer_voxels;
    const uint32_t albedo = volume_pack_albedo(volume->layer_albedo);
    for (uint64_t i = from; i < to; ++i)
        grids->albedo[i] = albedo;
}

static bool find_bricks(struct volume_grids *grids, struct error *error)
{
    grids->brick_count = volume_brick_count(grids->size);
    grids->bricks = memory_try(grids->brick_count, sizeof *grids->bricks, error, "for the bricks of a volume");
    if (!grids->bricks)
        return false;
    return volume_bricks(grids->density, grids->bits, grids->size, grids->top, grids->bricks) ||
           error_set(error, ERROR_FAILED, "a density is out of bounds");
}

bool volume_build(struct volume_grids *grids, const struct scene_file *file, struct error *error)
{
    const struct scene_volume *volume = &file->volume;
    struct volume_samples samples = {.spacing = {volume->spacing[0], volume->spacing[1], volume->spacing[2]}};
    *grids = (struct volume_grids){.size = {volume->size[0], volume->size[1], volume->size[2]},
                                   .count = volume_voxels(volume->size)};
    const bool done = volume->file    ? fill_from_file(grids, file, &samples, error)
                      : volume->shape ? fill_from_shape(grids, file, &samples, error)
                                      : fill_constant(grids, volume, error);
    const bool placed = done && place_box(grids, file, samples.spacing, error);
    volume_samples_finish(&samples);
    if (!placed || !check_layer(file, grids->size, error))
        return false;
    paint_layer(grids, volume);
    return find_bricks(grids, error);
}

void volume_finish(struct volume_grids *grids)
{
    free(grids->density);
    free(grids->albedo);
    free(grids->bricks);
    *grids = (struct volume_grids){0};
}
