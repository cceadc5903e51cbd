// SPDX-License-Identifier: MIT
// A database on a network file system: one host at a time. SQLite shares its log through memory, which two hosts do not have in
// common, and many such file systems do not pass locks on. So whoever writes one there leaves its name beside the file, in
// FILE.host, made with O_EXCL, which these file systems do pass on; other hosts neither write nor read the database until the file
// is gone. Within one host the lock of the file itself decides, and a mark that a kill left there is taken over.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/memory.h"
#include "store/store_internal.h"

// Their numbers in struct statfs (linux/magic.h, and each system's own headers).
static const struct {
    uint32_t type;
    const char *name;
} systems[] = {
    {0x6969, "NFS"},      {0x517b, "SMB"},          {0xff534d42, "CIFS"}, {0xfe534d42, "SMB"},   {0x0bd00bd0, "Lustre"},
    {0x47504653, "GPFS"}, {0x19830326, "BeeGFS"},   {0x00c36400, "Ceph"}, {0x5346414f, "AFS"},   {0x6b414653, "AFS"},
    {0x01021997, "9p"},   {0x65735546, "FUSE"},     {0x01161970, "GFS2"}, {0x7461636f, "OCFS2"}, {0xaad7aaea, "PanFS"},
    {0x73757245, "Coda"}, {0x20030528, "OrangeFS"},
};

enum { HOST_TEXT = 320 };

// $WARPSTUDY_FILE_SYSTEM, for tests, is what every file lies on.
const char *store_network(const struct store *store)
{
    struct statfs status;
    const char *pretended = getenv("WARPSTUDY_FILE_SYSTEM");
    if (store->mode == STORE_MEMORY || (!pretended && statfs(store->file, &status)))
        return NULL;
    for (size_t i = 0; i < sizeof systems / sizeof *systems; ++i)
        if (pretended ? !strcmp(pretended, systems[i].name) : (uint32_t)status.f_type == systems[i].type)
            return systems[i].name;
    return NULL;
}

// "NAME BOOT": the host and its present run, since two hosts may have one name. $WARPSTUDY_HOST, for tests, takes their
// place.
static void this_host(char text[HOST_TEXT])
{
    char name[HOST_NAME_MAX + 1] = "", boot[64] = "-";
    const char *pretended = getenv("WARPSTUDY_HOST");
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    gethostname(name, sizeof name - 1);
    if (file && fscanf(file, "%63s", boot) != 1)
        strcpy(boot, "-");
    if (file)
        fclose(file);
    if (pretended)
        snprintf(text, HOST_TEXT, "%.300s", pretended);
    else
        snprintf(text, HOST_TEXT, "%s %s", name, boot);
}

// What the mark says, up to the end of its line; "" where there is none. Errors: it cannot be read.
static bool read_mark(const char *mark, char text[HOST_TEXT], struct error *error)
{
    text[0] = 0;
    const int file = open(mark, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return errno == ENOENT || error_set_errno(error, "read", mark);
    const ssize_t length = read(file, text, HOST_TEXT - 1);
    close(file);
    if (length < 0)
        return error_set_errno(error, "read", mark);
    text[length] = 0;
    text[strcspn(text, "\n")] = 0;
    for (char *place = text; *place; ++place)
        *place = (unsigned char)*place < ' ' || (unsigned char)*place > '~' ? '?' : *place;
    if (!text[0])
        strcpy(text, "?"); // being written just now
    return true;
}

// ---- who may use it

// Leaves the mark. *there: another stands there already.
static bool leave_mark(const char *mark, const char *host, bool *there, struct error *error)
{
    const int file = open(mark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    *there = file < 0 && errno == EEXIST;
    if (file < 0)
        return *there || error_set_errno(error, "make", mark);
    const bool done = dprintf(file, "%s\n", host) > 0 && !fsync(file);
    if (!done) {
        error_set_errno(error, "write", mark);
        unlink(mark);
    }
    close(file);
    return done;
}

static bool refuse(const struct store *store, const char *system, const char *mark, char *host, struct error *error)
{
    host[strcspn(host, " ")] = 0;
    error_set_at(error, ERROR_SYSTEM, store->path, 0,
                 "host '%s' uses this database, which is on a network file system (%s): a second host would damage it",
                 host, system);
    return error_remedy(error,
                        "wait for it, or copy the database on that host, with warpstudy copy, and use the copy on a "
                        "local disk; if no warpstudy runs on '%s' any more, remove %s",
                        host, mark);
}

bool network_enter(struct store *store, struct error *error)
{
    enum { TRIES = 10 }; // while marks are removed by others just before they are read
    const char *system = store_network(store);
    char own[HOST_TEXT], found[HOST_TEXT] = "";
    bool done = true, there = true;
    if (!system)
        return true;
    this_host(own);
    char *mark = file_beside(store, ".host");
    for (int i = 0; done && there && !found[0] && i < TRIES; ++i) {
        there = false;
        if (store->mode == STORE_WRITE)
            done = leave_mark(mark, own, &there, error);
        if (done && (there || store->mode == STORE_READ))
            done = read_mark(mark, found, error);
    }
    store->marked = done && store->mode == STORE_WRITE;
    if (done && found[0] && strcmp(found, own)) {
        store->marked = false;
        done = refuse(store, system, mark, found, error);
    }
    free(mark);
    return done;
}

void network_leave(struct store *store)
{
    struct error ignored = {0};
    if (!store->marked || !file_lock(store, &ignored))
        return; // another process of this host, which goes on, removes it
    char *mark = file_beside(store, ".host");
    unlink(mark);
    free(mark);
}
