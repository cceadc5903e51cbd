// SPDX-License-Identifier: MIT
// Sort, scan and rank within blocks (lib/block.h) beside CUB's on a GPU: 256 lanes, an item a lane, 30-bit keys. Exits with 77
// where there is no GPU, and with 1 where a result is wrong; rates are printed and never judged.
#include <stdio.h>
#include <string.h>

#include "bench_blocks_cub.h"
#include "block_reference.h"
#include "device/cuda/backend.h"

#define COUNTING 0
#include "lib/queue.h"

#define BOTH(...)                                                                                                      \
    __VA_ARGS__                                                                                                        \
    static const char block_text[] = #__VA_ARGS__ "\n";
#include "block_kernels.h"

enum {
    SKIPPED = 77,
    REPETITIONS = 20,
    WARM_UP = 5,
    BLOCKS_PER_MULTIPROCESSOR = 64, // eight times as many as can be there at once
    ROUNDS = 64,
    CHECKED = 48,      // blocks that are compared with the host's, evenly spread
    TIED = 0x20000003, // of keys: eight values, so that only a stable sort is right
};

struct operation {
    const char *name, *kernel; // ours
    uint32_t mask;
    bool flags, sort;
};
static const struct operation operations[] = {
    {"sort", "block_sort_rounds", 0x3FFFFFFF, false, true},
    {"scan", "block_scan_rounds", 0x3FFFFFFF, false, false},
    {"rank", "block_rank_rounds", 1, true, false},
};

// CUB's side of an operation: three a piece, the first of which is what CUB takes where nothing is said.
enum { OPERATIONS = sizeof operations / sizeof *operations, PEERS = 3, SIDES = PEERS + 1 };
static const char *const peers[OPERATIONS * PEERS] = {
    "BlockRadixSort, 4 bits a pass (default)",
    "BlockRadixSort, 5 bits a pass",
    "BlockRadixSort, 6 bits a pass",
    "BlockScan, raking (default)",
    "BlockScan, raking memoize",
    "BlockScan, warp scans",
    "BlockScan of flags, raking (default)",
    "BlockScan of flags, raking memoize",
    "BlockScan of flags, warp scans",
};

struct bench {
    struct device *device;
    const struct device_ops *ops;
    struct device_program *program;
    struct device_stream *stream;
    struct device_event *from, *to;
    uint32_t blocks, lanes;
    uint32_t *in, *in_there, *out_there, *out[2]; // what a side has computed, and ours
    struct error error;
};

// ---- one launch

static struct block_test_args args_of(const struct bench *bench, uint32_t mask)
{
    return (struct block_test_args){
        .in = bench->in_there, .out = bench->out_there, .key_bits = BENCH_KEY_BITS, .rounds = ROUNDS, .mask = mask};
}

static bool launch_ours(struct bench *bench, const struct operation *operation, uint32_t mask)
{
    const struct block_test_args args = args_of(bench, mask);
    const struct device_launch launch = {
        .kernel = bench->ops->kernel(bench->program, operation->kernel, &bench->error),
        .grid = bench->blocks,
        .block = BENCH_BLOCK,
        .shared_bytes =
            sizeof(uint32_t) * (operation->sort ? block_sort_words(BENCH_BLOCK, 32) : scan_words(BENCH_BLOCK)),
        .args = &args,
        .args_size = sizeof args};
    return launch.kernel && bench->ops->launch(bench->device, bench->stream, &launch, &bench->error);
}

static bool launch_cub(struct bench *bench, enum cub_operation operation, uint32_t mask)
{
    const struct cub_rounds rounds = {bench->in_there, bench->out_there, BENCH_KEY_BITS, ROUNDS, mask};
    const int result = cub_launch(operation, bench->blocks, &rounds, cuda_stream_of(bench->stream));
    return result == 0 || error_set(&bench->error, ERROR_FAILED, "CUB's %s: %s", peers[operation], cub_words(result));
}

// Side 0 is ours, the others are CUB's.
static bool launch(struct bench *bench, int operation, int side, uint32_t mask)
{
    return side == 0 ? launch_ours(bench, &operations[operation], mask)
                     : launch_cub(bench, (enum cub_operation)(operation * PEERS + side - 1), mask);
}

