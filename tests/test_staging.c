// SPDX-License-Identifier: MIT
// Reports that take the place of others, that are killed, that fail, or that are made at once in one folder. This program's rename and renameat2 take
// the place of the library's: they count, and at a chosen call they fail or end the process as a kill would.
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder_support.h"
#include "report/staging.h"

enum { KILLED = 77 };
enum fault { FAILS, DIES, IS_TERMINATED };

static int calls, chosen; // of rename and renameat2; 0: none is chosen
static enum fault fault;
static bool no_exchange; // of names, as on some file systems

static bool spared(void)
{
    if (!chosen || ++calls != chosen)
        return true;
    if (fault == DIES)
        _exit(KILLED);
    if (fault == IS_TERMINATED)
        return raise(SIGTERM) == 0;
    errno = EIO;
    return false;
}

int rename(const char *from, const char *to)
{
    return spared() ? renameat(AT_FDCWD, from, AT_FDCWD, to) : -1;
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    if (!no_exchange)
        return spared() ? (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags) : -1;
    errno = EINVAL;
    return -1;
}

static const char *folder;

static int make_folder(void **state)
{
    (void)state;
    chosen = calls = 0;
    no_exchange = false;
    folder = folder_new();
    return 0;
}

static struct error error; // of the last report

static void begin(struct staging *staging, const char *const *names, const char *text)
{
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
    error = (struct error){0};
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

static void in_folder(const char *command)
{
    char text[400];
    snprintf(text, sizeof text, "cd %s && { %s; }", folder, command);
    assert_int_equal(system(text), 0);
}

static void takes_the_place_of_what_reports_left(void **state)
{
    (void)state;
    assert_true(make((const char *const[]){"index", "t/x", "f/old/x", NULL}, "1", true));
    in_folder("echo mine >mine; echo mine >t/mine");
    assert_true(make((const char *const[]){"more/z", NULL}, "2", false)); // adds to what is there
    assert_string_equal(
        contents(), "./f/ ./f/old/ ./f/old/x=1 ./index=1 ./mine=mine ./more/ ./more/z=2 ./t/ ./t/mine=mine ./t/x=1 ");
    assert_true(make((const char *const[]){"index", "t/y", NULL}, "3", true)); // folders that it leaves empty go
    assert_string_equal(contents(), "./index=3 ./mine=mine ./t/ ./t/mine=mine ./t/y=3 ");
}

static void what_is_not_a_reports_stays(void **state)
{
    (void)state;
    assert_true(make((const char *const[]){"a", NULL}, "1", true));
    in_folder("echo mine >index");
    assert_false(make((const char *const[]){"a", "index", NULL}, "2", true));
    assert_non_null(strstr(error.file, "index"));
    assert_non_null(strstr(error.remedy, "--output"));
    assert_string_equal(contents(), "./a=1 ./index=mine ");
}

// A name in the list that leads out of the folder is not followed.
static void what_lies_outside_stays(void **state)
{
    (void)state;
    const char *const outside = folder;
    static char inside[300];
    in_folder("echo mine >precious");
    snprintf(inside, sizeof inside, "%s/in", outside);
    folder = inside;
    assert_true(make((const char *const[]){"a", NULL}, "1", true));
    in_folder("printf '../precious\\n/etc/nothing\\nx/../../precious\\na\\n' >" STAGING_LIST);
    assert_true(make((const char *const[]){"a", NULL}, "2", true));
    folder = outside;
    assert_string_equal(contents(), "./in/ ./in/a=2 ./precious=mine ");
}

// A file stands where the second file's folder should be made.
static void a_move_that_fails_half_way_is_undone(void **state)
{
    (void)state;
    assert_true(make((const char *const[]){"a", NULL}, "1", true));
    in_folder("echo mine >b");
    assert_false(make((const char *const[]){"a", "b/c", NULL}, "2", true));
    assert_non_null(strstr(error.remedy, "--output"));
    assert_string_equal(contents(), "./a=1 ./b=mine ");
    assert_true(make((const char *const[]){"a", NULL}, "3", true)); // the list is as it was
    assert_string_equal(contents(), "./a=3 ./b=mine ");
}

// What a killed report left goes, but not the folder of one under way; of one that is abandoned nothing is left, nor folders made for it.
static void nothing_hidden_stays(void **state)
{
    (void)state;
    struct staging under_way;
    const char *const outside = folder;
    static char inside[300];
    snprintf(inside, sizeof inside, "%s/in/deep", outside);
    folder = inside;
    begin(&under_way, (const char *const[]){"t/x", NULL}, "1");
    in_folder("mkdir -p .report-killed/t && touch .report-killed/t/x");
    assert_true(make((const char *const[]){"a", NULL}, "1", true));
    assert_int_equal(access(under_way.temporary, F_OK), 0);
    staging_abandon(&under_way);
    assert_string_equal(contents(), "./a=1 ");
    in_folder("rm -r ../../in");
    begin(&under_way, (const char *const[]){"t/x", NULL}, "1");
    staging_abandon(&under_way);
    folder = outside;
    assert_string_equal(contents(), "");
}

static const char *const older[] = {"a", "t/b", NULL}, *const newer[] = {"t/b", "u/c", "d", NULL};

// Reports into a folder that holds one already, in a child that meets `kind` at its at-th call. Its status.
static int make_in_child(int at, enum fault kind)
{
    folder = folder_new();
    assert_true(make(older, "old", true));
    const pid_t child = fork();
    if (!child) {
        fault = kind;
        chosen = at;
        calls = 0;
        _exit(make(newer, "new", true) ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void is_in_nobodys_way(int least)
{
    int deaths = 0;
    for (int at = 1, dead = 1; dead; ++at) {
        const int status = make_in_child(at, DIES);
        assert_true(WIFEXITED(status));
        dead = WEXITSTATUS(status) == KILLED;
        deaths += dead;
        assert_true(make(newer, "then", true));
        assert_string_equal(contents(), "./d=then ./t/ ./t/b=then ./u/ ./u/c=then ");
    }
    assert_true(deaths >= least);
}

static void what_a_killed_report_left_is_in_nobodys_way(void **state)
{
    (void)state;
    is_in_nobodys_way(5); // a file each, the list, and the one that stays
    no_exchange = true;
    is_in_nobodys_way(7); // two names more, of files that were there
}

static void who_asks_it_to_end_meets_no_half_report(void **state)
{
    (void)state;
    int asked = 0;
    for (int at = 1;; ++at, ++asked) {
        const int status = make_in_child(at, IS_TERMINATED);
        if (WIFEXITED(status))
            break;
        assert_int_equal(WTERMSIG(status), SIGTERM);
        make((const char *const[]){NULL}, "", false); // what it left is hidden until here
        assert_string_equal(contents(), "./d=new ./t/ ./t/b=new ./u/ ./u/c=new ");
    }
    assert_true(asked >= 5);
}

static void is_as_it_was(int least)
{
    int failures = 0;
    calls = 1;
    for (int at = 1; calls >= at; ++at) {
        folder = folder_new();
        assert_true(make(older, "old", true));
        fault = FAILS;
        chosen = at;
        calls = 0;
        const bool failed = !make(newer, "new", true);
        chosen = 0;
        failures += failed;
        assert_string_equal(contents(), failed ? "./a=old ./t/ ./t/b=old " : "./d=new ./t/ ./t/b=new ./u/ ./u/c=new ");
    }
    assert_true(failures >= least);
}

static void a_failure_leaves_everything_as_it_was(void **state)
{
    (void)state;
    is_as_it_was(2); // of files that were not there: an exchange that fails is tried in other ways
    no_exchange = true;
    is_as_it_was(4);
}

static void reports_of_one_folder_may_be_made_at_once(void **state)
{
    (void)state;
    struct staging first, second;
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
        cmocka_unit_test_setup_teardown(takes_the_place_of_what_reports_left, make_folder, NULL),
        cmocka_unit_test_setup_teardown(what_is_not_a_reports_stays, make_folder, NULL),
        cmocka_unit_test_setup_teardown(what_lies_outside_stays, make_folder, NULL),
        cmocka_unit_test_setup_teardown(a_move_that_fails_half_way_is_undone, make_folder, NULL),
        cmocka_unit_test_setup_teardown(nothing_hidden_stays, make_folder, NULL),
        cmocka_unit_test_setup_teardown(what_a_killed_report_left_is_in_nobodys_way, make_folder, NULL),
        cmocka_unit_test_setup_teardown(who_asks_it_to_end_meets_no_half_report, make_folder, NULL),
        cmocka_unit_test_setup_teardown(a_failure_leaves_everything_as_it_was, make_folder, NULL),
        cmocka_unit_test_setup_teardown(reports_of_one_folder_may_be_made_at_once, make_folder, NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
