// SPDX-License-Identifier: MIT
#include "report/prepare.h"

#include <stdlib.h>

#include "report/report_query.h"
#include "report/sql_tables.h"
#include "report/yaml_file.h"

static bool forget_script(struct store *store, const char *path, struct error *error)
{
    char *text = yaml_file_text(path, NULL, error);
    const bool done = text && store_forget_tables(store, text, error);
    free(text);
    return done;
}

bool report_prepare(struct store *store, const struct paper *paper, struct error *error)
{
    bool done = sql_tables_load(store, paper->published, error) && store_keep_views(store, NULL, 0, error);
    for (size_t i = 0; done && i < paper->prepare_count; ++i)
        done = forget_script(store, paper->prepare[i], error);
    return done;
}

static bool run_script(struct store *store, const struct paper *paper, size_t index,
                       const struct report_options *options, struct error *error)
{
    const struct report_bindings bindings = report_bind(options);
    char *text = yaml_file_text(paper->prepare[index], NULL, error);
    bool done = text != NULL;
    if (done && !store_tables_made(store, text))
        done = (index || store_keep_views(store, paper->views, paper->view_count, error)) &&
               store_make_tables(store, text, paper->prepare[index], bindings.list, error);
    free(text);
    return done;
}

bool report_prepare_for(struct store *store, const struct paper *paper, const struct report_options *options,
                        const char *sql, struct error *error)
{
    for (size_t i = 0; i < paper->prepare_count && store_lacks_table(store, sql); ++i)
        if (!run_script(store, paper, i, options, error))
            return false;
    return true;
}
