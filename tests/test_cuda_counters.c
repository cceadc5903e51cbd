// SPDX-License-Identifier: MIT
// The cuda backend's hardware counters on a real GPU, through the seam, on kernels whose counts are known. Exits with
// 77 where there is no GPU or its counters may not be read. Needs no test library.
#include <math.h>
#include <string.h>

#include "lib/scene.h"
#include "cuda_traversal.h" // before `device` is a name
#include "cuda_check.h"
#include "cuda_counter_kernels.h"
#include "device/cuda/sources.h"

enum { WARP = 32, METRICS_MAX = 128 };

// ---- workload

enum { LANES = 1 << 20 };
struct workload {
    struct device_program *program;
    const struct device_kernel *half, *trips, *chase;
    void *out, *table; // LANES words; 64 KiB of zeros, also the list that `chase` follows
};

static bool workload_init(struct workload *work)
{
    *work = (struct workload){.program = build_with_traversal(device, kernel_text, &error)};
    if (!work->program)
        return false;
    work->half = ops->kernel(work->program, "half", &error);
    work->trips = ops->kernel(work->program, "trips", &error);
    work->chase = ops->kernel(work->program, "chase", &error);
    work->out = ops->alloc(device, (size_t)LANES * 4, &error);
    work->table = ops->alloc(device, (size_t)LANES * 4, &error);
    return work->half && work->trips && work->chase && work->out && work->table &&
           ops->fill(device, NULL, work->table, 0, (size_t)LANES * 4, &error);
}

static void workload_finish(struct workload *work)
{
    ops->release(device, work->out);
    ops->release(device, work->table);
    ops->release_program(device, work->program);
}

static bool launch(const struct device_kernel *kernel, uint32_t grid, uint32_t block, const void *args, size_t size)
{
    const struct device_launch launch = {
        .kernel = kernel, .grid = grid, .block = block, .args = args, .args_size = size};
    return ops->launch(device, NULL, &launch, &error);
}

static bool launch_half(const struct workload *work, uint32_t grid, uint32_t block, uint32_t loops)
{
    const struct half_args args = {work->out, loops};
    return launch(work->half, grid, block, &args, sizeof args);
}

static bool launch_trips(const struct workload *work, uint32_t grid, uint32_t block)
{
    const struct trips_args args = {{.nodes = work->table, .triangles = work->table}, work->out};
    return launch(work->trips, grid, block, &args, sizeof args);
}

static bool launch_chase(const struct workload *work, uint32_t grid, uint32_t block, uint32_t steps)
{
    const struct chase_args args = {work->table, work->out, steps};
    return launch(work->chase, grid, block, &args, sizeof args);
}

// The device still does what it is told, and how long it takes.
static double check_usable(const struct workload *work)
{
    enum { SAMPLE = 4096 };
    static float out[SAMPLE];
    struct device_event *from = ops->create_event(device, &error), *to = ops->create_event(device, &error);
    double seconds = 0;
    bool right = launch_half(work, LANES / 256, 256, 2000) && ops->record(device, NULL, from, &error) &&
                 launch_half(work, LANES / 256, 256, 2000) && ops->record(device, NULL, to, &error) &&
                 ops->download(device, NULL, out, work->out, sizeof out, &error) &&
                 ops->elapsed(device, from, to, &seconds, &error);
    for (int i = 0; i < SAMPLE; ++i)
        right = right && (i % WARP < 16 ? fabsf(out[i] - 2.0f) < 1e-5f : out[i] == (float)i);
    check(right, "the device works as before", __LINE__);
    ops->destroy_event(device, from);
    ops->destroy_event(device, to);
    return seconds;
}

// ---- metrics

// Three ranges: `half` of 64 warps and of 300, and nothing at all.
enum { RANGES = 3, HALF_WARPS = 64, ODD_WARPS = 300 };

static bool run_pass(struct device_profile *profile, const struct workload *work, bool *complete)
{
    return counters->profile_begin_pass(profile, &error) && counters->profile_push(profile, &error) &&
           launch_half(work, HALF_WARPS / 8, 256, 20000) && counters->profile_pop(profile, &error) &&
           counters->profile_push(profile, &error) && launch_half(work, ODD_WARPS / 3, 96, 500) &&
           counters->profile_pop(profile, &error) && counters->profile_push(profile, &error) &&
           counters->profile_pop(profile, &error) && counters->profile_end_pass(profile, complete, &error);
}

// values[RANGES * count]; the number of passes, 0 on failure.
static int run_profile(const struct workload *work, const char *const *expressions, size_t count, double *values)
{
    struct device_profile *profile = counters->profile_create(device, expressions, count, RANGES, &error);
    bool complete = false, done = profile != NULL;
    int passes = 0;
    while (done && !complete && passes < 200) {
        done = run_pass(profile, work, &complete);
        ++passes;
    }
    done = done && complete && counters->profile_values(profile, values, RANGES, &error);
    counters->profile_destroy(profile);
    return done ? passes : 0;
}

