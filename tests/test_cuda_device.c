// SPDX-License-Identifier: MIT
// The cuda backend on a real GPU, through the seam. Exits with 77 where there is none. Needs no test library.
#include <string.h>

#include "cuda_device_checks.h"
#include "cuda_traversal.h"
#include "device_contract.h"

#define COUNTING 0
#include "lib/maths.h"
#include "lib/random.h"
#include "trees/traverse.h"
#include "trial/execute_settings.h"

enum { SKIPPED = 77 };

struct error error;
static int failures;

bool check(bool holds, const char *what, int line)
{
    if (!holds) {
        char text[2048];
        error_format(&error, text, sizeof text);
        printf("FAIL line %d: %s: %s\n", line, what, text);
        ++failures;
    }
    error_clear(&error);
    return holds;
}

// The same text for this compiler and, as a string, for NVRTC.
#define ON_BOTH_SIDES(...)                                                                                             \
    __VA_ARGS__                                                                                                        \
    static const char both_text[] = #__VA_ARGS__ "\n"

// clang-format off
ON_BOTH_SIDES(
    DEVICE uint32_t exact_mix(uint32_t sum, float x)
    {
        return mix32(sum ^ f32_bits(x));
    }

    DEVICE uint32_t exact_chain(uint32_t i)
    {
        const float u = unit_from_bits(mix32(i));
        const float v = unit_from_bits(mix32(i ^ 0x5BD1E995u));
        float sine;
        float cosine;
        sincos_turns(u, &sine, &cosine);
        uint32_t sum = exact_mix(f32_bits(sine), cosine);
        sum = exact_mix(sum, arctangent2(sine * v, cosine));
        sum = exact_mix(sum, arccosine(2.0f * v - 1.0f));
        sum = exact_mix(sum, logarithm2(u + 0.001f));
        sum = exact_mix(sum, exponential2(20.0f * v - 10.0f));
        sum = exact_mix(sum, power_unit(u, 1.0f + 50.0f * v));
        sum = exact_mix(sum, halton(3u, i));
        sum = exact_mix(sum, safe_inverse(u - v));
        sum = exact_mix(sum, sqrtf(u * 1e-30f) / (v + 1e-20f));
        const float third = u / 3.0f;
        for (uint32_t k = 0; k < 16u; ++k)
            sum = exact_mix(sum, fmaf(third, (float)k, v) * sine + cosine * third);
        const struct vec3 n = vec3_normalize(vec3_make(sine, cosine, u - v));
        return exact_mix(sum, vec3_dot(vec3_cross(n, vec3_make(v, u, sine)), n));
    }
);
// clang-format on

static const char kernel_text[] = "struct exact_args { uint32_t *out; uint32_t n; };\n"
                                  "KERNEL(exact, struct exact_args)\n"
                                  "{\n"
                                  "    const uint32_t i = block_index() * block_size() + thread_index();\n"
                                  "    if (i < args->n)\n"
                                  "        args->out[i] = exact_chain(i);\n"
                                  "}\n"
                                  "struct shared_args { uint32_t *out; uint32_t words; };\n"
                                  "KERNEL(reverse, struct shared_args)\n"
                                  "{\n"
                                  "    uint32_t *words = (uint32_t *)block_shared();\n"
                                  "    for (uint32_t i = thread_index(); i < args->words; i += block_size())\n"
                                  "        words[i] = 3u * i + 1u;\n"
                                  "    block_sync();\n"
                                  "    for (uint32_t i = thread_index(); i < args->words; i += block_size())\n"
                                  "        args->out[i] = words[args->words - 1u - i];\n"
                                  "}\n";

struct exact_args {
    uint32_t *out;
    uint32_t n;
};
struct shared_args {
    uint32_t *out;
    uint32_t words;
};

static struct device_program *build_texts(struct device *device)
{
    char text[sizeof both_text + sizeof kernel_text + 128];
    snprintf(text, sizeof text, "#include \"lib/random.h\"\n#include \"lib/maths.h\"\n%s%s", both_text, kernel_text);
    return build_with_traversal(device, text, &error);
}

// ---- memory

