// SPDX-License-Identifier: MIT
// The runner's parts that need no worker: policy, protocol, measurements on their way, settings, overrides, formulas
// for warps. Workers, resumption and the command line are tested from outside: test_resume.sh and cli/.
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "frame/pixel_table.h"
#include "run/coordinator.h"
#include "plan/overrides.h"
#include "run/protocol.h"
#include "verify/verify.h"
#include "trial/execute_settings.h"
#include "trial/executor.h"

// ---- policy

static void policy_stops_for_its_reasons(void **state)
{
    const struct policy policy = {.min_repetitions = 4, .max_repetitions = 20, .relative_ci = 0.05, .max_seconds = 100};
    double seconds[20];
    for (int i = 0; i < 20; ++i)
        seconds[i] = 1 + 1e-4 * (i % 2 ? 1 : -1);
    assert_null(policy_stop(&policy, seconds, 3));
    assert_string_equal(policy_stop(&policy, seconds, 4), "relative_ci");
    assert_null(policy_stop(&policy, seconds, 5)); // within a block
    for (int i = 0; i < 20; ++i)
        seconds[i] = i % 3 ? 1 : 2;
    assert_null(policy_stop(&policy, seconds, 4));
    assert_string_equal(policy_stop(&policy, seconds, 20), "max_repetitions");
    seconds[0] = 101;
    assert_null(policy_stop(&policy, seconds, 1)); // all rules wait for the end of a block
    assert_string_equal(policy_stop(&policy, seconds, 4), "max_seconds");
    assert_null(policy_stop(&policy, seconds, 6));
    assert_string_equal(policy_stop(&policy, seconds, 8), "max_seconds");
    assert_string_equal(policy_stop(&(struct policy){.min_repetitions = 1, .max_repetitions = 1}, seconds, 1),
                        "max_repetitions");
}

static void policy_text_names_all_that_matters(void **state)
{
    struct policy policy = policy_default();
    char standard[300], other[300];
    policy_format(&policy, standard, sizeof standard);
    assert_true(strlen(standard) < sizeof standard - 1);
    for (int i = 0; i < 8; ++i) {
        policy = policy_default();
        double *const reals[] = {&policy.relative_ci, &policy.max_seconds, &policy.max_temperature,
                                 &policy.gate_seconds};
        uint32_t *const counts[] = {&policy.warmups, &policy.min_repetitions, &policy.max_repetitions};
        if (i < 4)
            *reals[i] *= 2;
        else if (i < 7)
            *counts[i - 4] += 1;
        else
            policy.shared_device = !policy.shared_device;
        policy_format(&policy, other, sizeof other);
        assert_string_not_equal(standard, other);
    }
}

static void policy_interval_widens_with_correlation(void **state)
{
    double alternating[40], drifting[40];
    for (int i = 0; i < 40; ++i) {
        alternating[i] = i % 2 ? 1.1 : 0.9;
        drifting[i] = i < 20 ? 0.9 : 1.1;
    }
    assert_true(isinf(policy_relative_ci(alternating, 2)));
    // 40 independent values of deviation 0.1: 2.02 * 0.1013 / sqrt(40) = 0.0324
    assert_float_equal(policy_relative_ci(alternating, 40), 0.0324, 0.0005);
    assert_true(policy_relative_ci(drifting, 40) > 3 * policy_relative_ci(alternating, 40));
    const double equal[4] = {2, 2, 2, 2};
    assert_float_equal(policy_relative_ci(equal, 4), 0, 0);
}

static void students_t_is_as_tabulated(void **state)
{
    static const struct {
        double degrees, t;
    } rows[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},   {6, 2.447},  {7, 2.365},
                {8, 2.306},  {9, 2.262},  {10, 2.228}, {11, 2.201}, {12, 2.179},  {15, 2.131}, {20, 2.086},
                {25, 2.060}, {30, 2.042}, {40, 2.021}, {60, 2.000}, {100, 1.984}, {1e9, 1.960}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        assert_float_equal(policy_student_t95(rows[i].degrees), rows[i].t, 0.0006);
    assert_float_equal(policy_student_t95(2.9), 4.303, 0.0006); // never too small
    double before = policy_student_t95(1);
    for (double degrees = 1.1; degrees < 40; degrees += 0.1) {
        assert_true(policy_student_t95(degrees) <= before);
        before = policy_student_t95(degrees);
    }
}

