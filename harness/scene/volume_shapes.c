// SPDX-License-Identifier: MIT
// Volumes that need no file: bodies of ellipsoids, dense and empty in places as a CT scan is. + - * / alone, so that they
// are the same on every machine.
#include <stdlib.h>

#include "geometry/exact_math.h"
#include "scene/volume_shapes.h"

// Within a box from -1 to 1 on each axis; later ones take the place of earlier ones.
struct ellipsoid {
    double centre[3], radius[3], value;
};

// x to the left, y to the front, z up.
static const struct ellipsoid head[] = {
    {{0, -0.1, -0.95}, {0.36, 0.42, 0.6}, 0.30},     // neck
    {{0, -0.35, -0.95}, {0.13, 0.13, 0.55}, 0.85},   // spine
    {{0, 0.15, -0.98}, {0.09, 0.09, 0.5}, 0},        // windpipe
    {{0, 0.42, -0.45}, {0.48, 0.46, 0.42}, 0.30},    // face
    {{0, 0.90, -0.35}, {0.11, 0.09, 0.16}, 0.26},    // nose
    {{0, 0.36, -0.58}, {0.43, 0.42, 0.17}, 0.90},    // jaw
    {{0, 0.30, -0.55}, {0.35, 0.35, 0.19}, 0.30},    // mouth
    {{0, 0, 0.15}, {0.74, 0.90, 0.82}, 0.30},        // skin
    {{0, 0, 0.15}, {0.69, 0.85, 0.77}, 0.92},        // skull
    {{0, 0, 0.15}, {0.62, 0.78, 0.70}, 0.36},        // brain
    {{-0.12, 0.05, 0.22}, {0.07, 0.3, 0.12}, 0.22},  // ventricles
    {{0.12, 0.05, 0.22}, {0.07, 0.3, 0.12}, 0.22},   //
    {{-0.27, 0.70, -0.1}, {0.17, 0.2, 0.14}, 0.28},  // eyes
    {{0.27, 0.70, -0.1}, {0.17, 0.2, 0.14}, 0.28},   //
    {{0, 0.72, -0.32}, {0.09, 0.2, 0.15}, 0},        // nasal cavity
    {{-0.1, 0.80, 0.14}, {0.1, 0.05, 0.07}, 0},      // sinuses
    {{0.1, 0.80, 0.14}, {0.1, 0.05, 0.07}, 0},       //
    {{-0.64, -0.05, -0.2}, {0.06, 0.12, 0.07}, 0.6}, // temporal bones
    {{0.64, -0.05, -0.2}, {0.06, 0.12, 0.07}, 0.6},  //
};

static const struct ellipsoid knees[] = {
    {{-0.5, 0, 0}, {0.42, 0.85, 2.2}, 0.28},       // flesh
    {{0.5, 0, 0}, {0.42, 0.85, 2.2}, 0.28},        //
    {{-0.5, 0, 0}, {0.36, 0.72, 2.0}, 0.34},       // muscle
    {{0.5, 0, 0}, {0.36, 0.72, 2.0}, 0.34},        //
    {{-0.5, 0, 1.0}, {0.14, 0.25, 1.0}, 0.85},     // thigh bones
    {{0.5, 0, 1.0}, {0.14, 0.25, 1.0}, 0.85},      //
    {{-0.5, 0, 0.2}, {0.26, 0.42, 0.26}, 0.75},    // and their ends
    {{0.5, 0, 0.2}, {0.26, 0.42, 0.26}, 0.75},     //
    {{-0.5, 0, 1.0}, {0.08, 0.14, 0.9}, 0.40},     // marrow
    {{0.5, 0, 1.0}, {0.08, 0.14, 0.9}, 0.40},      //
    {{-0.5, 0, -1.0}, {0.14, 0.27, 0.98}, 0.85},   // shin bones
    {{0.5, 0, -1.0}, {0.14, 0.27, 0.98}, 0.85},    //
    {{-0.5, 0, -0.22}, {0.27, 0.40, 0.2}, 0.75},   // and their ends
    {{0.5, 0, -0.22}, {0.27, 0.40, 0.2}, 0.75},    //
    {{-0.78, -0.3, -1.0}, {0.05, 0.1, 0.85}, 0.8}, // calf bones
    {{0.78, -0.3, -1.0}, {0.05, 0.1, 0.85}, 0.8},  //
    {{-0.5, 0.6, 0.1}, {0.15, 0.13, 0.17}, 0.85},  // kneecaps
    {{0.5, 0.6, 0.1}, {0.15, 0.13, 0.17}, 0.85},   //
    {{0.5, 0, 0.02}, {0.28, 0.44, 0.05}, 1},       // a prosthesis
    {{0.5, 0, 0.35}, {0.05, 0.09, 0.4}, 1},        //
};

