// SPDX-License-Identifier: MIT
#include "scene/mesh_import.h"

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "scene/mesh_paths.h"
#include "scene/picture.h"
#include "scene/soup.h"

enum { MESH_NODE_DEPTH = 256 };

struct import {
    const struct aiScene *scene;
    const char *path, *name;
    struct mesh_data *mesh;
    struct error *error;
};

// ---- geometry

static struct exact_transform transform_of(const struct aiMatrix4x4 *m)
{
    return (struct exact_transform){{{(double)m->a1, (double)m->a2, (double)m->a3},
                                     {(double)m->b1, (double)m->b2, (double)m->b3},
                                     {(double)m->c1, (double)m->c2, (double)m->c3}},
                                    {(double)m->a4, (double)m->b4, (double)m->c4}};
}

// Calls `each` for every mesh of every node, depth first, with the node's transform to the world.
static bool walk_nodes(struct import *import, const struct aiNode *node, const struct exact_transform *above, int depth,
                       bool (*each)(struct import *, const struct aiMesh *, const struct exact_transform *))
{
    const struct exact_transform local = transform_of(&node->mTransformation);
    const struct exact_transform world = exact_transform_multiply(above, &local);
    if (depth > MESH_NODE_DEPTH)
        return error_set_at(import->error, ERROR_INPUT, import->path, 0, "mesh \"%s\": nodes nested too deeply",
                            import->name);
    for (unsigned i = 0; i < node->mNumMeshes; ++i)
        if (node->mMeshes[i] < import->scene->mNumMeshes &&
            !each(import, import->scene->mMeshes[node->mMeshes[i]], &world))
            return false;
    for (unsigned i = 0; i < node->mNumChildren; ++i)
        if (!walk_nodes(import, node->mChildren[i], &world, depth + 1, each))
            return false;
    return true;
}

static bool count_mesh(struct import *import, const struct aiMesh *mesh, const struct exact_transform *world)
{
    (void)world;
    import->mesh->vertex_count += mesh->mNumVertices;
    import->mesh->triangle_count += mesh->mNumFaces;
    if (import->mesh->vertex_count < UINT32_MAX && import->mesh->triangle_count <= SOUP_MAX)
        return true;
    return error_set_at(import->error, ERROR_INPUT, import->path, 0, "mesh \"%s\" is too large", import->name);
}

static bool add_vertices(struct import *import, const struct aiMesh *mesh, const struct exact_transform *world)
{
    for (unsigned i = 0; i < mesh->mNumVertices; ++i) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        if (!isfinite(v->x) || !isfinite(v->y) || !isfinite(v->z))
            return error_set_at(
                import->error, ERROR_INPUT, import->path, 0, "mesh \"%s\": vertex %llu is (%g, %g, %g), not a point",
                import->name, (unsigned long long)import->mesh->vertex_count, (double)v->x, (double)v->y, (double)v->z);
        const struct exact_vec p = exact_vec_make((double)v->x, (double)v->y, (double)v->z);
        import->mesh->vertices[import->mesh->vertex_count++] = exact_transform_point(world, p);
    }
    return true;
}

static bool add_mesh(struct import *import, const struct aiMesh *mesh, const struct exact_transform *world)
{
    struct mesh_data *to = import->mesh;
    const uint32_t base = (uint32_t)to->vertex_count;
    if (!add_vertices(import, mesh, world))
        return false;
    for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices != 3) // points and lines
            continue;
        for (int k = 0; k < 3; ++k) {
            if (face->mIndices[k] >= mesh->mNumVertices)
                return error_set_at(import->error, ERROR_INPUT, import->path, 0,
                                    "mesh \"%s\": a face refers to vertex %u of %u", import->name, face->mIndices[k],
                                    mesh->mNumVertices);
            to->indices[3 * to->triangle_count + (uint64_t)k] = base + face->mIndices[k];
        }
        to->materials[to->triangle_count++] = mesh->mMaterialIndex < to->palette_count ? mesh->mMaterialIndex : 0;
    }
    return true;
}

