// SPDX-License-Identifier: MIT
#include "bench_trials.h"

#include <math.h>
#include <string.h>

#include "plan/experiment.h"
#include "store/attempt.h"

enum { SEGMENTS = 9, REPLICATES = 5, REPETITIONS = 10, RUNS = 16, SCHEDULES = 23, SPREADS = 4, WORKS = 11 * 3 * 3 };

const char *const trial_mix_names[MIXES] = {"study", "plain"};

// ---- what trials there are

static const char *const scenes[] = {"forest", "villa", "moto",       "car",     "refinery", "armadillo",
                                     "dragon", "open",  "closed_box", "cornell", "interior"};

static const struct schedule {
    const char *variant;
    int tile_m, dummy_flops, path_bytes, shared_pad, resident_blocks;
    bool speculative;
} schedules[SCHEDULES] = {
    {.variant = "naive"},
    {.variant = "whole_frame"},
    {.variant = "whole_frame_off"},
    {.variant = "tiled_shared", .tile_m = 1},
    {.variant = "tiled_shared", .tile_m = 2},
    {.variant = "tiled_shared", .tile_m = 4},
    {.variant = "tiled_shared", .tile_m = 8},
    {.variant = "tiled_shared", .tile_m = 16},
    {.variant = "tiled_global", .tile_m = 1},
    {.variant = "tiled_global", .tile_m = 2},
    {.variant = "tiled_global", .tile_m = 4},
    {.variant = "tiled_global", .tile_m = 8},
    {.variant = "tiled_global", .tile_m = 16},
    {.variant = "naive", .dummy_flops = 64},
    {.variant = "whole_frame", .dummy_flops = 64},
    {.variant = "naive", .dummy_flops = 256},
    {.variant = "whole_frame", .dummy_flops = 256},
    {.variant = "naive", .speculative = true},
    {.variant = "whole_frame", .speculative = true},
    {.variant = "whole_frame", .path_bytes = 48},
    {.variant = "whole_frame", .path_bytes = 128},
    {.variant = "naive", .shared_pad = 32768},
    {.variant = "naive", .resident_blocks = 8},
};

struct maker {
    struct store *store;
    int64_t runs[RUNS];
    enum trial_mix mix;
    struct error *error;
};

struct made {
    struct trial_row row;
    const struct schedule *schedule;
    int64_t setting, work; // setting: among those of the device
    bool gpu, launches, counters, stalls;
    uint32_t warp_width, block;
};

static void choose(struct parameters *parameters, const char *name, const char *choice)
{
    parameter_set(parameters, parameter_find(name), choice, NULL);
}

static void describe_work(struct made *made)
{
    static const int sizes[][2] = {{1280, 768}, {640, 384}, {2560, 1536}}, limits[] = {8, 10, 15};
    struct trial_spec *spec = &made->row.spec;
    const int64_t grid = made->work % WORKS, seed = made->work / WORKS;
    snprintf(spec->scene, sizeof spec->scene, "%s", scenes[grid % 11]);
    spec->parameters.width = sizes[grid / 11 % 3][0];
    spec->parameters.height = sizes[grid / 11 % 3][1];
    spec->parameters.max_bounces = limits[grid / 33];
    spec->parameters.seed = 1 + (int32_t)seed;
    if (seed % 2 && made->work % 3 == 1)
        choose(&spec->parameters, "materials", "scene");
    if (seed % 2 && made->work % 3 == 2)
        choose(&spec->parameters, "light_search", "cdf");
}

static void describe_schedule(struct made *made, int64_t spread)
{
    static const uint32_t widths[] = {32, 16};
    struct trial_spec *spec = &made->row.spec;
    char bytes[16];
    snprintf(spec->variant, sizeof spec->variant, "%s", made->schedule->variant);
    snprintf(spec->device, sizeof spec->device, "%s", made->gpu ? "cuda" : "emulator");
    made->block = spread % 2 ? 128 : 64;
    made->warp_width = made->gpu ? 32 : widths[spread / 2];
    spec->parameters.block = (int32_t)made->block;
    if (made->gpu && spread / 2 == 0)
        spec->parameters.registers = 64;
    if (!made->gpu)
        spec->parameters.warp_width = (int32_t)made->warp_width;
    if (made->schedule->tile_m)
        spec->parameters.tile_m = made->schedule->tile_m;
    spec->parameters.dummy_flops = made->schedule->dummy_flops;
    spec->parameters.shared_pad = made->schedule->shared_pad;
    if (made->schedule->resident_blocks)
        spec->parameters.resident_blocks = made->schedule->resident_blocks;
    snprintf(bytes, sizeof bytes, "%d", made->schedule->path_bytes);
    if (made->schedule->path_bytes)
        choose(&spec->parameters, "path_bytes", bytes);
    if (made->schedule->speculative)
        choose(&spec->parameters, "traversal", "speculative");
}

