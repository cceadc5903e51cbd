// SPDX-License-Identifier: MIT
#include "run/environment.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/processors.h"
#include "source_hashes.h" // made at build time: HOST_SOURCE_HARNESS
#include "build_facts.h"
#include "version.h" // made at build time: WARPSTUDY_COMMIT, "" outside a checkout

const char *environment_version(void)
{
    return WARPSTUDY_COMMIT[0] ? WARPSTUDY_VERSION " (" WARPSTUDY_COMMIT ")" : WARPSTUDY_VERSION;
}

const char *environment_harness(void)
{
    return HOST_SOURCE_HARNESS;
}

const char *environment_timeline(void)
{
    return HOST_SOURCE_TIMELINE;
}

void environment_file(const char *path, char *text, size_t size)
{
    text[0] = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    if (!fgets(text, (int)size, file))
        text[0] = 0;
    fclose(file);
    text[strcspn(text, "\n")] = 0;
}

// The value of the first line of /proc/cpuinfo that begins with `key`.
static void cpuinfo(const char *key, char *text, size_t size)
{
    char line[8192];
    text[0] = 0;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)))
            continue;
        const char *colon = strchr(line, ':');
        snprintf(text, size, "%s", colon ? colon + 1 + strspn(colon + 1, " ") : "");
        text[strcspn(text, "\n")] = 0;
        break;
    }
    if (file)
        fclose(file);
}

void environment_processor(char *text, size_t size)
{
    cpuinfo("model name", text, size);
    if (!text[0])
        snprintf(text, size, "unknown");
}

int environment_has_flag(const char *flag)
{
    char flags[8192], word[64];
    cpuinfo("flags", flags, sizeof flags - 2);
    strcat(flags, " ");
    memmove(flags + 1, flags, strlen(flags) + 1);
    flags[0] = ' ';
    snprintf(word, sizeof word, " %s ", flag);
    return strstr(flags, word) != NULL;
}

uint64_t environment_memory(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

void environment_add(struct run_environment *environment, const char *name, const char *value)
{
    if (environment->count == ENVIRONMENT_ROWS || !value[0])
        return;
    char *text = environment->texts[environment->count];
    snprintf(text, sizeof environment->texts[0], "%s", value);
    environment->pairs[2 * environment->count] = name;
    environment->pairs[2 * environment->count + 1] = text;
    environment->count += 1;
    environment->pairs[2 * environment->count] = NULL;
}

void environment_collect(struct run_environment *environment)
{
    *environment = (struct run_environment){.count = 0};
    char text[192];
    struct utsname system;
    environment_add(environment, "program", WARPSTUDY_VERSION);
    environment_add(environment, "commit", WARPSTUDY_COMMIT);
    environment_add(environment, "harness", environment_harness());
    environment_add(environment, "compiler", __VERSION__);
    environment_add(environment, "libraries", WARPSTUDY_LIBRARIES);
    environment_add(environment, "libc", gnu_get_libc_version());
    environment_processor(text, sizeof text);
    environment_add(environment, "processor", text);
    snprintf(text, sizeof text, "%u", processors_usable());
    environment_add(environment, "cores", text);
    snprintf(text, sizeof text, "%llu", (unsigned long long)environment_memory());
    environment_add(environment, "memory_bytes", text);
    environment_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", text, sizeof text);
    environment_add(environment, "cpu_governor", text);
    environment_file("/sys/kernel/mm/transparent_hugepage/enabled", text, sizeof text);
    environment_add(environment, "huge_pages", text);
    if (uname(&system) == 0) {
        snprintf(text, sizeof text, "%.60s %.60s %.60s", system.sysname, system.release, system.machine);
        environment_add(environment, "system", text);
        environment_add(environment, "host", system.nodename);
    }
    environment_file("/proc/driver/nvidia/version", text, sizeof text);
    environment_add(environment, "nvidia_driver", text);
}
