// SPDX-License-Identifier: MIT
#include "report/pictures.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/image.h"
#include "report/plot.h"
#include "base/yaml.h"
#include "scene/scene.h"
#include "store/store.h"
#include "trial/execute.h"

enum { SCENES_MAX = 32 };

// Of what is rendered here, on the emulator. By itself, and in a report that holds much else.
static const struct quality {
    int32_t width, height, paths; // paths per pixel
} full = {320, 192, 32}, sketch = {160, 96, 8};

struct picture {
    char name[TRIAL_TEXT], path[512], summary[128], stands_for[64];
    char *missing;      // why it cannot be rendered here, NULL where it can
    unsigned char *png; // NULL: there is none yet
    size_t size;
    int32_t width, height, paths;
    char image[HASH_TEXT], content[HASH_TEXT];
    bool stored; // it comes from the database
};

struct gathering {
    const struct paper_figure *figure;
    const char *only; // NULL = all
    const char *database;
    size_t wanted; // index into the figure's scenes
    struct picture pictures[SCENES_MAX];
    size_t count;
    const struct quality *quality;
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
    snprintf(picture->path, sizeof picture->path, "%s", listing->path ? listing->path : "");
    snprintf(picture->summary, sizeof picture->summary, "%s", listing->summary ? listing->summary : "");
    snprintf(picture->stands_for, sizeof picture->stands_for, "%s", listing->stands_for ? listing->stands_for : "");
    picture->missing = listing->missing ? strdup(listing->missing) : NULL;
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
    if (stands_for(listing, gathering->figure->scenes[gathering->wanted]) && asked_for(gathering, listing) &&
        !already_there(gathering, listing->name))
        add_picture(gathering, listing);
}

