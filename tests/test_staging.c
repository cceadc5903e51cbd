// SPDX-License-Identifier: MIT
// Reports that take the place of others, that are killed, that fail, or that are made at once in one folder. This program's rename takes
// the place of the library's: it counts, and at a chosen call it ends the process as a kill would.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "folder_support.h"
#include "report/staging.h"

enum { KILLED = 77 };

static int calls, chosen; // of rename; 0: none is chosen

int rename(const char *from, const char *to)
{
    if (chosen && ++calls == chosen)
        _exit(KILLED);
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static const char *folder;

static int make_folder(void **state)
{
    chosen = calls = 0;
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

TEST(takes_the_place_of_what_reports_left)
{
    assert_true(make((const char *const[]){"index", "t/x", "f/old/x", NULL}, "1", true));
    in_folder("echo mine >mine; echo mine >t/mine");
    assert_true(make((const char *const[]){"more/z", NULL}, "2", false)); // adds to what is there
    assert_string_equal(
        contents(), "./f/ ./f/old/ ./f/old/x=1 ./index=1 ./mine=mine ./more/ ./more/z=2 ./t/ ./t/mine=mine ./t/x=1 ");
    assert_true(make((const char *const[]){"index", "t/y", NULL}, "3", true)); // folders that it leaves empty go
    assert_string_equal(contents(), "./index=3 ./mine=mine ./t/ ./t/mine=mine ./t/y=3 ");
}

TEST(what_is_not_a_reports_stays)
{
    assert_true(make((const char *const[]){"a", NULL}, "1", true));
    in_folder("echo mine >index");
    assert_false(make((const char *const[]){"a", "index", NULL}, "2", true));
    assert_non_null(strstr(error.file, "index"));
    assert_non_null(strstr(error.remedy, "another folder"));
    assert_string_equal(contents(), "./a=1 ./index=mine ");
}

// A name in the list that leads out of the folder is not followed.
TEST(what_lies_outside_stays)
{
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

// A file stands where the second file's folder should be made: nothing is moved.
TEST(what_stands_where_a_folder_should_be_stays)
{
    assert_true(make((const char *const[]){"a", NULL}, "1", true));
    in_folder("echo mine >b");
    assert_false(make((const char *const[]){"a", "b/c", NULL}, "2", true));
    assert_non_null(strstr(error.remedy, "another folder"));
    assert_string_equal(contents(), "./a=1 ./b=mine ");
    assert_true(make((const char *const[]){"a", NULL}, "3", true)); // the list is as it was
    assert_string_equal(contents(), "./a=3 ./b=mine ");
}

// What a killed report left goes; of one that is abandoned nothing is left, nor folders made for it.
TEST(nothing_hidden_stays)
{
    struct staging abandoned;
    static char inside[300];
    in_folder("mkdir -p .report/t && touch .report/t/x");
    assert_true(make((const char *const[]){"a", NULL}, "1", true));
    assert_string_equal(contents(), "./a=1 ");
    const char *const outside = folder;
    snprintf(inside, sizeof inside, "%s/in/deep", outside);
    folder = inside;
    begin(&abandoned, (const char *const[]){"t/x", NULL}, "1");
    staging_abandon(&abandoned);
    folder = outside;
    assert_string_equal(contents(), "./a=1 ");
}

static const char *const older[] = {"a", "t/b", NULL}, *const newer[] = {"t/b", "u/c", "d", NULL};

static const char newer_alone[] = "./d=new ./t/ ./t/b=new ./u/ ./u/c=new ";

// Reports into a folder that holds one already, in a child that is killed at its at-th call. Whether it was.
static bool is_killed(int at)
{
    int status;
    folder = folder_new();
    assert_true(make(older, "old", true));
    const pid_t child = fork();
    if (!child) {
        chosen = at;
        calls = 0;
        _exit(make(newer, "then", true) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == KILLED || !WEXITSTATUS(status)));
    return WEXITSTATUS(status) == KILLED;
}

TEST(what_a_killed_report_left_is_in_nobodys_way)
{
    int kills = 0;
    for (bool killed = true; killed; kills += killed) {
        killed = is_killed(kills + 1);
        assert_true(make(newer, "new", true));
        assert_string_equal(contents(), newer_alone);
    }
    assert_int_equal(kills, 5); // a file each, and the list twice
}

TEST(a_failure_leaves_everything_as_it_was)
{
    struct staging staging;
    assert_true(make(older, "old", true));
    begin(&staging, newer, "new"); // and then something fails before all are made
    staging_abandon(&staging);
    assert_string_equal(contents(), "./a=old ./t/ ./t/b=old ");
    char path[128];
    snprintf(path, sizeof path, "%s/d", folder);
    assert_int_equal(close(open(path, O_CREAT | O_WRONLY, 0600)), 0); // a file of somebody else
    begin(&staging, newer, "new");
    assert_false(staging_commit(&staging, &error));
    staging_abandon(&staging);
    assert_non_null(strstr(error.message, "not made by a report"));
    assert_string_equal(contents(), "./a=old ./d= ./t/ ./t/b=old ");
}

// A line break would be none in what gnuplot is told, nor in the list.
TEST(a_folder_has_no_line_break)
{
    struct staging staging;
    assert_false(staging_begin(&staging, "a\nb", &error));
    assert_non_null(strstr(error.message, "line breaks"));
}

TEST(pictures_have_their_end)
{
    assert_true(make((const char *const[]){"a.svg", "t/b.svg", NULL}, "<svg>\n</svg>\n", true));
    assert_true(make((const char *const[]){"a.pdf", NULL}, "%PDF\n%%EOF\n", true));
    assert_false(make((const char *const[]){"x", "a.svg", NULL}, "<svg>\n</svg", true));
    assert_non_null(strstr(error.message, "to its end"));
    assert_false(make((const char *const[]){"a.svg", NULL}, "", true));
    assert_false(make((const char *const[]){"a.pdf", NULL}, "%PDF\n%%EO", true));
    assert_false(make((const char *const[]){"a.png", NULL}, "PNG", true));
    assert_string_equal(contents(), "./a.pdf=%PDF\n%%EOF ");
}

TEST(reports_of_one_folder_may_be_made_at_once)
{
    struct staging first;
    int status;
    begin(&first, older, "first");
    const pid_t second = fork(); // waits until the first is there
    if (!second) {
        close(first.lock); // which it has only because it was forked
        _exit(make(newer, "second", false) ? 0 : 1);
    }
    usleep(50000);
    assert_true(staging_commit(&first, &error));
    staging_abandon(&first);
    assert_int_equal(waitpid(second, &status, 0), second);
    assert_int_equal(status, 0);
    assert_string_equal(contents(), "./a=first ./d=second ./t/ ./t/b=second ./u/ ./u/c=second ");
    // Both are known as reports' files: one that replaces them removes them.
    assert_true(make((const char *const[]){"e", NULL}, "last", true));
    assert_string_equal(contents(), "./e=last ");
}

TEST_EACH(make_folder, NULL)
