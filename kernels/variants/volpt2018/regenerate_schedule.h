// SPDX-License-Identifier: MIT
// The host's part of regeneration in a persistent kernel: the same whichever lanes take paths together.
#pragma once

#include "variants/volpt2018/persistent.h"
#include "variants/volpt2018/regenerate.h"

#define REGENERATE_VARIANT(stem, says)                                                                                 \
    static bool stem##_prepare(struct frame *frame, struct error *error)                                               \
    {                                                                                                                  \
        const struct persistent_kernel kernel = {                                                                      \
            .name = #stem, .shared_words = regenerate_words, .paths = 1u << frame->parameters->lane_paths};            \
        return persistent_prepare(frame, &kernel, error);                                                              \
    }                                                                                                                  \
    const struct variant variant_##stem = {.name = #stem,                                                              \
                                           .summary = says,                                                            \
                                           .parameters = {PERSISTENT_PARAMETERS, .lane_paths = true},                  \
                                           .prepare = stem##_prepare,                                                  \
                                           PERSISTENT_VARIANT}
