// SPDX-License-Identifier: MIT
// A measurement on its way between two processes: what arrives is what was sent, or an error.
#include <math.h>

#include "check.h"
#include "frame/measurement.h"

static struct measured_repetition repetitions[2] = {{0.5, 0.4, NAN, NAN, 1, 2, 3}, {0.25, 0.2, 0.01, 1980, 4, 5, 6}};
static struct measured_launch launches[2] = {{.kernel = "naive", .grid = 4, .block = 64, .bounce = -1, .seconds = 0.1},
                                             {.kernel = "select", .index = 1, .auxiliary = true, .seconds = NAN}};
static struct measured_counts counts[3] = {{0, 0, {.active_paths = 100, .active_warps = 4, .path_hash = UINT64_MAX}},
                                           {0, 1, {.active_paths = 50, .hits = {[15] = 7}}},
                                           {1, 2, {.deaths = {1, 2, 3, 4}}}};
static struct measured_lockstep lockstep[1] = {
    {0, 1, 0, {.inner_steps = 1, .inner_live = 2, .triangle_steps = 3, .triangle_live = 4, .warps = 5}}};
static struct measured_entry entries[1] = {{31, {.inner_steps = 6, .triangle_live = 7, .warps = 8}}};
static struct measured_kernel kernels[1] = {
    {.kernel = "naive", .facts = {46, 0, -1, 128}, .block = 64, .shared_bytes = 512, .resident_warps = 5280}};
static struct measured_metric metrics[2] = {{0, "simd_efficiency", 0.75}, {MEASURED_FRAME, "dram__bytes.sum", 1e9}};
static struct measured_site sites[2] = {{1, DEVICE_SITE_EXTENSION, 3, 100, 2000},
                                        {MEASURED_FRAME, DEVICE_SITE_ALL, 900, 5, 6}};
static struct measured_stall stalls[2] = {
    {.launch = 1, .kernel = "naive", .reason = "long_scoreboard", .samples = 12},
    {MEASURED_FRAME, "naive", "long_scoreboard", "trees/traverse.h", 120, UINT64_MAX}};

static struct measurement a_measurement(void)
{
    static int64_t film[6 * 3] = {1, -2, INT64_MAX};
    static uint32_t lengths[6] = {9, 8, 7, 6, 5, 4};
    return (struct measurement){.collection = COLLECTION_COUNTS,
                                .stop_reason = "fixed",
                                .prepare_seconds = 1.5,
                                .image = {1, 2},
                                .path_hash = 3,
                                .warp_width = 32,
                                .multiprocessors = 2,
                                .device_name = "a device",
                                .driver = "a driver",
                                .times = true,
                                .provenance = "from here",
                                .scene_content = {4, 5},
                                .repetitions = repetitions,
                                .launches = launches,
                                .counts = counts,
                                .lockstep = lockstep,
                                .entries = entries,
                                .kernels = kernels,
                                .metrics = metrics,
                                .sites = sites,
                                .stalls = stalls,
                                .repetition_count = 2,
                                .launch_count = 2,
                                .count_count = 3,
                                .lockstep_count = 1,
                                .entry_count = 1,
                                .kernel_count = 1,
                                .metric_count = 2,
                                .site_count = 2,
                                .stall_count = 2,
                                .passes = 11,
                                .dropped = 17,
                                .gate_seconds = 2.5,
                                .before = {true, {61, 350, 1980, 2619, DEVICE_THROTTLE_THERMAL, -1}},
                                .after = {true, {.temperature = 70, .throttle = DEVICE_THROTTLE_IDLE}},
                                .film = film,
                                .path_length = lengths,
                                .film_width = 3,
                                .film_height = 2};
}

static char *written(const struct measurement *measurement, size_t *size)
{
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, size);
    assert_true(measurement_write(measurement, stream, &why));
    fclose(stream);
    return bytes;
}

static bool reads(char *bytes, size_t size, struct measurement *measurement, struct error *error)
{
    FILE *stream = size ? fmemopen(bytes, size, "rb") : fopen("/dev/null", "rb");
    *error = (struct error){0};
    const bool done = measurement_read(measurement, stream, error);
    fclose(stream);
    return done;
}

