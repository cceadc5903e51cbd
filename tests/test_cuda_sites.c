// SPDX-License-Identifier: MIT
// The sites in the machine code of every variant, without a GPU: each kernel that traces has them, as often as its text
// says, and nothing predicates them. Needs NVRTC and CUPTI at run time; where one is missing it says so and exits with
// 77 (skipped).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda/compile.h"
#include "device/cuda/sources.h"
#include "device/cuda/cupti_counters.h"
#include "trial/execute_settings.h"

enum { SKIPPED = 77 };

enum { MOST_KERNELS = 24 };
static const struct {
    const char *variant;
    const char *kernels[MOST_KERNELS];
} rows[] = {
#define KERNEL_ENTRY(variant, name) #name,
#define VARIANT(folder, stem, kernels) {#stem, {kernels}},
#include "variants.def"
#undef VARIANT
#undef KERNEL_ENTRY
};

static struct error error;
static int failures;

static void fail(const char *kernel, const char *what)
{
    char text[2048];
    error_format(&error, text, sizeof text);
    printf("FAIL %s: %s %s\n", kernel, what, text);
    error_clear(&error);
    ++failures;
}

// A predicated instruction would be counted where it does nothing.
static bool predicated(const struct cupti_function *function, size_t instruction)
{
    enum { SHIFT = 12, BITS = 0xF, ALWAYS = 7 };
    uint64_t low;
    memcpy(&low, function->code + instruction * CUPTI_INSTRUCTION, sizeof low);
    return (low >> SHIFT & BITS) != ALWAYS;
}

// Copies of the places in the text of a kernel: extensions, traversals, and look-ups of a density. A whole extension is inlined
// once; it traces a path's ray, and a shadow ray too. Of the loop over look-ups the compiler may write more than one.
struct copies {
    const char *kernel;
    uint32_t extensions, traversals, lookups;
};
static const struct copies whole[] = {
    {"volume_naive", 1, 0, 1},
    {"volume_steps_begin", 1, 0, 1},
    {"volume_steps_extend", 1, 0, 1},
    {"volume_steps_whole", 1, 0, 1},
    {"volume_steps_empty", 0, 0, 0},
    {"volume_steps_state", 0, 0, 0},
    {"regenerate_thread", 1, 0, 1},
    {"regenerate_warp", 1, 0, 1},
    {"regenerate_block", 1, 0, 1},
    {"regenerate_block_part", 1, 0, 1},
    {"regenerate_device_extend", 1, 0, 1},
    {"stream_device_extend", 1, 0, 1},
    {"stream_device_whole", 1, 0, 1},
    {"stream_device_local_extend", 1, 0, 1},
    {"stream_block", 1, 0, 1},
    {"stream_sort", 1, 0, 1},
    {"sort_albedo", 1, 0, 1},
    {"three_stage_matte", 0, 1, 0},
    {"three_stage_any", 0, 1, 0},
    {"three_stage_glossy", 0, 1, 0},
    {"three_stage_coated", 0, 1, 0},
    {"two_stage_logic", 0, 1, 0},
    {"two_stage_pixel_logic", 0, 1, 0},
};

// Stages, by the last word of a kernel's name: one traces paths' rays, one shadow rays, the others none.
static const struct copies stages[] = {
    {"trace", 1, 1, 0}, {"extend", 1, 1, 0}, {"shadow", 0, 1, 0}, {"begin", 0, 0, 0},      {"surface", 0, 0, 0},
    {"light", 0, 0, 0}, {"shade", 0, 0, 0},  {"next", 0, 0, 0},   {"refill", 0, 0, 0},     {"regenerate", 0, 0, 0},
    {"check", 0, 0, 0}, {"flag", 0, 0, 0},   {"keys", 0, 0, 0},   {"move", 0, 0, 0},       {"miss", 0, 0, 0},
    {"blend", 0, 0, 0}, {"rank", 0, 0, 0},   {"logic", 0, 0, 0},  {"microfacet", 0, 0, 0}, {"metal", 0, 0, 0},
    {"mixed", 0, 0, 0}, {"touch", 0, 0, 0}};

