// SPDX-License-Identifier: MIT
#include "variants/frolov2015/rounds.h"

static const struct {
    const char *name;
    bool traces, decides;
} stages[ROUND_STAGES] = {{"trace", true, false},  {"surface", false, false}, {"light", false, false},
                          {"shadow", true, false}, {"shade", false, false},   {"next", false, true}};

static bool launch(struct frame *frame, const struct round *round, const char *kernel, const char *stage,
                   uint32_t lanes, size_t shared, struct error *error)
{
    const uint32_t block = (uint32_t)frame->parameters->block;
    const struct frame_launch command = {
        .kernel = kernel,
        .grid = (lanes + block - 1) / block,
        .block = block,
        .shared_bytes = shared,
        .args = round->args,
        .args_size = round->args_size,
        .stage = stage,
        .iteration = (int32_t)round->number,
        .bounce = -1,
    };
    return frame_launch(frame, &command, error);
}

bool round_step(struct frame *frame, const struct round *round, const char *kernel, const char *stage, uint32_t lanes,
                struct error *error)
{
    return launch(frame, round, kernel, stage, lanes, 0, error);
}

bool round_run(struct frame *frame, const struct round *round, struct error *error)
{
    for (int i = 0; i < ROUND_STAGES; ++i) {
        const size_t shared = stages[i].traces    ? round->trace_shared
                              : stages[i].decides ? pool_roulette_bytes(frame)
                                                  : 0;
        if (!launch(frame, round, round->kernels[i], stages[i].name, round->lanes, shared, error))
            return false;
    }
    return true;
}
