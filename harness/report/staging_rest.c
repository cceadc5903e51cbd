// SPDX-License-Identifier: MIT
// What a killed report left: a hidden folder whose lock died with its process.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/staging.h"

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    remove(path); // what cannot be removed is left: there is nobody to tell
    return 0;
}

void staging_remove_folder(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static int lock_folder(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 || flock(folder, LOCK_EX | LOCK_NB) == 0)
        return folder;
    const int cause = errno;
    close(folder);
    errno = cause;
    return -1;
}

int staging_hold(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (folder >= 0 && flock(folder, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return folder;
}

bool staging_lock(struct staging *staging, struct error *error)
{
    staging->lock = lock_folder(staging->temporary);
    // File systems without locks hold reports all the same: only what is left after a kill is then not found.
    return staging->lock >= 0 || errno == ENOLCK || errno == EOPNOTSUPP ||
           error_set_errno(error, "lock the folder", staging->temporary);
}

void staging_remove_left(const struct staging *staging)
{
    DIR *folder = opendir(staging->folder);
    if (!folder)
        return;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[1200];
        if (strncmp(entry->d_name, ".report-", 8) != 0 || strlen(entry->d_name) != sizeof ".report-XXXXXX" - 1)
            continue;
        snprintf(path, sizeof path, "%s/%s", staging->folder, entry->d_name);
        const int lock = lock_folder(path);
        if (lock < 0)
            continue;
        staging_remove_folder(path);
        close(lock);
    }
    closedir(folder);
}
