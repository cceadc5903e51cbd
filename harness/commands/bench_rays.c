// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "commands/bench.h"
#include "bench/ray_tail.h"
#include "bench/ray_tracer.h"
#include "plan/device_choice.h"
#include "device/device.h"
#include "run/progress.h"
#include "bench/ray_file.h"

_Static_assert(sizeof(struct ray_input) == sizeof(struct ray_record), "ray_record is uploaded as it is");

enum { REPETITIONS = 20, REPETITIONS_MAX = 10000, SIDE = 1024, SIDE_MAX = 4096 };

static const double t_tolerance = 1e-5;     // of the reference's t
static const double differing_share = 0.01; // of the rays, from which on the hits are wrong

struct bench {
    struct ray_tracer tracer;
    struct ray_scene scene;
    struct ray_sets sets;
    struct ray_output *hits;
    struct ray_work *work; // NULL: nothing is counted
    uint32_t repetitions;
    const char *file; // that the rays come from; NULL: the five sets
    bool wanted[RAY_SET_KINDS];
    // OptiX on the same rays, where the device has it and the tree is another.
    struct ray_tracer optix;
    struct ray_scene optix_scene;
    struct device_tracing tracing; // name "": it is not there
    struct error without;          // why
    struct bench_result {
        double rate; // Mrays/s; NAN where the device has no clock
        uint32_t hit_or_miss, far_t;
        struct hash hash; // of all t and ids
        uint32_t cut;     // rays that the bound cut
        struct ray_tail tail;
        struct ray_idle idle;
        bool idle_known; // where the device has no timer for it, it is not
    } results[RAY_SET_KINDS], optix_results[RAY_SET_KINDS];
};

// ---- what is asked for

static bool choose_sets(struct bench *bench, const struct command_line *line, struct error *error)
{
    const bool all = !command_flag(line, "rays");
    bench->file = command_option(line, "from");
    if (bench->file && (!all || command_flag(line, "size")))
        return error_set(error, ERROR_USE,
                         "bench rays: --from excludes --rays and --size, which select generated rays");
    for (int kind = 0; kind < (bench->file ? 1 : RAY_SET_KINDS); ++kind)
        bench->wanted[kind] = all;
    int kind; // in the order of enum ray_set_kind
    for (size_t place = 0; (kind = command_next_choice(line, "rays", &place)) >= 0;)
        bench->wanted[kind] = true;
    return true;
}

static bool open_scene(struct bench *bench, const struct command_line *line, struct error *error)
{
    const struct parameters *parameters = &bench->tracer.parameters;
    const char *mesh = command_option(line, "mesh"), *name = command_option(line, "scene");
    const struct scene_tree_options tree = execute_tree_options(parameters);
    if (mesh && name)
        return error_set(error, ERROR_USE, "bench rays: --mesh and --scene exclude each other");
    if (!execute_tree_suits(parameters, error))
        return false;
    if (mesh)
        return ray_scene_from_mesh(&bench->scene, mesh, &tree, error);
    struct progress progress;
    progress_start(&progress, 0, false);
    const struct scene_request request = {
        .name = name ? name : "cornell", .tree = tree, .progress = progress_scene, .progress_context = &progress};
    const bool done = ray_scene_from_scene(&bench->scene, &request, error);
    progress_clear(&progress);
    return done;
}

// ---- tracing

static void compare_hits(struct bench_result *result, const struct ray_set *set, const struct ray_output *hits,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const bool hit = hits[i].id != HIT_NONE;
        if (hit != (set->hits[i].id != REFERENCE_MISS))
            ++result->hit_or_miss;
        else if (hit && fabs((double)hits[i].t - set->hits[i].t) > t_tolerance * set->hits[i].t)
            ++result->far_t;
    }
    result->hash = hash_bytes(hits, count * sizeof *hits);
}

static bool time_set(struct bench *bench, struct ray_tracer *tracer, int kind, struct bench_result *result,
                     struct error *error)
{
    const struct ray_set *set = &bench->sets.sets[kind];
    const uint32_t count = bench->sets.count;
    double median;
    if (!ray_tracer_time(tracer, (const struct ray_input *)set->rays, count, bench->repetitions, &median, bench->hits,
                         error))
        return false;
    result->rate = tracer->properties->times ? 1e-6 * (double)count / median : (double)NAN;
    compare_hits(result, set, bench->hits, count);
    return tracer->bound.rounds == 0 || ray_bound_cut(&tracer->bound, &result->cut, error);
}

