// SPDX-License-Identifier: MIT
#include "folder_support.h"

#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "base/memory.h"

static char root[] = "/tmp/warpstudy-test-XXXXXX";
static pid_t owner; // children that a test forks leave the folders alone

static void remove_root(void)
{
    char command[128];
    snprintf(command, sizeof command, "chmod -R u+w '%s' && rm -rf '%s'", root, root);
    if (getpid() == owner && system(command) != 0)
        fprintf(stderr, "%s is left\n", root);
}

const char *folder_new(void)
{
    static char **folders; // reachable to the end, for the sanitizer
    static size_t count;
    if (!owner) {
        assert_non_null(mkdtemp(root));
        assert_int_equal(chmod(root, 0711), 0); // a child that gives up its rights still reaches the folders
        owner = getpid();
        assert_int_equal(atexit(remove_root), 0);
    }
    char **folder = ARRAY_ADD(folders, count);
    *folder = memory_format("%s/%zu", root, count);
    assert_int_equal(mkdir(*folder, 0700), 0);
    return *folder;
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