// Of a study the first 3/5 are on the GPU: replicates outermost, as a run orders them.
static struct made describe(enum trial_mix mix, int64_t index, int64_t trials)
{
    const int64_t timed = mix == MIX_STUDY ? trials * 3 / 5 / REPLICATES : 0;
    struct made made = {.gpu = index < timed * REPLICATES, .row = {.ordinal = index, .point = index}};
    made.setting = made.gpu ? index % timed : index - timed * REPLICATES;
    made.row.replicate = made.gpu ? (int32_t)(index / timed) : 0;
    made.row.spec.parameters = parameters_default();
    made.schedule = &schedules[made.setting % SCHEDULES];
    made.work = made.setting / (SCHEDULES * SPREADS);
    const bool per_bounce = made.schedule->variant[0] == 'w';
    made.launches = made.gpu && per_bounce && made.setting % 20 == 1;
    made.counters = made.gpu && made.setting % 100 == 1 && !made.row.replicate;
    made.stalls = made.gpu && made.setting % 200 == 1 && !made.row.replicate;
    describe_work(&made);
    describe_schedule(&made, made.setting / SCHEDULES % SPREADS);
    made.row.collections = 1u << COLLECTION_COUNTS;
    made.row.collections |= made.gpu ? 1u << COLLECTION_FRAME : 0;
    made.row.collections |= made.launches ? 1u << COLLECTION_LAUNCHES : 0;
    made.row.collections |= made.counters ? 1u << COLLECTION_COUNTERS : 0;
    made.row.collections |= made.stalls ? 1u << COLLECTION_STALLS : 0;
    return made;
}

// ---- what was measured

// Launches of a frame: naive and tiled variants have one, the others one a bounce and, compacting, one after each.
static uint32_t fill_launches(const struct made *made, struct measured_launch *launches, uint32_t repetitions)
{
    const bool per_bounce = made->schedule->variant[0] == 'w',
               compacts = !strcmp(made->schedule->variant, "whole_frame");
    const uint32_t each = compacts ? 2 * SEGMENTS - 1 : per_bounce ? SEGMENTS : 1;
    const uint32_t pixels = (uint32_t)(made->row.spec.parameters.width * made->row.spec.parameters.height);
    for (uint32_t r = 0; r < repetitions; ++r)
        for (uint32_t i = 0; i < each; ++i) {
            const bool auxiliary = compacts && i % 2;
            struct measured_launch *launch = &launches[r * each + i];
            *launch = (struct measured_launch){.repetition = r,
                                               .index = i,
                                               .iteration = (int32_t)(compacts ? i / 2 : i),
                                               .bounce = !per_bounce || auxiliary ? -1
                                                         : compacts               ? (int32_t)i / 2
                                                                                  : (int32_t)i,
                                               .auxiliary = auxiliary,
                                               .grid = pixels / made->block,
                                               .block = made->block,
                                               .seconds = 1e-3 * (1 + 1e-3 * ((int)(7 * r + 3 * i) % 11)) / (i + 1)};
            snprintf(launch->kernel, sizeof launch->kernel, "%s", auxiliary ? "select" : made->schedule->variant);
        }
    return each;
}

static struct bounce_counts count(const struct made *made, uint32_t bounce)
{
    const uint64_t pixels = (uint64_t)(made->row.spec.parameters.width * made->row.spec.parameters.height);
    const double alive = pow(0.55 + 0.03 * (double)(made->work % 12), bounce);
    const uint64_t paths = (uint64_t)((double)pixels * alive) + 1;
    const bool compacts =
        strcmp(made->schedule->variant, "naive") != 0 && strcmp(made->schedule->variant, "whole_frame_off") != 0;
    const uint64_t full = paths / made->warp_width + 1;
    struct bounce_counts counts = {.active_paths = paths,
                                   .active_warps = compacts ? full : (uint64_t)((double)full / sqrt(alive)),
                                   .shadow_rays = paths,
                                   .occluded = paths / 3,
                                   .nodes = paths * 63,
                                   .triangles = paths * 7,
                                   .shadow_nodes = paths * 41,
                                   .shadow_triangles = paths * 5,
                                   .path_hash = 0x9e3779b97f4a7c15u * (uint64_t)(made->work + bounce + 1)};
    counts.deaths[DEATH_MISS] = paths / 3;
    counts.deaths[DEATH_ROULETTE] = paths / 9;
    counts.hits[0] = paths / 2;
    counts.hits[1] = paths / 4;
    return counts;
}