static bool trace_set(struct bench *bench, int kind, struct error *error)
{
    const struct ray_set *set = &bench->sets.sets[kind];
    const uint32_t count = bench->sets.count;
    struct bench_result *result = &bench->results[kind];
    if (!time_set(bench, &bench->tracer, kind, result, error))
        return false;
    if (bench->work) {
        if (!ray_tracer_count(&bench->tracer, (const struct ray_input *)set->rays, count, bench->work, error))
            return false;
        result->tail = ray_tail_of(bench->work, count, (uint32_t)bench->tracer.parameters.block,
                                   bench->tracer.properties->warp_width);
        return !bench->tracer.properties->times || // it has no timer either
               ray_tracer_idle(&bench->tracer, (const struct ray_input *)set->rays, count, &result->idle_known,
                               &result->idle, error);
    }
    return true;
}

// ---- OptiX

static bool is_traced(const struct bench *bench)
{
    return bench->tracer.parameters.tree == TREE_OPTIX;
}

// Opens it on the device of the other tracer, where it is to be had.
static bool open_optix(struct bench *bench, const struct command_line *line, struct error *error)
{
    struct device *device = bench->tracer.device;
    bench->optix.parameters = parameters_default();
    bench->optix.parameters.tree = TREE_OPTIX;
    bench->optix.parameters.block = bench->tracer.parameters.block;
    if (!device->ops->tracing)
        return true;
    if (!device->ops->tracing(device, &bench->tracing, &bench->without))
        return bench->without.kind == ERROR_UNSUPPORTED || (*error = bench->without, false);
    const struct scene_tree_options tree = execute_tree_options(&bench->optix.parameters);
    return is_traced(bench) || (ray_scene_over(&bench->optix_scene, &bench->scene.mesh, &tree, error) &&
                                ray_tracer_open(&bench->optix, command_device(line, "device"), error) &&
                                ray_tracer_prepare(&bench->optix, &bench->optix_scene, bench->sets.count, error));
}

static bool trace_optix(struct bench *bench, int kind, struct error *error)
{
    return !bench->optix.device || time_set(bench, &bench->optix, kind, &bench->optix_results[kind], error);
}

// ---- report

static void add_result(struct text_table *table, const struct bench_result *result, int row)
{
    char hash[HASH_TEXT];
    hash_text(result->hash, hash);
    switch (row) {
    case 0:
        if (isnan(result->rate))
            text_table_add(table, "not measured");
        else
            text_table_add(table, "%.*f", result->rate < 100 ? 2 : 0, result->rate);
        break;
    case 1: text_table_add(table, "%u", result->hit_or_miss); break;
    case 2: text_table_add(table, "%u", result->far_t); break;
    case 3: text_table_add(table, "%.12s", hash); break;
    case 4: text_table_add(table, "%.1f", result->tail.mean_nodes); break;
    case 5: text_table_add(table, "%u", result->tail.most_nodes); break;
    case 6: text_table_add(table, "%.1f", result->tail.mean_rounds); break;
    case 7: text_table_add(table, "%u", result->tail.most_rounds); break;
    case 8: text_table_add(table, "%.1f", 100 * result->tail.few); break;
    case 11: text_table_add(table, "%u", result->cut); break;
    default:
        if (result->idle_known)
            text_table_add(table, "%.1f", 100 * (row == 9 ? result->idle.idle : result->idle.half_idle));
        else
            text_table_add(table, "not measured");
    }
}

static void add_results(struct text_table *table, const struct bench *bench)
{
    static const char *const names[] = {
        "warpstudy, Mrays/s",
        "rays that differ from the reference in hit or miss",
        "rays that differ in t by more than 1e-5 of it",
        "hash of all hits, the same on every device",
        "inner nodes of a ray, mean",
        "inner nodes of the longest ray",
        "rounds of a warp, mean",
        "rounds of the longest warp",
        "share of warps' rounds with at most 8 rays unfinished, %",
        "idle multiprocessors, mean over the launch, %",
        "share of the launch with fewer than half of the multiprocessors busy, %",
        "rays that the bound cut",
    };
    enum { ROWS = sizeof names / sizeof *names };
    _Static_assert(RAY_TAIL_FEW == 8, "it stands in the name of a row");
    for (int row = 0; row < ROWS; ++row) {
        if (row == ROWS - 1 ? bench->tracer.bound.rounds == 0 : row >= 4 && !bench->work)
            continue;
        text_table_add(table, "%s", names[row]);
        for (int kind = 0; kind < RAY_SET_KINDS; ++kind)
            if (bench->wanted[kind])
                add_result(table, &bench->results[kind], row);
    }
}

