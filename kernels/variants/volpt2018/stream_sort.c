// SPDX-License-Identifier: MIT
#include "variants/volpt2018/persistent.h"

#include "variants/volpt2018/stream_sort.kernel.h"

static bool stream_sort_prepare(struct frame *frame, struct error *error)
{
    static const struct persistent_kernel kernel = {
        .name = "stream_sort", .shared_words = sorting_words, .paths = 1, .stores = true};
    return persistent_prepare(frame, &kernel, error);
}

const struct variant variant_stream_sort = {
    .name = "stream_sort",
    .summary = "persistent kernel: blocks sort their paths along a Morton curve after each extension, and new ones "
               "begin behind them",
    .parameters = {PERSISTENT_PARAMETERS, .sort_key = true, .dead_key = true},
    .prepare = stream_sort_prepare,
    PERSISTENT_VARIANT,
};
