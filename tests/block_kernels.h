// SPDX-License-Identifier: MIT
// Kernels that test lib/block.h and lib/queue.h: the same text for the emulator and, as a string, for NVRTC. Whoever
// includes this defines BOTH(...) first.
BOTH(
    struct block_test_args {
        struct frame_args frame;
        const uint32_t *in; // one for each lane of the grid, or for each item
        uint32_t *out;
        uint32_t *trips; // of each lane
        struct queue queue;
        uint32_t key_bits;
    };

    // For each lane: what it gets of scan, rank, sum and maximum, and of scan and rank the totals.
    KERNEL(block_scans, struct block_test_args) {
        uint32_t *shared = (uint32_t *)block_shared();
        const uint32_t lane = block_index() * block_size() + thread_index(), in = args->in[lane];
        uint32_t *out = args->out + 6u * lane;
        out[0] = block_scan_u32(in, &out[1], shared);
        out[2] = block_rank((in & 4u) != 0u, &out[3], shared);
        out[4] = block_sum_u32(in, shared);
        out[5] = block_max_u32(in, shared);
    }

    KERNEL(block_sorts, struct block_test_args) {
        const uint32_t lane = block_index() * block_size() + thread_index();
        uint32_t key = args->in[lane];
        uint32_t value = thread_index();
        block_sort_pairs(&key, &value, args->key_bits, (uint32_t *)block_shared());
        args->out[2u * lane] = key;
        args->out[2u * lane + 1u] = value;
    }

    // Item i keeps a lane busy for in[i] trips. out[i]: who took it, from 1, and added to it if anybody took it twice.
    KERNEL(queue_drain, struct block_test_args) {
        uint32_t *shared = (uint32_t *)block_shared();
        struct queue_view view;
        uint32_t busy = 0u;
        uint32_t item;
        view.taken = 0u;
        view.trip = 0u;
        while (queue_next(&args->frame, &args->queue, &view, busy > 0u, &item, shared)) {
            if (item != (uint32_t)QUEUE_NOTHING) {
                (void)atomic_add_u32(&args->out[item], 1u + block_index() * block_size() + thread_index());
                busy = args->in[item];
            }
            busy -= busy > 0u ? 1u : 0u;
        }
        args->trips[block_index() * block_size() + thread_index()] = view.trip;
    })