// ---- protocol

static void send_request(FILE *stream, const struct worker_request *request)
{
    size_t size;
    char *bytes = protocol_request(request, &size);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    free(bytes);
}

static void protocol_requests_arrive(void **state)
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
    struct error error = {0};
    send_request(stream, &sent);
    rewind(stream);
    struct worker_request got;
    bool end;
    assert_true(protocol_read_request(stream, &got, &end, &error));
    assert_int_equal(got.job, sent.job);
    assert_int_equal(got.collection, sent.collection);
    assert_string_equal(got.spec.scene, sent.spec.scene);
    assert_string_equal(got.spec.device, sent.spec.device);
    assert_memory_equal(&got.spec.parameters, &sent.spec.parameters, sizeof got.spec.parameters);
    assert_true(got.policy.relative_ci == sent.policy.relative_ci);
    assert_false(protocol_read_request(stream, &got, &end, &error));
    assert_true(end);
    fclose(stream);
}

static void protocol_carries_lists(void **state)
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
    struct error error = {0};
    bool end;
    FILE *stream = tmpfile();
    for (int i = 0; i < 3; ++i)
        send_request(stream, &sent[i]);
    rewind(stream);
    for (int i = 0; i < 3; ++i) {
        assert_true(protocol_read_request(stream, &got[i], &end, &error));
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

static void protocol_requests_arrive_whole_or_not_at_all(void **state)
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

static void protocol_refuses_nonsense(void **state)
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

static void protocol_errors_arrive(void **state)
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

static void measurements_arrive_whole_or_not_at_all(void **state)
{
    struct measurement sent, got;
    struct error error = {0};
    char *bytes;
    size_t size;
    make_measurement(&sent);
    FILE *stream = open_memstream(&bytes, &size);
    assert_true(measurement_write(&sent, stream, &error));
    fclose(stream);
    assert_true(protocol_parse_answer(ANSWER_MEASUREMENT, bytes, size, &got, &error));
    assert_int_equal(got.counts[1].counts.active_paths, 12);
    assert_int_equal(got.film[5], -3);
    assert_string_equal(got.launches[0].kernel, "naive");
    assert_null(got.path_length);
    measurement_finish(&got);
    for (size_t cut = 0; cut < size; cut += 13)
        assert_false(protocol_parse_answer(ANSWER_MEASUREMENT, bytes, cut, &got, &error));
    for (size_t place = 0; place < size; place += 7) {
        bytes[place] ^= 0x10;
        assert_false(protocol_parse_answer(ANSWER_MEASUREMENT, bytes, size, &got, &error));
        bytes[place] ^= 0x10;
    }
    free(bytes);
    measurement_finish(&sent);
}

// ---- settings

static void morton_visits_every_pixel_once(void **state)
{
    uint32_t *table = pixel_table_morton(5, 3);
    static const uint32_t wanted[] = {0, 1, 5, 6, 2, 3, 7, 8, 10, 11, 12, 13, 4, 9, 14};
    assert_memory_equal(table, wanted, sizeof wanted);
    free(table);
}

static void machines_that_cannot_be_are_unsupported(void **state)
{
    struct parameters parameters = parameters_default();
    struct device_settings settings;
    for (int64_t width = 1; width <= 64; ++width) {
        struct error error = {0};
        parameters.warp_width = width;
        const bool wanted = width == 1 || width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
        assert_int_equal(execute_device_settings(&parameters, &settings, &error), wanted);
        assert_int_equal(error.kind, wanted ? ERROR_NONE : ERROR_UNSUPPORTED);
    }
    struct device_constant constants[EXECUTE_CONSTANTS];
    struct config config;
    const size_t count = execute_constants(&parameters, constants, &config);
    assert_true(count > 5);
    assert_int_equal(config.path_bytes, 88);
}

// ---- overrides

static void overrides_replace_axes_and_settings(void **state)
{
    static const char text[] =
        "name: x\nfixed: {scene: cornell, width: 8}\nsweep: {variant: [naive]}\ncollect: [counts]\n";
    struct error error = {0};
    struct experiment *experiment = experiment_parse("x.yaml", text, sizeof text - 1, &error);
    assert_non_null(experiment);
    assert_true(override_experiment(experiment, "width=16,32", &error));
    assert_true(override_experiment(experiment, "seed=5", &error));
    assert_true(override_experiment(experiment, "replicates=3", &error));
    assert_true(override_experiment(experiment, "time_limit=0.5", &error));
    assert_true(override_experiment(experiment, "collect=counts,frame", &error));
    assert_true(override_experiment(experiment, "height=4..6,9", &error));
    assert_true(override_experiment(experiment, "interval_us=5", &error) == false); // of a group: by the member's name
    assert_true(override_experiment(experiment, "timeline_interval_us=5", &error));
    const struct experiment_axis *heights = experiment_axis_named(experiment, "height");
    assert_int_equal(heights->count, 4);
    assert_string_equal(heights->values[2].text, "6");
    assert_string_equal(heights->values[3].text, "9");
    size_t widths = 0;
    for (size_t i = 0; i < experiment->axis_count; ++i)
        if (!strcmp(experiment->axes[i].name, "width"))
            widths = experiment->axes[i].count;
    assert_int_equal(widths, 2);
    assert_int_equal(experiment->replicates, 3);
    assert_int_equal(experiment->collections, 3);
    static const char *const wrong[] = {
        "width",        "width=",           "width=0",        "witdh=8",
        "variant=naiv", "device=gpu",       "replicates=0",   "replicates=1.5",
        "collect=all",  "order_seed=x",     "order_seed=-1",  "order_seed=9223372036854775808",
        "width=4..2",   "width=0..2",       "seed=1..100001", "width=1..2..3",
        "variant=1..2", "replicates=10001", "max_seconds=0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        assert_false(override_experiment(experiment, wrong[i], &error));
    experiment_free(experiment);
}

// Minutes from `now`, in Central European time: summer time from 2026-03-29, 02:00 (01:00 UTC), to 2026-10-25, 03:00.
enum { SPRING = 1774742400, AUTUMN = 1792886400, HOUR = 3600 }; // those days' midnights in UTC

static double until_after(const char *text, time_t now)
{
    struct error error = {0};
    time_t until = 0;
    assert_true(coordinator_parse_until(text, now, &until, &error));
    return difftime(until, now) / 60;
}

static void until_is_the_next_such_time(void **state)
{
    struct error error = {0};
    time_t until;
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    assert_true(until_after("07:00", SPRING - 48 * HOUR) == 6 * 60); // 01:00
    assert_true(until_after("01:00", SPRING - 48 * HOUR) == 24 * 60);
    assert_true(until_after("01:01", SPRING - 48 * HOUR + 59) == 1. / 60);
    // 01:50 in winter, then 03:05, 02:30 (which is passed at 03:00), 02:00 and 03:00, all of that night
    assert_true(until_after("03:05", SPRING + 50 * 60) == 15);
    assert_true(until_after("02:30", SPRING + 50 * 60) == 10 && until_after("02:00", SPRING + 50 * 60) == 10);
    assert_true(until_after("03:00", SPRING + 50 * 60) == 10 && until_after("01:59", SPRING + 50 * 60) == 9);
    assert_true(until_after("01:30", SPRING + 50 * 60) == 24 * 60 - 80);        // tomorrow, a day of 23 hours
    assert_true(until_after("07:00", SPRING - 2 * HOUR) == 7 * 60);             // 23:00 of the evening before
    assert_true(until_after("22:00", SPRING - 2 * HOUR) == 22 * 60);            // 23:00, tomorrow
    assert_true(until_after("02:30", SPRING + 2 * HOUR) == 22 * 60 + 30);       // 04:00, tomorrow
    assert_true(until_after("07:00", AUTUMN - HOUR) == 7 * 60);                 // 01:00 in summer
    assert_true(until_after("02:30", AUTUMN - HOUR) == 90);                     // the first of two
    assert_true(until_after("02:30", AUTUMN + 40 * 60) == 50);                  // 02:40, so the second
    assert_true(until_after("02:10", AUTUMN + 40 * 60) == 30);                  // likewise
    assert_true(until_after("03:00", AUTUMN + 40 * 60) == 80);                  // shown once
    assert_true(until_after("02:30", AUTUMN + HOUR + 40 * 60) == 24 * 60 - 10); // the second is over
    assert_true(until_after("01:00", AUTUMN - HOUR) == 25 * 60);                // tomorrow, a day of 25 hours
    setenv("TZ", "UTC-10:30UTC-11,M10.1.0,M4.1.0", 1); // Lord Howe Island moves its clock by half an hour
    tzset();
    assert_true(until_after("02:15", 1791037800) == 60); // 2026-10-04, 01:00: passed at 02:30
    assert_false(coordinator_parse_until("7", 0, &until, &error));
    assert_false(coordinator_parse_until("24:00", 0, &until, &error));
    assert_false(coordinator_parse_until("07:00pm", 0, &until, &error));
    unsetenv("TZ");
    tzset();
}

// ---- formulas

static uint64_t list_warps(const struct parameters *parameters, uint32_t warp_width, uint64_t paths, bool *ok)
{
    const struct warps_asked asked = {.parameters = parameters, .warp_width = warp_width, .paths = paths};
    uint64_t warps = 0;
    *ok = warps_of_list(&asked, &warps);
    return warps;
}

static uint64_t tile_warps(const struct parameters *parameters, uint32_t warp_width, const uint32_t *lengths,
                           uint32_t bounce)
{
    const struct warps_asked asked = {parameters, warp_width, lengths, bounce, 0};
    return warps_of_tiles(&asked);
}

static uint64_t place_warps(const struct parameters *parameters, uint32_t warp_width, const uint32_t *lengths,
                            uint32_t compacted, uint32_t bounce, bool *ok)
{
    const struct warps_asked asked = {parameters, warp_width, lengths, bounce, 0};
    uint64_t warps = 0;
    *ok = warps_of_places(&asked, compacted, &warps);
    return warps;
}

static void warps_of_lists(void **state)
{
    struct parameters parameters = parameters_default();
    bool ok;
    parameters.width = 64;
    assert_int_equal(list_warps(&parameters, 32, 0, &ok), 0);
    assert_int_equal(list_warps(&parameters, 32, 33, &ok), 2);
    assert_int_equal(list_warps(&parameters, 32, 3072, &ok), 96);
    parameters.block = 20; // blocks end in a short warp
    assert_int_equal(list_warps(&parameters, 32, 60, &ok), 3);
    assert_int_equal(list_warps(&parameters, 8, 60, &ok), 9);
    parameters.block = 64;
    parameters.lane_map = 1;
    // One path: one warp. 65 paths: a whole row of 64 pixels touches 8 warps; the next row is theirs too.
    assert_int_equal(list_warps(&parameters, 32, 1, &ok), 1);
    assert_int_equal(list_warps(&parameters, 32, 65, &ok), 8);
    assert_int_equal(list_warps(&parameters, 32, 257, &ok), 9);
    assert_true(ok);
    parameters.width = 60;
    list_warps(&parameters, 32, 1, &ok);
    assert_false(ok);
}

static void all_one(uint32_t *lengths, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        lengths[i] = 1;
}

static void tiles_by_formula(void **state)
{
    struct parameters parameters = parameters_default();
    parameters.width = 40;
    parameters.height = 3;
    parameters.block = 32;
    parameters.tile_m = 2;
    uint32_t lengths[120];
    all_one(lengths, 120);
    lengths[0] = lengths[39] = 2;
    // Tiles of 64, 16, 32 and 8 paths; then one path in each of two tiles.
    assert_int_equal(tile_warps(&parameters, 32, lengths, 0), 2 + 1 + 1 + 1);
    assert_int_equal(tile_warps(&parameters, 32, lengths, 1), 2);
    assert_int_equal(tile_warps(&parameters, 8, lengths, 0), 8 + 2 + 4 + 1);
}

static void places_by_formula(void **state)
{
    struct parameters parameters = parameters_default();
    const struct parameter *order = parameter_find("pixel_order");
    parameters.width = 20;
    parameters.height = 6;
    parameters.block = 40; // a full and a short warp
    uint32_t lengths[120];
    bool ok;
    all_one(lengths, 120);
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 0, &ok), 6);
    // Place 32 of a tile order is the first pixel of the second 8x4 tile: x 8, y 0; places 80 and on are the band
    // below.
    lengths[0] = 3;
    lengths[8] = 2;
    lengths[4 * 20] = 3;
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 1, &ok), 3);
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 2, &ok), 2);
    // By rows 0 and 8 share a warp, and 80 begins another block.
    struct error error = {0};
    assert_true(parameter_set(&parameters, order, "row", &error));
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 1, &ok), 2);
    assert_int_equal(place_warps(&parameters, 4, lengths, 0, 1, &ok), 3);
    // Compacted before bounce 1 the three stand side by side.
    assert_int_equal(place_warps(&parameters, 32, lengths, 1, 1, &ok), 1);
    assert_int_equal(place_warps(&parameters, 2, lengths, 1, 2, &ok), 2);
    // Morton: pixels (0, 0), (1, 0), (0, 1) and (1, 1) come first, then (2, 0).
    assert_true(parameter_set(&parameters, order, "morton", &error));
    all_one(lengths, 120);
    lengths[0] = lengths[21] = 2;
    assert_int_equal(place_warps(&parameters, 4, lengths, 0, 1, &ok), 1);
    lengths[2] = 2;
    assert_int_equal(place_warps(&parameters, 4, lengths, 0, 1, &ok), 2);
    // 8x8: blocks 8 wide and 5 high, three of them across; warps of 32 are 4 rows of a block.
    parameters.lane_map = 1;
    all_one(lengths, 120);
    lengths[7] = lengths[3 * 20] = 2; // one warp
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 1, &ok), 1);
    lengths[4 * 20] = lengths[8] = lengths[5 * 20] = 2; // the block's short warp, the next block, the block below
    assert_int_equal(place_warps(&parameters, 32, lengths, 0, 1, &ok), 4);
    assert_true(ok);
    parameters.block = 20;
    place_warps(&parameters, 32, lengths, 0, 1, &ok);
    assert_false(ok);
}