static void add_optix(struct text_table *table, const struct bench *bench)
{
    static const char *const names[] = {"Mrays/s", "rays that differ from the reference in hit or miss",
                                        "rays that differ in t by more than 1e-5 of it"};
    for (int row = 0; bench->optix.device && row < 3; ++row) {
        text_table_add(table, "%s: %s", bench->tracing.name, names[row]);
        for (int kind = 0; kind < RAY_SET_KINDS; ++kind)
            if (bench->wanted[kind])
                add_result(table, &bench->optix_results[kind], row);
    }
}

static const struct peer {
    const char *name;
    uint32_t side;
    int rates[RAY_SET_KINDS];
} peers[] = {
#define PEER(name, side, primary, diffuse1, diffuse2, sorted, shuffled)                                                \
    {name, side, {primary, diffuse1, diffuse2, sorted, shuffled}},
#include "commands/bench_peers.def"
#undef PEER
};
enum { PEERS = sizeof peers / sizeof *peers };

// Whether it was measured with these rays.
static bool is_peer(const struct bench *bench, const struct peer *peer)
{
    return !bench->file && bench->scene.published && bench->sets.count == peer->side * peer->side;
}

static void add_peers(struct text_table *table, const struct bench *bench)
{
    for (size_t i = 0; i < PEERS; ++i) {
        if (!is_peer(bench, &peers[i]))
            continue;
        text_table_add(table, "%s", peers[i].name);
        for (int kind = 0; kind < RAY_SET_KINDS; ++kind)
            if (bench->wanted[kind])
                text_table_add(table, "%d", peers[i].rates[kind]);
    }
}

static bool has_peers(const struct bench *bench)
{
    size_t i = 0;
    while (i < PEERS && !is_peer(bench, &peers[i]))
        ++i;
    return i < PEERS;
}

static void print_optix(const struct bench *bench)
{
    const struct device_structure *structure =
        is_traced(bench) ? &bench->tracer.uploaded.structure : &bench->optix.uploaded.structure;
    if (bench->without.kind)
        printf("OptiX is not measured: %s\n", bench->without.message);
    else if (structure->bytes)
        command_print_structure(structure, &bench->tracing, bench->scene.mesh.triangle_count);
}

static bool any_idle_known(const struct bench *bench)
{
    int kind = 0;
    while (kind < RAY_SET_KINDS && !bench->results[kind].idle_known)
        ++kind;
    return kind < RAY_SET_KINDS;
}

static void print_setting(const struct bench *bench)
{
    const struct ray_bound *bound = &bench->tracer.bound;
    const struct device_kernel_facts facts =
        bench->tracer.device->ops->facts(bound->rounds > 0 ? bound->first : bench->tracer.kernel);
    char traversal[32];
    const struct parameter *parameter = parameter_find("traversal");
    parameter_format(parameter, bench->tracer.parameters.traversal, traversal, sizeof traversal);
    printf("%s: %u triangles, %u nodes; %u rays per set%s\n%s, %lld lanes per block", bench->scene.title,
           bench->scene.mesh.triangle_count, bench->scene.view.node_count, bench->sets.count,
           has_peers(bench) ? ", the published ones" : "", traversal, (long long)bench->tracer.parameters.block);
    if (facts.registers > 0)
        printf(", %d registers", facts.registers);
    if (bound->rounds > 0)
        printf(", at most %u rounds", bound->rounds);
    printf(", on %s; ", bench->tracer.properties->name);
    if (bench->tracer.properties->times)
        printf("median of %u, kernel alone\n", bench->repetitions);
    else
        printf("it has no clock, so hits are checked and nothing is timed\n");
    if (bench->work && !any_idle_known(bench))
        printf("it has no timer that its kernels could read, so idle multiprocessors are not measured\n");
    if (has_peers(bench))
        printf("rows with other names: published kernels on these rays, Mrays/s on one NVIDIA H200, CUDA 13.0\n");
    else if (!bench->file)
        printf(
            "published rates are shown for their own rays only: --mesh with Crytek Sponza, at 1024 pixels per side\n");
    print_optix(bench);
    putchar('\n');
}

