// SPDX-License-Identifier: MIT
// Packed images: blocks of memory, the same on disk, that a kernel could use in place. A scene's content and a tree
// over it are images of their own, since the one serves many of the other; a packed scene is one image of both.
#pragma once

#include "base/hash.h"
#include "trees/two_levels.h"
#include "trees/tree.h"

enum { IMAGE_VERSION = 15, IMAGE_NAME = 64, IMAGE_ALIGNMENT = 256 };

enum { IMAGE_CONTENT = 1, IMAGE_TREE = 2 }; // what an image holds: bits

enum image_section {
    IMAGE_NODES,      // of the tree, in pieces of 16 bytes
    IMAGE_ORDERED,    // triangles in the order of the tree's leaves, where it keeps one
    IMAGE_REFERENCES, // of leaves to triangles or fragments, where it has them
    IMAGE_ROOTS,      // of a scene in two levels: of each object's tree
    IMAGE_TRIANGLES,  // in the scene's own order
    IMAGE_FRAGMENTS,  // none where no triangle was split
    IMAGE_OBJECTS,    // of a scene in two levels, else none: ranges of triangles
    IMAGE_MATERIALS,  // from here to IMAGE_INSTANCE_OF: what a device gets as one block
    IMAGE_LIGHTS,
    IMAGE_LIGHT_ALIAS,
    IMAGE_RADIANCE,
    IMAGE_CELL_ALIAS,
    IMAGE_CELL_DENSITY,
    IMAGE_ROW_COSINE,
    IMAGE_DENSITY, // of voxels, in bytes
    IMAGE_ALBEDO,
    IMAGE_BRICKS,      // volume_view.bricks
    IMAGE_INSTANCES,   // of a scene in two levels
    IMAGE_INSTANCE_OF, // scene_view.instance_of
    IMAGE_CAMERAS,
    IMAGE_MATERIAL_NAMES,
    IMAGE_SECTIONS
};

struct image_camera {
    char name[IMAGE_NAME];
    struct vec3 position, forward, right, up; // orthonormal
    float tangent;                            // of half the vertical field of view
    float lens_radius, focus_distance;
    uint32_t unused;
};

struct image_name {
    char text[IMAGE_NAME];
};

struct image_span {
    uint64_t offset, count; // bytes from the start of the image; entries
};

struct image_header {
    char magic[8];
    uint32_t version, header_size;
    struct hash checksum; // of all bytes behind this field
    uint64_t size;        // of the whole image
    struct hash key;      // of what it was built from
    struct hash content;  // see scene_facts; of a tree: of the scene that it is for
    char name[64], title[128], stands_for[64];
    uint64_t dropped_triangles;
    struct tree_facts tree_facts;
    struct scene_tree_options tree; // settled
    uint32_t holds, fitted;
    float box_low[3], box_high[3];
    float light_area, environment_share, box_pad, diagonal;
    uint32_t map_width, map_height, cell_width, cell_height;
    uint32_t volume_size[3]; // its box is that of the scene
    float volume_majorant;
    uint32_t density_bits; // as in volume_view
    float density_top, asymmetry;
    uint32_t instance_shift; // scene_view.instance_shift
    float ior, alpha;        // of a volume's boundary, as in volume_view
    struct image_span sections[IMAGE_SECTIONS];
};

// Bytes of one entry of a section.
size_t image_entry_size(enum image_section section);

// Hash of everything that a frame depends on except the tree, of an image as image_pack is given it. The box of a volume and
// the form of its densities are included if `box` says so or the densities are not plain bytes; they never are where the scene
// file gives only a number of voxels.
struct hash image_content(const struct image_header *header, const void *const data[IMAGE_SECTIONS], bool box);

// Lays the sections out behind a header: `header` gives the facts, its spans the counts; `data[i]` the bytes of section
// i. The result is to be freed; NULL without memory. The checksum is set.
void *image_pack(const struct image_header *header, const void *const data[IMAGE_SECTIONS], uint64_t *size);

// Checks that the image is as image_pack made it: version, size and checksum, and that its sections lie within. It is all that an
// image of this program's own cache needs; XXH3 reads it at about the speed of memory.
bool image_check_seal(const void *bytes, uint64_t size, uint32_t holds, struct error *error);

// The checksum that the header should hold; `size` is at least that of a header.
struct hash image_checksum(const void *bytes, uint64_t size);

static inline const struct image_header *image_header(const void *bytes)
{
    return bytes;
}

static inline const void *image_section(const void *bytes, enum image_section section)
{
    return (const char *)bytes + image_header(bytes)->sections[section].offset;
}

// The view of all but the tree that points into `base`, at the places where the sections of `header` lie.
struct scene_view image_view(const struct image_header *header, const void *base);

// The two levels of a scene's content, without instances where it is in one; owns nothing.
struct levels image_levels(const void *content);

// The tree that lies in an image; owns nothing.
struct tree image_tree(const void *bytes, const void *content);
