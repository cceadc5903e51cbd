// SPDX-License-Identifier: MIT
#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int terminal_width(int descriptor)
{
    struct winsize size;
    if (!isatty(descriptor))
        return 0;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

bool terminal_colours(int descriptor)
{
    const char *unwanted = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(descriptor) && term && strcmp(term, "dumb") != 0 && !(unwanted && unwanted[0]);
}