static void print_bench(const struct bench *bench, enum text_format format)
{
    struct text_table table = {.columns = 1};
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind)
        table.columns += bench->wanted[kind];
    text_table_add(&table, "kernel");
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind)
        if (bench->wanted[kind])
            text_table_add(&table, "%s", bench->sets.sets[kind].name);
    add_results(&table, bench);
    add_optix(&table, bench);
    add_peers(&table, bench);
    if (format == TEXT_TABLE)
        print_setting(bench);
    text_table_print(&table, format);
    text_table_finish(&table);
}

static bool check_hits(const struct bench *bench, struct error *error)
{
    for (int kind = 0; kind < RAY_SET_KINDS; ++kind) {
        const uint32_t differing = bench->results[kind].hit_or_miss + bench->results[kind].far_t;
        if ((double)differing > differing_share * (double)bench->sets.count)
            return error_set(error, ERROR_FAILED, "%s: %u of %u hits differ from the reference; at most %g %% may",
                             bench->sets.sets[kind].name, differing, bench->sets.count, 100 * differing_share);
    }
    return true;
}

static bool open_device(struct bench *bench, const struct command_line *line, struct error *error)
{
    const char *spec = command_device(line, "device");
    if (device_is(spec, DEVICE_NOTHING))
        return error_set(error, ERROR_USE, "bench rays: device %s traces nothing", spec);
    return device_check_usable(spec, error) && ray_tracer_open(&bench->tracer, spec, error);
}

static void finish_bench(struct bench *bench)
{
    ray_tracer_finish(&bench->tracer);
    ray_tracer_finish(&bench->optix);
    ray_scene_finish(&bench->optix_scene);
    free(bench->hits);
    free(bench->work);
    ray_sets_finish(&bench->sets);
    ray_scene_finish(&bench->scene);
}

static bool read_bound(struct bench *bench, const struct command_line *line, struct error *error)
{
    long long rounds;
    if (!command_integer(line, "bound", 1, RAY_BOUND_ROUNDS_MAX, 0, &rounds, error))
        return false;
    bench->tracer.bound.rounds = (uint32_t)rounds;
    if (rounds > 0 && command_flag(line, "count"))
        return error_set(error, ERROR_USE,
                         "bench rays: --count counts the traversal without a bound, so it excludes --bound");
    return ray_tracer_suits(&bench->tracer, error);
}

static bool run_bench(struct bench *bench, const struct command_line *line, struct error *error)
{
    long long side, repetitions;
    if (is_traced(bench) && command_flag(line, "count"))
        return error_set(error, ERROR_USE,
                         "bench rays: --count counts steps of our own traversal, and OptiX tells none");
    if (!read_bound(bench, line, error) || !choose_sets(bench, line, error) ||
        !command_integer(line, "size", 1, SIDE_MAX, SIDE, &side, error) ||
        !open_scene(bench, line, error) || // it forks, so before the device has threads
        !open_device(bench, line, error) ||
        !command_integer(line, "repetitions", 1, REPETITIONS_MAX, bench->tracer.properties->times ? REPETITIONS : 1,
                         &repetitions, error))
        return false;
    const struct ray_set_view view = ray_scene_view(&bench->scene);
    bench->repetitions = (uint32_t)repetitions;
    const struct ray_mesh *mesh = &bench->scene.mesh;
    bool done = (bench->file ? ray_file_read(bench->file, mesh, &bench->sets, error)
                             : ray_sets_make(mesh, &view, (uint32_t)side, 0, &bench->sets, error)) &&
                ray_tracer_prepare(&bench->tracer, &bench->scene, bench->sets.count, error) &&
                open_optix(bench, line, error);
    if (done)
        bench->hits = memory_new(bench->sets.count, sizeof *bench->hits);
    if (done && command_flag(line, "count"))
        bench->work = memory_new(bench->sets.count, sizeof *bench->work);
    for (int kind = 0; done && kind < RAY_SET_KINDS; ++kind)
        done = !bench->wanted[kind] || (trace_set(bench, kind, error) && trace_optix(bench, kind, error));
    if (done)
        print_bench(bench, (enum text_format)command_choice(line, "format"));
    return done && check_hits(bench, error);
}

bool bench_rays(const struct command_line *line, struct error *error)
{
    struct bench bench = {.tracer = {.parameters = parameters_default()}};
    const bool done =
        command_set_of(line, TREE_PARAMETERS ", " TRAVERSAL_PARAMETERS, &bench.tracer.parameters, error) &&
        run_bench(&bench, line, error);
    finish_bench(&bench);
    return done;
}
