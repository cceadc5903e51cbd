// SPDX-License-Identifier: MIT
// Pipelines that regenerate paths in place: the paths of naive, and a schedule that a plain model tells from nothing but
// the lengths of naive's paths.
#include "check.h"
#include "pipelines_support.h"
#include "published_support.h"
#include "surface/pool.h"

// Of a size that no tile but the smallest divides.
enum { WIDTH = 42, HEIGHT = 26, PIXELS = WIDTH * HEIGHT, SAMPLES = 3, BLOCK = 32 };

// ---- the same paths

TEST(tiles_render_the_passes_of_naive_bit_for_bit)
{
    static const char *const tiles[] = {"tile_regenerate", NULL};
    static const char *const settings[] = {
        "",
        "pool=256",
        "pool=512 block=256 trace_compaction=yes",
        "pool=512 block=96 warp_width=64 trace_compaction=yes threads=16 lane_order=seeded",
        "pool=256 tile_slots=64 regenerate_above=0 regenerate_every=1 tile_order=rows",
        "pool=64 tile_slots=16 regenerate_above=100 regenerate_every=4",
        "pool=1 tile_slots=1 regenerate_every=3",
        "pool=7 tile_slots=1 block=20 trace_compaction=yes regenerate_of=pool",
        "pool=1024 tile_slots=1024 block=1024 warp_width=64",
        "pool=256 traversal=speculative trace_compaction=yes lane_order=reversed threads=16",
        NULL,
    };
    static const char *const others[] = {"pool=256", "pool=64 tile_slots=64 trace_compaction=yes", NULL};
    check_against_naive("cornell", "width=42 height=26 spp=3", tiles, settings, 3 * PIXELS);
    check_against_naive("materials", "width=42 height=26 spp=3 materials=scene roulette=none", tiles, others,
                        3 * PIXELS);
    check_against_naive("cornell", "width=42 height=26 spp=2 lighting=hits sampler=padded", tiles, others, 2 * PIXELS);
    check_against_naive("cornell", "width=42 height=26 spp=2 max_bounces=0", tiles, others, 2 * PIXELS);
    check_against_naive("mirror_corridor", "width=42 height=26 spp=2 max_bounces=64 materials=scene roulette=none",
                        tiles, others, 2 * PIXELS);
    check_against_naive("interior", "width=1 height=1 spp=3 max_bounces=1", tiles, others, 3);
}

TEST(pools_of_broken_tiles_are_refused)
{
    static const struct {
        int64_t pool, tile_slots; // the latter by its place among the choices: 1, 16, 64, 256, 1024
        const char *reason;
    } rows[] = {{PARAMETER_AUTO, 3, NULL},
                {256, 3, NULL},
                {1, 0, NULL},
                {7, 0, NULL},
                {64, 1, NULL},
                {1, 3, "a pool of 1 slots is no whole number of tiles of 256: set pool or tile_slots"},
                {300, 3, "a pool of 300 slots is no whole number of tiles of 256: set pool or tile_slots"},
                {512, 4, "a pool of 512 slots is no whole number of tiles of 1024: set pool or tile_slots"}};
    const struct variant *variant = variant_find("tile_regenerate");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char reason[200] = "";
        struct parameters parameters = parameters_default();
        parameters.pool = rows[i].pool;
        parameters.tile_slots = rows[i].tile_slots;
        assert_int_equal(variant->supports(&parameters, NULL, reason, sizeof reason), !rows[i].reason);
        assert_string_equal(reason, rows[i].reason ? rows[i].reason : "");
    }
}

