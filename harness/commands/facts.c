// SPDX-License-Identifier: MIT
#include <string.h>

#include "commands/shared.h"
#include "commands/text_table.h"
#include "device/device.h"
#include "device/occupancy.h"
#include "trial/execute_settings.h"
#include "frame/variant.h"

enum { LIST_MOST = 64, AUTOMATIC = 0 }; // a register cap of 0 is the compiler's own choice

struct numbers {
    long long values[LIST_MOST];
    size_t count;
};

// What the options name, each with its default where it was not given.
struct choice {
    const char *variants[LIST_MOST];
    size_t variant_count;
    struct numbers architectures, caps, blocks, shared;
    struct parameters parameters;
    bool counting;
    enum text_format format;
};

// ---- options

static bool read_numbers(const struct command_line *line, const char *option, long long least, long long most,
                         long long standard, struct numbers *numbers, struct error *error)
{
    const char *text;
    for (size_t place = 0; (text = command_next_option(line, option, &place));) {
        if (numbers->count == LIST_MOST)
            return error_set(error, ERROR_USE, "--%s: at most %d values", option, LIST_MOST);
        long long *value = &numbers->values[numbers->count++];
        if (!strcmp(option, "registers") && !strcmp(text, "auto"))
            *value = AUTOMATIC;
        else if (!command_number(option, text, least, most, value, error))
            return false;
    }
    if (!numbers->count)
        numbers->values[numbers->count++] = standard;
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
    choice->format = (enum text_format)command_choice(line, "format");
    choice->counting = command_flag(line, "counting");
    if (!command_set_parameters(line, &choice->parameters, error))
        return false;
    const int64_t cap = choice->parameters.registers;
    return read_variants(line, choice, error) &&
           read_numbers(line, "arch", 20, 999, 90, &choice->architectures, error) &&
           read_numbers(line, "registers", 16, 255, cap == PARAMETER_AUTO ? AUTOMATIC : cap, &choice->caps, error) &&
           read_numbers(line, "block", 1, 1024, choice->parameters.block, &choice->blocks, error) &&
           read_numbers(line, "shared", 0, 1 << 20, choice->parameters.shared_pad, &choice->shared, error);
}

// ---- occupancy alone

// The last cells of a row: how many blocks a multiprocessor holds of kernels that need so much.
static void add_prediction(struct text_table *table, const struct capability *capability, long long block,
                           long long registers, long long shared)
{
    if (!capability) {
        text_table_add(table, "\t\t\t\tno limits known");
        return;
    }
    const struct occupancy occupancy =
        occupancy_predict(capability, (uint32_t)block, (uint32_t)registers, (uint64_t)shared);
    text_table_add(table, "%u\t%u\t%u\t%.1f\t%s", (unsigned)occupancy.blocks, (unsigned)occupancy.warps,
                   (unsigned)capability->max_warps, 100 * occupancy.share, occupancy_limit_names[occupancy.limit]);
}