static void check_known_metrics(const struct workload *work, const char *what)
{
    static const char *const expressions[] = {
        "smsp__warps_launched.sum",
        "smsp__average_thread_inst_executed_per_inst_executed.ratio",
        "smsp__inst_executed.sum",
        "smsp__thread_inst_executed.sum",
    };
    double values[RANGES][4];
    const int passes = run_profile(work, expressions, 4, &values[0][0]);
    printf("-- profile %s: %d passes, %g and %g warps, %.4f lanes an instruction\n", what, passes, values[0][0],
           values[1][0], values[0][1]);
    CHECK(passes > 0);
    CHECK(values[0][0] == HALF_WARPS);
    CHECK(values[1][0] == ODD_WARPS);
    CHECK(values[2][0] == 0);
    CHECK(values[0][1] >= 16 && values[0][1] < 16.1);
    CHECK(fabs(values[0][3] / values[0][2] - values[0][1]) < 1e-6);
}

// The workload reads no memory. What L2 is then asked for is little, by others, and not the same in each pass, and its rate divides
// counts of two passes: 101 and 122 % were seen.
static bool metric_in_range(const struct device_metric *row, double value)
{
    const bool share = strcmp(row->unit, "%") == 0 && strcmp(row->name, "l2_hit_rate") != 0;
    return isfinite(value) && value >= 0 && (!share || value <= 100.001);
}

static void check_all_metrics(const struct workload *work)
{
    const char *expressions[METRICS_MAX] = {0};
    double values[RANGES * METRICS_MAX];
    const struct device_metric *rows[METRICS_MAX];
    size_t count = 0;
    for (const struct device_metric *row = device_metrics; row->name; ++row)
        if (*row->expression) {
            rows[count] = row;
            expressions[count++] = row->expression;
        }
    const int passes = run_profile(work, expressions, count, values);
    printf("-- all %zu metrics of metrics.def: %d passes\n", count, passes);
    if (!CHECK(passes > 0))
        return;
    bool all = true;
    for (size_t i = 0; i < count; ++i) {
        printf("   %-32s %14.6g %s\n", rows[i]->name, values[i], rows[i]->unit);
        all = all && metric_in_range(rows[i], values[i]);
    }
    check(all, "every metric has a value, and shares lie in 0..100 %, but for L2's hits", __LINE__);
    CHECK(device_metric_find("warps_launched") && !device_metric_find("smsp__warps_launched.sum"));
}

static void check_wrong_metrics(void)
{
    static const char *const wrong[] = {"smsp__nonsense.sum", "smsp__inst_executed", "smsp__inst_executed.nonsense",
                                        ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        const char *const expressions[] = {"smsp__inst_executed.sum", wrong[i]};
        char quoted[64];
        snprintf(quoted, sizeof quoted, "\"%s\"", wrong[i]);
        struct device_profile *profile = counters->profile_create(device, expressions, 2, 1, &error);
        printf("-- %s\n", error.message);
        CHECK(!profile && error.kind == ERROR_USE && strstr(error.message, quoted));
        counters->profile_destroy(profile);
    }
}

static void check_one_at_a_time(void)
{
    static const char *const expressions[] = {"smsp__inst_executed.sum"};
    struct device_site_count counts[DEVICE_SITES];
    CHECK(!counters->sites_take(device, counts, &error) && error.kind == ERROR_USE);
    struct device_profile *profile = counters->profile_create(device, expressions, 1, 1, &error);
    CHECK(profile && !counters->sites_begin(device, &error) && error.kind == ERROR_USE);
    CHECK(!counters->stalls_begin(device, &error) && error.kind == ERROR_USE);
    counters->profile_destroy(profile);
    counters->profile_destroy(NULL);
    counters->end(device); // nothing goes on
}

// ---- sites

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// What `trips` executes, from its text.
static void expect_trips(uint32_t lanes, struct device_site_count expected[DEVICE_SITES])
{
    memset(expected, 0, DEVICE_SITES * sizeof *expected);
    for (uint32_t warp = 0; warp < lanes / WARP; ++warp) {
        uint64_t steps = 0, tests = 0, marks = 0;
        for (uint32_t i = warp * WARP; i < (warp + 1) * WARP; ++i) {
            const bool marked = i % 32 < i / 32 % 32;
            steps = most(steps, i % 7);
            tests = most(tests, i % 5);
            marks = most(marks, marked);
            expected[DEVICE_SITE_INNER].thread_instructions += i % 7;
            expected[DEVICE_SITE_TRIANGLE].thread_instructions += i % 5;
            expected[DEVICE_SITE_EXTENSION].thread_instructions += marked;
        }
        expected[DEVICE_SITE_INNER].instructions += steps;
        expected[DEVICE_SITE_TRIANGLE].instructions += tests;
        expected[DEVICE_SITE_EXTENSION].instructions += marks;
    }
}

