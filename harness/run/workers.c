// SPDX-License-Identifier: MIT
#include "run/workers.h"

#include <stdlib.h>
#include <string.h>

#include "run/interrupt.h"

static bool start_worker(struct workers *workers, int slot, struct error *error)
{
    const bool measures = slot < COLLECTION_KINDS;
    char ordinal[16];
    snprintf(ordinal, sizeof ordinal, "%d", workers->ordinal);
    // The kind is for those who read `ps`.
    const char *const argv[] = {"warpstudy", "worker", measures ? collection_names[slot] : "describe",
                                workers->ordinal < 0 ? NULL : ordinal, NULL};
    return process_start(&workers->processes[slot], argv, measures || !workers->preparing ? workers->cores : NULL,
                         error);
}

// What is stored as a reason is one line.
static void join_lines(char *text)
{
    for (; *text; ++text)
        if (*text == '\n')
            *text = ' ';
}

static void parse_answer(const char *header, const char *answer, size_t size, struct reply *reply)
{
    size_t announced;
    struct error cause = {0};
    void *const places[ANSWERS] = {[ANSWER_FACTS] = &reply->facts,
                                   [ANSWER_MEASUREMENT] = &reply->measurement,
                                   [ANSWER_ERROR] = &cause,
                                   [ANSWER_PROGRESS] = &reply->progress,
                                   [ANSWER_COMPILED] = &cause};
    if (!protocol_parse_header(header, &reply->kind, &announced, &reply->error) ||
        !protocol_parse_answer(reply->kind, answer, size, places[reply->kind], &reply->error))
        reply->outcome = PROCESS_GARBLED;
    else if (reply->kind == ANSWER_ERROR)
        reply->error = cause;
    join_lines(reply->facts.unsupported);
}

static void stop_worker(struct workers *workers, struct process *process)
{
    if (workers->lock)
        pthread_mutex_unlock(workers->lock);
    process_stop(process, true);
    if (workers->lock)
        pthread_mutex_lock(workers->lock);
}

// Nobody waits for its end until the next one is sent away, or all are.
static void dismiss(struct workers *workers, int slot)
{
    stop_worker(workers, &workers->leaving[slot]);
    workers->leaving[slot] = workers->processes[slot];
    workers->processes[slot] = (struct process){0};
    workers->warming[slot] = false;
    process_dismiss(&workers->leaving[slot]);
}

static bool go_on(void *context)
{
    const struct workers *workers = context;
    if (!workers->lock || pthread_mutex_trylock(workers->lock) == 0) {
        progress_tick(workers->progress);
        if (!workers->preparing && interrupt_untold()) {
            progress_clear(workers->progress);
            fprintf(stderr, "finishing this trial; once more abandons it\n");
        }
        if (workers->lock)
            pthread_mutex_unlock(workers->lock);
    }
    return interrupt_count() < (workers->preparing ? 1 : 2);
}

// Waits for one answer, to this request or (NULL) to the one before, and puts the worker away where none came.
static void take_answer(struct workers *workers, int slot, const struct worker_request *request, double seconds,
                        struct reply *reply)
{
    struct process *process = &workers->processes[slot];
    char *bytes = NULL, *answer = NULL, header[PROTOCOL_HEADER];
    size_t size = 0, answer_size = 0;
    *reply = (struct reply){0};
    if (request)
        bytes = protocol_request(request, &size);
    if (workers->lock)
        pthread_mutex_unlock(workers->lock);
    reply->outcome =
        process_ask(process, bytes, size, seconds, go_on, workers, header, &answer, &answer_size, &reply->error);
    if (workers->lock)
        pthread_mutex_lock(workers->lock);
    if (reply->outcome == PROCESS_ANSWERED)
        parse_answer(header, answer, answer_size, reply);
    if (reply->outcome == PROCESS_TIMEOUT)
        error_set(&reply->error, ERROR_FAILED, "no answer within the time limit of %g s", seconds);
    else if (reply->outcome == PROCESS_STOPPED)
        error_set(&reply->error, ERROR_INTERRUPTED, "abandoned by the user");
    if (reply->outcome == PROCESS_DIED)
        process_epitaph(process, &reply->error);
    else if (reply->outcome != PROCESS_ANSWERED)
        process_stop(process, false);
    else if (reply->kind == ANSWER_ERROR && reply->error.kind == ERROR_DEVICE)
        stop_worker(workers, process); // a new process may use the device again
    join_lines(reply->error.message);
    free(answer);
    free(bytes);
}

