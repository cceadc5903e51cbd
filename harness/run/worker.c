// SPDX-License-Identifier: MIT
#include "run/worker.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/protocol.h"

// The fault wished for at the N-th of these, by one name or the other; "" for none.
static void fault_at(unsigned number, const char *any, const char *own, char kind[16])
{
    kind[0] = 0;
    const char *place = getenv("WARPSTUDY_FAULT");
    while (place && *place) {
        char who[16], name[16];
        unsigned when;
        if (sscanf(place, "%15[a-z]:%15[a-z]@%u", who, name, &when) == 3 && when == number &&
            (!strcmp(who, any) || !strcmp(who, own)))
            strcpy(kind, name);
        place += strcspn(place, ",");
        place += *place == ',';
    }
}

// A fault that the execution itself runs into.
static enum execute_fault device_fault(const char *kind)
{
    return !strcmp(kind, "illegal") ? EXECUTE_FAULT_ILLEGAL
           : !strcmp(kind, "oom")   ? EXECUTE_FAULT_OOM
                                    : EXECUTE_FAULT_NONE;
}

// Returns true where an answer has been given already.
static bool inject_fault(const char *kind, FILE *answers, struct error *error)
{
    if (!kind[0] || device_fault(kind) != EXECUTE_FAULT_NONE)
        return false;
    fprintf(stderr, "fault injected: %s\n", kind);
    if (!strcmp(kind, "crash"))
        abort();
    while (!strcmp(kind, "hang"))
        pause();
    while (!strcmp(kind, "babble"))
        fputs("and on and on\n", stderr);
    if (!strcmp(kind, "flood"))
        fputs("measurement 999999999\n", answers);
    while (!strcmp(kind, "flood")) { // a byte at a time
        fputc('x', answers);
        fflush(answers);
    }
    if (!strcmp(kind, "garble")) {
        fputs("measur", answers);
        fflush(answers);
        _exit(3);
    }
    const struct error cause = {.kind = ERROR_FAILED, .message = "a failure was injected"};
    return protocol_write_answer(answers, ANSWER_ERROR, &cause, error);
}

static void tell_progress(void *context, size_t done, size_t total)
{
    struct error ignored = {0}; // of a coordinator that is gone: the end of its requests tells, too
    protocol_write_answer(context, ANSWER_PROGRESS, &(struct worker_progress){(uint32_t)done, (uint32_t)total},
                          &ignored);
}

// What is asked, done and answered.
static bool answer(struct executor *executor, const struct worker_request *request, enum execute_fault fault,
                   FILE *answers, struct error *error)
{
    struct execute_facts facts;
    struct measurement measurement = {0};
    struct error cause = {0};
    bool done = false;
    if (request->job == WORKER_OPEN) {
        done = execute_open(executor, &request->spec, &facts, &cause);
    } else if (request->job == WORKER_DESCRIBE) {
        done = execute_describe(executor, &request->spec, &facts, &cause);
    } else if (request->job == WORKER_COMPILE) {
        done = execute_compile(executor, request->specs, request->spec_count, tell_progress, answers, &cause);
    } else {
        const struct execute_request execution = {.spec = &request->spec,
                                                  .collection = request->collection,
                                                  .policy = request->policy,
                                                  .counters = request->counters,
                                                  .counter_count = request->counter_count,
                                                  .timeline = request->timeline,
                                                  .keep_picture = request->picture,
                                                  .fault = fault};
        done = execute(executor, &execution, &measurement, &cause);
        if (done && (request->collection == COLLECTION_COUNTS || request->collection == COLLECTION_LAUNCHES))
            measurement_join(&measurement, (uint32_t)request->spec.parameters.exact_rounds);
    }
    done = !done                            ? protocol_write_answer(answers, ANSWER_ERROR, &cause, error)
           : request->job == WORKER_EXECUTE ? protocol_write_answer(answers, ANSWER_MEASUREMENT, &measurement, error)
           : request->job == WORKER_COMPILE ? protocol_write_answer(answers, ANSWER_COMPILED, NULL, error)
                                            : protocol_write_answer(answers, ANSWER_FACTS, &facts, error);
    measurement_finish(&measurement);
    return done;
}

static bool serve(struct executor *executor, FILE *answers, struct error *error)
{
    unsigned executions = 0, descriptions = 0;
    for (;;) {
        struct worker_request request;
        bool end;
        const bool read = protocol_read_request(stdin, &request, &end, error);
        char fault[16] = "";
        if (read && request.job == WORKER_EXECUTE)
            fault_at(++executions, "worker", collection_names[request.collection], fault);
        if (read && request.job == WORKER_DESCRIBE)
            fault_at(++descriptions, "describe", "describe", fault);
        const bool done = read && (inject_fault(fault, answers, error) ||
                                   answer(executor, &request, device_fault(fault), answers, error));
        protocol_finish_request(&request);
        if (!done)
            return end;
    }
}

bool worker_serve(const char *ordinal, struct error *error)
{
    const int out = fcntl(1, F_DUPFD_CLOEXEC, 3);
    FILE *answers = out >= 0 ? fdopen(out, "wb") : NULL;
    if (!answers || dup2(2, 1) < 0)
        return error_set_errno(error, "open", "the pipe to the coordinator");
    struct executor *executor = executor_create();
    if (ordinal)
        executor_pin(executor, (uint32_t)strtoul(ordinal, NULL, 10));
    const bool done = serve(executor, answers, error);
    executor_destroy(executor);
    fclose(answers);
    return done;
}
