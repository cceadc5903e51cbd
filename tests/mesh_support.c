// SPDX-License-Identifier: MIT
#include "mesh_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

// ---- any mesh

static struct vec3 corner(const float *position)
{
    return vec3_make(position[0], position[1], position[2]);
}

bool test_mesh_from_corners(struct test_mesh *mesh, float *corners, uint32_t count)
{
    memset(mesh, 0, sizeof *mesh);
    mesh->corners = corners;
    mesh->count = count;
    mesh->triangles = calloc((size_t)count + 1, sizeof *mesh->triangles);
    for (int axis = 0; axis < 3; ++axis) {
        mesh->low[axis] = INFINITY;
        mesh->high[axis] = -INFINITY;
    }
    for (uint32_t i = 0; mesh->triangles && i < count; ++i) {
        const float *position = &corners[9 * (size_t)i];
        struct triangle *triangle = &mesh->triangles[i];
        triangle->id = i;
        triangle->v0 = corner(position);
        triangle->v1 = corner(position + 3);
        triangle->v2 = corner(position + 6);
        for (int c = 0; c < 9; ++c) {
            mesh->low[c % 3] = fminf(mesh->low[c % 3], position[c]);
            mesh->high[c % 3] = fmaxf(mesh->high[c % 3], position[c]);
        }
    }
    return mesh->triangles != NULL;
}

void test_mesh_finish(struct test_mesh *mesh)
{
    free(mesh->corners);
    free(mesh->triangles);
    memset(mesh, 0, sizeof *mesh);
}

struct ray_mesh test_mesh_rays(const struct test_mesh *mesh)
{
    return (struct ray_mesh){mesh->corners, mesh->count};
}

// ---- procedural

enum { TERRAIN = 96 / COARSER, SPHERES = 6, FINER = 8 / COARSER };

struct sheet {
    float *corners;
    uint32_t count;
};

static void add_triangle(struct sheet *sheet, const float a[3], const float b[3], const float c[3])
{
    float *to = &sheet->corners[9 * (size_t)sheet->count];
    if (memcmp(a, b, 12) == 0 || memcmp(b, c, 12) == 0 || memcmp(a, c, 12) == 0)
        return;
    memcpy(to, a, 12);
    memcpy(to + 3, b, 12);
    memcpy(to + 6, c, 12);
    ++sheet->count;
}

// A grid of rows x columns quads over the points that `point` gives.
static void add_grid(struct sheet *sheet, uint32_t rows, uint32_t columns,
                     void (*point)(const float *shape, float u, float v, float to[3]), const float *shape)
{
    for (uint32_t r = 0; r < rows; ++r)
        for (uint32_t c = 0; c < columns; ++c) {
            float corners[4][3];
            for (uint32_t k = 0; k < 4; ++k)
                point(shape, (float)(c + (k & 1)) / (float)columns, (float)(r + (k >> 1)) / (float)rows, corners[k]);
            add_triangle(sheet, corners[0], corners[1], corners[3]);
            add_triangle(sheet, corners[0], corners[3], corners[2]);
        }
}

static void terrain_point(const float *shape, float u, float v, float to[3])
{
    to[0] = shape[0] * (u - 0.5f);
    to[1] = 3.0f * sinf(11.0f * u) * cosf(7.0f * v) + 0.4f * sinf(60.0f * u + 40.0f * v);
    to[2] = shape[0] * (v - 0.5f);
}

// shape: centre and radius.
static void sphere_point(const float *shape, float u, float v, float to[3])
{
    const float azimuth = 6.2831853f * (u < 1.0f ? u : 0.0f), polar = 3.1415927f * v;
    const float across = v > 0.0f && v < 1.0f ? sinf(polar) : 0.0f;
    to[0] = shape[0] + shape[3] * across * cosf(azimuth);
    to[1] = shape[1] + shape[3] * cosf(polar);
    to[2] = shape[2] + shape[3] * across * sinf(azimuth);
}

