// SPDX-License-Identifier: MIT
// How far a sweep is: a bar with rate and time left on a terminal, a plain line every few seconds elsewhere. Standard
// error; nothing where the environment has WARPSTUDY_PROGRESS=no.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool quiet, terminal, drawn;
    int64_t total, finished; // executions; total 0: unknown
    double started, printed; // seconds
    char doing[160];
};

void progress_start(struct progress *progress, int64_t total, bool quiet);
void progress_doing(struct progress *progress, const char *doing); // what runs now
void progress_step(struct progress *progress);                     // one more is finished
void progress_tick(struct progress *progress);                     // call now and then
void progress_clear(struct progress *progress);                    // before other output
// A scene that is being built: the callback of scene_request, with a struct progress as its context.
void progress_scene(void *progress, const char *step, double fraction);
// "3:07:05" or "4.2 s" into text.
void progress_duration(double seconds, char *text, unsigned size);
