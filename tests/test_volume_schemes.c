// SPDX-License-Identifier: MIT
// Schemes of paths through a volume: each makes the paths of one lane a path; how lanes are used is compared with a plain
// simulation that knows nothing of paths but their lengths.
#include "check.h"
#include "measure_support.h"
#include "scene_support.h"
#include "volume/extend.h"

enum { SAMPLES = 2, PIXELS = MEASURE_WIDTH * MEASURE_HEIGHT, PATHS = SAMPLES * PIXELS, WARP = 32 };

// ---- all give the same paths

static void check_paths(const char *variant, const char *settings, const struct measurement *reference)
{
    char text[200];
    snprintf(text, sizeof text, "spp=%d %s", (int)SAMPLES, settings);
    struct measurement measurement = measure("fog", variant, text);
    const struct bounce_counts counts = measure_sum(&measurement), expected = measure_sum(reference);
    if (!hash_equal(measurement.image, reference->image) || measurement.path_hash != reference->path_hash)
        fail_msg("%s %s: another image", variant, settings);
    assert_int_equal(counts.active_paths, expected.active_paths);
    assert_int_equal(counts.lookups, expected.lookups);
    if (strcmp(variant, "volume_naive") != 0) { // which begins no path but the lane's own
        assert_int_equal(counts.begun, PATHS);
        assert_int_equal(2 * counts.live_lanes, counts.active_paths); // counted by bounce and in the totals
    }
    measurement_finish(&measurement);
}

TEST(schemes_change_no_path)
{
    static const struct {
        const char *variant, *settings;
    } schemes[] = {
        {"volume_steps", ""},
        {"volume_steps", "block=20 lane_order=seeded"},
        {"volume_steps", "step_list=indices block=96"},
        {"volume_steps", "step_train=empty block=40"},
        {"volume_steps", "step_train=state step_list=indices block=96"},
        {"volume_steps", "step_train=state lane_order=seeded"},
        {"volume_steps", "launches=one multiprocessors=1 resident_blocks=3 block=40 lane_order=reversed"},
        {"regenerate_thread", "tickets=atomic lane_paths=4 multiprocessors=1 resident_blocks=1"},
        {"regenerate_thread", "lane_paths=2 block=40 multiprocessors=1"},
        {"regenerate_warp", "multiprocessors=1 block=96"},
        {"regenerate_warp", "tickets=atomic multiprocessors=1 resident_blocks=1 block=40 lane_order=seeded"},
        {"regenerate_warp", "tickets=atomic lane_paths=2 multiprocessors=1 resident_blocks=1 warp_width=8"},
        {"regenerate_block", "multiprocessors=1 block=96"},
        {"regenerate_block", "tickets=atomic multiprocessors=1 resident_blocks=2 block=40 lane_order=seeded"},
        {"regenerate_block", "tickets=atomic lane_paths=2 multiprocessors=1 resident_blocks=1"},
        {"regenerate_block_part", "multiprocessors=1 block=96"},
        {"regenerate_block_part", "tickets=atomic multiprocessors=1 resident_blocks=2 block=40 lane_order=seeded"},
        {"regenerate_device", "multiprocessors=1 pool=100"},
        {"regenerate_device", "tickets=atomic pool=97 block=40 lane_order=seeded"},
        {"stream_device", "multiprocessors=1 pool=100"},
        {"stream_device", "tickets=atomic pool=97 block=40 lane_order=seeded"},
        {"stream_device", "launches=one multiprocessors=1 resident_blocks=2 block=40"},
        {"stream_device", "launches=one tickets=atomic multiprocessors=1 resident_blocks=2 block=40 lane_order=seeded"},
        {"stream_device_local", "multiprocessors=1 pool=100"},
        {"stream_device_local", "tickets=atomic pool=97 block=40 lane_order=seeded"},
        {"stream_block", "multiprocessors=1 resident_blocks=2 block=96"},
        {"stream_block", "tickets=atomic multiprocessors=1 resident_blocks=2 block=40 lane_order=seeded"},
        {"stream_sort", "multiprocessors=1 resident_blocks=1 block=96 sort_key=direction"},
        {"stream_sort", "tickets=atomic multiprocessors=1 block=40 lane_order=seeded dead_key=last"},
        {"sort_albedo", "multiprocessors=1 resident_blocks=1 block=96 dead_key=last"},
        {"sort_albedo", "tickets=atomic multiprocessors=1 block=40 lane_order=seeded sort_key=both"},
        {"volume_naive", "tiles=5 tile_streams=3"},
        {"volume_naive", "tiles=64 tile_download=wait block=40"},
        {"regenerate_thread", "tiles=2 tile_download=wait multiprocessors=1"},
        {"regenerate_warp", "tiles=3 tile_download=overlap tickets=atomic"},
        {"stream_block", "tiles=3 tile_streams=2 tickets=atomic"},
        {"volume_naive", "tiles=3 tile_film=tile tile_download=wait"},
        {"regenerate_thread", "tiles=5 tile_film=tile tile_streams=3 tickets=atomic"},
        {"regenerate_block_part", "tickets=atomic lane_paths=4 multiprocessors=1 resident_blocks=1"},
    };
    struct measurement reference = measure("fog", "volume_naive", "spp=2");
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; ++i)
        check_paths(schemes[i].variant, schemes[i].settings, &reference);
    measurement_finish(&reference);
}