static bool read_geometry(struct import *import)
{
    const struct exact_transform identity = exact_transform_identity();
    struct mesh_data *mesh = import->mesh;
    if (!import->scene->mRootNode || !walk_nodes(import, import->scene->mRootNode, &identity, 0, count_mesh))
        return import->scene->mRootNode
                   ? false
                   : error_set_at(import->error, ERROR_INPUT, import->path, 0, "the mesh is empty");
    mesh->vertices = malloc((mesh->vertex_count + 1) * sizeof *mesh->vertices);
    mesh->indices = malloc((mesh->triangle_count + 1) * 3 * sizeof *mesh->indices);
    mesh->materials = malloc((mesh->triangle_count + 1) * sizeof *mesh->materials);
    if (!mesh->vertices || !mesh->indices || !mesh->materials)
        return error_set(import->error, ERROR_SYSTEM, "no memory for the mesh %s", import->path);
    mesh->vertex_count = mesh->triangle_count = 0;
    if (!walk_nodes(import, import->scene->mRootNode, &identity, 0, add_mesh))
        return false;
    return mesh->triangle_count > 0 ||
           error_set_at(import->error, ERROR_INPUT, import->path, 0, "mesh \"%s\" holds no triangle", import->name);
}

// ---- materials

static double clamp(double x, double low, double high)
{
    return x >= low ? (x <= high ? x : high) : low; // NaN becomes low
}

static void read_colour(const struct aiMaterial *from, const char *key, unsigned type, unsigned index, double colour[3])
{
    struct aiColor4D value;
    if (aiGetMaterialColor(from, key, type, index, &value) != aiReturn_SUCCESS)
        return;
    colour[0] = clamp((double)value.r, 0, 1);
    colour[1] = clamp((double)value.g, 0, 1);
    colour[2] = clamp((double)value.b, 0, 1);
}

static double read_scalar(const struct aiMaterial *from, const char *key, unsigned type, unsigned index,
                          double otherwise)
{
    ai_real value;
    return aiGetMaterialFloatArray(from, key, type, index, &value, NULL) == aiReturn_SUCCESS ? (double)value
                                                                                             : otherwise;
}

// Pictures inside the mesh file are called "*0", "*1", ...; only encoded ones are understood.
static bool embedded_mean(struct import *import, const char *reference, double mean[3])
{
    const unsigned long index = strtoul(reference + 1, NULL, 10);
    if (index >= import->scene->mNumTextures || import->scene->mTextures[index]->mHeight != 0)
        return error_set_at(import->error, ERROR_INPUT, import->path, 0, "mesh \"%s\": cannot read texture %s",
                            import->name, reference);
    const struct aiTexture *texture = import->scene->mTextures[index];
    return picture_mean_memory(texture->pcData, texture->mWidth, import->path, mean, import->error);
}

static bool texture_mean(struct import *import, const char *reference, double mean[3])
{
    if (reference[0] == '*')
        return embedded_mean(import, reference, mean);
    char *path = mesh_companion_path(import->path, reference);
    const bool done = picture_mean(path, mean, import->error);
    free(path);
    return done;
}

// A path on the author's own machine: no other machine has it, so that the colour alone counts everywhere.
static bool is_foreign(const char *reference)
{
    return reference[0] == '/' || (reference[0] && reference[1] == ':');
}

static bool apply_texture(struct import *import, const struct aiMaterial *from, struct mesh_material *to)
{
    struct aiString reference;
    double mean[3];
    if (aiGetMaterialTexture(from, aiTextureType_DIFFUSE, 0, &reference, NULL, NULL, NULL, NULL, NULL, NULL) !=
            aiReturn_SUCCESS ||
        reference.length == 0 || is_foreign(reference.data))
        return true;
    if (!texture_mean(import, reference.data, mean))
        return false;
    const bool black = to->diffuse[0] <= 0 && to->diffuse[1] <= 0 && to->diffuse[2] <= 0;
    for (int c = 0; c < 3; ++c)
        to->diffuse[c] = black ? mean[c] : to->diffuse[c] * mean[c];
    return true;
}

