// SPDX-License-Identifier: MIT
#include "run/protocol.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char *const job_names[WORKER_JOBS] = {"describe", "execute", "compile"};
static const char *const answer_names[ANSWERS] = {"facts", "measurement", "error", "progress", "compiled"};

enum { LINE = 8192 }; // bytes of a request's or an answer's line, at most
_Static_assert(LINE > sizeof((struct execute_facts *)0)->programs + 64, "the longest text must fit in a line");

// A field of one of the structs below, as it stands in a line.
enum field_type { FIELD_TEXT, FIELD_U32, FIELD_DOUBLE, FIELD_BOOL, FIELD_INT };
struct field {
    const char *key;
    enum field_type type;
    size_t offset, size;
};

#define TEXT(type, member)                                                                                             \
    {                                                                                                                  \
#member, FIELD_TEXT, offsetof(struct type, member), sizeof((struct type *)0)->member                           \
    }
#define FIELD(kind, type, member)                                                                                      \
    {                                                                                                                  \
#member, kind, offsetof(struct type, member), 0                                                                \
    }
static const struct field spec_fields[] = {
    TEXT(trial_spec, scene), TEXT(trial_spec, camera), TEXT(trial_spec, variant), TEXT(trial_spec, device), {0},
};
static const struct field policy_fields[] = {
    FIELD(FIELD_U32, policy, warmups),
    FIELD(FIELD_U32, policy, min_repetitions),
    FIELD(FIELD_U32, policy, max_repetitions),
    FIELD(FIELD_DOUBLE, policy, relative_ci),
    FIELD(FIELD_DOUBLE, policy, max_seconds),
    FIELD(FIELD_DOUBLE, policy, max_temperature),
    FIELD(FIELD_DOUBLE, policy, gate_seconds),
    FIELD(FIELD_BOOL, policy, shared_device),
    {0},
};
static const struct field request_fields[] = {FIELD(FIELD_BOOL, worker_request, picture), {0}};
static const struct field facts_fields[] = {
    TEXT(execute_facts, device_name),
    TEXT(execute_facts, driver),
    TEXT(execute_facts, programs),
    TEXT(execute_facts, counting),
    TEXT(execute_facts, unsupported),
    FIELD(FIELD_U32, execute_facts, warp_width),
    FIELD(FIELD_U32, execute_facts, multiprocessors),
    FIELD(FIELD_BOOL, execute_facts, times),
    FIELD(FIELD_INT, execute_facts, foreign_processes),
    {0},
};
static const struct field progress_fields[] = {
    FIELD(FIELD_U32, worker_progress, done),
    FIELD(FIELD_U32, worker_progress, total),
    {0},
};
static const struct field error_fields[] = {
    FIELD(FIELD_INT, error, kind), FIELD(FIELD_INT, error, line), TEXT(error, file),
    TEXT(error, message),          TEXT(error, remedy),           {0},
};

static const struct field no_fields[] = {{0}};

// What an answer brings, but for a measurement, which writes and reads itself.
static const struct {
    const struct field *fields;
    size_t size;
} answers[ANSWERS] = {
    [ANSWER_FACTS] = {facts_fields, sizeof(struct execute_facts)},
    [ANSWER_MEASUREMENT] = {no_fields, sizeof(struct measurement)},
    [ANSWER_ERROR] = {error_fields, sizeof(struct error)},
    [ANSWER_PROGRESS] = {progress_fields, sizeof(struct worker_progress)},
    [ANSWER_COMPILED] = {no_fields, 0},
};

static void write_text(FILE *stream, const char *key, const char *text)
{
    fprintf(stream, "%s=", key);
    for (; *text; ++text)
        fputc(*text == '\n' ? ' ' : *text, stream);
    fputc('\n', stream);
}

static void write_fields(FILE *stream, const struct field *fields, const void *from)
{
    for (const struct field *field = fields; field->key; ++field) {
        const void *place = (const char *)from + field->offset;
        switch (field->type) {
        case FIELD_TEXT: write_text(stream, field->key, place); break;
        case FIELD_U32: fprintf(stream, "%s=%u\n", field->key, *(const uint32_t *)place); break;
        case FIELD_DOUBLE: fprintf(stream, "%s=%a\n", field->key, *(const double *)place); break;
        case FIELD_BOOL: fprintf(stream, "%s=%d\n", field->key, *(const bool *)place); break;
        case FIELD_INT: fprintf(stream, "%s=%d\n", field->key, *(const int *)place); break;
        }
    }
}