// The mirrors, polished walls and glass of the document's tests 1, 3 and 4: no path escapes, and most are long.
TEST(scenes_of_deep_paths_are_closed)
{
    static const char *const scenes[] = {"mirror_corridor", "arch", "glass"};
    static const char *const tiles[] = {"tile_regenerate", NULL};
    static const char *const settings[] = {"pool=256", "pool=128 tile_slots=64 trace_compaction=yes", NULL};
    static const char work[] = "width=42 height=26 materials=scene roulette=none max_bounces=64";
    static struct bounce_counts counts[BOUNCES];
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        struct measurement naive = measure(scenes[i], "naive", work);
        by_bounce(&naive, counts);
        uint64_t missed = 0;
        for (size_t bounce = 0; bounce < BOUNCES; ++bounce)
            missed += counts[bounce].deaths[DEATH_MISS];
        assert_int_equal(counts[0].active_paths, PIXELS);
        assert_int_equal(missed, 0);
        assert_in_range(counts[20].active_paths, PIXELS / 2, PIXELS);
        measurement_finish(&naive);
        check_against_naive(scenes[i], work, tiles, settings, PIXELS);
    }
}

// ---- tiles told from path lengths

struct setting {
    uint32_t side, entries, every, above;
    bool by_depth, of_pool, compact;
};

// What happens in a frame.
struct schedule {
    struct path_schedule paths;
    uint32_t checks, dead[EVENTS]; // of the pool's tiles, at each check
};

struct model {
    struct setting setting;
    const uint32_t *lengths; // of this pass, a row of the image after the other
    uint32_t across, tiles;
    uint32_t *order, *depth; // of tiles
    uint32_t *holds;         // tile of each entry, dead or not
    uint32_t next;           // place of the order
    struct path_slot *slots; // setting.entries * side * side
    uint64_t waiting;        // samples that no launch has begun
    struct schedule *schedule;
};

static uint32_t longest(const struct model *model, uint32_t tile)
{
    const uint32_t side = model->setting.side, x0 = tile % model->across * side, y0 = tile / model->across * side;
    uint32_t most = 0;
    for (uint32_t y = y0; y < y0 + side && y < HEIGHT; ++y)
        for (uint32_t x = x0; x < x0 + side && x < WIDTH; ++x)
            most = model->lengths[y * WIDTH + x] > most ? model->lengths[y * WIDTH + x] : most;
    return most;
}

// Slots follow rectangles of 8x4 pixels, or smaller ones in a smaller tile. Returns how many paths begin.
static uint32_t fill_entry(struct model *model, uint32_t entry, uint32_t tile)
{
    const uint32_t side = model->setting.side, wide = side < 8 ? side : 8, high = side < 4 ? side : 4;
    const uint32_t x0 = tile % model->across * side, y0 = tile / model->across * side;
    struct path_slot *slot = model->slots + (size_t)entry * side * side;
    uint32_t begun = 0;
    for (uint32_t top = y0; top < y0 + side; top += high)
        for (uint32_t left = x0; left < x0 + side; left += wide)
            for (uint32_t y = top; y < top + high; ++y)
                for (uint32_t x = left; x < left + wide; ++x, ++slot)
                    if (x < WIDTH && y < HEIGHT) {
                        *slot = (struct path_slot){.left = model->lengths[y * WIDTH + x]};
                        ++begun;
                    }
    return begun;
}

static bool entry_is_dead(const struct model *model, uint32_t entry)
{
    const uint32_t size = model->setting.side * model->setting.side;
    for (uint32_t i = 0; i < size; ++i)
        if (model->slots[entry * size + i].left)
            return false;
    return true;
}

// Returns whether the pass is over.
static bool model_check(struct model *model)
{
    const struct setting *setting = &model->setting;
    struct schedule *schedule = model->schedule;
    uint32_t dead = 0, begun = 0;
    for (uint32_t entry = 0; entry < setting->entries; ++entry)
        dead += entry_is_dead(model, entry);
    const uint32_t live = setting->entries - dead, left = model->tiles - model->next;
    uint32_t wanted = dead < left ? dead : left;
    assert_true(schedule->checks < EVENTS);
    schedule->dead[schedule->checks++] = dead;
    schedule->paths.launches += 1;
    if (wanted == 0)
        return live == 0;
    if (live > 0 && wanted * 100 <= setting->above * (setting->of_pool ? setting->entries : live))
        return false;
    for (uint32_t entry = 0; entry < setting->entries && wanted; ++entry)
        if (entry_is_dead(model, entry)) {
            model->holds[entry] = model->order[model->next++];
            begun += fill_entry(model, entry, model->holds[entry]);
            --wanted;
        }
    schedule->paths.begun[schedule->paths.begins] = begun;
    schedule->paths.queued[schedule->paths.begins++] = model->waiting;
    schedule->paths.launches += 1;
    model->waiting -= begun;
    return false;
}

