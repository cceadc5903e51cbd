// SPDX-License-Identifier: MIT
#include "run/interrupt.h"

#include <signal.h>
#include <stdatomic.h>

static atomic_int wishes;

static void interrupt_wish(int signal)
{
    atomic_fetch_add(&wishes, signal == SIGINT || signal == SIGUSR1 ? 1 : 2);
}

void interrupt_install(void)
{
    struct sigaction action = {.sa_handler = interrupt_wish}; // no SA_RESTART: waits shall end
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int interrupt_count(void)
{
    return wishes > 2 ? 2 : wishes;
}

bool interrupt_untold(void)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    return wishes == 1 && !atomic_flag_test_and_set(&told);
}

bool interrupt_wished(void)
{
    return wishes > 0;
}

bool interrupt_check(struct error *error)
{
    return !wishes || error_set(error, ERROR_INTERRUPTED, "interrupted before anything ran");
}
