// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "import/bytes.h"
#include "import/mesh_gltf.h"

// ---- JSON

json_t *gltf_entry(struct gltf *gltf, const char *list, uint64_t index)
{
    json_t *entry = json_array_get(json_object_get(gltf->root, list), index);
    if (json_is_object(entry))
        return entry;
    mesh_builder_fail(gltf->builder, 0, "it refers to %s[%llu], and has %zu of them", list, (unsigned long long)index,
                      json_array_size(json_object_get(gltf->root, list)));
    return NULL;
}

bool gltf_whole(struct gltf *gltf, const json_t *object, const char *key, uint64_t otherwise, uint64_t *value)
{
    const json_t *member = json_object_get(object, key);
    const double number = json_number_value(member);
    *value = otherwise;
    if (!member)
        return true;
    if (!json_is_number(member) || !(number >= 0 && number < 0x1p53) || number != floor(number))
        return mesh_builder_fail(gltf->builder, 0, "%s is no whole number", key);
    *value = (uint64_t)number;
    return true;
}

bool gltf_numbers(struct gltf *gltf, const json_t *object, const char *key, size_t count, double *values)
{
    const json_t *member = json_object_get(object, key);
    if (!member)
        return true;
    bool good = json_array_size(member) == count;
    for (size_t i = 0; good && i < count; ++i) {
        values[i] = json_number_value(json_array_get(member, i));
        good = json_is_number(json_array_get(member, i));
    }
    return good || mesh_builder_fail(gltf->builder, 0, "%s is not %zu numbers", key, count);
}

// Members that this reader looks at, by what they must be wherever they stand.
static const struct {
    const char *key;
    json_type type;
} members[] = {
    {"accessors", JSON_ARRAY},   {"bufferViews", JSON_ARRAY}, {"buffers", JSON_ARRAY},
    {"children", JSON_ARRAY},    {"images", JSON_ARRAY},      {"joints", JSON_ARRAY},
    {"materials", JSON_ARRAY},   {"meshes", JSON_ARRAY},      {"nodes", JSON_ARRAY},
    {"primitives", JSON_ARRAY},  {"scenes", JSON_ARRAY},      {"skins", JSON_ARRAY},
    {"targets", JSON_ARRAY},     {"textures", JSON_ARRAY},    {"weights", JSON_ARRAY},
    {"attributes", JSON_OBJECT}, {"extensions", JSON_OBJECT}, {"extensionsRequired", JSON_ARRAY},
    {"sparse", JSON_OBJECT},     {"uri", JSON_STRING},        {"pbrMetallicRoughness", JSON_OBJECT},
    {"alphaMode", JSON_STRING},  {"asset", JSON_OBJECT},
};

// What is not of its type would be taken for missing.
static bool check_members(struct gltf *gltf, json_t *value)
{
    const char *key;
    json_t *member;
    size_t at;
    json_array_foreach(value, at, member) if (!check_members(gltf, member)) return false;
    json_object_foreach(value, key, member)
    {
        for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
            if (strcmp(key, members[i].key) == 0 && json_typeof(member) != members[i].type)
                return mesh_builder_fail(gltf->builder, 0, "its JSON has a member %s that is of another type", key);
        if (strcmp(key, "extras") != 0 && strcmp(key, "extensions") != 0 && !check_members(gltf, member))
            return false;
    }
    return true;
}

// ---- bytes

static int hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static char *decode_percents(const char *uri)
{
    char *text = memory_copy(uri), *to = text;
    for (const char *from = uri; *from; ++to) {
        const int high = from[0] == '%' ? hex_value(from[1]) : -1, low = high >= 0 ? hex_value(from[2]) : -1;
        *to = low >= 0 ? (char)(16 * high + low) : *from;
        from += low >= 0 ? 3 : 1;
    }
    *to = '\0';
    return text;
}

char *gltf_uri_path(const char *gltf, const char *uri)
{
    if (strncasecmp(uri, "data:", 5) == 0)
        return NULL;
    char *name = decode_percents(uri), *path = path_beside(gltf, name);
    free(name);
    if (access(path, F_OK) == 0)
        return path;
    char *literal = path_beside(gltf, uri); // of those who do not encode what they write
    const bool there = access(literal, F_OK) == 0;
    free(there ? path : literal);
    return there ? literal : path;
}

