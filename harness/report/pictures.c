// SPDX-License-Identifier: MIT
#include "report/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/image.h"
#include "report/yaml_file.h"
#include "scene/scene.h"
#include "trial/execute.h"

enum { WIDTH = 320, HEIGHT = 192, PATHS = 32, GAP = 8, ACROSS = 3, SCENES_MAX = 32 };

struct picture {
    char name[TRIAL_TEXT], summary[128], stands_for[64];
    float *radiance; // WIDTH * HEIGHT * 3
    float stops;     // by which it is brightened
};

struct gathering {
    const struct paper_figure *figure;
    const char *only; // NULL = all
    size_t wanted;    // index into the figure's scenes
    struct picture pictures[SCENES_MAX];
    size_t count;
    FILE *remarks;
};

static bool stands_for(const struct scene_listing *listing, const char *scene)
{
    return listing->stands_for && !strcmp(listing->stands_for, scene);
}

static void add_picture(struct gathering *gathering, const struct scene_listing *listing)
{
    if (gathering->count == SCENES_MAX)
        return;
    struct picture *picture = &gathering->pictures[gathering->count++];
    snprintf(picture->name, sizeof picture->name, "%s", listing->name);
    snprintf(picture->summary, sizeof picture->summary, "%s", listing->summary ? listing->summary : "");
    snprintf(picture->stands_for, sizeof picture->stands_for, "%s", listing->stands_for ? listing->stands_for : "");
}

static bool asked_for(const struct gathering *gathering, const struct scene_listing *listing)
{
    return !gathering->only || !strcmp(gathering->only, listing->name) ||
           (listing->path && !strcmp(gathering->only, listing->path));
}

static bool already_there(const struct gathering *gathering, const char *name)
{
    for (size_t i = 0; i < gathering->count; ++i)
        if (!strcmp(gathering->pictures[i].name, name))
            return true;
    return false;
}

static void gather_stand_in(void *context, const struct scene_listing *listing)
{
    struct gathering *gathering = context;
    if (!stands_for(listing, gathering->figure->scenes[gathering->wanted]) || !asked_for(gathering, listing) ||
        already_there(gathering, listing->name))
        return;
    if (listing->missing)
        fprintf(gathering->remarks, "%s (for %s) is left out: %s\n", listing->name,
                gathering->figure->scenes[gathering->wanted], listing->missing);
    else
        add_picture(gathering, listing);
}

static void gather_fallback(void *context, const struct scene_listing *listing)
{
    struct gathering *gathering = context;
    if (!strcmp(listing->name, gathering->only ? gathering->only : "open") && !listing->missing && !gathering->count)
        add_picture(gathering, listing);
}

// In the order of the paper's figure.
static bool gather(struct gathering *gathering, struct error *error)
{
    for (gathering->wanted = 0; gathering->wanted < gathering->figure->scene_count; ++gathering->wanted)
        if (!scene_list(gather_stand_in, gathering, error))
            return false;
    if (!gathering->count && !scene_list(gather_fallback, gathering, error))
        return false;
    if (gathering->count)
        return true;
    error_set(error, ERROR_USE, "there is no scene to render%s%.60s", gathering->only ? " called " : "",
              gathering->only ? gathering->only : "");
    return error_remedy(error, "see warpstudy list scenes");
}

// Brings the mean to a quarter, as an eye would expect of a small picture.
static float exposure(const float *radiance)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 3; ++i)
        sum += fmin(radiance[i], 4);
    const double mean = sum / ((double)WIDTH * HEIGHT * 3);
    return mean > 0 ? (float)fmax(-6, fmin(6, log2(0.25 / mean))) : 0;
}

static bool render(struct executor *executor, struct picture *picture, struct error *error)
{
    struct trial_spec spec = {.variant = "naive", .device = "emulator", .parameters = parameters_default()};
    snprintf(spec.scene, sizeof spec.scene, "%s", picture->name);
    spec.parameters.width = WIDTH;
    spec.parameters.height = HEIGHT;
    spec.parameters.spp = PATHS;
    if (!parameter_set(&spec.parameters, parameter_find("materials"), "scene", error))
        return false;
    const struct execute_request request = {
        .spec = &spec, .collection = COLLECTION_FRAME, .policy = policy_once(), .keep_film = true};
    struct measurement measurement = {0};
    const bool executed = execute(executor, &request, &measurement, error);
    if (executed) {
        picture->radiance = image_from_film(measurement.film, WIDTH, HEIGHT, PATHS);
        if (picture->radiance)
            picture->stops = exposure(picture->radiance);
        else
            error_set(error, ERROR_SYSTEM, "no memory for a picture");
    }
    measurement_finish(&measurement);
    return picture->radiance != NULL;
}

