// SPDX-License-Identifier: MIT
// Every part is hashed with its length, so that no two lists run together.
// Of the parameters those that are used and differ from their default: a new row of parameters.def changes no key.
#include "store/key.h"

#include <string.h>

#include "device/device.h"
#include "frame/variant.h"

bool trial_uses(const struct trial_spec *spec, const struct parameter *parameter)
{
    if (parameter->role == PARAMETER_MACHINE)
        return device_has_option(spec->device, parameter->name);
    const struct variant *variant = variant_find(spec->variant);
    return !variant || variant_uses(variant, parameter);
}

static bool any_parameter(const struct parameter *parameter)
{
    (void)parameter;
    return true;
}

static bool of_work(const struct parameter *parameter)
{
    return parameter->role == PARAMETER_WORK;
}

// Also those that decide which paths run together.
static bool of_lanes(const struct parameter *parameter)
{
    return of_work(parameter) || parameter->role == PARAMETER_SCHEDULE || !strcmp(parameter->name, "warp_width");
}

static void add_parameters(struct hash_state *state, const struct trial_spec *spec,
                           bool (*wanted)(const struct parameter *parameter))
{
    const struct parameters standard = parameters_default();
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *parameter = &parameter_table[i];
        const int64_t set = parameter_get(&spec->parameters, parameter);
        if (!wanted(parameter) || !trial_uses(spec, parameter) || set == parameter_get(&standard, parameter))
            continue;
        char value[64];
        parameter_format(parameter, set, value, sizeof value);
        hash_add_text(state, parameter->name);
        hash_add_text(state, value);
    }
}

static void add_spec(struct hash_state *state, const struct trial_spec *spec)
{
    char device[DEVICE_NAME_TEXT];
    device_name_of(spec->device, device);
    hash_add_text(state, spec->scene);
    hash_add_text(state, spec->camera);
    hash_add_text(state, spec->variant);
    hash_add_text(state, device);
    add_parameters(state, spec, any_parameter);
}

static void add_provenance(struct hash_state *state, const struct trial_provenance *provenance)
{
    hash_add_text(state, provenance->scene_content);
    hash_add_text(state, provenance->programs);
    hash_add_text(state, provenance->device_name);
    hash_add_text(state, provenance->driver);
    hash_add_text(state, provenance->policy);
    hash_add_text(state, provenance->harness);
}

void trial_spec_key(const struct trial_row *row, const char *device_name, char text[HASH_TEXT])
{
    struct hash_state *state = hash_begin();
    add_spec(state, &row->spec);
    hash_add_text(state, device_name);
    hash_add(state, &row->replicate, sizeof row->replicate);
    hash_text(hash_end(state), text);
}

struct hash trial_identity(const struct trial_row *row)
{
    struct hash_state *state = hash_begin();
    add_spec(state, &row->spec);
    hash_add(state, &row->replicate, sizeof row->replicate);
    return hash_end(state);
}

void trial_keys_make(const struct trial_row *row, const struct trial_provenance *provenance, struct trial_keys *keys)
{
    const struct variant *variant = variant_find(row->spec.variant);
    keys->estimator = variant ? variant->estimator->name : "";

    struct hash_state *state = hash_begin();
    add_spec(state, &row->spec);
    add_provenance(state, provenance);
    hash_text(hash_end(state), keys->setting);

    state = hash_begin();
    hash_add_text(state, keys->setting);
    hash_add(state, &row->replicate, sizeof row->replicate);
    hash_text(hash_end(state), keys->key);

    trial_spec_key(row, provenance->device_name, keys->spec);
    trial_spec_key(row, "", keys->spec_nowhere);

    state = hash_begin();
    hash_add_text(state, keys->estimator);
    hash_add_text(state, provenance->scene_content);
    hash_add_text(state, row->spec.camera);
    const bool alone = !variant || estimator_alone(variant->estimator, &row->spec.parameters, NULL);
    if (!alone)
        hash_add_text(state, variant->name);
    add_parameters(state, &row->spec, alone ? of_work : of_lanes);
    hash_text(hash_end(state), keys->work);
}
