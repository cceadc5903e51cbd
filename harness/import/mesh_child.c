// SPDX-License-Identifier: MIT
#include "import/mesh_child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
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
#include "import/mesh_assimp.h"
#include "import/mesh_companions.h"
#include "geometry/soup.h"

// ---- the child

// What it leaves in a file in memory. First comes this; then vertices, indices, materials and palette.
struct outcome {
    uint64_t vertex_count, triangle_count, points, lines;
    uint32_t palette_count, done;
    struct error error;
};

static bool write_mesh(int file, const struct mesh_data *mesh, const struct outcome *outcome)
{
    return path_write(file, outcome, sizeof *outcome) &&
           (!outcome->done || (path_write(file, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices) &&
                               path_write(file, mesh->indices, 3 * mesh->triangle_count * sizeof *mesh->indices) &&
                               path_write(file, mesh->materials, mesh->triangle_count * sizeof *mesh->materials) &&
                               path_write(file, mesh->palette, mesh->palette_count * sizeof *mesh->palette)));
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
_Noreturn static void run_child(struct mesh_builder *builder, int file, int words)
{
    struct mesh_data *mesh = builder->mesh;
    struct outcome outcome = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0)
        (void)!write(score, "1000", 4);
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; ++i)
        signal(caught[i], SIG_DFL);
    limit_memory(mesh_bytes(builder->path));
    dup2(words, STDOUT_FILENO);
    dup2(words, STDERR_FILENO);
    builder->error = &outcome.error;
    outcome.done = mesh_assimp_read(builder);
    outcome.vertex_count = mesh->vertex_count;
    outcome.triangle_count = mesh->triangle_count;
    outcome.palette_count = mesh->palette_count;
    outcome.points = builder->points;
    outcome.lines = builder->lines;
    _exit(write_mesh(file, mesh, &outcome) ? 0 : 1);
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

static bool take_outcome(struct mesh_builder *builder, int file)
{
    const char *path = builder->path;
    struct error *error = builder->error;
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
        done = take_mesh(builder->mesh, outcome, path, error);
    builder->points = outcome->points;
    builder->lines = outcome->lines;
    munmap((void *)(uintptr_t)outcome, size);
    return done;
}

bool mesh_child_read(struct mesh_builder *builder)
{
    const int file = memfd_create("mesh", MFD_CLOEXEC), words = memfd_create("words", MFD_CLOEXEC);
    const pid_t child = file >= 0 && words >= 0 ? fork() : -1;
    if (child == 0)
        run_child(builder, file, words);
    bool done = false;
    if (child < 0)
        error_set_errno(builder->error, "start a process to read", builder->path);
    else {
        const int status = wait_child(child, time_limit(builder->path));
        done = status == 0 ? take_outcome(builder, file)
                           : ended_badly(status, words, builder->path, builder->name, builder->error);
    }
    if (file >= 0)
        close(file);
    if (words >= 0)
        close(words);
    return done;
}