// ---- how lanes are used, from the lengths of paths

static uint32_t lengths[PATHS], longest[SAMPLES], total_length;

static void measure_lengths(void)
{
    struct scene *scene = scene_well("fog");
    const struct frame_args frame = frame_over(scene, MEASURE_WIDTH, MEASURE_HEIGHT, 99999);
    for (uint32_t id = 0; id < PATHS; ++id) {
        struct path path = path_begin_numbered(&frame, id);
        while (extend(&frame, &path, 1))
            ;
        uint32_t *most = &longest[id / PIXELS];
        lengths[id] = path.bounce;
        total_length += path.bounce;
        *most = *most > path.bounce ? *most : path.bounce;
    }
    scene_close(scene);
}

TEST(a_train_has_a_launch_for_each_extension)
{
    static const char *const kinds[] = {"empty", "state"};
    for (size_t i = 0; i < 2; ++i) {
        char settings[60], kernel[40];
        snprintf(settings, sizeof settings, "spp=2 step_train=%s", kinds[i]);
        snprintf(kernel, sizeof kernel, "volume_steps_%s", kinds[i]);
        struct measurement measurement = measure("fog", "volume_steps", settings);
        assert_int_equal(measure_launches(&measurement, kernel), longest[0] + longest[1]);
        measurement_finish(&measurement);
    }
}

TEST(launches_are_the_longest_path)
{
    struct measurement measurement = measure("fog", "volume_steps", "spp=2");
    uint64_t warps = 0;
    for (uint32_t sample = 0; sample < SAMPLES; ++sample)
        for (uint32_t first = 0; first < PIXELS; first += WARP) {
            uint32_t most = 0;
            for (uint32_t i = 0; i < WARP; ++i) {
                const uint32_t length = lengths[sample * PIXELS + first + i];
                most = length > most ? length : most;
            }
            warps += most;
        }
    assert_int_equal(measure_launches(&measurement, "volume_steps_begin"), SAMPLES);
    assert_int_equal(measure_launches(&measurement, "volume_steps_extend"), longest[0] - 1 + longest[1] - 1);
    assert_int_equal(
        measure_launches(&measurement, "volume_steps_empty") + measure_launches(&measurement, "volume_steps_state"), 0);
    assert_int_equal(measure_sum(&measurement).live_lanes, total_length);
    assert_int_equal(measure_sum(&measurement).live_warps, warps);
    measurement_finish(&measurement);
}

