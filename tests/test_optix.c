// SPDX-License-Identifier: MIT
// What is said where OptiX is missing, another, or fails, by a library that answers as OptiX would (fake_optix.c). Each case is a process,
// since a process opens one library once.
//
// usage: test_optix FAKE_OPTIX
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/optix/optix.h"

static int failures;

static void expect(const char *what, bool holds, const struct error *error)
{
    if (holds)
        return;
    ++failures;
    printf("FAIL %s: %s (%s)\n", what, error->message, error->remedy);
}

static bool says(const struct error *error, enum error_kind kind, const char *message, const char *remedy)
{
    return error->kind == kind && strstr(error->message, message) && strstr(error->remedy, remedy);
}

static void library_is_missing(void)
{
    struct error error = {0};
    setenv("WARPSTUDY_OPTIX_LIBRARY", "/nowhere.so", 1);
    expect("no library", !optix_open(NULL, &error) && says(&error, ERROR_UNSUPPORTED, "no OptiX here", "driver"),
           &error);
}

static void abi_is_another(void)
{
    struct error error = {0};
    expect("old", !optix_open(NULL, &error) && says(&error, ERROR_UNSUPPORTED, "has no ABI", "-Doptix"), &error);
}

static void answer_is_odd(void)
{
    struct error error = {0};
    expect("odd", !optix_open(NULL, &error) && says(&error, ERROR_UNSUPPORTED, "does not answer", "driver again"),
           &error);
}

static void context_fails(void)
{
    struct error error = {0};
    expect("no context",
           !optix_open(NULL, &error) && says(&error, ERROR_FAILED, "words of the fake (SOME_ERROR, 7001)", ""), &error);
}

// Of a structure that has no room, and of code that is none.
static void check_failures(struct optix *optix)
{
    struct error error = {0};
    struct device_structure structure;
    const struct device_structure_input input = {.count = 1000, .stride = 16, .compact = true};
    expect("too large",
           !optix_build(optix, &input, &structure, &error) &&
               says(&error, ERROR_SYSTEM, "the GPU's memory is full (OUT_OF_MEMORY", "smaller scene"),
           &error);
    error = (struct error){0};
    expect("no module",
           !optix_module_create(optix, "none", 4, 64, &error) &&
               says(&error, ERROR_FAILED, "words of the fake", "COMPILER: 4 bytes are no module, at most 64 registers"),
           &error);
}

static void software_traverses(void)
{
    struct error error = {0};
    struct optix *optix = optix_open(NULL, &error);
    expect("software", optix && !optix_facts(optix)->rt_cores && !optix_facts(optix)->reorders, &error);
    check_failures(optix);
    optix_close(optix);
}

static void hardware_traverses(void)
{
    struct error error = {0};
    char name[32];
    struct optix *optix = optix_open(NULL, &error);
    snprintf(name, sizeof name, "OptiX %u.%u", optix_version() / 10000, optix_version() % 10000 / 100);
    expect("hardware",
           optix && optix_facts(optix)->rt_cores == 20 && optix_facts(optix)->reorders &&
               !strcmp(optix_facts(optix)->name, name),
           &error);
    optix_close(optix);
}

static void headers_are_looked_for(void)
{
    struct error error = {0};
    setenv("WARPSTUDY_OPTIX", "/nowhere", 1);
    expect("no headers",
           !optix_headers(&error) && says(&error, ERROR_UNSUPPORTED, "/nowhere has no optix.h", "WARPSTUDY_OPTIX"),
           &error);
    unsetenv("WARPSTUDY_OPTIX");
    expect("headers of the build", optix_headers(&error) != NULL, &error);
}

static void run_case(const char *kind, void (*check)(void))
{
    fflush(stdout);
    const pid_t process = fork();
    if (process == 0) {
        setenv("FAKE_OPTIX", kind, 1);
        check();
        fflush(stdout);
        _exit(failures ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    int status = 0;
    failures += waitpid(process, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
    if (count != 2)
        return EXIT_FAILURE;
    setenv("WARPSTUDY_OPTIX_LIBRARY", arguments[1], 1);
    run_case("", library_is_missing);
    run_case("old", abi_is_another);
    run_case("odd", answer_is_odd);
    run_case("no context", context_fails);
    run_case("small", software_traverses);
    run_case("rt", hardware_traverses);
    run_case("", headers_are_looked_for);
    printf("7 cases, %d failed\n", failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
