// SPDX-License-Identifier: MIT
// What a report is asked for, found in the papers.
#pragma once

#include "report/report_request.h"

enum { REPORT_PAPERS = 64, REPORT_ITEMS = 128 };

// A table, a figure, or, with neither, a whole paper.
struct report_item {
    const struct paper *paper;
    const struct paper_table *table;
    const struct paper_figure *figure;
};

struct report_choice {
    struct paper *papers[REPORT_PAPERS]; // that were loaded
    struct report_item items[REPORT_ITEMS];
    size_t paper_count, item_count;
};

// Errors: no such paper, table or figure (with a suggestion), a damaged paper. Finish the choice in any case.
bool report_choose(const struct report_request *request, struct report_choice *choice, struct error *error);
void report_choice_finish(struct report_choice *choice);
// Whether whole papers were asked for.
bool report_choice_whole(const struct report_choice *choice);
// Of how many papers the items are.
size_t report_choice_papers(const struct report_choice *choice);
