// SPDX-License-Identifier: MIT
#include "check.h"
#include "emulator_rig.h"

struct rig rig_open(struct device_settings settings, bool counting)
{
    struct rig rig = {.device = device_open("emulator", &settings, &why)};
    need(rig.device);
    const struct device_build build = {.variant = "test", .counting = counting};
    rig.program = rig.device->ops->build(rig.device, &build, &why);
    need(rig.program);
    return rig;
}

void rig_release_memory(struct rig *rig)
{
    rig->device->ops->release(rig->device, rig->args.out);
    rig->device->ops->release(rig->device, rig->args.votes);
    rig->device->ops->release(rig->device, (void *)(uintptr_t)rig->args.in);
    rig->args = (struct emulator_test_args){0};
}

// Inputs are pseudo-random; outputs are zero.
void rig_reserve(struct rig *rig, uint32_t lanes)
{
    rig_release_memory(rig);
    uint32_t *in = rig->device->ops->alloc(rig->device, lanes * sizeof *in, NULL);
    rig->args.in = in;
    rig->args.out = rig->device->ops->alloc(rig->device, lanes * sizeof *rig->args.out, NULL);
    rig->args.votes = rig->device->ops->alloc(rig->device, lanes * sizeof *rig->args.votes, NULL);
    rig->lanes = lanes;
    for (uint32_t i = 0; i < lanes; i++)
        in[i] = (i + 1) * 2654435761u >> 7;
    memset(rig->args.out, 0, lanes * sizeof *rig->args.out);
    memset(rig->args.votes, 0, lanes * sizeof *rig->args.votes);
}

void rig_close(struct rig *rig)
{
    rig_release_memory(rig);
    rig->device->ops->release_program(rig->device, rig->program);
    device_close(rig->device);
}

bool rig_launch(struct rig *rig, const char *name, uint32_t grid, uint32_t block, size_t shared, struct error *error)
{
    const struct device_kernel *kernel = rig->device->ops->kernel(rig->program, name, error);
    if (!kernel)
        return false;
    const struct device_launch launch = {.kernel = kernel,
                                         .grid = grid,
                                         .block = block,
                                         .shared_bytes = shared,
                                         .cooperative = rig->cooperative,
                                         .args = &rig->args,
                                         .args_size = sizeof rig->args};
    return rig->device->ops->launch(rig->device, NULL, &launch, error) &&
           rig->device->ops->synchronize(rig->device, NULL, error);
}

void rig_run(struct rig *rig, const char *name, uint32_t grid, uint32_t block, size_t shared)
{
    need(rig_launch(rig, name, grid, block, shared, &why));
}

uint32_t warp_begin(uint32_t thread, uint32_t width)
{
    return thread / width * width;
}

uint32_t warp_end(uint32_t thread, uint32_t width, uint32_t block)
{
    const uint32_t end = warp_begin(thread, width) + width;
    return end < block ? end : block;
}

void check_vote_some(struct rig *rig, uint32_t width, uint32_t block)
{
    rig_reserve(rig, 3 * block);
    rig->args.a = 7;
    rig_run(rig, "vote_some", 3, block, 0);
    for (uint32_t i = 0; i < 3 * block; i++) {
        const uint32_t thread = i % block, first = warp_begin(thread, width);
        uint64_t expected = 0;
        for (uint32_t k = first; k < warp_end(thread, width, block); k++) {
            const uint32_t in = rig->args.in[i - thread + k];
            expected |= (uint64_t)(in & in >> 7 & 1) << (k - first);
        }
        assert_true(rig->args.votes[i] == (rig->args.in[i] & 1 ? expected : 0));
    }
}

void check_reversal(const struct rig *rig, uint32_t block)
{
    for (uint32_t i = 0; i < rig->lanes; i++)
        assert_int_equal(rig->args.out[i], rig->args.in[i - i % block + block - 1 - i % block]);
}
