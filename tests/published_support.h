// SPDX-License-Identifier: MIT
// Reading published values in tests.
#pragma once

#include "report/papers/published.h"

// Path of a file of paper_figures/.
void published_path(const char *name, char *path, size_t size);
// published.yaml of a paper; the test ends without it.
struct published *published_of(const char *paper);

// A cell's value, corrected where it is a misprint; NaN where there is none.
double published_value(const struct published *published, const char *table, const char *row, const char *column);
// As printed.
double published_printed(const struct published *published, const char *table, const char *row, const char *column);
// The words of a cell, corrected where they are a misprint; "" where there are none.
const char *published_words(const struct published *published, const char *table, const char *row, const char *column);
// A fact as text, "" where there is none, and as a number.
const char *published_said(const struct published *published, const char *section, const char *name);
double published_number(const struct published *published, const char *section, const char *name);

// Makes every single number a fifth larger, and fails where `violations` counts none then.
void published_corrupt_numbers(const struct published *published, int (*violations)(void));
