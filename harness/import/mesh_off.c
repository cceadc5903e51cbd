// SPDX-License-Identifier: MIT
// Geomview's OFF, as text: a vertex or a face a line. Normals, colours and texture coordinates are passed over.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/mesh_builder.h"
#include "import/mesh_lines.h"

struct off {
    struct mesh_builder *builder;
    struct mesh_lines lines;
    char *rest;         // of the line
    bool more;          // than places on the lines of vertices
    uint64_t counts[2]; // of vertices and faces
};

static bool refuse_line(struct off *off, const char *why)
{
    return mesh_builder_fail(off->builder, off->lines.number, "%s", why);
}

static bool next_line(struct off *off, const char *what, uint64_t number, uint64_t count)
{
    const bool found = mesh_lines_next(&off->lines);
    off->rest = off->lines.text;
    return found || mesh_builder_fail(off->builder, off->lines.number,
                                      "the file is cut short, or has several on a line: it holds %llu of %llu %s",
                                      (unsigned long long)number, (unsigned long long)count, what);
}

static bool read_whole(struct off *off, uint64_t most, uint64_t *value)
{
    double number = -1;
    if (!mesh_word_number(&off->rest, &number) || !(number >= 0 && number <= (double)most) ||
        number != (double)(uint64_t)number)
        return false;
    *value = (uint64_t)number;
    return true;
}

// "OFF", perhaps with letters that say what vertices have besides, and three numbers, there or in the next line.
static bool read_header(struct off *off)
{
    if (!next_line(off, "headers", 0, 1))
        return false;
    const char *keyword = off->rest;
    const size_t length = strcspn(keyword, " \t"), letters = strspn(keyword, "STCN");
    if (length < 3 || strncmp(keyword + length - 3, "OFF", 3) != 0)
        return refuse_line(off, "this is no OFF file: it does not begin with OFF");
    if (letters + 3 != length)
        return refuse_line(off, "only OFF of three dimensions is supported");
    off->more = letters > 0;
    off->rest += length;
    if (off->rest[strspn(off->rest, " \t")] == '\0' && !next_line(off, "headers", 0, 1))
        return false;
    return (read_whole(off, UINT32_MAX, &off->counts[0]) && read_whole(off, UINT32_MAX, &off->counts[1])) ||
           refuse_line(off, "the header does not say how many vertices and faces there are, as text");
}

static bool read_vertices(struct off *off)
{
    for (uint64_t i = 0; i < off->counts[0]; ++i) {
        double p[3];
        if (!next_line(off, "vertices", i, off->counts[0]))
            return false;
        for (int c = 0; c < 3; ++c)
            if (!mesh_word_number(&off->rest, &p[c]))
                return refuse_line(off, "a vertex without three coordinates");
        if (!off->more && off->rest[strspn(off->rest, " \t")])
            return refuse_line(off, "a vertex with more than three coordinates; the header would say NOFF, or COFF");
        if (!mesh_builder_vertex(off->builder, exact_vec_make(p[0], p[1], p[2]), off->lines.number))
            return false;
    }
    return true;
}

static bool read_faces(struct off *off)
{
    uint32_t *corners = NULL;
    size_t room = 0;
    bool done = true;
    for (uint64_t i = 0; done && i < off->counts[1]; ++i) {
        uint64_t count = 0, corner = 0;
        done = next_line(off, "faces", i, off->counts[1]) &&
               (read_whole(off, strlen(off->rest), &count) ||
                refuse_line(off, "a face without the number of its corners"));
        if (done && count > room) {
            room = 2 * count;
            done = memory_resize(&corners, room, sizeof *corners, off->builder->error, "for %s", off->builder->path);
        }
        for (uint64_t k = 0; done && k < count; ++k) {
            done = read_whole(off, UINT32_MAX, &corner) ||
                   refuse_line(off, "a face without all of its corners, or with one that is no whole number from 0");
            corners[k] = (uint32_t)corner;
        }
        done = done && mesh_builder_face(off->builder, corners, count, 0, off->lines.number);
    }
    free(corners);
    return done;
}

bool mesh_off_read(struct mesh_builder *builder, const char *bytes, size_t size)
{
    struct off off = {.builder = builder, .lines = mesh_lines_make(bytes, size)};
    const bool done =
        mesh_builder_is_text(builder, bytes, size) && read_header(&off) && read_vertices(&off) && read_faces(&off);
    struct mesh_material grey = mesh_material_white;
    for (int c = 0; c < 3; ++c)
        grey.diffuse[c] = 0.6;
    mesh_builder_material(builder, &grey);
    if (done && mesh_lines_next(&off.lines))
        mesh_builder_warn(builder, "line %d and those behind it are left out: the header says no more",
                          off.lines.number);
    mesh_lines_finish(&off.lines);
    return done && mesh_builder_finish(builder);
}
