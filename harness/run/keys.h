// SPDX-License-Identifier: MIT
// Finds out what a trial's result depends on besides its parameters: the scene's content, the kernels' provenance, the
// device. Each scene and each build is asked once.
#pragma once

#include "plan/experiment.h"
#include "run/workers.h"
#include "store/key.h"

struct keys;

struct keys *keys_create(struct workers *workers);
void keys_destroy(struct keys *keys);                      // NULL is fine
void keys_ask(struct keys *keys, struct workers *workers); // these from now on

// Opens the row's scene (building it where it has to be), checks its camera and keeps its content hash. A camera that
// is the scene's first becomes "", so that a trial has one key whether it names that camera or not.
bool keys_check_scene(struct keys *keys, struct trial_spec *spec, struct error *error);

// What of an experiment besides its parameters changes results: the measurement policy, as text, and what counters and
// timeline are to be.
struct keys_terms {
    char timed[300], untimed[300];   // on a device whose clocks mean something, and on others
    char *made_by[COLLECTION_KINDS]; // words of collections that have some, as in made_by.h; else NULL
    int32_t retries;                 // of a description whose worker died
};
void keys_terms_make(const struct experiment *experiment, struct keys_terms *terms);
void keys_terms_finish(struct keys_terms *terms);
// All words that make the result of a collection on this device, as far as they are known without asking it. To be freed.
char *keys_terms_words(const struct keys_terms *terms, const char *device, enum collection kind);

// Compiles the builds of all specs that are not known yet, several at once.
bool keys_compile(struct keys *keys, const struct trial_spec *const *specs, size_t count, struct error *error);

struct key_facts {
    struct trial_provenance provenance;    // texts live as long as `keys` and the terms
    const char *made_by[COLLECTION_KINDS]; // what else makes a collection's result, as in store/attempt.h
    const char *refused;                   // "" or why it cannot run
    bool failed;  // refused because its build failed, not because it is unsupported: not a skip
    bool unknown; // refused because no worker lived long enough to describe it: no key, nothing to be stored
    int32_t foreign_processes; // other programs on the device; -1: not told
};
// After keys_check_scene for the same scene. `again`: ask once more about what was unknown, since the cause of the worker's death
// may be gone. ERROR_INTERRUPTED: the user ended the wait for a worker.
bool keys_find(struct keys *keys, const struct keys_terms *terms, const struct trial_spec *spec, bool again,
               struct key_facts *facts, struct error *error);

// The measurement policy of an experiment.
struct policy keys_policy(const struct experiment *experiment);
