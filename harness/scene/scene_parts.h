// SPDX-License-Identifier: MIT
// Readers of the parts of a scene file; scene_read.c calls them in order.
#pragma once

#include "scene/scene_file.h"

bool scene_read_materials(struct scene_file *file, yaml_node_t *node, struct error *error);
bool scene_read_meshes(struct scene_file *file, yaml_node_t *node, struct error *error);
bool scene_read_objects(struct scene_file *file, yaml_node_t *node, struct error *error);
// Reads the objects of all parts; `node` may be NULL.
bool scene_read_parts(struct scene_file *file, yaml_node_t *node, struct error *error);
bool scene_read_instances(struct scene_file *file, yaml_node_t *node, struct error *error);
// Appends a list of objects, of a part or (SCENE_NONE) of the scene.
bool scene_read_object_list(struct scene_file *file, yaml_node_t *node, int32_t part, struct error *error);
// Index of the earlier terrain that `on` names; *ground is SCENE_NONE before.
bool scene_find_ground(struct scene_file *file, yaml_node_t *node, const struct scene_object *but, int32_t *ground,
                       struct error *error);
// That a ring's two distances are in order.
bool scene_check_ring(struct scene_file *file, const yaml_node_t *node, double inner, double outer,
                      struct error *error);
bool scene_read_cameras(struct scene_file *file, yaml_node_t *node, struct error *error);
bool scene_read_environment(struct scene_file *file, yaml_node_t *node, struct error *error);
bool scene_read_volume(struct scene_file *file, yaml_node_t *node, struct error *error);

// Index of the material that a scalar node names.
bool scene_find_material(struct scene_file *file, yaml_node_t *node, uint32_t *index, struct error *error);
