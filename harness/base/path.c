// SPDX-License-Identifier: MIT
#include "base/path.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "build_facts.h"

bool path_format(char *path, size_t size, struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(path, size, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < size)
        return true;
    error_set(error, ERROR_USE, "the path is longer than %zu bytes: %.200s...", size - 1, path);
    return error_remedy(error, "use a folder with a shorter path");
}

bool path_is_name(const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || length > PATH_NAME_MAX || name[0] == '.' || name[0] == '-')
        return false;
    for (const char *c = name; *c; ++c)
        if ((unsigned char)*c < ' ' || *c == '/' || *c == 127)
            return false;
    return true;
}

// Where an installed program has been moved with its folders, they are still beside it.
static bool path_data_beside(char *path, size_t size)
{
    char program[1000];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || length == sizeof program - 1)
        return false;
    program[length] = 0;
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = 0;
    char *found = path_format(path, size, NULL, "%s/" WARPSTUDY_DATA_BESIDE, program) ? realpath(path, NULL) : NULL;
    const bool done = found && path_format(path, size, NULL, "%s", found);
    free(found);
    return done;
}

const char *path_data(void)
{
    static _Thread_local char path[1100];
    if (path_data_beside(path, sizeof path))
        return path;
    return access(WARPSTUDY_SOURCE "/scenes", F_OK) == 0 ? WARPSTUDY_SOURCE : WARPSTUDY_DATADIR;
}

const char *path_shipped(const char *name)
{
    static _Thread_local char path[1200];
    if (access(name, F_OK) == 0)
        return name;
    if (path_format(path, sizeof path, NULL, "%s/%s", path_data(), name) && access(path, F_OK) == 0)
        return path;
    return name;
}

bool path_is_foreign(const char *name)
{
    const bool drive = isalpha((unsigned char)name[0]) && name[1] == ':';
    name += drive ? 2 : 0;
    return *name == '/' || *name == '\\';
}

char *path_beside(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    const int folder = slash && name[0] != '/' ? (int)(slash - file) + 1 : 0;
    char *path = memory_format("%.*s%s", folder, file, name);
    for (char *c = path + folder; *c; ++c)
        if (*c == '\\')
            *c = '/';
    return path;
}

static bool path_refuse(const char *path, mode_t mode, struct error *error)
{
    const char *what = S_ISDIR(mode) ? "folder" : S_ISFIFO(mode) ? "pipe" : S_ISSOCK(mode) ? "socket" : "device";
    error_set_at(error, ERROR_INPUT, path, 0, "this is a %s, not a file", what);
    return error_remedy(error, S_ISDIR(mode) ? "give the path of a file in it" : "copy what it gives into a file");
}

// Opening these gives what the process has open already: nobody is waited for that the user did not start with it.
static bool is_given(const char *path)
{
    return !strcmp(path, "/dev/stdin") || !strncmp(path, "/dev/fd/", 8);
}

static bool may_read(const char *path, mode_t mode, struct error *error)
{
    return S_ISREG(mode) || (!S_ISDIR(mode) && is_given(path)) || path_refuse(path, mode, error);
}

// Looked at before it is opened, which with a device could do something; and again, for it may be another one by then.
int path_open(const char *path, struct error *error)
{
    struct stat facts;
    if (stat(path, &facts) != 0) {
        error_set_errno(error, "open", path);
        return -1;
    }
    if (!may_read(path, facts.st_mode, error))
        return -1;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool done = (file >= 0 && fstat(file, &facts) == 0) || error_set_errno(error, "open", path);
    done = done && may_read(path, facts.st_mode, error);
    if (done)
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    else if (file >= 0)
        close(file);
    return done ? file : -1;
}

FILE *path_stream(const char *path, struct error *error)
{
    const int file = path_open(path, error);
    FILE *stream = file >= 0 ? fdopen(file, "rb") : NULL;
    if (file >= 0 && !stream) {
        error_set_errno(error, "open", path);
        close(file);
    }
    return stream;
}

bool path_write(int file, const void *bytes, size_t size)
{
    for (const char *from = bytes; size > 0;) {
        const ssize_t wrote = write(file, from, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        from += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

bool path_replace(const char *path, const char *text, size_t size, struct error *error)
{
    char part[4200];
    if (!path_format(part, sizeof part, error, "%s.%ld.part", path, (long)getpid()))
        return false;
    FILE *file = fopen(part, "w");
    bool done = file && (!text || fwrite(text, 1, size, file) == size);
    if (file && fclose(file) != 0)
        done = false;
    if (done && text && rename(part, path) == 0)
        return true;
    const int cause = errno;
    unlink(part);
    errno = cause;
    if (done && !text)
        return true;
    error_set_errno(error, "write", path);
    if (error && !error->remedy[0])
        error_remedy(error, "name a file in a folder that exists and may be written");
    return false;
}
