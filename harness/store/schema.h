// SPDX-License-Identifier: MIT
// The tables and views of a database. Only for files of store/.
#pragma once

#include "sql/handle.h"

// That the database is one of ours, of this version; or empty. Errors: what it is instead.
bool schema_check(struct sql *db, bool *empty, struct error *error);
// Makes the views and the tables beside them: temporary, so that they are this program's whatever the file holds. Drops
// all else that is temporary. `reading`: what the file lacks is shown as empty.
bool schema_views(struct sql *db, bool reading, struct error *error);
// schema_views, for writing: the file gets what it lacks, all tables where it is empty, and copies of the views for other
// programs, in one transaction.
bool schema_update(struct sql *db, bool empty, struct error *error);
