// SPDX-License-Identifier: MIT
// Which devices there are, and whether kernels can run on them.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/occupancy.h"
#include "device/opencl/opencl.h"

// ---- what OpenCL says of a device

static bool device_number(cl_device_id device, cl_device_info what, void *value, size_t size)
{
    memset(value, 0, size); // of a query that this version of OpenCL does not know
    return opencl_load(NULL)->GetDeviceInfo(device, what, size, value, NULL) == CL_SUCCESS;
}

static cl_ulong device_flags(cl_device_id device, cl_device_info what) // a bit field or 64-bit number
{
    cl_ulong value;
    return device_number(device, what, &value, sizeof value) ? value : 0;
}

static cl_uint device_word(cl_device_id device, cl_device_info what)
{
    cl_uint value;
    return device_number(device, what, &value, sizeof value) ? value : 0;
}

static void device_text(cl_device_id device, cl_device_info what, char *text, size_t size)
{
    char all[512] = "";
    if (opencl_load(NULL)->GetDeviceInfo(device, what, sizeof all - 1, all, NULL) != CL_SUCCESS)
        all[0] = 0;
    snprintf(text, size, "%s", all);
}

static bool has_extension(cl_device_id device, const char *name)
{
    const struct opencl_api *api = opencl_load(NULL);
    size_t size = 0;
    if (api->GetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS)
        return false;
    char *all = memory_new(size + 1, 1), *rest = all, *word = NULL;
    if (api->GetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, all, NULL) == CL_SUCCESS)
        while ((word = strsep(&rest, " ")) && strcmp(word, name) != 0)
            continue;
    free(all);
    return word != NULL;
}

bool opencl_is_processor(cl_device_id device)
{
    return device_flags(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU;
}

// ---- warps

// NVIDIA's and Intel's own queries, whose headers few machines have.
enum {
    NV_CAPABILITY_MAJOR = 0x4000,
    NV_CAPABILITY_MINOR,
    NV_WARPS = 32,
    NV_LEAST_MAJOR = 8,
    INTEL_SUB_GROUP_SIZES = 0x4108
};

// By NVIDIA's own OpenCL: others for its GPUs have another compiler.
static bool is_of_nvidia(cl_device_id device)
{
    cl_platform_id platform;
    char name[64] = "";
    return device_number(device, CL_DEVICE_PLATFORM, &platform, sizeof platform) &&
           opencl_load(NULL)->GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL) == CL_SUCCESS &&
           strncmp(name, "NVIDIA", 6) == 0 && device_word(device, NV_CAPABILITY_MAJOR) >= NV_LEAST_MAJOR;
}

// OpenCL's version times ten: 30 for 3.0.
static unsigned device_version(cl_device_id device)
{
    char text[64];
    unsigned major = 0, minor = 0;
    device_text(device, CL_DEVICE_VERSION, text, sizeof text);
    return sscanf(text, "OpenCL %u.%u", &major, &minor) == 2 ? major * 10 + minor : 0;
}

// With votes and shuffles in branches, and pointers without a qualifier that lead to any memory.
static bool has_subgroups(cl_device_id device)
{
    const unsigned version = device_version(device);
    return version >= 21 && (version < 30 || device_word(device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT)) &&
           has_extension(device, "cl_khr_subgroup_ballot") && has_extension(device, "cl_khr_subgroup_shuffle");
}

enum opencl_warps opencl_kind_of_warps(cl_device_id device)
{
    return is_of_nvidia(device) ? OPENCL_OF_NVIDIA : has_subgroups(device) ? OPENCL_SUBGROUPS : OPENCL_ALONE;
}

// As wide as NVIDIA's if it can be, else the widest.
uint32_t opencl_chosen_width(cl_device_id device)
{
    static const size_t wished[] = {32, 64, 16, 8, 4};
    const struct opencl_api *api = opencl_load(NULL);
    size_t bytes = 0;
    uint32_t found = 0;
    if (!has_extension(device, "cl_intel_required_subgroup_size") ||
        api->GetDeviceInfo(device, INTEL_SUB_GROUP_SIZES, 0, NULL, &bytes) != CL_SUCCESS)
        return 0;
    size_t *sizes = memory_new(bytes + 1, 1);
    if (api->GetDeviceInfo(device, INTEL_SUB_GROUP_SIZES, bytes, sizes, NULL) != CL_SUCCESS)
        bytes = 0;
    for (size_t w = 0; w < sizeof wished / sizeof *wished; ++w)
        for (size_t i = 0; i < bytes / sizeof *sizes; ++i)
            if (!found && sizes[i] == wished[w])
                found = (uint32_t)wished[w];
    free(sizes);
    return found;
}

const char *opencl_language(const struct opencl_device *opencl)
{
    if (opencl->warps != OPENCL_SUBGROUPS)
        return "-cl-std=CL1.2";
    return device_version(opencl->id) >= 30 ? "-cl-std=CL3.0" : "-cl-std=CL2.0";
}

// ---- what a device lacks

