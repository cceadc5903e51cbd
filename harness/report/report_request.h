// SPDX-License-Identifier: MIT
// What a report is asked for.
#pragma once

#include <stdio.h>

#include "report/tables/table.h"

struct report_request {
    const char *target;   // a paper, a table or a figure; NULL = everything
    const char *item;     // where target is a paper: one table or figure of it; NULL = all of them
    const char *database; // path
    const char *format;   // of report_formats; NULL: text to the stream, every format into a folder
    bool appendix;        // of whole papers: the appendix alone, with what it shows
    const char *folder;   // where files go; NULL: tables to the stream
    struct report_options options;
    FILE *stream;  // tables, or the names of the files made
    FILE *remarks; // what was left out and why
};
