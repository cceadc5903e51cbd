// SPDX-License-Identifier: MIT
// The database as a file: what every misfortune says.
#include "check.h"
#include "folder_support.h"
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include "plan/plan.h"
#include "store/store_handle.h"
#include "ask_support.h"
#include "store_support.h"

static void refuses_other_files(void **state)
{
    char other[160];
    sqlite3 *db;
    snprintf(other, sizeof other, "%s/none.db", folder);
    refuses(other, STORE_READ, "cannot open");
    snprintf(other, sizeof other, "%s/no/such/folder.db", folder);
    refuses(other, STORE_WRITE, "unable to open");
    refuses(folder, STORE_READ, "not a file");
    snprintf(other, sizeof other, "%s/text.db", folder);
    folder_write_text(NULL, other,
                      "this is a text, and a long one, so that it cannot be taken for an empty database file");
    refuses(other, STORE_READ, "not a database");
    refuses(other, STORE_WRITE, "not a database");
    snprintf(other, sizeof other, "%s/empty.db", folder);
    folder_write_text(NULL, other, "");
    refuses(other, STORE_READ, "empty");
    snprintf(other, sizeof other, "%s/foreign.db", folder);
    assert_int_equal(sqlite3_open(other, &db), SQLITE_OK);
    sqlite3_exec(db, "CREATE TABLE theirs (x)", NULL, NULL, NULL);
    sqlite3_close(db);
    refuses(other, STORE_WRITE, "not one of warpstudy");
    refuses(other, STORE_READ, "not one of warpstudy");
    store_close(open_store(STORE_WRITE));
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL);
    sqlite3_close(db);
    refuses(path, STORE_READ, "schema version 99");
    refuses(path, STORE_WRITE, "schema version 99");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 4", NULL, NULL, NULL);
    sqlite3_close(db);
    refuses(path, STORE_READ, "schema version 4; this program reads only version 6");
    refuses(path, STORE_WRITE, "schema version 4; this program reads only version 6");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 6", NULL, NULL, NULL);
    sqlite3_close(db);
}

static void reports_a_full_disk(void **state)
{
    struct store *store = open_store(STORE_WRITE);
    const int64_t run = begin_run(store), trial = a_trial(store, run, 400);
    struct measurement measurement = a_measurement();
    static struct measured_repetition many[100000];
    int64_t attempt;
    measurement.repetitions = many;
    measurement.repetition_count = 100000;
    need(store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", &attempt, &why));
    need(sql_exec(&store->db, "PRAGMA max_page_count = 1", "limit", &why)); // no more than there are
    assert_false(store_finish_attempt(store, attempt, &measurement, &why));
    assert_non_null(strstr(why.message, "full"));
    assert_non_null(strstr(why.remedy, "stays valid"));
    need(sql_exec(&store->db, "PRAGMA max_page_count = 1000000", "limit", &why));
    assert_string_equal(ask(store, "SELECT count(*) FROM repetition WHERE attempt = (SELECT max(id) FROM attempt)"),
                        "0");
    need(store_finish_attempt(store, attempt, &measurement, &why)); // with room again it goes on
    store_close(store);
}

// ---- a disk that is full

static char disk[96], disk_database[128], ballast[128];

// A disk of 4 MiB, in a name space of this process: nothing stays mounted, however the test ends.
static int mount_disk(void **state)
{
    static bool mounted;
    *state = &mounted;
    snprintf(disk, sizeof disk, "%s/disk", folder);
    snprintf(disk_database, sizeof disk_database, "%s/full.db", disk);
    snprintf(ballast, sizeof ballast, "%s/ballast", disk);
    mkdir(disk, 0755);
    mounted = !unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
              !mount("tmpfs", disk, "tmpfs", 0, "size=4m");
    if (!mounted)
        printf("skipped: no small disk can be mounted here: %s\n", strerror(errno));
    return 0;
}

static int unmount_disk(void **state)
{
    umount2(disk, MNT_DETACH);
    return 0;
}

// Takes all room but so many bytes; frees what it took before.
static void leave_room(off_t bytes)
{
    static const char block[4096];
    unlink(ballast);
    const int descriptor = open(ballast, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    off_t size = 0;
    while (write(descriptor, block, sizeof block) == (ssize_t)sizeof block)
        size += (off_t)sizeof block;
    assert_int_equal(ftruncate(descriptor, size > bytes ? size - bytes : 0), 0);
    close(descriptor);
}

static struct store *open_on_disk(void)
{
    why = (struct error){0};
    return store_open(disk_database, STORE_WRITE, &why);
}

static bool store_one(struct store *store, int64_t run, int seed, int64_t *attempt)
{
    const struct trial_provenance provenance = {"scene", "programs", "device", "driver", "policy", "harness"};
    const struct trial_row row = a_row(seed);
    const struct measurement measurement = a_measurement();
    char key[HASH_TEXT];
    int64_t trial;
    *attempt = 0;
    why = (struct error){0};
    return store_trial(store, run, &row, &provenance, &trial, key, &why) &&
           store_begin_attempt(store, run, trial, COLLECTION_COUNTS, "", attempt, &why) &&
           store_finish_attempt(store, *attempt, &measurement, &why);
}

static void check_disk_error(void)
{
    if (!strstr(why.remedy, "space") || !strstr(why.remedy, "stays valid") || error_exit_code(&why) != 2)
        fail_msg("a full disk says: %s; %s", why.message, why.remedy);
}

// Stores until the disk is full, and returns how many attempts that were.
static int fill_disk(struct store *store, int64_t run, int seed, int64_t *attempt)
{
    int stored = 0;
    while (store_one(store, run, seed + stored, attempt))
        if (++stored > 100000)
            fail_msg("the disk is never full");
    check_disk_error();
    return stored;
}

static void survives_a_full_disk(void **state)
{
    if (!*(bool *)*state)
        skip();
    leave_room(0);
    assert_null(open_on_disk());
    check_disk_error();
    assert_false(there_is(disk_database, ""));

    int64_t attempt;
    leave_room(1792 << 10);
    struct store *store = open_on_disk();
    need(store != NULL);
    need(store_lock(store, &why));
    const int64_t run = begin_run(store);
    int stored = fill_disk(store, run, 0, &attempt);
    assert_true(stored > 5);
    check_stored(store, stored); // all that was there is still there, and no half of the next
    leave_room(512 << 10);       // the same run goes on
    if (attempt) {
        const struct measurement measurement = a_measurement();
        need(store_finish_attempt(store, attempt, &measurement, &why));
        ++stored;
    }
    stored += fill_disk(store, run, 1000, &attempt);
    store_close(store); // while the disk is full

    leave_room(512 << 10);
    need((store = open_on_disk()) != NULL); // and so does the next one
    int64_t abandoned;
    need(store_recover(store, &abandoned, &why));
    assert_true(abandoned <= 1);
    check_stored(store, stored);
    need(store_one(store, begin_run(store), 5000, &attempt));
    check_stored(store, stored + 1);
    unlink(ballast);
    store_close(store); // with room to fold the log in
    assert_false(there_is(disk_database, "-wal"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(reports_a_full_disk),
        cmocka_unit_test_setup_teardown(survives_a_full_disk, mount_disk, unmount_disk),
    };
    return cmocka_run_group_tests_name("errors of the store", tests, make_database, free_experiment);
}
