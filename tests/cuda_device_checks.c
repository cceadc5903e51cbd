// SPDX-License-Identifier: MIT
// Clocks, conditions, carve-outs, read-backs, building ahead and faults of the cuda backend.
#include "cuda_device_checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/cuda/backend.h"
#include "trial/execute_settings.h"

static const char kernel_text[] = "#define CONFIG_sampler 0\n"
                                  "struct spin_args { uint32_t *out; uint64_t rounds; };\n"
                                  "KERNEL(spin, struct spin_args)\n"
                                  "{\n"
                                  "    uint32_t x = thread_index();\n"
                                  "    for (uint64_t i = 0; i < args->rounds; ++i)\n"
                                  "        x = x * 1664525u + 1013904223u;\n"
                                  "    if (x == 1u)\n"
                                  "        *args->out = x;\n"
                                  "}\n"
                                  "KERNEL(meet, struct spin_args)\n" // raises its flag, and waits for the other's
                                  "{\n"
                                  "    volatile uint32_t *flags = args->out;\n"
                                  "    const uint64_t own = args->rounds & 1u;\n"
                                  "    flags[own] = 1u;\n"
                                  "    for (uint64_t i = 0; i < args->rounds && !flags[1u - own]; ++i)\n"
                                  "        continue;\n"
                                  "    flags[2u + own] = flags[1u - own];\n"
                                  "}\n"
                                  "KERNEL(illegal, struct spin_args) { *args->out = 1u; }\n"
                                  "KERNEL(misaligned, struct spin_args)\n"
                                  "{ *(uint64_t *)((char *)args->out + 4) = args->rounds; }\n"
                                  "KERNEL(trap, struct spin_args) { if (args->rounds) __trap(); }\n";