// ---- what comes out

static bool right_on_host(const struct bench *bench, const struct operation *operation, uint32_t mask)
{
    uint32_t expected[2 * BENCH_BLOCK];
    for (uint32_t i = 0; i < CHECKED; ++i) {
        const uint32_t first = (uint32_t)((uint64_t)i * (bench->blocks - 1) / (CHECKED - 1)) * BENCH_BLOCK;
        if (operation->sort)
            sort_rounds_plainly(bench->in + first, BENCH_BLOCK, ROUNDS, mask, expected);
        else
            scan_rounds_plainly(bench->in + first, BENCH_BLOCK, ROUNDS, mask, operation->flags, expected);
        if (memcmp(bench->out[0] + 2 * (size_t)first, expected, sizeof expected) != 0)
            return false;
    }
    return true;
}

static bool read_result(struct bench *bench, int side)
{
    return bench->ops->download(bench->device, bench->stream, bench->out[side > 0], bench->out_there,
                                2 * sizeof(uint32_t) * bench->lanes, &bench->error) &&
           bench->ops->synchronize(bench->device, bench->stream, &bench->error);
}

// Ours against the host's in some blocks; CUB's against ours in all.
static bool check_side(struct bench *bench, int operation, int side, uint32_t mask)
{
    const size_t bytes = 2 * sizeof(uint32_t) * bench->lanes;
    if (!bench->ops->fill(bench->device, bench->stream, bench->out_there, 0xCD, bytes, &bench->error) ||
        !launch(bench, operation, side, mask) || !read_result(bench, side))
        return false;
    if (side == 0)
        return right_on_host(bench, &operations[operation], mask) ||
               error_set(&bench->error, ERROR_FAILED, "our %s is not what the host computes",
                         operations[operation].name);
    return memcmp(bench->out[0], bench->out[1], bytes) == 0 ||
           error_set(&bench->error, ERROR_FAILED, "ours and CUB's %s differ", peers[operation * PEERS + side - 1]);
}

static bool check_operation(struct bench *bench, int operation)
{
    const uint32_t masks[] = {operations[operation].mask, operations[operation].sort ? TIED : 0x30};
    for (int m = 0; m < 2; ++m)
        for (int side = 0; side < SIDES; ++side)
            if (!check_side(bench, operation, side, masks[m]))
                return false;
    return true;
}

// ---- times

static int compare_doubles(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double values[REPETITIONS])
{
    qsort(values, REPETITIONS, sizeof *values, compare_doubles);
    return (values[REPETITIONS / 2 - 1] + values[REPETITIONS / 2]) / 2;
}

static bool time_once(struct bench *bench, int operation, int side, double *seconds)
{
    return bench->ops->record(bench->device, bench->stream, bench->from, &bench->error) &&
           launch(bench, operation, side, operations[operation].mask) &&
           bench->ops->record(bench->device, bench->stream, bench->to, &bench->error) &&
           bench->ops->synchronize(bench->device, bench->stream, &bench->error) &&
           bench->ops->elapsed(bench->device, bench->from, bench->to, seconds, &bench->error);
}

// Prints a line for each side. The sides take turns, so that all see the same clocks.
static bool time_operation(struct bench *bench, int operation)
{
    double seconds[SIDES][REPETITIONS], ratios[REPETITIONS];
    for (int repetition = -WARM_UP; repetition < REPETITIONS; ++repetition)
        for (int side = 0; side < SIDES; ++side) {
            double once;
            if (!time_once(bench, operation, side, &once))
                return false;
            seconds[side][repetition < 0 ? 0 : repetition] = once;
        }
    const double items = (double)bench->lanes * ROUNDS * 1e-9;
    for (int side = 0; side < SIDES; ++side) {
        double times[REPETITIONS];
        for (int i = 0; i < REPETITIONS; ++i)
            ratios[i] = seconds[side][i] / seconds[0][i];
        memcpy(times, seconds[side], sizeof times);
        const double rate = items / median(times);
        const char *name = side ? peers[operation * PEERS + side - 1] : "ours";
        if (side == 0)
            printf("%-6s %-40s %10.2f\n", operations[operation].name, name, rate);
        else
            printf("%-6s CUB: %-35s %10.2f %11.2f\n", operations[operation].name, name, rate, median(ratios));
    }
    fflush(stdout);
    return true;
}

