// SPDX-License-Identifier: MIT
// What several papers show together, then each of them in its sentences with a link, as a document.
#include "report/claims/claims_document.h"
#include "report/report_page.h"

// Whether a page shows any column of it.
static bool is_shown(const struct report_table *table)
{
    for (size_t i = 0; i < table->definition->column_count; ++i)
        if (!table->definition->columns[i].csv_only)
            return making_measured(table);
    return false;
}

void page_findings(const struct report_page *page, const struct claims_survey *survey, struct document *document)
{
    const struct claims_page claims = {.survey = survey};
    doc_heading(document, 1, NULL, "Findings");
    if (page) {
        page_found(page, document);
        page_pictures(page, NULL, true, page->prefix, document);
    }
    for (size_t i = 0; page && i < page->table_count; ++i)
        if (is_shown(page->tables[i]))
            page_table(page->tables[i], page->prefix, document);
    doc_heading(document, 2, "verdicts", "Verdicts on the claims of each document");
    claims_summary(&claims, document);
    claims_conflicts_part(&claims, document);
}

void page_index(const struct report_page *pages, size_t count, struct document *document)
{
    const struct report_page *synthesis = NULL;
    for (size_t i = 0; i < count; ++i)
        if (pages[i].paper->synthesis)
            synthesis = &pages[i];
    if (count)
        page_findings(synthesis, pages->survey, document);
    for (size_t i = 0; i < count; ++i) {
        if (pages[i].paper->synthesis)
            continue;
        doc_heading(document, 2, pages[i].paper->id, page_title(&pages[i]));
        doc_add(document, DOC_TEXT, DOC_ASIDE, page_origin(&pages[i], document));
        page_found(&pages[i], document);
        doc_add(document, DOC_LINKS, DOC_PLAIN, doc_text(document, "%s/index.html", pages[i].paper->id));
    }
}
