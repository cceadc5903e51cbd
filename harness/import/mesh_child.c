// SPDX-License-Identifier: MIT
#include "import/mesh_child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "import/mesh_assimp.h"
#include "import/mesh_companions.h"

static void add_size(void *context, const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        *(uint64_t *)context += (uint64_t)status.st_size;
}

// Longest that reading may take: 20 seconds, and ten seconds for every MiB of the file and those it refers to.
static double time_limit(const char *path)
{
    const char *text = getenv("WARPSTUDY_MESH_SECONDS");
    const double given = text ? strtod(text, NULL) : 0;
    uint64_t bytes = 0;
    if (given > 0)
        return given;
    add_size(&bytes, path);
    mesh_companions(path, add_size, &bytes, NULL);
    return 20 + (double)bytes * (10.0 / (1 << 20));
}

// Reads the mesh only to see whether that comes to an end. The alarm ends a child that takes too long.
_Noreturn static void child_main(struct mesh_builder *builder, double seconds, int words)
{
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct error unused;
    struct itimerval end = {.it_value.tv_sec = (time_t)fmin(seconds, 1e9)};
    end.it_value.tv_usec = (suseconds_t)(fmod(seconds, 1) * 1e6) + 1;
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; ++i)
        signal(caught[i], SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setitimer(ITIMER_REAL, &end, NULL);
    dup2(words, STDOUT_FILENO);
    dup2(words, STDERR_FILENO);
    builder->error = &unused;
    builder->quiet = true;
    (void)mesh_assimp_read(builder);
    _exit(0);
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

static bool ended_badly(int status, double seconds, int words, const struct mesh_builder *builder)
{
    char text[200];
    last_words(words, text, sizeof text);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        error_set_at(builder->error, ERROR_INPUT, builder->path, 0, "reading mesh \"%s\" takes longer than %g seconds",
                     builder->name, seconds);
        return error_remedy(builder->error,
                            "export the mesh anew; if it is only large, set WARPSTUDY_MESH_SECONDS higher");
    }
    return error_set_at(builder->error, ERROR_INPUT, builder->path, 0, "mesh \"%s\" makes its reader fail: %s%s%.180s",
                        builder->name, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it gave up",
                        *text ? ", " : "", text);
}

bool mesh_child_try(struct mesh_builder *builder)
{
    const double seconds = time_limit(builder->path);
    const int words = memfd_create("words", MFD_CLOEXEC);
    const pid_t child = words >= 0 ? fork() : -1;
    int status = 0;
    bool done = child >= 0 || error_set_errno(builder->error, "start a process to read", builder->path);
    if (child == 0)
        child_main(builder, seconds, words);
    while (done && waitpid(child, &status, 0) < 0)
        done = errno == EINTR || error_set_errno(builder->error, "wait for a process that reads", builder->path);
    done = done && (status == 0 || ended_badly(status, seconds, words, builder));
    if (words >= 0)
        close(words);
    return done;
}