static int base64_value(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

static bool decode_data(struct gltf *gltf, const char *uri, struct gltf_bytes *bytes)
{
    const char *from = strstr(uri, ";base64,");
    if (!from)
        return mesh_builder_fail(gltf->builder, 0, "a data uri is not encoded as base64");
    from += strlen(";base64,");
    char *to = bytes->owned = malloc(strlen(from) * 3 / 4 + 1);
    if (!to)
        return error_memory(gltf->builder->error, "for the mesh %s", gltf->builder->path);
    uint32_t bits = 0;
    int count = 0;
    for (int value; (value = base64_value(*from)) >= 0; ++from) {
        bits = bits << 6 | (uint32_t)value;
        count += 6;
        if (count >= 8) {
            count -= 8;
            *to++ = (char)(bits >> count & 255);
        }
    }
    bytes->at = bytes->owned;
    bytes->size = (size_t)(to - bytes->owned);
    return from[strspn(from, "=")] == '\0' ||
           mesh_builder_fail(gltf->builder, 0, "a data uri holds what is not base64: '%.1s'", from);
}

bool gltf_uri_read(struct gltf *gltf, const char *uri, struct gltf_bytes *bytes)
{
    *bytes = (struct gltf_bytes){0};
    if (strstr(uri, "://") && strncasecmp(uri, "data:", 5) != 0)
        return mesh_builder_fail(gltf->builder, 0, "it refers to %.200s, which is not beside it", uri);
    char *path = gltf_uri_path(gltf->builder->path, uri);
    if (!path)
        return decode_data(gltf, uri, bytes);
    bytes->at = bytes->owned = mesh_file_read(path, &bytes->size, gltf->builder->error);
    free(path);
    return bytes->at != NULL;
}

static bool read_buffer(struct gltf *gltf, uint64_t index)
{
    struct gltf_bytes *bytes = &gltf->buffers[index];
    const json_t *buffer = gltf_entry(gltf, "buffers", index);
    const char *uri = json_string_value(json_object_get(buffer, "uri"));
    uint64_t size;
    if (!buffer || !gltf_whole(gltf, buffer, "byteLength", 0, &size))
        return false;
    if (!uri && (index > 0 || !gltf->binary.at))
        return mesh_builder_fail(gltf->builder, 0, "buffers[%llu] has no data%s", (unsigned long long)index,
                                 json_object_get(buffer, "extensions") ? " but for an extension's, not supported" : "");
    if (!uri)
        *bytes = (struct gltf_bytes){.at = gltf->binary.at, .size = gltf->binary.size};
    else if (!gltf_uri_read(gltf, uri, bytes))
        return false;
    if (size > bytes->size)
        return mesh_builder_fail(gltf->builder, 0, "buffers[%llu] is cut short: %zu of %llu bytes",
                                 (unsigned long long)index, bytes->size, (unsigned long long)size);
    bytes->size = size;
    return true;
}

bool gltf_view_read(struct gltf *gltf, uint64_t index, struct gltf_bytes *bytes, uint64_t *stride)
{
    const json_t *view = gltf_entry(gltf, "bufferViews", index);
    uint64_t buffer, offset, size;
    if (!view || !gltf_whole(gltf, view, "buffer", GLTF_NONE, &buffer) ||
        !gltf_whole(gltf, view, "byteOffset", 0, &offset) || !gltf_whole(gltf, view, "byteLength", 0, &size) ||
        !gltf_whole(gltf, view, "byteStride", 0, stride) || !gltf_entry(gltf, "buffers", buffer) ||
        (!gltf->buffers[buffer].at && !read_buffer(gltf, buffer)))
        return false;
    if (offset > gltf->buffers[buffer].size || size > gltf->buffers[buffer].size - offset)
        return mesh_builder_fail(gltf->builder, 0, "bufferViews[%llu] reaches beyond its buffer",
                                 (unsigned long long)index);
    *bytes = (struct gltf_bytes){.at = gltf->buffers[buffer].at + offset, .size = size};
    return true;
}

// ---- the file

// A GLB file's parts: its JSON, and perhaps the first buffer.
static bool split_binary(struct gltf *gltf, const char **bytes, size_t *size)
{
    const char *at = *bytes + 12, *end = *bytes + *size;
    if (*size < 20 || bytes_word(*bytes + 8, 4, false) > *size)
        return mesh_builder_fail(gltf->builder, 0, "the file is cut short: %zu of %u bytes", *size,
                                 *size < 12 ? 20 : (uint32_t)bytes_word(*bytes + 8, 4, false));
    if (bytes_word(*bytes + 4, 4, false) != 2)
        return mesh_builder_fail(gltf->builder, 0, "this is GLB of version %u; only 2 is supported",
                                 (uint32_t)bytes_word(*bytes + 4, 4, false));
    for (int part = 0; end - at >= 8; ++part) {
        const uint32_t length = (uint32_t)bytes_word(at, 4, false), kind = (uint32_t)bytes_word(at + 4, 4, false);
        if (length > (size_t)(end - at) - 8)
            return mesh_builder_fail(gltf->builder, 0, "the file is cut short: part %d reaches beyond its end", part);
        if (part == 0 && kind != 0x4E4F534A) // "JSON"
            return mesh_builder_fail(gltf->builder, 0, "its first part is no JSON");
        if (part == 0)
            *bytes = at + 8, *size = length;
        else if (part == 1 && kind == 0x004E4942) // "BIN"
            gltf->binary = (struct gltf_bytes){.at = at + 8, .size = length};
        at += 8 + (size_t)length;
    }
    return true;
}

static bool check_version(struct gltf *gltf)
{
    const json_t *asset = json_object_get(gltf->root, "asset"), *least = json_object_get(asset, "minVersion");
    const char *version = json_string_value(least ? least : json_object_get(asset, "version"));
    if (version && strncmp(version, "2.", 2) == 0 && (!least || strcmp(version, "2.0") == 0))
        return true;
    mesh_builder_fail(gltf->builder, 0, "it is of glTF %.20s; only 2.0 is supported",
                      version ? version : "without a version");
    return error_remedy(gltf->builder->error, "convert the file to glTF 2.0");
}

bool gltf_open(struct gltf *gltf, struct mesh_builder *builder, const char *bytes, size_t size)
{
    json_error_t error;
    *gltf = (struct gltf){.builder = builder};
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0 && !split_binary(gltf, &bytes, &size))
        return false;
    const size_t mark = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; // of UTF-8
    gltf->root = json_loadb(bytes + mark, size - mark, JSON_REJECT_DUPLICATES, &error);
    if (!gltf->root)
        return mesh_builder_fail(builder, error.line, "its JSON cannot be read: %s", error.text);
    gltf->buffers = memory_new(json_array_size(json_object_get(gltf->root, "buffers")), sizeof *gltf->buffers);
    return check_version(gltf) && check_members(gltf, gltf->root);
}

void gltf_finish(struct gltf *gltf)
{
    for (size_t i = 0; gltf->buffers && i < json_array_size(json_object_get(gltf->root, "buffers")); ++i)
        free(gltf->buffers[i].owned);
    free(gltf->buffers);
    json_decref(gltf->root);
}