// A row a bounce, and the totals of every launch.
static uint32_t fill_counts(const struct made *made, struct measured_counts *rows)
{
    const bool per_bounce = made->schedule->variant[0] == 'w',
               compacts = !strcmp(made->schedule->variant, "whole_frame");
    uint32_t n = 0;
    for (uint32_t b = 0; b < SEGMENTS; ++b) {
        const uint32_t launch = !per_bounce ? 0 : compacts ? 2 * b : b;
        rows[n++] = (struct measured_counts){launch, b, count(made, b)};
        if (per_bounce || b == 0)
            rows[n++] = (struct measured_counts){launch, MEASURED_TOTALS, count(made, b)};
    }
    return n;
}

static uint32_t fill_lockstep(const struct made *made, struct measured_lockstep *rows)
{
    const bool per_bounce = made->schedule->variant[0] == 'w',
               compacts = !strcmp(made->schedule->variant, "whole_frame");
    for (uint32_t i = 0; i < 2 * SEGMENTS; ++i) {
        const uint32_t b = i / 2;
        const struct bounce_counts counts = count(made, b);
        rows[i] = (struct measured_lockstep){.launch = !per_bounce ? 0
                                                       : compacts  ? 2 * b
                                                                   : b,
                                             .kind = i % 2,
                                             .bounce = b,
                                             .steps = {counts.active_warps * 90, counts.nodes, counts.active_warps * 30,
                                                       counts.triangles, counts.active_warps}};
    }
    return 2 * SEGMENTS;
}

static void fill_repetitions(const struct made *made, struct measured_repetition *rows)
{
    const double size = made->row.spec.parameters.width / 1280.0;
    for (int r = 0; r < REPETITIONS; ++r) {
        const double noise = 1 + 1e-3 * (double)((made->setting * 7 + made->row.replicate * 5 + r * 13) % 11);
        const double seconds = 8e-3 * size * noise * (1 + 0.1 * (double)(made->setting % 7));
        rows[r] = (struct measured_repetition){seconds * 1.01, seconds, 1e-4 * noise, 1980 - 15 * (r % 2), 10, 9, 9};
    }
}

static uint32_t fill_metrics(uint32_t launches, struct measured_metric *rows)
{
    static const char *const names[] = {
        "achieved_occupancy", "instructions", "thread_instructions", "dram_bytes", "l2_hit_rate",
        "l1_hit_rate",        "cycles",       "issue_active"};
    uint32_t n = 0;
    for (uint32_t launch = 0; launch <= launches; ++launch)
        for (uint32_t i = 0; i < sizeof names / sizeof *names; ++i) {
            rows[n] = (struct measured_metric){.launch = launch < launches ? launch : MEASURED_FRAME, .value = 50 + i};
            snprintf(rows[n++].metric, sizeof rows->metric, "%s", names[i]);
        }
    return n;
}

static uint32_t fill_sites(const struct made *made, const struct measured_launch *launches, uint32_t count_of,
                           struct measured_site *rows)
{
    uint32_t n = 0;
    for (uint32_t launch = 0; launch < count_of; ++launch)
        for (uint32_t site = 0; !launches[launch].auxiliary && site < 4; ++site) {
            const struct bounce_counts counts = count(made, (uint32_t)launches[launch].iteration);
            rows[n++] =
                (struct measured_site){launch, site, 1, counts.active_warps << site, counts.active_paths << site};
        }
    return n;
}

