// SPDX-License-Identifier: MIT
// The kernels' source text, which scripts/embed-kernels puts into the program, so that run-time compilers need no source tree.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct kernel_text {
    const char *name; // as it stands in an #include: "lib/vec.h", "variants/wald2011/naive.kernel.h"
    const char *text;
    const char *code; // hash of the text without comments and blank space, but for the marks of sites
};
extern const struct kernel_text kernel_texts[]; // ends with a NULL name

// The file of that name, of `length` characters; NULL where it is none of them, as the C side's own headers.
const struct kernel_text *kernel_text_find(const char *name, size_t length);

// The kernels of a build: of "naive" variants/wald2011/naive.kernel.h, of "tools/rays" tools/rays.kernel.h; NULL where there are none.
const struct kernel_text *kernel_text_of(const char *build);

// The file that an #include at the start of `line` names; NULL where it is no #include, or of none of them.
const struct kernel_text *kernel_text_included(const char *line);

// Whether a CONFIG(..., option) stands in the text.
bool kernel_text_reads(const char *text, const char *option);

// Whether a build's hash covers the file. Not the lists (.def): what they say shows where it is read. But for
// lib/counts.def in counting builds.
bool kernel_text_counts(const struct kernel_text *text, bool counting);
