// SPDX-License-Identifier: MIT
// Finds out what a trial's result depends on besides its parameters: the scene's content, the kernels' provenance, the
// device. Each scene and each build is asked once.
#pragma once

#include "experiment/experiment.h"
#include "run/workers.h"
#include "store/store.h"

struct keys;

struct keys *keys_create(struct workers *workers, const struct experiment *experiment, struct error *error);
void keys_destroy(struct keys *keys); // NULL is fine

// Opens the row's scene (building it where it has to be), checks its camera and keeps its content hash.
bool keys_check_scene(struct keys *keys, const struct trial_spec *spec,
                      void (*progress)(void *context, const char *step, double fraction), void *context,
                      struct error *error);

struct key_facts {
    struct trial_provenance provenance; // texts live as long as `keys`
    const char *refused;                // "" or why it cannot run
    bool failed;                        // refused since its build failed, not since it is unsupported
};
// After keys_check_scene for the same scene. `tick` as in workers_ask; ERROR_INTERRUPTED where it stops the wait.
bool keys_find(struct keys *keys, const struct trial_spec *spec, bool (*tick)(void *context), void *context,
               struct key_facts *facts, struct error *error);

// The measurement policy of an experiment.
struct policy keys_policy(const struct experiment *experiment);