// ---- verify

// Cases of a variant with the setting that needs another; no two have one label.
static size_t count_moves(const struct verify_cases *cases)
{
    size_t moves = 0;
    for (size_t i = 0; i < cases->count; ++i) {
        const struct parameters *parameters = &cases->rows[i].parameters;
        for (size_t j = 0; j < i; ++j)
            assert_string_not_equal(cases->rows[j].label, cases->rows[i].label);
        moves += parameters->storage == 1 && parameters->scan == 1;
    }
    return moves;
}

static void cases_hold_settings_that_need_each_other(void **state)
{
    const struct parameters work = parameters_default();
    struct verify_cases cases = {0};
    verify_add_cases(&cases, variant_find("whole_frame"), &work, true, true);
    assert_int_equal(count_moves(&cases), 6); // compact_every 1, 2, 3 x grid full, shrink
    bool found = false;
    for (size_t i = 0; i < cases.count; ++i)
        found |= !strcmp(cases.rows[i].label, "storage=move scan=previous compact_every=3 grid=shrink");
    assert_true(found);
    free(cases.rows);
    cases = (struct verify_cases){0};
    verify_add_cases(&cases, variant_find("naive"), &work, false, true);
    assert_true(cases.count > 2);
    assert_int_equal(count_moves(&cases), 0);
    free(cases.rows);
}