static void compare_sites(const struct device_site_count *counts, const struct device_site_count *expected)
{
    for (int site = 0; site < DEVICE_SITE_ALL; ++site) {
        char what[160];
        snprintf(what, sizeof what, "site %s: %u copies, %llu warp and %llu lane instructions, %llu and %llu expected",
                 device_site_names[site], (unsigned)counts[site].copies, (unsigned long long)counts[site].instructions,
                 (unsigned long long)counts[site].thread_instructions, (unsigned long long)expected[site].instructions,
                 (unsigned long long)expected[site].thread_instructions);
        check(counts[site].copies == 1 && counts[site].instructions == expected[site].instructions &&
                  counts[site].thread_instructions == expected[site].thread_instructions,
              what, __LINE__);
    }
}

static void check_sites(const struct workload *work)
{
    struct device_site_count counts[DEVICE_SITES], expected[DEVICE_SITES];
    if (!CHECK(counters->sites_begin(device, &error)))
        return;
    expect_trips(100 * 128, expected);
    CHECK(launch_trips(work, 100, 128) && counters->sites_take(device, counts, &error));
    compare_sites(counts, expected);
    // Again, smaller: a take counts what came since the last.
    expect_trips(7 * 64, expected);
    CHECK(launch_trips(work, 7, 64) && counters->sites_take(device, counts, &error));
    compare_sites(counts, expected);
    CHECK(counters->sites_take(device, counts, &error) && counts[DEVICE_SITE_ALL].instructions == 0 &&
          counts[DEVICE_SITE_INNER].copies == 0);
    CHECK(launch_half(work, 10, 64, 10) && counters->sites_take(device, counts, &error));
    CHECK(counts[DEVICE_SITE_ALL].instructions > 0 && counts[DEVICE_SITE_EXTENSION].copies == 0);
    counters->end(device);
}

// Two witnesses of one launch: the hardware's counters, and the patched code.
static void check_totals(const struct workload *work)
{
    static const char *const expressions[] = {"smsp__inst_executed.sum", "smsp__thread_inst_executed.sum"};
    double values[RANGES][2] = {{0}};
    struct device_site_count counts[DEVICE_SITES] = {{0}};
    CHECK(run_profile(work, expressions, 2, &values[0][0]) > 0);
    CHECK(counters->sites_begin(device, &error) && launch_half(work, HALF_WARPS / 8, 256, 20000) &&
          counters->sites_take(device, counts, &error));
    counters->end(device);
    printf("-- half: %.0f and %.0f by the counters, %llu and %llu by the patched code\n", values[0][0], values[0][1],
           (unsigned long long)counts[DEVICE_SITE_ALL].instructions,
           (unsigned long long)counts[DEVICE_SITE_ALL].thread_instructions);
    CHECK(counts[DEVICE_SITE_ALL].instructions == (uint64_t)values[0][0]);
    CHECK(counts[DEVICE_SITE_ALL].thread_instructions == (uint64_t)values[0][1]);
}

// ---- stalls

struct stall_sums {
    uint64_t all, foreign, no_line, selected, long_scoreboard, others;
    uint32_t rows, bad_lines;
    bool print;
};

static uint32_t line_count(const char *text)
{
    uint32_t lines = 0;
    for (; *text; ++text)
        lines += *text == '\n';
    return lines;
}

// Lines of a file that the kernels are made of, 0 where they are not.
static uint32_t file_lines(const char *file)
{
    if (strcmp(file, "program.cu") == 0)
        return line_count(kernel_text); // build_with_traversal counts from its beginning
    for (const struct kernel_text *source = kernel_texts; source->name; ++source)
        if (strcmp(source->name, file) == 0)
            return line_count(source->text);
    return 0;
}

static void add_stall(void *context, const struct device_stall *stall)
{
    struct stall_sums *sums = context;
    if (sums->print)
        printf("   %-8s %-20s %s:%u %llu\n", stall->kernel, stall->reason, stall->file, (unsigned)stall->line,
               (unsigned long long)stall->samples);
    ++sums->rows;
    sums->all += stall->samples;
    if (strcmp(stall->kernel, "chase") != 0)
        sums->foreign += stall->samples;
    if (!stall->line)
        sums->no_line += stall->samples;
    else
        sums->bad_lines += stall->line > file_lines(stall->file);
    if (strcmp(stall->reason, "selected") == 0)
        sums->selected += stall->samples;
    else if (strcmp(stall->reason, "long_scoreboard") == 0)
        sums->long_scoreboard += stall->samples;
    else
        sums->others += stall->samples;
}

