// SPDX-License-Identifier: MIT
// A build without the headers of OptiX.
#include "device/optix/optix.h"

const size_t optix_launch_bytes = 0;

static bool refuse(struct error *error)
{
    error_set(error, ERROR_UNSUPPORTED, "this program was built without OptiX");
    return error_remedy(error, "give meson the folder of its headers: meson configure -Doptix=FOLDER (docs/optix.md)");
}

const char *optix_headers(struct error *error)
{
    refuse(error);
    return NULL;
}

uint32_t optix_version(void)
{
    return 0;
}

struct optix *optix_open(CUcontext context, struct error *error)
{
    (void)context;
    refuse(error);
    return NULL;
}

void optix_close(struct optix *optix)
{
    (void)optix;
}

const struct device_tracing *optix_facts(const struct optix *optix)
{
    (void)optix;
    return NULL;
}

bool optix_build(struct optix *optix, const struct device_structure_input *input, struct device_structure *structure,
                 struct error *error)
{
    (void)optix, (void)input, (void)structure;
    return refuse(error);
}

struct optix_module *optix_module_create(struct optix *optix, const void *code, size_t size, uint32_t register_cap,
                                         bool instances, struct error *error)
{
    (void)optix, (void)code, (void)size, (void)register_cap, (void)instances;
    refuse(error);
    return NULL;
}

void optix_module_destroy(struct optix_module *module)
{
    (void)module;
}

struct optix_program *optix_module_program(struct optix_module *module, const char *kernel, struct error *error)
{
    (void)module, (void)kernel;
    refuse(error);
    return NULL;
}

bool optix_program_launch(const struct optix_program *program, CUstream stream, CUdeviceptr arguments,
                          const struct device_launch *launch, struct error *error)
{
    (void)program, (void)stream, (void)arguments, (void)launch;
    return refuse(error);
}
