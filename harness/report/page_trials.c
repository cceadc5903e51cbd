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

enum { TRIALS_MAX = 5000 }; // in the file: 1.4 KB each

struct citation {
    int64_t id;
    size_t rank; // its place in the list that names it
};

struct cited {
    struct citation *list;
    size_t count, capacity;
    size_t all; // of these, as many as were named
};

static bool add_id(struct cited *cited, struct citation citation)
{
    if (cited->count == cited->capacity) {
        const size_t capacity = cited->capacity ? 2 * cited->capacity : 1024;
        struct citation *citations = realloc(cited->list, capacity * sizeof *citations);
        if (!citations)
            return false;
        cited->list = citations;
        cited->capacity = capacity;
    }
    cited->list[cited->count++] = citation;
    return true;
}

// Every number of a list.
static bool add_list(struct cited *cited, const char *list)
{
    for (size_t rank = 0; *list;) {
        char *end = (char *)list + 1;
        if (isdigit((unsigned char)*list) &&
            !add_id(cited, (struct citation){.id = strtoll(list, &end, 10), .rank = rank++}))
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

static int by_id(const void *a, const void *b)
{
    const struct citation *x = a, *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_rank(const void *a, const void *b)
{
    const struct citation *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank) : (x->id > y->id) - (x->id < y->id);
}

static void sort(struct cited *cited, int (*compare)(const void *, const void *))
{
    if (cited->count)
        qsort(cited->list, cited->count, sizeof *cited->list, compare);
}

// Each once. Of too many those that stand first in the lists that name them: every cell has some then.
static void keep_first(struct cited *cited)
{
    size_t kept = 0;
    sort(cited, by_id);
    for (size_t i = 0; i < cited->count; ++i)
        if (!kept || cited->list[kept - 1].id != cited->list[i].id)
            cited->list[kept++] = cited->list[i];
    cited->all = cited->count = kept;
    if (kept <= TRIALS_MAX)
        return;
    sort(cited, by_rank);
    cited->count = TRIALS_MAX;
}

static bool collect(const struct report_page *page, struct cited *cited)
{
    for (size_t i = 0; i < page->table_count; ++i)
        if (page->tables[i] && !add_table(cited, page->tables[i]))
            return false;
    if (!add_claims(cited, page->claims))
        return false;
    keep_first(cited);
    return true;
}

static bool load_cited(struct store *store, const struct cited *cited, struct error *error)
{
    static const char *const columns[] = {"id"};
    char(*texts)[24] = malloc((cited->count + 1) * sizeof *texts);
    const char **cells = malloc((cited->count + 1) * sizeof *cells);
    for (size_t i = 0; texts && cells && i < cited->count; ++i) {
        snprintf(texts[i], sizeof texts[i], "%" PRId64, cited->list[i].id);
        cells[i] = texts[i];
    }
    const bool done = texts && cells ? store_load_table(store, "cited", columns, 1, cells, cited->count, error)
                                     : error_set(error, ERROR_SYSTEM, "no memory");
    free(texts);
    free(cells);
    return done;
}

// ---- the script

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
        fprintf(stream, "cited:%zu,\n", cited.all);
        done = done && load_cited(page->store, &cited, error) && write_script(page->store, stream, error);
    }
    fputs("};\n", stream);
    free(cited.list);
    return done;
}