static uint32_t fill_stalls(const struct made *made, uint32_t launches, struct measured_stall *rows)
{
    static const char *const reasons[] = {"selected",         "long_scoreboard", "wait",
                                          "short_scoreboard", "barrier",         "branch"};
    uint32_t n = 0;
    for (uint32_t launch = 0; launch < launches + 40; ++launch)
        for (uint32_t i = 0; i < sizeof reasons / sizeof *reasons; ++i) {
            const bool line = launch >= launches;
            rows[n] = (struct measured_stall){.launch = line ? MEASURED_FRAME : launch,
                                              .line = line ? 10 + launch - launches : 0,
                                              .samples = 100 + launch + i};
            snprintf(rows[n].kernel, sizeof rows->kernel, "%s", made->schedule->variant);
            snprintf(rows[n].file, sizeof rows->file, "%s", line ? "traverse.h" : "");
            snprintf(rows[n++].reason, sizeof rows->reason, "%s", reasons[i]);
        }
    return n;
}

// Texts of real lengths: where a kernel's sources and options are written out.
static void fill_texts(const struct made *made, char *programs, size_t size, struct measurement *measurement)
{
    char options[600] = "";
    size_t used = 0;
    for (int i = 0; i < 12; ++i)
        used += (size_t)snprintf(options + used, sizeof options - used, " -DCONFIG_parameter_%d=(%d)", i,
                                 (int)(made->setting % SCHEDULES) % (i + 2));
    if (measurement)
        snprintf(measurement->provenance, sizeof measurement->provenance,
                 "code %032x, NVRTC 13.0, --gpu-architecture=sm_90 --fmad=false -lineinfo -std=c++17 --maxrregcount=64 "
                 "-no-cache%s, driver 580.159.04 (CUDA 13.0), module %032x",
                 measurement->collection == COLLECTION_COUNTS, options, 7u);
    if (programs)
        snprintf(programs, size,
                 "clean: code %032x, NVRTC 13.0, --gpu-architecture=sm_90 --fmad=false -lineinfo -std=c++17 "
                 "--maxrregcount=64%s; "
                 "counting: code %032x, NVRTC 13.0, --gpu-architecture=sm_90 --fmad=false -lineinfo -std=c++17 "
                 "--maxrregcount=64%s; "
                 "driver 580.159.04 (CUDA 13.0), module %032x; schedule %032x",
                 1u, options, 2u, options, 3u, 4u);
}

// ---- storing it

static void fill_facts(const struct made *made, enum collection kind, struct measurement *measurement)
{
    static struct measured_kernel kernels[] = {
        {.facts = {64, 0, 0, 0}, .resident_warps = 4224},
        {.kernel = "select", .facts = {32, 0, 0, 0}, .block = 128, .resident_warps = 8448, .auxiliary = true}};
    const uint64_t hash = 0x9e3779b97f4a7c15u * (uint64_t)(made->work + 1);
    snprintf(kernels[0].kernel, sizeof kernels[0].kernel, "%s", made->schedule->variant);
    kernels[0].block = made->block;
    *measurement = (struct measurement){.collection = kind,
                                        .stop_reason = "relative_ci",
                                        .prepare_seconds = 4e-3,
                                        .path_hash = hash,
                                        .warp_width = made->warp_width,
                                        .multiprocessors = made->gpu ? 132 : 2,
                                        .times = made->gpu,
                                        .kernels = kernels,
                                        .kernel_count = !strcmp(made->schedule->variant, "whole_frame") ? 2 : 1,
                                        .passes = 12};
    measurement->image = hash_bytes(&hash, sizeof hash);
    measurement->scene_content = hash_bytes(made->row.spec.scene, strlen(made->row.spec.scene));
    snprintf(measurement->device_name, sizeof measurement->device_name, "%s", made->gpu ? "NVIDIA H200" : "emulator");
    snprintf(measurement->driver, sizeof measurement->driver, "580.159.04 (CUDA 13.0)");
    fill_texts(made, NULL, 0, measurement);
    if (made->gpu && kind == COLLECTION_FRAME)
        measurement->before = measurement->after =
            (struct measured_conditions){true, {40, 500, 1980, 3201, DEVICE_THROTTLE_IDLE, 0}};
}

