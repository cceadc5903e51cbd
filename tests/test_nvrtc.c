// SPDX-License-Identifier: MIT
// Compiles the kernels of every variant for the GPU, on a machine without one: every value of every build option, beside
// others by turns, in both builds, on five architectures and with three register limits by turns (the defaults:
// test_cuda_matrix). Needs NVRTC at run time; where there is none it says so and exits with 77 (skipped).
//
// usage: test_nvrtc [--all]     --all: every option value on every variant, the other options at their defaults (minutes)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/cuda/compile.h"
#include "device/cuda/sources.h"
#include "trial/execute_settings.h"
#include "device/optix/optix.h"
#include "frame/variant.h"

#define BOTH(...) static const char block_text[] = #__VA_ARGS__ "\n";
#include "block_kernels.h"

enum { PROCESSES = 2, JOB_MAX = 4096, SKIPPED = 77 };

struct kernel_row {
    const char *variant, *name;
};
static const struct kernel_row kernel_rows[] = {
#define KERNEL_ENTRY(variant, name) {#variant, #name},
#define VARIANT(folder, stem, kernels) kernels
#include "variants.def"
#undef VARIANT
#undef KERNEL_ENTRY
#define KERNEL_ENTRY(tool, name) {"tools/" #tool, #name},
#define TOOL(stem, kernels) kernels
#include "tools.def"
#undef TOOL
#undef KERNEL_ENTRY
};
static const char *const variants[] = {
#define VARIANT(folder, stem, kernels) #stem,
#include "variants.def"
#undef VARIANT
#define TOOL(stem, kernels) "tools/" #stem,
#include "tools.def"
#undef TOOL
};
static const char *const options[] = {
#define CONFIG_FIELD(name) #name,
#include "lib/config.def"
#undef CONFIG_FIELD
};
enum {
    KERNELS = sizeof kernel_rows / sizeof *kernel_rows,
    VARIANTS = sizeof variants / sizeof *variants,
    OPTIONS = sizeof options / sizeof *options
};

struct job {
    const char *variant;
    uint32_t architecture, cap;
    bool counting;
    struct parameters parameters;
};
static struct job jobs[JOB_MAX];
static size_t job_count;
static int failures;

// ---- what is compiled

static void add_job(const char *variant, uint32_t architecture, bool counting, uint32_t cap,
                    const struct parameters *parameters)
{
    if (job_count == JOB_MAX)
        abort();
    jobs[job_count++] = (struct job){variant, architecture, cap, counting, *parameters};
}

static int64_t choice_count(const struct parameter *parameter)
{
    int64_t count = 1;
    for (const char *c = parameter->choices; *c; ++c)
        count += *c == '|';
    return count;
}

static void set_choice(struct parameters *parameters, const struct parameter *parameter, int64_t choice)
{
    memcpy((char *)parameters + parameter->offset, &choice, sizeof choice);
}

// The choice of an option at a turn, of those that are not its default.
static int64_t choice_at(const struct parameter *parameter, int64_t turn)
{
    const struct parameters standard = parameters_default();
    const int64_t choice = turn % (choice_count(parameter) - 1);
    return choice + (choice >= parameter_get(&standard, parameter));
}

// Every `step`-th option away from its default. `seen`: the turns of each option, which reach all its choices.
static struct parameters far_choices(size_t first, size_t step, int64_t seen[OPTIONS])
{
    struct parameters parameters = parameters_default();
    for (size_t o = first; o < OPTIONS; o += step) {
        const struct parameter *parameter = parameter_find(options[o]);
        if (parameter && parameter->choices)
            set_choice(&parameters, parameter, choice_at(parameter, seen[o]++));
    }
    if (parameters.tree == TREE_OPTIX) // has jobs of its own
        parameters.tree = TREE_BINARY;
    parameters.resident_blocks = 1;
    return parameters;
}

// Every variant where OptiX traverses, in one build or the other by turns; with all others, in both.
static void add_traced_jobs(bool all)
{
    struct parameters parameters = parameters_default();
    parameters.tree = TREE_OPTIX;
    for (size_t v = 0; v < VARIANTS; ++v)
        for (int counting = 0; counting < 2; ++counting)
            if (all || (size_t)counting == v % 2)
                add_job(variants[v], 90, counting, 0, &parameters);
}

