// SPDX-License-Identifier: MIT
// What runner and workers send each other, whole or not at all.
#include "check.h"
#include "run/protocol.h"

static void send_request(FILE *stream, const struct worker_request *request)
{
    size_t size;
    char *bytes = protocol_request(request, &size);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    free(bytes);
}

TEST(protocol_requests_arrive)
{
    struct worker_request sent = {.job = WORKER_EXECUTE, .collection = COLLECTION_LAUNCHES, .policy = policy_default()};
    sent.spec.parameters = parameters_default();
    strcpy(sent.spec.scene, "a folder/with = signs.yaml");
    strcpy(sent.spec.variant, "naive");
    strcpy(sent.spec.device, "cuda:1");
    sent.spec.parameters.registers = 64;
    sent.spec.parameters.lane_map = 1;
    sent.policy.relative_ci = 0.1;
    FILE *stream = tmpfile();
    send_request(stream, &sent);
    rewind(stream);
    struct worker_request got;
    bool end;
    assert_true(protocol_read_request(stream, &got, &end, &why));
    assert_int_equal(got.job, sent.job);
    assert_int_equal(got.collection, sent.collection);
    assert_string_equal(got.spec.scene, sent.spec.scene);
    assert_string_equal(got.spec.device, sent.spec.device);
    assert_memory_equal(&got.spec.parameters, &sent.spec.parameters, sizeof got.spec.parameters);
    assert_true(got.policy.relative_ci == sent.policy.relative_ci);
    assert_false(protocol_read_request(stream, &got, &end, &why));
    assert_true(end);
    fclose(stream);
}

TEST(protocol_carries_lists)
{
    static const char *counters[] = {"l2_hit_rate", "sm__warps_active.avg"};
    struct trial_spec specs[5];
    for (int i = 0; i < 5; ++i) {
        specs[i] = (struct trial_spec){.variant = "naive", .parameters = parameters_default()};
        specs[i].parameters.registers = i ? 32 + i : PARAMETER_AUTO;
        snprintf(specs[i].scene, sizeof specs[i].scene, "scene %d", i);
    }
    const struct worker_request sent[] = {{.job = WORKER_EXECUTE,
                                           .spec = specs[1],
                                           .collection = COLLECTION_COUNTERS,
                                           .counters = counters,
                                           .counter_count = 2,
                                           .policy = policy_once()},
                                          {.job = WORKER_COMPILE, .specs = specs, .spec_count = 5},
                                          {.job = WORKER_COMPILE}};
    struct worker_request got[3];
    bool end;
    FILE *stream = tmpfile();
    for (int i = 0; i < 3; ++i)
        send_request(stream, &sent[i]);
    rewind(stream);
    for (int i = 0; i < 3; ++i) {
        assert_true(protocol_read_request(stream, &got[i], &end, &why));
        assert_int_equal(got[i].job, sent[i].job);
    }
    assert_int_equal(got[0].counter_count, 2);
    assert_string_equal(got[0].counters[1], counters[1]);
    assert_true(isinf(got[0].policy.max_temperature) && got[0].policy.shared_device);
    assert_int_equal(got[1].spec_count, 5);
    for (int i = 0; i < 5; ++i) {
        assert_string_equal(got[1].specs[i].scene, specs[i].scene);
        assert_memory_equal(&got[1].specs[i].parameters, &specs[i].parameters, sizeof specs->parameters);
    }
    assert_int_equal(got[2].spec_count, 0);
    for (int i = 0; i < 3; ++i)
        protocol_finish_request(&got[i]);
    fclose(stream);
}

static bool request_is_read(char *bytes, size_t size)
{
    struct worker_request got;
    struct error error = {0};
    bool end;
    FILE *stream = fmemopen(bytes, size, "rb");
    const bool read = protocol_read_request(stream, &got, &end, &error);
    assert_true(read || error.kind != ERROR_NONE);
    protocol_finish_request(&got);
    fclose(stream);
    return read;
}

TEST(protocol_requests_arrive_whole_or_not_at_all)
{
    static const char *counters[] = {"l2_hit_rate"};
    const struct worker_request sent = {
        .job = WORKER_EXECUTE, .counters = counters, .counter_count = 1, .policy = policy_once()};
    size_t size;
    char *bytes = protocol_request(&sent, &size);
    assert_true(request_is_read(bytes, size));
    for (size_t cut = 1; cut < size; cut += 13)
        assert_false(request_is_read(bytes, cut));
    for (size_t place = strlen("request "); place < size; place += 7) {
        bytes[place] ^= 0x10;
        assert_false(request_is_read(bytes, size));
        bytes[place] ^= 0x10;
    }
    free(bytes);
}

