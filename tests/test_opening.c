// SPDX-License-Identifier: MIT
// The moments in which a database is opened: what is in it outlives its loss at any of them, and several open it at once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/store_internal.h"

// Databases that were closed, or whose run was killed: then the last run is in the log, and of a young one all else too.
static const struct model {
    const char *name;
    int runs;
} models[] = {{"young", 1}, {"closed", 2}, {"killed", 3}};

static char folder[64], database[80];
static struct experiment *experiment;
static struct error failure;

#define need(call)                                                                                                     \
    do {                                                                                                               \
        if (!(call))                                                                                                   \
            fail_msg("%s: %s", #call, failure.message);                                                                \
    } while (0)

static void begin_run(struct store *store)
{
    const struct run_header header = {"label", "warpstudy run", experiment, NULL};
    int64_t run;
    need(store_begin_run(store, &header, &run, &failure));
}

static void in_folder(const char *commands)
{
    char text[300];
    snprintf(text, sizeof text, "cd %s && %s", folder, commands);
    assert_int_equal(system(text), 0);
}

// ---- calls of SQLite to the system, at one of which the file is lost

enum loss { REMOVED, RENAMED, REPLACED, LOSSES };
static struct {
    enum loss loss;
    int countdown; // calls before it; 0: it has happened, or shall not
} blow;

static void strike(void)
{
    char other[96];
    if (!blow.countdown || --blow.countdown)
        return;
    snprintf(other, sizeof other, "%s.%s", database, blow.loss == RENAMED ? "moved" : "other");
    if (blow.loss == REMOVED)
        assert_int_equal(unlink(database), 0);
    else
        assert_int_equal(blow.loss == RENAMED ? rename(database, other) : rename(other, database), 0);
}

static int (*real_open)(const char *, int, int);
static int (*real_fstat)(int, struct stat *);
static int (*real_access)(const char *, int);
static ssize_t (*real_pread)(int, void *, size_t, off_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);

static int watched_open(const char *path, int flags, int mode)
{
    strike();
    return real_open(path, flags, mode);
}

static int watched_fstat(int file, struct stat *status)
{
    strike();
    return real_fstat(file, status);
}

static int watched_access(const char *path, int mode)
{
    strike();
    return real_access(path, mode);
}

static ssize_t watched_pread(int file, void *bytes, size_t size, off_t offset)
{
    strike();
    return real_pread(file, bytes, size, offset);
}

static ssize_t watched_pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    strike();
    return real_pwrite(file, bytes, size, offset);
}

static bool watch(const char *name, void *real, sqlite3_syscall_ptr watched)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    const sqlite3_syscall_ptr call = vfs->xGetSystemCall(vfs, name);
    memcpy(real, &call, sizeof call);
    return call && vfs->xSetSystemCall(vfs, name, watched) == SQLITE_OK;
}

static bool watch_all(void)
{
    return sqlite3_initialize() == SQLITE_OK && watch("open", &real_open, (sqlite3_syscall_ptr)watched_open) &&
           watch("fstat", &real_fstat, (sqlite3_syscall_ptr)watched_fstat) &&
           watch("access", &real_access, (sqlite3_syscall_ptr)watched_access) &&
           watch("pread64", &real_pread, (sqlite3_syscall_ptr)watched_pread) &&
           watch("pwrite64", &real_pwrite, (sqlite3_syscall_ptr)watched_pwrite);
}

static int make_models(void **state)
{
    (void)state;
    static const char text[] = "fixed: {scene: open, variant: naive}\n";
    snprintf(folder, sizeof folder, "/tmp/test_opening_XXXXXX");
    if (!watch_all() || !mkdtemp(folder) ||
        !(experiment = experiment_parse("try.yaml", text, sizeof text - 1, &failure)))
        return -1;
    snprintf(database, sizeof database, "%s/x.db", folder);
    in_folder("mkdir young closed killed");
    for (int i = 1; i <= 3; ++i) {
        struct store *store = store_open(database, STORE_WRITE, &failure);
        need(store);
        begin_run(store);
        if (i != 2)
            in_folder(i == 1 ? "cp x.db x.db-wal young" : "cp x.db x.db-wal killed");
        store_close(store);
        if (i == 2)
            in_folder("cp x.db closed");
    }
    in_folder("test -s young/x.db-wal && test -s killed/x.db-wal");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    experiment_free(experiment);
    in_folder("rm -r $PWD");
    return 0;
}

