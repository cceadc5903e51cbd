// SPDX-License-Identifier: MIT
// Warps whose lanes part, against what each path does at each bounce. That is read from a pool of one slot, whose launches
// serve one path each: its shadow rays, deaths and materials, and nothing that is counted by warp.
#include "check.h"
#include "pipelines_support.h"

enum { PIXELS = MEASURE_WIDTH * MEASURE_HEIGHT, LIMIT = 8, EXTENSIONS = LIMIT + 1, NONE = COUNT_KINDS };

#define WORK "materials=scene max_bounces=8 pixel_order=row "

struct extension {
    bool missed, wants, ends;
    uint8_t kind; // NONE: no material is evaluated
};
static struct extension extensions[PIXELS][EXTENSIONS];
static uint32_t lengths[PIXELS];

struct expected {
    uint64_t warps[BRANCHES], parts[BRANCHES];
};

// ---- one path after the other

static void record(const struct bounce_counts *row, struct extension *extension)
{
    for (int cause = 0; cause < DEATH_CAUSES; ++cause)
        extension->ends |= row->deaths[cause] > 0;
    extension->missed |= row->deaths[DEATH_MISS] > 0;
    extension->wants |= row->shadow_rays > 0;
    for (uint8_t kind = 0; kind < COUNT_KINDS; ++kind)
        if (row->shaded[kind] > 0)
            extension->kind = kind;
}

static void record_paths(const char *work)
{
    char settings[200];
    snprintf(settings, sizeof settings, WORK "pool=1 batch=1 exact_rounds=100000 %s", work);
    struct measurement found = measure("materials", "two_stage", settings);
    uint32_t pixel = 0, bounce = 0;
    memset(extensions, 0, sizeof extensions);
    for (size_t launch = 0, row = 0; launch < found.launch_count; ++launch) {
        if (strcmp(found.launches[launch].stage, "logic"))
            continue;
        assert_true(pixel < PIXELS && bounce < EXTENSIONS);
        struct extension *extension = &extensions[pixel][bounce++];
        extension->kind = NONE;
        for (; row < found.count_count && found.counts[row].launch <= launch; ++row)
            if (found.counts[row].launch == launch)
                record(&found.counts[row].counts, extension);
        if (!extension->ends)
            continue;
        lengths[pixel++] = bounce;
        bounce = 0;
    }
    assert_int_equal(pixel, PIXELS);
    assert_memory_equal(lengths, found.path_length, sizeof lengths);
    measurement_finish(&found);
}

// ---- what warps of them do

// At a branch that `comes` of the lanes come to, each on its way.
static void expect(struct expected *expected, enum branch branch, const bool *comes, const uint8_t *ways,
                   uint32_t lanes)
{
    const uint8_t *first = NULL;
    bool parts = false;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        if (!comes[lane])
            continue;
        parts |= first && *first != ways[lane];
        first = &ways[lane];
    }
    expected->warps[branch] += first != NULL;
    expected->parts[branch] += parts;
}

// staged: where a path that left the scene ends in another launch than the others.
static struct expected expect_warps(uint32_t bounce, uint32_t lanes, bool direct, bool staged)
{
    struct expected expected = {0};
    for (uint32_t first = 0; first < PIXELS; first += lanes) {
        bool comes[BRANCHES][64] = {0};
        uint8_t ways[BRANCHES][64] = {0};
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            const struct extension *extension = &extensions[first + lane][bounce];
            const bool active = bounce < lengths[first + lane];
            comes[BRANCH_HIT][lane] = active;
            comes[BRANCH_KIND][lane] = active && extension->kind != NONE;
            comes[BRANCH_SHADOW][lane] = active && !extension->missed && direct;
            comes[BRANCH_END][lane] = active && !(staged && extension->missed);
            ways[BRANCH_HIT][lane] = extension->missed;
            ways[BRANCH_KIND][lane] = extension->kind;
            ways[BRANCH_SHADOW][lane] = extension->wants;
            ways[BRANCH_END][lane] = extension->ends;
        }
        for (int branch = 0; branch < BRANCHES; ++branch)
            expect(&expected, branch, comes[branch], ways[branch], lanes);
    }
    return expected;
}

