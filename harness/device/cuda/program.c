// SPDX-License-Identifier: MIT
// Programs, kernels and launches of the cuda backend.
#include "device/cuda/backend.h"

#include <stdlib.h>
#include <string.h>

#include "source_hashes.h" // CUDA_MODULE_CODE
#include "base/memory.h"
#include "device/cuda/compile.h"
#include "device/cuda/cupti_image.h"
#include "device/optix/optix.h"

enum { BLOCK_MOST = 1024 };

struct kernel_list {
    struct device_kernel *first;
};

struct device_program {
    struct cuda_device *device;
    CUmodule module;
    char name[128]; // the header that it was built from
    char *log, *provenance;
    struct optix_module *traced; // of its kernels that run through OptiX; NULL where none does
    struct kernel_list *kernels; // found so far; apart, because looking one up changes no program
};

// ---- building

static bool load_module(struct device_program *program, const struct kernel_binary *binary, struct error *error)
{
    const bool loaded = CUDA_CALL(error, module_load, &program->module, binary->bytes, 0, NULL, NULL);
    if (!loaded && error && error->kind == ERROR_UNSUPPORTED)
        error_remedy(error,
                     "NVRTC may be newer than the driver: update the driver, or name an NVRTC of its CUDA release "
                     "in WARPSTUDY_NVRTC");
    return loaded;
}

// The device's list takes the code over: counters speak of its addresses.
static bool keep_image(struct device_program *program, struct kernel_binary *binary, struct error *error)
{
    struct cupti_image *image = cupti_image_create(program, binary->bytes, binary->size, error);
    binary->bytes = NULL;
    if (!image)
        return false;
    image->next = program->device->images;
    program->device->images = image;
    return true;
}

static struct cupti_image *image_of(const struct device_program *program)
{
    struct cupti_image *image = program->device->images;
    while (image && image->program != program)
        image = image->next;
    return image;
}

// CUPTI goes on attributing samples to a function that it knows, at the addresses that it had: code that was sampled
// stays loaded until the process ends, so that no other code comes to lie there.
static bool unload(const struct cupti_image *image, CUmodule module, struct error *error)
{
    return (image && image->sampled) || CUDA_CALL(error, module_unload, module);
}

static void drop_image(struct device_program *program)
{
    struct cupti_image *image = image_of(program), **link = &program->device->images;
    while (*link && *link != image)
        link = &(*link)->next;
    if (*link)
        *link = image->next;
    cupti_image_destroy(image);
}

// Of a request that has kernels for OptiX.
static bool load_traced(struct device_program *program, const struct cuda_request *request, struct error *error)
{
    struct cuda_request traced;
    struct kernel_binary binary;
    if (!cuda_request_for_optix(request, &traced))
        return true;
    struct optix *optix = cuda_optix(program->device, error);
    if (!optix || !cuda_compile(&traced, &binary, error))
        return false;
    program->traced = optix_module_create(optix, binary.bytes, binary.size, request->register_cap,
                                          cuda_request_constant(request, "instances") == INSTANCES_TWO_LEVEL, error);
    kernel_binary_finish(&binary);
    return program->traced != NULL;
}

// What traverses for it: part of what its results follow from.
static char *tracer_of(const struct device_program *program)
{
    struct device_tracing tracing;
    if (!program->traced || !cuda_tracing(&program->device->device, &tracing, NULL))
        return memory_copy("");
    return memory_format(", %s on a GPU %s RT cores", tracing.name, tracing.rt_cores ? "with" : "without");
}

static bool program_init(struct device_program *program, struct cuda_device *device, const struct cuda_request *request,
                         struct error *error)
{
    struct kernel_binary binary = {0};
    program->device = device;
    snprintf(program->name, sizeof program->name, "%s", request->header);
    program->kernels = memory_new(1, sizeof *program->kernels);
    if (!cuda_compile(request, &binary, error))
        return false;
    const bool done = load_module(program, &binary, error) && keep_image(program, &binary, error) &&
                      load_traced(program, request, error);
    char *tracer = tracer_of(program);
    program->provenance = memory_format("%s, driver %s, module %s%s", binary.provenance, device->properties.driver,
                                        CUDA_MODULE_CODE, tracer);
    free(tracer);
    program->log = binary.log;
    binary.log = NULL;
    kernel_binary_finish(&binary);
    return done;
}

