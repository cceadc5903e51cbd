// SPDX-License-Identifier: MIT
// Bytes and 16-bit halves on NVIDIA GPUs by one instruction: nv_permute(), or where a sign is copied nv_permute_signs(). Each side
// that includes this has defined both. A half is the selector that moves it.
#pragma once

DEVICE uint32_t half_make(bool upper)
{
    return upper ? 0x7324u : 0x7104u;
}

DEVICE uint32_t half_other(uint32_t which)
{
    return which ^ 0x220u;
}

DEVICE float half_f32(uint32_t word, uint32_t which)
{
    return f32_from_bits(nv_permute(word, 0x3F000000u, which));
}

DEVICE uint32_t with_byte(uint32_t word, uint32_t bytes, uint32_t i)
{
    return nv_permute(word, bytes, 0x3214u + i);
}

// A digit with bit 3 set copies the sign of its byte to all eight bits.
DEVICE uint32_t signs_over_byte(uint32_t word, uint32_t bytes, uint32_t i)
{
    return nv_permute_signs(word, bytes, 0xBBB4u + i);
}
