// SPDX-License-Identifier: MIT
#include "import/mesh_ply.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// What this reader does with an element, and with a property.
enum kind { KIND_OTHER, KIND_VERTEX, KIND_FACE, KIND_STRIPS, KIND_EDGE };
enum role { ROLE_NONE, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS };

struct ply {
    struct ply_header header;
    struct mesh_builder *builder;
    const char *text, *at, *end;
    const struct ply_element *element; // that is being read
    enum kind kind;
    uint64_t row;
    int line; // of the text; binary data have none
    double place[3];
    int64_t *corners; // of one row
    uint32_t *polygon;
    size_t corner_count, corner_room;
};

static enum kind kind_of(const struct ply_element *element)
{
    static const char *const names[] = {"", "vertex", "face", "tristrips", "edge"};
    for (int i = KIND_VERTEX; i <= KIND_EDGE; ++i)
        if (strcmp(element->name, names[i]) == 0)
            return (enum kind)i;
    return KIND_OTHER;
}

static bool are_corners(const struct ply_property *property)
{
    return property->list &&
           (strcmp(property->name, "vertex_indices") == 0 || strcmp(property->name, "vertex_index") == 0);
}

static enum role role_of(enum kind kind, const struct ply_property *property)
{
    const char *name = property->name;
    if (kind == KIND_VERTEX && !property->list && name[0] >= 'x' && name[0] <= 'z' && name[1] == '\0')
        return (enum role)(ROLE_X + (name[0] - 'x'));
    return (kind == KIND_FACE || kind == KIND_STRIPS) && are_corners(property) ? ROLE_CORNERS : ROLE_NONE;
}

// ---- numbers

static bool cut_short(struct ply *ply)
{
    return mesh_builder_fail(ply->builder, ply->line, "the file is cut short: it holds %llu of %llu %s",
                             (unsigned long long)ply->row, (unsigned long long)ply->element->count, ply->element->name);
}

static void skip_white(struct ply *ply)
{
    for (; ply->at < ply->end && *ply->at && strchr(" \t\r\n", *ply->at); ++ply->at)
        ply->line += *ply->at == '\n' || (*ply->at == '\r' && ply->at[1] != '\n');
}

static bool read_word(struct ply *ply, double *value)
{
    char *after;
    skip_white(ply);
    if (ply->at == ply->end)
        return cut_short(ply);
    *value = strtod(ply->at, &after);
    if (after == ply->at || (*after && !strchr(" \t\r\n", *after)) || (!*after && after != ply->end))
        return mesh_builder_fail(ply->builder, ply->line, "'%.*s' is no number",
                                 (int)strcspn(ply->at, " \t\r\n") > 40 ? 40 : (int)strcspn(ply->at, " \t\r\n"),
                                 ply->at);
    ply->at = after;
    return true;
}

static double number_of(uint64_t bits, enum ply_type type)
{
    const uint32_t low = (uint32_t)bits;
    float single;
    double twice;
    switch (type) {
    case PLY_INT8: return (int8_t)bits;
    case PLY_INT16: return (int16_t)bits;
    case PLY_INT32: return (int32_t)bits;
    case PLY_UINT8:
    case PLY_UINT16:
    case PLY_UINT32: return low;
    case PLY_FLOAT32: memcpy(&single, &low, sizeof single); return (double)single;
    case PLY_FLOAT64: break;
    }
    memcpy(&twice, &bits, sizeof twice);
    return twice;
}

static bool read_number(struct ply *ply, enum ply_type type, double *value)
{
    const size_t size = ply_type_sizes[type];
    uint64_t bits = 0;
    if (ply->header.order == PLY_ASCII)
        return read_word(ply, value);
    if ((size_t)(ply->end - ply->at) < size)
        return cut_short(ply);
    for (size_t i = 0; i < size; ++i)
        bits |= (uint64_t)(unsigned char)ply->at[i] << 8 * (ply->header.order == PLY_BIG ? size - 1 - i : i);
    ply->at += size;
    *value = number_of(bits, type);
    return true;
}

// ---- rows

