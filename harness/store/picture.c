// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/image.h"
#include "store/store_internal.h"

static bool put(struct store *store, const struct store_picture *picture, struct error *error)
{
    sqlite3_stmt *statement =
        store_with(store, error,
                   "INSERT OR REPLACE INTO picture (scene, scene_content, camera, width, height, spp, image, jpeg) "
                   "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                   TEXT(picture->scene), TEXT(picture->scene_content), TEXT(picture->camera), INTEGER(picture->width),
                   INTEGER(picture->height), INTEGER(picture->spp), TEXT(picture->image));
    if (!statement)
        return false;
    sqlite3_bind_blob64(statement, 8, picture->jpeg, picture->size, SQLITE_STATIC);
    const bool done = store_run(store, statement, error);
    sqlite3_clear_bindings(statement); // the bytes are the caller's
    return done;
}

bool store_put_picture(struct store *store, const struct store_picture *picture, struct error *error)
{
    return store_begin(store, error) && store_end(store, put(store, picture, error), error);
}

// ---- films of attempts

// The films of a trial's scene, as it is now, by the same camera with the same materials. ?1: the trial
#define FILMS_ALIKE                                                                                                    \
    "FROM trial_record AS own JOIN trial_record AS t ON t.scene = own.scene AND t.camera = own.camera AND "            \
    "t.materials IS own.materials AND t.scene_content = own.scene_content JOIN attempt AS a ON a.trial = t.id "        \
    "JOIN film ON film.attempt = a.id WHERE own.id = ?1 AND t.width * t.height * t.spp "

bool store_lacks_film(struct store *store, int64_t trial, bool *lacks, struct error *error)
{
    int64_t value = 0;
    const bool done =
        store_ask(store, error, &value, 0,
                  "SELECT (SELECT camera FROM trial_record WHERE id = ?1) = '' AND NOT EXISTS (SELECT 1 " FILMS_ALIKE
                  ">= own.width * own.height * own.spp)",
                  INTEGER(trial));
    *lacks = value != 0;
    return done;
}

// Those that the trial's own is made of more paths than.
static bool forget_films(struct store *store, int64_t trial, struct error *error)
{
    return store_do(store, error,
                    "DELETE FROM film WHERE attempt IN (SELECT film.attempt " FILMS_ALIKE
                    "< own.width * own.height * own.spp)",
                    INTEGER(trial));
}

static bool put_film(struct store *store, int64_t attempt, const struct measurement *measurement, int64_t paths,
                     struct error *error)
{
    const uint32_t width = measurement->film_width, height = measurement->film_height;
    char *jpeg = NULL;
    size_t size = 0;
    float *radiance = image_from_film(measurement->film, width, height, (uint32_t)paths);
    const float stops = image_exposure(radiance, width, height);
    sqlite3_stmt *insert = image_encode_jpeg(radiance, width, height, stops, &jpeg, &size, error)
                               ? store_with(store, error, "INSERT INTO film VALUES (?, ?, ?, ?)", INTEGER(attempt),
                                            INTEGER(width), INTEGER(height))
                               : NULL;
    if (insert)
        sqlite3_bind_blob64(insert, 4, jpeg, size, SQLITE_TRANSIENT);
    const bool done = store_run(store, insert, error);
    free(radiance);
    free(jpeg);
    return done;
}

bool store_film(struct store *store, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    int64_t trial = 0, paths = 1;
    if (!measurement->film)
        return true;
    return store_ask(store, error, &trial, 0, "SELECT trial FROM attempt WHERE id = ?", INTEGER(attempt)) &&
           store_ask(store, error, &paths, 1, "SELECT spp FROM trial_record WHERE id = ?", INTEGER(trial)) &&
           forget_films(store, trial, error) && put_film(store, attempt, measurement, paths, error);
}

// ---- both

bool store_each_picture(struct store *store, bool (*visit)(void *context, const struct store_picture *), void *context,
                        struct error *error)
{
    sqlite3_stmt *statement = store_prepare(
        store,
        "SELECT 0 AS kind, rowid AS place, scene, scene_content, camera, 'scene' AS materials, width, height, spp, "
        "image, "
        "jpeg FROM picture UNION ALL "
        "SELECT 1, f.attempt, t.scene, t.scene_content, t.camera, t.materials, f.width, f.height, "
        "t.spp * (t.width / f.width) * (t.width / f.width), a.image, f.jpeg FROM film AS f "
        "JOIN attempt AS a ON a.id = f.attempt JOIN trial_record AS t ON t.id = a.trial ORDER BY kind, place",
        error);
    int found = 0;
    bool more = true;
    while (more && (found = store_row(store, statement, error)) > 0) {
        const struct store_picture picture = {
            .scene = (const char *)sqlite3_column_text(statement, 2),
            .scene_content = (const char *)sqlite3_column_text(statement, 3),
            .camera = (const char *)sqlite3_column_text(statement, 4),
            .materials = (const char *)sqlite3_column_text(statement, 5),
            .width = sqlite3_column_int(statement, 6),
            .height = sqlite3_column_int(statement, 7),
            .spp = sqlite3_column_int(statement, 8),
            .image = (const char *)sqlite3_column_text(statement, 9),
            .jpeg = sqlite3_column_blob(statement, 10),
            .size = (size_t)sqlite3_column_bytes(statement, 10),
        };
        more = visit(context, &picture);
    }
    sqlite3_reset(statement); // of none it does nothing
    return found >= 0;
}
