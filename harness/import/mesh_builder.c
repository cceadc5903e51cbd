// SPDX-License-Identifier: MIT
#include "import/mesh_builder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/path.h"
#include "import/mesh_polygon.h"
#include "geometry/soup.h"

bool(mesh_builder_fail)(struct mesh_builder *builder, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format_list(format, arguments);
    va_end(arguments);
    error_set_at(builder->error, ERROR_INPUT, builder->path, line, "mesh \"%s\": %s", builder->name, text);
    free(text);
    return false;
}

void mesh_builder_warn(const struct mesh_builder *builder, const char *format, ...)
{
    if (builder->quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format_list(format, arguments);
    va_end(arguments);
    struct error shown = {0};
    error_set_at(&shown, ERROR_INPUT, builder->path, 0, "mesh \"%s\": %s", builder->name, text);
    char line[sizeof shown];
    error_format(&shown, line, sizeof line); // makes control characters of the file's own words visible
    fprintf(stderr, "warpstudy: warning: %s\n", line);
    free(text);
}

static bool make_room(struct mesh_builder *builder, void *array, uint64_t count, size_t size)
{
    return memory_resize(array, count, size, builder->error, "for the mesh %s", builder->path);
}

bool mesh_builder_vertex(struct mesh_builder *builder, struct exact_vec vertex, int line)
{
    struct mesh_data *mesh = builder->mesh;
    if (!isfinite(vertex.x) || !isfinite(vertex.y) || !isfinite(vertex.z))
        return mesh_builder_fail(builder, line, "vertex %llu is (%g, %g, %g), not a point",
                                 (unsigned long long)mesh->vertex_count, vertex.x, vertex.y, vertex.z);
    if (mesh->vertex_count == builder->vertex_room) {
        if (mesh->vertex_count >= 3 * (uint64_t)SOUP_MAX)
            return mesh_builder_fail(builder, line, "it has more than three times %d vertices", SOUP_MAX);
        builder->vertex_room = builder->vertex_room ? 2 * builder->vertex_room : 1024;
        if (!make_room(builder, &mesh->vertices, builder->vertex_room, sizeof *mesh->vertices))
            return false;
    }
    mesh->vertices[mesh->vertex_count++] = vertex;
    return true;
}

static bool triangle_room(struct mesh_builder *builder, uint64_t more, int line)
{
    struct mesh_data *mesh = builder->mesh;
    const uint64_t needed = mesh->triangle_count + more;
    if (needed <= builder->triangle_room)
        return true;
    if (needed > SOUP_MAX)
        return mesh_builder_fail(builder, line, "it has more than %d triangles", SOUP_MAX);
    const uint64_t twice = builder->triangle_room ? 2 * builder->triangle_room : 1024;
    builder->triangle_room = twice > needed ? twice : needed;
    return make_room(builder, &mesh->indices, builder->triangle_room, 3 * sizeof *mesh->indices) &&
           make_room(builder, &mesh->materials, builder->triangle_room, sizeof *mesh->materials);
}

bool mesh_builder_face(struct mesh_builder *builder, const uint32_t *corners, size_t count, uint32_t material, int line)
{
    struct mesh_data *mesh = builder->mesh;
    const unsigned long long number = builder->faces++;
    for (size_t i = 0; i < count; ++i)
        if (corners[i] >= mesh->vertex_count)
            return mesh_builder_fail(builder, line, "face %llu refers to vertex %u, and there are %llu, from 0", number,
                                     corners[i], (unsigned long long)mesh->vertex_count);
    if (count == 0)
        return mesh_builder_fail(builder, line, "face %llu has no vertex", number);
    if (count < 3) {
        ++*(count == 1 ? &builder->points : &builder->lines);
        return true;
    }
    if (!triangle_room(builder, count - 2, line))
        return false;
    if (!mesh_polygon_split(mesh->vertices, corners, count, mesh->indices + 3 * mesh->triangle_count)) {
        mesh_builder_fail(builder, line, "face %llu, of %zu corners, is too intricate to become triangles", number,
                          count);
        return error_remedy(builder->error, "export the mesh anew, its faces triangulated");
    }
    for (size_t i = 0; i < count - 2; ++i)
        mesh->materials[mesh->triangle_count++] = material;
    return true;
}

bool mesh_builder_is_text(struct mesh_builder *builder, const char *bytes, size_t size)
{
    return !memchr(bytes, 0, size) || mesh_builder_fail(builder, 0, "it holds a zero byte, and so is no text in UTF-8");
}

uint32_t mesh_builder_material(struct mesh_builder *builder, const struct mesh_material *material)
{
    struct mesh_data *mesh = builder->mesh;
    size_t count = mesh->palette_count;
    *ARRAY_ADD(mesh->palette, count) = *material;
    mesh->palette_count = (uint32_t)count;
    return mesh->palette_count - 1;
}

bool mesh_builder_finish(struct mesh_builder *builder)
{
    struct mesh_data *mesh = builder->mesh;
    const unsigned long long points = builder->points, lines = builder->lines;
    if (mesh->triangle_count == 0) {
        mesh_builder_fail(builder, 0, "it holds no triangle: %llu vertices, %llu points and %llu lines",
                          (unsigned long long)mesh->vertex_count, points, lines);
        return error_remedy(builder->error, "export the mesh anew, as faces, or take it out of the scene");
    }
    if (points + lines > 0)
        mesh_builder_warn(builder, "%llu points and %llu lines are left out: faces alone have a surface", points,
                          lines);
    if (mesh->palette_count == 0)
        mesh_builder_material(builder, &mesh_material_white);
    return true;
}

char *mesh_file_read(const char *path, size_t *size, struct error *error)
{
    struct stat status;
    char *bytes = NULL;
    FILE *file = path_stream(path, error);
    if (!file)
        return NULL;
    if (fstat(fileno(file), &status) != 0) {
        error_set_errno(error, "open", path);
    } else if ((bytes = memory_try((size_t)status.st_size + 1, 1, error, "to read %s", path))) {
        *size = fread(bytes, 1, (size_t)status.st_size, file);
        bytes[*size] = '\0';
    }
    fclose(file);
    return bytes;
}
