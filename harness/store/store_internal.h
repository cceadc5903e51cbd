// SPDX-License-Identifier: MIT
// Shared by the files of store/ only.
#pragma once

#include <sqlite3.h>

#include "store/store.h"

// The files of those names, embedded at build time; of the views all, with meanings.sql and catalogue.sql.
extern const char store_schema_sql[];
extern const char store_views_sql[];
// What compares two sides.
extern const char store_compare_side_sql[];
extern const char store_compare_sql[];
extern const char store_compare_bounces_sql[];
// What adds another database.
extern const char store_merge_tables_sql[];
extern const char store_merge_sql[];
extern const char store_merge_conflicts_sql[];

// SQL of the time of day.
#define STORE_NOW "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

enum {
    STORE_APPLICATION_ID = 0x57535459, // "WSTY"
    STORE_STATEMENTS = 64,             // prepared statements kept
    STORE_BUSY_MS = 5000               // wait for another process's transaction
};

// What store_space needs to know of the latest plan.
struct plan_shape {
    int64_t trials, max_bounces;
    int32_t repetitions;
    int axes, derived; // columns of table `point` after its number
    uint32_t collections;
};

struct store {
    sqlite3 *db;
    struct store *plan; // private, in memory: no expression of an experiment ever meets `db`
    struct plan_shape shape;
    bool (*stop)(void);        // ends the making and reading of a plan; NULL: nothing does
    double expression_seconds; // that expressions may still take
    double deadline;           // of the expression that is evaluated, in processor time; 0: none is
    enum store_mode mode;
    bool fresh;       // the file was made by store_open, and nothing but its tables was stored since
    char *path;       // as it was given, for messages
    char *file;       // what that leads to: symbolic links are followed once, and the log stands beside the file itself
    int held;         // descriptor of it where it is open for writing: see file_hold; else -1
    int log;          // and of the log that stood beside it then; else -1
    bool tables_made; // temporary ones, or views, beside those of schema_views
    bool locked;
    bool marked;       // FILE.host stands beside it, with this host's name: see network.c
    const char *doing; // for messages: "merge"
    double synced;     // monotonic time of the latest commit that waited for the disk
    bool (*wait)(void *context, double seconds, const char *holder); // while another process holds `db`
    void *wait_context;
    double wait_began; // monotonic time
    struct {
        const char *sql; // compared by address: a literal
        sqlite3_stmt *statement;
    } statements[STORE_STATEMENTS];
};

// ---- file.c

// Finds the file that the path leads to. Always true.
bool file_find(struct store *store);
// The same for writing: makes an empty file where there is none, and holds it, and the log of a run that was killed. Errors: it has
// several names.
bool file_hold(struct store *store, struct error *error);
// After the database is closed: a closed descriptor takes all of SQLite's locks on the file with it.
void file_release(struct store *store);
// Its name with something behind it, such as "-wal"; to be freed.
char *file_beside(const struct store *store, const char *ending);
bool file_had_log(const struct store *store); // with something in it, when it was opened
// Whether the path still leads to the file that is open.
bool file_present(const struct store *store);
bool file_check(const struct store *store, struct error *error); // the same, with an error that says so
// Where an existing file was lost before SQLite could open it: what it held is kept as by store_keep, and the error says where.
void file_rescue(struct store *store, struct error *error);
bool file_lock(struct store *store, struct error *error); // store_lock, whatever became of the file
void file_remove(const struct store *store);              // and what stands beside it

// ---- store.c

// Whether no run was ever recorded. Where that cannot be read, the size of the files tells.
bool store_is_empty(const struct store *store);

// ---- network.c

// Before the file is opened: true unless it is on a network file system and another host uses it, which the error names.
// For writing, leaves this host's name beside it.
bool network_enter(struct store *store, struct error *error);
// After it was closed: takes the name away unless another process of this host still uses it.
void network_leave(struct store *store);

// ---- statement.c

