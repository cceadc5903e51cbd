// SPDX-License-Identifier: MIT
// Trials measured on the emulator, within the test's own process.
#pragma once

#include "frame/counts.h"
#include "trial/execute.h"

// The size of an image where settings name none.
enum { MEASURE_WIDTH = 24, MEASURE_HEIGHT = 16 };

extern struct executor *executor; // of a group with this set-up and tear-down
int measure_open(void **state);
int measure_close(void **state);
// Counts, film and path lengths of a trial; `settings` are "name=value name=value". Fails the test where it cannot run.
struct measurement measure(const char *scene, const char *variant, const char *settings);
// The same; false and an error where it cannot run. The measurement is to be finished either way.
bool measure_try(const char *scene, const char *variant, const char *settings, struct measurement *measurement,
                 struct error *error);
// Counts of all launches and bounces: a count with a row for each bounce and one in the totals is in it twice.
struct bounce_counts measure_sum(const struct measurement *measurement);
// Launches of a kernel, whose rows may stand for several.
uint32_t measure_launches(const struct measurement *measurement, const char *kernel);
// Fails the test where the image or the paths are not those of `naive` with the settings `reference`.
void measure_alike(const char *scene, const char *variant, const char *settings, const char *reference);
struct hash measure_image(const char *scene, const char *settings); // of naive
// The film's mean by naive, over eight seeds, and its standard error; `common` and `settings` are settings.
void measure_mean(const char *scene, const char *common, const char *settings, int spp, double *mean, double *error);