// Warps that trace: of each row of lanes, or where they gather in their block, as few as hold all that live.
static void model_warps(struct model *model, uint32_t slots)
{
    const uint32_t unit = model->setting.compact ? BLOCK : WARP;
    for (uint32_t first = 0; first < slots; first += unit) {
        uint32_t found = 0, bounce = 0, mixed = 0, lanes = 0;
        for (uint32_t i = first; i < first + unit && i < slots; ++i) {
            if (!model->slots[i].left)
                continue;
            if (lanes % WARP == 0)
                bounce = model->slots[i].taken;
            else if (bounce != model->slots[i].taken)
                mixed |= 1u << lanes / WARP;
            found += lanes++ % WARP == 0;
        }
        model->schedule->paths.warps += found;
        for (; mixed; mixed &= mixed - 1)
            model->schedule->paths.mixed += 1;
    }
}

static void model_round(struct model *model)
{
    const uint32_t slots = model->setting.entries * model->setting.side * model->setting.side;
    struct schedule *schedule = model->schedule;
    uint32_t live = 0;
    assert_true(schedule->paths.rounds < EVENTS);
    model_warps(model, slots);
    for (uint32_t i = 0; i < slots; ++i)
        if (model->slots[i].left) {
            model->slots[i].left -= 1;
            model->slots[i].taken += 1;
            ++live;
        }
    schedule->paths.live[schedule->paths.rounds++] = live;
    schedule->paths.lanes += live;
    schedule->paths.launches += 6;
}

// Deepest of the last pass first; of equal depth in their own order.
static void model_sort(struct model *model)
{
    uint32_t place = 0, deepest = 0;
    for (uint32_t tile = 0; tile < model->tiles; ++tile)
        deepest = model->depth[tile] > deepest ? model->depth[tile] : deepest;
    for (uint32_t depth = deepest + 1; depth-- > 0;)
        for (uint32_t tile = 0; tile < model->tiles; ++tile)
            if (model->depth[tile] == depth)
                model->order[place++] = tile;
}

static void model_pass(struct model *model, bool sorted)
{
    if (sorted)
        model_sort(model);
    model->next = 0;
    for (uint32_t trip = 0;; ++trip) {
        if (trip % model->setting.every == 0 && model_check(model))
            break;
        model_round(model);
    }
    for (uint32_t tile = 0; tile < model->tiles; ++tile)
        model->depth[tile] = longest(model, tile);
}

static struct model *model_new(uint32_t side, struct setting setting)
{
    struct model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    model->schedule = calloc(1, sizeof *model->schedule);
    model->waiting = SAMPLES * PIXELS;
    model->across = (WIDTH + side - 1) / side;
    model->tiles = model->across * ((HEIGHT + side - 1) / side);
    model->setting = setting;
    model->setting.entries = setting.entries < model->tiles ? setting.entries : model->tiles;
    model->order = calloc(model->tiles, sizeof *model->order);
    model->depth = calloc(model->tiles, sizeof *model->depth);
    model->holds = calloc(setting.entries, sizeof *model->holds);
    model->slots = calloc((size_t)setting.entries * side * side, sizeof *model->slots);
    assert_true(model->schedule && model->order && model->depth && model->holds && model->slots);
    for (uint32_t tile = 0; tile < model->tiles; ++tile)
        model->order[tile] = tile;
    return model;
}

