// SPDX-License-Identifier: MIT
#include "report/pictures.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "frame/parameters.h"
#include "report/plot.h"
#include "scene/scene.h"
#include "store/picture.h"
#include "scene/scene_find.h"

struct picture {
    char name[TRIAL_TEXT], path[PATH_MAX], summary[128], stands_for[64];
    char file[TRIAL_TEXT + 20]; // beside the list
    unsigned char *jpeg;        // NULL: there is none
    size_t size;
    int32_t width, height, paths; // paths per pixel
    char image[HASH_TEXT], content[HASH_TEXT], materials[16];
};

struct gathering {
    const struct paper_figure *figure;
    const char *only; // NULL = all
    size_t wanted;    // index into the figure's scenes
    struct picture *pictures;
    size_t count, found;
};

// A scene that a document shares with others stands for nothing and bears its name.
static bool stands_for(const struct scene_listing *listing, const char *scene)
{
    return (listing->stands_for && !strcmp(listing->stands_for, scene)) || !strcmp(listing->name, scene);
}

static void add_picture(struct gathering *gathering, const struct scene_listing *listing)
{
    struct picture *picture = ARRAY_ADD(gathering->pictures, gathering->count);
    snprintf(picture->name, sizeof picture->name, "%s", listing->name);
    snprintf(picture->path, sizeof picture->path, "%s", listing->path ? listing->path : "");
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
static bool pictures_gather(struct gathering *gathering, struct error *error)
{
    for (gathering->wanted = 0; gathering->wanted < gathering->figure->scene_count; ++gathering->wanted)
        if (!scene_list(gather_stand_in, gathering, error))
            return false;
    if (!gathering->count && !scene_list(gather_fallback, gathering, error))
        return false;
    if (gathering->count)
        return true;
    error_set(error, ERROR_USE, "there is no scene to show%s%.60s", gathering->only ? " called " : "",
              gathering->only ? gathering->only : "");
    return error_remedy(error, "see warpstudy list scenes");
}

// ---- out of the database

// Whether they are those of the study, in which all surfaces are alike.
static bool are_alike(const char *materials)
{
    return !strcmp(materials, "lambert07");
}

// Whether a picture is one of the figure's: of the scenes in their own materials where it asks for those, else of what
// the study rendered where there is one.
static bool is_wanted(const struct gathering *gathering, const struct picture *picture,
                      const struct store_picture *stored)
{
    if (gathering->figure->materials[0])
        return !strcmp(stored->materials, gathering->figure->materials);
    return !picture->jpeg || !are_alike(picture->materials) || are_alike(stored->materials);
}

static bool is_coarser(const struct store_picture *stored, const struct picture *picture)
{
    return picture->jpeg && !strcmp(stored->materials, picture->materials) &&
           !strcmp(stored->scene_content, picture->content) &&
           (int64_t)stored->width * stored->height * stored->spp <
               (int64_t)picture->width * picture->height * picture->paths;
}

// Of a scene's first camera its latest contents count, of these the picture of most paths, of equals the latest.
static bool take_stored(void *context, const struct store_picture *stored)
{
    struct gathering *gathering = context;
    for (size_t i = 0; i < gathering->count && !stored->camera[0]; ++i) {
        struct picture *picture = &gathering->pictures[i];
        if (strcmp(stored->scene, picture->name) != 0 && strcmp(stored->scene, picture->path) != 0)
            continue;
        if (!is_wanted(gathering, picture, stored) || is_coarser(stored, picture))
            continue;
        gathering->found += picture->jpeg == NULL;
        free(picture->jpeg);
        picture->jpeg = memcpy(memory_new(stored->size, 1), stored->jpeg, stored->size);
        picture->size = stored->size;
        picture->width = stored->width;
        picture->height = stored->height;
        picture->paths = stored->spp;
        snprintf(picture->image, sizeof picture->image, "%s", stored->image);
        snprintf(picture->content, sizeof picture->content, "%s", stored->scene_content);
        snprintf(picture->materials, sizeof picture->materials, "%s", stored->materials);
        snprintf(picture->file, sizeof picture->file, "%s%s%.12s.jpg", picture->name,
                 gathering->figure->materials[0] ? "_" : "", gathering->figure->materials);
    }
    return true;
}

// Whether another scene that stands for the same one is in the picture.
static bool another_shown(const struct gathering *gathering, const struct picture *picture)
{
    for (size_t i = 0; i < gathering->count; ++i)
        if (picture->stands_for[0] && gathering->pictures[i].jpeg &&
            !strcmp(gathering->pictures[i].stands_for, picture->stands_for))
            return true;
    return false;
}

static bool take_all_stored(struct gathering *gathering, const char *database, FILE *remarks, struct error *error)
{
    const char *place = database ? database : "DATABASE";
    struct store *store = database && access(database, F_OK) == 0 ? store_open(database, STORE_READ, error) : NULL;
    if (!error->kind && store)
        store_each_picture(store, take_stored, gathering, error);
    store_close(store);
    if (error->kind)
        return false;
    for (size_t i = 0; i < gathering->count; ++i) {
        const struct picture *picture = &gathering->pictures[i];
        if (!picture->jpeg && !another_shown(gathering, picture))
            fprintf(remarks,
                    "%s%s%s is left out because no picture of it is stored; to make one: warpstudy render %s --store "
                    "--db %s\n",
                    picture->name, picture->stands_for[0] ? ", for " : "", picture->stands_for, picture->name, place);
    }
    if (gathering->found)
        return true;
    error_set(error, ERROR_USE, "no picture of any of its scenes is stored");
    return error_remedy(error, "make one: warpstudy render %s --store --db %s", gathering->pictures[0].name, place);
}

// ---- files

static bool write_pictures(struct staging *staging, const struct gathering *gathering, struct error *error)
{
    for (size_t i = 0; i < gathering->count; ++i) {
        const struct picture *picture = &gathering->pictures[i];
        if (!picture->jpeg)
            continue;
        FILE *stream = staging_open(staging, picture->file, error);
        if (!stream)
            return false;
        fwrite(picture->jpeg, 1, picture->size, stream);
        if (!staging_close(staging, stream, error))
            return false;
    }
    return true;
}

// Whether it stands for a scene of its own name, or for none.
static bool is_namesake(const struct picture *picture)
{
    return !picture->stands_for[0] || !strcmp(picture->stands_for, picture->name);
}

// What the figure's script reads: files beside the list.
static bool write_list(struct staging *staging, const struct gathering *gathering, const char *name,
                       struct error *error)
{
    FILE *stream = staging_open(staging, name, error);
    if (!stream)
        return false;
    fputs("panel,file,label,width,height,spp,image,scene_content,materials\r\n", stream);
    for (size_t i = 0; i < gathering->count; ++i) {
        const struct picture *picture = &gathering->pictures[i];
        if (picture->jpeg)
            fprintf(stream, "1,%s,\"%s%s%s\",%d,%d,%d,%s,%s,%s\r\n", picture->file, picture->name,
                    is_namesake(picture) ? "" : " for ", is_namesake(picture) ? "" : picture->stands_for,
                    picture->width, picture->height, picture->paths, picture->image, picture->content,
                    picture->materials);
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
    fprintf(stream, "%s, %s: stand-ins, from left to right and top to bottom; each picture has its own exposure.\n\n",
            paper->id, gathering->figure->title);
    for (size_t i = 0; i < gathering->count; ++i) {
        const struct picture *picture = &gathering->pictures[i];
        if (picture->jpeg)
            fprintf(stream, "%zu  %s%s%s%s%s; %s, %dx%d, %d paths per pixel, image %s\n", ++number, picture->name,
                    is_namesake(picture) ? "" : ", for ", is_namesake(picture) ? "" : picture->stands_for,
                    picture->summary[0] ? ": " : "", picture->summary,
                    are_alike(picture->materials) ? "every surface alike" : "the scene's own materials", picture->width,
                    picture->height, picture->paths, picture->image);
    }
    return staging_close(staging, stream, error);
}

static bool draw_sheet(struct staging *staging, struct plots *plots, const struct paper *paper,
                       const struct paper_figure *figure, const char *list, FILE *remarks, struct error *error)
{
    char script[PATH_MAX], heading[200];
    struct paper_figure sheet = *figure;
    if (!path_format(script, sizeof script, error, "%s/%s.gp", paper->folder, sheet.id))
        return false;
    if (!figure->script[0])
        sheet.script = script;
    snprintf(heading, sizeof heading, "%.120s (stand-ins)", sheet.title);
    const enum plot_result result = plot_begin(plots, staging, &sheet, list, sheet.id, 1, heading, error);
    if (result == PLOT_NO_GNUPLOT)
        fprintf(remarks, "the pictures of %s were written, but not the contact sheet: gnuplot is not installed\n",
                sheet.id);
    return result == PLOT_DONE || result == PLOT_NO_GNUPLOT;
}

bool pictures_make(struct staging *staging, struct plots *plots, const struct paper *paper,
                   const struct paper_figure *figure, const char *database, const char *scene, FILE *remarks,
                   struct error *error)
{
    struct gathering gathering = {.figure = figure, .only = scene};
    char list[80];
    snprintf(list, sizeof list, "%.60s.csv", figure->id);
    const bool done = pictures_gather(&gathering, error) && take_all_stored(&gathering, database, remarks, error) &&
                      write_pictures(staging, &gathering, error) && write_list(staging, &gathering, list, error) &&
                      write_legend(staging, paper, &gathering, error) &&
                      draw_sheet(staging, plots, paper, figure, list, remarks, error);
    for (size_t i = 0; i < gathering.count; ++i)
        free(gathering.pictures[i].jpeg);
    free(gathering.pictures);
    return done;
}
