// SPDX-License-Identifier: MIT
#include "report/prepare.h"

#include <stdlib.h>

#include "report/sql_tables.h"

// What views cannot be given as parameters.
static bool load_options(struct store *store, const struct report_options *options, struct error *error)
{
    static const char *const columns[] = {"run TEXT", "scene TEXT", "everything INTEGER"};
    const char *const cells[] = {options->run ? options->run : "", options->scene ? options->scene : "",
                                 options->all ? "1" : "0"};
    return store_load_table(store, "report_option", columns, 3, cells, 1, error);
}

bool report_prepare(struct store *store, const struct paper *paper, const struct report_options *options,
                    struct error *error)
{
    bool done = store_forget_tables(store, error) && sql_tables_load(store, paper->published, error) &&
                load_options(store, options, error);
    for (size_t i = 0; done && i < paper->prepare_count; ++i) {
        char *script = paper_file_text(paper->prepare[i], error);
        done = script && store_make_tables(store, script, paper->prepare[i], NULL, error);
        free(script);
    }
    return done;
}