// Whether this NVRTC compiles for the newest architecture: an older one knows two of the five at least.
static bool knows_all(void)
{
    struct error error = {0};
    struct kernel_binary binary;
    const struct cuda_request newest = {.header = "lib/clock.h", .compute_capability = 120};
    const bool done = cuda_compile(&newest, &binary, &error);
    if (done)
        kernel_binary_finish(&binary);
    else
        printf("skipped: sm_75, sm_100 and sm_120: %s\n", error.message);
    return done;
}

// Every variant with all options away from their defaults; every fourth one again with every third option.
static void add_far_jobs(void)
{
    static const uint32_t architectures[] = {90, 80, 75, 120, 100}, caps[] = {0, 64, 32};
    static int64_t seen[OPTIONS];
    const size_t newest = knows_all() ? 5 : 2;
    for (size_t v = 0; v < VARIANTS; ++v) {
        const struct parameters far = far_choices(0, 1, seen);
        add_job(variants[v], architectures[v % newest], v % 2 != 0, caps[v / 2 % 3], &far);
    }
    for (size_t v = 0; v < VARIANTS; v += 4) {
        const struct parameters far = far_choices(v / 4 % 3, 3, seen);
        add_job(variants[v], 90, v % 8 == 0, 0, &far);
    }
    for (size_t o = 0; o < OPTIONS; ++o) {
        const struct parameter *parameter = parameter_find(options[o]);
        if (parameter && parameter->choices && seen[o] < choice_count(parameter) - 1) {
            ++failures;
            printf("FAIL too few variants for all values of %s\n", options[o]);
        }
    }
}

// Each alone, on all variants in both builds.
static void add_all_jobs(void)
{
    const struct parameters standard = parameters_default();
    for (size_t v = 0; v < VARIANTS; ++v) {
        for (uint32_t cap = 0; cap <= 64; cap += 32)
            for (int build = 0; build < 4; ++build)
                add_job(variants[v], build & 1 ? 90 : 80, build >> 1, cap, &standard);
        for (size_t o = 0; o < OPTIONS; ++o) {
            const struct parameter *parameter = parameter_find(options[o]);
            for (int64_t turn = 0; parameter && parameter->choices && turn + 1 < choice_count(parameter); ++turn) {
                struct parameters parameters = standard;
                set_choice(&parameters, parameter, choice_at(parameter, turn));
                if (parameters.tree == TREE_OPTIX)
                    continue;
                add_job(variants[v], 90, false, 0, &parameters);
                add_job(variants[v], 80, true, 0, &parameters);
            }
        }
    }
}

// ---- compiling

static void fail(const struct job *job, const char *what)
{
    ++failures;
    printf("FAIL %s sm_%u %s cap %u: %s\n", job->variant, (unsigned)job->architecture,
           job->counting ? "counting" : "clean", (unsigned)job->cap, what);
}

static void check_kernels(const struct job *job, const struct kernel_binary *binary)
{
    char text[256];
    for (size_t k = 0; k < KERNELS; ++k) {
        struct device_kernel_facts facts;
        if (strcmp(kernel_rows[k].variant, job->variant) != 0)
            continue;
        if (!kernel_log_facts(binary->log, kernel_rows[k].name, &facts)) {
            snprintf(text, sizeof text, "no kernel %s in it", kernel_rows[k].name);
            fail(job, text);
        } else if (job->cap && facts.registers > (int32_t)job->cap) {
            snprintf(text, sizeof text, "%s takes %d registers", kernel_rows[k].name, facts.registers);
            fail(job, text);
        }
    }
}

// Kernels that OptiX is to run, and they alone, are not among the machine code.
static void check_beside(const struct job *job, const struct kernel_binary *beside, bool traces)
{
    size_t missing = 0;
    for (size_t k = 0; k < KERNELS; ++k) {
        struct device_kernel_facts facts;
        missing += !strcmp(kernel_rows[k].variant, job->variant) &&
                   !kernel_log_facts(beside->log, kernel_rows[k].name, &facts);
    }
    if ((missing > 0) != traces)
        fail(job, traces ? "OptiX has nothing to run" : "a kernel is missing");
}

