// SPDX-License-Identifier: MIT
#include "run/cores.h"

#include <stdio.h>
#include <stdlib.h>

#include "run/environment.h"

// The first of the hardware threads that share a core with this one.
static int core_of(int thread)
{
    char path[96], text[64];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", thread);
    environment_file(path, text, sizeof text);
    return text[0] ? atoi(text) : thread;
}

// Numbers the units that threads belong to from 0, by their first thread. Returns how many there are.
static size_t number_units(const cpu_set_t *allowed, bool whole_cores, size_t units[CPU_SETSIZE])
{
    int first[CPU_SETSIZE]; // thread of each unit
    size_t count = 0;
    for (int i = 0; i < CPU_SETSIZE; ++i) {
        if (!CPU_ISSET(i, allowed))
            continue;
        const int core = whole_cores ? core_of(i) : i;
        units[i] = 0;
        while (units[i] < count && first[units[i]] != core)
            units[i] += 1;
        if (units[i] == count)
            first[count++] = core;
    }
    return count;
}

bool cores_share(size_t count, cpu_set_t *shares)
{
    cpu_set_t allowed;
    size_t units[CPU_SETSIZE], there;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return false;
    if ((there = number_units(&allowed, true, units)) < count && (there = number_units(&allowed, false, units)) < count)
        return false;
    for (size_t i = 0; i < count; ++i)
        CPU_ZERO(&shares[i]);
    for (int i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &allowed))
            CPU_SET(i, &shares[units[i] * count / there]);
    return true;
}

void cores_format(const cpu_set_t *cores, char *text, size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (int i = 0, last; i < CPU_SETSIZE && length < size; i = last + 1) {
        last = i;
        if (!CPU_ISSET(i, cores))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, cores))
            ++last;
        length +=
            (size_t)snprintf(text + length, size - length, last > i ? "%s%d-%d" : "%s%d", length ? "," : "", i, last);
    }
}
