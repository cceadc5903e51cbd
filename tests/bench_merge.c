// SPDX-License-Identifier: MIT
// What it costs to merge 64 shards of 5,000 counted trials each, and to merge them again: time and memory of the program, beside
// the most that they may take on two cores with nothing else to do. Run by `meson test --benchmark merge`.
// usage: bench_merge WARPSTUDY [FOLDER [SHARDS [TRIALS]]]; the shards stay in FOLDER and are used again. It fails where a merge
// fails, or the second adds anything.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "bench_trials.h"
#include "store/query.h"

static const double most_seconds = 600;
static const long most_mib = 512;

static void need(bool done, const char *what, const struct error *error)
{
    char text[2200] = "";
    if (done)
        return;
    error_format(error, text, sizeof text);
    fprintf(stderr, "%s: %s\n", what, text);
    exit(1);
}

static double merge(const char *program, char **arguments, const char *what)
{
    struct rusage usage;
    int status = 0;
    fflush(stdout);
    const double began = clock_seconds();
    const pid_t child = fork();
    if (!child) {
        const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nothing, STDOUT_FILENO);
        execv(program, arguments);
        _exit(127);
    }
    const struct error failed = {.kind = ERROR_FAILED};
    need(child > 0 && wait4(child, &status, 0, &usage) == child && WIFEXITED(status) && !WEXITSTATUS(status), what,
         &failed);
    const double seconds = clock_seconds() - began;
    const long mib = usage.ru_maxrss / 1024;
    printf("%-40s %8.1f s %6ld MiB   limits %.0f s %ld MiB%s\n", what, seconds, mib, most_seconds, most_mib,
           seconds > most_seconds || mib > most_mib ? "   exceeded" : "");
    return seconds;
}

static bool take(void *context, const struct store_row *row)
{
    *(int64_t *)context = row->values[0].integer;
    return false;
}

static int64_t attempts(const char *path)
{
    struct error error = {0};
    int64_t count = 0;
    struct store *store = store_open(path, STORE_READ, &error);
    need(store && store_query(store, "SELECT count(*) FROM attempt", NULL, take, &count, &error), "count", &error);
    store_close(store);
    return count;
}

int main(int argc, char **argv)
{
    struct error error = {0};
    struct stat facts;
    char made[] = "/tmp/bench_merge.XXXXXX";
    if (argc < 2 || (argc < 3 && !mkdtemp(made)))
        return 1;
    const char *folder = argc > 2 ? argv[2] : made;
    const int shards = argc > 3 ? atoi(argv[3]) : 64, trials = argc > 4 ? atoi(argv[4]) : 5000;
    char **arguments = memory_new((size_t)shards + 5, sizeof *arguments), *into = memory_format("%s/merged.db", folder);
    double bytes = 0;
    int count = 0;
    arguments[count++] = memory_copy("warpstudy");
    arguments[count++] = memory_copy("merge");
    for (int shard = 0; shard < shards; ++shard) {
        char *path = memory_format("%s/shard%d.db", folder, shard);
        need(!stat(path, &facts) || bench_trials(path, MIX_PLAIN, trials, shard, &error), "make", &error);
        need(!stat(path, &facts), "make", &error);
        bytes += (double)facts.st_size;
        arguments[count++] = path;
    }
    arguments[count++] = memory_copy("--into");
    arguments[count++] = into;
    printf("%d shards of %d trials, %.2f GiB\n", shards, trials, bytes / (1 << 30));
    unlink(into);
    merge(argv[1], arguments, "merged");
    const int64_t first = attempts(into);
    merge(argv[1], arguments, "merged again");
    need(first == (int64_t)shards * trials && attempts(into) == first, "trials are lost or doubled", &error);
    return 0;
}
