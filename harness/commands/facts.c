// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/shared.h"
#include "commands/text_table.h"
#include "device/device.h"
#include "device/occupancy.h"
#include "trial/execute_settings.h"
#include "trial/variant.h"

enum { LIST_MOST = 64, AUTOMATIC = 0 }; // a register cap of 0 is the compiler's own choice

// What the options name, each with its default where it was not given.
struct choice {
    const char *variants[LIST_MOST];
    uint32_t architectures[LIST_MOST], caps[LIST_MOST], blocks[LIST_MOST], shared[LIST_MOST];
    size_t variant_count, architecture_count, cap_count, block_count, shared_count;
    struct parameters parameters;
    bool counting;
    enum text_format format;
};

// ---- options

static bool read_number(const char *option, const char *text, uint32_t least, uint32_t most, uint32_t *number,
                        struct error *error)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || value < least || value > most)
        return error_set(error, ERROR_USE, "--%s: '%s' is not a whole number from %u to %u", option, text,
                         (unsigned)least, (unsigned)most);
    *number = (uint32_t)value;
    return true;
}

// `automatic`: the word "auto" is a value too, AUTOMATIC.
static bool read_numbers(const struct command_line *line, const char *option, uint32_t least, uint32_t most,
                         bool automatic, uint32_t standard, uint32_t list[LIST_MOST], size_t *count,
                         struct error *error)
{
    const char *text;
    size_t place = 0;
    *count = 0;
    while ((text = command_next_option(line, option, &place))) {
        if (*count == LIST_MOST)
            return error_set(error, ERROR_USE, "--%s: %d values are the most", option, LIST_MOST);
        if (automatic && !strcmp(text, "auto"))
            list[(*count)++] = AUTOMATIC;
        else if (!read_number(option, text, least, most, &list[(*count)++], error))
            return false;
    }
    if (*count == 0)
        list[(*count)++] = standard;
    return true;
}

static bool read_variants(const struct command_line *line, struct choice *choice, struct error *error)
{
    const char *text;
    for (size_t place = 0;
         choice->variant_count < LIST_MOST && (text = command_next_option(line, "variant", &place));) {
        if (!variant_check(text, error))
            return false;
        choice->variants[choice->variant_count++] = text;
    }
    for (size_t i = 0; choice->variant_count < LIST_MOST && !command_option(line, "variant") && variant_table[i]; ++i)
        choice->variants[choice->variant_count++] = variant_table[i]->name;
    return true;
}

static bool read_choice(const struct command_line *line, struct choice *choice, struct error *error)
{
    const char *text;
    *choice = (struct choice){.parameters = parameters_default(), .counting = command_flag(line, "counting")};
    for (size_t place = 0; (text = command_next_option(line, "set", &place));)
        if (!command_set_parameter(&choice->parameters, text, error))
            return false;
    const uint32_t block = (uint32_t)choice->parameters.block;
    choice->format = (enum text_format)command_choice(line, "format");
    return read_variants(line, choice, error) &&
           read_numbers(line, "arch", 20, 999, false, 90, choice->architectures, &choice->architecture_count, error) &&
           read_numbers(line, "registers", 16, 255, true, AUTOMATIC, choice->caps, &choice->cap_count, error) &&
           read_numbers(line, "block", 1, 1024, false, block, choice->blocks, &choice->block_count, error) &&
           read_numbers(line, "shared", 0, 1 << 20, false, 0, choice->shared, &choice->shared_count, error);
}

// ---- occupancy alone

// "blocks, warps, most warps, occupancy %, limit", with tabs between them.
static const char *predict(const struct capability *capability, uint32_t block, uint32_t registers, uint64_t shared,
                           char text[96])
{
    if (!capability)
        return "\t\t\t\tno limits known";
    const struct occupancy occupancy = occupancy_predict(capability, block, registers, shared);
    snprintf(text, 96, "%u\t%u\t%u\t%.1f\t%s", (unsigned)occupancy.blocks, (unsigned)occupancy.warps,
             (unsigned)capability->max_warps, 100 * occupancy.share, occupancy_limit_names[occupancy.limit]);
    return text;
}

static void add_occupancy(struct text_table *table, const struct capability *capability, uint32_t registers,
                          uint32_t block, uint32_t shared)
{
    char text[96];
    text_table_print_row(table, "%u.%u\t%s\t%u\t%u\t%u\t%s", (unsigned)capability->version / 10,
                         (unsigned)capability->version % 10, capability->example, (unsigned)registers, (unsigned)block,
                         (unsigned)shared, predict(capability, block, registers, shared, text));
}

