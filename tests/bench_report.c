// SPDX-License-Identifier: MIT
// What reports and queries cost over 100,000 trials of 9 bounces each: time and memory of the program itself, the best
// of some starts, beside the most that they may take on two cores with nothing else to do; and the bytes of a trial.
// Run by `meson test --benchmark report`. usage: bench_report WARPSTUDY [FOLDER [TRIALS]]; the databases stay in FOLDER
// and are used again. Only a command that fails makes it fail.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench_trials.h"

enum { STARTS = 3, MIB = 1024 };

static const double report_seconds = 5, query_seconds = 1;
static const long most_kib = 500 * MIB;
static const char *program;

struct cost {
    double seconds, user;
    long kib;
};

static void start(const char *const *arguments)
{
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execv(program, (char *const *)arguments);
    _exit(127);
}

static struct cost run_once(const char *const *arguments)
{
    struct rusage usage;
    int status = 0;
    fflush(stdout);
    const double began = clock_seconds();
    const pid_t child = fork();
    if (!child)
        start(arguments);
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) > 1) {
        fprintf(stderr, "%s %s failed\n", arguments[1], arguments[2]);
        exit(1);
    }
    return (struct cost){clock_seconds() - began, (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec,
                         usage.ru_maxrss};
}

static void measure(const char *db, const char *command, const char *argument, const char *option, double limit)
{
    const char *const arguments[] = {program, command, "--db", db, argument, option, NULL};
    struct cost best = run_once(arguments);
    for (int i = 1; i < STARTS; ++i) {
        const struct cost next = run_once(arguments);
        best.seconds = next.seconds < best.seconds ? next.seconds : best.seconds;
        best.user = next.user < best.user ? next.user : best.user;
        best.kib = next.kib > best.kib ? next.kib : best.kib;
    }
    char text[80];
    snprintf(text, sizeof text, "%s %s", command, argument ? argument : "");
    printf("  %-74.74s %7.3f s %7.3f s user %5ld MiB   limits %3.0f s %ld MiB%s\n", text, best.seconds, best.user,
           best.kib / MIB, limit, most_kib / MIB, best.seconds > limit || best.kib > most_kib ? "   exceeded" : "");
}

static const char *const queries[] = {
    "SELECT * FROM trial WHERE scene = 'open' AND variant = 'naive' AND seed = 1",
    "SELECT * FROM bounce WHERE trial = 77",
    "SELECT * FROM table2 WHERE trial = 77",
    "SELECT count(*) FROM table2",
    "SELECT max(active_paths), max(saved) FROM table2 WHERE scene = 'open' AND label = 'night-1'",
    "SELECT scene, variant, saved FROM table2 WHERE bounce = max_bounces ORDER BY scene, saved DESC",
    "SELECT * FROM table3 WHERE trial = 78",
    "SELECT scene, variant, fps, percent, clear, flags FROM table1 WHERE scene = 'open'",
    "SELECT count(*) FROM frame_seconds",
    "SELECT count(*) FROM frame_quality",
    "SELECT * FROM verification WHERE agree = 0",
    "SELECT * FROM witness WHERE NOT agree",
    "SELECT * FROM failures",
    NULL,
};

static void measure_all(const char *db)
{
    measure(db, "report", "wald2011", NULL, report_seconds);
    measure(db, "report", "table2", NULL, report_seconds);
    for (size_t i = 0; queries[i]; ++i)
        measure(db, "query", queries[i], NULL, query_seconds);
    measure(db, "status", NULL, NULL, query_seconds);
}

int main(int count, char **arguments)
{
    char temporary[] = "/tmp/bench_report_XXXXXX", path[512];
    struct error error = {0};
    struct stat facts;
    program = count > 1 ? arguments[1] : "warpstudy";
    const char *folder = count > 2 ? arguments[2] : mkdtemp(temporary);
    const long long trials = count > 3 ? atoll(arguments[3]) : 100000;
    for (int mix = 0; folder && mix < MIXES; ++mix) {
        snprintf(path, sizeof path, "%s/%s.db", folder, trial_mix_names[mix]);
        const double began = clock_seconds();
        if (stat(path, &facts) && !bench_trials(path, (enum trial_mix)mix, trials, 0, &error)) {
            char text[2200];
            error_format(&error, text, sizeof text);
            fprintf(stderr, "%s\n", text);
            return 1;
        }
        stat(path, &facts);
        printf("%s: %lld trials, %.1f s to make, %.1f MB, %.0f bytes a trial\n", trial_mix_names[mix], trials,
               clock_seconds() - began, (double)facts.st_size / 1e6, (double)facts.st_size / (double)trials);
        measure_all(path);
        if (count <= 2)
            unlink(path);
    }
    if (count <= 2)
        rmdir(temporary);
    return 0;
}
