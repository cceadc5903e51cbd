// SPDX-License-Identifier: MIT
#include "report/report_choose.h"

#include <string.h>

// Loads a paper and chooses what it has of that name, a table before a figure; all of it where `word` is NULL.
static bool load_paper(struct report_choice *choice, const char *id, const char *word, struct error *error)
{
    struct paper *paper = paper_load(id, error);
    if (!paper)
        return false;
    const struct paper_table *table = word ? paper_table_find(paper, word) : NULL;
    const struct paper_figure *figure = word && !table ? paper_figure_find(paper, word) : NULL;
    choice->papers[choice->paper_count++] = paper;
    if (!word || table || figure)
        choice->items[choice->item_count++] = (struct report_item){paper, table, figure};
    return true;
}

static size_t measured_tables(const struct paper *paper)
{
    size_t count = 0;
    for (size_t i = 0; i < paper->table_count; ++i)
        count += paper->tables[i].sql != NULL;
    return count;
}

static bool is_preferred(const struct report_item *item, const struct paper *paper)
{
    return !item->table || (item->table->sql && item->paper == paper);
}

// Several papers have a Table 1: without a paper that is meant which something measures, where there is one, and of
// several that of the paper of which most is measured.
static void prefer_measured(struct report_choice *choice)
{
    const struct paper *paper = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < choice->item_count; ++i) {
        const struct report_item *item = &choice->items[i];
        if (item->table && item->table->sql && (!paper || measured_tables(item->paper) > measured_tables(paper)))
            paper = item->paper;
    }
    for (size_t i = 0; i < choice->item_count; ++i)
        if (is_preferred(&choice->items[i], paper))
            choice->items[kept++] = choice->items[i];
    if (kept)
        choice->item_count = kept;
}

// ---- names that there are

enum { NAMES_MAX = 128 };

static void add_name(const char *names[NAMES_MAX + 1], const char *name)
{
    size_t i = 0;
    while (names[i] && strcmp(names[i], name) != 0)
        ++i;
    if (i < NAMES_MAX)
        names[i] = name;
}

static void add_names(const struct report_choice *choice, const char *names[NAMES_MAX + 1])
{
    for (size_t k = 0; k < choice->paper_count; ++k) {
        const struct paper *paper = choice->papers[k];
        for (size_t i = 0; i < paper->table_count; ++i)
            add_name(names, paper->tables[i].id);
        for (size_t i = 0; i < paper->figure_count; ++i)
            add_name(names, paper->figures[i].id);
    }
}

// `papers`: NULL where one is named. Claims are looked for elsewhere, where a paper is named.
static bool unknown_word(const struct report_choice *choice, const struct paper_names *papers, const char *word,
                         struct error *error)
{
    const char *names[NAMES_MAX + 1] = {NULL};
    char list[400] = "";
    size_t used = 0, i = 0;
    for (size_t k = 0; papers && k < papers->count; ++k)
        add_name(names, papers->list[k]);
    add_names(choice, names);
    for (; names[i] && used + strlen(names[i]) + 3 < sizeof list; ++i)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    const char *more = names[i] ? ", ..." : "", *near = error_suggest(word, names);
    error_set(error, ERROR_USE, "there is no %s '%.100s'", papers ? "paper, table or figure" : "table, figure or claim",
              word);
    return near     ? error_remedy(error, "did you mean '%s'?", near)
           : papers ? error_remedy(error, "there are: %s%s; name a claim after its paper", list, more)
                    : error_remedy(error, "there are: %s%s; and claims, listed by --claims", list, more);
}

// ---- choosing

// One paper of that name, else everything of that name in any paper; NULL: all papers.
static bool choose_word(struct report_choice *choice, const char *word, struct error *error)
{
    struct paper_names names;
    if (!paper_names(&names, error))
        return false;
    for (size_t i = 0; word && i < names.count; ++i)
        if (!strcmp(names.list[i], word))
            return load_paper(choice, word, NULL, error);
    for (size_t i = 0; i < names.count; ++i)
        if (!load_paper(choice, names.list[i], word, error))
            return false;
    prefer_measured(choice);
    return choice->item_count || unknown_word(choice, &names, word, error);
}

bool report_choose(const struct report_request *request, struct report_choice *choice, struct error *error)
{
    *choice = (struct report_choice){.item_count = 0};
    if (!request->item)
        return choose_word(choice, request->target, error);
    return load_paper(choice, request->target, request->item, error) &&
           (choice->item_count || unknown_word(choice, NULL, request->item, error));
}

void report_choice_finish(struct report_choice *choice)
{
    for (size_t i = 0; i < choice->paper_count; ++i)
        paper_free(choice->papers[i]);
    choice->paper_count = choice->item_count = 0;
}

bool report_choice_whole(const struct report_choice *choice)
{
    return choice->item_count && !choice->items[0].table && !choice->items[0].figure;
}
