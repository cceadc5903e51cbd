// SPDX-License-Identifier: MIT
// Wavefront's OBJ: its polygons, and their materials from its libraries.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "import/mesh_builder.h"
#include "import/mesh_library.h"
#include "import/mesh_lines.h"
#include "import/picture.h"

struct obj {
    struct mesh_builder *builder;
    struct mesh_lines lines;
    struct mesh_library library;
    uint64_t vertex_count; // so far: what negative indices count back from
    size_t material;       // of the faces that follow, in the library; NO_MATERIAL
    uint32_t *corners;     // of one face
    size_t corner_room;
    uint64_t curves, unknown; // statements that are left out
    int unknown_line;         // the first of them
};

static const size_t NO_MATERIAL = SIZE_MAX;

static bool refuse_line(struct obj *obj, const char *why)
{
    return mesh_builder_fail(obj->builder, obj->lines.number, "%s", why);
}

// ---- first reading: vertices and libraries

static bool read_vertex(struct obj *obj, char *rest)
{
    double v[4] = {0, 0, 0, 1};
    int count = 0;
    for (; *rest && count < 4; ++count)
        if (!mesh_word_number(&rest, &v[count]))
            return refuse_line(obj, "a vertex with a coordinate that is no number");
    if (count < 3)
        return refuse_line(obj, "a vertex with fewer than three coordinates");
    if (count == 4 && !*rest && v[3] != 1) // more than four: a colour
        return refuse_line(obj, "a vertex with a weight other than 1: that is for curves, which are not supported");
    return mesh_builder_vertex(obj->builder, exact_vec_make(v[0], v[1], v[2]), obj->lines.number);
}

static bool read_library(void *context, const char *path)
{
    struct obj *obj = context;
    struct mesh_builder *builder = obj->builder;
    if (access(path, F_OK) != 0) {
        mesh_builder_warn(builder, "there is no material library %s", path);
        return true;
    }
    size_t size;
    char *bytes = mesh_file_read(path, &size, builder->error);
    const bool done = bytes && mesh_library_add(&obj->library, bytes, size, path, builder->path, builder->error);
    free(bytes);
    return done;
}

static bool read_mtllib(struct obj *obj, char *rest)
{
    return !obj->builder->materials || mesh_library_find(obj->builder->path, rest, read_library, obj);
}

// ---- second reading: faces, which may stand before their vertices

static bool count_vertex(struct obj *obj, char *rest)
{
    (void)rest;
    ++obj->vertex_count;
    return true;
}

static bool read_usemtl(struct obj *obj, char *rest)
{
    struct mesh_library *library = &obj->library;
    if (!ARRAY_FIND(library->materials, library->count, rest)) {
        struct mesh_library_material *added = ARRAY_ADD(library->materials, library->count);
        added->name = memory_copy(rest);
        added->material = mesh_library_default(rest);
        added->unknown = obj->builder->materials;
    }
    obj->material = (size_t)(ARRAY_FIND(library->materials, library->count, rest) - library->materials);
    return true;
}

static struct mesh_library_material *material_in_use(struct obj *obj)
{
    char name[] = "DefaultMaterial";
    if (obj->material == NO_MATERIAL) {
        read_usemtl(obj, name);
        obj->library.materials[obj->material].unknown = false;
    }
    return &obj->library.materials[obj->material];
}

// "V", "V/T", "V//N" or "V/T/N": of these the vertex, counted from 1, or back from the last one, -1.
static bool read_corner(struct obj *obj, const char *word, uint32_t *corner)
{
    char *after;
    const long long given = strtoll(word, &after, 10), there = (long long)obj->builder->mesh->vertex_count;
    if (after == word || (*after && *after != '/'))
        return mesh_builder_fail(obj->builder, obj->lines.number, "'%.60s' is no corner of a face", word);
    const long long vertex = given < 0 ? (long long)obj->vertex_count + given : given - 1;
    if (given < -there || given > there || vertex < 0)
        return mesh_builder_fail(obj->builder, obj->lines.number,
                                 "a face refers to vertex %.60s, and there are %lld, from 1", word, there);
    *corner = (uint32_t)vertex;
    return true;
}

static bool read_face(struct obj *obj, char *rest)
{
    size_t count = 0;
    for (char *word; (word = mesh_word(&rest)); ++count) {
        if (count == obj->corner_room) {
            obj->corner_room = 2 * count + 16;
            if (!memory_resize(&obj->corners, obj->corner_room, sizeof *obj->corners, obj->builder->error,
                               "for the mesh %s", obj->builder->path))
                return false;
        }
        if (!read_corner(obj, word, &obj->corners[count]))
            return false;
    }
    struct mesh_library_material *material = material_in_use(obj);
    material->material.missing = material->unknown;
    return mesh_builder_face(obj->builder, obj->corners, count, (uint32_t)obj->material, obj->lines.number);
}

static bool count_line(struct obj *obj, char *rest)
{
    (void)rest;
    ++obj->builder->lines;
    return true;
}

static bool count_points(struct obj *obj, char *rest)
{
    while (mesh_word(&rest))
        ++obj->builder->points;
    return true;
}

