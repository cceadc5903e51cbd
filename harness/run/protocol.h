// SPDX-License-Identifier: MIT
// What coordinator and worker say to each other: a line "KIND BYTES" and the program's own structs, whose hash follows.
// Both sides are one program: what is not of its size and has not its hash is an error, never a guess.
#pragma once

#include "base/error.h"
#include "trial/execute.h"

enum worker_job { WORKER_OPEN, WORKER_DESCRIBE, WORKER_EXECUTE, WORKER_COMPILE, WORKER_JOBS };

struct worker_request {
    enum worker_job job;
    struct trial_spec spec; // of all but compile; of open its device
    enum collection collection;
    struct policy policy;
    struct timeline_policy timeline;
    bool picture;          // of execute: the film is to come back, made small
    const char **counters; // of execute: as execute_request has them
    size_t counter_count;
    struct trial_spec *specs; // of compile: all of one device
    size_t spec_count;
};

// The request as bytes to be sent, and to be freed.
char *protocol_request(const struct worker_request *request, size_t *size);
// *end: the stream ended before a request began; then false without an error. What the request holds is freed by
// protocol_finish_request(), also after a failure.
bool protocol_read_request(FILE *stream, struct worker_request *request, bool *end, struct error *error);
void protocol_finish_request(struct worker_request *request);

// ANSWER_PROGRESS is followed by further answers to the same request, the last of which is of another kind.
enum worker_answer { ANSWER_FACTS, ANSWER_MEASUREMENT, ANSWER_ERROR, ANSWER_PROGRESS, ANSWER_COMPILED, ANSWERS };
struct worker_progress {
    uint32_t done, total;
};
enum { PROTOCOL_HEADER = 64 };

// `from`: the struct of the kind, execute_facts, measurement, error or worker_progress; of ANSWER_COMPILED none.
bool protocol_write_answer(FILE *stream, enum worker_answer kind, const void *from, struct error *error);

// `header`: the first line, without its newline.
bool protocol_parse_header(const char *header, enum worker_answer *kind, size_t *bytes, struct error *error);
bool protocol_parse_answer(enum worker_answer kind, const char *bytes, size_t size, void *to, struct error *error);
