// SPDX-License-Identifier: MIT
// The cuda backend's timeline on a real GPU, through the seam, on kernels of known lanes. Exits with 77 where there is no GPU
// or it cannot be sampled. Needs no test library.
#include <math.h>
#include <string.h>

#include "cuda_check.h"
#include "device/cuda/sources.h"

enum { BLOCK = 256, BLOCKS = 4, LOOPS = 40000, INTERVAL = 2000, WINDOW = 20000000 };

// ---- kernels

// The first `lanes` of each warp make a long loop.
static const char kernel_text[] = "struct work_args { float *out; uint32_t lanes, loops; };\n"
                                  "KERNEL(work, struct work_args)\n"
                                  "{\n"
                                  "    const uint32_t i = block_index() * block_size() + thread_index();\n"
                                  "    float x = (float)i;\n"
                                  "    if (lane_index() < args->lanes)\n"
                                  "        for (uint32_t k = 0; k < args->loops; ++k)\n"
                                  "            x = fmaf(x, 0.5f, 1.0f);\n"
                                  "    args->out[i] = x;\n"
                                  "}\n";

struct work_args {
    float *out;
    uint32_t lanes, loops;
};

struct workload {
    struct device_program *program;
    const struct device_kernel *kernel;
    void *out;
    uint32_t blocks;
};

static bool workload_init(struct workload *work)
{
    *work = (struct workload){.blocks = BLOCKS * ops->properties(device)->multiprocessors};
    work->program = cuda_build_source(device, "lib/platform.h", kernel_text, &error);
    work->kernel = work->program ? ops->kernel(work->program, "work", &error) : NULL;
    work->out = ops->alloc(device, (size_t)work->blocks * BLOCK * sizeof(float), &error);
    return work->kernel && work->out;
}

static bool launch(const struct workload *work, uint32_t blocks, uint32_t lanes)
{
    const struct work_args args = {work->out, lanes, LOOPS};
    const struct device_launch launch = {
        .kernel = work->kernel, .grid = blocks, .block = BLOCK, .args = &args, .args_size = sizeof args};
    return ops->launch(device, NULL, &launch, &error);
}

// ---- one kernel at a time

struct reading {
    size_t inside;
    double seconds, lanes, mean_warps, active, instructions; // of samples inside the kernel; of all samples
};

static struct reading read(const struct device_timeline *taken)
{
    const struct device_timeline_kernel *kernel = &taken->kernels[0];
    struct device_timeline_sample sum = {0};
    struct reading reading = {.seconds = 1e-9 * (double)(kernel->end - kernel->start)};
    for (size_t i = 0; i < taken->sample_count; ++i) {
        const struct device_timeline_sample *sample = &taken->samples[i];
        reading.instructions += (double)sample->instructions;
        if (sample->start < kernel->start || sample->end > kernel->end)
            continue;
        reading.inside += 1;
        sum.cycles += sample->cycles;
        sum.active_cycles += sample->active_cycles;
        sum.instructions += sample->instructions;
        sum.thread_instructions += sample->thread_instructions;
        sum.warp_cycles += sample->warp_cycles;
    }
    reading.lanes = (double)sum.thread_instructions / (double)sum.instructions;
    reading.mean_warps = (double)sum.warp_cycles / (double)sum.cycles;
    reading.active = ops->properties(device)->multiprocessors * (double)sum.active_cycles / (double)sum.cycles;
    return reading;
}

static bool sample(const struct workload *work, uint32_t blocks, uint32_t lanes, struct reading *reading)
{
    struct device_timeline taken;
    if (!CHECK(counters->timeline_begin(device, true, &error)) || !CHECK(launch(work, blocks, lanes)) ||
        !CHECK(counters->timeline_end(device, &taken, &error)) || !CHECK(taken.kernel_count == 1))
        return false;
    *reading = read(&taken);
    return true;
}

// By the range profiler, once the timeline is closed.
static double count_instructions(const struct workload *work, uint32_t blocks, uint32_t lanes)
{
    static const char *const names[] = {"smsp__inst_executed.sum"};
    struct device_profile *profile = counters->profile_create(device, names, 1, 1, &error);
    bool complete = false;
    double value = NAN;
    while (profile && !complete)
        if (!counters->profile_begin_pass(profile, &error) || !counters->profile_push(profile, &error) ||
            !launch(work, blocks, lanes) || !counters->profile_pop(profile, &error) ||
            !counters->profile_end_pass(profile, &complete, &error))
            break;
    CHECK(complete && counters->profile_values(profile, &value, 1, &error));
    counters->profile_destroy(profile);
    return value;
}