static void nothing_is_missed_silently(void **state)
{
    struct error error = {0};
    struct trial_spec spec = {.device = "emulator", .parameters = parameters_default()};
    struct verify_value values[] = {
        {.variant = variant_find("whole_frame"), .parameter = parameter_find("grid"), .value = 1, .ran = true},
        {.variant = variant_find("whole_frame"), .parameter = parameter_find("storage"), .value = 1},
        {.variant = variant_find("tiled_shared"), .parameter = parameter_find("shared_pad"), .value = 232448},
    };
    struct verify *verify = calloc(1, sizeof *verify);
    verify->executor = executor_create();
    verify->device = "emulator";
    verify->variants[verify->variant_count++] = "tiled_shared";
    verify->coverage.values = values;
    assert_false(verify_complete(verify, &spec, &error));
    assert_string_equal(error.message, "no case of tiled_shared was run: all were skipped");
    for (size_t i = 0; variant_table[i]; ++i)
        verify->coverage.variants[i].cases = 1;
    verify->coverage.count = 1;
    assert_true(verify_complete(verify, &spec, &error));
    verify->coverage.count = 3; // storage=move runs with scan=previous; so much shared memory fits no block
    assert_false(verify_complete(verify, &spec, &error));
    assert_false(values[0].missed || values[0].refused);
    assert_true(values[1].missed && !values[1].refused);
    assert_true(values[2].refused && !values[2].missed);
    executor_destroy(verify->executor);
    free(verify);
}