// Gives what the model has found, and frees the rest.
static struct schedule *model_end(struct model *model)
{
    struct schedule *schedule = model->schedule;
    free(model->order);
    free(model->depth);
    free(model->holds);
    free(model->slots);
    free(model);
    return schedule;
}

static struct schedule *tile_schedule(uint32_t lengths[SAMPLES][PIXELS], struct setting setting)
{
    struct model *model = model_new(setting.side, setting);
    for (uint32_t sample = 0; sample < SAMPLES; ++sample) {
        model->lengths = lengths[sample];
        model_pass(model, setting.by_depth && sample > 0);
    }
    return model_end(model);
}

// ---- against the program

static void check_schedule(const struct measurement *found, const struct schedule *wanted, uint32_t entries)
{
    static struct bounce_counts rows[EVENTS];
    check_rounds(found, &wanted->paths);
    check_begins(found, &wanted->paths);
    assert_int_equal(launches_of(found, "check", rows), wanted->checks);
    for (uint32_t i = 0; i < wanted->checks; ++i) {
        assert_int_equal(rows[i].live_lanes, entries); // it looks at tiles, not at slots
        assert_int_equal(rows[i].queued, wanted->dead[i]);
    }
}

// Path state is where it began: bookkeeping moves none, and stages what they compute with.
static void check_bytes(const struct measurement *found, uint64_t lanes)
{
    assert_int_equal(totals(found, "check").moved_bytes, 0);
    assert_int_equal(totals(found, "regenerate").moved_bytes, 0);
    assert_int_equal(totals(found, "trace").moved_bytes, lanes * POOL_TRAFFIC_TRACE * 4);
    assert_int_equal(totals(found, "surface").moved_bytes, lanes * POOL_TRAFFIC_SURFACE * 4);
}

static void check_tiles(uint32_t lengths[SAMPLES][PIXELS], struct setting setting)
{
    char settings[300];
    struct schedule *wanted = tile_schedule(lengths, setting);
    snprintf(settings, sizeof settings,
             "width=%d height=%d spp=%d pool=%u tile_slots=%u regenerate_every=%u regenerate_above=%u regenerate_of=%s "
             "tile_order=%s trace_compaction=%s warp_width=%d block=%d exact_rounds=%d",
             WIDTH, HEIGHT, SAMPLES, setting.entries * setting.side * setting.side, setting.side * setting.side,
             setting.every, setting.above, setting.of_pool ? "pool" : "live", setting.by_depth ? "depth" : "rows",
             setting.compact ? "yes" : "no", WARP, BLOCK, EVENTS);
    struct measurement found = measure("cornell", "tile_regenerate", settings);
    check_schedule(&found, wanted, setting.entries);
    check_bytes(&found, wanted->paths.lanes);
    measurement_finish(&found);
    free(wanted);
}

TEST(tiles_are_regenerated_as_path_lengths_tell)
{
    static uint32_t lengths[SAMPLES][PIXELS];
    static const struct setting settings[] = {
        // side, entries, every, above, by_depth, of_pool, compact
        {16, 1, 2, 50, true, false, false},   {16, 2, 2, 50, true, false, true},  {16, 3, 1, 0, true, false, false},
        {16, 5, 4, 100, false, true, false},  {16, 6, 2, 50, true, false, false}, {8, 4, 1, 25, true, false, true},
        {8, 7, 3, 50, false, false, false},   {8, 24, 2, 100, true, true, true},  {4, 5, 2, 50, true, false, true},
        {4, 33, 1, 0, true, true, false},     {32, 1, 2, 50, true, false, true},  {1, 200, 2, 50, true, false, true},
        {1, 700, 1, 25, false, false, false},
    };
    for (uint32_t sample = 0; sample < SAMPLES; ++sample)
        path_lengths("cornell", "width=42 height=26", sample, PIXELS, lengths[sample]);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i)
        check_tiles(lengths, settings[i]);
}

// ---- Listing 1

enum { LISTED_TILES = 16, LISTED_ENTRIES = 8, LISTED_STEPS = 11 };

