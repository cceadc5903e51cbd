// SPDX-License-Identifier: MIT
#include "store/picture.h"

#include "sql/statement.h"
#include "store/store_handle.h"

static bool put_picture(struct sql *db, const struct store_picture *picture, struct error *error)
{
    sqlite3_stmt *statement =
        sql_with(db, error,
                 "INSERT OR REPLACE INTO picture (scene, scene_content, camera, width, height, spp, image, jpeg) "
                 "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                 TEXT(picture->scene), TEXT(picture->scene_content), TEXT(picture->camera), INTEGER(picture->width),
                 INTEGER(picture->height), INTEGER(picture->spp), TEXT(picture->image));
    if (!statement)
        return false;
    sqlite3_bind_blob64(statement, 8, picture->jpeg, picture->size, SQLITE_STATIC);
    const bool done = sql_run(db, statement, error);
    sqlite3_clear_bindings(statement); // the bytes are the caller's
    return done;
}

bool store_put_picture(struct store *store, const struct store_picture *picture, struct error *error)
{
    return sql_begin(&store->db, error) && sql_end(&store->db, put_picture(&store->db, picture, error), error);
}

bool store_each_picture(struct store *store, bool (*visit)(void *context, const struct store_picture *), void *context,
                        struct error *error)
{
    sqlite3_stmt *statement = sql_prepare(
        &store->db,
        "SELECT 0 AS kind, rowid AS place, scene, scene_content, camera, 'scene' AS materials, width, height, spp, "
        "image, "
        "jpeg FROM picture UNION ALL "
        "SELECT 1, f.attempt, t.scene, t.scene_content, t.camera, coalesce(t.materials, ''), f.width, f.height, "
        "t.spp * (t.width / f.width) * (t.width / f.width), a.image, f.jpeg FROM film AS f "
        "JOIN attempt AS a ON a.id = f.attempt JOIN trial_record AS t ON t.id = a.trial ORDER BY kind, place",
        error);
    int found = 0;
    bool more = true;
    while (more && (found = sql_row(&store->db, statement, error)) > 0) {
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
