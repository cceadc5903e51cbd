// SPDX-License-Identifier: MIT
#include "run/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "plan/device_choice.h"
#include "run/environment.h"
#include "run/interrupt.h"
#include "run/made_by.h"
#include "trial/execute_settings.h"

struct known_scene {
    struct known_scene *next;
    char name[TRIAL_TEXT], camera[64]; // as they were asked for
    char first_camera[64];
    struct scene_tree_options tree;
    char content[HASH_TEXT];
};

struct known_build {
    struct known_build *next;
    struct hash key; // of device, variant and every parameter that matters to a build
    struct execute_facts facts;
    char failure[640]; // "" or why it could not be built or described
    int unknown;       // how often it was asked in vain, all retries included
};

struct keys {
    struct workers *workers;
    struct arena memory; // of the rows
    struct known_scene *scenes;
    struct known_build *builds;
};

struct policy keys_policy(const struct experiment *experiment)
{
    struct policy policy = policy_default();
    policy.warmups = (uint32_t)experiment->warmups;
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
    terms->retries = experiment->retries;
    strcpy(terms->timed, "once");
    if (timed)
        policy_format(&policy, terms->timed, sizeof terms->timed);
    strcpy(terms->untimed, timed ? "untimed" : "once");
    memset(terms->made_by, 0, sizeof terms->made_by);
    terms->made_by[COLLECTION_COUNTERS] = made_by_counters(experiment);
    terms->made_by[COLLECTION_TIMELINE] = made_by_timeline(experiment);
}

void keys_terms_finish(struct keys_terms *terms)
{
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind) {
        free(terms->made_by[kind]);
        terms->made_by[kind] = NULL;
    }
}

char *keys_terms_words(const struct keys_terms *terms, const char *device, enum collection kind)
{
    const char *words = terms->made_by[kind];
    return memory_format("%s%s%s", device_has_clock(device) ? terms->timed : terms->untimed, words ? " " : "",
                         words ? words : "");
}

struct keys *keys_create(struct workers *workers)
{
    struct keys *keys = memory_new(1, sizeof *keys);
    keys->workers = workers;
    return keys;
}

void keys_destroy(struct keys *keys)
{
    if (keys)
        arena_free(&keys->memory);
    free(keys);
}

void keys_ask(struct keys *keys, struct workers *workers)
{
    keys->workers = workers;
}

// ---- scenes

// As it was checked with that camera, or (NULL) with any.
static struct known_scene *find_scene(struct keys *keys, const struct trial_spec *spec, const char *camera)
{
    const struct scene_tree_options tree = execute_tree_options(&spec->parameters);
    struct known_scene *scene = keys->scenes;
    while (scene && (strcmp(scene->name, spec->scene) || !scene_tree_options_equal(&scene->tree, &tree) ||
                     (camera && strcmp(scene->camera, camera))))
        scene = scene->next;
    return scene;
}

static struct known_scene *open_scene(struct keys *keys, const struct trial_spec *spec, struct error *error)
{
    const struct scene_request request = {.name = spec->scene,
                                          .tree = execute_tree_options(&spec->parameters),
                                          .progress = progress_scene,
                                          .progress_context = keys->workers->progress};
    struct known_scene *known = NULL;
    struct scene *scene = scene_open(&request, error);
    struct camera camera;
    if (scene && scene_camera(scene, spec->camera, (uint32_t)spec->parameters.width, (uint32_t)spec->parameters.height,
                              &camera, error)) {
        known = arena_new(&keys->memory, 1, sizeof *known);
        *known = (struct known_scene){.next = keys->scenes, .tree = request.tree};
        snprintf(known->name, sizeof known->name, "%s", spec->scene);
        snprintf(known->camera, sizeof known->camera, "%s", spec->camera);
        snprintf(known->first_camera, sizeof known->first_camera, "%s", scene_camera_name(scene, 0));
        memcpy(known->content, scene_facts(scene)->content_text, sizeof known->content);
        keys->scenes = known;
    }
    scene_close(scene);
    return known;
}

