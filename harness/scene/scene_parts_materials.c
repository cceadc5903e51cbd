// SPDX-License-Identifier: MIT
// Materials of a scene file. A blend refers to earlier materials only, so that none can contain itself.
#include "base/memory.h"
#include "scene/scene_parts.h"

#define FIELD(member, type, low, high, help) YAML_FIELD_IN(struct scene_material, member, type, low, high, help)

#include <stdlib.h>
#include <string.h>

// in the order of enum material_kind
static const char *const material_kinds[] = {"lambert", "blinn",      "glass",       "chrome", "carpaint",
                                             "glossy",  "reflective", "transparent", "blend",  NULL};

struct material_keys {
    struct scene_material material;
    yaml_node_t *kind, *of;
};

static const struct yaml_field material_fields[] = {
    {"kind", YAML_NODE, offsetof(struct material_keys, kind), 0, 0,
     "lambert, blinn, glass, chrome, carpaint, glossy, reflective, transparent or blend"},
    FIELD(diffuse, YAML_UNIFORM3, 0, 1, "reflectance"),
    FIELD(specular, YAML_UNIFORM3, 0, 1, "reflectance of the glossy or mirror lobe"),
    FIELD(exponent, YAML_REAL, 0, 1e6, "of the half-vector lobe"),
    FIELD(roughness, YAML_REAL, 0.1, 1, "of glossy and reflective"),
    FIELD(ior, YAML_REAL, 1, 4, "index of refraction of glass and coat"),
    FIELD(emission, YAML_UNIFORM3, 0, 1e6, "radiance of the side that the surface faces"),
    FIELD(texture, YAML_TEXT, 0, 0, "picture whose mean colour is a factor of diffuse"),
    FIELD(flops, YAML_INT, 0, MATERIAL_FLOPS_MAX, "dependent fused multiply-adds that an evaluation costs besides"),
    FIELD(opacity, YAML_REAL, 0, 1, "share of rays that the surface stops; the others pass"),
    FIELD(weight, YAML_REAL, 0, 1, "of the second material of a blend"),
    {"of", YAML_NODE, offsetof(struct material_keys, of), 0, 0, "the two materials of a blend"},
    YAML_FIELDS_END,
};

static const struct scene_material material_defaults[MATERIAL_KINDS] = {
    [MATERIAL_LAMBERT] = {.diffuse = {0.7, 0.7, 0.7}, .ior = 1.5},
    [MATERIAL_BLINN] = {.diffuse = {0.4, 0.4, 0.4}, .specular = {0.3, 0.3, 0.3}, .exponent = 50, .ior = 1.5},
    [MATERIAL_GLASS] = {.specular = {1, 1, 1}, .ior = 1.5},
    [MATERIAL_CHROME] = {.specular = {0.95, 0.95, 0.95}, .ior = 1.5},
    [MATERIAL_CARPAINT] = {.diffuse = {0.4, 0.05, 0.05}, .specular = {0.2, 0.2, 0.2}, .exponent = 100, .ior = 1.5},
    [MATERIAL_GLOSSY] = {.diffuse = {0.5, 0.5, 0.5}, .roughness = 0.3, .ior = 1.5},
    [MATERIAL_REFLECTIVE] = {.specular = {0.9, 0.9, 0.9}, .roughness = 0.3, .ior = 1.5},
    [MATERIAL_TRANSPARENT] = {.specular = {1, 1, 1}, .ior = 1.5},
    [MATERIAL_BLEND] = {.weight = 0.5, .ior = 1.5},
};

// Bits are places in material_fields; keys that are not among them are for every kind.
enum {
    BASE = 1 << 1 | 1 << 7, // diffuse, texture
    SPECULAR = 1 << 2,
    EXPONENT = 1 << 3,
    ROUGHNESS = 1 << 4,
    IOR = 1 << 5,
    BRANCHES = 3 << 10, // weight, of
    OF_SOME_KINDS = BASE | SPECULAR | EXPONENT | ROUGHNESS | IOR | BRANCHES
};
static const uint32_t material_uses[MATERIAL_KINDS] = {
    [MATERIAL_LAMBERT] = BASE,
    [MATERIAL_BLINN] = BASE | SPECULAR | EXPONENT,
    [MATERIAL_GLASS] = SPECULAR | IOR,
    [MATERIAL_CHROME] = SPECULAR,
    [MATERIAL_CARPAINT] = BASE | SPECULAR | EXPONENT | IOR,
    [MATERIAL_GLOSSY] = BASE | ROUGHNESS | IOR,
    [MATERIAL_REFLECTIVE] = SPECULAR | ROUGHNESS,
    [MATERIAL_TRANSPARENT] = SPECULAR | IOR,
    [MATERIAL_BLEND] = BRANCHES,
};