static struct device_program *create_program(struct device *device, struct cuda_request *request, struct error *error)
{
    struct cuda_device *cuda = cuda_device_of(device);
    if (!cuda_enter(device, error))
        return NULL;
    struct device_program *program = memory_new(1, sizeof *program);
    request->compute_capability = cuda->properties.compute_capability;
    if (program_init(program, cuda, request, error))
        return program;
    cuda_release_program(device, program);
    return NULL;
}

struct device_program *cuda_build(struct device *device, const struct device_build *build, struct error *error)
{
    char header[CUDA_HEADER];
    struct cuda_request request = cuda_request_of(build, header);
    return create_program(device, &request, error);
}

bool cuda_inspect(const struct device_build *build, uint32_t compute_capability,
                  void (*visit)(void *context, const char *kernel, const struct device_kernel_facts *), void *context,
                  struct error *error)
{
    char header[CUDA_HEADER];
    struct cuda_request request = cuda_request_of(build, header);
    struct kernel_binary binary;
    request.compute_capability = compute_capability;
    if (!cuda_compile(&request, &binary, error))
        return false;
    const bool found = kernel_log_visit(binary.log, visit, context);
    kernel_binary_finish(&binary);
    return found || error_set(error, ERROR_FAILED, "the compiler's report on %s names no kernel", header);
}

struct device_program *cuda_build_source(struct device *device, const char *header, const char *text,
                                         struct error *error)
{
    struct cuda_request request = {.header = header, .text = text};
    return create_program(device, &request, error);
}

void cuda_release_program(struct device *device, struct device_program *program)
{
    if (!program)
        return;
    for (struct device_kernel *kernel = program->kernels ? program->kernels->first : NULL; kernel;) {
        struct device_kernel *next = kernel->next;
        free(kernel);
        kernel = next;
    }
    if (program->module && cuda_enter(device, NULL)) {
        optix_module_destroy(program->traced);
        (void)unload(image_of(program), program->module, NULL);
    }
    drop_image(program);
    free(program->kernels);
    free(program->log);
    free(program->provenance);
    free(program);
}

bool cuda_program_reload(struct device_program *program, struct error *error)
{
    struct cupti_image *image = image_of(program);
    CUmodule old = program->module, fresh = NULL;
    if (!CUDA_CALL(error, module_load, &fresh, image->bytes, 0, NULL, NULL))
        return false;
    program->module = fresh;
    bool done = true;
    for (struct device_kernel *kernel = program->kernels->first; kernel && done; kernel = kernel->next) {
        if (kernel->traced)
            continue;
        done = CUDA_CALL(error, module_function, &kernel->function, fresh, kernel->name);
        kernel->carveout = -1;
        kernel->dynamic_shared = 0;
        kernel->launched = false;
    }
    done = unload(image, old, error) && done;
    image->missed = image->sampled = false;
    return done;
}

const char *cuda_provenance(const struct device_program *program)
{
    return program->provenance;
}

// ---- kernels

static bool read_facts(struct device_kernel *kernel, const char *log, struct error *error)
{
    int registers, local, shared;
    if (!CUDA_CALL(error, function_attribute, &registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel->function) ||
        !CUDA_CALL(error, function_attribute, &local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, kernel->function) ||
        !CUDA_CALL(error, function_attribute, &shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel->function) ||
        !CUDA_CALL(error, function_attribute, &kernel->max_block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                   kernel->function))
        return false;
    struct device_kernel_facts logged = {.spill_bytes = -1};
    kernel_log_facts(log, kernel->name, &logged); // the driver does not tell spills from other local memory
    kernel->facts = (struct device_kernel_facts){registers, logged.spill_bytes, local, shared};
    return true;
}