// Turns SQLite's error on `db` into ours: cause and remedy. `doing`: "store the trial". Always false.
bool store_failed(sqlite3 *db, const char *path, const char *doing, struct error *error);
bool store_exec(struct store *store, const char *sql, const char *doing, struct error *error);
// A reset statement, kept for the next call; `sql` must be a literal. NULL and an error otherwise.
sqlite3_stmt *store_prepare(struct store *store, const char *sql, struct error *error);
// Runs a statement that returns no rows, and resets it.
bool store_run(struct store *store, sqlite3_stmt *statement, struct error *error);
// Runs a statement for at most one row: 1 = a row (read it, then reset), 0 = none, -1 = error.
int store_row(struct store *store, sqlite3_stmt *statement, struct error *error);
// The first column of the first row; `missing` where there is none.
bool store_integer(struct store *store, sqlite3_stmt *statement, int64_t missing, int64_t *value, struct error *error);
bool store_begin(struct store *store, struct error *error); // BEGIN IMMEDIATE
// Commits where what was begun is done, else undoes it; false where it is not stored.
bool store_end(struct store *store, bool done, struct error *error);
void store_rollback(struct store *store);
void store_forget_statements(struct store *store);

// SQL that is made for once, of a format of sqlite3_mprintf: a statement for the caller to finalize, or NULL; the first
// column of the first row for sqlite3_free, or NULL where there is none; a script. The functions free their text.
#define store_make(store, error, ...) store_make_of(store, error, sqlite3_mprintf(__VA_ARGS__))
#define store_text(store, error, text, ...) store_text_of(store, error, text, sqlite3_mprintf(__VA_ARGS__))
#define store_script(store, error, ...) store_script_of(store, error, sqlite3_mprintf(__VA_ARGS__))
sqlite3_stmt *store_make_of(struct store *store, struct error *error, char *sql);
bool store_text_of(struct store *store, struct error *error, char **text, char *sql);
bool store_script_of(struct store *store, struct error *error, char *sql);
// Every row that `select` finds goes through `insert`, which has a parameter for each column.
bool store_copy(struct store *to, struct store *from, const char *select, const char *insert, struct error *error);

// Values for a statement. NULL text and NaN become NULL; texts are copied.
struct bound {
    int type; // SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_NULL
    int64_t integer;
    double real;
    const char *text;
};
#define INTEGER_IF(known, value)                                                                                       \
    ((struct bound){.type = (known) ? SQLITE_INTEGER : SQLITE_NULL, .integer = (int64_t)(value)})
#define INTEGER(value) INTEGER_IF(true, value)
#define REAL(value) ((struct bound){.type = SQLITE_FLOAT, .real = (value)})
#define NONE ((struct bound){.type = SQLITE_NULL}) // the caller binds it
#define TEXT(value) ((struct bound){.type = SQLITE_TEXT, .text = (value)})
// store_prepare with values for its parameters, from the first on.
#define store_with(store, error, sql, ...)                                                                             \
    store_with_values(store, sql, (const struct bound[]){__VA_ARGS__},                                                 \
                      sizeof((const struct bound[]){__VA_ARGS__}) / sizeof(struct bound), error)
// store_run of it, and store_integer.
#define store_do(store, error, sql, ...) store_run(store, store_with(store, error, sql, __VA_ARGS__), error)
#define store_ask(store, error, value, missing, sql, ...)                                                              \
    store_integer(store, store_with(store, error, sql, __VA_ARGS__), missing, value, error)
sqlite3_stmt *store_with_values(struct store *store, const char *sql, const struct bound *values, size_t count,
                                struct error *error);
void store_bind(sqlite3_stmt *statement, int column, struct bound value); // nothing without a statement

// ---- schema.c

// That `db` is one of ours, of this version; or empty. Errors: what it is instead.
bool schema_check(struct store *store, bool *empty, struct error *error);
// Makes the views and the tables beside them: temporary, so that they are this program's whatever the file holds. Drops
// all else that is temporary.
bool schema_views(struct store *store, struct error *error);
// schema_views, for writing: the file gets what it lacks, all tables where it is empty, and copies of the views for other
// programs, in one transaction.
bool schema_update(struct store *store, bool empty, struct error *error);
// ---- vocabulary.c

