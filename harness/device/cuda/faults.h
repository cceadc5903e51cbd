// SPDX-License-Identifier: MIT
// Calls of the driver, and what its errors mean.
#pragma once

#include "device/cuda/api.h"

// CUDA_CALL(error, field, arguments...): calls cuda_driver.field once; on failure sets an error with the cause, the
// call, its place and the driver's name for it, and is false. Use it only after cuda_driver_load succeeded. The error's
// kind is ERROR_DEVICE where the context is dead: every later call of this process fails too.
#define CUDA_CALL(error, field, ...)                                                                                   \
    cuda_check(cuda_driver_load(NULL)->field(__VA_ARGS__), #field "(" #__VA_ARGS__ ")", __FILE__, __LINE__, (error))
bool cuda_check(CUresult result, const char *call, const char *file, int line, struct error *error);
// The same for a result that somebody else gave, with its name and words (each may be NULL).
bool cuda_report(int result, const char *name, const char *words, const char *call, struct error *error);
