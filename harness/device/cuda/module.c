// SPDX-License-Identifier: MIT
// What warpstudy-cuda.so exports.
#include "device/cuda_module.h"

#include "source_hashes.h"
#include "device/cuda/backend.h"

__attribute__((visibility("default"))) extern const struct cuda_module warpstudy_cuda_module;
const struct cuda_module warpstudy_cuda_module = {
    .seam = CUDA_MODULE_SEAM,
    .code = CUDA_MODULE_CODE,
    .backend = &cuda_backend,
    .examine = cuda_examine,
};
