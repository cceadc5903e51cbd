// SPDX-License-Identifier: MIT
#include "folder_support.h"

#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "base/arena.h"

static char root[] = "/tmp/warpstudy-test-XXXXXX";
static pid_t owner;       // children that a test forks leave the folders alone
static struct arena kept; // reachable to the end, for the sanitizer

static void remove_root(void)
{
    char command[128];
    snprintf(command, sizeof command, "chmod -R u+w '%s' && rm -rf '%s'", root, root);
    if (getpid() == owner && system(command) != 0)
        fprintf(stderr, "%s is left\n", root);
}

const char *folder_new(void)
{
    static size_t count;
    if (!owner) {
        assert_non_null(mkdtemp(root));
        assert_int_equal(chmod(root, 0711), 0); // a child that gives up its rights still reaches the folders
        owner = getpid();
        assert_int_equal(atexit(remove_root), 0);
    }
    const char *folder = arena_format(&kept, "%s/%zu", root, ++count);
    assert_int_equal(mkdir(folder, 0700), 0);
    return folder;
}

void folder_write(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        fail_msg("%s cannot be written", path);
}

void folder_write_text(const char *folder, const char *name, const char *text)
{
    folder_write(folder, name, text, strlen(text));
}

const char *folder_file(const char *name, const char *format, ...)
{
    const char *folder = folder_new();
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format_list(format, arguments);
    va_end(arguments);
    folder_write_text(folder, name, text);
    free(text);
    return arena_format(&kept, "%s/%s", folder, name);
}