// Where OptiX traverses. A variant that says that it traces alone must, and no other can.
static void run_traced(const struct job *job, const struct cuda_request *request)
{
    struct error error = {0};
    struct kernel_binary beside, program;
    struct cuda_request traced;
    char text[2048];
    const struct variant *variant = variant_find(job->variant);
    const bool walks = !strcmp(job->variant, "tools/cut_rays"); // over wide4, whatever the tree
    const bool reads = cuda_request_for_optix(request, &traced) && !walks;
    const bool compiled = cuda_compile(request, &beside, &error);
    if (compiled != (!reads || (variant ? variant->traces_alone : !strcmp(job->variant, "tools/rays"))))
        fail(job, compiled ? "it does not say that it traces alone" : error.message);
    if (!compiled)
        return;
    check_beside(job, &beside, reads);
    if (reads && optix_headers(NULL) && cuda_compile(&traced, &program, &error)) {
        kernel_binary_finish(&program);
    } else if (reads && optix_headers(NULL)) {
        error_format(&error, text, sizeof text);
        fail(job, text);
    }
    kernel_binary_finish(&beside);
}

static void run_job(const struct job *job)
{
    char header[CUDA_HEADER], text[2048];
    struct device_constant constants[EXECUTE_CONSTANTS];
    struct config config;
    struct error error = {0};
    struct kernel_binary binary;
    const struct device_build build = {
        .variant = job->variant,
        .counting = job->counting,
        .register_cap = job->cap,
        .constants = constants,
        .constant_count = execute_constants(&job->parameters, constants, &config),
    };
    struct cuda_request request = cuda_request_of(&build, header);
    request.compute_capability = job->architecture;
    if (job->parameters.tree == TREE_OPTIX) {
        run_traced(job, &request);
        return;
    }
    if (!cuda_compile(&request, &binary, &error)) {
        error_format(&error, text, sizeof text);
        fail(job, text);
        return;
    }
    if (binary.size < 4 || memcmp(binary.bytes, "\177ELF", 4) != 0)
        fail(job, "the machine code is no ELF file");
    if (strstr(binary.log, "warning") && !strstr(binary.log, "adjusting per thread register count"))
        fail(job, binary.log);
    check_kernels(job, &binary);
    kernel_binary_finish(&binary);
}

