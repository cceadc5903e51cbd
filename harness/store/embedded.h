// SPDX-License-Identifier: MIT
// The .sql files of those names, embedded at build time. Only for files of store/.
#pragma once

extern const char store_schema_sql[];
extern const char store_views_sql[]; // of the views all, with meanings.sql and catalogue.sql
// What compares two sides.
extern const char store_compare_side_sql[];
extern const char store_compare_sql[];
extern const char store_compare_bounces_sql[];
// What adds another database.
extern const char store_merge_tables_sql[];
extern const char store_merge_sql[];
extern const char store_merge_conflicts_sql[];
// What chooses among the programs of merged databases.
extern const char store_prefer_sql[];