bool test_mesh_procedural(struct test_mesh *mesh)
{
    static const float spheres[SPHERES][4] = {{0, 6, 0, 5},     {-14, 3, 9, 4}, {12, 2, -11, 3},
                                              {9, 8, 12, 1.5f}, {-9, 9, -9, 2}, {3, 14, -2, 0.25f}};
    uint32_t quads = TERRAIN * TERRAIN;
    for (uint32_t i = 0; i < SPHERES; ++i)
        quads += (10 + FINER * i) * (20 + 2 * FINER * i);
    struct sheet sheet = {.corners = malloc(2 * 9 * (size_t)quads * sizeof *sheet.corners)};
    const float side = 50.0f;
    if (!sheet.corners)
        return false;
    add_grid(&sheet, TERRAIN, TERRAIN, terrain_point, &side);
    for (uint32_t i = 0; i < SPHERES; ++i)
        add_grid(&sheet, 10 + FINER * i, 20 + 2 * FINER * i, sphere_point, spheres[i]);
    return test_mesh_from_corners(mesh, sheet.corners, sheet.count);
}

bool test_mesh_sphere(struct test_mesh *mesh, const float centre[3], float radius)
{
    const float shape[4] = {centre[0], centre[1], centre[2], radius};
    struct sheet sheet = {.corners = malloc(2 * 9 * 20 * 40 * sizeof *sheet.corners)};
    if (!sheet.corners)
        return false;
    add_grid(&sheet, 20, 40, sphere_point, shape);
    return test_mesh_from_corners(mesh, sheet.corners, sheet.count);
}

// ---- Sponza

static FILE *open_sponza(void)
{
    const char *const places[] = {getenv("WARPSTUDY_SHARED_SCENES"), "../shared/scenes", "../../shared/scenes"};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        char path[1024], command[1100];
        if (!places[i] || strchr(places[i], '\'') ||
            snprintf(path, sizeof path, "%s/sponza.ply.xz", places[i]) >= (int)sizeof path)
            continue;
        FILE *file = fopen(path, "rb");
        if (!file)
            continue;
        fclose(file);
        snprintf(command, sizeof command, "xz -dc '%s'", path);
        return popen(command, "r");
    }
    return NULL;
}

static bool read_header(FILE *file, uint32_t *vertices, uint32_t *faces)
{
    char line[512];
    *vertices = *faces = 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "element vertex %u", vertices) == 1 || sscanf(line, "element face %u", faces) == 1)
            continue;
        if (strcmp(line, "end_header\n") == 0)
            return *vertices > 0 && *faces > 0 && *vertices < 1u << 24 && *faces < 1u << 24;
    }
    return false;
}

// Vertices are three floats, faces a byte 3 and three 32-bit indices, all little-endian like this machine.
static bool read_faces(FILE *file, const float *positions, uint32_t vertices, uint32_t faces, float *corners)
{
    for (uint32_t i = 0; i < faces; ++i) {
        unsigned char sides;
        uint32_t indices[3];
        if (fread(&sides, 1, 1, file) != 1 || sides != 3 || fread(indices, sizeof indices, 1, file) != 1)
            return false;
        for (uint32_t k = 0; k < 3; ++k) {
            if (indices[k] >= vertices)
                return false;
            memcpy(&corners[9 * (size_t)i + 3 * k], &positions[3 * (size_t)indices[k]], 3 * sizeof *corners);
        }
    }
    return true;
}

bool test_mesh_sponza(struct test_mesh *mesh)
{
    FILE *file = open_sponza();
    uint32_t vertices = 0, faces = 0;
    if (!file)
        return false;
    bool done = read_header(file, &vertices, &faces);
    float *positions = done ? malloc(3 * (size_t)vertices * sizeof *positions) : NULL;
    float *corners = done ? malloc(9 * (size_t)faces * sizeof *corners) : NULL;
    done = positions && corners && fread(positions, 3 * sizeof *positions, vertices, file) == vertices &&
           read_faces(file, positions, vertices, faces, corners);
    free(positions);
    pclose(file);
    if (done)
        return test_mesh_from_corners(mesh, corners, faces);
    free(corners);
    return false;
}

// ---- scenes

static void *allocate_pages(size_t size)
{
    const size_t rounded = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *pages = aligned_alloc(HUGE_PAGE, rounded);
    if (pages)
        madvise(pages, rounded, MADV_HUGEPAGE);
    return pages;
}

void *test_pages_copy(const void *from, size_t size)
{
    void *pages = allocate_pages(size + 1);
    if (pages && size)
        memcpy(pages, from, size);
    return pages;
}
