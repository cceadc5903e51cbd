// SPDX-License-Identifier: MIT
#include "store/store_internal.h"

static bool put(struct store *store, const struct store_picture *picture, struct error *error)
{
    sqlite3_stmt *statement =
        store_prepare(store,
                      "INSERT OR REPLACE INTO picture (scene, scene_content, camera, width, height, spp, image, png) "
                      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                      error);
    if (!statement)
        return false;
    store_bind_text(statement, 1, picture->scene);
    store_bind_text(statement, 2, picture->scene_content);
    store_bind_text(statement, 3, picture->camera);
    store_bind_integer(statement, 4, picture->width);
    store_bind_integer(statement, 5, picture->height);
    store_bind_integer(statement, 6, picture->spp);
    store_bind_text(statement, 7, picture->image);
    sqlite3_bind_blob64(statement, 8, picture->png, picture->size, SQLITE_STATIC);
    const bool done = store_run(store, statement, error);
    sqlite3_clear_bindings(statement); // the bytes are the caller's
    return done;
}

bool store_put_picture(struct store *store, const struct store_picture *picture, struct error *error)
{
    if (!store_begin(store, error))
        return false;
    if (put(store, picture, error))
        return store_commit(store, error);
    store_rollback(store);
    return false;
}

bool store_each_picture(struct store *store, bool (*visit)(void *context, const struct store_picture *), void *context,
                        struct error *error)
{
    sqlite3_stmt *statement = store_prepare(
        store, "SELECT scene, scene_content, camera, width, height, spp, image, png FROM picture ORDER BY rowid",
        error);
    int found = statement ? 1 : -1;
    bool more = true;
    while (more && found > 0 && (found = store_row(store, statement, error)) > 0) {
        const struct store_picture picture = {
            .scene = (const char *)sqlite3_column_text(statement, 0),
            .scene_content = (const char *)sqlite3_column_text(statement, 1),
            .camera = (const char *)sqlite3_column_text(statement, 2),
            .width = sqlite3_column_int(statement, 3),
            .height = sqlite3_column_int(statement, 4),
            .spp = sqlite3_column_int(statement, 5),
            .image = (const char *)sqlite3_column_text(statement, 6),
            .png = sqlite3_column_blob(statement, 7),
            .size = (size_t)sqlite3_column_bytes(statement, 7),
        };
        more = visit(context, &picture);
    }
    if (statement)
        sqlite3_reset(statement);
    return found >= 0;
}