// ---- all of it

static bool build(struct bench *bench)
{
    static char text[sizeof block_text + 128];
    snprintf(text, sizeof text, "#define CONFIG_tickets 0\n#include \"lib/queue.h\"\n%s", block_text);
    bench->program = cuda_build_source(bench->device, "lib/platform.h", text, &bench->error);
    return bench->program != NULL;
}

static bool prepare(struct bench *bench)
{
    const struct device_ops *ops = bench->ops = bench->device->ops;
    bench->blocks = ops->properties(bench->device)->multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    bench->lanes = bench->blocks * BENCH_BLOCK;
    const size_t bytes = sizeof(uint32_t) * bench->lanes;
    bench->in = malloc(bytes);
    for (int i = 0; i < 2; ++i)
        bench->out[i] = malloc(2 * bytes);
    if (!bench->in || !bench->out[0] || !bench->out[1])
        return error_set(&bench->error, ERROR_SYSTEM, "no memory for %zu bytes", 5 * bytes);
    for (uint32_t i = 0; i < bench->lanes; ++i)
        bench->in[i] = (i + 1) * 2654435761u ^ i << 13;
    bench->stream = ops->create_stream(bench->device, &bench->error);
    bench->from = ops->create_event(bench->device, &bench->error);
    bench->to = ops->create_event(bench->device, &bench->error);
    bench->in_there = ops->alloc(bench->device, bytes, &bench->error);
    bench->out_there = ops->alloc(bench->device, 2 * bytes, &bench->error);
    return bench->stream && bench->from && bench->to && bench->in_there && bench->out_there && build(bench) &&
           ops->upload(bench->device, NULL, bench->in_there, bench->in, bytes, &bench->error);
}

static void finish(struct bench *bench)
{
    const struct device_ops *ops = bench->ops;
    ops->release_program(bench->device, bench->program);
    ops->release(bench->device, bench->in_there);
    ops->release(bench->device, bench->out_there);
    if (bench->from)
        ops->destroy_event(bench->device, bench->from);
    if (bench->to)
        ops->destroy_event(bench->device, bench->to);
    if (bench->stream)
        ops->destroy_stream(bench->device, bench->stream);
    ops->close(bench->device);
    free(bench->in);
    free(bench->out[0]);
    free(bench->out[1]);
}

static bool run(struct bench *bench)
{
    if (!prepare(bench))
        return false;
    const struct device_properties *p = bench->ops->properties(bench->device);
    printf("%s, driver %s: %u blocks of %d lanes, an item a lane, %d rounds; %d-bit keys; median of %d\n", p->name,
           p->driver, (unsigned)bench->blocks, BENCH_BLOCK, ROUNDS, BENCH_KEY_BITS, REPETITIONS);
    printf("%-6s %-40s %10s %11s\n", "", "", "Gitems/s", "ours / CUB");
    for (int operation = 0; operation < OPERATIONS; ++operation)
        if (!check_operation(bench, operation) || !time_operation(bench, operation))
            return false;
    printf("results: as the host's in %d blocks, and ours as CUB's in all\n", CHECKED);
    return true;
}

int main(void)
{
    const char *why = cuda_backend.unavailable();
    if (why) {
        printf("skipped: bench_blocks needs an NVIDIA GPU: %s\n", why);
        return SKIPPED;
    }
    struct bench bench = {0};
    bench.device = cuda_backend.open(NULL, &bench.error);
    const bool done = bench.device && run(&bench);
    if (!done) {
        char text[2048];
        error_format(&bench.error, text, sizeof text);
        fprintf(stderr, "bench_blocks: %s\n", text);
    }
    if (bench.device)
        finish(&bench);
    error_clear(&bench.error);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