TEST(arrives_whole)
{
    const struct measurement sent = a_measurement();
    struct measurement got;
    size_t size;
    char *bytes = written(&sent, &size);
    assert_true(reads(bytes, size, &got, &why));
    assert_int_equal(got.collection, sent.collection);
    assert_string_equal(got.stop_reason, "fixed");
    assert_string_equal(got.device_name, "a device");
    assert_string_equal(got.provenance, "from here");
    assert_true(hash_equal(got.image, sent.image) && hash_equal(got.scene_content, sent.scene_content));
    assert_true(got.times && got.warp_width == 32 && got.multiprocessors == 2 && got.path_hash == 3);
    assert_true(isnan(got.repetitions[0].gap_seconds) && got.repetitions[1].readbacks == 6);
    assert_string_equal(got.launches[1].kernel, "select");
    assert_memory_equal(got.counts, counts, sizeof counts);
    assert_memory_equal(got.lockstep, lockstep, sizeof lockstep);
    assert_memory_equal(got.entries, entries, sizeof entries);
    assert_int_equal(got.kernels[0].facts.static_shared_bytes, 128);
    assert_int_equal(got.kernels[0].resident_warps, 5280);
    assert_memory_equal(got.metrics, metrics, sizeof metrics);
    assert_memory_equal(got.sites, sites, sizeof sites);
    assert_memory_equal(got.stalls, stalls, sizeof stalls);
    assert_true(got.passes == 11 && got.dropped == 17 && got.gate_seconds == 2.5);
    assert_true(got.before.known && got.before.at.temperature == 61 && got.before.at.foreign_processes == -1);
    assert_int_equal(got.before.at.throttle, DEVICE_THROTTLE_THERMAL);
    assert_true(got.after.at.temperature == 70);
    assert_memory_equal(got.film, sent.film, 6 * 3 * sizeof(int64_t));
    assert_memory_equal(got.path_length, sent.path_length, 6 * sizeof *got.path_length);
    measurement_finish(&got);
    measurement_finish(&got);
    measurement_finish(NULL);
    free(bytes);
}

TEST(arrives_empty)
{
    const struct measurement sent = {.collection = COLLECTION_FRAME};
    struct measurement got;
    size_t size;
    char *bytes = written(&sent, &size);
    assert_true(reads(bytes, size, &got, &why));
    assert_true(!got.count_count && !got.film && !got.path_length);
    measurement_finish(&got);
    free(bytes);
}

TEST(refuses_short_streams)
{
    const struct measurement sent = a_measurement();
    size_t size;
    char *bytes = written(&sent, &size);
    for (size_t cut = 0; cut < size; ++cut) {
        struct measurement got;
        refused(reads(bytes, cut, &got, &why), "", "");
        assert_true(why.message[0]);
        assert_true(!got.counts && !got.film);
    }
    free(bytes);
}

TEST(refuses_damaged_streams)
{
    const struct measurement sent = a_measurement();
    size_t size;
    char *bytes = written(&sent, &size);
    for (size_t i = 0; i < size; ++i)
        for (int bit = 0; bit < 8; ++bit) {
            struct measurement got;
            bytes[i] ^= (char)(1 << bit);
            if (reads(bytes, size, &got, &why))
                fail_msg("byte %zu bit %d went unnoticed", i, bit);
            bytes[i] ^= (char)(1 << bit);
        }
    free(bytes);
}

// A measurement that is whole but makes no sense.
static void refuse(const struct measurement *sent)
{
    struct measurement got;
    size_t size;
    char *bytes = written(sent, &size);
    refused(reads(bytes, size, &got, &why), "no sense", "");
    free(bytes);
}

