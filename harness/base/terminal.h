// SPDX-License-Identifier: MIT
// Names and texts of files may hold anything, also what tells a terminal to do something, or shows text in another order
// than it is written. Whatever a program prints goes through here: utf8_make_safe leaves a `?` for it.
#pragma once

// From here on the standard output and error are so guarded: no line of the program has to think of it.
void terminal_guard(void);
// What is printed from here on is data for programs (CSV, JSON, a page): exact, except on a terminal.
void terminal_exact(void);
// Draws the line of the standard error anew, which must be a terminal; "" clears it.
void terminal_draw(const char *line);
