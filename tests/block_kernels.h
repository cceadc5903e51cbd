// SPDX-License-Identifier: MIT
// Kernels that test lib/block.h and lib/queue.h, and time the former: the same text for the emulator and, as a string, for NVRTC. Whoever
// includes this defines BOTH(...) first.
BOTH(
    struct block_test_args {
        struct frame_args frame;
        const uint32_t *in; // one for each lane of the grid, or for each item
        uint32_t *out;
        uint32_t *trips; // of each lane
        struct queue queue;
        uint32_t key_bits;
        uint32_t rounds; // of the kernels that do the same again and again
        uint32_t mask;   // of what they draw
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

    // Its rank by one bit, how many lanes have this, and how many another.
    KERNEL(block_ranks, struct block_test_args) {
        const uint32_t lane = block_index() * block_size() + thread_index(), in = args->in[lane];
        uint32_t *out = args->out + 3u * lane;
        out[0] = block_rank_and_count((in & 4u) != 0u, (in & 24u) != 0u, &out[1], &out[2], (uint32_t *)block_shared());
    }

    KERNEL(block_sorts, struct block_test_args) {
        const uint32_t lane = block_index() * block_size() + thread_index();
        uint32_t key = args->in[lane];
        uint32_t value = thread_index();
        block_sort_pairs(&key, &value, args->key_bits, (uint32_t *)block_shared());
        args->out[2u * lane] = key;
        args->out[2u * lane + 1u] = value;
    }

    // What a lane brings to the next round follows from what it got in this one, so that the last result depends on all.
    DEVICE uint32_t block_draw(uint32_t a, uint32_t b, uint32_t round) {
        return ((a ^ b * 0x9E3779B9u) * 0x85EBCA6Bu + round) >> 2;
    }

    KERNEL(block_sort_rounds, struct block_test_args) {
        const uint32_t lane = block_index() * block_size() + thread_index();
        uint32_t key = args->in[lane];
        uint32_t value = 0u;
        for (uint32_t round = 0u; round < args->rounds; ++round) {
            key = block_draw(key, value, round) & args->mask;
            value = thread_index();
            block_sort_pairs(&key, &value, args->key_bits, (uint32_t *)block_shared());
        }
        args->out[2u * lane] = key;
        args->out[2u * lane + 1u] = value;
    }

    KERNEL(block_scan_rounds, struct block_test_args) {
        const uint32_t lane = block_index() * block_size() + thread_index();
        uint32_t drawn = args->in[lane];
        uint32_t before = 0u;
        uint32_t total = 0u;
        for (uint32_t round = 0u; round < args->rounds; ++round) {
            drawn = block_draw(drawn ^ before, total, round) & args->mask;
            before = block_scan_u32(drawn, &total, (uint32_t *)block_shared());
        }
        args->out[2u * lane] = before;
        args->out[2u * lane + 1u] = total;
    }

    KERNEL(block_rank_rounds, struct block_test_args) {
        const uint32_t lane = block_index() * block_size() + thread_index();
        uint32_t drawn = args->in[lane];
        uint32_t before = 0u;
        uint32_t total = 0u;
        for (uint32_t round = 0u; round < args->rounds; ++round) {
            drawn = block_draw(drawn ^ before, total, round);
            before = block_rank((drawn & args->mask) != 0u, &total, (uint32_t *)block_shared());
        }
        args->out[2u * lane] = before;
        args->out[2u * lane + 1u] = total;
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
