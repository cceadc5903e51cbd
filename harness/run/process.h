// SPDX-License-Identifier: MIT
// A child process of this very program, in a process group of its own, that answers requests over pipes and dies with
// its parent.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include "base/error.h"

enum { PROCESS_TAIL = 2048 };

struct process {
    pid_t pid;               // 0: not running
    int to, from, errors;    // pipes
    char tail[PROCESS_TAIL]; // the last that it wrote to its standard error
    size_t tail_size;
};

enum process_outcome {
    PROCESS_ANSWERED,
    PROCESS_DIED,    // before it had answered; process_epitaph() tells how
    PROCESS_TIMEOUT, // the time limit passed; it is still running
    PROCESS_STOPPED, // the callback said so; it is still running
    PROCESS_GARBLED, // its answer makes no sense; the error says how
};

// Runs this program with the given arguments (argv[0] included, NULL-terminated), on these cores alone, or (NULL) on those
// that the caller may use. It ends with the thread that started it.
bool process_start(struct process *process, const char *const *argv, const cpu_set_t *cores, struct error *error);
// Sends the bytes and waits for one answer, "HEADER\n" and as many bytes as it announces; *answer to be freed. `tick`
// is called about four times a second and ends the wait by returning false. Without a request (NULL) it waits for a
// further answer to the one before.
enum process_outcome process_ask(struct process *process, const char *request, size_t request_size, double seconds,
                                 bool (*tick)(void *context), void *context, char header[64], char **answer,
                                 size_t *answer_size, struct error *error);
// Sends the bytes of a request without waiting for its answer. false: it has died.
bool process_tell(struct process *process, const char *request, size_t request_size);
// How it died, as the error: "the worker was killed by SIGSEGV: last lines of its standard error".
void process_epitaph(struct process *process, struct error *error);
// Tells it that nothing more will be asked; it is still to be stopped.
void process_dismiss(struct process *process);
// Lets it end by itself where `gently` and it does so within a second; else kills its whole group. Reaps it.
void process_stop(struct process *process, bool gently);
