// SPDX-License-Identifier: MIT
// Where papers are, besides what paper.h offers to everybody.
#pragma once

#include <stdbool.h>

#include "base/error.h"

// The error of a name that no paper has, with a suggestion. Returns false.
bool paper_unknown(const char *id, struct error *error);
