// SPDX-License-Identifier: MIT
// One report in the making: what a stream and a folder share.
#pragma once

#include "report/report_request.h"
#include "report/report_choose.h"

struct making {
    const struct report_request *request;
    struct store *store;          // opened when the first table asks for it
    const struct paper *prepared; // whose tables the store has
    size_t measured, empty;       // tables with something measured; tables that could have, and have not
    size_t printed;               // tables on the stream
    char remedy[900];             // for the first of these
    char left_out[16384];         // a line for each
    bool no_gnuplot;
};

// A table with its data; one without panels is noted, with the command that changes it. NULL and an error as
// report_table_build.
struct report_table *making_table(struct making *making, const struct paper *paper,
                                  const struct paper_table *definition, struct error *error);
// Opens the database, where it is not open yet.
bool making_store(struct making *making, struct error *error);
// Whether anything in it was measured: the paper's half and what follows from it alone do not count.
bool making_measured(const struct report_table *table);
// Sets the error of a report for which nothing was measured. Always false.
bool making_nothing(const struct making *making, struct error *error);