static struct scene_material material_default(uint32_t kind)
{
    struct scene_material material = material_defaults[kind];
    material.opacity = 1;
    return material;
}

static bool check_energy(struct scene_file *file, const struct scene_material *material, struct error *error)
{
    if (material->kind != MATERIAL_BLINN && material->kind != MATERIAL_CARPAINT)
        return true;
    for (int i = 0; i < 3; ++i)
        if (material->diffuse[i] + material->specular[i] > 1 + 1e-9) {
            error_set_at(error, ERROR_USE, file->path, material->line,
                         "material \"%s\": diffuse + specular is over 1: it would reflect more than it gets",
                         material->name);
            return error_remedy(error, "lower one of them: the sum is %g in %s",
                                material->diffuse[i] + material->specular[i],
                                i == 0   ? "red"
                                : i == 1 ? "green"
                                         : "blue");
        }
    return true;
}

static bool refuse_material(struct scene_file *file, const struct scene_material *material, struct error *error,
                            const char *what, const char *remedy)
{
    error_set_at(error, ERROR_USE, file->path, material->line, "material \"%s\": %s", material->name, what);
    return error_remedy(error, "%s", remedy);
}

// A light that is sampled is a whole triangle, so one that has holes would send too much light.
static bool check_opacity(struct scene_file *file, const struct scene_material *material, struct error *error)
{
    for (int i = 0; i < 3; ++i)
        if (material->opacity < 1 && material->emission[i] > 0)
            return refuse_material(file, material, error, "its opacity is below 1, but it emits light",
                                   "leave out one of the two");
    return true;
}

// ---- blends

// Index of the material of that name among those before this one.
static bool find_branch(struct scene_file *file, const struct scene_material *material, const char *name,
                        uint32_t *index, struct error *error)
{
    const uint32_t own = (uint32_t)(material - file->materials);
    for (*index = own; (*index)-- > 0;)
        if (strcmp(file->materials[*index].name, name) == 0)
            return true;
    error_set_at(error, ERROR_USE, file->path, material->line,
                 "material \"%s\" is a blend of \"%.60s\", but no material of that name stands before it",
                 material->name, name);
    return error_remedy(error, "a blend takes materials that stand before it, so that none can contain itself");
}

static bool is_specular(uint32_t kind)
{
    return kind == MATERIAL_GLASS || kind == MATERIAL_CHROME || kind == MATERIAL_TRANSPARENT ||
           kind == MATERIAL_BLEND_SPECULAR;
}

static bool check_branch(struct scene_file *file, struct scene_material *material, const struct scene_material *branch,
                         struct error *error)
{
    for (int i = 0; i < 3; ++i)
        if (branch->emission[i] > 0)
            return refuse_material(file, material, error, "one of its materials emits light",
                                   "give the emission to the blend itself");
    if (branch->opacity < 1)
        return refuse_material(file, material, error, "one of its materials has an opacity below 1",
                               "blend that material with {kind: transparent, ior: 1} instead");
    if (branch->depth >= material->depth)
        material->depth = branch->depth + 1;
    return material->depth <= BLEND_DEPTH ||
           refuse_material(file, material, error, "more than 8 blends within one another",
                           "blend fewer levels of materials");
}