struct spin_args {
    uint32_t *out;
    uint64_t rounds;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint32_t mix(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352dU;
    x = (x ^ (x >> 15)) * 0x846ca68bU;
    return x ^ (x >> 16);
}

struct device_program *build_conduct(struct device *device)
{
    return cuda_build_source(device, "lib/platform.h", kernel_text, &error);
}

// ---- clocks and conditions

static bool spin(struct device *device, struct device_stream *stream, struct device_program *program, uint64_t rounds,
                 uint32_t grid, uint32_t carveout)
{
    const struct spin_args args = {NULL, rounds};
    const struct device_launch launch = {.kernel = device->ops->kernel(program, "spin", &error),
                                         .grid = grid,
                                         .block = 64,
                                         .args = &args,
                                         .args_size = sizeof args,
                                         .carveout = carveout};
    return launch.kernel && device->ops->launch(device, stream, &launch, &error);
}

void check_clock(struct device *device, struct device_program *program)
{
    const struct device_ops *ops = device->ops;
    struct device_stream *stream = ops->create_stream(device, &error);
    double mhz[3] = {0};
    CHECK(!ops->clock_read(device, &mhz[0], &error) && error.kind == ERROR_USE);
    for (int i = 0; i < 3; ++i) { // the last one is empty: too short for the timer
        CHECK(ops->clock_stamp(device, stream, false, &error));
        CHECK(i == 2 || spin(device, stream, program, 2000000, 1000, 0));
        CHECK(ops->clock_stamp(device, stream, true, &error) && ops->synchronize(device, stream, &error) &&
              ops->clock_read(device, &mhz[i], &error));
    }
    printf("clock: %.1f and %.1f MHz over %s; over nothing %g\n", mhz[0], mhz[1], "a few ms", mhz[2]);
    CHECK(mhz[0] > 100 && mhz[0] < 5000 && mhz[1] > 100 && mhz[1] < 5000);
    CHECK(isnan(mhz[2]));
    ops->destroy_stream(device, stream);
}

void check_asynchrony(struct device *device, struct device_program *program)
{
    enum { N = 4 << 20 };
    const struct device_ops *ops = device->ops;
    struct device_stream *stream = ops->create_stream(device, &error);
    struct device_event *events[3];
    uint32_t *words[4], *count = ops->alloc(device, 4, &error);
    uint8_t *flags = ops->alloc(device, N, &error);
    for (int i = 0; i < 3; ++i)
        CHECK((events[i] = ops->create_event(device, &error)) != NULL);
    for (int i = 0; i < 4; ++i)
        CHECK((words[i] = ops->alloc(device, (size_t)N * 4, &error)) != NULL &&
              ops->fill(device, stream, words[i], 7, (size_t)N * 4, &error));
    CHECK(count && flags && ops->fill(device, stream, flags, 1, N, &error));
    double waited = 0, all = 0, seconds[2] = {0};
    for (int round = 0; round < 2; ++round) { // the first makes the workspace
        const double from = now();
        CHECK(spin(device, stream, program, 30000000, 1, 0) && ops->record(device, stream, events[0], &error) &&
              ops->select_flagged(device, stream, NULL, flags, words[0], count, N, &error) &&
              ops->record(device, stream, events[1], &error) &&
              ops->sort_pairs(device, stream, words[0], words[1], words[2], words[3], N, 32, &error) &&
              ops->record(device, stream, events[2], &error));
        waited = now() - from;
        CHECK(ops->synchronize(device, stream, &error));
        all = now() - from;
    }
    CHECK(ops->elapsed(device, events[0], events[1], &seconds[0], &error) &&
          ops->elapsed(device, events[1], events[2], &seconds[1], &error));
    printf("asynchrony: enqueued in %.3f ms what took %.1f ms; select of %d: %.1f us, sort: %.1f us\n", waited * 1e3,
           all * 1e3, (int)N, seconds[0] * 1e6, seconds[1] * 1e6);
    CHECK(all > 0.005 && waited < 0.2 * all);
    for (int i = 0; i < 3; ++i)
        ops->destroy_event(device, events[i]);
    for (int i = 0; i < 4; ++i)
        ops->release(device, words[i]);
    ops->release(device, flags);
    ops->release(device, count);
    ops->destroy_stream(device, stream);
}

// Two kernels that wait for each other, each on a stream of its own, both get through; what waits for an event on
// another stream sees all that came before it there.
void check_streams(struct device *device, struct device_program *program)
{
    enum { WORDS = 4 };
    const struct device_ops *ops = device->ops;
    struct device_stream *streams[2] = {ops->create_stream(device, &error), ops->create_stream(device, &error)};
    struct device_event *event = ops->create_event(device, &error);
    const struct device_kernel *meet = ops->kernel(program, "meet", &error);
    uint32_t *there = ops->alloc(device, WORDS * 4, &error), back[WORDS] = {0}, after = 0;
    CHECK(streams[0] && streams[1] && event && meet && there && ops->fill(device, NULL, there, 0, WORDS * 4, &error));
    for (uint64_t i = 0; i < 2; ++i) {
        const struct spin_args args = {there, 2000000000u + i};
        const struct device_launch launch = {
            .kernel = meet, .grid = 1, .block = 1, .args = &args, .args_size = sizeof args};
        CHECK(ops->launch(device, streams[i], &launch, &error));
    }
    CHECK(ops->synchronize(device, NULL, &error) && ops->download(device, NULL, back, there, WORDS * 4, &error));
    CHECK(back[2] == 1 && back[3] == 1);
    CHECK(spin(device, streams[0], program, 30000000, 1, 0) && ops->fill(device, streams[0], there, 0x5A, 4, &error) &&
          ops->record(device, streams[0], event, &error) && ops->wait(device, streams[1], event, &error) &&
          ops->download(device, streams[1], &after, there, 4, &error) && ops->synchronize(device, streams[1], &error));
    CHECK(after == 0x5A5A5A5Au);
    ops->release(device, there);
    ops->destroy_event(device, event);
    for (int i = 0; i < 2; ++i)
        ops->destroy_stream(device, streams[i]);
}

void check_conditions(struct device *device)
{
    struct device_conditions c;
    CHECK(device->ops->conditions(device, &c, &error));
    const double from = now();
    CHECK(device->ops->conditions(device, &c, &error));
    printf("conditions: %.0f C, %.0f W, SM %.0f MHz, memory %.0f MHz, throttle %#x, %d foreign (%.1f ms)\n",
           c.temperature, c.power, c.sm_mhz, c.memory_mhz, (unsigned)c.throttle, (int)c.foreign_processes,
           (now() - from) * 1e3);
    CHECK(isnan(c.temperature) || (c.temperature > 0 && c.temperature < 120));
    CHECK(isnan(c.power) || (c.power > 1 && c.power < 2000));
    CHECK(isnan(c.sm_mhz) || (c.sm_mhz > 50 && c.sm_mhz < 5000));
    CHECK(c.foreign_processes >= -1);
}

void check_carveout(struct device *device, struct device_program *program)
{
    for (uint32_t percent = 0; percent <= 100; percent += 25)
        CHECK(spin(device, NULL, program, 1, 1, percent));
    CHECK(spin(device, NULL, program, 1, 1, 0));
    CHECK(!spin(device, NULL, program, 1, 1, 101) && error.kind == ERROR_USE);
    CHECK(device->ops->synchronize(device, NULL, &error));
    enum { LAUNCHES = 20000 };
    double each[2];
    for (int change = 0; change < 2; ++change) {
        const double from = now();
        for (uint32_t i = 0; i < LAUNCHES; ++i)
            if (!spin(device, NULL, program, 1, 1, change ? 25 + i % 2 * 25 : 50))
                break;
        CHECK(device->ops->synchronize(device, NULL, &error));
        each[change] = (now() - from) / LAUNCHES * 1e6;
    }
    printf("launch: %.2f us with a constant carve-out, %.2f us where it changes every time\n", each[0], each[1]);
}

// ---- read-backs

// Small downloads are staged: all must arrive, in any number, mixed with larger ones and with both ways to synchronise.
void check_readback(struct device *device)
{
    enum { WORDS = 4096, REPEATS = 5000 };
    const struct device_ops *ops = device->ops;
    static uint32_t here[WORDS], back[WORDS];
    struct device_stream *stream = ops->create_stream(device, &error);
    uint32_t *there = ops->alloc(device, sizeof here, &error);
    for (uint32_t i = 0; i < WORDS; ++i)
        here[i] = mix(i);
    CHECK(stream && there && ops->upload(device, stream, there, here, sizeof here, &error));
    for (int all = 0; all < 2; ++all) {
        memset(back, 0, sizeof back);
        for (uint32_t i = 0; i < 100; ++i)
            CHECK(ops->download(device, stream, &back[i], &there[i], 4, &error));
        CHECK(ops->download(device, stream, &back[100], &there[100], sizeof back - 100 * 4, &error));
        CHECK(ops->download(device, stream, &back[7], &there[8], 4, &error));
        CHECK(ops->synchronize(device, all ? NULL : stream, &error));
        CHECK(back[7] == here[8]);
        back[7] = here[7];
        CHECK(memcmp(here, back, sizeof here) == 0);
    }
    // Through the seam, and beside it the driver's copy to pageable memory.
    double seconds[2];
    for (int direct = 0; direct < 2; ++direct) {
        const double from = now();
        for (int i = 0; i < REPEATS; ++i) {
            const bool done =
                direct ? CUDA_CALL(&error, memory_download, back, cuda_address_of(there), 4, cuda_stream_of(stream))
                       : ops->download(device, stream, back, there, 4, &error);
            if (!done || !ops->synchronize(device, stream, &error))
                break;
        }
        seconds[direct] = (now() - from) / REPEATS;
    }
    printf("read-back of 4 bytes: %.2f us staged, %.2f us into pageable memory\n", seconds[0] * 1e6, seconds[1] * 1e6);
    CHECK(back[0] == here[0]);
    ops->release(device, there);
    ops->destroy_stream(device, stream);
}

// ---- building ahead

struct ahead_progress {
    size_t last;
    bool ascending;
};

static void note_progress(void *context, size_t done)
{
    struct ahead_progress *progress = context;
    progress->ascending &= done == progress->last + 1;
    progress->last = done;
}

void check_ahead(struct device *device)
{
    enum { BUILDS = 8 };
    static const char *const variants[] = {"naive", "tiled_shared", "whole_frame", "absent"};
    struct device_constant constants[EXECUTE_CONSTANTS];
    const struct parameters parameters = parameters_default();
    struct config config;
    const size_t count = execute_constants(&parameters, constants, &config);
    struct device_build builds[BUILDS];
    for (size_t i = 0; i < BUILDS; ++i)
        builds[i] = (struct device_build){variants[i % 4], i / 4 != 0, 64, constants, count};
    struct ahead_progress progress = {0, true};
    double from = now();
    CHECK(device->ops->compile_ahead(device, builds, BUILDS, note_progress, &progress, &error));
    const double cold = now() - from;
    CHECK(progress.last == BUILDS && progress.ascending);
    from = now();
    CHECK(device->ops->compile_ahead(device, builds, BUILDS, NULL, NULL, &error));
    const double warm = now() - from;
    from = now();
    struct device_program *program = device->ops->build(device, &builds[0], &error);
    CHECK(program != NULL);
    printf("building ahead: %d builds in %.2f s, found again in %.4f s; one build from the cache %.1f ms\n", BUILDS,
           cold, warm, (now() - from) * 1e3);
    device->ops->release_program(device, program);
    CHECK(!device->ops->build(device, &builds[3], &error) && error.kind == ERROR_USE);
}

// ---- faults

static const struct fault_row {
    const char *kind, *name, *words;
} fault_rows[] = {
    {"illegal", "ILLEGAL_ADDRESS", "where it has no memory"},
    {"misaligned", "MISALIGNED_ADDRESS", "not aligned"},
    {"trap", "LAUNCH_FAILED", "a kernel faulted"},
};

int run_fault(const char *kind)
{
    struct device *device = cuda_backend.open(NULL, &error);
    struct device_program *program = device ? build_conduct(device) : NULL;
    if (!program)
        return EXIT_FAILURE;
    const struct device_ops *ops = device->ops;
    struct device_stream *stream = ops->create_stream(device, &error);
    uint32_t *memory = ops->alloc(device, 256, &error);
    const struct spin_args args = {strcmp(kind, "illegal") ? memory : NULL, UINT64_MAX};
    const struct device_launch launch = {.kernel = ops->kernel(program, strcmp(kind, "hang") ? kind : "spin", &error),
                                         .grid = 1,
                                         .block = 32,
                                         .args = &args,
                                         .args_size = sizeof args};
    const bool launched = launch.kernel && ops->launch(device, stream, &launch, &error);
    const bool done = launched && ops->synchronize(device, stream, &error);
    struct error later = {0};
    const bool alive = ops->alloc(device, 1 << 20, &later) != NULL;
    printf("kind %d, later %d: %s\n", error.kind, alive ? 0 : later.kind, error.message);
    // What a worker does after it has answered: nothing of it may crash.
    ops->release(device, memory);
    ops->destroy_stream(device, stream);
    ops->release_program(device, program);
    ops->close(device);
    return launched && !done && error.kind == ERROR_DEVICE && later.kind == ERROR_DEVICE ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void check_one_fault(const char *self, const struct fault_row *row)
{
    char command[4200], text[2048] = "";
    snprintf(command, sizeof command, "'%s' --fault %s", self, row->kind);
    FILE *child = popen(command, "r");
    const size_t size = child ? fread(text, 1, sizeof text - 1, child) : 0;
    const int status = child ? pclose(child) : -1;
    text[size] = 0;
    printf("fault %s: %s", row->kind, text);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    CHECK(strstr(text, row->name) && strstr(text, row->words) && strstr(text, "cannot use the GPU any more"));
}

// A kernel that never ends: the process is killed from outside, as the runner does at its time limit.
static void check_hang(const char *self)
{
    const pid_t child = fork(); // which only starts another program
    if (child == 0) {
        execl(self, self, "--fault", "hang", (char *)NULL);
        _exit(127);
    }
    sleep(4);
    int status = 0;
    CHECK(waitpid(child, &status, WNOHANG) == 0); // still at it
    kill(child, SIGKILL);
    const double from = now();
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    printf("fault hang: gone %.2f s after it was killed\n", now() - from);
}

void check_faults(struct device *device, const char *self)
{
    for (size_t i = 0; i < sizeof fault_rows / sizeof *fault_rows; ++i)
        check_one_fault(self, &fault_rows[i]);
    check_hang(self);
    CHECK(!device->ops->alloc(device, (size_t)1 << 50, &error) && error.kind == ERROR_SYSTEM &&
          strstr(error.message, "1073741824.0 MiB more") && strstr(error.message, "are free"));
    void *memory = device->ops->alloc(device, 1 << 20, &error); // the others' faults are not ours
    CHECK(memory && device->ops->fill(device, NULL, memory, 1, 1 << 20, &error));
    device->ops->release(device, memory);
}
