// SPDX-License-Identifier: MIT
// Tables that two connections of a process to one database make once between them, in the place of views: the first to come to a view makes
// its table, the other copies it. What follows store_shared_free is for store/kept.c.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Each connection may be used by a thread of its own: store_share (store/kept.h). study: the views of its scripts are shared too,
// while both connections are prepared for it (store_prefer_programs) with the same options. NULL: the program's, and those that
// all studies have.
struct store_shared *store_shared_new(const char *study);
void store_shared_free(struct store_shared *shared); // when no connection uses it any more

struct shared_view {
    char *name;
    unsigned char *image; // a database with the table alone; NULL: a connection is making it
    int64_t size;
};

bool shared_of(const struct store_shared *shared, const char *study);

enum shared_state { SHARED_MINE, SHARED_BUSY, SHARED_THERE };

// MINE: nobody makes it, and the caller has to, and then calls shared_made. THERE: a copy of what is there.
enum shared_state shared_take(struct store_shared *shared, const char *name, struct shared_view *copy);
// `image`: of sqlite3_serialize, from now on the table's owner's; NULL: it could not be made, and the other connection may try.
void shared_made(struct store_shared *shared, const char *name, unsigned char *image, int64_t size);
// Until the other connection no longer makes it. The name: the first word of the text.
void shared_wait(struct store_shared *shared, const char *names);