static struct copies wanted(const char *kernel)
{
    const char *stage = strrchr(kernel, '_');
    for (size_t i = 0; i < sizeof whole / sizeof *whole; ++i)
        if (!strcmp(kernel, whole[i].kernel))
            return whole[i];
    for (size_t i = 0; stage && i < sizeof stages / sizeof *stages; ++i)
        if (!strcmp(stage + 1, stages[i].kernel))
            return stages[i];
    return (struct copies){kernel, 1, 2, 0};
}

// Copies of a step in the text of a traversal.
static uint32_t step_copies = 1;

static void check_function(const struct cupti_function *function)
{
    const uint32_t *copies = function->copies;
    const struct copies all = wanted(function->name);
    printf("%-24s %5zu instructions, sites: extension %u, inner %u, triangle %u\n", function->name,
           function->instructions, copies[DEVICE_SITE_EXTENSION], copies[DEVICE_SITE_INNER],
           copies[DEVICE_SITE_TRIANGLE]);
    const uint32_t inner = all.traversals * step_copies + all.lookups;
    if (copies[DEVICE_SITE_EXTENSION] != all.extensions || copies[DEVICE_SITE_TRIANGLE] != all.traversals ||
        copies[DEVICE_SITE_INNER] < inner || (!all.lookups && copies[DEVICE_SITE_INNER] > inner))
        fail(function->name, "other copies than its text has");
    size_t without_line = 0;
    for (size_t i = 0; i < function->instructions; ++i) {
        without_line += function->lines[i].line == 0;
        if (function->sites[i] != DEVICE_SITE_ALL && predicated(function, i))
            fail(function->name, "a site is predicated");
    }
    if (without_line)
        fail(function->name, "instructions without a line");
}

// The functions of a program that runs on no device: what counters do with a loaded one.
static void check_image(struct cupti_image *image, const char *kernel)
{
    struct cuda_device device = {.images = image};
    struct cupti_function *function = NULL;
    CUpti_GetCubinCrcParams crc = {
        .size = CUpti_GetCubinCrcParamsSize, .cubinSize = image->size, .cubin = image->bytes};
    if (!CUPTI_CALL(&error, GetCubinCrc, &crc) ||
        !cupti_function_of(&device.device, crc.cubinCrc, kernel, &function, &error) || !function) {
        fail(kernel, "is not found in its own code");
        return;
    }
    check_function(function);
    if (cupti_function_of(&device.device, crc.cubinCrc + 1, kernel, &function, &error) && function)
        fail(kernel, "is found under another checksum");
}

static void check_variant(const char *variant, const char *const *kernels, uint32_t architecture,
                          const struct parameters *parameters)
{
    const struct kernel_text *header = kernel_text_of(variant);
    struct device_constant constants[EXECUTE_CONSTANTS];
    struct config config;
    struct kernel_binary binary;
    if (!header) {
        fail(variant, "has no kernels");
        return;
    }
    const struct cuda_request request = {
        .header = header->name,
        .compute_capability = architecture,
        .constants = constants,
        .constant_count = execute_constants(parameters, constants, &config),
    };
    if (!cuda_compile(&request, &binary, &error)) {
        fail(variant, "does not compile");
        return;
    }
    struct cupti_image *image = cupti_image_create(NULL, binary.bytes, binary.size, &error);
    binary.bytes = NULL;
    if (!image)
        fail(variant, "has no code");
    for (size_t i = 0; image && i < MOST_KERNELS && kernels[i]; ++i)
        check_image(image, kernels[i]);
    cupti_image_destroy(image);
    kernel_binary_finish(&binary);
}

// A fault of this test where there is no such parameter.
static void set(struct parameters *parameters, const char *name, const char *text)
{
    const struct parameter *parameter = parameter_find(name);
    int64_t value;
    if (!parameter_parse(parameter, text, &value, &error)) {
        fail(name, "is not known");
        return;
    }
    memcpy((char *)parameters + parameter->offset, &value, sizeof value);
}

