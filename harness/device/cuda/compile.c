// SPDX-License-Identifier: MIT
#include "device/cuda/compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "device/cuda/api.h"
#include "device/kernel_cache.h"
#include "device/cuda/sources.h"
#include "device/optix/optix.h"

static int64_t constant_of(const struct device_constant *constants, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (!strcmp(constants[i].name, name))
            return constants[i].value;
    return 0;
}

int64_t cuda_request_constant(const struct cuda_request *request, const char *name)
{
    return constant_of(request->constants, request->constant_count, name);
}

struct cuda_request cuda_request_of(const struct device_build *build, char header[CUDA_HEADER])
{
    const struct kernel_text *kernels = kernel_text_of(build->variant);
    snprintf(header, CUDA_HEADER, "%s%s", kernels ? kernels->name : build->variant, kernels ? "" : ".kernel.h");
    return (struct cuda_request){
        .part =
            constant_of(build->constants, build->constant_count, "tree") == TREE_OPTIX ? CUDA_BESIDE_OPTIX : CUDA_ALL,
        .header = header,
        .counting = build->counting,
        .register_cap = build->register_cap,
        .constants = build->constants,
        .constant_count = build->constant_count,
    };
}

bool cuda_request_for_optix(const struct cuda_request *request, struct cuda_request *traced)
{
    struct cuda_closure closure;
    if (request->part != CUDA_BESIDE_OPTIX || !cuda_closure_init(&closure, request->header, request->text, NULL) ||
        !cuda_closure_reads(&closure, request->text, "tree"))
        return false;
    *traced = *request;
    traced->part = CUDA_FOR_OPTIX;
    return true;
}

// ---- options

enum { OPTIONS_FIXED = 10, OPTION_LENGTH = 96 };
struct option_list {
    char (*text)[OPTION_LENGTH];
    const char **pointers;
    size_t count, room;
    bool full; // one was too long
};

static void finish_options(struct option_list *list)
{
    free(list->text);
    free(list->pointers);
}

