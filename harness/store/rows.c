// SPDX-License-Identifier: MIT
#include "store/rows.h"

#include "sql/statement.h"

bool store_name_id(struct sql *db, enum store_names names, const char *name, int64_t *id, struct error *error)
{
    static const struct {
        const char *find, *insert;
    } texts[] = {
        [STORE_KERNELS] = {"SELECT id FROM kernel WHERE name = ?", "INSERT INTO kernel (name) VALUES (?)"},
        [STORE_METRICS] = {"SELECT id FROM metric_name WHERE name = ?", "INSERT INTO metric_name (name) VALUES (?)"},
        [STORE_REASONS] = {"SELECT id FROM stall_reason WHERE name = ?", "INSERT INTO stall_reason (name) VALUES (?)"},
        [STORE_FILES] = {"SELECT id FROM source_file WHERE name = ?", "INSERT INTO source_file (name) VALUES (?)"},
        [STORE_TEXTS] = {"SELECT id FROM long_text WHERE name = ?", "INSERT INTO long_text (name) VALUES (?)"},
    };
    if (!sql_ask(db, error, id, 0, texts[names].find, TEXT(name)) || *id)
        return *id != 0;
    const bool done = sql_do(db, error, texts[names].insert, TEXT(name));
    *id = sqlite3_last_insert_rowid(db->connection);
    return done;
}