static bool corner_room(struct ply *ply, size_t count)
{
    if (count <= ply->corner_room)
        return true;
    struct mesh_builder *builder = ply->builder;
    ply->corner_room = 2 * count;
    return memory_resize(&ply->corners, 2 * count, sizeof *ply->corners, builder->error, "for the mesh %s",
                         builder->path) &&
           memory_resize(&ply->polygon, 2 * count, sizeof *ply->polygon, builder->error, "for the mesh %s",
                         builder->path);
}

static bool read_list(struct ply *ply, const struct ply_property *property, bool wanted)
{
    double count = 0, value = 0;
    if (!read_number(ply, property->count, &count))
        return false;
    if (!(count >= 0) || count != floor(count))
        return mesh_builder_fail(ply->builder, ply->line, "%s %llu has a list of %g values", ply->element->name,
                                 (unsigned long long)ply->row, count);
    if (count > (double)(ply->end - ply->at)) // each takes a byte or more
        return cut_short(ply);
    if (wanted && !corner_room(ply, (size_t)count))
        return false;
    for (size_t i = 0; i < (size_t)count; ++i) {
        if (!read_number(ply, property->type, &value))
            return false;
        if (!wanted)
            continue;
        if (!(value >= (ply->kind == KIND_STRIPS ? -1 : 0) && value <= UINT32_MAX) || value != floor(value))
            return mesh_builder_fail(ply->builder, ply->line, "%s %llu refers to vertex %g, and there are %llu",
                                     ply->element->name, (unsigned long long)ply->row, value,
                                     (unsigned long long)ply->builder->mesh->vertex_count);
        ply->corners[i] = (int64_t)value;
    }
    if (wanted)
        ply->corner_count = (size_t)count;
    return true;
}

static bool add_face(struct ply *ply, const int64_t *corners, size_t count, bool swapped)
{
    for (size_t i = 0; i < count; ++i)
        ply->polygon[i] = (uint32_t)corners[swapped && i < 2 ? 1 - i : i];
    return mesh_builder_face(ply->builder, ply->polygon, count, 0, ply->line);
}

// Each corner from the third on makes a triangle with the two before it, every second one the other way round; -1 begins
// a strip anew.
static bool add_strips(struct ply *ply)
{
    for (size_t i = 0, run = 0; i < ply->corner_count; ++i) {
        run = ply->corners[i] < 0 ? 0 : run + 1;
        if (run >= 3 && !add_face(ply, ply->corners + i - 2, 3, run % 2 == 0))
            return false;
    }
    return true;
}

static bool add_row(struct ply *ply)
{
    if (ply->kind == KIND_VERTEX)
        return mesh_builder_vertex(ply->builder, exact_vec_make(ply->place[0], ply->place[1], ply->place[2]),
                                   ply->line);
    return ply->kind == KIND_STRIPS ? add_strips(ply) : add_face(ply, ply->corners, ply->corner_count, false);
}

// Values that the header does not know would shift all that follow.
static bool end_row(struct ply *ply)
{
    if (ply->header.order != PLY_ASCII)
        return true;
    while (ply->at < ply->end && (*ply->at == ' ' || *ply->at == '\t'))
        ++ply->at;
    return ply->at == ply->end || *ply->at == '\n' || *ply->at == '\r' ||
           mesh_builder_fail(ply->builder, ply->line, "%s %llu has more values than the header says",
                             ply->element->name, (unsigned long long)ply->row);
}

static bool read_row(struct ply *ply, bool wanted)
{
    double value = 0;
    for (size_t i = 0; i < ply->element->property_count; ++i) {
        const struct ply_property *property = &ply->element->properties[i];
        const enum role role = wanted ? role_of(ply->kind, property) : ROLE_NONE;
        if (property->list ? !read_list(ply, property, role == ROLE_CORNERS)
                           : !read_number(ply, property->type, &value))
            return false;
        if (role >= ROLE_X && role <= ROLE_Z)
            ply->place[role - ROLE_X] = value;
    }
    return end_row(ply) && (!wanted || add_row(ply));
}

// ---- elements