static bool take_stalls(struct stall_sums *sums)
{
    uint64_t dropped = 0;
    const bool done = counters->stalls_take(device, add_stall, sums, &dropped, &error) && dropped * 100 <= sums->all;
    printf("-- %llu samples in %u rows, %llu dropped; long_scoreboard %llu, selected %llu, others %llu, no line %llu\n",
           (unsigned long long)sums->all, (unsigned)sums->rows, (unsigned long long)dropped,
           (unsigned long long)sums->long_scoreboard, (unsigned long long)sums->selected,
           (unsigned long long)sums->others, (unsigned long long)sums->no_line);
    return done;
}

static void check_stalls(const struct workload *work)
{
    struct stall_sums first = {.print = true}, second = {0}, none = {0};
    // What was launched before is sampled too.
    CHECK(launch_chase(work, 20, 128, 40));
    if (!CHECK(counters->stalls_begin(device, &error)))
        return;
    CHECK(launch_chase(work, 2000, 128, 4000) && take_stalls(&first));
    CHECK(first.all > 1000);
    CHECK(first.foreign == 0);
    CHECK(first.bad_lines == 0 && first.no_line * 100 < first.all);
    CHECK(first.long_scoreboard * 2 > first.all); // it waits for loads and does nothing else
    CHECK(launch_chase(work, 2000, 128, 8000) && take_stalls(&second));
    CHECK(second.all > first.all && second.all < 3 * first.all);
    CHECK(take_stalls(&none) && none.all == 0);
    counters->end(device);
}

struct spin_args {
    float *out;
    uint32_t loops;
};
struct spin_sums {
    char kernel[16];
    uint64_t own, other;
};

static void add_spin(void *context, const struct device_stall *stall)
{
    struct spin_sums *sums = context;
    *(strcmp(stall->kernel, sums->kernel) == 0 ? &sums->own : &sums->other) += stall->samples;
}

static bool launch_spin(const struct device_kernel *kernel, const struct workload *work)
{
    const struct spin_args args = {work->out, 20000};
    return launch(kernel, 1000, 128, &args, sizeof args);
}

// One program after another, each in the place of the last: samples are the kernel's that runs.
static void check_programs_in_turn(const struct workload *work)
{
    enum { PROGRAMS = 6 };
    for (int i = 0; i < PROGRAMS; ++i) {
        char text[512], what[96];
        struct spin_sums sums = {.kernel = ""};
        uint64_t dropped = 0;
        snprintf(sums.kernel, sizeof sums.kernel, "spin_%d", i);
        snprintf(text, sizeof text,
                 "struct spin_args { float *out; uint32_t loops; };\nKERNEL(%s, struct spin_args)\n{\n"
                 "    float x = (float)thread_index() + %d.5f;\n    for (uint32_t k = 0; k < args->loops; ++k)\n       "
                 " x = sqrtf(x + %d.0f);\n"
                 "    args->out[block_index() * block_size() + thread_index()] = x;\n}\n",
                 sums.kernel, i, i);
        struct device_program *program = cuda_build_source(device, "lib/platform.h", text, &error);
        const struct device_kernel *kernel = program ? ops->kernel(program, sums.kernel, &error) : NULL;
        const bool done = kernel && (i % 2 == 0 || launch_spin(kernel, work)) &&
                          counters->stalls_begin(device, &error) && launch_spin(kernel, work) &&
                          counters->stalls_take(device, add_spin, &sums, &dropped, &error);
        counters->end(device);
        snprintf(what, sizeof what, "%s: %llu samples of its own, %llu of others, %llu dropped", sums.kernel,
                 (unsigned long long)sums.own, (unsigned long long)sums.other, (unsigned long long)dropped);
        check(done && sums.own > 1000 && sums.other == 0 && dropped * 100 < sums.own, what, __LINE__);
        ops->release_program(device, program);
    }
}

// ---- all of it

static void check_with(const struct workload *work)
{
    const double before = check_usable(work);
    check_known_metrics(work, "first");
    check_known_metrics(work, "second");
    check_wrong_metrics();
    check_one_at_a_time();
    check_sites(work);
    check_totals(work);
    check_stalls(work);
    check_programs_in_turn(work);
    check_all_metrics(work);
    check_sites(work);
    check_stalls(work);
    const double after = check_usable(work);
    printf("-- a launch took %.1f us before and %.1f us after all this\n", before * 1e6, after * 1e6);
}

static void check_everything(void)
{
    struct workload work;
    if (CHECK(workload_init(&work)))
        check_with(&work);
    workload_finish(&work);
}

int main(void)
{
    return check_all(check_everything);
}