static bool add_attempt(struct maker *maker, const struct made *made, int64_t run, int64_t trial, enum collection kind)
{
    static struct measured_counts counts[2 * SEGMENTS];
    static struct measured_lockstep lockstep[2 * SEGMENTS];
    static struct measured_launch launches[REPETITIONS * 2 * SEGMENTS];
    static struct measured_repetition repetitions[REPETITIONS];
    static struct measured_metric metrics[8 * (2 * SEGMENTS + 1)];
    static struct measured_site sites[8 * SEGMENTS];
    static struct measured_stall stalls[6 * (2 * SEGMENTS + 40)];
    struct measurement measurement;
    const bool timed = kind == COLLECTION_FRAME || kind == COLLECTION_LAUNCHES;
    int64_t attempt;
    fill_facts(made, kind, &measurement);
    if (timed)
        fill_repetitions(made, repetitions);
    measurement.repetitions = repetitions;
    measurement.repetition_count = timed ? REPETITIONS : kind == COLLECTION_COUNTS;
    measurement.launches = launches;
    const uint32_t each = fill_launches(made, launches, kind == COLLECTION_LAUNCHES ? REPETITIONS : 1);
    measurement.launch_count = kind == COLLECTION_FRAME ? 0 : each * (kind == COLLECTION_LAUNCHES ? REPETITIONS : 1);
    measurement.counts = counts;
    measurement.count_count = kind == COLLECTION_COUNTS ? fill_counts(made, counts) : 0;
    measurement.lockstep = lockstep;
    if (kind == COLLECTION_COUNTS && !made->gpu && maker->mix == MIX_STUDY)
        measurement.lockstep_count = fill_lockstep(made, lockstep);
    measurement.metrics = metrics;
    measurement.metric_count = kind == COLLECTION_COUNTERS ? fill_metrics(each, metrics) : 0;
    measurement.sites = sites;
    measurement.site_count = kind == COLLECTION_COUNTERS ? fill_sites(made, launches, each, sites) : 0;
    measurement.stalls = stalls;
    measurement.stall_count = kind == COLLECTION_STALLS ? fill_stalls(made, each, stalls) : 0;
    return store_begin_attempt(maker->store, run, trial, kind, "", &attempt, maker->error) &&
           store_finish_attempt(maker->store, attempt, &measurement, maker->error);
}

static bool add_trial(struct maker *maker, const struct made *made, int64_t run)
{
    static const char policy[] = "warmups=2 min_repetitions=10 max_repetitions=1000 relative_ci=0.01 max_seconds=3 "
                                 "max_temperature=75 gate_seconds=120 shared_device=0";
    char programs[1600], key[HASH_TEXT], content[HASH_TEXT];
    int64_t trial;
    fill_texts(made, programs, sizeof programs, NULL);
    hash_text(hash_bytes(made->row.spec.scene, strlen(made->row.spec.scene)), content);
    const struct trial_provenance provenance = {content,
                                                programs,
                                                made->gpu ? "NVIDIA H200" : "emulator",
                                                made->gpu ? "580.159.04 (CUDA 13.0)" : "",
                                                policy,
                                                "0123456789abcdef0123456789abcdef"};
    bool done = store_trial(maker->store, run, &made->row, &provenance, &trial, key, maker->error);
    for (enum collection kind = COLLECTION_COUNTS; done && kind < COLLECTION_KINDS; ++kind)
        if (made->row.collections >> kind & 1)
            done = add_attempt(maker, made, run, trial, kind);
    return done;
}

static bool begin_runs(struct maker *maker)
{
    for (int i = 0; i < RUNS; ++i) {
        char text[160], label[32];
        snprintf(text, sizeof text, "name: study-%d\nstudy: wald2011\nfixed: {scene: open, variant: naive}\n", i + 1);
        snprintf(label, sizeof label, "night-%d", i + 1);
        struct experiment *experiment = experiment_parse("bench.yaml", text, strlen(text), maker->error);
        const struct run_header header = {
            .label = label, .command_line = "bench", .experiment = experiment_record(experiment)};
        const bool done = experiment && store_begin_run(maker->store, &header, &maker->runs[i], maker->error);
        experiment_free(experiment);
        if (!done)
            return false;
    }
    return true;
}

bool bench_trials(const char *path, enum trial_mix mix, int64_t trials, int64_t shard, struct error *error)
{
    struct maker maker = {.store = store_open(path, STORE_WRITE, error), .mix = mix, .error = error};
    bool done = maker.store && begin_runs(&maker);
    for (int64_t i = 0; done && i < trials; ++i) {
        const struct made made = describe(mix, shard * trials + i, trials);
        done = add_trial(&maker, &made, maker.runs[i * RUNS / trials]);
    }
    for (int i = 0; done && i < RUNS; ++i)
        done = store_end_run(maker.store, maker.runs[i], "complete", error);
    store_close(maker.store);
    return done;
}
