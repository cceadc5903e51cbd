// SPDX-License-Identifier: MIT
#include "run/protocol.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

// ---- requests: the struct, its list of specs, its counters with a NUL behind each, and the hash of all that

char *protocol_request(const struct worker_request *request, size_t *size)
{
    char *body, *bytes;
    size_t length;
    FILE *memory = memory_stream(&body, &length);
    fwrite(request, sizeof *request, 1, memory);
    if (request->spec_count)
        fwrite(request->specs, sizeof *request->specs, request->spec_count, memory);
    for (size_t i = 0; i < request->counter_count; ++i)
        fwrite(request->counters[i], strlen(request->counters[i]) + 1, 1, memory);
    memory_close(memory);
    const struct hash hash = hash_bytes(body, length);
    memory = memory_stream(&bytes, size);
    fprintf(memory, "request %zu\n", length);
    fwrite(body, 1, length, memory);
    fwrite(&hash, sizeof hash, 1, memory);
    memory_close(memory);
    free(body);
    return bytes;
}

void protocol_finish_request(struct worker_request *request)
{
    for (size_t i = 0; i < request->counter_count; ++i)
        free((void *)(uintptr_t)request->counters[i]);
    free(request->counters);
    free(request->specs);
    *request = (struct worker_request){0};
}

// Bytes whose hash is right come from this very program.
static void take_request(struct worker_request *request, const char *bytes)
{
    memcpy(request, bytes, sizeof *request);
    const size_t counters = request->counter_count, specs = request->spec_count * sizeof *request->specs;
    request->counters = NULL;
    request->counter_count = 0;
    request->specs = specs ? memcpy(memory_new(specs, 1), bytes + sizeof *request, specs) : NULL;
    const char *name = bytes + sizeof *request + specs;
    for (; request->counter_count < counters; name += strlen(name) + 1)
        *ARRAY_ADD(request->counters, request->counter_count) = memory_copy(name);
}

bool protocol_read_request(FILE *stream, struct worker_request *request, bool *end, struct error *error)
{
    char header[PROTOCOL_HEADER], newline;
    size_t size;
    struct hash hash;
    *request = (struct worker_request){.policy = policy_once()};
    *end = !fgets(header, sizeof header, stream) && feof(stream);
    if (*end)
        return false;
    if (sscanf(header, "request %zu%c", &size, &newline) != 2 || newline != '\n' || size < sizeof *request ||
        size > (size_t)1 << 40)
        return error_set(error, ERROR_USE, "a request with a malformed first line");
    char *bytes = memory_new(size, 1);
    const bool done = fread(bytes, 1, size, stream) == size && fread(&hash, sizeof hash, 1, stream) == 1 &&
                      hash_equal(hash, hash_bytes(bytes, size));
    if (done)
        take_request(request, bytes);
    free(bytes);
    return done || error_set(error, ERROR_USE, "a request that was damaged or cut short");
}

// ---- answers: a struct and its hash; measurements as they write themselves

static const struct {
    const char *name;
    size_t size;
} answer_kinds[ANSWERS] = {
    [ANSWER_FACTS] = {"facts", sizeof(struct execute_facts)},
    [ANSWER_MEASUREMENT] = {"measurement", 0},
    [ANSWER_ERROR] = {"error", sizeof(struct error)},
    [ANSWER_PROGRESS] = {"progress", sizeof(struct worker_progress)},
    [ANSWER_COMPILED] = {"compiled", 0},
};

bool protocol_write_answer(FILE *stream, enum worker_answer kind, const void *from, struct error *error)
{
    char *bytes;
    size_t size;
    FILE *memory = memory_stream(&bytes, &size);
    const struct hash hash = hash_bytes(from, answer_kinds[kind].size);
    bool done = true;
    if (kind == ANSWER_MEASUREMENT)
        done = measurement_write(from, memory, error);
    else if (answer_kinds[kind].size)
        done = fwrite(from, answer_kinds[kind].size, 1, memory) && fwrite(&hash, sizeof hash, 1, memory);
    memory_close(memory);
    if (done && !(fprintf(stream, "%s %zu\n", answer_kinds[kind].name, size) > 0 &&
                  fwrite(bytes, 1, size, stream) == size && fflush(stream) == 0))
        done = error_set_errno(error, "send an answer to", "the coordinator");
    free(bytes);
    return done;
}

bool protocol_parse_header(const char *header, enum worker_answer *kind, size_t *bytes, struct error *error)
{
    char name[PROTOCOL_HEADER], rest;
    if (strlen(header) < sizeof name && sscanf(header, "%63s %zu%c", name, bytes, &rest) == 2 &&
        *bytes <= (size_t)1 << 40)
        for (*kind = 0; *kind < ANSWERS; ++*kind)
            if (!strcmp(answer_kinds[*kind].name, name))
                return true;
    return error_set(error, ERROR_FAILED, "a worker answered with something that is no answer: %.60s", header);
}

static bool parse_measurement(const char *bytes, size_t size, struct measurement *measurement, struct error *error)
{
    *measurement = (struct measurement){0};
    FILE *memory = size ? fmemopen((void *)(uintptr_t)bytes, size, "rb") : NULL;
    if (!memory)
        return error_set(error, ERROR_FAILED, "a worker answered with an empty measurement");
    const bool done = measurement_read(measurement, memory, error);
    fclose(memory);
    return done;
}

bool protocol_parse_answer(enum worker_answer kind, const char *bytes, size_t size, void *to, struct error *error)
{
    struct hash hash;
    const size_t wanted = answer_kinds[kind].size;
    if (kind == ANSWER_MEASUREMENT)
        return parse_measurement(bytes, size, to, error);
    if (size != (wanted ? wanted + sizeof hash : 0))
        return error_set(error, ERROR_FAILED, "a worker's answer was cut short");
    if (!wanted)
        return true;
    memcpy(&hash, bytes + wanted, sizeof hash);
    if (!hash_equal(hash, hash_bytes(bytes, wanted)))
        return error_set(error, ERROR_FAILED, "a worker's answer was damaged on its way");
    memcpy(to, bytes, wanted);
    return true;
}