// One of the processes; returns its exit status.
static int work(size_t first)
{
    failures = 0;
    for (size_t i = first; i < job_count; i += PROCESSES)
        run_job(&jobs[i]);
    fflush(stdout);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

// Processes, because before CUDA 12.3 NVRTC lets one thread of a process compile at a time.
static void run_jobs(void)
{
    pid_t processes[PROCESSES];
    fflush(stdout);
    for (size_t i = 0; i < PROCESSES; ++i) {
        processes[i] = fork();
        if (processes[i] < 0)
            abort();
        if (processes[i] == 0)
            _exit(work(i));
    }
    for (size_t i = 0; i < PROCESSES; ++i) {
        int status;
        failures += waitpid(processes[i], &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS;
    }
}

// ---- what needs no compiler

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    ++failures;
    printf("FAIL %s\n", what);
}

static void check_log(void)
{
    static const char log[] =
        "info : Compiling entry function 'a' for 'sm_90'\n"
        "  . 520 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
        "info : Used 32 registers, used 1 barriers, 520 bytes cumulative stack size, 64 bytes smem\n"
        "info : Compiling entry function 'b' for 'sm_90'\n"
        "info : Used 7 registers\n";
    struct device_kernel_facts a, b;
    expect(kernel_log_facts(log, "a", &a) && a.registers == 32 && a.spill_bytes == 12 && a.local_bytes == 520 &&
               a.static_shared_bytes == 64,
           "facts of the first kernel");
    expect(kernel_log_facts(log, "b", &b) && b.registers == 7 && b.spill_bytes == 0, "facts of the last kernel");
    expect(!kernel_log_facts(log, "c", &b), "facts of no kernel");
}

// block.h and queue.h, with either kind of ticket.
static void check_blocks(void)
{
    for (int tickets = 0; tickets < 2; ++tickets) {
        struct error error = {0};
        struct kernel_binary binary;
        const struct device_constant constant = {"tickets", tickets};
        const struct cuda_request request = {.header = "lib/queue.h",
                                             .text = block_text,
                                             .compute_capability = 90,
                                             .constants = &constant,
                                             .constant_count = 1};
        struct device_kernel_facts facts;
        expect(cuda_compile(&request, &binary, &error) && !strstr(binary.log, "warning") &&
                   kernel_log_facts(binary.log, "queue_drain", &facts),
               "kernels of block.h and queue.h");
        if (error.message[0])
            printf("%s\n", error.message);
        kernel_binary_finish(&binary);
    }
}

// A build with a constant that its source does not have must say what is wrong, in one line.
static void check_message(void)
{
    struct error error = {0};
    struct kernel_binary binary;
    const struct cuda_request request = {.header = "variants/wald2011/naive.kernel.h", .compute_capability = 90};
    expect(!cuda_compile(&request, &binary, &error) && strstr(error.message, "CONFIG_") && !strchr(error.message, '\n'),
           "a failed build quotes the compiler");
    const struct cuda_request old = {.header = "variants/examples/null.kernel.h", .compute_capability = 13};
    expect(!cuda_compile(&old, &binary, &error) && strstr(error.message, "sm_13") && error.remedy[0],
           "an unknown architecture has a remedy");
    const struct cuda_request stamp = {.header = "lib/clock.h", .compute_capability = 90};
    expect(cuda_compile(&stamp, &binary, &error) && strstr(binary.log, "clock_take"), "the clock's kernels");
    kernel_binary_finish(&binary);
    const struct cuda_request absent = {.header = "variants/absent.kernel.h", .compute_capability = 90};
    expect(!cuda_compile(&absent, &binary, &error) && error.kind == ERROR_USE, "no such variant");
}

// More constants than any list of options used to hold are all given to the compiler; one that no source reads is not, and
// neither its value nor its being there shows in the provenance.
static void check_constants(void)
{
    enum { MANY = 100 };
    struct device_constant constants[MANY + 1] = {{"unread", 1}};
    char names[MANY][16], text[MANY * 32 + 200], *provenance[2] = {NULL, NULL};
    size_t used =
        (size_t)sprintf(text, "#include \"lib/platform.h\"\nextern \"C\" __global__ void sum(int *to) { *to = 0");
    for (int i = 0; i < MANY; ++i) {
        sprintf(names[i], "option_%d", i);
        constants[i + 1] = (struct device_constant){names[i], i};
        used += (size_t)sprintf(text + used, " + CONFIG(f(1, 2), option_%d)", i);
    }
    strcpy(text + used, "; }\n");
    for (int i = 0; i < 2; ++i) {
        struct error error = {0};
        struct kernel_binary binary;
        constants[0].value = i;
        const struct cuda_request request = {.header = "lib/clock.h",
                                             .text = text,
                                             .compute_capability = 90,
                                             .constants = constants + (i == 1),
                                             .constant_count = MANY + (i == 0)};
        expect(cuda_compile(&request, &binary, &error), "a hundred constants");
        provenance[i] = binary.provenance ? strdup(binary.provenance) : NULL;
        kernel_binary_finish(&binary);
    }
    expect(provenance[0] && provenance[1] && !strcmp(provenance[0], provenance[1]), "an option that nothing reads");
    expect(provenance[0] && strstr(provenance[0], "-DCONFIG_option_99=(99)"), "an option that is read");
    free(provenance[0]);
    free(provenance[1]);
}

int main(int count, char **arguments)
{
    struct error error = {0};
    char text[2048];
    setenv("WARPSTUDY_KERNEL_CACHE", "off", 1);
    check_log();
    const struct cuda_nvrtc *nvrtc = cuda_nvrtc_load(&error);
    if (!nvrtc) {
        error_format(&error, text, sizeof text);
        printf("skipped: %s\n", text);
        return failures ? EXIT_FAILURE : SKIPPED;
    }
    const bool all = count > 1 && strcmp(arguments[1], "--all") == 0;
    if (!optix_headers(&error)) {
        error_format(&error, text, sizeof text);
        printf("skipped: programs of OptiX: %s\n", text);
    }
    add_far_jobs();
    add_traced_jobs(all);
    if (all)
        add_all_jobs();
    run_jobs();
    check_blocks();
    check_message();
    check_constants();
    printf("NVRTC %d.%d: %zu builds of %d variants%s\n", nvrtc->major, nvrtc->minor, job_count, (int)VARIANTS,
           failures ? ", with failures" : "");
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
