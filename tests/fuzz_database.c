// SPDX-License-Identifier: MIT
// Fuzz target: the first byte says which command reads a database, the rest are changes to a valid one, of eight bytes each. A
// change sets a column of some rows, takes something out of the schema or puts something else there, or is of the file's own bytes.
// No command may crash, wait or run for long on what comes of it, and one that fails says why.
#include <sqlite3.h>

#include "base/memory.h"
#include "bench_trials.h"
#include "fuzz_command.h"

enum { TRIALS = 12, CHANGE = 8, CHANGES_MAX = 16 };

static char path[64], plain[64], into[64];
static char *base;
static size_t base_size;

// The fields of all tables of a database, "TABLE.COLUMN" apart.
static struct field {
    char *table, *column;
} * fields;
static size_t field_count;

static char *const commands[][FUZZ_WORDS] = {
    {"status", "--db", path},
    {"query", "table2", "--db", path},
    {"query", "failures", "--db", path, "--format", "json"},
    {"show", "7", "--db", path},
    {"report", "wald2011", "table2", "--format", "text", "--db", path},
    {"report", "wald2011", "table3", "--format", "csv", "--db", path},
    {"merge", path, "--into", into},
    {"compare", path, plain},
    {"status", "--db", path, "--format", "csv"},
    {"query", "SELECT * FROM bounce_counts LIMIT 200", "--db", path},
    {"query", "skips", "--db", path},
    {"redo", "variant = 'naive'", "--db", path},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void read_base(void)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        fuzz_stop(path, "cannot be read");
    base_size = (size_t)ftell(file);
    base = memory_new(base_size, 1);
    rewind(file);
    if (fread(base, 1, base_size, file) != base_size)
        fuzz_stop(path, "cannot be read");
    fclose(file);
}

static int take_field(void *context, int count, char **values, char **names)
{
    struct field *field = ARRAY_ADD(fields, field_count);
    field->table = memory_copy(values[0]);
    field->column = memory_copy(values[1]);
    return 0;
}

static void begin(void)
{
    struct error error = {0};
    sqlite3 *db;
    fuzz_begin();
    snprintf(path, sizeof path, "%s/a.db", fuzz_folder);
    snprintf(plain, sizeof plain, "%s/plain.db", fuzz_folder);
    snprintf(into, sizeof into, "%s/into.db", fuzz_folder);
    if (!bench_trials(path, MIX_STUDY, TRIALS, 0, &error))
        fuzz_stop(path, error.message);
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db,
                     "PRAGMA journal_mode = DELETE; VACUUM; SELECT m.name, c.name FROM sqlite_schema AS m JOIN "
                     "pragma_table_info(m.name) AS c WHERE m.type = 'table' ORDER BY m.name, c.cid",
                     NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(db,
                     "SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c "
                     "WHERE m.type = 'table' ORDER BY m.name, c.cid",
                     take_field, NULL, NULL) != SQLITE_OK)
        fuzz_stop(path, sqlite3_errmsg(db));
    sqlite3_close(db);
    read_base();
    fuzz_write(plain, base, base_size);
}

// ---- changes

static char *value_of(uint8_t how, uint32_t number)
{
    static const char *const known[] = {"NULL",
                                        "-1",
                                        "0",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "1e308",
                                        "-1e-308",
                                        "''",
                                        "x'ff'",
                                        "'null'",
                                        "'a' || char(0) || 'b'",
                                        "hex(zeroblob(40000))",
                                        "zeroblob(100000)",
                                        "char(0x10FFFF, 27, 10)",
                                        "'%s%n'",
                                        "'naive'"};
    enum { KNOWN = sizeof known / sizeof *known };
    if (how % 2)
        return memory_copy(known[number % KNOWN]);
    return memory_format(how % 4 ? "%u" : "CAST(%u AS TEXT)", number);
}

// Constraints do not hold whoever writes pages by hand.
static const char unchecked[] = "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;";

static char *statement_of(const uint8_t *change, uint32_t number)
{
    const struct field *field = &fields[(change[2] | (uint32_t)change[3] << 8) % field_count];
    char *value, *text;
    switch (change[0] % 8) {
    case 1: return memory_format("DROP TABLE \"%s\"", field->table);
    case 2: return memory_format("DELETE FROM \"%s\" WHERE rowid %% %u = 0", field->table, 1 + number % 7);
    case 3: return memory_format("ALTER TABLE \"%s\" RENAME COLUMN \"%s\" TO x%u", field->table, field->column, number);
    case 4: return memory_format("PRAGMA user_version = %u", number);
    case 5:
        return memory_format("ALTER TABLE \"%s\" RENAME TO x%u; CREATE VIEW \"%s\" AS SELECT * FROM x%u", field->table,
                             number, field->table, number);
    default:
        value = value_of(change[1], number);
        text = memory_format("UPDATE OR IGNORE \"%s\" SET \"%s\" = %s WHERE rowid %% %u = 0", field->table,
                             field->column, value, 1 + (change[1] >> 4));
        free(value);
        return text;
    }
}

static bool is_of_bytes(const uint8_t *change)
{
    return change[0] % 8 == 0;
}

static void change_rows(const uint8_t *data, size_t count)
{
    sqlite3 *db;
    size_t bytes = 0;
    for (size_t i = 0; i < count; ++i)
        bytes += is_of_bytes(data + i * CHANGE);
    if (bytes == count) // nothing to open it for, which takes longer than many a command
        return;
    if (sqlite3_open(path, &db) != SQLITE_OK)
        fuzz_stop(path, "cannot be opened");
    sqlite3_exec(db, unchecked, NULL, NULL, NULL);
    for (size_t i = 0; i < count; ++i, data += CHANGE) {
        uint32_t number;
        memcpy(&number, data + 4, sizeof number);
        char *text = is_of_bytes(data) ? NULL : statement_of(data, number);
        if (text)
            sqlite3_exec(db, text, NULL, NULL, NULL); // what cannot be done is left
        free(text);
    }
    sqlite3_close(db);
}

static void change_bytes(const uint8_t *data, size_t count)
{
    FILE *file = fopen(path, "r+b");
    if (!file)
        fuzz_stop(path, "cannot be opened");
    for (size_t i = 0; i < count; ++i, data += CHANGE) {
        uint32_t number;
        memcpy(&number, data + 4, sizeof number);
        if (is_of_bytes(data) && fseek(file, (long)(number % base_size), SEEK_SET) == 0)
            fwrite(data + 1, 1, 3, file);
    }
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char beside[2][80];
    if (!base)
        begin();
    if (size == 0)
        return 0;
    size_t count = (size - 1) / CHANGE;
    count = count < CHANGES_MAX ? count : CHANGES_MAX;
    fuzz_write(path, base, base_size);
    change_rows(data + 1, count);
    change_bytes(data + 1, count);
    fuzz_command(commands[data[0] % COMMANDS]);
    unlink(into);
    for (int i = 0; i < 2; ++i) {
        snprintf(beside[i], sizeof beside[i], "%s%s", path, i ? "-wal" : "-shm");
        unlink(beside[i]);
    }
    return 0;
}