// OptiX tells nothing of its programs, and launches have no blocks: theirs are counted in our launches alone.
static bool init_traced(struct device_kernel *kernel, struct optix_module *module, struct error *error)
{
    kernel->facts = (struct device_kernel_facts){-1, -1, -1, 0};
    kernel->max_block = BLOCK_MOST;
    kernel->traced = optix_module_program(module, kernel->name, error);
    return kernel->traced != NULL;
}

static bool kernel_init(struct device_kernel *kernel, const struct device_program *program, const char *name,
                        struct error *error)
{
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    kernel->carveout = -1;
    kernel->image = image_of(program);
    struct device_kernel_facts logged;
    if (program->traced && !kernel_log_facts(program->log, name, &logged)) // it is not among the machine code
        return init_traced(kernel, program->traced, error);
    const CUresult result = cuda_driver_load(NULL)->module_function(&kernel->function, program->module, name);
    if (result == CUDA_ERROR_NOT_FOUND)
        return error_set(error, ERROR_USE, "%s defines no kernel \"%s\"", program->name, name);
    return cuda_check(result, "module_function", __FILE__, __LINE__, error) && read_facts(kernel, program->log, error);
}

const struct device_kernel *cuda_kernel(const struct device_program *program, const char *name, struct error *error)
{
    for (const struct device_kernel *kernel = program->kernels->first; kernel; kernel = kernel->next)
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    struct device_kernel *kernel = memory_new(1, sizeof *kernel);
    if (!cuda_enter(&program->device->device, error) || !kernel_init(kernel, program, name, error)) {
        free(kernel);
        return NULL;
    }
    kernel->next = program->kernels->first;
    program->kernels->first = kernel;
    return kernel;
}

struct device_kernel_facts cuda_facts(const struct device_kernel *kernel)
{
    return kernel->facts;
}

// ---- launches

// What cannot run on this GPU is told apart from what fails on it: the former is a skip.
static bool check_launch(const struct cuda_device *device, const struct device_launch *launch, struct error *error)
{
    enum { ARGS_MAX = 4096 };
    const struct device_kernel *kernel = launch->kernel;
    const uint64_t shared = launch->shared_bytes + (uint64_t)kernel->facts.static_shared_bytes;
    if (launch->args_size > ARGS_MAX)
        return error_set(error, ERROR_USE, "kernel %s takes %zu bytes of arguments, and %d is the most", kernel->name,
                         launch->args_size, ARGS_MAX);
    if (launch->carveout > 100)
        return error_set(error, ERROR_USE, "kernel %s: a carve-out of %u percent", kernel->name,
                         (unsigned)launch->carveout);
    if (launch->block == 0 || launch->block > (uint32_t)kernel->max_block)
        return error_set(error, ERROR_UNSUPPORTED,
                         "a block of %u lanes does not fit kernel %s: %d registers a lane allow %d",
                         (unsigned)launch->block, kernel->name, kernel->facts.registers, kernel->max_block);
    if (shared > device->properties.shared_per_block)
        return error_set(error, ERROR_UNSUPPORTED,
                         "kernel %s wants %llu bytes of shared memory a block, and %s has %llu", kernel->name,
                         (unsigned long long)shared, device->properties.name,
                         (unsigned long long)device->properties.shared_per_block);
    return true;
}

// Settings of a kernel stay until they are changed, so they are set only then: a launch costs no call more.
static bool program_configure(struct device_kernel *kernel, const struct device_launch *launch, struct error *error)
{
    enum { SHARED_ALWAYS = 48 * 1024, DRIVERS_CHOICE = -1 }; // bytes that a launch may ask for without saying so first
    const int dynamic_shared = (int)launch->shared_bytes;
    const int carveout = launch->carveout ? (int)launch->carveout : DRIVERS_CHOICE;
    if (dynamic_shared + kernel->facts.static_shared_bytes > SHARED_ALWAYS && dynamic_shared > kernel->dynamic_shared) {
        if (!CUDA_CALL(error, function_set, kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                       dynamic_shared))
            return false;
        kernel->dynamic_shared = dynamic_shared;
    }
    if (carveout != kernel->carveout) {
        if (!CUDA_CALL(error, function_set, kernel->function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                       carveout))
            return false;
        kernel->carveout = carveout;
    }
    return true;
}