static bool read_material(struct import *import, const struct aiMaterial *from, bool textures, struct mesh_material *to)
{
    struct aiString name;
    *to = (struct mesh_material){.name = "default", .diffuse = {0.5, 0.5, 0.5}};
    if (aiGetMaterialString(from, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS && name.length > 0)
        snprintf(to->name, sizeof to->name, "%.63s", name.data);
    read_colour(from, AI_MATKEY_COLOR_DIFFUSE, to->diffuse);
    read_colour(from, AI_MATKEY_COLOR_SPECULAR, to->specular);
    to->exponent = clamp(read_scalar(from, AI_MATKEY_SHININESS, 0), 0, 1e6);
    to->ior = clamp(read_scalar(from, AI_MATKEY_REFRACTI, 1.5), 1, 4);
    to->opacity = clamp(read_scalar(from, AI_MATKEY_OPACITY, 1), 0, 1);
    return !textures || apply_texture(import, from, to);
}

static bool read_palette(struct import *import, bool textures)
{
    struct mesh_data *mesh = import->mesh;
    const unsigned count = import->scene->mNumMaterials;
    mesh->palette = calloc(count + 1, sizeof *mesh->palette);
    if (!mesh->palette)
        return error_set(import->error, ERROR_SYSTEM, "no memory for the mesh %s", import->path);
    for (; mesh->palette_count < count; ++mesh->palette_count)
        if (!read_material(import, import->scene->mMaterials[mesh->palette_count], textures,
                           &mesh->palette[mesh->palette_count]))
            return false;
    if (count == 0) {
        mesh->palette[0] =
            (struct mesh_material){.name = "default", .diffuse = {0.5, 0.5, 0.5}, .ior = 1.5, .opacity = 1};
        mesh->palette_count = 1;
    }
    return true;
}

// ---- reading

// The library's own steps take faces without vertices, as a file cut short gives them, for a bug and abort.
static bool check_faces(struct import *import)
{
    for (unsigned i = 0; i < import->scene->mNumMeshes; ++i) {
        const struct aiMesh *mesh = import->scene->mMeshes[i];
        for (unsigned k = 0; k < mesh->mNumFaces; ++k) {
            const struct aiFace *face = &mesh->mFaces[k];
            if (face->mNumIndices == 0)
                return error_set_at(import->error, ERROR_INPUT, import->path, 0,
                                    "mesh \"%s\": face %u has no vertex: the file is cut short or damaged",
                                    import->name, k);
            for (unsigned j = 0; j < face->mNumIndices; ++j)
                if (face->mIndices[j] >= mesh->mNumVertices)
                    return error_set_at(import->error, ERROR_INPUT, import->path, 0,
                                        "mesh \"%s\": face %u refers to vertex %u, and there are %u", import->name, k,
                                        face->mIndices[j], mesh->mNumVertices);
        }
    }
    return true;
}

static bool cannot_read(const struct import *import)
{
    return error_set_at(import->error, ERROR_INPUT, import->path, 0, "cannot read mesh \"%s\": %.300s", import->name,
                        aiGetErrorString());
}

static bool read_mesh(struct mesh_data *mesh, const char *path, const char *name, bool textures, struct error *error)
{
    struct import import = {.scene = aiImportFile(path, 0), .path = path, .name = name, .mesh = mesh, .error = error};
    if (!import.scene)
        return cannot_read(&import);
    if (!check_faces(&import))
        return false;
    import.scene = aiApplyPostProcessing(import.scene, aiProcess_Triangulate | aiProcess_ValidateDataStructure);
    return import.scene ? read_palette(&import, textures) && read_geometry(&import) : cannot_read(&import);
}

// ---- a process of its own

// Mesh files come from anywhere, and the library asserts, crashes or loops on some: it runs in a child, which leaves
// what it read in a file in memory. First comes this; then vertices, indices, materials and palette.
struct outcome {
    uint64_t vertex_count, triangle_count;
    uint32_t palette_count, done;
    struct error error;
};

static bool write_bytes(int file, const void *bytes, size_t size)
{
    for (const char *from = bytes; size > 0;) {
        const ssize_t wrote = write(file, from, size < (1u << 30) ? size : 1u << 30);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        from += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

static bool write_mesh(int file, const struct mesh_data *mesh, const struct outcome *outcome)
{
    return write_bytes(file, outcome, sizeof *outcome) &&
           (!outcome->done || (write_bytes(file, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices) &&
                               write_bytes(file, mesh->indices, 3 * mesh->triangle_count * sizeof *mesh->indices) &&
                               write_bytes(file, mesh->materials, mesh->triangle_count * sizeof *mesh->materials) &&
                               write_bytes(file, mesh->palette, mesh->palette_count * sizeof *mesh->palette)));
}

static void add_size(void *context, const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        *(uint64_t *)context += (uint64_t)status.st_size;
}

// Bytes of a mesh's file and of those it refers to.
static uint64_t mesh_bytes(const char *path)
{
    uint64_t bytes = 0;
    add_size(&bytes, path);
    mesh_companions(path, add_size, &bytes, NULL);
    return bytes;
}

// A damaged count can make the library ask for all the memory there is. It gets 1 GiB, and a hundred times the files.
static void limit_memory(uint64_t bytes)
{
#ifndef __SANITIZE_ADDRESS__ // whose address space is vast
    unsigned long long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "re");
    if (statm && fscanf(statm, "%llu", &pages) == 1) {
        const rlim_t limit = pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)1 << 30) + 100 * bytes;
        setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit});
    }
    if (statm)
        fclose(statm);