__attribute__((format(printf, 2, 3))) static void add_option(struct option_list *list, const char *format, ...)
{
    if (list->count == list->room) {
        list->full = true;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(list->text[list->count], OPTION_LENGTH, format, arguments);
    va_end(arguments);
    list->full |= length >= OPTION_LENGTH;
    list->pointers[list->count] = list->text[list->count];
    ++list->count;
}

// NVRTC's own cache (12.9 and newer) hands out machine code without the assembler's report, and ours makes it needless.
static bool has_cache(const struct cuda_nvrtc *nvrtc)
{
    return nvrtc->major > 12 || (nvrtc->major == 12 && nvrtc->minor >= 9);
}

// Only the constants that the sources read: what else is set changes neither the code nor its provenance.
static bool list_options(struct option_list *list, const struct cuda_request *request,
                         const struct cuda_closure *closure, const struct cuda_nvrtc *nvrtc, struct error *error)
{
    const size_t room = OPTIONS_FIXED + request->constant_count;
    *list = (struct option_list){.text = memory_new(room, sizeof *list->text),
                                 .pointers = memory_new(room, sizeof *list->pointers),
                                 .room = room};
    const bool traced = request->part == CUDA_FOR_OPTIX;
    add_option(list, "--gpu-architecture=%s_%u", traced ? "compute" : "sm", (unsigned)request->compute_capability);
    // No contraction: each side writes its own fused operations (contract 2). No flushing of denormals: the default.
    add_option(list, "--fmad=false");
    add_option(list, "-lineinfo");
    add_option(list, "-std=c++17");
    add_option(list, "-default-device");
    if (traced)
        add_option(list, "--optix-ir");
    else
        add_option(list, "--ptxas-options=-v");
    if (request->part != CUDA_ALL) {
        add_option(list, "-DPLATFORM_OPTIX=%d", traced);
        add_option(list, "-DPLATFORM_OPTIX_VERSION=%u", (unsigned)optix_version());
    }
    if (has_cache(nvrtc))
        add_option(list, "--no-cache");
    if (request->register_cap && !traced) // OptiX has the limit, not its IR
        add_option(list, "--maxrregcount=%u", (unsigned)request->register_cap);
    for (size_t i = 0; i < request->constant_count; ++i)
        if (cuda_closure_reads(closure, request->text, request->constants[i].name))
            add_option(list, "-DCONFIG_%s=(%lld)", request->constants[i].name, (long long)request->constants[i].value);
    return !list->full || error_set(error, ERROR_USE, "the name of a constant is too long for %s", request->header);
}

// What the compiler reads first; to be freed.
static char *make_source(const struct cuda_request *request)
{
    const char *text = request->text ? request->text : "";
    return memory_format("#define COUNTING %d\n#include \"%s\"\n%s\n", request->counting, request->header, text);
}

// Everything that the machine code follows from, line numbers included.
static void make_key(const struct cuda_closure *closure, const struct option_list *options, const char *source,
                     const struct cuda_nvrtc *nvrtc, char key[2 * HASH_TEXT])
{
    struct hash_state *state = hash_begin();
    hash_add_text(state, source);
    hash_add(state, &nvrtc->major, sizeof nvrtc->major);
    hash_add(state, &nvrtc->minor, sizeof nvrtc->minor);
    for (size_t i = 0; i < options->count; ++i)
        hash_add_text(state, options->text[i]);
    hash_text(cuda_closure_hash(closure), key);
    hash_text(hash_end(state), key + HASH_TEXT - 1);
}

// "code HASH, counting 0, NVRTC 13.0, OPTION OPTION ..."
static char *make_provenance(const struct cuda_request *request, const struct cuda_closure *closure,
                             const struct option_list *options, const struct cuda_nvrtc *nvrtc)
{
    const size_t size = 256 + options->count * (OPTION_LENGTH + 1);
    char *text = memory_new(1, size), code[HASH_TEXT];
    hash_text(cuda_closure_code_hash(closure, request->counting, request->text), code);
    int length =
        snprintf(text, size, "code %s, counting %d, NVRTC %d.%d,", code, request->counting, nvrtc->major, nvrtc->minor);
    for (size_t i = 0; i < options->count; ++i)
        length += snprintf(text + length, size - (size_t)length, " %s", options->text[i]);
    return text;
}

// ---- compiling

static bool check_nvrtc(const struct cuda_nvrtc *nvrtc, nvrtcResult result, const char *what, struct error *error)
{
    return result == NVRTC_SUCCESS ||
           error_set(error, ERROR_FAILED, "NVRTC: %s in %s", nvrtc->error_string(result), what);
}

static char *read_log(const struct cuda_nvrtc *nvrtc, nvrtcProgram program)
{
    size_t size = 0;
    if (nvrtc->log_size(program, &size) != NVRTC_SUCCESS)
        size = 0;
    char *log = memory_new(1, size + 1);
    if (size && nvrtc->log(program, log) != NVRTC_SUCCESS)
        *log = 0;
    return log;
}

// The message is one line: the log from its first error on, newlines made into blanks.
static void report_log(const struct cuda_request *request, const char *reason, const char *log, struct error *error)
{
    const char *first = strstr(log, "error");
    while (first && first > log && first[-1] != '\n')
        --first;
    char lines[800];
    snprintf(lines, sizeof lines, "%s", first ? first : log);
    for (char *c = lines; *c; ++c)
        if (*c == '\n')
            *c = ' ';
    error_set(error, ERROR_FAILED, "cannot compile %s for sm_%u: %s: %s", request->header,
              (unsigned)request->compute_capability, reason, lines);
    if (strstr(log, "gpu-architecture"))
        error_remedy(error,
                     "this NVRTC does not know sm_%u: install another CUDA release, and name its library in "
                     "WARPSTUDY_NVRTC",
                     (unsigned)request->compute_capability);
}

static bool take_optix_ir(const struct cuda_nvrtc *nvrtc, nvrtcProgram program, struct kernel_binary *binary,
                          struct error *error)
{
    if (!check_nvrtc(nvrtc, nvrtc->optix_ir_size(program, &binary->size), "nvrtcGetOptiXIRSize", error))
        return false;
    binary->bytes = memory_new(1, binary->size);
    return check_nvrtc(nvrtc, nvrtc->optix_ir(program, (char *)binary->bytes), "nvrtcGetOptiXIR", error);
}

static bool take_cubin(const struct cuda_nvrtc *nvrtc, nvrtcProgram program, struct kernel_binary *binary,
                       struct error *error)
{
    if (!check_nvrtc(nvrtc, nvrtc->cubin_size(program, &binary->size), "nvrtcGetCUBINSize", error))
        return false;
    binary->bytes = memory_new(1, binary->size);
    return check_nvrtc(nvrtc, nvrtc->cubin(program, (char *)binary->bytes), "nvrtcGetCUBIN", error);
}

// The folder of OptiX's headers changes nothing that they say, so it is no part of key or provenance.
static nvrtcResult call_compiler(const struct cuda_nvrtc *nvrtc, nvrtcProgram program,
                                 const struct option_list *options, const char *folder)
{
    const char **pointers = memory_new(options->count + 1, sizeof *pointers);
    char *include = memory_format("--include-path=%s", folder ? folder : "");
    memcpy(pointers, options->pointers, options->count * sizeof *pointers);
    pointers[options->count] = include;
    const nvrtcResult result = nvrtc->compile(program, (int)options->count + (folder != NULL), pointers);
    free(include);
    free(pointers);
    return result;
}

static bool run_compiler(const struct cuda_nvrtc *nvrtc, const struct cuda_request *request, const char *source,
                         const struct cuda_closure *closure, const struct option_list *options,
                         struct kernel_binary *binary, struct error *error)
{
    const bool traced = request->part == CUDA_FOR_OPTIX;
    const char *folder = traced ? optix_headers(error) : NULL;
    nvrtcProgram program = NULL;
    if ((traced && !folder) ||
        !check_nvrtc(nvrtc,
                     nvrtc->create(&program, source, "program.cu", (int)closure->count, closure->texts, closure->names),
                     "nvrtcCreateProgram", error))
        return false;
    const nvrtcResult result = call_compiler(nvrtc, program, options, folder);
    binary->log = read_log(nvrtc, program);
    const bool compiled = result == NVRTC_SUCCESS;
    if (!compiled)
        report_log(request, nvrtc->error_string(result), binary->log, error);
    const bool done = compiled && (traced ? take_optix_ir : take_cubin)(nvrtc, program, binary, error);
    nvrtc->destroy(&program);
    return done;
}

static bool compile_compile(const struct cuda_request *request, const struct cuda_closure *closure,
                            const struct option_list *options, const struct cuda_nvrtc *nvrtc,
                            struct kernel_binary *binary, struct error *error)
{
    char *source = make_source(request);
    binary->provenance = make_provenance(request, closure, options, nvrtc);
    char key[2 * HASH_TEXT];
    make_key(closure, options, source, nvrtc, key);
    binary->cached = kernel_cache_read("cuda", key, binary);
    const bool done = binary->cached || run_compiler(nvrtc, request, source, closure, options, binary, error);
    if (done && !binary->cached)
        kernel_cache_write("cuda", key, binary);
    free(source);
    if (!done)
        kernel_binary_finish(binary);
    return done;
}

bool cuda_compile(const struct cuda_request *request, struct kernel_binary *binary, struct error *error)
{
    *binary = (struct kernel_binary){0};
    const struct cuda_nvrtc *nvrtc = cuda_nvrtc_load(error);
    struct cuda_closure closure;
    struct option_list options = {0};
    const bool done = nvrtc && cuda_closure_init(&closure, request->header, request->text, error) &&
                      list_options(&options, request, &closure, nvrtc, error) &&
                      compile_compile(request, &closure, &options, nvrtc, binary, error);
    finish_options(&options);
    return done;
}