// What is wanted must be there, once.
static bool check_role(struct ply *ply, enum role role)
{
    static const char *const names[] = {"", "property x", "property y", "property z", "list vertex_indices"};
    size_t found = 0;
    for (size_t i = 0; i < ply->element->property_count; ++i)
        found += role_of(ply->kind, &ply->element->properties[i]) == role;
    return found == 1 || mesh_builder_fail(ply->builder, 0, "the header gives the element %s %s %s", ply->element->name,
                                           found ? "more than one" : "no", names[role]);
}

static bool check_element(struct ply *ply)
{
    if (ply->kind != KIND_VERTEX)
        return check_role(ply, ROLE_CORNERS);
    return check_role(ply, ROLE_X) && check_role(ply, ROLE_Y) && check_role(ply, ROLE_Z);
}

// Goes past an element whose rows all have one size; false where they have not.
static bool skip_rows(struct ply *ply)
{
    const struct ply_element *element = ply->element;
    uint64_t size = 0;
    for (size_t i = 0; i < element->property_count; ++i) {
        if (element->properties[i].list)
            return false;
        size += ply_type_sizes[element->properties[i].type];
    }
    if (size > 0 && (ply->header.order == PLY_ASCII || element->count > (uint64_t)(ply->end - ply->at) / size))
        return false;
    ply->at += size * element->count;
    return true;
}

static bool read_element(struct ply *ply, const struct ply_element *element, bool wanted)
{
    ply->element = element;
    ply->kind = kind_of(element);
    if (element->count == 0 || (!wanted && skip_rows(ply)))
        return true;
    if (wanted && !check_element(ply))
        return false;
    for (ply->row = 0; ply->row < element->count; ++ply->row)
        if (!read_row(ply, wanted))
            return false;
    return true;
}

// What holds geometry of other kinds is left out, and said.
static void tell_others(struct ply *ply)
{
    for (size_t i = 0; i < ply->header.element_count; ++i) {
        const struct ply_element *element = &ply->header.elements[i];
        const enum kind kind = kind_of(element);
        if (kind == KIND_EDGE)
            ply->builder->lines += element->count;
        for (size_t k = 0; kind == KIND_OTHER && element->count > 0 && k < element->property_count; ++k)
            if (are_corners(&element->properties[k]))
                mesh_builder_warn(ply->builder, "its %llu %s, which refer to vertices, are left out",
                                  (unsigned long long)element->count, element->name);
        for (size_t k = 0; kind == KIND_FACE && ply->builder->materials && k < element->property_count; ++k)
            if (strncmp(element->properties[k].name, "material", 8) == 0)
                mesh_builder_warn(ply->builder, "the %s of its faces is left out: they are all of one material",
                                  element->properties[k].name);
    }
}

static bool read_elements(struct ply *ply, bool vertices)
{
    ply->at = ply->text + ply->header.size;
    ply->line = ply->header.order == PLY_ASCII ? ply->header.lines + 1 : 0;
    for (size_t i = 0; i < ply->header.element_count; ++i) {
        const enum kind kind = kind_of(&ply->header.elements[i]);
        const bool wanted = vertices ? kind == KIND_VERTEX : kind == KIND_FACE || kind == KIND_STRIPS;
        if (!read_element(ply, &ply->header.elements[i], wanted))
            return false;
        if (vertices && wanted)
            break;
    }
    return true;
}

static bool read_data(struct ply *ply)
{
    // Vertices first, wherever they stand, for faces refer to them.
    if (!read_elements(ply, true) || !read_elements(ply, false))
        return false;
    if (ply->header.order == PLY_ASCII)
        skip_white(ply);
    if (ply->at < ply->end)
        mesh_builder_warn(ply->builder, "%llu bytes follow what the header says, and are left out",
                          (unsigned long long)(ply->end - ply->at));
    tell_others(ply);
    return true;
}

bool mesh_ply_read(struct mesh_builder *builder, const char *bytes, size_t size)
{
    struct ply ply = {.builder = builder, .text = bytes, .end = bytes + size};
    const bool done = ply_header_read(&ply.header, builder, bytes, size) && read_data(&ply);
    free(ply.corners);
    free(ply.polygon);
    ply_header_finish(&ply.header);
    return done && mesh_builder_finish(builder);
}
