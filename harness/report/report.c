// SPDX-License-Identifier: MIT
#include "report/report.h"

#include <string.h>

#include "report/report_folder.h"
#include "report/tables/table_document.h"

// ---- to a stream

static bool print_table(struct making *making, const struct paper *paper, const struct paper_table *definition,
                        struct error *error)
{
    struct report_table *table = making_table(making, paper, definition, error);
    if (!table)
        return false;
    making->printed += table->panel_count > 0;
    struct document document = {.count = 0};
    report_document(table, &document);
    if (table->panel_count)
        report_write(report_format_of(making->request->format), table, &document, making->request->stream);
    document_finish(&document);
    report_table_free(table);
    return true;
}

static bool print_item(struct making *making, const struct report_item *item, struct error *error)
{
    if (item->figure) {
        error_set(error, ERROR_USE, "%s consists of picture files", item->figure->id);
        return error_remedy(error, "give a folder for them: warpstudy report %s --output DIR", item->figure->id);
    }
    bool done = true;
    for (size_t i = 0; done && i < item->paper->table_count; ++i)
        if (!item->table || item->table == &item->paper->tables[i])
            done = print_table(making, item->paper, &item->paper->tables[i], error);
    return done;
}

static bool print_all(struct making *making, const struct report_choice *choice, struct error *error)
{
    for (size_t i = 0; i < choice->item_count; ++i)
        if (!print_item(making, &choice->items[i], error))
            return false;
    return true;
}

// ---- either

// Whole papers without a format go into a folder of their own.
static const char *choose_folder(const struct report_request *request, const struct report_choice *choice, char *text,
                                 size_t size)
{
    if (request->folder || request->format || !report_choice_whole(choice))
        return request->folder;
    snprintf(text, size, "%s%s%s", request->appendix ? "appendix" : "report", request->target ? "-" : "",
             request->target ? request->target : "");
    return text;
}

static bool check_appendix(const struct report_request *request, const struct report_choice *choice,
                           struct error *error)
{
    if (request->appendix && choice->item_count == 1 && choice->items[0].paper->synthesis) {
        error_set(error, ERROR_USE, "%s has no appendix: it is no document", choice->items[0].paper->id);
        return error_remedy(error, "name a paper, or none for all of them");
    }
    if (!request->appendix || (report_choice_whole(choice) && !request->format))
        return true;
    error_set(error, ERROR_USE, "--appendix is for whole papers, and is always LaTeX");
    return error_remedy(error, "leave out the table or figure, and --format");
}

bool report_run(const struct report_request *request, struct error *error)
{
    struct making making = {.request = request};
    struct report_choice choice;
    char name[128];
    bool done = report_choose(request, &choice, error) && check_appendix(request, &choice, error);
    const char *folder = done ? choose_folder(request, &choice, name, sizeof name) : NULL;
    if (done)
        done = folder ? report_into_folder(&making, &choice, folder, error) : print_all(&making, &choice, error);
    if (done && !folder)
        done = making.measured || making.printed || making_nothing(&making, error);
    if (done && request->target) // else each paper's page says so
        fputs(making.left_out, request->remarks);
    store_close(making.store);
    report_choice_finish(&choice);
    return done;
}