bool keys_check_scene(struct keys *keys, struct trial_spec *spec, struct error *error)
{
    const struct known_scene *known = find_scene(keys, spec, spec->camera);
    if (!known && !(known = open_scene(keys, spec, error)))
        return false;
    if (!strcmp(spec->camera, known->first_camera))
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

// What a failed build says is kept: the trials that need it fail, and the sweep goes on. Of a worker that died nothing is
// known about the build, not even that it failed.
static bool keys_describe(struct keys *keys, const struct trial_spec *spec, int32_t retries, struct known_build *build,
                          struct error *error)
{
    const struct worker_request request = {.job = WORKER_DESCRIBE, .spec = *spec, .policy = policy_once()};
    struct reply reply = {.outcome = PROCESS_DIED};
    for (int32_t tries = 0; tries <= retries && reply.outcome != PROCESS_ANSWERED; ++tries) {
        if (!workers_ask(keys->workers, &request, 0, 600, &reply, error))
            return false;
        measurement_finish(&reply.measurement);
        if (reply.outcome == PROCESS_STOPPED)
            return interrupt_check(error);
    }
    const bool answered = reply.outcome == PROCESS_ANSWERED;
    build->facts = reply.facts;
    build->unknown = answered ? 0 : build->unknown + 1;
    build->failure[0] = 0;
    if (answered && reply.kind == ANSWER_FACTS)
        return true;
    if (!answered || reply.kind != ANSWER_ERROR || reply.error.kind == ERROR_FAILED) {
        snprintf(build->failure, sizeof build->failure, "cannot be %s: %.600s", answered ? "built" : "described",
                 reply.error.message);
        return true;
    }
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

bool keys_find(struct keys *keys, const struct keys_terms *terms, const struct trial_spec *spec, bool again,
               struct key_facts *facts, struct error *error)
{
    const struct hash key = build_key(spec);
    struct known_build *build = find_build(keys, key);
    if (!build) {
        build = arena_new(&keys->memory, 1, sizeof *build);
        if (!keys_describe(keys, spec, terms->retries, build, error))
            return false;
        build->key = key;
        build->next = keys->builds;
        keys->builds = build;
    } else if (again && build->unknown == 1 && !keys_describe(keys, spec, terms->retries, build, error)) {
        return false;
    }
    const struct known_scene *scene = find_scene(keys, spec, NULL);
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
        facts->made_by[kind] = terms->made_by[kind] ? terms->made_by[kind] : "";
    facts->made_by[COLLECTION_COUNTS] = build->facts.counting;
    facts->unknown = build->unknown != 0;
    facts->failed = build->failure[0] && !facts->unknown;
    facts->foreign_processes = build->facts.foreign_processes;
    facts->refused = build->failure[0] ? build->failure : build->facts.unsupported;
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
    for (size_t i = 0; i < count && !interrupt_wished(); ++i) {
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
static bool compile_on_device(struct keys *keys, const struct wanted_build *wanted, size_t count, struct error *error)
{
    struct worker_request request = {.job = WORKER_COMPILE, .policy = policy_once(), .spec_count = count};
    struct reply reply;
    request.specs = memory_new(count, sizeof *request.specs);
    for (size_t i = 0; i < count; ++i)
        request.specs[i] = *wanted[i].spec;
    const bool asked = workers_compile(keys->workers, &request, &reply, error);
    free(request.specs);
    if (!asked)
        return false;
    measurement_finish(&reply.measurement);
    return reply.outcome != PROCESS_STOPPED || interrupt_check(error);
}

bool keys_compile(struct keys *keys, const struct trial_spec *const *specs, size_t count, struct error *error)
{
    struct wanted_build *wanted = memory_new(count, sizeof *wanted);
    const size_t listed = list_wanted(keys, specs, count, wanted);
    bool done = interrupt_check(error);
    for (size_t from = 0, to; done && from < listed; from = to) {
        for (to = from + 1; to < listed && !strcmp(wanted[to].spec->device, wanted[from].spec->device);)
            ++to;
        done = compile_on_device(keys, wanted + from, to - from, error);
    }
    free(wanted);
    return done;
}