static void a_case_that_hangs_ends_verify(void **state)
{
    int ends[2], status;
    char text[400] = "";
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 2);
        verify_deadline(1, "the first");
        verify_deadline(0, "");
        verify_deadline(1, "tiled_shared block=96");
        for (;;) {
        }
    }
    close(ends[1]);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_non_null(strstr(text, "tiled_shared block=96: did not finish within 1 s"));
}

static int compiled_beside_a_deadline = -1;

static bool look_for_deadline(struct device *device, const struct device_build *builds, size_t count,
                              void (*progress)(void *context, size_t done), void *context, struct error *error)
{
    (void)device, (void)builds, (void)count, (void)progress, (void)context, (void)error;
    compiled_beside_a_deadline = alarm(0) > 0;
    return true;
}

static void compiling_takes_no_time_of_a_case(void **state)
{
    struct error error = {0};
    struct trial_spec spec = {.scene = "cornell", .device = "null", .parameters = parameters_default()};
    struct verify *verify = calloc(1, sizeof *verify);
    verify->executor = executor_create();
    verify->estimator = variant_find("naive")->estimator;
    verify->device = verify->against = "null";
    verify->variants[verify->variant_count++] = "naive";
    verify->quick = true;
    verify->time_limit = 1000;
    spec.parameters.width = spec.parameters.height = 8;
    assert_non_null(execute_device(verify->executor, &spec, &error));
    struct device_ops ops = *verify->executor->device->ops;
    ops.compile_ahead = look_for_deadline;
    verify->executor->device->ops = &ops;
    assert_true(verify_work(verify, &spec, "", true, &error));
    assert_int_equal(compiled_beside_a_deadline, false);
    assert_int_equal(alarm(0), 0); // nor is one left at the end
    executor_destroy(verify->executor);
    verify_coverage_finish(&verify->coverage);
    free(verify);
}

