// SPDX-License-Identifier: MIT
#include "variants/volpt2018/persistent.h"

#include "variants/volpt2018/stream_block.kernel.h"

static bool stream_block_prepare(struct frame *frame, struct error *error)
{
    static const struct persistent_kernel kernel = {
        .name = "stream_block", .shared_words = block_rank_words, .paths = 1, .stores = true};
    return persistent_prepare(frame, &kernel, error);
}

const struct variant variant_stream_block = {
    .name = "stream_block",
    .summary =
        "persistent kernel: blocks compact their paths in memory after each extension, and new ones begin behind them",
    .parameters = {PERSISTENT_PARAMETERS},
    .prepare = stream_block_prepare,
    PERSISTENT_VARIANT,
};
