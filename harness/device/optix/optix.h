// SPDX-License-Identifier: MIT
// OptiX under the cuda backend: structures that it builds over triangles, and programs that traverse them. Built with the
// headers of its SDK, which are the user's (-Doptix=FOLDER); without them every function says so. libnvoptix.so.1, which comes
// with the driver, is opened when it is first asked for. The driver's context is to be this thread's.
#pragma once

#include "device/cuda/api.h"
#include "device/device.h"

struct optix;         // of one CUDA context
struct optix_module;  // the ray-generation programs of one compilation
struct optix_program; // one of them, ready to launch

// The folder with optix.h, from which NVRTC reads too: $WARPSTUDY_OPTIX, else that of the build. NULL, with the reason, where the
// program was built without or it is not there any more.
const char *optix_headers(struct error *error);
// As in optix.h: 90000 for 9.0.0; 0 where the program was built without.
uint32_t optix_version(void);

struct optix *optix_open(CUcontext context, struct error *error);
void optix_close(struct optix *optix); // `optix` may be NULL
const struct device_tracing *optix_facts(const struct optix *optix);

// See device_ops.create_structure. The memory in *structure is device memory, the caller's.
bool optix_build(struct optix *optix, const struct device_structure_input *input, struct device_structure *structure,
                 struct error *error);

// `code`: OptiX IR by NVRTC of one kernel header. `register_cap` 0: the compiler's choice. `instances`: its programs
// traverse structures over copies, or only those over triangles.
struct optix_module *optix_module_create(struct optix *optix, const void *code, size_t size, uint32_t register_cap,
                                         bool instances, struct error *error);
void optix_module_destroy(struct optix_module *module); // with its programs; `module` may be NULL
// NULL, with ERROR_USE, where the module has no kernel of that name. Belongs to the module.
struct optix_program *optix_module_program(struct optix_module *module, const char *kernel, struct error *error);

// Asynchronous in the stream. `arguments`: device memory of OPTIX_LAUNCH_BYTES that this stream's launches have for themselves.
extern const size_t optix_launch_bytes;
bool optix_program_launch(const struct optix_program *program, CUstream stream, CUdeviceptr arguments,
                          const struct device_launch *launch, struct error *error);
