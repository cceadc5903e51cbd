// SPDX-License-Identifier: MIT
#include "store/film.h"

#include <stdlib.h>

#include "base/image.h"
#include "sql/statement.h"
#include "store/store_handle.h"

// The films of a trial's scene, as it is now, by the same camera with the same materials. ?1: the trial
#define FILMS_ALIKE                                                                                                    \
    "FROM trial_record AS own JOIN trial_record AS t ON t.scene = own.scene AND t.camera = own.camera AND "            \
    "t.materials IS own.materials AND t.scene_content = own.scene_content JOIN attempt AS a ON a.trial = t.id "        \
    "JOIN film ON film.attempt = a.id WHERE own.id = ?1 AND t.width * t.height * t.spp "

bool store_lacks_film(struct store *store, int64_t trial, bool *lacks, struct error *error)
{
    int64_t value = 0;
    const bool done =
        sql_ask(&store->db, error, &value, 0,
                "SELECT (SELECT camera FROM trial_record WHERE id = ?1) = '' AND NOT EXISTS (SELECT 1 " FILMS_ALIKE
                ">= own.width * own.height * own.spp)",
                INTEGER(trial));
    *lacks = value != 0;
    return done;
}

// Those that the trial's own is made of more paths than.
static bool forget_films(struct sql *db, int64_t trial, struct error *error)
{
    return sql_do(db, error,
                  "DELETE FROM film WHERE attempt IN (SELECT film.attempt " FILMS_ALIKE
                  "< own.width * own.height * own.spp)",
                  INTEGER(trial));
}

static bool put_film(struct sql *db, int64_t attempt, const struct measurement *measurement, int64_t paths,
                     struct error *error)
{
    const uint32_t width = measurement->film_width, height = measurement->film_height;
    char *jpeg = NULL;
    size_t size = 0;
    float *radiance = image_from_film(measurement->film, width, height, (uint32_t)paths);
    const float stops = image_exposure(radiance, width, height);
    sqlite3_stmt *insert = image_encode_jpeg(radiance, width, height, stops, &jpeg, &size, error)
                               ? sql_with(db, error, "INSERT INTO film VALUES (?, ?, ?, ?)", INTEGER(attempt),
                                          INTEGER(width), INTEGER(height))
                               : NULL;
    if (insert)
        sqlite3_bind_blob64(insert, 4, jpeg, size, SQLITE_TRANSIENT);
    const bool done = sql_run(db, insert, error);
    free(radiance);
    free(jpeg);
    return done;
}

bool store_film(struct sql *db, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    int64_t trial = 0, paths = 1;
    if (!measurement->film)
        return true;
    return sql_ask(db, error, &trial, 0, "SELECT trial FROM attempt WHERE id = ?", INTEGER(attempt)) &&
           sql_ask(db, error, &paths, 1, "SELECT spp FROM trial_record WHERE id = ?", INTEGER(trial)) &&
           forget_films(db, trial, error) && put_film(db, attempt, measurement, paths, error);
}
