// SPDX-License-Identifier: MIT
// A scene file as read: everything resolved to values and indices, no mesh or image opened yet. See docs/scenes.md.
#pragma once

#include "import/shapes.h"
#include "import/volume_samples.h"
#include "geometry/types.h"
#include "base/yaml.h"

enum { SCENE_NAME_MAX = 63, SCENE_NONE = -1 }; // bytes of a name, without the terminator
enum { SCENE_OBJECTS_MAX = 16384, MATERIAL_FLOPS_MAX = 1000000 };

struct scene_material {
    const char *name;
    int line;
    uint32_t kind; // enum material_kind
    double diffuse[3], specular[3], exponent, roughness, ior, emission[3];
    double opacity;              // share of rays that the surface stops
    const char *texture;         // picture whose mean colour is a factor of `diffuse`, or NULL
    double weight;               // of a blend, of its second branch
    uint32_t branches[2], depth; // of a blend: indices of materials before it; blends within one another
    int32_t flops;
};

struct scene_rename {
    const char *from;  // name in the mesh file
    uint32_t material; // index into scene_file.materials
};

struct scene_mesh {
    const char *name, *file, *package, *obtain;
    int line;
    double orient[9]; // rows of a matrix applied first
    double size[3];   // stretched to this box; 0 = not
    double fit;       // scaled evenly until its longest edge is this; 0 = not
    int32_t material; // SCENE_NONE = the mesh's own
    struct scene_rename *renames;
    uint32_t rename_count;
};

struct scene_object {
    int line;
    int32_t mesh;                   // index, or SCENE_NONE
    const struct shape_kind *shape; // or NULL
    void *parameters;
    double position[3], rotation[3], scale[3];
    uint32_t materials[SHAPE_MATERIALS];
    int32_t ground;   // index of the terrain that `on` names, or SCENE_NONE
    const char *name; // that `on` may use, or NULL
    int32_t part;     // index of the part that it belongs to, or SCENE_NONE
};

// A group of objects that appears only through instances, each a copy of the whole group.
struct scene_part {
    const char *name;
    int line;
    bool used;
};

// Copies of a part: one, or `count` scattered over a ring of ground.
struct scene_instances {
    int line;
    uint32_t part;
    double position[3], rotation[3], scale[3];
    double matrix[12]; // rows of three by four, instead of these
    bool has_matrix;
    int32_t ground; // as of an object
    uint64_t count, seed;
    double inner, outer, sizes[2]; // sizes: least and greatest factor; each is turned about y by any angle
};

struct scene_camera_item {
    const char *name;
    int line;
    double eye[3], at[3], direction[3], up[3], fov, aperture, focus;
};

enum environment_kind { ENVIRONMENT_NONE, ENVIRONMENT_FILE, ENVIRONMENT_CONSTANT, ENVIRONMENT_SKY };

struct scene_sky {
    double zenith[3], horizon[3], ground[3], sun[3]; // radiance
    double sun_azimuth, sun_elevation, sun_radius;   // degrees
};

enum environment_mapping { MAPPING_LATITUDE_LONGITUDE, MAPPING_EQUAL_AREA };

struct scene_environment {
    enum environment_kind kind;
    int line;
    const char *file, *package;
    enum environment_mapping mapping; // of the file
    bool mirrored;                    // z is negated before all else
    double constant[3];
    struct scene_sky sky;
    double illuminance;         // of a surface that faces +y, before `intensity`; 0 = as the source gives
    double intensity, rotation; // factor; degrees about y, rounded to whole columns
    uint64_t cells[2];          // of the sampling grid: columns, rows
};

enum volume_shape { VOLUME_NO_SHAPE, VOLUME_HEAD, VOLUME_KNEES, VOLUME_SHAPES };
enum volume_store { VOLUME_STORE_8, VOLUME_STORE_16, VOLUME_STORE_FLOAT };

// A point of a transfer function: `at` in the window, from 0 to 1; density as a share of scene_volume.density.
struct volume_point {
    double at, density, albedo[3];
};

