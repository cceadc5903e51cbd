// SPDX-License-Identifier: MIT
// What is said where OptiX is missing, another, or fails, by a library that answers as OptiX would (fake_optix.c). Each case is a process,
// since a process opens one library once.
//
// usage: test_optix FAKE_OPTIX FAKE_DRIVER
#include <dlfcn.h>
#include <optix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/optix/optix.h"

static int failures;

static void expect(const char *what, bool holds, const struct error *error)
{
    if (holds)
        return;
    ++failures;
    printf("FAIL %s: %s (%s)\n", what, error->message, error->remedy);
}

static bool says(const struct error *error, enum error_kind kind, const char *message, const char *remedy)
{
    return error->kind == kind && strstr(error->message, message) && strstr(error->remedy, remedy);
}

static void library_is_missing(void)
{
    struct error error = {0};
    setenv("WARPSTUDY_OPTIX_LIBRARY", "/nowhere.so", 1);
    expect("no library", !optix_open(NULL, &error) && says(&error, ERROR_UNSUPPORTED, "no OptiX here", "driver"),
           &error);
}

static void abi_is_another(void)
{
    struct error error = {0};
    expect("old", !optix_open(NULL, &error) && says(&error, ERROR_UNSUPPORTED, "has no ABI", "-Doptix"), &error);
}

static void answer_is_odd(void)
{
    struct error error = {0};
    expect("odd", !optix_open(NULL, &error) && says(&error, ERROR_UNSUPPORTED, "does not answer", "driver again"),
           &error);
}

static void context_fails(void)
{
    struct error error = {0};
    expect("no context",
           !optix_open(NULL, &error) && says(&error, ERROR_FAILED, "words of the fake (SOME_ERROR, 7001)", ""), &error);
}

// Of a structure that has no room, and of code that is none.
static void check_failures(struct optix *optix)
{
    struct error error = {0};
    struct device_structure structure;
    const struct device_structure_input input = {.count = 1000, .stride = 16, .compact = true};
    expect("too large",
           !optix_build(optix, &input, &structure, &error) &&
               says(&error, ERROR_SYSTEM, "the GPU's memory is full (OUT_OF_MEMORY", "smaller scene"),
           &error);
    error = (struct error){0};
    expect("no module",
           !optix_module_create(optix, "none", 4, 64, false, &error) &&
               says(&error, ERROR_FAILED, "words of the fake", "COMPILER: 4 bytes are no module, at most 64 registers"),
           &error);
}

static void software_traverses(void)
{
    struct error error = {0};
    struct optix *optix = optix_open(NULL, &error);
    expect("software", optix && !optix_facts(optix)->rt_cores && !optix_facts(optix)->reorders, &error);
    check_failures(optix);
    optix_close(optix);
}

static void hardware_traverses(void)
{
    struct error error = {0};
    char name[32];
    struct optix *optix = optix_open(NULL, &error);
    snprintf(name, sizeof name, "OptiX %u.%u", optix_version() / 10000, optix_version() % 10000 / 100);
    expect("hardware",
           optix && optix_facts(optix)->rt_cores == 20 && optix_facts(optix)->reorders &&
               !strcmp(optix_facts(optix)->name, name),
           &error);
    optix_close(optix);
}

static void headers_are_looked_for(void)
{
    struct error error = {0};
    setenv("WARPSTUDY_OPTIX", "/nowhere", 1);
    expect("no headers",
           !optix_headers(&error) && says(&error, ERROR_UNSUPPORTED, "/nowhere has no optix.h", "WARPSTUDY_OPTIX"),
           &error);
    unsetenv("WARPSTUDY_OPTIX");
    expect("headers of the build", optix_headers(&error) != NULL, &error);
}

// ---- structures and launches, in the host's memory (fake_driver.c)

enum { TRIANGLES = 7, COPIES = 3, PART_BYTES = 2048 }; // of a structure over triangles once compacted; 4096 before

// What fake_optix.c writes into the structure of a part: its first corner, its corners, and the first of its triangles.
static bool is_part(OptixTraversableHandle handle, float corner, uint32_t first, uint32_t count)
{
    float read[3];
    uint32_t numbers[2];
    memcpy(read, (const void *)(uintptr_t)(handle - 1), sizeof read);
    memcpy(numbers, (const float *)(uintptr_t)(handle - 1) + 3, sizeof numbers);
    return read[0] == corner && numbers[0] == 3 * count && numbers[1] == first;
}

// The list of copies is what fake_optix.c writes into the structure over them.
static bool are_copies(const struct device_structure *structure, const struct device_copy *copies)
{
    OptixInstance list[COPIES];
    bool equal = structure->handle - 1 == (uintptr_t)structure->memory;
    memcpy(list, structure->memory, sizeof list);
    for (int i = 0; i < COPIES; ++i)
        equal = equal && !memcmp(list[i].transform, copies[i].to_world, sizeof list[i].transform) &&
                list[i].visibilityMask == 255 &&
                (copies[i].part ? is_part(list[i].traversableHandle, 54, 2, 5)
                                : is_part(list[i].traversableHandle, 0, 0, 2));
    return equal;
}

