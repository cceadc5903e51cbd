// SPDX-License-Identifier: MIT
// Databases that several open at once, and those of a run that was killed.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "folder_support.h"
#include "plan/experiment.h"
#include "store/store_handle.h"

static const char *folder;
static char database[80];
static struct experiment *experiment;

static void begin_run(struct store *store)
{
    const struct run_header header = {"label", "warpstudy run", experiment_record(experiment), NULL};
    int64_t run;
    need(store_begin_run(store, &header, &run, &why));
}

static void in_folder(const char *commands)
{
    char text[300];
    snprintf(text, sizeof text, "cd %s && %s", folder, commands);
    assert_int_equal(system(text), 0);
}

static int make_databases(void **state)
{
    static const char text[] = "fixed: {scene: open, variant: naive}\n";
    folder = folder_new();
    if (!(experiment = experiment_parse("try.yaml", text, sizeof text - 1, &why)))
        return -1;
    snprintf(database, sizeof database, "%s/x.db", folder);
    in_folder("mkdir closed killed");
    for (int i = 1; i <= 2; ++i) {
        struct store *store = made(store_open(database, STORE_WRITE, &why));
        begin_run(store);
        if (i == 2)
            in_folder("cp x.db x.db-wal killed && test -s killed/x.db-wal");
        store_close(store);
        if (i == 1)
            in_folder("cp x.db closed");
    }
    return 0;
}

static int free_experiment(void **state)
{
    experiment_free(experiment);
    return 0;
}

// ---- several open it at once

enum { PROCESSES = 6 };

// Opens it when told, says whether that was possible, and has it open until told to end: by a pipe of its own, or one that is quick
// would take another's word to begin.
static void open_when_told(int told, int said, int ended)
{
    char word;
    if (read(told, &word, 1) != 1)
        _exit(1);
    struct store *store = store_open(database, STORE_WRITE, &why);
    word = store ? 'y' : 'n';
    if (!store)
        fprintf(stderr, "%s\n", why.message);
    const bool done = write(said, &word, 1) == 1 && read(ended, &word, 1) == 1;
    store_close(store);
    _exit(done ? 0 : 1);
}

static void open_at_once(void)
{
    int told[2], said[2], ended[2], status;
    char words[PROCESSES] = "";
    assert_int_equal(pipe(told) | pipe(said) | pipe(ended), 0);
    for (int i = 0; i < PROCESSES; ++i)
        if (!fork())
            open_when_told(told[0], said[1], ended[0]);
    assert_int_equal(write(told[1], words, sizeof words), PROCESSES);
    for (int i = 0; i < PROCESSES; ++i)
        assert_int_equal(read(said[0], words + i, 1), 1);
    assert_int_equal(write(ended[1], words, sizeof words), PROCESSES);
    for (int i = 0; i < PROCESSES; ++i)
        assert_true(wait(&status) > 0 && WIFEXITED(status) && !WEXITSTATUS(status));
    for (int i = 0; i < 2; ++i)
        close(told[i]), close(said[i]), close(ended[i]);
    for (int i = 0; i < PROCESSES; ++i)
        assert_int_equal(words[i], 'y');
}

TEST(opens_for_several_at_once)
{
    for (int i = 0; i < 18; ++i) {
        in_folder(i % 3 == 2   ? "rm -f x.db* && cp killed/* ."
                  : i % 3 == 1 ? "rm -f x.db* && cp closed/* ."
                               : "rm -f x.db*");
        open_at_once();
    }
}

// ---- one was killed that had it

// Takes the lock and dies, as by SIGKILL while it starts another process, which has the descriptor for some time more.
static _Noreturn void lock_and_die(void)
{
    enum { OUTLIVES_MS = 300 };
    struct store *store = store_open(database, STORE_WRITE, &why);
    const pid_t child = store && store_lock(store, &why) ? fork() : -1;
    if (child == 0)
        usleep(1000 * OUTLIVES_MS);
    _exit(child < 0);
}

TEST(waits_for_the_lock_of_the_dead)
{
    int status = -1;
    in_folder("rm -f x.db* && cp closed/* .");
    const pid_t run = fork();
    if (run == 0)
        lock_and_die();
    assert_int_equal(waitpid(run, &status, 0), run);
    assert_int_equal(status, 0);
    struct store *store = store_open(database, STORE_WRITE, &why);
    need(store && store_lock(store, &why));
    store_close(store);
}

TEST_GROUP(make_databases, free_experiment)