enum { VOLUME_POINTS_MAX = 32 };
static const double VOLUME_DENSITY_MAX = 1e6; // extinction per scene unit
static const double VOLUME_ASYMMETRY_MAX = 0.99;
static const double VOLUME_IOR_MIN = 1.01, VOLUME_IOR_MAX = 4;
static const float VOLUME_THINNEST = 1e-6f; // every edge is longer than this share of the longest

// Uniform density, or values from a file or a shape. layer_voxels voxels from layer_from on along z have an albedo of their own.
struct scene_volume {
    int line;                     // 0: there is none
    const char *file, *package;   // NULL: no file; no package
    uint32_t shape;               // enum volume_shape
    uint32_t format, type, store; // enum volume_format, volume_type, volume_store
    bool big_endian, has_window, has_spacing;
    uint64_t offset;  // bytes before the first value
    uint32_t size[3]; // voxels; for NIfTI files the header decides
    bool has_crop;
    uint32_t crop_from[3], crop_size[3]; // the voxels that are kept
    double spacing[3];                   // of voxels, in any unit
    double window[2];                    // values that the transfer function's 0 and 1 are
    struct volume_point points[VOLUME_POINTS_MAX];
    uint32_t point_count; // 0: the density is the place in the window, the albedo `albedo`
    uint32_t layer_from, layer_voxels;
    double density, albedo[3], layer_albedo[3];
    double asymmetry;      // of the phase function, in (-1, 1)
    double ior, roughness; // of its boundary; ior 0: it has none
};

struct scene_file {
    char *path, *folder, *text;
    size_t text_size;
    struct yaml_source source;
    const char *title, *summary, *stands_for;
    bool fitted, original; // original: the paper's own scene, not one that stands in for it
    // What the scene is `from`: another scene file, which this one gives other words. Where that is found, all else here
    // is of that file, and `outer` is this one; where it is not, `from` and `obtain` are set and the scene is empty.
    const char *from, *obtain;
    int from_line;
    struct scene_file *outer;
    struct scene_material *materials; // 0 = "default", Lambert 0.7
    struct scene_mesh *meshes;
    struct scene_object *objects;
    int objects_line; // where they begin
    struct scene_camera_item *cameras;
    uint32_t material_count, mesh_count, object_count, camera_count;
    struct scene_part *parts;
    struct scene_instances *instances;
    uint32_t part_count, instances_count;
    struct scene_environment environment;
    struct scene_volume volume; // instead of objects
};

void scene_file_finish(struct scene_file *file);

// Completes the error of a file that a scene names in `line`: that the scene uses it, and, where nothing better is
// known, how to correct it: by fetching its package (may be NULL) again, or `remedy`.
void scene_file_add_use(const struct scene_file *file, int line, const char *package, const char *remedy,
                        struct error *error);

// Where a file named in a scene is: beside the scene file, else in the data folder ($WARPSTUDY_DATA, else
// ~/.local/share/warpstudy). Writes the path; false and an error with the remedy where it is in neither.
bool scene_file_locate(const struct scene_file *file, const char *name, const char *package, int line, char *path,
                       size_t size, struct error *error);
// The same for a mesh, whose file may be one that users have to get themselves.
bool scene_file_locate_mesh(const struct scene_file *file, const struct scene_mesh *mesh, char *path, size_t size,
                            struct error *error);
// The same for the file that the scene is `from`.
bool scene_file_locate_from(const struct scene_file *file, char *path, size_t size, struct error *error);
// Calls `visit` with the path of every file that the scene names, meshes first, until one is missing or it fails.
bool scene_file_visit(const struct scene_file *file,
                      bool (*visit)(void *context, const char *path, struct error *error), void *context,
                      struct error *error);

// Entry `index` of a mapping of names to things: its checked name and value.
bool scene_entry(struct scene_file *file, yaml_node_t *mapping, uint32_t index, const char *what, const char **name,
                 int *line, yaml_node_t **value, struct error *error);
