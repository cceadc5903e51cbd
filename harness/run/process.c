// SPDX-License-Identifier: MIT
#include "run/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "run/protocol.h"

static void close_pipes(int pipes[3][2])
{
    for (int i = 0; i < 3; ++i)
        for (int end = 0; end < 2; ++end)
            if (pipes[i][end] >= 0)
                close(pipes[i][end]);
}

// In the child: pipes become the three standard streams, everything else is closed, and it dies when its parent does.
static _Noreturn void become_worker(pid_t parent, int in, int out, int errors, const char *const *argv,
                                    const cpu_set_t *cores)
{
    setpgid(0, 0);
    if (cores)
        sched_setaffinity(0, sizeof *cores, cores);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    signal(SIGINT, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
    dup2(in, 0);
    dup2(out, 1);
    dup2(errors, 2);
    close_range(3, ~0u, 0);
    execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
    fprintf(stderr, "cannot run /proc/self/exe: %s\n", strerror(errno));
    _exit(127);
}

// Duplicates of 0, 1 and 2 must not be used as pipe ends: a caller may have closed its standard streams.
static bool make_pipe(int ends[2])
{
    int made[2];
    if (pipe2(made, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; ++i) {
        ends[i] = made[i] > 2 ? made[i] : fcntl(made[i], F_DUPFD_CLOEXEC, 3);
        if (made[i] <= 2)
            close(made[i]);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

bool process_start(struct process *process, const char *const *argv, const cpu_set_t *cores, struct error *error)
{
    *process = (struct process){.to = -1, .from = -1, .errors = -1};
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    if (!make_pipe(pipes[0]) || !make_pipe(pipes[1]) || !make_pipe(pipes[2])) {
        error_set_errno(error, "make pipes to", "a worker");
        close_pipes(pipes);
        return false;
    }
    fflush(NULL);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become_worker(parent, pipes[0][0], pipes[1][1], pipes[2][1], argv, cores);
    if (pid < 0) {
        error_set_errno(error, "start", "a worker");
        close_pipes(pipes);
        return false;
    }
    setpgid(pid, pid);
    process->pid = pid;
    process->to = pipes[0][1];
    process->from = pipes[1][0];
    process->errors = pipes[2][0];
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    fcntl(process->from, F_SETFL, O_NONBLOCK);
    fcntl(process->errors, F_SETFL, O_NONBLOCK);
    return true;
}

// Reads at one time, of a pipe: more than it holds, and an end also where the other side writes faster than we read.
enum { READS = 128 };

// Keeps the last PROCESS_TAIL bytes. false at the end of the stream.
static bool read_errors(struct process *process)
{
    char bytes[1024];
    for (int i = 0; i < READS; ++i) {
        const ssize_t got = read(process->errors, bytes, sizeof bytes);
        if (got <= 0)
            return got < 0 && (errno == EAGAIN || errno == EINTR);
        const size_t more = (size_t)got, room = PROCESS_TAIL - 1;
        const size_t keep = process->tail_size + more > room ? room - more : process->tail_size;
        memmove(process->tail, process->tail + process->tail_size - keep, keep);
        memcpy(process->tail + keep, bytes, more);
        process->tail_size = keep + more;
        process->tail[process->tail_size] = 0;
    }
    return true;
}

// An answer as it comes in.
struct incoming {
    char header[PROTOCOL_HEADER];
    size_t header_size, size, got;
    bool has_header;
    char *bytes;
};

static enum process_outcome end_header(struct incoming *in, struct error *error)
{
    enum worker_answer kind;
    in->header[in->header_size] = 0;
    in->has_header = true;
    if (!protocol_parse_header(in->header, &kind, &in->size, error))
        return PROCESS_GARBLED;
    in->bytes = malloc(in->size + 1);
    if (in->bytes)
        return PROCESS_ANSWERED;
    error_memory(error, "for a worker's answer of %zu bytes", in->size);
    return PROCESS_GARBLED;
}

// Reads what is there. ANSWERED: nothing wrong so far.
static enum process_outcome read_some(struct process *process, struct incoming *in, struct error *error)
{
    for (int i = 0; i < READS; ++i) {
        char byte;
        const bool body = in->has_header;
        if (body && in->got == in->size)
            return PROCESS_ANSWERED;
        const ssize_t got =
            body ? read(process->from, in->bytes + in->got, in->size - in->got) : read(process->from, &byte, 1);
        if (got == 0)
            return PROCESS_DIED;
        if (got < 0)
            return errno == EAGAIN || errno == EINTR ? PROCESS_ANSWERED : PROCESS_DIED;
        if (body) {
            in->got += (size_t)got;
        } else if (byte == '\n' || in->header_size == sizeof in->header - 1) {
            const enum process_outcome outcome = end_header(in, error);
            if (outcome != PROCESS_ANSWERED)
                return outcome;
        } else {
            in->header[in->header_size++] = byte;
        }
    }
    return PROCESS_ANSWERED;
}

bool process_tell(struct process *process, const char *request, size_t request_size)
{
    return path_write(process->to, request, request_size);
}

enum process_outcome process_ask(struct process *process, const char *request, size_t request_size, double seconds,
                                 bool (*tick)(void *context), void *context, char header[64], char **answer,
                                 size_t *answer_size, struct error *error)
{
    struct incoming in = {0};
    const double deadline = clock_seconds() + seconds;
    *answer = NULL;
    enum process_outcome outcome =
        !request || process_tell(process, request, request_size) ? PROCESS_ANSWERED : PROCESS_DIED;
    bool errors_open = true;
    while (outcome == PROCESS_ANSWERED && !(in.has_header && in.got == in.size)) {
        struct pollfd ends[2] = {{process->from, POLLIN, 0}, {errors_open ? process->errors : -1, POLLIN, 0}};
        poll(ends, 2, 250);
        if (ends[1].revents)
            errors_open = read_errors(process);
        if (ends[0].revents)
            outcome = read_some(process, &in, error);
        if (outcome == PROCESS_ANSWERED && !(in.has_header && in.got == in.size) && clock_seconds() > deadline)
            outcome = PROCESS_TIMEOUT; // also where it writes on and on
        if (outcome == PROCESS_ANSWERED && tick && !tick(context))
            outcome = PROCESS_STOPPED;
    }
    if (outcome != PROCESS_ANSWERED) {
        free(in.bytes);
        return outcome;
    }
    in.bytes[in.size] = 0;
    memcpy(header, in.header, sizeof in.header);
    *answer = in.bytes;
    *answer_size = in.size;
    return outcome;
}

static void reap(struct process *process, int *status)
{
    while (waitpid(process->pid, status, 0) < 0 && errno == EINTR) {
    }
}

void process_dismiss(struct process *process)
{
    if (process->pid && process->to >= 0)
        close(process->to); // the worker reads the end of its requests and leaves
    process->to = -1;
}

static void close_all(struct process *process)
{
    process_dismiss(process);
    close(process->from);
    close(process->errors);
    process->pid = 0;
}

void process_epitaph(struct process *process, struct error *error)
{
    int status = 0;
    read_errors(process);
    kill(-process->pid, SIGKILL); // it has closed its answer pipe; were it still alive, it would be of no use
    reap(process, &status);
    close_all(process);
    while (process->tail_size && strchr("\n ", process->tail[process->tail_size - 1]))
        process->tail[--process->tail_size] = 0;
    // The last lines, at most 400 bytes, from the start of a line.
    const char *tail = process->tail_size > 400 ? process->tail + process->tail_size - 400 : process->tail;
    if (tail != process->tail && strchr(tail, '\n'))
        tail = strchr(tail, '\n') + 1;
    char how[64];
    if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "was killed by SIG%s",
                 sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status)) : "?");
    else
        snprintf(how, sizeof how, "ended with code %d", WEXITSTATUS(status));
    error_set(error, ERROR_SYSTEM, "the worker %s%s%s", how, *tail ? ": " : "", tail);
}

void process_stop(struct process *process, bool gently)
{
    if (!process->pid)
        return;
    process_dismiss(process);
    int status;
    for (int i = 0; gently && i < 100; ++i) {
        if (waitpid(process->pid, &status, WNOHANG) == process->pid) {
            kill(-process->pid, SIGKILL);
            close_all(process);
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    kill(-process->pid, SIGKILL);
    reap(process, &status);
    close_all(process);
}
