// SPDX-License-Identifier: MIT
#include "report/report_choose.h"

#include <string.h>

struct choosing {
    struct report_choice *choice;
    const char *word; // a table or figure; NULL = the whole paper
    bool only;        // there is a paper of that name
    char near[REPORT_ITEMS + 1][64];
    const char *names[REPORT_ITEMS + 1]; // that there are, for a suggestion
    size_t name_count;
    struct error *error;
    bool failed;
};

static void remember(struct choosing *choosing, const char *name)
{
    for (size_t i = 0; i < choosing->name_count; ++i)
        if (!strcmp(choosing->near[i], name))
            return;
    if (choosing->name_count == REPORT_ITEMS)
        return;
    snprintf(choosing->near[choosing->name_count], sizeof choosing->near[0], "%s", name);
    choosing->names[choosing->name_count] = choosing->near[choosing->name_count];
    ++choosing->name_count;
}

static bool find_paper(void *context, const char *id)
{
    struct choosing *choosing = context;
    remember(choosing, id);
    choosing->only = !strcmp(id, choosing->word);
    return !choosing->only;
}

static bool add_item(struct choosing *choosing, const struct paper *paper, const struct paper_table *table,
                     const struct paper_figure *figure)
{
    struct report_choice *choice = choosing->choice;
    if (choice->item_count == REPORT_ITEMS)
        return error_set(choosing->error, ERROR_SYSTEM, "more than %d tables and figures in one report", REPORT_ITEMS);
    choice->items[choice->item_count++] = (struct report_item){paper, table, figure};
    return true;
}

// A table, where there is one of that name, else a figure, else the names that there are.
static bool add_named(struct choosing *choosing, const struct paper *paper)
{
    const struct paper_table *table = paper_table_find(paper, choosing->word);
    const struct paper_figure *figure = table ? NULL : paper_figure_find(paper, choosing->word);
    if (table || figure)
        return add_item(choosing, paper, table, figure);
    for (size_t i = 0; i < paper->table_count; ++i)
        remember(choosing, paper->tables[i].id);
    for (size_t i = 0; i < paper->figure_count; ++i)
        remember(choosing, paper->figures[i].id);
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

static bool load_paper(struct choosing *choosing, const char *id)
{
    struct report_choice *choice = choosing->choice;
    const size_t before = choice->item_count;
    struct paper *paper = paper_load(id, choosing->error);
    if (!paper)
        return false;
    const bool done = choosing->word ? add_named(choosing, paper) : add_item(choosing, paper, NULL, NULL);
    if (choice->item_count == before || choice->paper_count == REPORT_PAPERS)
        paper_free(paper);
    else
        choice->papers[choice->paper_count++] = paper;
    return done;
}

static bool visit_paper(void *context, const char *id)
{
    struct choosing *choosing = context;
    choosing->failed = !load_paper(choosing, id);
    return !choosing->failed;
}

// Claims are looked for elsewhere, where a paper is named.
static bool unknown_word(const struct choosing *choosing, bool claims)
{
    char list[400] = "";
    size_t used = 0, i = 0;
    for (; i < choosing->name_count && used + strlen(choosing->names[i]) + 3 < sizeof list; ++i)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", choosing->names[i]);
    const char *more = i < choosing->name_count ? ", ..." : "";
    const char *near = error_suggest(choosing->word, choosing->names);
    error_set(choosing->error, ERROR_USE, "there is no %s '%.100s'",
              claims ? "table, figure or claim" : "paper, table or figure", choosing->word);
    return near     ? error_remedy(choosing->error, "did you mean '%s'?", near)
           : claims ? error_remedy(choosing->error, "there are: %s%s; and claims, listed by --claims", list, more)
                    : error_remedy(choosing->error, "there are: %s%s; a claim wants its paper before it", list, more);
}

// One paper of that name, else everything of that name in any paper.
static bool choose_word(struct choosing *choosing)
{
    char id[64];
    if (choosing->word && !paper_each(find_paper, choosing, choosing->error))
        return false;
    if (choosing->only) {
        snprintf(id, sizeof id, "%s", choosing->word);
        choosing->word = NULL;
        return load_paper(choosing, id);
    }
    const bool done = paper_each(visit_paper, choosing, choosing->error) && !choosing->failed;
    if (choosing->word)
        prefer_measured(choosing->choice);
    return done;
}

bool report_choose(const struct report_request *request, struct report_choice *choice, struct error *error)
{
    *choice = (struct report_choice){.item_count = 0};
    struct choosing choosing = {
        .choice = choice, .word = request->item ? request->item : request->target, .error = error};
    const bool done = request->item ? load_paper(&choosing, request->target) : choose_word(&choosing);
    return done && (choice->item_count || unknown_word(&choosing, request->item != NULL));
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

size_t report_choice_papers(const struct report_choice *choice)
{
    size_t count = 0;
    for (size_t i = 0; i < choice->item_count; ++i) // those of one paper follow each other
        count += !i || choice->items[i].paper != choice->items[i - 1].paper;
    return count;
}
