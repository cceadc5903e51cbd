// SPDX-License-Identifier: MIT
// What a report is asked for, found in the papers.
#pragma once

#include "report/report_request.h"

// A table, a figure, or, with neither, a whole paper.
struct report_item {
    const struct paper *paper;
    const struct paper_table *table;
    const struct paper_figure *figure;
};

struct report_choice {
    struct paper *papers[PAPERS_MAX];     // that were loaded
    struct report_item items[PAPERS_MAX]; // one of a paper at most
    size_t paper_count, item_count;
};

// Errors: no such paper, table or figure (with a suggestion), a damaged paper. Finish the choice in any case.
bool report_choose(const struct report_request *request, struct report_choice *choice, struct error *error);
void report_choice_finish(struct report_choice *choice);
// Whether whole papers were asked for.
bool report_choice_whole(const struct report_choice *choice);
