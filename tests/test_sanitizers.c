// SPDX-License-Identifier: MIT
// Whatever a sanitizer finds must end the program with a failure: by default gcc's for undefined behaviour prints and goes on.
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

// Volatile, since the compiler would otherwise warn of these errors or remove them.
static volatile int width = 32, length = 8;
static int *volatile kept;

static void nothing(void)
{
}

static void shift_too_far(void)
{
    width = 1 << width;
}

static void overflow(void)
{
    width = INT32_MAX - 31 + width;
}

static void read_past_end(void)
{
    kept = malloc((size_t)length * sizeof *kept);
    if (kept)
        width = kept[length];
}

// More than one: what a register still holds is no leak.
static void leak(void)
{
    for (int i = 0; i < length; i++)
        kept = malloc((size_t)length * sizeof *kept);
}

static int ends_well(void (*body)(void))
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(EXIT_SUCCESS);
        body();
        exit(EXIT_SUCCESS);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

TEST(each_finding_ends_a_program)
{
    (void)state;
    assert_true(ends_well(nothing));
    assert_false(ends_well(shift_too_far));
    assert_false(ends_well(overflow));
    assert_false(ends_well(read_past_end));
    assert_false(ends_well(leak));
}