static struct parameters with_top(const char *tree, const char *traversal, const char *triangle_test,
                                  const char *instances, const char *top_tree)
{
    struct parameters parameters = parameters_default();
    const char *const settings[][2] = {{"tree", tree},
                                       {"traversal", traversal},
                                       {"triangle_test", triangle_test},
                                       {"instances", instances},
                                       {"top_tree", top_tree}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i)
        set(&parameters, settings[i][0], settings[i][1]);
    return parameters;
}

static struct parameters with(const char *tree, const char *traversal, const char *triangle_test)
{
    return with_top(tree, traversal, triangle_test, "flat", "binary");
}

// Two levels, of one kind of tree, which one text serves, and of two; two steps a vote stand in the text one by one.
static void check_levels(const char *variant, const char *const *kernels)
{
    static const char *const cases[][3] = {{"binary", "binary", "while_while"},
                                           {"wide", "wide", "while_while"},
                                           {"wide", "binary", "voted"},
                                           {"binary", "wide", "speculative"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct parameters parameters = with_top(cases[i][0], cases[i][2], "watertight", "two_level", cases[i][1]);
        step_copies = (strcmp(cases[i][0], cases[i][1]) ? 2 : 1) * (strcmp(cases[i][2], "voted") ? 1 : 2);
        check_variant(variant, kernels, 90, &parameters);
    }
    step_copies = 1;
}

// Other forms of nodes and triangles, and other tests: their loads stand elsewhere in the text.
static void check_trees(const char *variant, const char *const *kernels)
{
    static const char *const cases[][2] = {{"kd16", "watertight"},
                                           {"kd_ptr25", "moeller_trumbore"},
                                           {"kd_cat28", "affine"},
                                           {"kd16_soa", "watertight"},
                                           {"binary_padded", "watertight"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct parameters parameters = with(cases[i][0], "while_while", cases[i][1]);
        check_variant(variant, kernels, 90, &parameters);
    }
}

// Other loads of densities, of which fetches of textures are other instructions; and what a boundary adds.
static void check_volumes(const char *variant, const char *const *kernels)
{
    static const char *const cases[][2] = {
        {"grid_loads", "read_only"}, {"grid_loads", "texture"}, {"boundary", "dielectric"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (uint32_t architecture = 80; architecture <= 90; architecture += 10) {
            struct parameters parameters = parameters_default();
            set(&parameters, cases[i][0], cases[i][1]);
            check_variant(variant, kernels, architecture, &parameters);
        }
}

// Damaged code is an error, or has no functions; it is never read past its end.
static void check_damage(void)
{
    unsigned char *bytes = calloc(1, 64);
    struct cupti_image *image = bytes ? cupti_image_create(NULL, bytes, 64, &error) : NULL;
    if (image || error.kind != ERROR_FAILED)
        fail("zeros", "are taken for code");
    error_clear(&error);
}

int main(void)
{
    if (!cuda_nvrtc_load(&error) || !cupti_load(&error)) {
        printf("skipped: %s\n", error.message);
        return SKIPPED;
    }
    check_damage();
    const struct parameters plain = parameters_default(), speculative = with("binary", "speculative", "watertight");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        check_variant(rows[i].variant, rows[i].kernels, 90, &plain); // which test_cuda_matrix has compiled
        if (i % 6 == 0)                                              // the same loop in all
            check_variant(rows[i].variant, rows[i].kernels, 90, &speculative);
        if (!strcmp(rows[i].variant, "naive")) {
            check_variant(rows[i].variant, rows[i].kernels, 80, &plain);
            check_trees(rows[i].variant, rows[i].kernels);
            check_levels(rows[i].variant, rows[i].kernels);
        }
        if (!strcmp(rows[i].variant, "volume_naive"))
            check_volumes(rows[i].variant, rows[i].kernels);
    }
    printf("%d failures\n", failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
