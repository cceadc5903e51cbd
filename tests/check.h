// SPDX-License-Identifier: MIT
// What every unit test includes: cmocka with the headers that it needs, and the usual ones.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
