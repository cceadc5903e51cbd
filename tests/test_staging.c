// SPDX-License-Identifier: MIT
// Reports that are killed, that fail, or that are made at once in one folder. This program's rename takes the place of
// the library's: it counts, and at a chosen call it fails or ends the process as a kill would.
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/staging.h"

enum { KILLED = 77 };

static int calls, chosen; // of rename; 0: none is chosen
static bool kills;

int rename(const char *from, const char *to)
{
    if (chosen && ++calls == chosen) {
        if (kills)
            _exit(KILLED);
        errno = EIO;
        return -1;
    }
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static char folder[32];

static int make_folder(void **state)
{
    (void)state;
    chosen = calls = 0;
    strcpy(folder, "/tmp/staging-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void begin(struct staging *staging, const char *const *names, const char *text)
{
    struct error error = {0};
    assert_true(staging_begin(staging, folder, &error));
    for (; *names; ++names) {
        FILE *stream = staging_open(staging, *names, &error);
        assert_non_null(stream);
        fputs(text, stream);
        assert_true(staging_close(staging, stream, &error));
    }
}

static bool make(const char *const *names, const char *text, bool replaces)
{
    struct staging staging;
    struct error error = {0};
    begin(&staging, names, text);
    staging.replaces = replaces;
    const bool done = staging_commit(&staging, &error);
    staging_abandon(&staging);
    return done;
}

// "a=old t/b=old ", sorted, of all files but the list; folders end in /.
static const char *contents(void)
{
    static char text[1000];
    char command[300];
    snprintf(command, sizeof command,
             "cd %s && find . -mindepth 1 ! -name .warpstudy-report | LC_ALL=C sort | while read f; do "
             "[ -d $f ] && echo -n \"$f/ \" || echo -n \"$f=$(cat $f) \"; done",
             folder);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    pclose(stream);
    return text;
}

static const char *const older[] = {"a", "t/b", NULL}, *const newer[] = {"t/b", "u/c", "d", NULL};

static void what_a_killed_report_left_is_in_nobodys_way(void **state)
{
    (void)state;
    int deaths = 0;
    for (int at = 1, dead = 1; dead; ++at) {
        remove_folder(NULL);
        assert_int_equal(mkdir(folder, 0700), 0);
        assert_true(make(older, "old", true));
        const pid_t child = fork();
        if (!child) {
            kills = true;
            chosen = at;
            calls = 0;
            _exit(make(newer, "new", true) ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        dead = WEXITSTATUS(status) == KILLED;
        deaths += dead;
        assert_true(make(newer, "then", true));
        assert_string_equal(contents(), "./d=then ./t/ ./t/b=then ./u/ ./u/c=then ");
    }
    assert_true(deaths >= 4); // a file each, and the list
}

static void a_failure_leaves_everything_as_it_was(void **state)
{
    (void)state;
    int failures = 0;
    for (int at = 1, failed = 1; failed; ++at) {
        remove_folder(NULL);
        assert_int_equal(mkdir(folder, 0700), 0);
        assert_true(make(older, "old", true));
        kills = false;
        chosen = at;
        calls = 0;
        failed = !make(newer, "new", true);
        chosen = 0;
        failures += failed;
        if (failed)
            assert_string_equal(contents(), "./a=old ./t/ ./t/b=old ");
    }
    assert_true(failures >= 3);
}

static void reports_of_one_folder_may_be_made_at_once(void **state)
{
    (void)state;
    struct staging first, second;
    struct error error = {0};
    begin(&first, older, "first");
    begin(&second, newer, "second");
    assert_true(staging_commit(&first, &error));
    assert_true(staging_commit(&second, &error));
    staging_abandon(&first);
    staging_abandon(&second);
    assert_string_equal(contents(), "./a=first ./d=second ./t/ ./t/b=second ./u/ ./u/c=second ");
    // Both are known as reports' files: one that replaces them removes them.
    assert_true(make((const char *const[]){"e", NULL}, "last", true));
    assert_string_equal(contents(), "./e=last ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_a_killed_report_left_is_in_nobodys_way, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_failure_leaves_everything_as_it_was, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(reports_of_one_folder_may_be_made_at_once, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