static const char *listed(const struct published *published, int step, const char *column)
{
    char row[16];
    snprintf(row, sizeof row, "%d", step);
    return published_words(published, "listing1", row, column);
}

// In how many of its steps the listing has the tile in the pool; one that is still there at its end lives on.
static uint32_t listed_life(const struct published *published, char letter)
{
    uint32_t life = 0;
    for (int step = 1; step <= LISTED_STEPS; ++step)
        life += strchr(listed(published, step, "pool"), letter) != NULL;
    return strchr(listed(published, LISTED_STEPS, "pool"), letter) ? 100 : life;
}

static void check_listed(const struct model *model, const struct published *published, const char *order, int step)
{
    char pool[2 * LISTED_ENTRIES] = "", queue[2 * LISTED_TILES] = "";
    const char *full = listed(published, step, "queue_in_full");
    for (uint32_t entry = 0; entry < LISTED_ENTRIES; ++entry)
        sprintf(pool + strlen(pool), "%s%c", entry ? " " : "",
                entry_is_dead(model, entry) ? 'X' : order[model->holds[entry]]);
    for (uint32_t place = model->next; place < LISTED_TILES; ++place)
        sprintf(queue + strlen(queue), "%s%c", place > model->next ? " " : "", order[place]);
    assert_string_equal(pool, listed(published, step, "pool"));
    assert_string_equal(queue, full[0] ? full : listed(published, step, "queue"));
}

// Its event names what the next check replaces: "9,5 -> D,3". A tile that ends with nothing to replace it becomes X.
static void check_event(const char *event, const char *order, const uint32_t *before, const struct model *model)
{
    char text[72] = "", ended[32] = "", begun[32] = "";
    for (uint32_t entry = 0; entry < LISTED_ENTRIES; ++entry) {
        const bool dead = entry_is_dead(model, entry), replaced = model->holds[entry] != before[entry];
        if (before[entry] == LISTED_TILES || (!dead && !replaced))
            continue;
        sprintf(ended + strlen(ended), "%s%c", ended[0] ? "," : "", order[before[entry]]);
        sprintf(begun + strlen(begun), "%s%c", begun[0] ? "," : "", dead ? 'X' : order[model->holds[entry]]);
    }
    if (ended[0])
        snprintf(text, sizeof text, "%s -> %s", ended, begun);
    assert_string_equal(text, event);
}

// The listing has no threshold and looks after every round. Its order is given: it is no more than an illustration of one
// by depth (F-M3).
TEST(listing_1_follows_from_how_long_its_tiles_live)
{
    static uint32_t lives[PIXELS];
    struct published *published = published_of("frolov2015");
    char order[LISTED_TILES + 1] = "";
    for (int i = 0; i < LISTED_TILES; ++i) {
        char place[16];
        snprintf(place, sizeof place, "%d", i + 1);
        order[i] = published_words(published, "listing1_order", place, "tile")[0];
    }
    struct model *model = model_new(1, (struct setting){.side = 1, .entries = LISTED_ENTRIES, .every = 1});
    model->tiles = LISTED_TILES;
    model->lengths = lives;
    for (uint32_t tile = 0; tile < LISTED_TILES; ++tile)
        lives[tile] = listed_life(published, order[tile]);
    check_listed(model, published, order, 1);
    model_check(model);
    check_listed(model, published, order, 2);
    for (int step = 3; step <= LISTED_STEPS; ++step) {
        uint32_t before[LISTED_ENTRIES];
        for (uint32_t entry = 0; entry < LISTED_ENTRIES; ++entry)
            before[entry] = entry_is_dead(model, entry) ? LISTED_TILES : model->holds[entry];
        model_round(model);
        model_check(model);
        check_event(listed(published, step - 1, "event"), order, before, model);
        check_listed(model, published, order, step);
    }
    free(model_end(model));
    published_free(published);
}

TEST_GROUP(measure_open, measure_close)