static bool read_number(const struct field *field, const char *text, void *place)
{
    char *end;
    errno = 0;
    if (field->type == FIELD_DOUBLE)
        *(double *)place = strtod(text, &end);
    else if (field->type == FIELD_U32)
        *(uint32_t *)place = (uint32_t)strtoul(text, &end, 10);
    else if (field->type == FIELD_BOOL)
        *(bool *)place = strtol(text, &end, 10) != 0;
    else
        *(int *)place = (int)strtol(text, &end, 10);
    return end != text && !*end && (!errno || field->type == FIELD_DOUBLE);
}

// Whether the key is one of the fields; *good: and its value can be read.
static bool read_field(const struct field *fields, const char *key, const char *text, void *to, bool *good)
{
    for (const struct field *field = fields; field->key; ++field) {
        if (strcmp(field->key, key))
            continue;
        void *place = (char *)to + field->offset;
        if (field->type != FIELD_TEXT)
            *good = read_number(field, text, place);
        else if ((*good = strlen(text) < field->size))
            strcpy(place, text);
        return true;
    }
    return false;
}

// ---- requests

static void write_spec(FILE *stream, const struct trial_spec *spec)
{
    write_fields(stream, spec_fields, spec);
    for (size_t i = 0; i < parameter_count; ++i) {
        char text[64];
        parameter_format(&parameter_table[i], parameter_get(&spec->parameters, &parameter_table[i]), text, sizeof text);
        fprintf(stream, "%s=%s\n", parameter_table[i].name, text);
    }
}

bool protocol_write_request(FILE *stream, const struct worker_request *request, struct error *error)
{
    fprintf(stream, "job=%s\ncollection=%s\n", job_names[request->job], collection_names[request->collection]);
    write_fields(stream, policy_fields, &request->policy);
    write_fields(stream, request_fields, request);
    for (size_t i = 0; i < request->counter_count; ++i)
        write_text(stream, "counter", request->counters[i]);
    for (size_t i = 0; i < request->spec_count; ++i) {
        write_spec(stream, &request->specs[i]);
        fputs("next\n", stream); // keeps what was read last, and goes on from there
    }
    if (request->job != WORKER_COMPILE)
        write_spec(stream, &request->spec);
    fputs("end\n", stream);
    return fflush(stream) == 0 || error_set_errno(error, "send a request to", "a worker");
}

void protocol_finish_request(struct worker_request *request)
{
    for (size_t i = 0; i < request->counter_count; ++i)
        free((void *)(uintptr_t)request->counters[i]);
    free(request->counters);
    free(request->specs);
    *request = (struct worker_request){0};
}

static bool read_name(const char *const *names, size_t count, const char *text, unsigned *index)
{
    for (size_t i = 0; i < count; ++i)
        if (!strcmp(names[i], text)) {
            *index = (unsigned)i;
            return true;
        }
    return false;
}

static bool read_pair(struct worker_request *request, const char *key, const char *text, struct error *error)
{
    bool good = true;
    unsigned index = 0;
    const struct parameter *parameter = parameter_find(key);
    if (parameter)
        return parameter_set(&request->spec.parameters, parameter, text, error);
    if (!strcmp(key, "counter")) {
        *ARRAY_ADD(request->counters, request->counter_count) = memory_copy(text);
    } else if (!strcmp(key, "job")) {
        good = read_name(job_names, WORKER_JOBS, text, &index);
        request->job = (enum worker_job)index;
    } else if (!strcmp(key, "collection")) {
        good = read_name(collection_names, COLLECTION_KINDS, text, &index);
        request->collection = (enum collection)index;
    } else if (!read_field(spec_fields, key, text, &request->spec, &good)) {
        good = (read_field(policy_fields, key, text, &request->policy, &good) ||
                read_field(request_fields, key, text, request, &good)) &&
               good;
    }
    return good || error_set(error, ERROR_USE, "a request with an odd line: %s=%s", key, text);
}