static void comparison_sees_one_path(void **state)
{
    struct verify_result *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    char text[200];
    a->counted = b->counted = true;
    assert_null(verify_compare(a, b, text, sizeof text));
    b->bounces[3].active_paths = 1;
    assert_string_equal(verify_compare(a, b, text, sizeof text), "active_paths of bounce 3: 1, not 0");
    b->bounces[3].active_paths = 0;
    b->path_hash = 1;
    assert_non_null(verify_compare(a, b, text, sizeof text));
    b->path_hash = 0;
    b->bounces[5].hits[1] = 1;
    assert_string_equal(verify_compare(a, b, text, sizeof text), "hits_1 of bounce 5: 1, not 0");
    b->bounces[5].hits[1] = 0;
    b->totals.live_warps = 1; // what a schedule does is no part of what all variants share
    assert_null(verify_compare(a, b, text, sizeof text));
    assert_string_equal(verify_compare_schedule(a, b, text, sizeof text), "live_warps of all launches: 1, not 0");
    b->image.low = 1;
    assert_non_null(verify_compare(a, b, text, sizeof text));
    free(a);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policy_stops_for_its_reasons),
        cmocka_unit_test(policy_text_names_all_that_matters),
        cmocka_unit_test(policy_interval_widens_with_correlation),
        cmocka_unit_test(students_t_is_as_tabulated),
        cmocka_unit_test(protocol_requests_arrive),
        cmocka_unit_test(protocol_carries_lists),
        cmocka_unit_test(protocol_requests_arrive_whole_or_not_at_all),
        cmocka_unit_test(protocol_refuses_nonsense),
        cmocka_unit_test(protocol_errors_arrive),
        cmocka_unit_test(measurements_arrive_whole_or_not_at_all),
        cmocka_unit_test(morton_visits_every_pixel_once),
        cmocka_unit_test(machines_that_cannot_be_are_unsupported),
        cmocka_unit_test(overrides_replace_axes_and_settings),
        cmocka_unit_test(until_is_the_next_such_time),
        cmocka_unit_test(warps_of_lists),
        cmocka_unit_test(tiles_by_formula),
        cmocka_unit_test(places_by_formula),
        cmocka_unit_test(cases_hold_settings_that_need_each_other),
        cmocka_unit_test(nothing_is_missed_silently),
        cmocka_unit_test(a_case_that_hangs_ends_verify),
        cmocka_unit_test(compiling_takes_no_time_of_a_case),
        cmocka_unit_test(comparison_sees_one_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
