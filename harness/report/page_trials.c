// SPDX-License-Identifier: MIT
// trials.js: a page from disk may load a script beside it, but no other data.
#include <stdlib.h>
#include <string.h>

#include "frame/parameters.h"
#include "report/papers/sql_rows.h"
#include "report/report_page.h"
#include "store/query.h"

extern const char page_trials_sql[], page_runs_sql[];

// ---- the trials that cells name

enum { TRIALS_MAX = 5000 }; // in the file: 1.4 KB each

// Of each trial, by its id: its place, from 1 on, in the list that names it soonest; 0 where none does.
struct cited {
    size_t *places, room;
};

// Every number of a list.
static void add_list(struct cited *cited, const char *list)
{
    for (size_t place = 1; *(list += strcspn(list, "0123456789")); ++place) {
        const size_t id = strtoull(list, (char **)&list, 10);
        while (id >= cited->room)
            *ARRAY_ADD(cited->places, cited->room) = 0;
        if (!cited->places[id] || place < cited->places[id])
            cited->places[id] = place;
    }
}

static void add_table(struct cited *cited, const struct report_table *table)
{
    for (size_t i = 0; i < table->panel_count; ++i)
        for (size_t j = 0; j < table->panels[i].row_count; ++j)
            for (size_t k = 0; k < table->definition->column_count; ++k)
                add_list(cited, table->panels[i].rows[j].cells[k].trials);
}

static void page_trials_collect(const struct report_page *page, struct cited *cited)
{
    const struct claim_results *claims = page->claims;
    for (size_t i = 0; i < page->table_count; ++i)
        if (page->tables[i])
            add_table(cited, page->tables[i]);
    for (size_t i = 0; claims && i < claims->count; ++i)
        for (size_t j = 0; j < claims->results[i].case_count; ++j)
            add_list(cited, claims->results[i].cases[j].trials);
}

// Into the table `cited`; of too many those that stand first in the lists that name them: every cell has some then.
// Returns how many are named.
static size_t load_cited(struct store *store, const struct cited *cited, bool *done, struct error *error)
{
    struct sql_rows rows[] = {{.table = "cited", .columns = {"id"}}, {.table = NULL}};
    size_t named = 0, last = 0;
    for (size_t id = 0; id < cited->room; ++id) {
        named += cited->places[id] > 0;
        last = cited->places[id] > last ? cited->places[id] : last;
    }
    for (size_t place = 1; place <= last && rows->count < TRIALS_MAX; ++place)
        for (size_t id = 0; id < cited->room && rows->count < TRIALS_MAX; ++id)
            if (cited->places[id] == place)
                sql_rows_number(rows, (double)id);
    *done = sql_rows_load(store, rows, true, error);
    return named;
}

// ---- the script

// A JSON text inside a script: nothing in it can end the script's element.
static void put_json(const char *text, FILE *stream)
{
    for (size_t length; *text; text += length) {
        length = strcspn(text, "<");
        fwrite(text, 1, length, stream);
        if (text[length]) {
            fputs("\\u003c", stream);
            ++length;
        }
    }
}

static bool put_row(void *context, const struct store_row *row)
{
    FILE *stream = context;
    fprintf(stream, "%s:", row->values[0].text);
    put_json(row->values[1].text, stream);
    fputs(",\n", stream);
    return true;
}

static void put_parameter(const struct parameter *parameter, FILE *stream)
{
    const bool automatic = !strcmp(parameter->standard, "auto");
    const char *quote = parameter->choices ? "'" : "";
    fprintf(stream, "'%s', %s\"%s\"", parameter->name, automatic ? "" : "nullif(", parameter->name);
    if (!automatic)
        fprintf(stream, ", %s%s%s)", quote, parameter->standard, quote);
}

// An object of the parameters; those that have their default, or that the variant ignores, become NULL. It is put together
// of several, because a function of SQLite takes 127 arguments.
static void put_parameters(FILE *stream)
{
    enum { SHARE = 50 };
    fputs("nullif(", stream);
    for (size_t i = 0; i < parameter_count; i += SHARE)
        fputs("json_patch(", stream);
    fputs("'{}'", stream);
    for (size_t i = 0; i < parameter_count; ++i) {
        fputs(i % SHARE ? ", " : ", json_object(", stream);
        put_parameter(&parameter_table[i], stream);
        if (i % SHARE == SHARE - 1 || i + 1 == parameter_count)
            fputs("))", stream);
    }
    fputs(", '{}')", stream);
}

static char *trials_query(void)
{
    static const char place[] = "{parameters}";
    const char *at = strstr(page_trials_sql, place);
    char *text;
    size_t size;
    FILE *stream = memory_stream(&text, &size);
    fprintf(stream, "%.*s", (int)(at - page_trials_sql), page_trials_sql);
    put_parameters(stream);
    fputs(at + sizeof place - 1, stream);
    memory_close(stream);
    return text;
}

static void put_defaults(FILE *stream)
{
    fputs("defaults:{", stream);
    for (size_t i = 0; i < parameter_count; ++i)
        fprintf(stream, "%s%s:\"%s\"", i ? "," : "", parameter_table[i].name, parameter_table[i].standard);
    fputs("},\n", stream);
}

static bool write_script(struct store *store, FILE *stream, struct error *error)
{
    char *query = trials_query();
    fputs("runs:{\n", stream);
    bool done = store_query(store, page_runs_sql, NULL, put_row, stream, error);
    fputs("},\ntrials:{\n", stream);
    done = done && store_query(store, query, NULL, put_row, stream, error);
    fputs("}\n", stream);
    free(query);
    return done;
}

bool page_write_trials(const struct report_page *page, FILE *stream, struct error *error)
{
    struct cited cited = {NULL, 0};
    bool done = true;
    fputs("// Raw data of the trials named in index.html, which reads this file.\nwindow.warpstudy_trials = {\n",
          stream);
    put_defaults(stream);
    if (page->store) {
        page_trials_collect(page, &cited);
        fprintf(stream, "cited:%zu,\n", load_cited(page->store, &cited, &done, error));
        done = done && write_script(page->store, stream, error);
    }
    fputs("};\n", stream);
    free(cited.places);
    return done;
}
