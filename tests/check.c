// SPDX-License-Identifier: MIT
#include "check.h"

struct error why;

void need_failed(const char *call)
{
    char text[2200];
    error_format(&why, text, sizeof text);
    fail_msg("%s: %s", call, text);
}

void *check_made(void *made, const char *call)
{
    if (!made)
        need_failed(call);
    return made;
}

void check_refused(bool refused, const char *call, const char *words, const char *advice)
{
    if (!refused || !why.kind || !strstr(why.message, words) || !strstr(why.remedy, advice))
        fail_msg("%s says '%s' and '%s', not '%s' and '%s'", call, why.message, why.remedy, words, advice);
}