static bool write_picture(struct staging *staging, const struct picture *picture, struct error *error)
{
    char name[TRIAL_TEXT + 8], path[1200];
    snprintf(name, sizeof name, "%s.png", picture->name);
    if (!staging_path(staging, name, path, sizeof path, error) ||
        !image_write_png(path, picture->radiance, WIDTH, HEIGHT, picture->stops, error))
        return false;
    snprintf(name, sizeof name, "%s.exr", picture->name);
    return staging_path(staging, name, path, sizeof path, error) &&
           image_write_exr(path, picture->radiance, WIDTH, HEIGHT, error);
}

static void paste(const struct picture *picture, float *sheet, size_t sheet_width, size_t left, size_t top)
{
    const float scale = exp2f(picture->stops);
    for (size_t y = 0; y < HEIGHT; ++y)
        for (size_t x = 0; x < (size_t)WIDTH * 3; ++x)
            sheet[((top + y) * sheet_width + left) * 3 + x] = picture->radiance[y * WIDTH * 3 + x] * scale;
}

// All pictures on white, ACROSS a row.
static bool write_sheet(struct staging *staging, const struct gathering *gathering, struct error *error)
{
    const size_t across = gathering->count > ACROSS ? ACROSS : gathering->count > 0 ? gathering->count : 1;
    const size_t rows = (gathering->count + across - 1) / across;
    const size_t width = across * (WIDTH + GAP) + GAP, height = rows * (HEIGHT + GAP) + GAP;
    float *sheet = yaml_array(width * height * 3, sizeof *sheet, error);
    char name[80], path[1200];
    if (!sheet)
        return false;
    for (size_t i = 0; i < width * height * 3; ++i)
        sheet[i] = 1;
    for (size_t i = 0; i < gathering->count; ++i)
        paste(&gathering->pictures[i], sheet, width, GAP + i % across * (WIDTH + GAP),
              GAP + i / across * (HEIGHT + GAP));
    snprintf(name, sizeof name, "%.60s.png", gathering->figure->id);
    const bool done = staging_path(staging, name, path, sizeof path, error) &&
                      image_write_png(path, sheet, (uint32_t)width, (uint32_t)height, 0, error);
    free(sheet);
    return done;
}

static bool write_legend(struct staging *staging, const struct paper *paper, const struct gathering *gathering,
                         struct error *error)
{
    char name[80];
    snprintf(name, sizeof name, "%.60s.txt", gathering->figure->id);
    FILE *stream = staging_open(staging, name, error);
    if (!stream)
        return false;
    fprintf(stream,
            "%s, %s: stand-ins, left to right and down. %dx%d, %d paths per pixel, bounce limit %lld, the\n"
            "scene's own materials; each picture exposed for itself, the EXR files are linear radiance.\n\n",
            paper->id, gathering->figure->title, WIDTH, HEIGHT, PATHS, (long long)parameters_default().max_bounces);
    for (size_t i = 0; i < gathering->count; ++i) {
        const struct picture *picture = &gathering->pictures[i];
        fprintf(stream, "%zu  %s%s%s%s%s\n", i + 1, picture->name, picture->stands_for[0] ? ", for " : "",
                picture->stands_for, picture->summary[0] ? ": " : "", picture->summary);
    }
    return staging_close(staging, stream, error);
}

static bool make_pictures(struct staging *staging, const struct paper *paper, struct gathering *gathering,
                          struct error *error)
{
    struct executor *executor = executor_create(error);
    bool done = executor != NULL;
    for (size_t i = 0; done && i < gathering->count; ++i) {
        fprintf(gathering->remarks, "rendering %s\n", gathering->pictures[i].name);
        done =
            render(executor, &gathering->pictures[i], error) && write_picture(staging, &gathering->pictures[i], error);
    }
    executor_destroy(executor);
    return done && write_sheet(staging, gathering, error) && write_legend(staging, paper, gathering, error);
}

bool pictures_render(struct staging *staging, const struct paper *paper, const struct paper_figure *figure,
                     const char *scene, FILE *remarks, struct error *error)
{
    struct gathering *gathering = yaml_array(1, sizeof *gathering, error);
    if (!gathering)
        return false;
    gathering->figure = figure;
    gathering->only = scene;
    gathering->remarks = remarks;
    const bool done = gather(gathering, error) && make_pictures(staging, paper, gathering, error);
    for (size_t i = 0; i < gathering->count; ++i)
        free(gathering->pictures[i].radiance);
    free(gathering);
    return done;
}
