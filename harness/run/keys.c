// SPDX-License-Identifier: MIT
#include "run/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/environment.h"
#include "trial/execute_settings.h"

struct known_scene {
    struct known_scene *next;
    char name[TRIAL_TEXT];
    char cameras[8][64]; // checked already
    size_t camera_count;
    struct scene_tree_options tree;
    char content[HASH_TEXT];
};

struct known_build {
    struct known_build *next;
    struct hash key; // of device, variant and every parameter that matters to a build
    struct execute_facts facts;
    char failure[640]; // "" or why it could not be built
};

struct keys {
    struct workers *workers;
    struct known_scene *scenes;
    struct known_build *builds;
    bool timed; // the experiment collects something that repeats
    char policy[256];
};

struct policy keys_policy(const struct experiment *experiment)
{
    struct policy policy = policy_default();
    policy.min_repetitions = (uint32_t)experiment->min_repetitions;
    policy.max_repetitions = (uint32_t)experiment->max_repetitions;
    policy.relative_ci = experiment->relative_ci;
    policy.max_seconds = experiment->max_seconds;
    return policy;
}

struct keys *keys_create(struct workers *workers, const struct experiment *experiment, struct error *error)
{
    struct keys *keys = calloc(1, sizeof *keys);
    if (!keys) {
        error_set(error, ERROR_SYSTEM, "no memory left");
        return NULL;
    }
    keys->workers = workers;
    keys->timed = (experiment->collections & ~(1u << COLLECTION_COUNTS)) != 0;
    const struct policy policy = keys_policy(experiment);
    policy_format(&policy, keys->policy, sizeof keys->policy);
    return keys;
}

void keys_destroy(struct keys *keys)
{
    if (!keys)
        return;
    for (struct known_scene *scene = keys->scenes, *next; scene; scene = next) {
        next = scene->next;
        free(scene);
    }
    for (struct known_build *build = keys->builds, *next; build; build = next) {
        next = build->next;
        free(build);
    }
    free(keys);
}

// ---- scenes
// ------------------------------------------------------------------------------------------------------------

static struct known_scene *find_scene(struct keys *keys, const struct trial_spec *spec)
{
    const struct scene_tree_options tree = execute_tree_options(&spec->parameters);
    for (struct known_scene *scene = keys->scenes; scene; scene = scene->next)
        if (!strcmp(scene->name, spec->scene) && scene->tree.leaf_size == tree.leaf_size &&
            scene->tree.bins == tree.bins)
            return scene;
    return NULL;
}

static bool camera_known(const struct known_scene *scene, const char *camera)
{
    for (size_t i = 0; i < scene->camera_count; ++i)
        if (!strcmp(scene->cameras[i], camera))
            return true;
    return false;
}

static void remember_camera(struct known_scene *known, const char *camera)
{
    if (known->camera_count < sizeof known->cameras / sizeof *known->cameras)
        snprintf(known->cameras[known->camera_count++], sizeof known->cameras[0], "%s", camera);
}

static struct known_scene *remember_scene(struct keys *keys, const struct trial_spec *spec, const struct scene *scene,
                                          struct error *error)
{
    struct known_scene *known = calloc(1, sizeof *known);
    if (!known) {
        error_set(error, ERROR_SYSTEM, "no memory left");
        return NULL;
    }
    snprintf(known->name, sizeof known->name, "%s", spec->scene);
    known->tree = execute_tree_options(&spec->parameters);
    memcpy(known->content, scene_facts(scene)->content_text, sizeof known->content);
    known->next = keys->scenes;
    keys->scenes = known;
    return known;
}

bool keys_check_scene(struct keys *keys, const struct trial_spec *spec,
                      void (*progress)(void *context, const char *step, double fraction), void *context,
                      struct error *error)
{
    struct known_scene *known = find_scene(keys, spec);
    if (known && camera_known(known, spec->camera))
        return true;
    const struct scene_request request = {.name = spec->scene,
                                          .tree = execute_tree_options(&spec->parameters),
                                          .progress = progress,
                                          .progress_context = context};
    struct scene *scene = scene_open(&request, error);
    struct camera camera;
    bool done = scene && scene_camera(scene, spec->camera, (uint32_t)spec->parameters.width,
                                      (uint32_t)spec->parameters.height, &camera, error);
    if (done && !known)
        done = (known = remember_scene(keys, spec, scene, error)) != NULL;
    if (done)
        remember_camera(known, spec->camera);
    scene_close(scene);
    return done;
}