// NULL where a device has all that kernels need.
static const char *what_lacks(cl_device_id device)
{
    const cl_ulong floats = CL_FP_FMA | CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
    const cl_ulong has = device_flags(device, CL_DEVICE_SINGLE_FP_CONFIG);
    if (!device_word(device, CL_DEVICE_AVAILABLE) || !device_word(device, CL_DEVICE_COMPILER_AVAILABLE))
        return "it is not available, or has no compiler";
    if (!(device_flags(device, CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
        return "it has no shared virtual memory (coarse-grain buffers of OpenCL 2.0), and kernels follow pointers";
    if (!opencl_is_processor(device) && opencl_kind_of_warps(device) == OPENCL_ALONE)
        return "it is neither a CPU nor an NVIDIA GPU of compute capability 8.0 or newer, and lacks what others need: "
               "OpenCL 2.1, generic pointers, cl_khr_subgroup_ballot and cl_khr_subgroup_shuffle";
    if (device_word(device, CL_DEVICE_ADDRESS_BITS) != 64 || !device_word(device, CL_DEVICE_ENDIAN_LITTLE))
        return "its addresses have not 64 bits, or it is not little-endian";
    if ((has & floats) != floats || !(has & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
        return "its floats are not exact: kernels need fused multiply-add, denormals, and correctly rounded division "
               "and "
               "square root";
    if (!has_extension(device, "cl_khr_fp64") || !has_extension(device, "cl_khr_int64_base_atomics") ||
        !has_extension(device, "cl_khr_int64_extended_atomics"))
        return "it has no doubles or no atomics of 64 bits (cl_khr_fp64, cl_khr_int64_base_atomics, "
               "cl_khr_int64_extended_atomics)";
    return NULL;
}

// ---- finding

static void describe(struct opencl_found *found, cl_platform_id platform, cl_device_id device)
{
    char name[64] = "", version[64];
    if (opencl_load(NULL)->GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL) != CL_SUCCESS)
        snprintf(name, sizeof name, "a platform with a long name");
    device_text(device, CL_DEVICE_VERSION, version, sizeof version);
    *found = (struct opencl_found){.device = device};
    device_text(device, CL_DEVICE_NAME, found->name, sizeof found->name);
    snprintf(found->version, sizeof found->version, "%s, %s", name, version);
    const char *lacks = what_lacks(device);
    snprintf(found->lacks, sizeof found->lacks, "%s", lacks ? lacks : "");
}

static bool no_platform(struct error *error)
{
    error_set(error, ERROR_UNSUPPORTED, "OpenCL's loader is here, but no implementation: no platform");
    return error_remedy(error,
                        "install one (Debian and Ubuntu: apt install pocl-opencl-icd for processors); each puts a "
                        "file NAME.icd with its library's name into /etc/OpenCL/vendors");
}

bool opencl_find(struct opencl_found found[OPENCL_DEVICES], uint32_t *count, struct error *error)
{
    enum { PLATFORMS = 16 };
    const struct opencl_api *api = opencl_load(error);
    cl_platform_id platforms[PLATFORMS];
    cl_uint platform_count = 0;
    *count = 0;
    if (!api)
        return false;
    if (api->GetPlatformIDs(PLATFORMS, platforms, &platform_count) != CL_SUCCESS || platform_count == 0)
        return no_platform(error);
    for (cl_uint i = 0; i < platform_count && i < PLATFORMS; ++i) {
        cl_device_id devices[OPENCL_DEVICES];
        cl_uint here = 0;
        if (api->GetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, OPENCL_DEVICES, devices, &here) != CL_SUCCESS)
            continue; // a platform without devices says so by an error
        for (cl_uint j = 0; j < here && *count < OPENCL_DEVICES; ++j)
            describe(&found[(*count)++], platforms[i], devices[j]);
    }
    return *count > 0 || error_set(error, ERROR_UNSUPPORTED, "OpenCL has %u platform%s here, but no device",
                                   (unsigned)platform_count, platform_count == 1 ? "" : "s");
}

// What multiprocessors of NVIDIA GPUs hold, which its OpenCL does not tell: from the table of capabilities.
static void set_limits(struct device_properties *properties, cl_device_id device)
{
    const uint32_t version = 10 * device_word(device, NV_CAPABILITY_MAJOR) + device_word(device, NV_CAPABILITY_MINOR);
    const struct capability *capability = capability_find(version);
    properties->compute_capability = version;
    properties->warp_width = NV_WARPS;
    if (!capability)
        return;
    properties->max_warps_per_multiprocessor = capability->max_warps;
    properties->max_blocks_per_multiprocessor = capability->max_blocks;
    properties->registers_per_multiprocessor = capability->registers;
    properties->shared_per_multiprocessor = capability->shared_multiprocessor;
}

bool opencl_read_properties(struct opencl_device *opencl, const struct opencl_found *found, struct error *error)
{
    struct device_properties *properties = &opencl->properties;
    const enum opencl_warps warps = opencl_kind_of_warps(found->device);
    size_t most = 0;
    char driver[48];
    if (!OPENCL_CALL(error, GetDeviceInfo, found->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL))
        return false;
    *properties = (struct device_properties){
        .warp_width = 1,
        .max_block = (uint32_t)most,
        .multiprocessors = device_word(found->device, CL_DEVICE_MAX_COMPUTE_UNITS),
        .max_warps_per_multiprocessor = 1,
        .max_blocks_per_multiprocessor = 1,
        .shared_per_block = device_flags(found->device, CL_DEVICE_LOCAL_MEM_SIZE),
        .memory = device_flags(found->device, CL_DEVICE_GLOBAL_MEM_SIZE),
        .times = true,
        .no_cooperation = true,
    };
    opencl->warps = warps;
    properties->shared_per_multiprocessor = properties->shared_per_block;
    if (warps == OPENCL_OF_NVIDIA)
        set_limits(properties, found->device);
    device_text(found->device, CL_DRIVER_VERSION, driver, sizeof driver);
    snprintf(properties->name, sizeof properties->name, "OpenCL%s: %.100s",
             opencl_is_processor(found->device) ? "" : " on a GPU", found->name);
    snprintf(properties->driver, sizeof properties->driver, "OpenCL %s", driver);
    return true;
}
