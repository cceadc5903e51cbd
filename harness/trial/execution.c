// SPDX-License-Identifier: MIT
// A frame of an execution: cleared, rendered, waited for, checked.
#include "trial/execution.h"

#include "frame/variant.h"

bool execution_clear(struct execution *run, struct error *error)
{
    const struct device_ops *ops = run->device->ops;
    struct device_stream *stream = run->internal.stream;
    return ops->fill(run->device, stream, run->film, 0, run->film_bytes, error) &&
           ops->fill(run->device, stream, run->frame.args.bad_values, 0, BAD_VALUES * sizeof(uint32_t), error) &&
           ops->synchronize(run->device, stream, error);
}

bool execution_check_values(struct execution *run, struct error *error)
{
    uint32_t bad[BAD_VALUES] = {0};
    if (!run->device->ops->download(run->device, NULL, bad, run->frame.args.bad_values, sizeof bad, error))
        return false;
    run->measurement->cut_paths = bad[BAD_CUT];
    if (!bad[BAD_RADIANCE])
        return true;
    error_set(error, ERROR_FAILED, "%u paths brought radiance that is not finite or does not fit the film",
              bad[BAD_RADIANCE]);
    return error_remedy(error, "check the scene's emission and environment: no channel of a path may reach 2^30");
}

bool execution_render(struct execution *run, struct error *error)
{
    const uint32_t spp = run->variant->all_samples ? 1 : run->frame.args.samples;
    for (uint32_t pass = 0; pass < spp; ++pass) {
        run->frame.args.sample = pass;
        if (!run->variant->render(&run->frame, error) && !run->internal.over)
            return false;
    }
    if (run->internal.over && error)
        error_clear(error);
    return frame_join(&run->frame, error);
}

bool execution_frame(struct execution *run, const struct frame_hooks *hooks, bool keep_launches, struct error *error)
{
    if (!execution_clear(run, error))
        return false;
    frame_begin(&run->frame, hooks, keep_launches, 0);
    return execution_render(run, error) && run->device->ops->synchronize(run->device, run->internal.stream, error) &&
           execution_check_values(run, error);
}
