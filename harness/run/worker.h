// SPDX-License-Identifier: MIT
// The other end of a coordinator's pipes.
#pragma once

#include "base/error.h"

// Answers requests on descriptor 0 over descriptor 1 until there are no more. Descriptor 1 becomes a copy of 2 before
// anything else runs, so that nothing printed by accident reaches the coordinator.
//
// $WARPSTUDY_FAULT, for tests, is `WHO:KIND@N[,...]`, WHO `worker`, a collection or `describe`: with its N-th execution, counted
// from 1 in each worker process, a worker (of that collection)
//   crash    ends by SIGABRT        hang     never answers
//   fail     answers with an error  garble   answers with half a line, then leaves
//   babble   fills its standard error for ever    flood    begins an answer that takes for ever
//   illegal  has its kernels write to an illegal address
//   oom      asks for more memory than the device has
//
// `ordinal`: of the device that a spec without a number means, as text; NULL: the first.
bool worker_serve(const char *ordinal, struct error *error);
