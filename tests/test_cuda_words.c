// SPDX-License-Identifier: MIT
// What the cuda backend makes of the driver's results and of other processes on a GPU; needs neither driver nor GPU.
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "device/cuda/backend.h"
#include "device/kernel_cache.h"
#include "device/cuda/compile.h"

static void results_have_kinds_and_causes(void **state)
{
    static const struct {
        int result;
        enum error_kind kind;
        const char *words;
        bool ends, remedy;
    } rows[] = {
        {2, ERROR_SYSTEM, "memory is full", false, true},
        {46, ERROR_SYSTEM, "for itself", false, true},
        {209, ERROR_UNSUPPORTED, "the driver's words", false, false},
        {214, ERROR_DEVICE, "ECC", true, true},
        {700, ERROR_DEVICE, "has no memory", true, true},
        {701, ERROR_UNSUPPORTED, "does not fit", false, true},
        {702, ERROR_DEVICE, "longer than the driver lets it", true, true},
        {719, ERROR_DEVICE, "faulted", true, true},
        {999, ERROR_DEVICE, "lost", true, true},
        {400, ERROR_FAILED, "the driver's words", false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct error error = {0};
        assert_false(cuda_report(rows[i].result, "NAME", "the driver's words", "a call", &error));
        assert_int_equal(error.kind, rows[i].kind);
        assert_non_null(strstr(error.message, rows[i].words));
        assert_non_null(strstr(error.message, "NAME"));
        assert_int_equal(strstr(error.message, "cannot use the GPU any more") != NULL, rows[i].ends);
        assert_int_equal(error.remedy[0] != 0, rows[i].remedy);
    }
    assert_false(cuda_report(12345, NULL, NULL, "a call", NULL)); // nobody asks
}

static void throttle_bits_are_told_apart(void **state)
{
    static const struct {
        unsigned long long theirs;
        uint32_t ours;
    } rows[] = {
        {0, 0},
        {0x1, DEVICE_THROTTLE_IDLE},
        {0x2, DEVICE_THROTTLE_SETTING},
        {0x100, DEVICE_THROTTLE_SETTING},
        {0x4, DEVICE_THROTTLE_POWER_CAP},
        {0x20, DEVICE_THROTTLE_THERMAL},
        {0x48, DEVICE_THROTTLE_THERMAL}, // the general bit says nothing more
        {0x88, DEVICE_THROTTLE_POWER_BRAKE},
        {0x8, DEVICE_THROTTLE_OTHER},
        {0x10, DEVICE_THROTTLE_OTHER},
        {0x4000, DEVICE_THROTTLE_OTHER}, // one that a later driver adds
        {0x24, DEVICE_THROTTLE_POWER_CAP | DEVICE_THROTTLE_THERMAL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        assert_int_equal(cuda_throttle_of(rows[i].theirs), rows[i].ours);
}

enum { NOBODY = 0x7ffffff0 }; // a number that no process has

// A process that sleeps. `orphan`: no descendant of ours any more; `own_session`: as workers of another terminal. Its
// number is written to a pipe once all that is so.
static pid_t start_sleeper(bool orphan, bool own_session)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        const pid_t between = getpid();
        if (own_session)
            setsid();
        if (orphan && fork() != 0)
            _exit(0);
        while (orphan && getppid() == between)
            usleep(1000);
        const pid_t own = getpid();
        if (write(ends[1], &own, sizeof own) != (ssize_t)sizeof own)
            _exit(1);
        sleep(30);
        _exit(0);
    }
    pid_t sleeper = 0;
    if (orphan)
        waitpid(child, NULL, 0);
    assert_int_equal(read(ends[0], &sleeper, sizeof sleeper), sizeof sleeper);
    close(ends[0]);
    close(ends[1]);
    return sleeper;
}

static void relatives_are_not_foreign(void **state)
{
    const unsigned own = (unsigned)getpid();
    const unsigned child = (unsigned)start_sleeper(false, true), stranger = (unsigned)start_sleeper(true, true);
    assert_int_equal(cuda_count_foreign((unsigned[]){own}, 1), 0);
    assert_int_equal(cuda_count_foreign((unsigned[]){own, child}, 2), 0);
    assert_int_equal(cuda_count_foreign((unsigned[]){own, (unsigned)getppid()}, 2), 0);
    assert_int_equal(cuda_count_foreign((unsigned[]){own, NOBODY}, 2), 0); // not to be seen from here
    assert_int_equal(cuda_count_foreign((unsigned[]){stranger, own, child}, 3), 1);
    // Without ourselves in it the list is of another namespace.
    assert_int_equal(cuda_count_foreign((unsigned[]){stranger}, 1), -1);
    assert_int_equal(cuda_count_foreign((unsigned[]){NOBODY}, 1), -1);
    assert_int_equal(cuda_count_foreign(NULL, 0), -1);
    kill((pid_t)child, SIGKILL);
    kill((pid_t)stranger, SIGKILL);
    waitpid((pid_t)child, NULL, 0);
}

// What another command of this terminal is: of our session, and no descendant.
static void same_terminal_is_foreign(void **state)
{
    const unsigned own = (unsigned)getpid(), neighbour = (unsigned)start_sleeper(true, false);
    assert_int_equal(getsid((pid_t)neighbour), getsid(0));
    assert_int_equal(cuda_count_foreign((unsigned[]){own, neighbour}, 2), 1);
    kill((pid_t)neighbour, SIGKILL);
}

// In a child, as in a worker; its answer, where the child could be made as wanted, else -2.
static int count_in_child(bool (*prepare)(void), const unsigned *others, size_t count)
{
    const pid_t child = fork();
    if (child == 0) {
        unsigned processes[8] = {(unsigned)getpid()};
        memcpy(processes + 1, others, count * sizeof *others);
        _exit(prepare() ? cuda_count_foreign(processes, count + 1) : 100);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) == 100 ? -2 : WEXITSTATUS(status);
}

static bool as_worker(void)
{
    return setpgid(0, 0) == 0;
}

// Workers of one coordinator, this process, are siblings in groups and sessions of their own.
static void workers_of_one_coordinator_are_relatives(void **state)
{
    const unsigned sibling = (unsigned)start_sleeper(false, true), stranger = (unsigned)start_sleeper(true, false);
    assert_int_equal(count_in_child(as_worker, (unsigned[]){sibling, (unsigned)getpid()}, 2), 0);
    assert_int_equal(count_in_child(as_worker, (unsigned[]){sibling, stranger}, 2), 1);
    kill((pid_t)sibling, SIGKILL);
    kill((pid_t)stranger, SIGKILL);
    waitpid((pid_t)sibling, NULL, 0);
}

// The child of a shell is no worker: what else the shell has started is foreign.
static void siblings_by_a_shell_are_foreign(void **state)
{
    fflush(NULL);
    assert_int_equal(system("sleep 30 & \"$WARPSTUDY_TEST\" $!; got=$?; kill $!; exit $got"), 1 << 8);
}

// A /proc that shows nothing, as hidepid makes it for other users' processes.
static bool with_empty_proc(void)
{
    return (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
           mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && mount("none", "/proc", "tmpfs", 0, NULL) == 0;
}

static void hidden_processes_are_foreign(void **state)
{
    const unsigned stranger = (unsigned)start_sleeper(true, true);
    const int nobody = count_in_child(with_empty_proc, (unsigned[]){NOBODY, (unsigned)getpid()}, 2);
    const int hidden = count_in_child(with_empty_proc, (unsigned[]){stranger}, 1);
    kill((pid_t)stranger, SIGKILL);
    if (hidden == -2) {
        print_message("no namespace of its own for a hidden /proc: not tested\n");
        skip();
    }
    assert_int_equal(nobody, 0);
    assert_int_equal(hidden, 1);
}

static void kept_kernels_are_read_again_by_whom_the_umask_lets(void **state)
{
    char folder[] = "/tmp/test_cuda_words_XXXXXX", path[80];
    struct kernel_binary written = {.bytes = (unsigned char *)"a cubin", .size = 7, .log = (char *)"a log"}, read = {0};
    struct stat status;
    assert_non_null(mkdtemp(folder));
    setenv("WARPSTUDY_CACHE", folder, 1);
    unsetenv("WARPSTUDY_KERNEL_CACHE");
    assert_false(kernel_cache_read("cuda", "key", &read));
    assert_true(kernel_cache_usable("cuda"));
    const mode_t before = umask(027);
    kernel_cache_write("cuda", "key", &written);
    umask(before);
    snprintf(path, sizeof path, "%s/cuda/key", folder);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_true(kernel_cache_read("cuda", "key", &read));
    assert_int_equal(read.size, written.size);
    assert_memory_equal(read.bytes, written.bytes, read.size);
    assert_string_equal(read.log, written.log);
    kernel_binary_finish(&read);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/cuda", folder);
    assert_int_equal(rmdir(path) | rmdir(folder), 0); // nothing else is left
}

// With an argument, a process: how many of it and this one are foreign, as exit status.
int main(int argc, char **argv)
{
    if (argc > 1)
        return cuda_count_foreign((unsigned[]){(unsigned)getpid(), (unsigned)atoi(argv[1])}, 2);
    setenv("WARPSTUDY_TEST", argv[0], 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_have_kinds_and_causes),
        cmocka_unit_test(throttle_bits_are_told_apart),
        cmocka_unit_test(relatives_are_not_foreign),
        cmocka_unit_test(same_terminal_is_foreign),
        cmocka_unit_test(workers_of_one_coordinator_are_relatives),
        cmocka_unit_test(siblings_by_a_shell_are_foreign),
        cmocka_unit_test(hidden_processes_are_foreign),
        cmocka_unit_test(kept_kernels_are_read_again_by_whom_the_umask_lets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