// What it says, or how it died, will be seen again.
static void settle(struct workers *workers, int slot)
{
    enum { SECONDS = 60 };
    struct reply reply;
    if (!workers->warming[slot])
        return;
    take_answer(workers, slot, NULL, SECONDS, &reply);
    measurement_finish(&reply.measurement);
    workers->warming[slot] = false;
    if (slot < COLLECTION_KINDS)
        return;
    workers->device = reply.facts;
    workers->blind = reply.error;
}

void workers_settle(struct workers *workers)
{
    for (int slot = 0; slot <= COLLECTION_KINDS; ++slot)
        settle(workers, slot);
}

bool workers_ask(struct workers *workers, const struct worker_request *request, int32_t replicate, double seconds,
                 struct reply *reply, struct error *error)
{
    const bool describes = request->job != WORKER_EXECUTE;
    const int slot = describes ? COLLECTION_KINDS : (int)request->collection;
    struct process *process = &workers->processes[slot];
    *reply = (struct reply){0};
    if (process->pid && !describes && workers->replicate[slot] != replicate)
        dismiss(workers, slot);
    settle(workers, slot);
    if (!process->pid && !start_worker(workers, slot, error))
        return false;
    workers->replicate[slot] = replicate;
    take_answer(workers, slot, request, seconds, reply);
    return true;
}

// Has a worker do something whose answer nobody waits for yet.
static bool begin_job(struct workers *workers, int slot, const struct worker_request *request, int32_t replicate,
                      struct error *error)
{
    if (workers->processes[slot].pid)
        return true;
    if (!start_worker(workers, slot, error))
        return false;
    size_t size;
    char *bytes = protocol_request(request, &size);
    // One that died is started again when it is needed.
    workers->warming[slot] = process_tell(&workers->processes[slot], bytes, size);
    workers->replicate[slot] = replicate;
    free(bytes);
    return true;
}

bool workers_warm(struct workers *workers, enum collection kind, int32_t replicate, const struct trial_spec *spec,
                  struct error *error)
{
    const struct worker_request request = {.job = WORKER_DESCRIBE, .spec = *spec, .policy = policy_once()};
    return begin_job(workers, (int)kind, &request, replicate, error);
}

bool workers_look(struct workers *workers, const struct trial_spec *spec, struct error *error)
{
    const struct worker_request request = {.job = WORKER_OPEN, .spec = *spec, .policy = policy_once()};
    return begin_job(workers, COLLECTION_KINDS, &request, 0, error);
}

bool workers_compile(struct workers *workers, const struct worker_request *request, struct reply *reply,
                     struct error *error)
{
    enum { SECONDS = 600 }; // from one build to the next
    if (!workers_ask(workers, request, 0, SECONDS, reply, error))
        return false;
    while (reply->outcome == PROCESS_ANSWERED && reply->kind == ANSWER_PROGRESS) {
        char doing[96];
        snprintf(doing, sizeof doing, "compiling kernels %u/%u", reply->progress.done, reply->progress.total);
        progress_doing(workers->progress, doing);
        take_answer(workers, COLLECTION_KINDS, NULL, SECONDS, reply);
    }
    return true;
}

void workers_retire(struct workers *workers, enum collection kind)
{
    stop_worker(workers, &workers->processes[kind]);
}

void workers_retire_describer(struct workers *workers)
{
    dismiss(workers, COLLECTION_KINDS);
}

void workers_finish(struct workers *workers)
{
    for (int i = 0; i <= COLLECTION_KINDS; ++i)
        process_dismiss(&workers->processes[i]); // all at once
    for (int i = 0; i <= COLLECTION_KINDS; ++i) {
        process_stop(&workers->leaving[i], true);
        process_stop(&workers->processes[i], true);
    }
}