static void check_memory(struct device *device)
{
    const struct device_ops *ops = device->ops;
    struct device_stream *stream = ops->create_stream(device, &error);
    CHECK(stream != NULL);
    for (uint32_t bytes = 100; bytes <= 1000000; bytes *= 100) {
        CHECK(contract_memory(device, stream, bytes));
        CHECK(contract_memory(device, NULL, bytes));
    }
    CHECK(ops->alloc(device, (size_t)1 << 50, &error) == NULL && error.kind == ERROR_SYSTEM);
    void *nothing = ops->alloc(device, 0, &error);
    CHECK(nothing != NULL);
    ops->release(device, nothing);
    ops->destroy_stream(device, stream);
}

// ---- programs

// The defaults, as far as it matters here: a width of path state, and 0 elsewhere.
static size_t constants_init(struct device_constant constants[])
{
    size_t count = 0;
#define CONFIG_FIELD(field)                                                                                            \
    constants[count++] = (struct device_constant){#field, strcmp(#field, "path_bytes") == 0 ? 88 : 0};
#include "lib/config.def"
#undef CONFIG_FIELD
    return count;
}

static void check_variant(struct device *device, const char *variant, const char *kernel_name, bool counting)
{
    const struct device_ops *ops = device->ops;
    struct device_constant constants[EXECUTE_CONSTANTS];
    const struct device_build build = {variant, counting, 0, constants, constants_init(constants)};
    struct device_program *program = ops->build(device, &build, &error);
    if (!CHECK(program != NULL))
        return;
    const struct device_kernel *kernel = ops->kernel(program, kernel_name, &error);
    CHECK(kernel != NULL && kernel == ops->kernel(program, kernel_name, &error));
    CHECK(ops->kernel(program, "absent", &error) == NULL && error.kind == ERROR_USE);
    const struct device_kernel_facts facts = ops->facts(kernel);
    CHECK(facts.registers > 0 && facts.spill_bytes >= 0 && facts.local_bytes >= 0);
    printf("%s: %d registers, %d bytes local, %d spilled; %s\n", kernel_name, facts.registers, facts.local_bytes,
           facts.spill_bytes, ops->provenance(program));
    ops->release_program(device, program);
}

static void check_launches(struct device *device, struct device_program *program)
{
    enum { WORDS = 64 * 1024 / 4 };
    const struct device_ops *ops = device->ops;
    const uint64_t most = ops->properties(device)->shared_per_block;
    uint32_t *words = calloc(WORDS, 4);
    struct shared_args args = {ops->alloc(device, (size_t)WORDS * 4, &error), WORDS};
    struct device_launch launch = {.kernel = ops->kernel(program, "reverse", &error),
                                   .grid = 1,
                                   .block = 256,
                                   .shared_bytes = (size_t)WORDS * 4,
                                   .args = &args,
                                   .args_size = sizeof args};
    CHECK(launch.kernel && args.out);
    CHECK(ops->launch(device, NULL, &launch, &error));
    CHECK(ops->download(device, NULL, words, args.out, (size_t)WORDS * 4, &error));
    bool right = true;
    for (uint32_t i = 0; i < WORDS; ++i)
        right = right && words[i] == 3u * (WORDS - 1u - i) + 1u;
    CHECK(right);
    launch.shared_bytes = most;
    CHECK(ops->launch(device, NULL, &launch, &error));
    launch.shared_bytes = most + 1;
    CHECK(!ops->launch(device, NULL, &launch, &error) && error.kind == ERROR_UNSUPPORTED);
    launch.shared_bytes = (size_t)WORDS * 4;
    launch.block = 1025;
    CHECK(!ops->launch(device, NULL, &launch, &error) && error.kind == ERROR_UNSUPPORTED);
    CHECK(ops->synchronize(device, NULL, &error));
    ops->release(device, args.out);
    free(words);
}

static void check_exactness(struct device *device, struct device_program *program)
{
    enum { N = 1 << 22, BLOCK = 256 };
    const struct device_ops *ops = device->ops;
    uint32_t *out = calloc(N, 4), differing = 0;
    struct device_stream *stream = ops->create_stream(device, &error);
    struct device_event *from = ops->create_event(device, &error), *to = ops->create_event(device, &error);
    struct exact_args args = {ops->alloc(device, (size_t)N * 4, &error), N};
    const struct device_launch launch = {.kernel = ops->kernel(program, "exact", &error),
                                         .grid = N / BLOCK,
                                         .block = BLOCK,
                                         .args = &args,
                                         .args_size = sizeof args};
    double seconds = -1;
    CHECK(launch.kernel && args.out);
    CHECK(ops->record(device, stream, from, &error) && ops->launch(device, stream, &launch, &error) &&
          ops->record(device, stream, to, &error));
    CHECK(ops->download(device, stream, out, args.out, (size_t)N * 4, &error));
    CHECK(ops->synchronize(device, stream, &error));
    CHECK(ops->elapsed(device, from, to, &seconds, &error) && seconds > 0 && seconds < 1);
    for (uint32_t i = 0; i < N; ++i)
        differing += out[i] != exact_chain(i);
    printf("exactness: %u of %d differ, %.3f ms\n", (unsigned)differing, N, seconds * 1e3);
    CHECK(differing == 0);
    ops->release(device, args.out);
    ops->destroy_event(device, from);
    ops->destroy_event(device, to);
    ops->destroy_stream(device, stream);
    free(out);
}

// ---- selection and sort

static void check_selections(struct device *device, bool small)
{
    static const uint32_t sizes[] = {0, 1, 31, 1000000, 32, 255, 256, 257, 65537, 262144, 262145, 1000003, 64 << 20};
    struct device_stream *stream = device->ops->create_stream(device, &error);
    CHECK(stream != NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes - (small ? 1 : 0); ++i) {
        CHECK(contract_select(device, stream, sizes[i], 97, true));
        CHECK(contract_select(device, NULL, sizes[i], i % 3 == 0 ? 256 : i % 3 == 1 ? 0 : 5, false));
    }
    device->ops->destroy_stream(device, stream);
}

static void check_sorting(struct device *device)
{
    static const uint32_t sizes[] = {0, 1, 31, 257, 65536, 1000003, 3000017, 100}, bits[] = {32, 7, 0, 20};
    struct device_stream *stream = device->ops->create_stream(device, &error);
    CHECK(stream != NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (size_t b = 0; b < sizeof bits / sizeof *bits; ++b)
            CHECK(contract_sort(device, b % 2 ? NULL : stream, sizes[i], bits[b]));
    device->ops->destroy_stream(device, stream);
}

static void check_rest(struct device *device, const char *self, bool sanitizer)
{
    struct device_program *program = build_conduct(device);
    check_sorting(device);
    check_readback(device);
    check_conditions(device);
    if (CHECK(program != NULL) && !sanitizer) {
        check_clock(device, program);
        check_asynchrony(device, program);
        check_streams(device, program);
        check_carveout(device, program);
        check_ahead(device);
        check_faults(device, self);
    }
    device->ops->release_program(device, program);
}

// usage: test_cuda_device [--sanitizer | --fault KIND]     --sanitizer: nothing faulty, and sizes that suit
// compute-sanitizer. --fault: what check_faults starts
int main(int count, char **arguments)
{
    if (count > 2 && strcmp(arguments[1], "--fault") == 0)
        return run_fault(arguments[2]);
    const bool sanitizer = count > 1 && strcmp(arguments[1], "--sanitizer") == 0;
    const char *why = cuda_backend.unavailable();
    if (why) {
        printf("skipped: %s\n", why);
        return SKIPPED;
    }
    struct device_settings settings = {.ordinal = 1000};
    CHECK(cuda_backend.open(&settings, &error) == NULL && error.kind == ERROR_USE);
    struct device *device = cuda_backend.open(NULL, &error);
    if (!CHECK(device != NULL))
        return EXIT_FAILURE;
    const struct device_properties *p = device->ops->properties(device);
    printf("%s, driver %s, sm_%u, %u multiprocessors, %u warps and %u blocks each, %llu bytes shared a block\n",
           p->name, p->driver, (unsigned)p->compute_capability, (unsigned)p->multiprocessors,
           (unsigned)p->max_warps_per_multiprocessor, (unsigned)p->max_blocks_per_multiprocessor,
           (unsigned long long)p->shared_per_block);
    check_memory(device);
    check_variant(device, "null", "null_touch", false);
    check_variant(device, "naive", "naive", false);
    check_variant(device, "naive", "naive", true);
    struct device_program *program = build_texts(device);
    if (CHECK(program != NULL)) {
        check_launches(device, program);
        check_exactness(device, program);
        check_selections(device, sanitizer);
    }
    check_blocks(device);
    check_rest(device, arguments[0], sanitizer);
    device->ops->release_program(device, program);
    device->ops->close(device);
    printf("%d failures\n", failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
