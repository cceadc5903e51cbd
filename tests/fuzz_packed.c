// SPDX-License-Identifier: MIT
// Fuzz target: the first byte names a valid packed scene, the rest are changes to it of eight bytes each. A change is of one
// word of the header, or of one section. Length and checksum are put right; what is then taken for valid is rendered, and must
// not be read out of bounds.
#include <stdlib.h>
#include <string.h>

#include "packed_images.h"
#include "scene/scene_image_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGE = 8, CHANGES_MAX = 64 };

// Byte 0: 0 a word of the header, 1 + i a word of section i. Byte 1: how; 2 and 3: which word; 4 to 7: a number.
static uint32_t changed(uint32_t before, uint8_t how, uint32_t number)
{
    static const uint32_t known[] = {0,          1,          2,          3,          255,        256,
                                     65535,      1u << 24,   1u << 27,   0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
                                     0xFFFFFFFE, 0x7FC00000, 0x7F800000, 0xFF800000, 0x3F800000};
    enum { KNOWN = sizeof known / sizeof *known };
    switch (how % 6) {
    case 0: return number;
    case 1: return before + number;
    case 2: return before - number;
    case 3: return before ^ 1u << number % 32;
    case 4: return before * number;
    default: return known[number % KNOWN];
    }
}

static void apply(char *image, size_t size, const uint8_t *change)
{
    const struct image_header *header = image_header(image);
    const unsigned section = change[0] % (IMAGE_SECTIONS + 1);
    uint64_t from = 0, words = sizeof *header / sizeof(uint32_t);
    uint32_t word, number;
    memcpy(&number, change + 4, sizeof number);
    if (section > 0) {
        from = header->sections[section - 1].offset;
        words = header->sections[section - 1].count * image_entry_size((enum image_section)(section - 1)) / 4;
    }
    if (words == 0 || from > size || words > (size - from) / 4)
        return;
    char *place = image + from + 4 * ((change[2] | (uint32_t)change[3] << 8) % words);
    memcpy(&word, place, sizeof word);
    word = changed(word, change[1], number);
    memcpy(place, &word, sizeof word);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const struct packed_image *base = &packed_images()[data[0] % PACKED_IMAGES];
    char *image = NULL;
    if (posix_memalign((void **)&image, 256, base->size) != 0)
        return 0;
    memcpy(image, base->bytes, base->size);
    for (size_t i = 0; i < CHANGES_MAX && 1 + (i + 1) * CHANGE <= size; ++i)
        apply(image, base->size, data + 1 + i * CHANGE);
    struct image_header *header = (struct image_header *)image;
    header->size = base->size;
    header->checksum = image_checksum(image, base->size);
    if (image_validate(image, base->size, IMAGE_CONTENT | IMAGE_TREE, NULL) &&
        image_validate_tree(image, image, NULL)) {
        (void)image_validate_content(image, NULL);
        packed_render(image);
    } else if (size == 1) {
        abort(); // what was not changed is valid
    }
    free(image);
    return 0;
}
