// SPDX-License-Identifier: MIT
// Accessors: numbers of six types, packed or not, dense or sparse.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/mesh_gltf.h"

static const uint64_t ABSENT_MAX = 1 << 20; // values of an accessor without data, which are zero

struct accessor {
    uint64_t component; // its type
    uint64_t count, offset, view;
    int components;
    bool normalized;
};

static uint64_t component_size(uint64_t type)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 0, 4, 4}; // from 5120 on
    return type >= 5120 && type <= 5126 ? sizes[type - 5120] : 0;
}

static double number_at(const char *at, uint64_t type, bool normalized)
{
    int8_t i8;
    int16_t i16;
    uint16_t u16;
    uint32_t u32;
    float single;
    switch (type) {
    case 5120: memcpy(&i8, at, 1); return !normalized ? i8 : i8 < -127 ? -1 : i8 / 127.0;
    case 5121: return normalized ? (unsigned char)*at / 255.0 : (unsigned char)*at;
    case 5122: memcpy(&i16, at, 2); return !normalized ? i16 : i16 < -32767 ? -1 : i16 / 32767.0;
    case 5123: memcpy(&u16, at, 2); return normalized ? u16 / 65535.0 : u16;
    case 5125: memcpy(&u32, at, 4); return u32;
    default: memcpy(&single, at, 4); return (double)single;
    }
}

// A view's values, to be freed; NULL with the error set.
static double *read_dense(struct gltf *gltf, const struct accessor *accessor)
{
    const uint64_t size = component_size(accessor->component), width = size * (uint64_t)accessor->components;
    struct gltf_bytes bytes;
    uint64_t stride;
    if (width == 0) {
        mesh_builder_fail(gltf->builder, 0, "an accessor's componentType is %llu, which is none",
                          (unsigned long long)accessor->component);
        return NULL;
    }
    if (!gltf_view_read(gltf, accessor->view, &bytes, &stride))
        return NULL;
    if (stride && stride < width) {
        mesh_builder_fail(gltf->builder, 0, "bufferViews[%llu] has a byteStride of %llu for values of %llu bytes",
                          (unsigned long long)accessor->view, (unsigned long long)stride, (unsigned long long)width);
        return NULL;
    }
    stride = stride ? stride : width;
    if (accessor->offset > bytes.size || bytes.size - accessor->offset < width ||
        accessor->count - 1 > (bytes.size - accessor->offset - width) / stride) {
        mesh_builder_fail(gltf->builder, 0, "bufferViews[%llu], of %zu bytes, is too short for %llu values",
                          (unsigned long long)accessor->view, bytes.size, (unsigned long long)accessor->count);
        return NULL;
    }
    const char *at = bytes.at + accessor->offset;
    double *values = memory_try(accessor->count, (size_t)accessor->components * sizeof *values, gltf->builder->error,
                                "for the mesh %s", gltf->builder->path),
           *to = values;
    for (uint64_t i = 0; values && i < accessor->count; ++i)
        for (int c = 0; c < accessor->components; ++c)
            *to++ = number_at(at + i * stride + (uint64_t)c * size, accessor->component, accessor->normalized);
    return values;
}

// Puts values in the place of some.
static bool replace_sparse(struct gltf *gltf, const struct accessor *base, const double *places, const double *with,
                           uint64_t count, double *values)
{
    const size_t width = (size_t)base->components;
    for (uint64_t i = 0; i < count; ++i) {
        if (!(places[i] >= 0 && places[i] < (double)base->count))
            return mesh_builder_fail(gltf->builder, 0, "a sparse accessor replaces value %g of %llu", places[i],
                                     (unsigned long long)base->count);
        memcpy(values + (size_t)places[i] * width, with + i * width, width * sizeof *with);
    }
    return true;
}

static bool read_sparse(struct gltf *gltf, const json_t *sparse, const struct accessor *base, double *values)
{
    const json_t *index = json_object_get(sparse, "indices"), *value = json_object_get(sparse, "values");
    struct accessor places = {.components = 1}, with = *base;
    uint64_t count;
    if (!gltf_whole(gltf, sparse, "count", 0, &count) ||
        !gltf_whole(gltf, index, "bufferView", GLTF_NONE, &places.view) ||
        !gltf_whole(gltf, index, "byteOffset", 0, &places.offset) ||
        !gltf_whole(gltf, index, "componentType", 0, &places.component) ||
        !gltf_whole(gltf, value, "bufferView", GLTF_NONE, &with.view) ||
        !gltf_whole(gltf, value, "byteOffset", 0, &with.offset))
        return false;
    if (count == 0 || count > base->count)
        return mesh_builder_fail(gltf->builder, 0, "a sparse accessor replaces %llu of %llu values",
                                 (unsigned long long)count, (unsigned long long)base->count);
    places.count = with.count = count;
    double *at = read_dense(gltf, &places), *numbers = at ? read_dense(gltf, &with) : NULL;
    const bool done = numbers && replace_sparse(gltf, base, at, numbers, count, values);
    free(at);
    free(numbers);
    return done;
}

static bool read_accessor(struct gltf *gltf, const json_t *from, const char *type, struct accessor *accessor)
{
    const char *is = json_string_value(json_object_get(from, "type"));
    *accessor = (struct accessor){.normalized = json_is_true(json_object_get(from, "normalized"))};
    accessor->components = strcmp(type, "SCALAR") == 0 ? 1
                           : strcmp(type, "VEC3") == 0 ? 3
                           : strcmp(type, "VEC4") == 0 ? 4
                                                       : 16;
    if (!from || !gltf_whole(gltf, from, "componentType", 0, &accessor->component) ||
        !gltf_whole(gltf, from, "count", 0, &accessor->count) ||
        !gltf_whole(gltf, from, "byteOffset", 0, &accessor->offset) ||
        !gltf_whole(gltf, from, "bufferView", GLTF_NONE, &accessor->view))
        return false;
    if (!is || strcmp(is, type) != 0)
        return mesh_builder_fail(gltf->builder, 0, "an accessor is of %.40s where it must be %s", is ? is : "nothing",
                                 type);
    return (accessor->count > 0 && accessor->count < UINT32_MAX) ||
           mesh_builder_fail(gltf->builder, 0, "an accessor has %llu values", (unsigned long long)accessor->count);
}

bool gltf_values_read(struct gltf *gltf, uint64_t index, const char *type, struct gltf_values *values)
{
    struct accessor accessor;
    const json_t *from = gltf_entry(gltf, "accessors", index);
    *values = (struct gltf_values){0};
    if (!from || !read_accessor(gltf, from, type, &accessor))
        return false;
    const json_t *sparse = json_object_get(from, "sparse");
    if (accessor.view == GLTF_NONE && accessor.count > ABSENT_MAX)
        return mesh_builder_fail(gltf->builder, 0, "accessors[%llu] has %llu values and no data",
                                 (unsigned long long)index, (unsigned long long)accessor.count);
    values->count = accessor.count;
    values->components = accessor.components;
    values->values = accessor.view != GLTF_NONE
                         ? read_dense(gltf, &accessor)
                         : memory_new(accessor.count * (size_t)accessor.components, sizeof *values->values);
    return values->values && (!sparse || read_sparse(gltf, sparse, &accessor, values->values));
}
