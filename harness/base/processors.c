// SPDX-License-Identifier: MIT
#include "base/processors.h"

#include <sched.h>
#include <unistd.h>

uint32_t processors_usable(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
    const long online = sysconf(_SC_NPROCESSORS_ONLN); // of more than such a set can hold
    return online > 0 ? (uint32_t)online : 1;
}