// ---- builds
// ------------------------------------------------------------------------------------------------------------

static void masked_parameters(const struct parameters *from, struct parameters *to)
{
    // What can change neither a build nor whether it is supported: paths a pixel and their seed, the tree, dummy work.
    // The image's size stays: what a variant keeps for it may not fit.
    static const char *const ignored[] = {"seed", "spp", "leaf_size", "bins", "dummy_flops"};
    *to = *from;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; ++i)
        memset((char *)to + parameter_find(ignored[i])->offset, 0, sizeof(int64_t));
}

static struct hash build_key(const struct trial_spec *spec)
{
    struct parameters masked;
    masked_parameters(&spec->parameters, &masked);
    struct hash_state *state = hash_begin();
    hash_add_text(state, spec->device);
    hash_add_text(state, spec->variant);
    hash_add(state, &masked, sizeof masked);
    return hash_end(state);
}

// What a failed build says is kept: the trials that need it fail, and the sweep goes on.
static bool keep_failure(struct known_build *build, const char *why)
{
    snprintf(build->failure, sizeof build->failure, "cannot be built: %.600s", why);
    return true;
}

static bool describe(struct keys *keys, const struct trial_spec *spec, bool (*tick)(void *context), void *context,
                     struct known_build *build, struct error *error)
{
    const struct worker_request request = {.job = WORKER_DESCRIBE, .spec = *spec, .policy = policy_once()};
    struct reply reply;
    if (!workers_ask(keys->workers, &request, 0, 600, tick, context, &reply, error))
        return false;
    measurement_finish(&reply.measurement);
    switch (reply.outcome) {
    case PROCESS_STOPPED: return error_set(error, ERROR_INTERRUPTED, "interrupted before anything ran");
    case PROCESS_DIED: return keep_failure(build, reply.epitaph);
    case PROCESS_TIMEOUT: return keep_failure(build, "it took more than 10 minutes");
    case PROCESS_GARBLED: return keep_failure(build, reply.error.message);
    case PROCESS_ANSWERED: break;
    }
    build->facts = reply.facts;
    if (reply.kind == ANSWER_FACTS)
        return true;
    if (reply.kind != ANSWER_ERROR || reply.error.kind == ERROR_FAILED)
        return keep_failure(build, reply.error.message);
    *error = reply.error;
    return false;
}

bool keys_find(struct keys *keys, const struct trial_spec *spec, bool (*tick)(void *context), void *context,
               struct key_facts *facts, struct error *error)
{
    const struct hash key = build_key(spec);
    struct known_build *build = keys->builds;
    while (build && !hash_equal(build->key, key))
        build = build->next;
    if (!build) {
        build = calloc(1, sizeof *build);
        if (!build)
            return error_set(error, ERROR_SYSTEM, "no memory left");
        if (!describe(keys, spec, tick, context, build, error)) {
            free(build);
            return false;
        }
        build->key = key;
        build->next = keys->builds;
        keys->builds = build;
    }
    const struct known_scene *scene = find_scene(keys, spec);
    facts->provenance = (struct trial_provenance){
        .scene_content = scene ? scene->content : "",
        .programs = build->failure[0]             ? "failed"
                    : build->facts.unsupported[0] ? "unsupported"
                                                  : build->facts.programs,
        .device_name = build->facts.device_name,
        .driver = build->facts.driver,
        .policy = !keys->timed         ? "once"
                  : build->facts.times ? keys->policy
                                       : "untimed",
        .harness = environment_harness(),
    };
    facts->failed = build->failure[0] != 0;
    facts->refused = facts->failed ? build->failure : build->facts.unsupported;
    return true;
}
