// SPDX-License-Identifier: MIT
#include "run/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "run/environment.h"
#include "run/made_by.h"
#include "trial/execute_settings.h"

struct known_scene {
    struct known_scene *next;
    char name[TRIAL_TEXT];
    char first_camera[64];
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
};

struct policy keys_policy(const struct experiment *experiment)
{
    struct policy policy = policy_default();
    policy.min_repetitions = (uint32_t)experiment->min_repetitions;
    policy.max_repetitions = (uint32_t)experiment->max_repetitions;
    policy.relative_ci = experiment->relative_ci;
    policy.max_seconds = experiment->max_seconds;
    policy.max_temperature = experiment->max_temperature;
    policy.gate_seconds = experiment->gate_seconds;
    policy.shared_device = experiment->shared_device;
    return policy;
}

void keys_terms_make(const struct experiment *experiment, struct keys_terms *terms)
{
    const bool timed = (experiment->collections & ~(1u << COLLECTION_COUNTS)) != 0;
    const struct policy policy = keys_policy(experiment);
    strcpy(terms->timed, "once");
    if (timed)
        policy_format(&policy, terms->timed, sizeof terms->timed);
    strcpy(terms->untimed, timed ? "untimed" : "once");
    terms->counters = made_by_counters(experiment);
}

void keys_terms_finish(struct keys_terms *terms)
{
    free(terms->counters);
    terms->counters = NULL;
}

struct keys *keys_create(struct workers *workers)
{
    struct keys *keys = memory_new(1, sizeof *keys);
    keys->workers = workers;
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

static struct known_scene *find_scene(struct keys *keys, const struct trial_spec *spec)
{
    const struct scene_tree_options tree = execute_tree_options(&spec->parameters);
    for (struct known_scene *scene = keys->scenes; scene; scene = scene->next)
        if (!strcmp(scene->name, spec->scene) && scene_tree_options_equal(&scene->tree, &tree))
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

static struct known_scene *remember_scene(struct keys *keys, const struct trial_spec *spec, const struct scene *scene)
{
    struct known_scene *known = memory_new(1, sizeof *known);
    snprintf(known->name, sizeof known->name, "%s", spec->scene);
    known->tree = execute_tree_options(&spec->parameters);
    snprintf(known->first_camera, sizeof known->first_camera, "%s", scene_camera_name(scene, 0));
    memcpy(known->content, scene_facts(scene)->content_text, sizeof known->content);
    known->next = keys->scenes;
    keys->scenes = known;
    return known;
}

static bool know_scene(struct keys *keys, const struct trial_spec *spec,
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
    const bool done = scene && scene_camera(scene, spec->camera, (uint32_t)spec->parameters.width,
                                            (uint32_t)spec->parameters.height, &camera, error);
    if (done && !known)
        known = remember_scene(keys, spec, scene);
    if (done)
        remember_camera(known, spec->camera);
    scene_close(scene);
    return done;
}

bool keys_check_scene(struct keys *keys, struct trial_spec *spec,
                      void (*progress)(void *context, const char *step, double fraction), void *context,
                      struct error *error)
{
    if (!know_scene(keys, spec, progress, context, error))
        return false;
    if (!strcmp(spec->camera, find_scene(keys, spec)->first_camera))
        spec->camera[0] = 0;
    return true;
}

// ---- builds

static void masked_parameters(const struct parameters *from, struct parameters *to)
{
    // What can change neither a build nor whether it is supported: the paths' seed, the tree's leaves, dummy work. The
    // image's size and its paths a pixel stay: what a variant keeps for them may not fit.
    static const char *const ignored[] = {"seed", "leaf_size", "bins", "dummy_flops"};
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

static struct known_build *find_build(struct keys *keys, struct hash key)
{
    struct known_build *build = keys->builds;
    while (build && !hash_equal(build->key, key))
        build = build->next;
    return build;
}

bool keys_find(struct keys *keys, const struct keys_terms *terms, const struct trial_spec *spec,
               bool (*tick)(void *context), void *context, struct key_facts *facts, struct error *error)
{
    const struct hash key = build_key(spec);
    struct known_build *build = find_build(keys, key);
    if (!build) {
        build = memory_new(1, sizeof *build);
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
        .policy = build->facts.times ? terms->timed : terms->untimed,
        .harness = environment_harness(),
    };
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind)
        facts->made_by[kind] = "";
    facts->made_by[COLLECTION_COUNTS] = build->facts.counting;
    facts->made_by[COLLECTION_COUNTERS] = terms->counters;
    facts->failed = build->failure[0] != 0;
    facts->foreign_processes = build->facts.foreign_processes;
    facts->refused = facts->failed ? build->failure : build->facts.unsupported;
    return true;
}

// ---- ahead of time

struct wanted_build {
    struct hash key;
    const struct trial_spec *spec;
};

// By device, then by build.
static int compare_wanted(const void *left, const void *right)
{
    const struct wanted_build *a = left, *b = right;
    const int order = strcmp(a->spec->device, b->spec->device);
    return order ? order : memcmp(&a->key, &b->key, sizeof a->key);
}

// What is not known yet, once each and sorted. Returns how many.
static size_t list_wanted(struct keys *keys, const struct trial_spec *const *specs, size_t count,
                          struct wanted_build *wanted)
{
    size_t listed = 0, kept = 0;
    for (size_t i = 0; i < count; ++i) {
        const struct hash key = build_key(specs[i]);
        if (!find_build(keys, key))
            wanted[listed++] = (struct wanted_build){key, specs[i]};
    }
    if (listed)
        qsort(wanted, listed, sizeof *wanted, compare_wanted);
    for (size_t i = 0; i < listed; ++i)
        if (!kept || compare_wanted(&wanted[kept - 1], &wanted[i]))
            wanted[kept++] = wanted[i];
    return kept;
}

// What fails here is found again, with its cause, when the builds are described one by one.
static bool compile_on_device(struct keys *keys, const struct wanted_build *wanted, size_t count,
                              void (*progress)(void *context, const struct worker_progress *),
                              bool (*tick)(void *context), void *context, struct error *error)
{
    struct worker_request request = {.job = WORKER_COMPILE, .policy = policy_once(), .spec_count = count};
    struct reply reply;
    request.specs = memory_new(count, sizeof *request.specs);
    for (size_t i = 0; i < count; ++i)
        request.specs[i] = *wanted[i].spec;
    const bool asked = workers_compile(keys->workers, &request, progress, tick, context, &reply, error);
    free(request.specs);
    if (!asked)
        return false;
    measurement_finish(&reply.measurement);
    return reply.outcome != PROCESS_STOPPED || error_set(error, ERROR_INTERRUPTED, "interrupted before anything ran");
}

bool keys_compile(struct keys *keys, const struct trial_spec *const *specs, size_t count,
                  void (*progress)(void *context, const struct worker_progress *), bool (*tick)(void *context),
                  void *context, struct error *error)
{
    struct wanted_build *wanted = memory_new(count, sizeof *wanted);
    const size_t listed = list_wanted(keys, specs, count, wanted);
    bool done = true;
    for (size_t from = 0, to; done && from < listed; from = to) {
        for (to = from + 1; to < listed && !strcmp(wanted[to].spec->device, wanted[from].spec->device);)
            ++to;
        done = compile_on_device(keys, wanted + from, to - from, progress, tick, context, error);
    }
    free(wanted);
    return done;
}
