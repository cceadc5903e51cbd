// SPDX-License-Identifier: MIT
#include "device/emulator/faults.h"

#include <ucontext.h>

// SIGURG is ignored by default: harmless where it comes late, or from elsewhere.
static const int watchdog_signal = SIGURG;

static const int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { FAULT_SIGNALS = sizeof fault_signals / sizeof fault_signals[0] };

static pthread_mutex_t install_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t installed;
static struct sigaction previous_fault[FAULT_SIGNALS], previous_watchdog;

bool faults_left_to_sanitizer(void)
{
    return FIBER_ASAN;
}

// Makes the interrupted thread go on in `function` on the stack that ends at `stack_top` when the handler returns: a
// jump out of the handler would leave the signal blocked, and must not cross stacks where the C library checks it.
#if defined __x86_64__
static void redirect(ucontext_t *context, char *stack_top, void (*function)(void))
{
    const uintptr_t top = ((uintptr_t)stack_top & ~(uintptr_t)15) - 8; // as after a call
    context->uc_mcontext.gregs[REG_RSP] = (greg_t)top;
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)function;
}
#elif defined __aarch64__
static void redirect(ucontext_t *context, char *stack_top, void (*function)(void))
{
    context->uc_mcontext.sp = (uintptr_t)stack_top & ~(uintptr_t)15;
    context->uc_mcontext.pc = (uintptr_t)function;
}
#else
#error "write redirect() for this processor"
#endif

static _Noreturn void report_address(const struct block_runner *runner, const void *address)
{
    const struct block *block = scheduler_block();
    size_t past;
    if (!runner->signal_has_address)
        scheduler_fault("invalid address");
    if (shared_memory_overflow(&block->shared, address, &past))
        scheduler_fault("shared memory out of bounds: %zu byte%s past the block's %zu bytes", past,
                        past == 1 ? "" : "s", block->shared.bytes);
    if (fiber_stacks_overflow(&block->stacks, address))
        scheduler_fault("stack overflow: a lane has %d bytes", FIBER_STACK_SIZE);
    scheduler_fault("invalid address %p", address);
}

static char *handler_stack(const struct block *block)
{
    return fiber_stack(&block->stacks, block->stacks.count - 1);
}

// Runs in place of the interrupted lane.
static void abandon_block(void)
{
    const struct block_runner *runner = scheduler_runner();
    const int signal = runner->signal;
    fiber_moved(handler_stack(scheduler_block()));
    if (signal == watchdog_signal)
        scheduler_fault(
            "runs without a barrier, a vote or an end: it waits for what no lane will do, or loops for ever");
    if (signal == SIGFPE)
        scheduler_fault("integer division by zero or out of range");
    if (signal == SIGILL)
        scheduler_fault("illegal instruction: built for another processor");
    report_address(runner, runner->signal_address);
}

static void abandon_lane(struct block_runner *runner, int signal, const siginfo_t *info, void *context)
{
    runner->signal = signal;
    runner->signal_address = info->si_addr;
    runner->signal_has_address = info->si_code != SI_KERNEL; // an address that no page could have
    redirect(context, handler_stack(scheduler_block()) + FIBER_STACK_SIZE, abandon_block);
}

static void hand_back(int signal, const siginfo_t *info)
{
    for (int i = 0; i < FAULT_SIGNALS; i++)
        if (fault_signals[i] == signal)
            sigaction(signal, &previous_fault[i], NULL);
    if (info->si_code <= 0) // sent by a process: the instruction would not raise it again
        raise(signal);
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    struct block_runner *runner = scheduler_runner();
    if (runner && info->si_code > 0)
        abandon_lane(runner, signal, info, context);
    else
        hand_back(signal, info);
}

static void on_watchdog(int signal, siginfo_t *info, void *context)
{
    struct block_runner *runner = scheduler_runner();
    if (runner && !runner->in_library && atomic_load(&runner->progress) == atomic_load(&runner->stalled))
        abandon_lane(runner, signal, info, context);
}

static bool install(int signal, void (*handler)(int, siginfo_t *, void *), struct sigaction *previous)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigemptyset(&action.sa_mask);
    return sigaction(signal, &action, previous) == 0;
}

static bool install_all(void)
{
    bool done = install(watchdog_signal, on_watchdog, &previous_watchdog);
    for (int i = 0; i < FAULT_SIGNALS && !faults_left_to_sanitizer(); i++)
        done = done && install(fault_signals[i], on_fault, &previous_fault[i]);
    return done;
}

static void remove_all(void)
{
    sigaction(watchdog_signal, &previous_watchdog, NULL);
    for (int i = 0; i < FAULT_SIGNALS && !faults_left_to_sanitizer(); i++)
        sigaction(fault_signals[i], &previous_fault[i], NULL);
}

bool faults_install(struct error *error)
{
    pthread_mutex_lock(&install_lock);
    const bool done = installed > 0 || install_all();
    installed += done;
    pthread_mutex_unlock(&install_lock);
    return done || error_set_errno(error, "install", "handlers for faults in kernels");
}

void faults_remove(void)
{
    pthread_mutex_lock(&install_lock);
    if (--installed == 0)
        remove_all();
    pthread_mutex_unlock(&install_lock);
}

void faults_enter_thread(char *memory)
{
    const stack_t stack = {.ss_sp = memory, .ss_size = FAULTS_STACK_SIZE};
    sigaltstack(&stack, NULL);
}

void faults_leave_thread(void)
{
    const stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
}

void faults_interrupt(pthread_t thread, struct block_runner *runner, uint_fast64_t stamp)
{
    atomic_store(&runner->stalled, stamp);
    pthread_kill(thread, watchdog_signal);
}
