// SPDX-License-Identifier: MIT
// What NVRTC is given of the kernels' source text.
#pragma once

#include "base/error.h"
#include "base/hash.h"
#include "device/kernel_text.h"

// A header, everything that it includes and everything that `text` includes (NULL = nothing), each once, in the order
// of first inclusion. Headers that are not embedded (the C side's own) are left out.
enum { CUDA_CLOSURE_MAX = 80 };
struct cuda_closure {
    const struct kernel_text *files[CUDA_CLOSURE_MAX];
    const char *names[CUDA_CLOSURE_MAX], *texts[CUDA_CLOSURE_MAX]; // theirs, as NVRTC takes them
    size_t count;
};
bool cuda_closure_init(struct cuda_closure *closure, const char *header, const char *text, struct error *error);

// Hash of names and texts as they stand: changes where line numbers do.
struct hash cuda_closure_hash(const struct cuda_closure *closure);
// Hash of the texts' code and of `more` (which may be NULL): a comment in a text changes nothing. Rows of .def files are left out, but
// for counts.def of counting builds.
struct hash cuda_closure_code_hash(const struct cuda_closure *closure, bool counting, const char *more);
// Whether a text, or `more` (which may be NULL), reads this option: CONFIG(..., name).
bool cuda_closure_reads(const struct cuda_closure *closure, const char *more, const char *name);