static void note_launch(struct cuda_device *cuda, struct device_kernel *kernel)
{
    struct cupti_image *image = kernel->image;
    image->launched = ++cuda->launches;
    image->missed |= !kernel->launched && !cuda->sampling;
    image->sampled |= cuda->sampling;
    kernel->launched = true;
}

bool cuda_resident_blocks(struct device *device, const struct device_launch *launch, uint32_t *blocks,
                          struct error *error)
{
    struct device_kernel *kernel = (struct device_kernel *)(uintptr_t)launch->kernel;
    int found = 0;
    if (kernel->traced)
        return error_set(error, ERROR_UNSUPPORTED, "kernel %s: OptiX does not tell how many of its lanes fit the GPU",
                         kernel->name);
    if (!cuda_enter(device, error) || !check_launch(cuda_device_of(device), launch, error) ||
        !program_configure(kernel, launch, error) ||
        !CUDA_CALL(error, resident_blocks, &found, kernel->function, (int)launch->block, launch->shared_bytes))
        return false;
    *blocks = (uint32_t)found;
    return true;
}

static bool launch_dependent(const struct device_kernel *kernel, const struct device_launch *launch, CUstream stream,
                             void **arguments, struct error *error)
{
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION};
    attribute.value.programmaticStreamSerializationAllowed = 1;
    const CUlaunchConfig config = {.gridDimX = launch->grid,
                                   .gridDimY = 1,
                                   .gridDimZ = 1,
                                   .blockDimX = launch->block,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .sharedMemBytes = (unsigned)launch->shared_bytes,
                                   .hStream = stream,
                                   .attrs = &attribute,
                                   .numAttrs = 1};
    return CUDA_CALL(error, launch_extended, &config, kernel->function, arguments, NULL);
}

static bool give_to_driver(const struct cuda_device *cuda, const struct device_kernel *kernel,
                           const struct device_launch *launch, CUstream stream, struct error *error)
{
    void *arguments[] = {(void *)(uintptr_t)launch->args}; // the driver copies them before it returns
    const unsigned grid = launch->grid, block = launch->block, shared = (unsigned)launch->shared_bytes;
    if (launch->dependent && cuda->properties.compute_capability >= 90)
        return launch_dependent(kernel, launch, stream, arguments, error);
    if (launch->cooperative)
        return CUDA_CALL(error, launch_cooperative, kernel->function, grid, 1, 1, block, 1, 1, shared, stream,
                         arguments);
    return CUDA_CALL(error, launch, kernel->function, grid, 1, 1, block, 1, 1, shared, stream, arguments, NULL);
}

bool cuda_launch(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                 struct error *error)
{
    // The caller's view of a kernel is constant; what was set last is this file's own.
    struct device_kernel *kernel = (struct device_kernel *)(uintptr_t)launch->kernel;
    if (!cuda_enter(device, error) || !check_launch(cuda_device_of(device), launch, error))
        return false;
    if (launch->grid == 0)
        return true;
    if (kernel->traced)
        return cuda_launch_traced(device, stream, launch, error);
    if (!program_configure(kernel, launch, error))
        return false;
    const bool done = give_to_driver(cuda_device_of(device), kernel, launch, cuda_stream_of(stream), error);
    note_launch(cuda_device_of(device), kernel);
    if (!done && !launch->cooperative) // a cooperative one that does not fit has a remedy
        error_remedy(error, "kernel %s, %u blocks of %u lanes, %zu bytes of shared memory", kernel->name,
                     (unsigned)launch->grid, (unsigned)launch->block, launch->shared_bytes);
    return done;
}
