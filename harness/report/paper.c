// SPDX-License-Identifier: MIT
#include "report/paper.h"

#include <string.h>

#include "base/yaml.h"

const struct paper_table *paper_table_find(const struct paper *paper, const char *id)
{
    for (size_t i = 0; i < paper->table_count; ++i)
        if (!strcmp(paper->tables[i].id, id))
            return &paper->tables[i];
    return NULL;
}

const struct paper_figure *paper_figure_find(const struct paper *paper, const char *id)
{
    for (size_t i = 0; i < paper->figure_count; ++i)
        if (!strcmp(paper->figures[i].id, id))
            return &paper->figures[i];
    return NULL;
}

const char *paper_flag_text(const struct paper *paper, const char *flag)
{
    for (size_t i = 0; i < paper->flag_count; ++i)
        if (!strcmp(paper->flags[i].word, flag))
            return paper->flags[i].text;
    return flag;
}

char *paper_file_text(const char *path, struct error *error)
{
    char *text = yaml_file_text(path, NULL, error);
    if (!text && !error->remedy[0])
        error_remedy(error, "install the program again, or mend the folder of papers");
    return text;
}