static bool print_occupancy(const struct choice *choice, struct error *error)
{
    struct text_table table;
    for (size_t r = 0; r < choice->cap_count; ++r)
        if (choice->caps[r] == AUTOMATIC) {
            error_set(error, ERROR_USE, "--occupancy wants to know the registers of a lane");
            return error_remedy(error, "add --registers 64, or leave out --occupancy to have the kernels compiled");
        }
    text_table_begin(&table, 10,
                     (const char *const[]){"capability", "example", "registers", "block", "shared", "blocks", "warps",
                                           "most warps", "occupancy %", "limit"});
    for (size_t r = 0; r < choice->cap_count; ++r)
        for (size_t b = 0; b < choice->block_count; ++b)
            for (size_t s = 0; s < choice->shared_count; ++s)
                for (const struct capability *row = capability_table; row->version; ++row)
                    add_occupancy(&table, row, choice->caps[r], choice->blocks[b], choice->shared[s]);
    const bool done = text_table_print(&table, choice->format, stdout, error);
    text_table_finish(&table);
    return done;
}

// ---- compiled kernels

// One build, while its kernels are visited.
struct inspecting {
    struct text_table *table;
    const struct choice *choice;
    const char *variant;
    uint32_t cap, architecture;
};

static void add_kernel(void *context, const char *kernel, const struct device_kernel_facts *facts)
{
    const struct inspecting *now = context;
    const struct capability *capability = capability_find(now->architecture);
    char cap[16] = "auto", text[96];
    if (now->cap != AUTOMATIC)
        snprintf(cap, sizeof cap, "%u", (unsigned)now->cap);
    for (size_t b = 0; b < now->choice->block_count; ++b)
        for (size_t s = 0; s < now->choice->shared_count; ++s) {
            const uint64_t bytes = now->choice->shared[s] + (uint64_t)facts->static_shared_bytes;
            text_table_print_row(now->table, "%s\t%s\tsm_%u\t%s\t%d\t%d\t%d\t%d\t%u\t%u\t%s", now->variant, kernel,
                                 (unsigned)now->architecture, cap, (int)facts->registers, (int)facts->spill_bytes,
                                 (int)facts->local_bytes, (int)facts->static_shared_bytes,
                                 (unsigned)now->choice->shared[s], (unsigned)now->choice->blocks[b],
                                 predict(capability, now->choice->blocks[b], (uint32_t)facts->registers, bytes, text));
        }
}

static const struct device_backend *find_inspector(struct error *error)
{
    for (const struct device_backend *const *row = device_backends; *row; ++row)
        if ((*row)->inspect)
            return *row;
    error_set(error, ERROR_UNSUPPORTED, "no device of this program can compile without running");
    return NULL;
}

static bool inspect_all(const struct choice *choice, struct text_table *table, struct error *error)
{
    const struct device_backend *backend = find_inspector(error);
    struct device_constant constants[EXECUTE_CONSTANTS];
    struct config config;
    const size_t constant_count = execute_constants(&choice->parameters, constants, &config);
    for (size_t v = 0; backend && v < choice->variant_count; ++v)
        for (size_t a = 0; a < choice->architecture_count; ++a)
            for (size_t r = 0; r < choice->cap_count; ++r) {
                const struct device_build build = {choice->variants[v], choice->counting, choice->caps[r], constants,
                                                   constant_count};
                struct inspecting now = {table, choice, choice->variants[v], choice->caps[r], choice->architectures[a]};
                if (!backend->inspect(&build, choice->architectures[a], add_kernel, &now, error))
                    return false;
            }
    return backend != NULL;
}

static bool print_facts(const struct choice *choice, struct error *error)
{
    struct text_table table;
    text_table_begin(&table, 15,
                     (const char *const[]){"variant", "kernel", "arch", "cap", "registers", "spilled", "local",
                                           "static shared", "shared", "block", "blocks", "warps", "most warps",
                                           "occupancy %", "limit"});
    const bool done = inspect_all(choice, &table, error) && text_table_print(&table, choice->format, stdout, error);
    text_table_finish(&table);
    return done;
}

static bool run(const struct command_line *line, struct error *error)
{
    struct choice choice;
    return read_choice(line, &choice, error) &&
           (command_flag(line, "occupancy") ? print_occupancy(&choice, error) : print_facts(&choice, error));
}

static const struct command_option options[] = {
    {"variant", "NAME", "its kernels only; may be repeated; default all", 'v'},
    {"arch", "NN", "compute capability, 90 for 9.0; may be repeated; default 90", 'a'},
    {"registers", "N", "register cap, or auto; may be repeated; default auto", 'r'},
    {"block", "LANES", "lanes per block; may be repeated; default 64", 'b'},
    {"shared", "BYTES", "dynamic shared memory per block; may be repeated; default 0", 0},
    {"occupancy", NULL, "compile nothing: occupancy of every known capability at --registers", 0},
    {"counting", NULL, "the instrumented builds instead of the clean ones", 0},
    COMMAND_OPTION_SET,
    COMMAND_OPTION_FORMAT,
    COMMAND_OPTIONS_END,
};

const struct command command_facts = {
    .name = "facts",
    .arguments = "[--variant NAME]... [--arch NN]... [--registers N]... [--occupancy]",
    .summary = "registers, spills and predicted occupancy of kernels, without a GPU",
    .details = "Compiles for each capability and register cap, and predicts how many blocks and warps a\n"
               "multiprocessor holds and what keeps it from holding more. Spills and local memory are in bytes per\n"
               "lane, shared memory in bytes per block.",
    .options = options,
    .run = run,
};
