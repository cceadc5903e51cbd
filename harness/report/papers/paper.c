// SPDX-License-Identifier: MIT
#include "report/papers/paper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// Behind the line "-- [NAME]" that begins at `line`; NULL where it is another line. `name` NULL: any name.
static const char *query_head(const char *line, const char *name)
{
    const size_t length = strcspn(line, "\n");
    if (strncmp(line, "-- [", 4) != 0 || line[length - 1] != ']')
        return NULL;
    if (name && (strlen(name) + 5 != length || strncmp(line + 4, name, length - 5) != 0))
        return NULL;
    return line + length + (line[length] == '\n');
}

static const char *next_line(const char *text)
{
    text += strcspn(text, "\n");
    return text + (*text == '\n');
}

// The part at `place` of those with that name, as a text of its own.
static char *query_part(const char *text, const char *name, size_t place)
{
    const char *start = NULL, *end;
    for (; *text && !start; text = next_line(text))
        if (query_head(text, name) && !place--)
            start = query_head(text, name);
    if (!start)
        return NULL;
    for (end = start; *end && !query_head(end, NULL);)
        end = next_line(end);
    return memory_format("%.*s", (int)(end - start), start);
}

char *paper_query_text(const char *path, size_t place, bool *found, struct error *error)
{
    const char *name = strrchr(path, '#');
    if (!name) {
        *found = place == 0;
        return *found ? paper_file_text(path, error) : NULL;
    }
    char *file = memory_format("%.*s", (int)(name - path), path), *text = paper_file_text(file, error);
    char *part = text ? query_part(text, name + 1, place) : NULL;
    *found = part || !text;
    free(text);
    free(file);
    return part;
}

bool paper_queries_check(const char *path, bool (*is_known)(const void *context, const char *name), const void *context,
                         struct error *error)
{
    char *text = paper_file_text(path, error), name[200];
    bool done = text != NULL;
    int number = 1;
    for (const char *line = text; done && *line; line = next_line(line), ++number) {
        if (!query_head(line, NULL))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line + 4, "]\n"), line + 4);
        done = is_known(context, name) ||
               error_set_at(error, ERROR_INPUT, path, number, "nothing has the name of the query [%s]", name);
    }
    free(text);
    return done;
}