static void gather_fallback(void *context, const struct scene_listing *listing)
{
    struct gathering *gathering = context;
    if (!strcmp(listing->name, gathering->only ? gathering->only : "open") && !gathering->count)
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

// ---- out of the database

// The latest of a scene's first camera counts.
static bool take_stored(void *context, const struct store_picture *stored)
{
    struct gathering *gathering = context;
    for (size_t i = 0; i < gathering->count && !stored->camera[0]; ++i) {
        struct picture *picture = &gathering->pictures[i];
        unsigned char *png = !strcmp(stored->scene, picture->name) || !strcmp(stored->scene, picture->path)
                                 ? malloc(stored->size ? stored->size : 1)
                                 : NULL;
        if (!png)
            continue;
        free(picture->png);
        picture->png = memcpy(png, stored->png, stored->size);
        picture->size = stored->size;
        picture->width = stored->width;
        picture->height = stored->height;
        picture->paths = stored->spp;
        picture->stored = true;
        snprintf(picture->image, sizeof picture->image, "%s", stored->image);
        snprintf(picture->content, sizeof picture->content, "%s", stored->scene_content);
    }
    return true;
}

// A figure of scenes needs no database.
static bool take_all_stored(struct gathering *gathering, struct error *error)
{
    if (!gathering->database || access(gathering->database, F_OK) != 0)
        return true;
    struct store *store = store_open(gathering->database, STORE_READ, error);
    const bool done = store && store_each_picture(store, take_stored, gathering, error);
    store_close(store);
    return done;
}

// ---- rendered

static bool keep_film(struct staging *staging, struct picture *picture, const struct measurement *measurement,
                      struct error *error)
{
    char name[TRIAL_TEXT + 8], path[1200];
    float *radiance = image_from_film(measurement->film, picture->width, picture->height, picture->paths);
    if (!radiance)
        return error_set(error, ERROR_SYSTEM, "no memory for a picture");
    hash_text(measurement->image, picture->image);
    hash_text(measurement->scene_content, picture->content);
    snprintf(name, sizeof name, "%s.exr", picture->name);
    const float exposure = image_exposure(radiance, picture->width, picture->height);
    const bool done =
        image_encode_png(radiance, picture->width, picture->height, exposure, &picture->png, &picture->size, error) &&
        staging_path(staging, name, path, sizeof path, error) &&
        image_write_exr(path, radiance, picture->width, picture->height, error);
    free(radiance);
    return done;
}

static bool render(struct executor *executor, struct staging *staging, const struct quality *quality,
                   struct picture *picture, struct error *error)
{
    struct trial_spec spec = {.variant = "naive", .device = "emulator", .parameters = parameters_default()};
    snprintf(spec.scene, sizeof spec.scene, "%s", picture->name);
    spec.parameters.width = picture->width = quality->width;
    spec.parameters.height = picture->height = quality->height;
    spec.parameters.spp = picture->paths = quality->paths;
    if (!parameter_set(&spec.parameters, parameter_find("materials"), "scene", error))
        return false;
    const struct execute_request request = {
        .spec = &spec, .collection = COLLECTION_FRAME, .policy = policy_once(), .keep_film = true};
    struct measurement measurement = {0};
    const bool done =
        execute(executor, &request, &measurement, error) && keep_film(staging, picture, &measurement, error);
    measurement_finish(&measurement);
    return done;
}

// What is neither stored nor at hand is told, with what mends it.
static bool render_others(struct staging *staging, struct gathering *gathering, struct error *error)
{
    struct executor *executor = NULL;
    bool done = true;
    for (size_t i = 0; done && i < gathering->count; ++i) {
        struct picture *picture = &gathering->pictures[i];
        if (picture->png)
            continue;
        if (picture->missing) {
            fprintf(gathering->remarks, "%s%s%s is left out: %s; then: warpstudy render %s --store --db %s\n",
                    picture->name, picture->stands_for[0] ? ", for " : "", picture->stands_for, picture->missing,
                    picture->name, gathering->database ? gathering->database : "DATABASE");
            continue;
        }
        const struct quality *quality = gathering->quality;
        fprintf(gathering->remarks, "rendering %s, %dx%d with %d paths per pixel", picture->name, quality->width,
                quality->height, quality->paths);
        if (quality != &full)
            fprintf(gathering->remarks, "; a better picture is kept by: warpstudy render %s --store --db %s",
                    picture->name, gathering->database ? gathering->database : "DATABASE");
        fputc('\n', gathering->remarks);
        done = (executor || (executor = executor_create(error))) && render(executor, staging, quality, picture, error);
    }
    executor_destroy(executor);
    return done;
}

// ---- files

static bool write_pictures(struct staging *staging, const struct gathering *gathering, struct error *error)
{
    char name[TRIAL_TEXT + 8];
    for (size_t i = 0; i < gathering->count; ++i) {
        const struct picture *picture = &gathering->pictures[i];
        if (!picture->png)
            continue;
        snprintf(name, sizeof name, "%s.png", picture->name);
        FILE *stream = staging_open(staging, name, error);
        if (!stream)
            return false;
        fwrite(picture->png, 1, picture->size, stream);
        if (!staging_close(staging, stream, error))
            return false;
    }
    return true;
}

// What the figure's script reads: files beside the list.
static bool write_list(struct staging *staging, const struct gathering *gathering, const char *name,
                       struct error *error)
{
    FILE *stream = staging_open(staging, name, error);
    if (!stream)
        return false;
    fputs("panel,file,label,width,height,spp,image,scene_content,stored\r\n", stream);
    for (size_t i = 0; i < gathering->count; ++i) {
        const struct picture *picture = &gathering->pictures[i];
        if (picture->png)
            fprintf(stream, "1,%s.png,\"%s%s%s%s\",%d,%d,%d,%s,%s,%s\r\n", picture->name, picture->name,
                    picture->stands_for[0] ? " (" : "", picture->stands_for, picture->stands_for[0] ? ")" : "",
                    picture->width, picture->height, picture->paths, picture->image, picture->content,
                    picture->stored ? "yes" : "no");
    }
    return staging_close(staging, stream, error);
}

static bool write_legend(struct staging *staging, const struct paper *paper, const struct gathering *gathering,
                         struct error *error)
{
    char name[80];
    size_t number = 0;
    snprintf(name, sizeof name, "%.60s.txt", gathering->figure->id);
    FILE *stream = staging_open(staging, name, error);
    if (!stream)
        return false;
    fprintf(stream,
            "%s, %s: stand-ins, left to right and down, with the scene's own materials, bounce limit %lld;\n"
            "each picture exposed for itself. EXR files, of what was rendered now, are linear radiance.\n\n",
            paper->id, gathering->figure->title, (long long)parameters_default().max_bounces);
    for (size_t i = 0; i < gathering->count; ++i) {
        const struct picture *picture = &gathering->pictures[i];
        if (picture->png)
            fprintf(stream, "%zu  %s%s%s%s%s; %dx%d, %d paths per pixel, image %s\n", ++number, picture->name,
                    picture->stands_for[0] ? ", for " : "", picture->stands_for, picture->summary[0] ? ": " : "",
                    picture->summary, picture->width, picture->height, picture->paths, picture->image);
    }
    return staging_close(staging, stream, error);
}

static bool draw_sheet(struct staging *staging, const struct paper *paper, const struct gathering *gathering,
                       const char *list, struct error *error)
{
    char script[700], heading[200];
    struct paper_figure sheet = *gathering->figure;
    snprintf(script, sizeof script, "%s/%.60s.gp", paper->folder, sheet.id);
    snprintf(heading, sizeof heading, "%.120s, by what stands in for them", sheet.title);
    sheet.script = script;
    switch (plot_draw(staging, &sheet, list, sheet.id, 1, heading, error)) {
    case PLOT_NO_GNUPLOT:
        fprintf(gathering->remarks, "%s has its pictures, but no sheet of them: gnuplot is not installed\n", sheet.id);
        return true;
    case PLOT_DONE: return true;
    default: return false;
    }
}

static bool make_files(struct staging *staging, const struct paper *paper, const struct gathering *gathering,
                       struct error *error)
{
    char list[80];
    size_t found = 0;
    for (size_t i = 0; i < gathering->count; ++i)
        found += gathering->pictures[i].png != NULL;
    if (!found) {
        error_set(error, ERROR_USE, "there is no picture of any of its scenes");
        return error_remedy(error, "get the scenes' files with scripts/get-scenes");
    }
    snprintf(list, sizeof list, "%.60s.csv", gathering->figure->id);
    return write_pictures(staging, gathering, error) && write_list(staging, gathering, list, error) &&
           write_legend(staging, paper, gathering, error) && draw_sheet(staging, paper, gathering, list, error);
}

bool pictures_render(struct staging *staging, const struct paper *paper, const struct paper_figure *figure,
                     const char *database, const char *scene, bool quick, FILE *remarks, struct error *error)
{
    struct gathering *gathering = yaml_array(1, sizeof *gathering, error);
    if (!gathering)
        return false;
    gathering->figure = figure;
    gathering->only = scene;
    gathering->database = database;
    gathering->quality = quick ? &sketch : &full;
    gathering->remarks = remarks;
    const bool done = gather(gathering, error) && take_all_stored(gathering, error) &&
                      render_others(staging, gathering, error) && make_files(staging, paper, gathering, error);
    for (size_t i = 0; i < gathering->count; ++i) {
        free(gathering->pictures[i].png);
        free(gathering->pictures[i].missing);
    }
    free(gathering);
    return done;
}