TEST(lists_fill_warps)
{
    struct measurement measurement = measure("fog", "volume_steps", "spp=2 step_list=indices");
    uint64_t warps = 0;
    for (uint32_t sample = 0; sample < SAMPLES; ++sample)
        for (uint32_t step = 0; step < longest[sample]; ++step) {
            uint32_t alive = 0;
            for (uint32_t i = 0; i < PIXELS; ++i)
                alive += lengths[sample * PIXELS + i] > step;
            warps += (alive + WARP - 1) / WARP;
        }
    assert_int_equal(measure_sum(&measurement).live_warps, warps);
    measurement_finish(&measurement);
}

// ---- regeneration

enum { MOST_LANES = 512, LANE = 1 };

// Whether all lanes of a unit, from `first` on, are without a path.
static bool unit_idle(const uint32_t *left, uint32_t first, uint32_t unit)
{
    bool idle = true;
    for (uint32_t lane = first; lane < first + unit; ++lane)
        idle &= left[lane] == 0;
    return idle;
}

// One block of `lanes` with ordered tickets, whose units take new paths when they have none left.
static uint64_t live_warps_of_block(uint32_t lanes, uint32_t unit)
{
    uint32_t left[MOST_LANES] = {0}, next = 0;
    uint64_t live_warps = 0;
    for (bool working = true; working;) {
        working = false;
        for (uint32_t first = 0; first < lanes; first += unit)
            if (unit_idle(left, first, unit))
                for (uint32_t lane = first; lane < first + unit && next < PATHS; ++lane)
                    left[lane] = lengths[next++];
        for (uint32_t first = 0; first < lanes; first += WARP) {
            bool live = false;
            for (uint32_t lane = first; lane < first + WARP; ++lane) {
                live |= left[lane] > 0;
                left[lane] -= left[lane] > 0;
            }
            live_warps += live;
            working |= live;
        }
    }
    return live_warps;
}

TEST(units_wait_for_all_their_lanes)
{
    static const struct {
        const char *variant;
        uint32_t unit;
    } rows[] = {{"regenerate_thread", LANE},
                {"regenerate_warp", WARP},
                {"regenerate_block", 128},
                {"regenerate_block_part", LANE}};
    uint64_t before = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct measurement measurement =
            measure("fog", rows[i].variant, "spp=2 block=128 multiprocessors=1 resident_blocks=1");
        const uint64_t expected = live_warps_of_block(128, rows[i].unit);
        assert_int_equal(measure_sum(&measurement).live_warps, expected);
        assert_true(i != 1 || expected > before);
        before = expected;
        measurement_finish(&measurement);
    }
}

// One atomic for each warp that takes paths (the counter goes up by the warp's size), and one with which it
// learns that there are no more.
TEST(warps_take_their_paths_at_once)
{
    struct measurement measurement =
        measure("fog", "regenerate_warp", "spp=2 block=64 multiprocessors=1 resident_blocks=1 tickets=atomic");
    assert_int_equal(PATHS % WARP, 0);
    assert_in_range(measure_sum(&measurement).atomics, PATHS / WARP, PATHS / WARP + 2);
    measurement_finish(&measurement);
    measurement =
        measure("fog", "regenerate_block", "spp=2 block=64 multiprocessors=1 resident_blocks=1 tickets=atomic");
    assert_int_equal(measure_sum(&measurement).atomics, PATHS / 64);
    assert_true(measure_sum(&measurement).barriers > 2 * PATHS / 64);
    measurement_finish(&measurement);
}

// ---- pools

// Compacts the paths of `unit` slots each.
static void compact(uint32_t *left, uint32_t slots, uint32_t unit)
{
    for (uint32_t first = 0; first < slots; first += unit)
        for (uint32_t from = first, to = first; from < first + unit; ++from)
            if (left[from]) {
                const uint32_t length = left[from];
                left[from] = 0;
                left[to++] = length;
            }
}

struct used {
    uint64_t live_warps;
    uint32_t rounds;
};

