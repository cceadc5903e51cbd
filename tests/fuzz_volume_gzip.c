// SPDX-License-Identifier: MIT
// Fuzz target: the first byte says how a gzipped file comes about. Either the rest are its bytes; or they are compressed here, and the
// two bytes before them say where the file is then cut or which of its bits is turned.
#include <string.h>
#include <zlib.h>

#include "fuzz_volume.h"

enum { AS_IT_IS, WHOLE, CUT, TURNED, WAYS, GZIP = 15 + 16, LARGEST = 1 << 16 };

static const char *const volumes[] = {
    "type: uint8, size: [3, 2, 2]",
    "type: int16, size: [2, 2, 2], window: [-10, 10]",
    "format: nifti, window: [-100, 1000], store: float",
};

// Returns the bytes of the file.
static size_t compress_to(uint8_t *file, size_t room, const uint8_t *data, size_t size)
{
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (deflateInit2(&stream, 6, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    stream.next_in = (Bytef *)(uintptr_t)data;
    stream.avail_in = (uInt)size;
    stream.next_out = file;
    stream.avail_out = (uInt)room;
    const int result = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    return result == Z_STREAM_END ? stream.total_out : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t file[2 * LARGEST];
    if (size < 3 || size > LARGEST)
        return 0;
    const unsigned way = data[0] % WAYS, volume = data[0] / WAYS % (sizeof volumes / sizeof *volumes);
    const size_t place = data[1] | (size_t)data[2] << 8;
    if (way == AS_IT_IS) {
        fuzz_volume(volumes[volume], data + 1, size - 1);
        return 0;
    }
    size_t bytes = compress_to(file, sizeof file, data + 3, size - 3);
    if (way == CUT && bytes)
        bytes = place % bytes;
    if (way == TURNED && bytes)
        file[place / 8 % bytes] ^= (uint8_t)(1u << place % 8);
    fuzz_volume(volumes[volume], file, bytes);
    return 0;
}