// Fills the tables metric (beside what meanings.sql says), compute_capability and variant_trait from the tables of
// device/ and trial/.
bool vocabulary_fill(struct store *store, struct error *error);
// Gives `db` the functions occupancy_warps, occupancy and occupancy_limit (version, block, registers, shared bytes).
bool vocabulary_functions(struct store *store, struct error *error);

// ---- key.c

// Whether the parameter is part of what the trial is: SCHEDULE only where the variant uses it, MACHINE only on the
// emulator. A key holds those of them that differ from their default.
bool spec_heeds(const struct trial_spec *spec, const struct parameter *parameter);

struct trial_keys {
    char key[HASH_TEXT], setting[HASH_TEXT], work[HASH_TEXT];
    char spec[HASH_TEXT];         // equal in trials that outdate each other
    char spec_nowhere[HASH_TEXT]; // the same of a trial whose build failed, so that its device's model is not known
    const char *estimator;
};
// `spec` of these on a device of this model.
void spec_text(const struct plan_row *row, const char *device_name, char text[HASH_TEXT]);
void trial_keys_make(const struct plan_row *row, const struct trial_provenance *provenance, struct trial_keys *keys);

// ---- plan.c

void plan_close(struct store *store); // forgets the plan

// ---- plan_check.c

// Whether the text is one expression that cannot leave the parentheses around it. False with `why` otherwise.
bool expression_contained(const char *text, char *why, size_t size);
enum {
    EXPRESSION_MAX = 10000,  // bytes of a text that an expression makes; twice those that one may have itself
    EXPRESSION_SECONDS = 20, // of processor time, for all expressions of a plan together
    PLAN_TEXT_MAX = 4 << 20  // bytes of any other statement or text
};
// Limits what the plan's database does, and lets `stop` end it at any time.
void plan_watch(struct store *plan);
// Restricts the plan to reading columns and calling listed functions (plus UPDATE and DELETE of table `plan`), for as long
// as `expression_seconds` says; the inverse takes from these what was used: false where nothing is left.
void expression_guard(struct store *plan);
bool expression_unguard(struct store *plan);

// ---- query.c

// Turns SQLite's error on a reader's `sql` into ours. Always false.
bool store_query_failed(struct store *store, const char *sql, struct error *error);
// Text that a number would print as is bound as that number: it compares right with columns of any type.
void store_bind_like_number(sqlite3_stmt *statement, int index, const char *text);
// Every parameter gets its value of `bindings` (as in store_query); an error where one has none.
bool store_bind_all(sqlite3_stmt *statement, const char *const *bindings, struct error *error);

// ---- measure.c

// Tables of names, each stored once.
enum store_names { STORE_KERNELS, STORE_METRICS, STORE_REASONS, STORE_FILES, STORE_TEXTS };
// The number of a name, which is added where it is new.
bool store_name_id(struct store *store, enum store_names names, const char *name, int64_t *id, struct error *error);
// A bounce or launch as it is stored: -1 for MEASURED_TOTALS and MEASURED_FRAME.
static inline int64_t store_place(uint32_t number)
{
    return number == UINT32_MAX ? -1 : (int64_t)number;
}
// The film of a measurement that has one.
bool store_film(struct store *store, int64_t attempt, const struct measurement *measurement, struct error *error);
// Conditions, hardware counters, sites and stalls.
bool store_hardware(struct store *store, int64_t attempt, const struct measurement *measurement, struct error *error);
// Inserts all rows of a measurement, inside the caller's transaction.
bool store_measurement(struct store *store, int64_t attempt, const struct measurement *measurement,
                       char digest[HASH_TEXT], struct error *error);
// Where a program may only read: true for actions that change nothing. For sqlite3_set_authorizer.
int store_authorize_reading(void *unused, int action, const char *first, const char *second, const char *database,
                            const char *trigger);
