// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"

struct plan;

// Makes the tables `point` and `schedule` of what `where` left. Uses SQL's shuffle_key, which plan_add_shuffle gives the database.
void plan_add_shuffle(struct plan *plan);
bool plan_schedule(struct plan *plan, struct error *error);
