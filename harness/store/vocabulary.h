// SPDX-License-Identifier: MIT
#pragma once

#include "sql/handle.h"

// Fills the tables metric (beside what meanings.sql says), compute_capability and variant_trait from the tables of
// device/ and trial/.
bool vocabulary_fill(struct sql *db, struct error *error);
// Gives the connection the functions occupancy_warps, occupancy and occupancy_limit (version, block, registers, shared bytes), and
// span (least, most, digits).
bool vocabulary_functions(struct sql *db, struct error *error);