#else
    (void)bytes;
#endif
}

// Its last words go to `words`. It ends with its parent, leaves no core, and is what is killed where memory is short.
_Noreturn static void run_child(int file, int words, const char *path, const char *name, bool textures)
{
    struct mesh_data mesh = {0};
    struct outcome outcome = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0)
        (void)!write(score, "1000", 4);
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; ++i)
        signal(caught[i], SIG_DFL);
    limit_memory(mesh_bytes(path));
    dup2(words, STDOUT_FILENO);
    dup2(words, STDERR_FILENO);
    outcome.done = read_mesh(&mesh, path, name, textures, &outcome.error);
    outcome.vertex_count = mesh.vertex_count;
    outcome.triangle_count = mesh.triangle_count;
    outcome.palette_count = mesh.palette_count;
    _exit(write_mesh(file, &mesh, &outcome) ? 0 : 1);
}

// Longest that a child may take: 20 seconds, and ten seconds for every MiB of the files.
static double time_limit(const char *path)
{
    const char *text = getenv("WARPSTUDY_MESH_SECONDS");
    char *end;
    const double given = text ? strtod(text, &end) : 0;
    if (given > 0)
        return given;
    return 20 + (double)mesh_bytes(path) * (10.0 / (1 << 20));
}

// Waits for a child and kills it at the limit. Its status; -1 where it was too slow.
static int wait_child(pid_t child, double seconds)
{
    const double end = clock_seconds() + seconds;
    long pause = 100000; // nanoseconds, growing to 10 ms
    int status = 0;
    for (;;) {
        const pid_t got = waitpid(child, &status, WNOHANG);
        if (got == child)
            return status;
        if ((got < 0 && errno != EINTR) || clock_seconds() > end)
            break;
        nanosleep(&(struct timespec){0, pause}, NULL);
        pause = pause < 5000000 ? 2 * pause : 10000000;
    }
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return -1;
}