static const struct known {
    uint32_t blocks, lanes; // blocks 0: enough for all multiprocessors
} known[] = {{0, 32}, {0, 8}, {4, 32}, {0, 1}};
enum { KNOWN = sizeof known / sizeof *known };

static void check_known(const struct workload *work)
{
    struct reading readings[KNOWN] = {{0}};
    char what[200];
    for (size_t i = 0; i < KNOWN; ++i)
        if (!sample(work, known[i].blocks ? known[i].blocks : work->blocks, known[i].lanes, &readings[i]))
            return;
    counters->end(device);
    for (size_t i = 0; i < KNOWN; ++i) {
        const uint32_t blocks = known[i].blocks ? known[i].blocks : work->blocks;
        const double counted = count_instructions(work, blocks, known[i].lanes);
        const double active = known[i].blocks ? known[i].blocks : ops->properties(device)->multiprocessors;
        const struct reading *got = &readings[i];
        snprintf(
            what, sizeof what,
            "%u blocks, %u lanes: %.4f lanes, %.2f multiprocessors, %.2f warps in %zu samples of %.1f us; instructions "
            "%.0f, counted %.0f: %+.4f %%",
            (unsigned)blocks, (unsigned)known[i].lanes, got->lanes, got->active, got->mean_warps, got->inside,
            got->seconds * 1e6, got->instructions, counted, 100 * (got->instructions / counted - 1));
        check(got->inside > 20 && fabs(got->lanes - known[i].lanes) < 0.1 &&
                  fabs(got->active - active) < 0.05 * active && fabs(got->instructions / counted - 1) < 0.01,
              what, __LINE__);
    }
}

// ---- order

static void check_order(void)
{
    struct device_timeline taken;
    CHECK(!counters->timeline_begin(device, true, &error) && error.kind == ERROR_USE);
    CHECK(!counters->timeline_end(device, &taken, &error) && error.kind == ERROR_USE);
    CHECK(!counters->timeline_prepare(device, INTERVAL, WINDOW, &error) && error.kind == ERROR_USE);
    if (!CHECK(counters->timeline_open(device, &error)))
        return;
    CHECK(!counters->timeline_open(device, &error) && error.kind == ERROR_USE);
    CHECK(!counters->timeline_begin(device, true, &error) && error.kind == ERROR_USE); // not prepared
    CHECK(!counters->stalls_begin(device, &error) && error.kind == ERROR_USE);
    CHECK(!counters->timeline_prepare(device, 499, WINDOW, &error) && error.kind == ERROR_UNSUPPORTED);
    counters->end(device);
    counters->end(device); // once more is nothing
}

// Kernels of a trace, in order, without samples.
static void check_trace(const struct workload *work)
{
    struct device_timeline taken = {0};
    CHECK(counters->timeline_begin(device, false, &error) && launch(work, 4, 32) && launch(work, 8, 8) &&
          launch(work, 4, 1) && counters->timeline_end(device, &taken, &error));
    CHECK(taken.kernel_count == 3 && taken.sample_count == 0);
    for (size_t i = 0; i < taken.kernel_count; ++i)
        CHECK(taken.kernels[i].start < taken.kernels[i].end &&
              (!i || taken.kernels[i].start >= taken.kernels[i - 1].end));
}

// Much more than what was prepared for: refused, and what comes after is as before.
static void check_overflow(const struct workload *work)
{
    struct device_timeline taken;
    bool launched = true;
    if (!CHECK(counters->timeline_open(device, &error)) ||
        !CHECK(counters->timeline_prepare(device, 500, 100000, &error)) ||
        !CHECK(counters->timeline_begin(device, true, &error)))
        return;
    for (int i = 0; i < 400; ++i)
        launched = launched && launch(work, work->blocks, 32);
    CHECK(launched && !counters->timeline_end(device, &taken, &error) && error.kind == ERROR_FAILED);
    counters->end(device);
}

static void check_with(const struct workload *work)
{
    check_order();
    for (int round = 0; round < 2; ++round) {
        if (!CHECK(counters->timeline_open(device, &error)))
            return;
        check_trace(work);
        if (CHECK(counters->timeline_prepare(device, INTERVAL, WINDOW, &error)))
            check_known(work);
        counters->end(device);
        if (!round)
            check_overflow(work);
    }
}

static void check_everything(void)
{
    struct workload work;
    if (CHECK(workload_init(&work)))
        check_with(&work);
    ops->release(device, work.out);
    ops->release_program(device, work.program);
}

int main(void)
{
    return check_all(check_everything);
}