static bool count_curve(struct obj *obj, char *rest)
{
    (void)rest;
    ++obj->curves;
    return true;
}

static bool refuse_call(struct obj *obj, char *rest)
{
    (void)rest;
    return refuse_line(obj, "statements from another file (call, csh) are not supported");
}

// ---- statements

struct statement {
    const char *name;
    bool (*read[2])(struct obj *obj, char *rest); // in the first and the second reading; NULL: nothing
};

static const struct statement statements[] = {
    {"v", {read_vertex, count_vertex}},
    {"mtllib", {read_mtllib, NULL}},
    {"usemtl", {NULL, read_usemtl}},
    {"f", {NULL, read_face}},
    {"fo", {NULL, read_face}}, // its name of old
    {"l", {NULL, count_line}},
    {"p", {NULL, count_points}},
    {"curv", {NULL, count_curve}},
    {"surf", {NULL, count_curve}},
    {"call", {refuse_call, NULL}},
    {"csh", {refuse_call, NULL}},
    // neither surfaces nor colours
    {"vt", {NULL, NULL}},
    {"vn", {NULL, NULL}},
    {"vp", {NULL, NULL}},
    {"g", {NULL, NULL}},
    {"o", {NULL, NULL}},
    {"s", {NULL, NULL}},
    {"mg", {NULL, NULL}},
    {"usemap", {NULL, NULL}},
    {"maplib", {NULL, NULL}},
    {"bevel", {NULL, NULL}},
    // more of free-form curves and surfaces
    {"cstype", {NULL, NULL}},
    {"deg", {NULL, NULL}},
    {"bmat", {NULL, NULL}},
    {"step", {NULL, NULL}},
    {"curv2", {NULL, NULL}},
    {"parm", {NULL, NULL}},
    {"trim", {NULL, NULL}},
    {"hole", {NULL, NULL}},
    {"scrv", {NULL, NULL}},
    {"sp", {NULL, NULL}},
    {"end", {NULL, NULL}},
    {"con", {NULL, NULL}},
    {"ctech", {NULL, NULL}},
    {"stech", {NULL, NULL}},
    {"bsp", {NULL, count_curve}},
    {"bzp", {NULL, count_curve}},
    {"cdc", {NULL, count_curve}},
    {"cdp", {NULL, count_curve}},
    {"res", {NULL, NULL}},
    {"c_interp", {NULL, NULL}},
    {"d_interp", {NULL, NULL}},
    {"lod", {NULL, NULL}},
    {"shadow_obj", {NULL, NULL}},
    {"trace_obj", {NULL, NULL}},
};

static bool read_line(struct obj *obj, int reading)
{
    char *rest = obj->lines.text;
    const char *word = mesh_word(&rest);
    rest += strspn(rest, " \t");
    for (size_t i = 0; i < sizeof statements / sizeof *statements; ++i)
        if (strcmp(word, statements[i].name) == 0)
            return !statements[i].read[reading] || statements[i].read[reading](obj, rest);
    if (reading == 0 && obj->unknown++ == 0)
        obj->unknown_line = obj->lines.number;
    return true;
}

static bool read_lines(struct obj *obj, const char *bytes, size_t size, int reading)
{
    bool done = true;
    mesh_lines_finish(&obj->lines);
    obj->lines = mesh_lines_make(bytes, size);
    while (done && mesh_lines_next(&obj->lines))
        done = read_line(obj, reading);
    return done;
}

static bool read_textures(struct obj *obj)
{
    for (size_t i = 0; i < obj->library.count; ++i) {
        struct mesh_library_material *material = &obj->library.materials[i];
        double mean[3] = {1, 1, 1};
        if (obj->builder->materials && material->texture && !picture_mean(material->texture, mean, obj->builder->error))
            return false;
        for (int c = 0; c < 3; ++c)
            material->material.diffuse[c] *= mean[c];
        mesh_builder_material(obj->builder, &material->material);
    }
    return true;
}

static void tell_others(const struct obj *obj)
{
    if (obj->library.twice)
        mesh_builder_warn(obj->builder,
                          "material %.60s is defined more than once: the first counts (a name ends before ' #')",
                          obj->library.twice);
    if (obj->curves)
        mesh_builder_warn(obj->builder, "%llu free-form curves and surfaces are left out",
                          (unsigned long long)obj->curves);
    if (obj->unknown)
        mesh_builder_warn(obj->builder,
                          "lines that begin with no word of OBJ's are left out: %llu, the first is line %d",
                          (unsigned long long)obj->unknown, obj->unknown_line);
}

bool mesh_obj_read(struct mesh_builder *builder, const char *bytes, size_t size)
{
    struct obj obj = {.builder = builder, .material = NO_MATERIAL};
    const bool done = mesh_builder_is_text(builder, bytes, size) && read_lines(&obj, bytes, size, 0) &&
                      read_lines(&obj, bytes, size, 1) && read_textures(&obj);
    if (done)
        tell_others(&obj);
    mesh_lines_finish(&obj.lines);
    mesh_library_finish(&obj.library);
    free(obj.corners);
    return done && mesh_builder_finish(builder);
}
