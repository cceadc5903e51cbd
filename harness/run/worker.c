// SPDX-License-Identifier: MIT
#include "run/worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/protocol.h"

// The fault wished for at this execution, "" for none.
static void fault_at(unsigned execution, char kind[16])
{
    kind[0] = 0;
    const char *place = getenv("WARPSTUDY_FAULT");
    while (place && *place) {
        char name[16];
        unsigned when;
        if (sscanf(place, "worker:%15[a-z]@%u", name, &when) == 2 && when == execution)
            strcpy(kind, name);
        place += strcspn(place, ",");
        place += *place == ',';
    }
}

// Returns true where an answer has been given already.
static bool inject_fault(const char *kind, FILE *answers, struct error *error)
{
    if (!kind[0])
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
    return protocol_write_error(answers, &cause, error);
}

static bool answer_describe(struct executor *executor, const struct worker_request *request, FILE *answers,
                            struct error *error)
{
    struct execute_facts facts;
    struct error cause = {0};
    if (execute_describe(executor, &request->spec, &facts, &cause))
        return protocol_write_facts(answers, &facts, error);
    return protocol_write_error(answers, &cause, error);
}

static bool answer_execute(struct executor *executor, const struct worker_request *request, FILE *answers,
                           struct error *error)
{
    const struct execute_request execution = {
        .spec = &request->spec, .collection = request->collection, .policy = request->policy};
    struct measurement measurement;
    struct error cause = {0};
    const bool done = execute(executor, &execution, &measurement, &cause)
                          ? protocol_write_measurement(answers, &measurement, error)
                          : protocol_write_error(answers, &cause, error);
    measurement_finish(&measurement);
    return done;
}

static bool serve(struct executor *executor, FILE *answers, struct error *error)
{
    unsigned executions = 0;
    for (;;) {
        struct worker_request request;
        bool end, done;
        char fault[16] = "";
        if (!protocol_read_request(stdin, &request, &end, error))
            return end;
        if (request.job == WORKER_EXECUTE)
            fault_at(++executions, fault);
        if (inject_fault(fault, answers, error))
            continue;
        done = request.job == WORKER_DESCRIBE ? answer_describe(executor, &request, answers, error)
                                              : answer_execute(executor, &request, answers, error);
        if (!done)
            return false;
    }
}

bool worker_serve(struct error *error)
{
    const int out = fcntl(1, F_DUPFD_CLOEXEC, 3);
    FILE *answers = out >= 0 ? fdopen(out, "wb") : NULL;
    if (!answers || dup2(2, 1) < 0)
        return error_set_errno(error, "open", "the pipe to the coordinator");
    struct executor *executor = executor_create(error);
    const bool done = executor && serve(executor, answers, error);
    executor_destroy(executor);
    fclose(answers);
    return done;
}
