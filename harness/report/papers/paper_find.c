// SPDX-License-Identifier: MIT
#include "report/papers/paper.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"

static bool is_folder(const char *path)
{
    struct stat facts;
    return path[0] && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool paper_root(char *path, size_t size, struct error *error)
{
    const char *chosen = getenv("WARPSTUDY_PAPERS");
    if (chosen && chosen[0]) {
        if (!path_format(path, size, error, "%s", chosen))
            return false;
        if (is_folder(path))
            return true;
        error_set(error, ERROR_INPUT, "$WARPSTUDY_PAPERS is '%.400s', which is not a folder", chosen);
        return error_remedy(error, "unset it, or name a folder like %s", path_shipped("paper_figures"));
    }
    if (!path_format(path, size, error, "%s/paper_figures", path_data()))
        return false;
    if (is_folder(path))
        return true;
    error_set(error, ERROR_INPUT, "the published values are not installed at %.400s", path);
    return error_remedy(error, "reinstall the program, or set WARPSTUDY_PAPERS to a folder of papers");
}

bool paper_path(char *path, size_t size, struct error *error, const char *format, ...)
{
    char root[PATH_MAX];
    va_list arguments;
    if (!paper_root(root, sizeof root, error))
        return false;
    va_start(arguments, format);
    char *below = memory_format_list(format, arguments);
    va_end(arguments);
    const bool done = path_format(path, size, error, "%s/%s", root, below);
    free(below);
    return done;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool paper_names(struct paper_names *names, struct error *error)
{
    char root[PATH_MAX], path[PATH_MAX];
    *names = (struct paper_names){.count = 0};
    if (!paper_root(root, sizeof root, error))
        return false;
    DIR *folder = opendir(root);
    if (!folder)
        return error_set_errno(error, "read", root);
    for (const struct dirent *entry; (entry = readdir(folder)) && names->count < PAPERS_MAX;) {
        char *id = names->ids[names->count];
        if (!path_format(path, sizeof path, NULL, "%s/%s/tables.yaml", root, entry->d_name) ||
            entry->d_name[0] == '.' || access(path, R_OK) != 0 || strlen(entry->d_name) >= sizeof names->ids[0])
            continue;
        names->list[names->count++] = strcpy(id, entry->d_name);
    }
    closedir(folder);
    if (!names->count) {
        error_set_at(error, ERROR_INPUT, root, 0, "there is no paper in this folder");
        return error_remedy(error, "give WARPSTUDY_PAPERS a folder like %s", path_shipped("paper_figures"));
    }
    qsort(names->list, names->count, sizeof *names->list, compare_names);
    return true;
}

bool paper_is_published(const char *id)
{
    char path[PATH_MAX];
    struct error ignored = {0};
    return paper_path(path, sizeof path, &ignored, "%s/published.yaml", id) && access(path, F_OK) == 0;
}

bool paper_unknown(const char *id, struct error *error)
{
    struct paper_names names;
    if (!paper_names(&names, error))
        return false;
    error_set(error, ERROR_USE, "there is no paper '%.100s'", id);
    return error_near(error, id, names.list, NULL);
}
