// SPDX-License-Identifier: MIT
// Worker processes of a coordinator: at most one of each collection kind, since counting must not disturb timing.
#pragma once

#include <pthread.h>

#include "run/process.h"
#include "run/progress.h"
#include "run/protocol.h"

struct workers {
    struct process processes[COLLECTION_KINDS + 1]; // the last describes
    struct process leaving[COLLECTION_KINDS + 1];   // told to end: a GPU's context takes its time
    bool warming[COLLECTION_KINDS + 1];             // an answer is on its way that nobody waits for
    int32_t replicate[COLLECTION_KINDS + 1]; // that each was started for: replicates are spread over process starts
    struct progress *progress;               // told that time passes
    bool preparing;                          // nothing is measured yet: a single wish to stop (interrupt.h) ends a wait
    int ordinal;                             // of the device that they use; -1: the first
    const cpu_set_t *cores;                  // that they run on; NULL: any. While preparing, only those that measure
    pthread_mutex_t *lock;                   // held by the caller, and released during a wait; NULL: there is none
    struct execute_facts device;             // what is known of it once workers_look() has settled
    struct error blind;                      // or why nothing is
};

// What became of a request.
struct reply {
    enum process_outcome outcome;
    enum worker_answer kind; // where it was answered
    struct execute_facts facts;
    struct measurement measurement; // the caller's to finish
    struct worker_progress progress;
    struct error error; // of the worker, or why there is no answer that makes sense
};

// Asks the worker of the request's kind, which is started where there is none. A worker that died, timed out, was
// stopped or garbled its answer is gone afterwards, and so is one that answered with ERROR_DEVICE. false: no worker
// could be started.
bool workers_ask(struct workers *workers, const struct worker_request *request, int32_t replicate, double seconds,
                 struct reply *reply, struct error *error);
// Starts the worker of one kind, where there is none, and has it open the spec's device and load its kernels meanwhile.
bool workers_warm(struct workers *workers, enum collection kind, int32_t replicate, const struct trial_spec *spec,
                  struct error *error);
// Has the device opened, to learn what it is, by the worker that describes.
bool workers_look(struct workers *workers, const struct trial_spec *spec, struct error *error);
// Waits until all that were started so are ready: what is measured next shall be alone.
void workers_settle(struct workers *workers);
// Asks the describing worker to compile what the specs need, and shows how far it is.
bool workers_compile(struct workers *workers, const struct worker_request *request, struct reply *reply,
                     struct error *error);
// Ends the worker of one kind (its next request starts a new one), the one that describes, or all.
void workers_retire(struct workers *workers, enum collection kind);
void workers_retire_describer(struct workers *workers);
void workers_finish(struct workers *workers);