TEST(refuses_foolish_rows)
{
    static struct measured_counts beyond = {2, 0, {.active_paths = 1}}; // there are two launches
    static struct measured_metric far = {2, "x", 1}, endless = {0, "", 1};
    static struct measured_site nowhere = {0, DEVICE_SITES, 0, 0, 0}, late = {2, 0, 0, 0, 0};
    static struct measured_stall after = {.launch = 2}, unnamed = {.launch = 0};
    memset(endless.metric, 'x', sizeof endless.metric);
    memset(unnamed.reason, 'x', sizeof unnamed.reason);
    struct measurement sent = a_measurement();
    sent.counts = &beyond;
    sent.count_count = 1;
    refuse(&sent);
    for (int i = 0; i < 2; ++i) {
        sent = a_measurement();
        sent.metrics = i ? &far : &endless;
        sent.metric_count = 1;
        refuse(&sent);
        sent = a_measurement();
        sent.sites = i ? &nowhere : &late;
        sent.site_count = 1;
        refuse(&sent);
        sent = a_measurement();
        sent.stalls = i ? &after : &unnamed;
        sent.stall_count = 1;
        refuse(&sent);
    }
}

TEST(names_collections)
{
    assert_string_equal(collection_names[COLLECTION_COUNTS], "counts");
    assert_string_equal(collection_names[COLLECTION_STALLS], "stalls");
    assert_null(collection_names[COLLECTION_KINDS]);
}

// ---- rounds added up

static struct measured_launch launch_of(uint32_t repetition, uint32_t index, int32_t round, const char *stage)
{
    struct measured_launch row = {.repetition = repetition, .index = index, .iteration = round, .bounce = -1};
    row.grid = 10 + index;
    row.seconds = 1 << index;
    row.auxiliary = !stage[0];
    strcpy(row.kernel, stage[0] ? stage : "select");
    strcpy(row.stage, stage);
    return row;
}

// Two frames of three rounds: select, trace.
TEST(joins_launches_of_rounds)
{
    enum { ROUNDS = 3, LAUNCHES = 2 * ROUNDS };
    static const struct {
        uint32_t exact, rows;
        double trace[ROUNDS]; // seconds of its rows
        uint32_t counted;     // row of the counts of launch 3, the trace of round 1
    } wanted[] = {
        {64, 6, {2, 8, 32}, 3},
        {2, 6, {2, 8, 32}, 3},
        {1, 6, {2, 8, 32}, 3},
        {0, 2, {42}, 1},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
        struct measured_launch rows[2 * LAUNCHES];
        struct measured_counts count = {3, 0, {.active_paths = 1}};
        for (uint32_t row = 0; row < 2 * LAUNCHES; ++row)
            rows[row] =
                launch_of(row / LAUNCHES, row % LAUNCHES, (int32_t)(row % LAUNCHES / 2), row % 2 ? "trace" : "");
        struct measurement joined = {
            .launches = rows, .launch_count = 2 * LAUNCHES, .counts = &count, .count_count = 1};
        measurement_join(&joined, wanted[i].exact);
        assert_int_equal(joined.launch_count, 2 * wanted[i].rows);
        for (uint32_t row = 0; row < joined.launch_count; ++row) {
            assert_int_equal(rows[row].repetition, row / wanted[i].rows);
            assert_int_equal(rows[row].index, row % wanted[i].rows);
            assert_int_equal(rows[row].more, ROUNDS - 1 - (wanted[i].rows / 2 - 1));
            if (row % 2)
                assert_true(rows[row].seconds == wanted[i].trace[row % wanted[i].rows / 2]);
        }
        assert_int_equal(count.launch, wanted[i].counted);
        assert_int_equal(rows[1].grid, wanted[i].exact ? 11 : 15); // of the largest
    }
}

// From `exact` on 1, 2, 4, ... times as many; without a stage nothing is a round.
TEST(knows_which_rounds_share_a_row)
{
    static const uint32_t rows[][3] = {{0, 0, 0},     {700, 0, 0},    {63, 64, 63}, {64, 64, 64},
                                       {127, 64, 64}, {128, 64, 128}, {5, 3, 3},    {6, 3, 6},
                                       {23, 3, 12},   {1, 1, 1},      {3, 1, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        assert_int_equal(measured_round(rows[i][0], rows[i][1]), rows[i][2]);
    assert_int_equal(measured_round(UINT32_MAX, 64), 1u << 31);
    struct measured_launch rows_of_naive[2] = {launch_of(0, 0, 0, ""), launch_of(0, 1, 0, "")};
    struct measurement naive = {.launches = rows_of_naive, .launch_count = 2};
    measurement_join(&naive, 0);
    assert_int_equal(naive.launch_count, 2);
}
