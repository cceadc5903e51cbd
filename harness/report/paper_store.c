// SPDX-License-Identifier: MIT
#include "report/paper_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"
#include "report/paper.h"
#include "report/paper_rows.h"

enum { REFERENCES_MAX = 16 };

// Raised where the same files give other rows than before.
static const char rows_version[] = "rows 2";

// ---- digest of the files

struct digest {
    struct hash_state *state;
    char root[400];
    struct error *error;
    bool failed;
};

static void add_file(struct digest *digest, const char *folder, const char *name)
{
    char path[1200], text[HASH_TEXT] = "absent";
    struct hash hash;
    snprintf(path, sizeof path, "%s/%s/%s", digest->root, folder, name);
    if (!digest->failed && access(path, F_OK) == 0) {
        digest->failed = !hash_file(path, &hash, digest->error);
        if (!digest->failed)
            hash_text(hash, text);
    }
    hash_add_text(digest->state, text);
}

static bool add_folder(void *context, const char *id)
{
    struct digest *digest = context;
    hash_add_text(digest->state, id);
    add_file(digest, id, "published.yaml");
    add_file(digest, id, "claims.yaml");
    return !digest->failed;
}

static bool digest_files(char text[HASH_TEXT], struct error *error)
{
    struct digest digest = {.state = hash_begin(), .error = error};
    if (!digest.state)
        return error_set(error, ERROR_SYSTEM, "no memory");
    hash_add_text(digest.state, rows_version);
    const bool found = paper_root(digest.root, sizeof digest.root, error) && paper_each(add_folder, &digest, error);
    if (found) {
        add_file(&digest, ".", "variants.yaml");
        add_file(&digest, ".", "conflicts.yaml");
    }
    hash_text(hash_end(digest.state), text);
    return found && !digest.failed;
}

// ---- rows

struct gathering {
    struct paper_rows rows[REFERENCES_MAX]; // of each row of paper_references
    char root[400];
    struct error *error;
    bool failed;
};

static size_t columns_of(const struct paper_reference *reference)
{
    size_t count = 0;
    while (reference->columns[count])
        ++count;
    return count;
}

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

static bool gather(struct gathering *gathering, size_t *count, struct error *error)
{
    *gathering = (struct gathering){.error = error};
    for (*count = 0; paper_references[*count].table && *count < REFERENCES_MAX; ++*count)
        gathering->rows[*count].columns = columns_of(&paper_references[*count]);
    if (!paper_root(gathering->root, sizeof gathering->root, error) || !paper_each(add_paper, gathering, error) ||
        gathering->failed)
        return false;
    for (size_t i = 0; i < *count; ++i) {
        if (paper_references[i].of_all && !paper_references[i].of_all(&gathering->rows[i], error))
            return false;
        if (gathering->rows[i].failed)
            return error_set(error, ERROR_SYSTEM, "no memory for what the papers say");
    }
    return true;
}

bool papers_load(struct store *store, struct error *error)
{
    char digest[HASH_TEXT];
    bool current;
    size_t count;
    struct gathering gathering;
    if (!digest_files(digest, error) || !store_papers_current(store, digest, &current, error))
        return false;
    if (current)
        return true;
    bool done = gather(&gathering, &count, error);
    struct store_rows tables[REFERENCES_MAX];
    for (size_t i = 0; i < count; ++i)
        tables[i] = (struct store_rows){paper_references[i].table, paper_references[i].columns,
                                        (const char *const *)gathering.rows[i].cells, gathering.rows[i].columns,
                                        gathering.rows[i].count};
    done = done && store_papers_replace(store, digest, tables, count, error);
    for (size_t i = 0; i < count; ++i)
        paper_rows_finish(&gathering.rows[i]);
    return done;
}

void papers_load_if_any(struct store *store)
{
    struct error error = {0};
    char text[2200];
    if (papers_load(store, &error))
        return;
    error_format(&error, text, sizeof text);
    fprintf(stderr, "the database's tables of papers are left as they were: %s\n", text);
}