bool protocol_read_request(FILE *stream, struct worker_request *request, bool *end, struct error *error)
{
    *request = (struct worker_request){.spec.parameters = parameters_default(), .policy = policy_once()};
    *end = false;
    char line[LINE];
    for (bool first = true; fgets(line, sizeof line, stream); first = false) {
        char *newline = strchr(line, '\n');
        if (!newline)
            return error_set(error, ERROR_USE, "a request with a line that is too long or cut short");
        *newline = 0;
        if (!strcmp(line, "end"))
            return !first || error_set(error, ERROR_USE, "an empty request");
        if (!strcmp(line, "next")) {
            *ARRAY_ADD(request->specs, request->spec_count) = request->spec;
            continue;
        }
        char *equals = strchr(line, '=');
        if (!equals)
            return error_set(error, ERROR_USE, "a request with an odd line: %s", line);
        *equals = 0;
        if (!read_pair(request, line, equals + 1, error))
            return false;
        *end = false;
    }
    *end = feof(stream) != 0;
    return false;
}

// ---- answers

bool protocol_write_answer(FILE *stream, enum worker_answer kind, const void *from, struct error *error)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *memory = memory_stream(&bytes, &size);
    bool done = true;
    if (kind == ANSWER_MEASUREMENT)
        done = measurement_write(from, memory, error);
    else
        write_fields(memory, answers[kind].fields, from);
    memory_close(memory);
    if (done && (fprintf(stream, "%s %zu\n", answer_names[kind], size) < 0 || fwrite(bytes, 1, size, stream) != size ||
                 fflush(stream) != 0))
        done = error_set_errno(error, "send an answer to", "the coordinator");
    free(bytes);
    return done;
}

bool protocol_parse_header(const char *header, enum worker_answer *kind, size_t *bytes, struct error *error)
{
    char name[PROTOCOL_HEADER], rest;
    unsigned index;
    if (strlen(header) < sizeof name && sscanf(header, "%63s %zu%c", name, bytes, &rest) == 2 &&
        *bytes <= (size_t)1 << 40 && read_name(answer_names, ANSWERS, name, &index)) {
        *kind = (enum worker_answer)index;
        return true;
    }
    return error_set(error, ERROR_FAILED, "a worker answered with something that is no answer: %.60s", header);
}

static bool parse_fields(const char *bytes, size_t size, const struct field *fields, void *to, struct error *error)
{
    char line[LINE];
    for (const char *end = bytes + size; bytes < end;) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const size_t length = newline ? (size_t)(newline - bytes) : sizeof line;
        if (length >= sizeof line)
            return error_set(error, ERROR_FAILED, "a worker's answer was cut short");
        memcpy(line, bytes, length);
        line[length] = 0;
        bytes = newline + 1;
        char *equals = strchr(line, '=');
        bool good = equals != NULL;
        if (equals)
            *equals = 0;
        if (!good || !read_field(fields, line, equals + 1, to, &good) || !good)
            return error_set(error, ERROR_FAILED, "a worker's answer has an odd line: %.80s", line);
    }
    return true;
}

static bool parse_measurement(const char *bytes, size_t size, struct measurement *measurement, struct error *error)
{
    FILE *memory = size ? fmemopen((void *)(uintptr_t)bytes, size, "rb") : NULL;
    if (!memory)
        return error_set(error, ERROR_FAILED, "a worker answered with an empty measurement");
    const bool done = measurement_read(measurement, memory, error);
    fclose(memory);
    return done;
}

bool protocol_parse_answer(enum worker_answer kind, const char *bytes, size_t size, void *to, struct error *error)
{
    memset(to, 0, answers[kind].size);
    if (kind == ANSWER_MEASUREMENT)
        return parse_measurement(bytes, size, to, error);
    if (!parse_fields(bytes, size, answers[kind].fields, to, error))
        return false;
    const struct error *cause = to;
    return kind != ANSWER_ERROR || (cause->kind > ERROR_NONE && cause->kind <= ERROR_INTERRUPTED) ||
           error_set(error, ERROR_FAILED, "a worker reported an error of no known kind");
}
