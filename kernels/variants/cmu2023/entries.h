// SPDX-License-Identifier: MIT
// The entry points that every wavefront over a queue of samples has, under names of its own. To be included once, by its
// NAME.kernel.h.
#pragma once

#include "variants/cmu2023/ray_order.h"

#define WAVEFRONT_KERNELS(name)                                                                                        \
    KERNEL(name##_begin, struct wavefront_args)                                                                        \
    {                                                                                                                  \
        wavefront_begin(args);                                                                                         \
    }                                                                                                                  \
    TRACE_KERNEL(name##_extend, struct wavefront_args)                                                                 \
    {                                                                                                                  \
        wavefront_extend(args);                                                                                        \
    }                                                                                                                  \
    KERNEL(name##_refill, struct wavefront_args)                                                                       \
    {                                                                                                                  \
        wavefront_refill(args);                                                                                        \
    }                                                                                                                  \
    KERNEL(name##_blend, struct wavefront_args)                                                                        \
    {                                                                                                                  \
        wavefront_blend(args);                                                                                         \
    }                                                                                                                  \
    KERNEL(name##_rank, struct wavefront_args)                                                                         \
    {                                                                                                                  \
        wavefront_rank(args);                                                                                          \
    }                                                                                                                  \
    KERNEL(name##_ray_keys, struct wavefront_args)                                                                     \
    {                                                                                                                  \
        ray_order_keys(args);                                                                                          \
    }
