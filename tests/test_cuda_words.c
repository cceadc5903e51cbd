// SPDX-License-Identifier: MIT
// What the cuda backend makes of the driver's results and of other processes on a GPU; needs neither driver nor GPU.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "device/cuda/backend.h"

static void results_have_kinds_and_causes(void **state)
{
    (void)state;
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
    (void)state;
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

// A process in a session of its own that sleeps; `orphan`: no descendant of ours any more. Its number is written to a
// pipe once all that is so.
static pid_t start_sleeper(bool orphan)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        if (orphan && fork() != 0)
            _exit(0);
        while (orphan && getppid() != 1 && kill(getppid(), 0) == 0 && getsid(getppid()) == getsid(0))
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
    (void)state;
    enum { NOBODY = 0x7ffffff0 };
    const unsigned own = (unsigned)getpid();
    const unsigned child = (unsigned)start_sleeper(false), stranger = (unsigned)start_sleeper(true);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_have_kinds_and_causes),
        cmocka_unit_test(throttle_bits_are_told_apart),
        cmocka_unit_test(relatives_are_not_foreign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
