// SPDX-License-Identifier: MIT
#include "report/papers/paper.h"

#include "base/memory.h"
#include "base/yaml.h"

const struct paper_table *paper_table_find(const struct paper *paper, const char *id)
{
    return ARRAY_FIND(paper->tables, paper->table_count, id);
}

const struct paper_figure *paper_figure_find(const struct paper *paper, const char *id)
{
    return ARRAY_FIND(paper->figures, paper->figure_count, id);
}

const char *paper_flag_text(const struct paper *paper, const char *flag)
{
    const struct paper_flag *found = ARRAY_FIND(paper->flags, paper->flag_count, flag);
    return found ? found->text : flag;
}

char *paper_file_text(const char *path, struct error *error)
{
    char *text = yaml_file_text(path, NULL, error);
    if (!text && !error->remedy[0])
        error_remedy(error, "reinstall the program, or repair the folder of papers");
    return text;
}