static bool read_blend(struct scene_file *file, yaml_node_t *of, struct scene_material *material, struct error *error)
{
    if (!of || of->type != YAML_SEQUENCE_NODE || yaml_length(of) != 2)
        return refuse_material(file, material, error, "a blend is of two materials", "write of: [NAME, NAME]");
    if (material->flops)
        return refuse_material(file, material, error, "a blend costs what its materials cost",
                               "give flops to its materials instead");
    if (material->opacity < 1)
        return refuse_material(file, material, error, "a blend has no opacity",
                               "blend it with a sheet through which all light passes: {kind: transparent, ior: 1}");
    bool specular = true;
    for (int i = 0; i < 2; ++i) {
        const char *name = yaml_word(&file->source, yaml_value(&file->source, of, (size_t)i), "of", error);
        uint32_t *index = &material->branches[i];
        if (!name || !find_branch(file, material, name, index, error) ||
            !check_branch(file, material, &file->materials[*index], error))
            return false;
        specular = specular && is_specular(file->materials[*index].kind);
    }
    material->kind = specular ? MATERIAL_BLEND_SPECULAR : MATERIAL_BLEND;
    return true;
}

// ---- materials

static bool check_keys(struct scene_file *file, yaml_node_t *node, const struct scene_material *material,
                       uint64_t present, struct error *error)
{
    const uint64_t unused = present & OF_SOME_KINDS & ~material_uses[material->kind];
    if (!unused)
        return true;
    uint32_t key = 0;
    while (!(unused >> key & 1))
        ++key;
    char kinds[100];
    size_t used = 0;
    for (uint32_t kind = 0; material_kinds[kind]; ++kind)
        if (material_uses[kind] >> key & 1)
            used += (size_t)snprintf(kinds + used, sizeof kinds - used, "%s%s", used ? ", " : "", material_kinds[kind]);
    const char *name = material_fields[key].name;
    yaml_fail(&file->source, yaml_find(&file->source, node, name), error, "material \"%s\": %s uses no `%s`",
              material->name, material_kinds[material->kind], name);
    return error_remedy(error, "remove the key, or choose a kind that uses it: %s", kinds);
}

static bool read_material(struct scene_file *file, yaml_node_t *node, struct scene_material *material,
                          struct error *error)
{
    const char *name = material->name;
    const int line = material->line;
    struct material_keys keys = {0};
    uint64_t present;
    uint32_t kind = MATERIAL_LAMBERT;
    yaml_node_t *chosen = yaml_find(&file->source, node, "kind");
    if (chosen && !yaml_choose(&file->source, chosen, "material kind", material_kinds, &kind, error))
        return false;
    keys.material = material_default(kind);
    if (!yaml_read_mapping(&file->source, node, "a material", material_fields, NULL, &keys, &present, error))
        return false;
    *material = keys.material;
    material->kind = kind;
    material->name = name;
    material->line = line;
    if (!check_keys(file, node, material, present, error))
        return false;
    if (kind == MATERIAL_BLEND)
        return read_blend(file, keys.of, material, error);
    return check_energy(file, material, error) && check_opacity(file, material, error);
}

bool scene_read_materials(struct scene_file *file, yaml_node_t *node, struct error *error)
{
    if (node && !yaml_expect_keys(&file->source, node, "materials", error))
        return false;
    const uint32_t count = (uint32_t)yaml_length(node);
    file->materials = memory_new(count + 1, sizeof *file->materials);
    file->materials[0] = material_default(MATERIAL_LAMBERT);
    file->materials[0].name = "default";
    file->material_count = 1;
    for (uint32_t i = 0; i < count; ++i) {
        struct scene_material *material = &file->materials[file->material_count++];
        yaml_node_t *value;
        if (!scene_entry(file, node, i, "material", &material->name, &material->line, &value, error) ||
            !read_material(file, value, material, error))
            return false;
    }
    return true;
}

bool scene_find_material(struct scene_file *file, yaml_node_t *node, uint32_t *index, struct error *error)
{
    if (!yaml_expect(&file->source, node, YAML_SCALAR_NODE, "material", error))
        return false;
    const char *name = (const char *)node->data.scalar.value;
    for (uint32_t i = file->material_count; i-- > 0;)
        if (strcmp(file->materials[i].name, name) == 0) {
            *index = i;
            return true;
        }
    const char **names = memory_new(file->material_count + 1, sizeof *names);
    for (uint32_t i = 0; i < file->material_count; ++i)
        names[i] = file->materials[i].name;
    yaml_unknown(&file->source, node, "material", name, names, error);
    free(names);
    return false;
}