TEST(protocol_refuses_nonsense)
{
    static const char *const requests[] = {"end\n",     "nonsense\nend\n", "job=dance\nend\n",
                                           "request\n", "request 3\nabc",  "request 99999999999999999999\nabc"};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; ++i) {
        FILE *stream = fmemopen((void *)(uintptr_t)requests[i], strlen(requests[i]), "rb");
        struct worker_request request;
        struct error error = {0};
        bool end;
        assert_false(protocol_read_request(stream, &request, &end, &error));
        assert_false(end);
        assert_int_not_equal(error.kind, ERROR_NONE);
        protocol_finish_request(&request);
        fclose(stream);
    }
    enum worker_answer kind;
    size_t bytes;
    assert_true(protocol_parse_header("error 12", &kind, &bytes, NULL));
    assert_false(protocol_parse_header("error", &kind, &bytes, NULL));
    assert_false(protocol_parse_header("terror 12", &kind, &bytes, NULL));
    assert_false(protocol_parse_header("facts 99999999999999999", &kind, &bytes, NULL));
    struct error cause, error = {0};
    assert_false(protocol_parse_answer(ANSWER_ERROR, "kind=1\nmessage", 14, &cause, &error));
    assert_false(protocol_parse_answer(ANSWER_COMPILED, "x", 1, NULL, &error));
    assert_true(protocol_parse_answer(ANSWER_COMPILED, "", 0, NULL, &error));
}

TEST(protocol_errors_arrive)
{
    struct error sent = {0}, got, error = {0};
    error_set_at(&sent, ERROR_INPUT, "scenes/a.yaml", 7, "two\nlines");
    error_remedy(&sent, "correct it");
    FILE *stream = tmpfile();
    assert_true(protocol_write_answer(stream, ANSWER_ERROR, &sent, &error));
    rewind(stream);
    char header[64], bytes[8192];
    assert_non_null(fgets(header, sizeof header, stream));
    header[strcspn(header, "\n")] = 0;
    enum worker_answer kind;
    size_t size;
    assert_true(protocol_parse_header(header, &kind, &size, &error));
    assert_int_equal(kind, ANSWER_ERROR);
    assert_int_equal(fread(bytes, 1, sizeof bytes, stream), size);
    assert_true(protocol_parse_answer(ANSWER_ERROR, bytes, size, &got, &error));
    assert_int_equal(got.kind, ERROR_INPUT);
    assert_int_equal(got.line, 7);
    assert_string_equal(got.message, "two\nlines");
    assert_string_equal(got.remedy, "correct it");
    for (size_t cut = 0; cut < size; cut += 13)
        assert_false(protocol_parse_answer(ANSWER_ERROR, bytes, cut, &got, &error));
    for (size_t place = 0; place < size; place += 7) {
        bytes[place] ^= 0x10;
        assert_false(protocol_parse_answer(ANSWER_ERROR, bytes, size, &got, &error));
        bytes[place] ^= 0x10;
    }
    fclose(stream);
}

// ---- measurements

static void make_measurement(struct measurement *made)
{
    *made = (struct measurement){
        .collection = COLLECTION_COUNTS, .path_hash = 7, .warp_width = 32, .film_width = 2, .film_height = 1};
    made->repetitions = calloc(made->repetition_count = 2, sizeof *made->repetitions);
    made->launches = calloc(made->launch_count = 1, sizeof *made->launches);
    made->counts = calloc(made->count_count = 2, sizeof *made->counts);
    made->film = calloc(6, sizeof *made->film);
    made->film[5] = -3;
    made->counts[1].bounce = 1;
    made->counts[1].counts.active_paths = 12;
    strcpy(made->launches[0].kernel, "naive");
    strcpy(made->stop_reason, "fixed");
}

TEST(measurements_arrive_whole_or_not_at_all)
{
    struct measurement sent, got;
    char *bytes;
    size_t size;
    make_measurement(&sent);
    FILE *stream = open_memstream(&bytes, &size);
    assert_true(measurement_write(&sent, stream, &why));
    fclose(stream);
    assert_true(protocol_parse_answer(ANSWER_MEASUREMENT, bytes, size, &got, &why));
    assert_int_equal(got.counts[1].counts.active_paths, 12);
    assert_int_equal(got.film[5], -3);
    assert_string_equal(got.launches[0].kernel, "naive");
    assert_null(got.path_length);
    measurement_finish(&got);
    for (size_t cut = 0; cut < size; cut += 13)
        assert_false(protocol_parse_answer(ANSWER_MEASUREMENT, bytes, cut, &got, &why));
    for (size_t place = 0; place < size; place += 7) {
        bytes[place] ^= 0x10;
        assert_false(protocol_parse_answer(ANSWER_MEASUREMENT, bytes, size, &got, &why));
        bytes[place] ^= 0x10;
    }
    free(bytes);
    measurement_finish(&sent);
}
