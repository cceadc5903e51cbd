// SPDX-License-Identifier: MIT
#include "report/paper_store.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "report/paper.h"
#include "report/paper_rows.h"

enum { REFERENCES_MAX = 16 };

struct gathering {
    struct paper_rows rows[REFERENCES_MAX]; // of each row of paper_references
    char root[400];
    struct error *error;
    bool failed;
};

static bool add_paper(void *context, const char *id)
{
    struct gathering *gathering = context;
    char path[1200];
    snprintf(path, sizeof path, "%s/%s/published.yaml", gathering->root, id);
    struct published *published = published_load(path, gathering->error);
    gathering->failed = !published;
    for (size_t i = 0; !gathering->failed && paper_references[i].table; ++i)
        gathering->failed = paper_references[i].of_paper &&
                            !paper_references[i].of_paper(&gathering->rows[i], published, gathering->error);
    published_free(published);
    return !gathering->failed;
}

static bool gather(struct gathering *gathering, struct error *error)
{
    bool done = paper_root(gathering->root, sizeof gathering->root, error) && paper_each(add_paper, gathering, error) &&
                !gathering->failed;
    for (size_t i = 0; done && paper_references[i].table; ++i)
        done = !paper_references[i].of_all || paper_references[i].of_all(&gathering->rows[i], error);
    return done;
}

bool sql_mentions(const char *sql, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = sql; (at = strcasestr(at, word)); at += length) {
        const char before = at == sql ? ' ' : at[-1], after = at[length];
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) && after != '_')
            return true;
    }
    return false;
}

static bool mentions_any(const char *sql)
{
    for (size_t i = 0; paper_references[i].table; ++i)
        if (!sql || sql_mentions(sql, paper_references[i].table))
            return true;
    return false;
}

bool papers_load(struct store *store, const char *sql, struct error *error)
{
    if (!mentions_any(sql))
        return true;
    struct gathering gathering = {.error = error};
    for (size_t i = 0; paper_references[i].table; ++i)
        while (paper_references[i].columns[gathering.rows[i].columns])
            ++gathering.rows[i].columns;
    const bool gathered = gather(&gathering, error);
    bool loaded = true;
    for (size_t i = 0; paper_references[i].table; ++i) {
        struct paper_rows *rows = &gathering.rows[i];
        loaded = loaded && store_load_table(store, paper_references[i].table, paper_references[i].columns,
                                            rows->columns, (const char *const *)rows->cells,
                                            gathered ? rows->count / rows->columns : 0, gathered ? error : NULL);
        paper_rows_finish(rows);
    }
    return gathered && loaded;
}

void papers_load_if_any(struct store *store, const char *sql)
{
    struct error error = {0};
    char text[2200];
    if (papers_load(store, sql, &error))
        return;
    error_format(&error, text, sizeof text);
    fprintf(stderr, "the tables of papers are empty: %s\n", text);
}
