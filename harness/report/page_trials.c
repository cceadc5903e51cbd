// SPDX-License-Identifier: MIT
// trials.js: a page from disk may load a script beside it, but no other data.
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_page.h"
#include "trial/parameters.h"

extern const char page_trials_sql[], page_runs_sql[];

// ---- the trials that cells name
// -----------------------------------------------------------------------------------------------

struct cited {
    int64_t *ids;
    size_t count, capacity;
};

static bool add_id(struct cited *cited, int64_t id)
{
    if (cited->count == cited->capacity) {
        const size_t capacity = cited->capacity ? 2 * cited->capacity : 1024;
        int64_t *ids = realloc(cited->ids, capacity * sizeof *ids);
        if (!ids)
            return false;
        cited->ids = ids;
        cited->capacity = capacity;
    }
    cited->ids[cited->count++] = id;
    return true;
}

// Every number of a list.
static bool add_list(struct cited *cited, const char *list)
{
    while (*list) {
        char *end = (char *)list + 1;
        if (isdigit((unsigned char)*list) && !add_id(cited, strtoll(list, &end, 10)))
            return false;
        list = end;
    }
    return true;
}

static bool add_table(struct cited *cited, const struct report_table *table)
{
    for (size_t i = 0; i < table->panel_count; ++i)
        for (size_t j = 0; j < table->panels[i].row_count; ++j)
            for (size_t k = 0; k < table->definition->column_count; ++k)
                if (!add_list(cited, table->panels[i].rows[j].cells[k].trials))
                    return false;
    return true;
}

static bool add_claims(struct cited *cited, const struct claim_results *claims)
{
    for (size_t i = 0; claims && i < claims->count; ++i)
        for (size_t j = 0; j < claims->results[i].case_count; ++j)
            if (!add_list(cited, claims->results[i].cases[j].trials))
                return false;
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool collect(const struct report_page *page, struct cited *cited)
{
    size_t kept = 0;
    for (size_t i = 0; i < page->table_count; ++i)
        if (page->tables[i] && !add_table(cited, page->tables[i]))
            return false;
    if (!add_claims(cited, page->claims))
        return false;
    if (cited->count)
        qsort(cited->ids, cited->count, sizeof *cited->ids, compare_ids);
    for (size_t i = 0; i < cited->count; ++i)
        if (!kept || cited->ids[kept - 1] != cited->ids[i])
            cited->ids[kept++] = cited->ids[i];
    cited->count = kept;
    return true;
}

static bool load_cited(struct store *store, const struct cited *cited, struct error *error)
{
    static const char *const columns[] = {"id"};
    char(*texts)[24] = malloc((cited->count + 1) * sizeof *texts);
    const char **cells = malloc((cited->count + 1) * sizeof *cells);
    for (size_t i = 0; texts && cells && i < cited->count; ++i) {
        snprintf(texts[i], sizeof texts[i], "%" PRId64, cited->ids[i]);
        cells[i] = texts[i];
    }
    const bool done = texts && cells ? store_load_table(store, "cited", columns, 1, cells, cited->count, error)
                                     : error_set(error, ERROR_SYSTEM, "no memory");
    free(texts);
    free(cells);
    return done;
}

// ---- the script
// -------------------------------------------------------------------------------------------------------------

// A JSON text inside a script: nothing in it can end the script's element.
static void put_json(const char *text, FILE *stream)
{
    for (; *text; ++text) {
        if (*text == '<')
            fputs("\\u003c", stream);
        else
            fputc(*text, stream);
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

// json_object of the parameters; those that have their default, or that the variant ignores, become NULL.
static void put_parameters(FILE *stream)
{
    fputs("nullif(json_patch('{}', json_object(", stream);
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *parameter = &parameter_table[i];
        const bool automatic = !strcmp(parameter->standard, "auto");
        const char *quote = parameter->choices ? "'" : "";
        fprintf(stream, "%s'%s', %s\"%s\"", i ? ", " : "", parameter->name, automatic ? "" : "nullif(",
                parameter->name);
        if (!automatic)
            fprintf(stream, ", %s%s%s)", quote, parameter->standard, quote);
    }
    fputs(")), '{}')", stream);
}

static char *trials_query(void)
{
    static const char place[] = "{parameters}";
    const char *at = strstr(page_trials_sql, place);
    char *text = NULL;
    size_t size;
    FILE *stream = at ? open_memstream(&text, &size) : NULL;
    if (!stream)
        return NULL;
    fprintf(stream, "%.*s", (int)(at - page_trials_sql), page_trials_sql);
    put_parameters(stream);
    fputs(at + sizeof place - 1, stream);
    return fclose(stream) == 0 ? text : NULL;
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
    if (!query)
        return error_set(error, ERROR_SYSTEM, "no memory");
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
    struct cited cited = {.count = 0};
    bool done = true;
    fputs("// Raw data of the trials that index.html names; it reads this file.\nwindow.warpstudy_trials = {\n",
          stream);
    put_defaults(stream);
    if (page->store) {
        done = collect(page, &cited) || error_set(error, ERROR_SYSTEM, "no memory");
        done = done && load_cited(page->store, &cited, error) && write_script(page->store, stream, error);
    }
    fputs("};\n", stream);
    free(cited.ids);
    return done;
}
