// SPDX-License-Identifier: MIT
#include "pipelines_support.h"

#include "check.h"

// ---- what counts say

struct bounce_counts totals(const struct measurement *measurement, const char *stage)
{
    struct bounce_counts sum = {0};
    for (size_t i = 0; i < measurement->count_count; ++i) {
        const struct measured_counts *row = &measurement->counts[i];
        if (row->bounce == MEASURED_TOTALS && (!stage || !strcmp(measurement->launches[row->launch].stage, stage)))
            count_add(&sum, &row->counts);
    }
    return sum;
}

void by_bounce(const struct measurement *measurement, struct bounce_counts counts[BOUNCES])
{
    memset(counts, 0, BOUNCES * sizeof *counts);
    for (size_t i = 0; i < measurement->count_count; ++i)
        if (measurement->counts[i].bounce < BOUNCES)
            count_add(&counts[measurement->counts[i].bounce], &measurement->counts[i].counts);
}

static uint64_t deaths(const struct bounce_counts *counts)
{
    uint64_t sum = 0;
    for (size_t cause = 0; cause < DEATH_CAUSES; ++cause)
        sum += counts->deaths[cause];
    return sum;
}

uint64_t active_paths(const struct measurement *measurement)
{
    static struct bounce_counts counts[BOUNCES];
    uint64_t sum = 0;
    by_bounce(measurement, counts);
    for (uint32_t bounce = 0; bounce < BOUNCES; ++bounce)
        sum += counts[bounce].active_paths;
    return sum;
}

size_t launches_of(const struct measurement *measurement, const char *stage, struct bounce_counts rows[EVENTS])
{
    size_t count = 0, row = 0; // where nothing was counted there is no row
    memset(rows, 0, EVENTS * sizeof *rows);
    for (size_t launch = 0; launch < measurement->launch_count; ++launch) {
        if (strcmp(measurement->launches[launch].stage, stage))
            continue;
        assert_true(count < EVENTS);
        for (; row < measurement->count_count && measurement->counts[row].launch <= launch; ++row)
            if (measurement->counts[row].launch == launch && measurement->counts[row].bounce == MEASURED_TOTALS)
                rows[count] = measurement->counts[row].counts;
        ++count;
    }
    return count;
}

uint64_t launch_count(const struct measurement *measurement)
{
    uint64_t launches = 0;
    for (size_t i = 0; i < measurement->launch_count; ++i)
        launches += !measurement->launches[i].auxiliary;
    return launches;
}

void path_lengths(const char *scene, const char *work, uint32_t sample, uint32_t pixels, uint32_t *lengths)
{
    char settings[200];
    snprintf(settings, sizeof settings, "%s spp=%u", work, sample + 1);
    struct measurement measurement = measure(scene, "naive", settings); // keeps those of its last sample
    assert_int_equal(measurement.film_width * measurement.film_height, pixels);
    memcpy(lengths, measurement.path_length, sizeof *lengths * pixels);
    measurement_finish(&measurement);
}

// ---- the same paths

void check_paths(const struct measurement *found, const struct measurement *wanted)
{
    static struct bounce_counts a[BOUNCES], b[BOUNCES];
    const size_t film = sizeof *found->film * 3 * found->film_width * found->film_height;
    by_bounce(found, a);
    by_bounce(wanted, b);
    assert_memory_equal(found->film, wanted->film, film);
    assert_true(found->path_hash == wanted->path_hash);
    for (uint32_t bounce = 0; bounce < BOUNCES; ++bounce)
        for (size_t word = 0; word < COUNT_WORDS; ++word)
            if (count_words()[word].class == COUNT_PATH)
                assert_true(count_get(&a[bounce], word) == count_get(&b[bounce], word));
    assert_memory_equal(found->path_length, wanted->path_length,
                        sizeof *found->path_length * found->film_width * found->film_height);
}

void check_sums(const struct measurement *measurement, uint64_t samples)
{
    const struct bounce_counts all = totals(measurement, NULL), trace = totals(measurement, "trace");
    const struct bounce_counts sum = measure_sum(measurement);
    assert_int_equal(all.begun, samples);
    assert_int_equal(deaths(&sum), samples);
    assert_int_equal(trace.live_lanes, active_paths(measurement));
    assert_int_equal(trace.active_paths, trace.live_lanes);
    assert_int_equal(trace.active_warps, trace.live_warps);
    assert_int_equal(trace.queued, 0); // it waits for launches that begin paths
    size_t first = 0;                  // a look at a pool that is still empty may come before it
    while (first < measurement->launch_count && strcmp(measurement->launches[first].stage, "regenerate"))
        assert_string_not_equal(measurement->launches[first++].stage, "trace");
    assert_true(first < measurement->launch_count);
    for (size_t i = 0; i < measurement->count_count; ++i)
        if (measurement->counts[i].launch == first && measurement->counts[i].bounce == MEASURED_TOTALS)
            assert_int_equal(measurement->counts[i].counts.queued, samples);
}

void check_against_naive(const char *scene, const char *work, const char *const *pipelines, const char *const *settings,
                         uint64_t samples)
{
    char text[200];
    struct measurement wanted = measure(scene, "naive", work);
    for (; *settings; ++settings)
        for (const char *const *pipeline = pipelines; *pipeline; ++pipeline) {
            snprintf(text, sizeof text, "%s %s", work, *settings);
            struct measurement found = measure(scene, *pipeline, text);
            check_paths(&found, &wanted);
            check_sums(&found, samples);
            measurement_finish(&found);
        }
    measurement_finish(&wanted);
}

// ---- a plain model

void model_trace(struct path_schedule *schedule, struct path_slot *slots, const uint32_t *list, size_t count)
{
    uint32_t live = 0;
    for (size_t first = 0; first < count; first += WARP) {
        uint32_t lanes = 0, taken = 0;
        bool mixed = false;
        for (size_t i = first; i < count && i < first + WARP; ++i) {
            struct path_slot *slot = &slots[list ? list[i] : i];
            if (!slot->left)
                continue;
            mixed |= lanes++ && taken != slot->taken;
            taken = slot->taken++;
            slot->left -= 1;
        }
        schedule->warps += lanes > 0;
        schedule->mixed += mixed;
        schedule->sparse += lanes == 1;
        live += lanes;
    }
    if (schedule->rounds < EVENTS)
        schedule->live[schedule->rounds] = live;
    schedule->rounds += 1;
    schedule->lanes += live;
}

void check_rounds(const struct measurement *found, const struct path_schedule *wanted)
{
    static struct bounce_counts rows[EVENTS];
    const struct bounce_counts trace = totals(found, "trace");
    assert_true(wanted->rounds < EVENTS && wanted->begins < EVENTS);
    assert_int_equal(launch_count(found), wanted->launches);
    assert_int_equal(trace.live_lanes, wanted->lanes);
    assert_int_equal(trace.live_warps, wanted->warps);
    assert_int_equal(trace.mixed_warps, wanted->mixed);
    assert_int_equal(launches_of(found, "trace", rows), wanted->rounds);
    for (uint32_t i = 0; i < wanted->rounds; ++i)
        assert_int_equal(rows[i].live_lanes, wanted->live[i]);
}

void check_begins(const struct measurement *found, const struct path_schedule *wanted)
{
    static struct bounce_counts rows[EVENTS];
    assert_int_equal(launches_of(found, "regenerate", rows), wanted->begins);
    for (uint32_t i = 0; i < wanted->begins; ++i) {
        assert_int_equal(rows[i].begun, wanted->begun[i]);
        assert_int_equal(rows[i].queued, wanted->queued[i]);
    }
}
