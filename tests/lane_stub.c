// SPDX-License-Identifier: MIT
// A warp of one lane, for tests that call device functions without the emulator.
#include "lib/platform.h"

static struct emulator_lane only_lane = {.block_size = 1, .grid_size = 1, .warp_width = 1, .warp_mask = 1};
_Thread_local struct emulator_lane *emulator_lane = &only_lane;

void emulator_block_sync(uint32_t site)
{
}

uint64_t emulator_ballot(uint64_t mask, bool predicate, uint32_t site)
{
    return predicate ? mask : 0;
}

void emulator_record_traversal(struct emulator_recorder *recorder, uint32_t kind, uint32_t bounce)
{
}

void emulator_record_node(struct emulator_recorder *recorder, uint32_t place)
{
}

void emulator_record_answers(struct emulator_recorder *recorder, uint32_t answers)
{
}

void emulator_record_test(struct emulator_recorder *recorder, uint32_t place)
{
}

void emulator_record_round(struct emulator_recorder *recorder, uint32_t inner_steps, uint32_t triangle_tests)
{
}

void emulator_record_end(struct emulator_recorder *recorder)
{
}