static bool list_occupancy(const struct choice *choice, struct text_table *table, struct error *error)
{
    text_table_add(table,
                   "capability\texample\tregisters\tblock\tshared\tblocks\twarps\tmost warps\toccupancy %%\tlimit");
    for (size_t r = 0; r < choice->caps.count; ++r) {
        if (choice->caps.values[r] == AUTOMATIC) {
            error_set(error, ERROR_USE, "--occupancy needs the number of registers per lane");
            return error_remedy(error, "add --registers 64, or leave out --occupancy to have the kernels compiled");
        }
        for (size_t b = 0; b < choice->blocks.count; ++b)
            for (size_t s = 0; s < choice->shared.count; ++s)
                for (const struct capability *row = capability_table; row->version; ++row) {
                    text_table_add(table, "%u.%u\t%s\t%lld\t%lld\t%lld", (unsigned)row->version / 10,
                                   (unsigned)row->version % 10, row->example, choice->caps.values[r],
                                   choice->blocks.values[b], choice->shared.values[s]);
                    add_prediction(table, row, choice->blocks.values[b], choice->caps.values[r],
                                   choice->shared.values[s]);
                }
    }
    return true;
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
    const struct choice *choice = now->choice;
    char cap[16] = "auto";
    if (now->cap != AUTOMATIC)
        snprintf(cap, sizeof cap, "%u", (unsigned)now->cap);
    for (size_t b = 0; b < choice->blocks.count; ++b)
        for (size_t s = 0; s < choice->shared.count; ++s) {
            text_table_add(now->table, "%s\t%s\tsm_%u\t%s\t%d\t%d\t%d\t%d\t%lld\t%lld", now->variant, kernel,
                           (unsigned)now->architecture, cap, (int)facts->registers, (int)facts->spill_bytes,
                           (int)facts->local_bytes, (int)facts->static_shared_bytes, choice->shared.values[s],
                           choice->blocks.values[b]);
            add_prediction(now->table, capability_find(now->architecture), choice->blocks.values[b], facts->registers,
                           choice->shared.values[s] + facts->static_shared_bytes);
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

static bool list_kernels(const struct choice *choice, struct text_table *table, struct error *error)
{
    const struct device_backend *backend = find_inspector(error);
    struct device_constant constants[EXECUTE_CONSTANTS];
    struct config config;
    const size_t constant_count = execute_constants(&choice->parameters, constants, &config);
    text_table_add(table,
                   "variant\tkernel\tarch\tcap\tregisters\tspilled\tlocal\tstatic shared\tshared\tblock\tblocks\t"
                   "warps\tmost warps\toccupancy %%\tlimit");
    for (size_t v = 0; backend && v < choice->variant_count; ++v)
        for (size_t a = 0; a < choice->architectures.count; ++a)
            for (size_t r = 0; r < choice->caps.count; ++r) {
                struct inspecting now = {table, choice, choice->variants[v], (uint32_t)choice->caps.values[r],
                                         (uint32_t)choice->architectures.values[a]};
                const struct device_build build = {now.variant, choice->counting, now.cap, constants, constant_count};
                if (!backend->inspect(&build, now.architecture, add_kernel, &now, error))
                    return false;
            }
    return backend != NULL;
}

static bool facts_run(const struct command_line *line, struct error *error)
{
    struct choice choice = {.parameters = parameters_default()};
    struct text_table table = {0};
    const bool done = read_choice(line, &choice, error) &&
                      (command_flag(line, "occupancy") ? list_occupancy : list_kernels)(&choice, &table, error);
    if (done)
        text_table_print(&table, choice.format);
    text_table_finish(&table);
    return done;
}

const struct command command_facts = {
    .name = "facts",
    .arguments = "[--variant NAME]... [--arch NN]... [--registers N]... [--occupancy]",
    .summary = "shows registers, spills and predicted occupancy of kernels, without a GPU",
    .details = "Compiles for each capability and register limit, and predicts how many blocks and warps a\n"
               "multiprocessor holds and what limits their number. Spills and local memory are in bytes per\n"
               "lane, shared memory in bytes per block.",
    .options =
        {
            {"variant", "NAME", "only this variant's kernels; may be repeated; default all", 'v'},
            {"arch", "NN", "compute capability, 90 for 9.0; may be repeated; default 90", 'a'},
            {"registers", "N", "register limit, or auto; may be repeated; default --set registers, else auto", 'r'},
            {"block", "LANES", "lanes per block; may be repeated; default 64", 'b'},
            {"shared", "BYTES", "dynamic shared memory per block; may be repeated; default 0", 0},
            {"occupancy", NULL, "compile nothing: occupancy for every known capability at --registers", 0},
            {"counting", NULL, "use the instrumented builds instead of the clean ones", 0},
            {COMMAND_OPTION_SET},
            {COMMAND_OPTION_FORMAT},
        },
    .run = facts_run,
};