// counted: bits of the branches that the variant counts.
static void check_variant(const char *variant, const char *work, const char *settings, uint32_t lanes, bool staged,
                          uint32_t counted)
{
    static struct bounce_counts rows[BOUNCES];
    char text[200];
    snprintf(text, sizeof text, WORK "warp_width=%u %s %s", lanes, settings, work);
    struct measurement found = measure("materials", variant, text);
    const struct bounce_counts all = totals(&found, NULL);
    struct expected sum = {0};
    by_bounce(&found, rows);
    for (uint32_t bounce = 0; bounce < EXTENSIONS; ++bounce) {
        const struct expected expected = expect_warps(bounce, lanes, !strstr(work, "lighting=hits"), staged);
        for (int branch = 0; branch < BRANCHES; ++branch) {
            if (!(counted >> branch & 1u))
                continue;
            assert_int_equal(rows[bounce].branch_warps[branch], expected.warps[branch]);
            assert_int_equal(rows[bounce].branch_parts[branch], expected.parts[branch]);
            sum.warps[branch] += expected.warps[branch];
            sum.parts[branch] += expected.parts[branch];
        }
    }
    for (int branch = 0; branch < BRANCHES; ++branch) { // all lanes of a warp are at one bounce
        assert_int_equal(all.branch_warps[branch], sum.warps[branch]);
        assert_int_equal(all.branch_parts[branch], sum.parts[branch]);
        assert_true(lanes > 1 ? branch == BRANCH_SHADOW || !sum.warps[branch] || sum.parts[branch] > 0
                              : sum.parts[branch] == 0);
    }
    measurement_finish(&found);
}

TEST(warps_part_where_their_paths_do)
{
    enum { ALL = (1 << BRANCHES) - 1, STAGES = ALL & ~(1 << BRANCH_KIND) };
    static const char *const works[] = {"", "lighting=hits roulette=yocto"};
    for (size_t i = 0; i < sizeof works / sizeof *works; ++i) {
        record_paths(works[i]);
        static const uint32_t widths[] = {1, 8, 32, 64};
        for (size_t width = 0; width < sizeof widths / sizeof *widths; ++width) {
            const uint32_t lanes = widths[width];
            check_variant("naive", works[i], "", lanes, false, ALL);
            check_variant("whole_frame_off", works[i], "tickets=ordered", lanes, false, ALL);
            check_variant("two_stage", works[i], "pool=384", lanes, false, ALL);
            check_variant("pool_refill", works[i], "pool=384", lanes, true, STAGES);
        }
    }
}

// A warp whose lanes are at several bounces counts at each, and once in the totals.
TEST(lanes_at_several_bounces_count_at_each)
{
    static struct bounce_counts rows[BOUNCES];
    struct measurement found = measure("materials", "two_stage", "materials=scene pool=100");
    const struct bounce_counts all = totals(&found, NULL), logic = totals(&found, "logic");
    uint64_t warps = 0, parts = 0, active = 0;
    by_bounce(&found, rows);
    for (uint32_t bounce = 0; bounce < BOUNCES; ++bounce) {
        warps += rows[bounce].branch_warps[BRANCH_END];
        parts += rows[bounce].branch_parts[BRANCH_END];
        active += rows[bounce].active_warps;
    }
    assert_int_equal(all.branch_warps[BRANCH_END], logic.live_warps);
    assert_int_equal(warps, active);
    assert_true(all.mixed_warps > 0 && warps > all.branch_warps[BRANCH_END] && parts > 0);
    assert_true(all.branch_parts[BRANCH_END] > 0 && all.branch_parts[BRANCH_END] <= logic.live_warps);
    measurement_finish(&found);
}

TEST_GROUP(measure_open, measure_close)
