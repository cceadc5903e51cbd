// SPDX-License-Identifier: MIT
// Kernels to machine code, by NVRTC: needs neither a GPU nor a driver.
#pragma once

#include "base/error.h"
#include "device/kernel_binary.h"
#include "device/device.h"

// Which kernels of a source, and as what: see lib/platform_optix.h.
enum cuda_part { CUDA_ALL, CUDA_BESIDE_OPTIX, CUDA_FOR_OPTIX };

struct cuda_request {
    enum cuda_part part;         // CUDA_FOR_OPTIX: to OptiX IR
    const char *header;          // name of an embedded source: "variants/wald2011/naive.kernel.h"
    const char *text;            // source to follow it; NULL = none
    uint32_t compute_capability; // 90 for sm_90
    bool counting;
    uint32_t register_cap; // 0 = the compiler's choice
    const struct device_constant *constants;
    size_t constant_count;
};

// The request that a variant's build makes; its compute capability is left to the caller. `header` keeps the name of
// the variant's source as long as the request is used.
enum { CUDA_HEADER = 128 };
struct cuda_request cuda_request_of(const struct device_build *build, char header[CUDA_HEADER]);

// The value of one of the request's constants; 0 where it has none of that name.
int64_t cuda_request_constant(const struct cuda_request *request, const char *name);

// Turns a request of which OptiX is to traverse the tree, CUDA_BESIDE_OPTIX, into that for what OptiX runs; false, and nothing
// is done, where it is another request, or its kernels read no tree.
bool cuda_request_for_optix(const struct cuda_request *request, struct cuda_request *traced);

// Compiles one header with everything that it includes, or takes it from the cache (see device/kernel_cache.h). On failure *binary is
// empty and the message holds the first lines of the log.
bool cuda_compile(const struct cuda_request *request, struct kernel_binary *binary, struct error *error);
