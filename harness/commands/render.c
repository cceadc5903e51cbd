// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/image.h"
#include "commands/shared.h"
#include "run/progress.h"
#include "trial/execute.h"

// SCENE.png, without the folder and ending of a scene file.
static void standard_output(const char *scene, char *path, size_t size)
{
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene;
    const size_t length = strcspn(name, ".");
    snprintf(path, size, "%.*s.png", (int)length, name);
}

static bool write(const struct measurement *measurement, const struct trial_spec *spec, const char *path, float stops,
                  struct error *error)
{
    const uint32_t width = measurement->film_width, height = measurement->film_height;
    float *radiance = image_from_film(measurement->film, width, height, (uint32_t)spec->parameters.spp);
    const bool done = radiance ? image_write(path, radiance, width, height, stops, error)
                               : error_set(error, ERROR_SYSTEM, "no memory left for the image");
    free(radiance);
    return done;
}

static void report(const struct measurement *measurement, const struct trial_spec *spec, const char *path)
{
    char hash[HASH_TEXT], took[32], prepared[32];
    hash_text(measurement->image, hash);
    progress_duration(measurement->repetitions[0].host_seconds, took, sizeof took);
    progress_duration(measurement->prepare_seconds, prepared, sizeof prepared);
    printf("%s: %ux%u, %lld paths a pixel, %s on %s\n  rendered in %s after %s of preparation; image hash %s\n", path,
           measurement->film_width, measurement->film_height, (long long)spec->parameters.spp, spec->variant,
           measurement->device_name, took, prepared, hash);
}

static bool render(const struct trial_spec *spec, const char *path, float stops, struct error *error)
{
    const struct execute_request request = {
        .spec = spec, .collection = COLLECTION_FRAME, .policy = policy_once(), .keep_film = true};
    struct progress progress;
    struct measurement measurement = {0};
    progress_start(&progress, 0, false);
    struct executor *executor = executor_create(error);
    if (executor)
        executor_progress(executor, progress_scene, &progress);
    const bool rendered = executor && execute(executor, &request, &measurement, error);
    progress_clear(&progress);
    const bool done = rendered && write(&measurement, spec, path, stops, error);
    if (done)
        report(&measurement, spec, path);
    measurement_finish(&measurement);
    executor_destroy(executor);
    return done;
}

static bool run(const struct command_line *line, struct error *error)
{
    struct trial_spec spec;
    char standard[512], *end;
    const char *path = command_option(line, "output"), *text = command_option(line, "exposure");
    standard_output(line->words[0], standard, sizeof standard);
    path = path ? path : standard;
    const float stops = text ? strtof(text, &end) : 0;
    if (text && (end == text || *end || !(stops >= -64 && stops <= 64)))
        return error_set(error, ERROR_USE, "--exposure: '%s' is not a number from -64 to 64", text);
    return command_trial_spec(line, line->words[0], &spec, error) && image_check_path(path, error) &&
           render(&spec, path, stops, error);
}

static const struct command_option options[] = {
    {"output", "FILE", "image to write, .png, .exr or .hdr; default SCENE.png", 'o'},
    {"variant", "VARIANT", "default naive; every variant of an estimator renders the same image", 0},
    {"camera", "NAME", "one of the scene's cameras; default its first", 0},
    COMMAND_OPTION_DEVICE,
    COMMAND_OPTION_SET,
    {"exposure", "STOPS", "brightens a PNG by this power of two", 0},
    COMMAND_OPTIONS_END,
};

const struct command command_render = {
    .name = "render",
    .arguments = "SCENE [-o FILE] [OPTIONS]",
    .summary = "renders one image",
    .details = "SCENE is a name from `warpstudy list scenes` or the path of a scene file.",
    .options = options,
    .least_words = 1,
    .most_words = 1,
    .run = run,
};