static struct used run_pool(uint32_t slots, uint32_t unit)
{
    uint32_t left[MOST_LANES] = {0}, next = 0;
    struct used used = {0};
    for (bool working = true; working; used.rounds += working) {
        working = false;
        for (uint32_t slot = 0; slot < slots; ++slot)
            if (!left[slot] && next < PATHS)
                left[slot] = lengths[next++];
        for (uint32_t first = 0; first < slots; first += WARP) {
            const bool live = !unit_idle(left, first, WARP);
            for (uint32_t slot = first; slot < first + WARP; ++slot)
                left[slot] -= left[slot] > 0;
            used.live_warps += live;
            working |= live;
        }
        compact(left, slots, unit);
    }
    return used;
}

// A block with ordered tickets is a pool of as many slots as lanes that it compacts; sorted, its warps are as full.
TEST(blocks_compact_like_pools)
{
    static const char *const variants[] = {"stream_block", "stream_sort", "sort_albedo"};
    const uint64_t expected = run_pool(128, 128).live_warps;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; ++i) {
        struct measurement measurement =
            measure("fog", variants[i], "spp=2 block=128 multiprocessors=1 resident_blocks=1");
        const struct bounce_counts counts = measure_sum(&measurement);
        assert_int_equal(counts.live_warps, expected);
        assert_true(counts.barriers > 0 && counts.key_ties == 0);
        measurement_finish(&measurement);
    }
}

// Fewer lines of albedo the later it is read: in any order, by the lanes of sorted paths, where these have come to.
TEST(albedo_is_read_from_fewer_lines_after_a_sort)
{
    static const char *const variants[] = {"stream_block", "stream_sort", "sort_albedo"};
    double lines[3];
    for (size_t i = 0; i < 3; ++i) {
        struct measurement measurement =
            measure("fog", variants[i], "spp=2 block=256 multiprocessors=1 resident_blocks=1");
        const struct bounce_counts counts = measure_sum(&measurement);
        lines[i] = (double)counts.albedo_lines / (double)counts.albedo_warps;
        assert_true(counts.collisions > 0 && lines[i] >= 1 && lines[i] <= WARP);
        measurement_finish(&measurement);
    }
    print_message("lines of albedo a warp: %.2f compacted, %.2f sorted, %.2f read after the sort\n", lines[0], lines[1],
                  lines[2]);
    assert_true(lines[2] < lines[0]);
}

// ---- neighbours among sorted paths

enum { SORTED = 128, CELLS = 1024 };

struct sorted {
    struct path path;
    uint32_t key, lane;
    bool alive;
};

static uint32_t plain_cell(float x, float low, float high)
{
    const float cell = (x - low) * (1.0f / (high - low)) * CELLS;
    return cell < 0 ? 0 : cell > CELLS - 1 ? CELLS - 1 : (uint32_t)cell;
}

static uint32_t plain_key(const struct volume_view *volume, struct vec3 p)
{
    const uint32_t cells[3] = {plain_cell(p.x, volume->low.x, volume->high.x),
                               plain_cell(p.y, volume->low.y, volume->high.y),
                               plain_cell(p.z, volume->low.z, volume->high.z)};
    uint32_t key = 0;
    for (uint32_t bit = 0; bit < 30; ++bit)
        key |= (cells[bit % 3] >> bit / 3 & 1) << bit;
    return key;
}

static int compare_sorted(const void *a, const void *b)
{
    const struct sorted *left = a, *right = b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return left->lane < right->lane ? -1 : 1;
}

static bool plainly_apart(const struct volume_view *volume, const struct sorted *a, const struct sorted *b)
{
    uint64_t from = voxel_at(volume, a->path.ray.origin), to = voxel_at(volume, b->path.ray.origin);
    for (int axis = 0; axis < 3; from /= volume->size[axis], to /= volume->size[axis], ++axis)
        if (llabs((long long)(from % volume->size[axis]) - (long long)(to % volume->size[axis])) > 3)
            return true;
    return false;
}