static void check_structures(struct optix *optix, bool compact)
{
    static float corners[9 * TRIANGLES];
    static const struct device_part parts[] = {{0, 2}, {2, 5}};
    static const struct device_copy copies[COPIES] = {
        {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, 1}, {{{2}}, 0}, {{{3}}, 1}};
    struct error error = {0};
    struct device_structure whole, structure;
    struct device_structure_input input = {
        .corners = corners, .count = TRIANGLES, .stride = 3 * sizeof(float), .compact = compact};
    for (int i = 0; i < 9 * TRIANGLES; ++i)
        corners[i] = (float)(3 * i);
    const size_t part = compact ? PART_BYTES : 2 * PART_BYTES;
    expect("whole",
           optix_build(optix, &input, &whole, &error) && is_part(whole.handle, 0, 0, TRIANGLES) && whole.bytes == part,
           &error);
    input.parts = parts;
    input.copies = copies;
    input.part_count = 2;
    input.copy_count = COPIES;
    expect("copies",
           optix_build(optix, &input, &structure, &error) && are_copies(&structure, copies) &&
               structure.bytes == 2 * part + 2 * PART_BYTES,
           &error);
    free(whole.memory);
    free(structure.memory);
}

static void check_limits(struct optix *optix)
{
    struct error error = {0};
    struct device_structure structure;
    struct device_structure_input input = {.count = (1 << 20) + 1, .stride = 16};
    expect("triangles",
           !optix_build(optix, &input, &structure, &error) &&
               says(&error, ERROR_UNSUPPORTED, "at most 1048576 triangles; this scene has 1048577", "another tree"),
           &error);
    input.count = 1;
    input.copy_count = (1 << 10) + 1;
    error = (struct error){0};
    expect("instances",
           !optix_build(optix, &input, &structure, &error) &&
               says(&error, ERROR_UNSUPPORTED, "at most 1024 instances; this scene has 1025", "another tree"),
           &error);
}

static void check_launches(struct optix *optix)
{
    struct error error = {0};
    struct device_launch one = {.grid = 4, .block = 64, .args = "", .args_size = 1};
    struct optix_module *module = optix_module_create(optix, "code", 4, 0, true, &error);
    struct optix_program *program = module ? optix_module_program(module, "named", &error) : NULL;
    void *arguments = malloc(optix_launch_bytes);
    expect("program", program && optix_module_program(module, "named", &error) == program, &error);
    expect("lost",
           program && !optix_program_launch(program, NULL, (CUdeviceptr)(uintptr_t)arguments, &one, &error) &&
               says(&error, ERROR_DEVICE, "cannot use the GPU any more", ""),
           &error);
    one.grid = 1 << 25;
    error = (struct error){0};
    expect("too many lanes",
           program && !optix_program_launch(program, NULL, (CUdeviceptr)(uintptr_t)arguments, &one, &error) &&
               says(&error, ERROR_UNSUPPORTED, "at most 1073741824 lanes; this launch has 2147483648", "fewer pixels"),
           &error);
    free(arguments);
}

static void structures_are_built(void)
{
    struct error error = {0};
    struct optix *optix = optix_open(NULL, &error);
    expect("works", optix && cuda_driver_load(&error), &error);
    if (failures)
        return;
    check_structures(optix, true);
    check_structures(optix, false);
    check_limits(optix);
    check_launches(optix);
}

static void run_case(const char *kind, void (*check)(void))
{
    fflush(stdout);
    const pid_t process = fork();
    if (process == 0) {
        setenv("FAKE_OPTIX", kind, 1);
        check();
        fflush(stdout);
        _exit(failures ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    int status = 0;
    failures += waitpid(process, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
    // As libcuda.so.1 it is found by that name from now on.
    if (count != 3 || !dlopen(arguments[2], RTLD_NOW | RTLD_GLOBAL)) {
        fputs(count == 3 ? dlerror() : "usage: test_optix FAKE_OPTIX FAKE_DRIVER\n", stderr);
        return EXIT_FAILURE;
    }
    setenv("FAKE_DRIVER", "memory", 1);
    setenv("WARPSTUDY_OPTIX_LIBRARY", arguments[1], 1);
    run_case("", library_is_missing);
    run_case("old", abi_is_another);
    run_case("odd", answer_is_odd);
    run_case("no context", context_fails);
    run_case("small", software_traverses);
    run_case("rt", hardware_traverses);
    run_case("", headers_are_looked_for);
    run_case("works", structures_are_built);
    printf("8 cases, %d failed\n", failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