// ---- it is lost

static void check_runs(const char *path, int wanted)
{
    sqlite3 *db;
    sqlite3_stmt *runs = NULL;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT count(*), (SELECT integrity_check FROM pragma_integrity_check) FROM run", -1,
                           &runs, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(runs), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(runs, 0), wanted);
    assert_string_equal(sqlite3_column_text(runs, 1), "ok");
    sqlite3_finalize(runs);
    sqlite3_close(db);
}

// Opens and locks it, as a run does; whether it was lost meanwhile.
static bool open_and_lose(enum loss loss, int calls)
{
    failure = (struct error){0};
    blow.loss = loss;
    blow.countdown = calls;
    struct store *store = store_open(database, STORE_WRITE, &failure);
    const bool locked = store && store_lock(store, &failure), lost = !blow.countdown;
    blow.countdown = 0;
    if (locked && lost) // after the last look at it
        assert_false(store_keep(store, &failure));
    store_close(store);
    return lost;
}

static void outlives_its_loss(const struct model *model, enum loss loss)
{
    static const char *const words[] = {"removed", "renamed", "replaced"};
    char commands[160];
    bool lost = true;
    for (int calls = 1; lost; calls += 1 + calls / 4) {
        snprintf(commands, sizeof commands, "rm -f x.db* && cp %s/* . && echo another >x.db.other", model->name);
        in_folder(commands);
        if (!(lost = open_and_lose(loss, calls)))
            assert_true(calls > 10); // opening it is more than that
        else if (!strstr(failure.message, "with all results") && !strstr(failure.message, words[loss]))
            fail_msg("%s, %s at call %d: %s", model->name, words[loss], calls, failure.message);
        const char *where = strstr(failure.message, "all results are in ");
        if (lost && loss == REPLACED)
            in_folder("echo another | cmp - x.db");
        check_runs(where ? strrchr(where, ' ') + 1 : database, model->runs);
    }
}

static void outlives_its_loss_while_it_is_opened(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i)
        for (enum loss loss = 0; loss < LOSSES; ++loss)
            outlives_its_loss(&models[i], loss);
}

// A database that is only being made holds nothing; what takes its place is somebody else's.
static void leaves_what_takes_the_place_of_a_new_one(void **state)
{
    (void)state;
    bool lost = true;
    for (int calls = 1; lost; calls += 1 + calls / 4) {
        in_folder("rm -f x.db* && echo another >x.db.other");
        if ((lost = open_and_lose(REPLACED, calls)))
            in_folder("echo another | cmp - x.db");
        else
            assert_true(calls > 10);
    }
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
    struct store *store = store_open(database, STORE_WRITE, &failure);
    word = store ? 'y' : 'n';
    if (!store)
        fprintf(stderr, "%s\n", failure.message);
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

static void opens_for_several_at_once(void **state)
{
    (void)state;
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
    struct store *store = store_open(database, STORE_WRITE, &failure);
    const pid_t child = store && store_lock(store, &failure) ? fork() : -1;
    if (child == 0)
        usleep(1000 * OUTLIVES_MS);
    _exit(child < 0);
}

static void waits_for_the_lock_of_the_dead(void **state)
{
    (void)state;
    int status = -1;
    in_folder("rm -f x.db* && cp closed/* .");
    const pid_t run = fork();
    if (run == 0)
        lock_and_die();
    assert_int_equal(waitpid(run, &status, 0), run);
    assert_int_equal(status, 0);
    struct store *store = store_open(database, STORE_WRITE, &failure);
    need(store && store_lock(store, &failure));
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_for_several_at_once),
        cmocka_unit_test(outlives_its_loss_while_it_is_opened),
        cmocka_unit_test(leaves_what_takes_the_place_of_a_new_one),
        cmocka_unit_test(waits_for_the_lock_of_the_dead),
    };
    return cmocka_run_group_tests_name("opening", tests, make_models, remove_folder);
}
