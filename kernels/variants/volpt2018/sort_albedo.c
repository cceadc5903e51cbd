// SPDX-License-Identifier: MIT
#include "variants/volpt2018/persistent.h"

#include "variants/volpt2018/sort_albedo.kernel.h"

static bool sort_albedo_prepare(struct frame *frame, struct error *error)
{
    static const struct persistent_kernel kernel = {
        .name = "sort_albedo", .shared_words = sorting_words, .paths = 1, .stores = true};
    return persistent_prepare(frame, &kernel, error);
}

const struct variant variant_sort_albedo = {
    .name = "sort_albedo",
    .summary = "persistent kernel: as stream_sort, the albedo read where a path has come to by the sort",
    .parameters = {PERSISTENT_PARAMETERS, .sort_key = true, .dead_key = true},
    .prepare = sort_albedo_prepare,
    PERSISTENT_VARIANT,
};
