// SPDX-License-Identifier: MIT
// The kernels' source text, which scripts/embed-kernels puts into the program, so that NVRTC needs no source tree.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/hash.h"

struct cuda_source {
    const char *name; // as it stands in an #include: "lib/vec.h", "variants/wald2011/naive.kernel.h", "cuda/select.h"
    const char *text;
    const char *code; // hash of the text without comments and blank space, but for the marks of sites
};
extern const struct cuda_source cuda_sources[]; // ends with a NULL name

// The header of a variant's or tool's kernels: "naive" gives "variants/wald2011/naive.kernel.h".
void cuda_kernel_header(const char *name, char *header, size_t size);

// A header, everything that it includes and everything that `text` includes (NULL = nothing), each once, in the order
// of first inclusion. Headers that are not embedded (the C side's own) are left out.
enum { CUDA_CLOSURE_MAX = 80 };
struct cuda_closure {
    const char *names[CUDA_CLOSURE_MAX], *texts[CUDA_CLOSURE_MAX], *codes[CUDA_CLOSURE_MAX];
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
