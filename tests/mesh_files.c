// SPDX-License-Identifier: MIT
#include "mesh_files.h"

#include "check.h"
#include "base/memory.h"
#include "folder_support.h"
#include "import/mesh_import.h"

static const char *folder;

char *mesh_files_write_bytes(const char *name, const void *bytes, size_t size)
{
    char *path = memory_format("%s/%s", folder, name);
    folder_write(NULL, path, bytes, size);
    return path;
}

// Its triangles as "0 0 0, 2 0 0, 2 3 0; ...", or, after "error: ", why it could not be read.
static char *describe(const char *path, bool textures)
{
    char *text;
    size_t size;
    struct mesh_data mesh;
    struct error error = {0};
    FILE *to = memory_stream(&text, &size);
    if (!mesh_import(&mesh, path, "m", textures, &error)) {
        assert_true(strncmp(error.file, folder, strlen(folder)) == 0 && strstr(error.message, "mesh \"m\""));
        fprintf(to, "error: %s, line %d", error.message, error.line);
    } else
        for (uint64_t i = 0; i < 3 * mesh.triangle_count; ++i) {
            const struct exact_vec *v = &mesh.vertices[mesh.indices[i]];
            fprintf(to, "%s%g %g %g", i == 0 ? "" : i % 3 ? ", " : "; ", v->x + 0, v->y + 0, v->z + 0); // + 0: no -0
        }
    memory_close(to);
    mesh_finish(&mesh);
    return text;
}

void mesh_files_expect(const char *name, const void *bytes, size_t size, const char *wanted)
{
    char *path = mesh_files_write_bytes(name, bytes, size), *found = describe(path, true);
    const bool good = strncmp(found, "error: ", 7) == 0 ? strstr(found, wanted) != NULL : strcmp(found, wanted) == 0;
    if (!good)
        print_message("%s holds '%.400s'\n  wanted: %s\n  found:  %s\n", name, (const char *)bytes, wanted, found);
    assert_true(good);
    free(path);
    free(found);
}

void mesh_files_write(const char *name, const char *text)
{
    free(mesh_files_write_bytes(name, text, strlen(text)));
}

static char *describe_materials(const char *name)
{
    char *text, *path = memory_format("%s/%s", folder, name);
    size_t size;
    struct mesh_data mesh;
    struct error error = {0};
    FILE *to = memory_stream(&text, &size);
    if (!mesh_import(&mesh, path, "m", true, &error))
        fprintf(to, "error: %s %s, line %d", error.file, error.message, error.line);
    for (uint64_t i = 0; i < mesh.triangle_count; ++i) {
        const struct mesh_material *m = &mesh.palette[mesh.materials[i]];
        fprintf(to, "%s%s%s %g %g %g %g", i ? ", " : "", m->name, m->missing ? "?" : "", m->diffuse[0], m->diffuse[1],
                m->diffuse[2], m->opacity);
        if (m->specular[0] + m->specular[1] + m->specular[2] > 0)
            fprintf(to, ", %g %g %g to %g", m->specular[0], m->specular[1], m->specular[2], m->exponent);
    }
    memory_close(to);
    mesh_finish(&mesh);
    free(path);
    return text;
}

void mesh_files_expect_materials(const char *name, const char *wanted)
{
    char *found = describe_materials(name);
    const bool good = wanted[0] == '~' ? strstr(found, wanted + 1) != NULL : strcmp(found, wanted) == 0;
    if (!good)
        print_message("%s\n  wanted: %s\n  found:  %s\n", name, wanted, found);
    assert_true(good);
    free(found);
}

int mesh_files_set_up(void **state)
{
    folder = folder_new();
    return 0;
}