// A block's paths, sorted after each extension, as the scheme does it.
static void sort_plainly(const struct frame_args *frame, struct bounce_counts *counts)
{
    static struct sorted pool[SORTED];
    const struct volume_view *volume = &frame->scene.volume;
    memset(pool, 0, sizeof pool);
    for (uint32_t next = 0, live = 1; live > 0;) {
        live = 0;
        for (uint32_t lane = 0; lane < SORTED; ++lane) {
            struct sorted *here = &pool[lane];
            if (!here->alive && next < PATHS) {
                here->path = path_begin_numbered(frame, next++);
                here->alive = true;
            }
            live += here->alive;
            here->alive = here->alive && extend(frame, &here->path, 1);
            here->key = here->alive ? plain_key(volume, here->path.ray.origin) : 1u << 30;
            here->lane = lane;
        }
        qsort(pool, SORTED, sizeof *pool, compare_sorted);
        for (uint32_t lane = 0; lane + 1 < SORTED; ++lane)
            if (pool[lane].alive && pool[lane + 1].alive) {
                counts->sorted_pairs += 1;
                counts->sorted_apart += plainly_apart(volume, &pool[lane], &pool[lane + 1]);
            }
    }
}

TEST(sorted_neighbours_are_counted)
{
    struct scene *scene = scene_well("fog");
    const struct frame_args frame = frame_over(scene, MEASURE_WIDTH, MEASURE_HEIGHT, 99999);
    struct bounce_counts expected = {0};
    sort_plainly(&frame, &expected);
    scene_close(scene);
    struct measurement measurement =
        measure("fog", "stream_sort", "spp=2 block=128 multiprocessors=1 resident_blocks=1");
    const struct bounce_counts counts = measure_sum(&measurement);
    assert_int_equal(counts.sorted_pairs, expected.sorted_pairs);
    assert_int_equal(counts.sorted_apart, expected.sorted_apart);
    assert_true(counts.sorted_apart > 0 && counts.sorted_apart < counts.sorted_pairs);
    measurement_finish(&measurement);
}

TEST(pools_are_refilled_every_round)
{
    static const struct {
        const char *variant, *kernel;
        uint32_t unit;
    } rows[] = {{"regenerate_device", "regenerate_device_extend", 1},
                {"stream_device_local", "stream_device_local_extend", 64},
                {"stream_device", "stream_device_extend", 256}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct measurement measurement = measure("fog", rows[i].variant, "spp=2 pool=256");
        const struct bounce_counts counts = measure_sum(&measurement);
        const struct used used = run_pool(256, rows[i].unit);
        assert_int_equal(counts.live_warps, used.live_warps);
        assert_int_equal(measure_launches(&measurement, rows[i].kernel), used.rounds);
        assert_true(counts.scheme_bytes >= 256 * 48 && counts.scheme_bytes < 3 * 256 * 48);
        measurement_finish(&measurement);
    }
}

// ---- look-ups

// Every look-up is a live lane of a step of the model; a step takes from one line to one for each of its lanes.
TEST(look_ups_are_steps_of_the_model)
{
    static const char *const variants[] = {"volume_naive", "regenerate_thread", "stream_sort", "volume_steps"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; ++i) {
        struct measurement measurement = measure("fog", variants[i], "spp=2 multiprocessors=1 resident_blocks=1");
        uint64_t live = 0, steps = 0, lines = 0;
        for (size_t k = 0; k < measurement.lockstep_count; ++k) {
            const struct device_lockstep *row = &measurement.lockstep[k].steps;
            live += row->inner_live;
            steps += row->inner_steps;
            lines += row->node_lines;
        }
        assert_int_equal(live, measure_sum(&measurement).lookups);
        assert_true(steps > 0 && live >= lines && lines >= steps);
        measurement_finish(&measurement);
    }
    // With one lane a warp a step is a look-up, in one line.
    struct measurement alone = measure("fog", "volume_naive", "warp_width=1");
    for (size_t k = 0; k < alone.lockstep_count; ++k) {
        assert_int_equal(alone.lockstep[k].steps.inner_steps, alone.lockstep[k].steps.inner_live);
        assert_int_equal(alone.lockstep[k].steps.inner_steps, alone.lockstep[k].steps.node_lines);
    }
    measurement_finish(&alone);
}

static int open_all(void **state)
{
    const int opened = measure_open(state);
    if (opened == 0)
        measure_lengths();
    return opened;
}

TEST_GROUP(open_all, measure_close)