static const struct {
    const struct ellipsoid *parts;
    size_t count;
} shapes[VOLUME_SHAPES] = {
    [VOLUME_HEAD] = {head, sizeof head / sizeof *head},
    [VOLUME_KNEES] = {knees, sizeof knees / sizeof *knees},
};
const char *const volume_shape_names[VOLUME_SHAPES + 1] = {"none", "head", "knees", NULL};

// What a row of voxels along x meets of the parts: those that reach its y and z.
struct row {
    struct {
        double centre, radius, rest, value; // along x; rest: of 1, less the squares along y and z
    } parts[32];
    size_t count;
};
_Static_assert(sizeof head / sizeof *head <= 32 && sizeof knees / sizeof *knees <= 32, "a row has room for all parts");

static double square_from(const struct ellipsoid *part, int axis, double p)
{
    const double x = (p - part->centre[axis]) / part->radius[axis];
    return x * x;
}

static struct row row_of(uint32_t shape, double y, double z)
{
    struct row row = {.count = 0};
    for (size_t i = 0; i < shapes[shape].count; ++i) {
        const struct ellipsoid *part = &shapes[shape].parts[i];
        const double rest = 1 - square_from(part, 1, y) - square_from(part, 2, z);
        if (rest < 0)
            continue;
        row.parts[row.count].centre = part->centre[0];
        row.parts[row.count].radius = part->radius[0];
        row.parts[row.count].rest = rest;
        row.parts[row.count].value = part->value;
        row.count += 1;
    }
    return row;
}

// As noisy as a scanner's values: uniform in +-1, by voxel.
static double noise(uint64_t voxel)
{
    return (double)(random_mix(voxel) >> 11) * 0x1p-52 - 1;
}

static double value_at(const struct row *row, double x, uint64_t voxel)
{
    double value = 0;
    for (size_t i = 0; i < row->count; ++i) {
        const double along = (x - row->parts[i].centre) / row->parts[i].radius;
        if (along * along <= row->parts[i].rest)
            value = row->parts[i].value;
    }
    return value > 0 ? fmin(1, value + 0.02 * noise(voxel)) : 0;
}

// Middle of a voxel, from -1 to 1.
static double voxel_middle(uint64_t voxel, uint32_t count)
{
    return (2 * (double)voxel + 1) / count - 1;
}

bool volume_shape_fill(struct volume_samples *samples, const struct scene_volume *volume, struct error *error)
{
    const uint32_t *size = volume->size;
    const uint64_t count = volume_voxels(size);
    for (int i = 0; i < 3; ++i) {
        samples->size[i] = size[i];
        samples->spacing[i] = volume->spacing[i];
    }
    samples->values = malloc(count * sizeof *samples->values);
    if (!samples->values)
        return error_memory(error, "for a volume of %llu voxels", (unsigned long long)count);
    for (uint64_t i = 0; i < count; i += size[0]) {
        const uint64_t y = i / size[0] % size[1], z = i / size[0] / size[1];
        const struct row row = row_of(volume->shape, voxel_middle(y, size[1]), voxel_middle(z, size[2]));
        for (uint32_t x = 0; x < size[0]; ++x)
            samples->values[i + x] = (float)value_at(&row, voxel_middle(x, size[0]), i + x);
    }
    return true;
}