// The first line of what the child said before it ended.
static void last_words(int words, char *text, size_t size)
{
    const ssize_t got = pread(words, text, size - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    for (char *c = text; *c; ++c)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}

static bool ended_badly(int status, int words, const char *path, const char *name, struct error *error)
{
    char text[200];
    last_words(words, text, sizeof text);
    if (status == -1) {
        error_set_at(error, ERROR_INPUT, path, 0, "reading mesh \"%s\" takes longer than %g seconds", name,
                     time_limit(path));
        return error_remedy(error, "export the mesh anew; if it is only large, set WARPSTUDY_MESH_SECONDS higher");
    }
    return error_set_at(error, ERROR_INPUT, path, 0, "mesh \"%s\" makes its reader fail: %s%s%.180s", name,
                        WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it gave up", *text ? ", " : "", text);
}

// ---- taking it over

static void *copy(const char **from, uint64_t count, size_t size)
{
    void *to = malloc(count * size + 1);
    if (to)
        memcpy(to, *from, count * size);
    *from += count * size;
    return to;
}

// What comes from a process that read a damaged file is checked like a file.
static bool is_sound(const struct mesh_data *mesh)
{
    for (uint64_t i = 0; i < mesh->vertex_count; ++i)
        if (!isfinite(mesh->vertices[i].x) || !isfinite(mesh->vertices[i].y) || !isfinite(mesh->vertices[i].z))
            return false;
    for (uint64_t i = 0; i < 3 * mesh->triangle_count; ++i)
        if (mesh->indices[i] >= mesh->vertex_count)
            return false;
    for (uint64_t i = 0; i < mesh->triangle_count; ++i)
        if (mesh->materials[i] >= mesh->palette_count)
            return false;
    for (uint32_t i = 0; i < mesh->palette_count; ++i)
        if (!memchr(mesh->palette[i].name, '\0', sizeof mesh->palette[i].name))
            return false;
    return mesh->palette_count > 0;
}

static bool sizes_agree(const struct outcome *outcome, uint64_t size)
{
    return outcome->vertex_count <= UINT32_MAX && outcome->triangle_count <= SOUP_MAX &&
           size == sizeof *outcome + outcome->vertex_count * sizeof(struct exact_vec) +
                       outcome->triangle_count * 4 * sizeof(uint32_t) +
                       (uint64_t)outcome->palette_count * sizeof(struct mesh_material);
}

static bool take_mesh(struct mesh_data *mesh, const struct outcome *outcome, const char *path, struct error *error)
{
    const char *from = (const char *)(outcome + 1);
    mesh->vertex_count = outcome->vertex_count;
    mesh->triangle_count = outcome->triangle_count;
    mesh->palette_count = outcome->palette_count;
    mesh->vertices = copy(&from, mesh->vertex_count, sizeof *mesh->vertices);
    mesh->indices = copy(&from, 3 * mesh->triangle_count, sizeof *mesh->indices);
    mesh->materials = copy(&from, mesh->triangle_count, sizeof *mesh->materials);
    mesh->palette = copy(&from, mesh->palette_count, sizeof *mesh->palette);
    if (!mesh->vertices || !mesh->indices || !mesh->materials || !mesh->palette)
        return error_set(error, ERROR_SYSTEM, "no memory for the mesh %s", path);
    return is_sound(mesh) ||
           error_set_at(error, ERROR_INPUT, path, 0, "reading the mesh gave vertices or faces that cannot be");
}

static bool take_outcome(struct mesh_data *mesh, int file, const char *path, struct error *error)
{
    struct stat status;
    if (fstat(file, &status) != 0 || status.st_size < (off_t)sizeof(struct outcome))
        return error_set_at(error, ERROR_INPUT, path, 0, "reading the mesh gave nothing");
    const size_t size = (size_t)status.st_size;
    const struct outcome *outcome = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (outcome == MAP_FAILED)
        return error_set(error, ERROR_SYSTEM, "no memory for the mesh %s", path);
    bool done = false;
    if (!outcome->done && error)
        *error = outcome->error;
    else if (outcome->done && !sizes_agree(outcome, size))
        error_set_at(error, ERROR_INPUT, path, 0, "reading the mesh gave a part of it only");
    else if (outcome->done)
        done = take_mesh(mesh, outcome, path, error);
    munmap((void *)(uintptr_t)outcome, size);
    return done;
}

struct companions {
    struct error *error;
    bool good;
};

static void check_companion(void *context, const char *path)
{
    struct companions *companions = context;
    struct stat status;
    if (!companions->good || stat(path, &status) != 0 || S_ISREG(status.st_mode))
        return;
    const int file = path_open(path, companions->error); // says what it is
    companions->good = file >= 0;
    if (file >= 0)
        close(file);
}

// The library would wait for whoever writes a pipe.
static bool check_files(const char *path, struct error *error)
{
    struct companions companions = {.error = error, .good = true};
    return mesh_companions(path, check_companion, &companions, error) && companions.good;
}

bool mesh_import(struct mesh_data *mesh, const char *path, const char *name, bool textures, struct error *error)
{
    *mesh = (struct mesh_data){0};
    if (!check_files(path, error))
        return false;
    const int file = memfd_create("mesh", MFD_CLOEXEC), words = memfd_create("words", MFD_CLOEXEC);
    const pid_t child = file >= 0 && words >= 0 ? fork() : -1;
    if (child == 0)
        run_child(file, words, path, name, textures);
    bool done = false;
    if (child < 0)
        error_set_errno(error, "start a process to read", path);
    else {
        const int status = wait_child(child, time_limit(path));
        done = status == 0 ? take_outcome(mesh, file, path, error) : ended_badly(status, words, path, name, error);
    }
    if (file >= 0)
        close(file);
    if (words >= 0)
        close(words);
    if (!done)
        mesh_finish(mesh);
    return done;
}

void mesh_finish(struct mesh_data *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
    free(mesh->materials);
    free(mesh->palette);
    *mesh = (struct mesh_data){0};
}
