// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/memory.h"
#include "base/shell.h"
#include "commands/run.h"
#include "commands/run_page.h"
#include "commands/shared.h"
#include "plan/shard.h"

// As the user would type it again.
static char *run_join(int argc, char **argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = memory_stream(&text, &size);
    fputs("warpstudy", memory);
    for (int i = 0; i < argc; ++i) {
        fputc(' ', memory);
        shell_put(argv[i], memory);
    }
    memory_close(memory);
    return text;
}

static bool take_devices(struct run_options *options, struct error *error)
{
    if (!options->devices)
        return true;
    if (options->device) {
        error_set(error, ERROR_USE, "--device and --devices were both given");
        return error_remedy(error, "give one of them");
    }
    if (!device_list_parse(options->devices, &options->device_list, error))
        return false;
    options->device = options->device_list.backend;
    return true;
}

bool command_run_options(const struct command_line *line, struct run_options *options, const char *sets[COMMAND_VALUES],
                         struct error *error)
{
    *options = (struct run_options){
        .experiments = line->words,
        .experiment_count = line->word_count,
        .database = command_option(line, "db"),
        .label = command_option(line, "label"),
        .device = command_option(line, "device"),
        .devices = command_option(line, "devices"),
        .sets = sets,
        .retry_failed = command_flag(line, "retry-failed"),
        .quiet = command_flag(line, "quiet"),
        .shared_device = command_flag(line, "shared-device"),
    };
    const char *text, *until = command_option(line, "until"), *shard = command_option(line, "shard");
    for (size_t place = 0; (text = command_next_option(line, "set", &place));)
        sets[options->set_count++] = text;
    return (!until || coordinator_parse_until(until, time(NULL), &options->until, error)) &&
           take_devices(options, error) && (!shard || shard_parse(shard, &options->shard, error));
}

static bool run_experiments(const struct command_line *line, struct error *error)
{
    struct run_options options;
    const char *sets[COMMAND_VALUES];
    if (!command_run_options(line, &options, sets, error))
        return false;
    char *command = run_join(line->argc, line->argv);
    options.command_line = command ? command : "";
    struct run_page page = {.path = command_option(line, "page")};
    bool done = !page.path || run_page_open(&page, page.path, command_database(line), error);
    options.watch = page.path ? &page.watch : NULL;
    done = done && coordinator_run(&options, error);
    run_page_close(&page);
    free(command);
    return done;
}

const struct command command_run = {
    .name = "run",
    .arguments = "EXPERIMENT.yaml ... [OPTIONS]",
    .summary = "runs experiments; what is already complete is not run again",
    .details =
        "Everything is stored as it is measured. The same command resumes a sweep that was stopped or killed.\n"
        "Several files are run together, one after the other within each replicate, with one summary.\n"
        "Ctrl-C or SIGUSR1 finishes the current execution first, and says so; a second one abandons it.\n"
        "--set takes NAME=VALUE[,VALUE...]. NAME is a parameter, scene, camera, variant, device, or one of collect,\n"
        "replicates, retries, time_limit, order_seed, warmups, min_repetitions, max_repetitions, max_seconds,\n"
        "relative_ci, max_temperature, gate_seconds, timeline_interval_us, timeline_window_ms.",
    .options =
        {
            {COMMAND_OPTION_DB},
            {"label", "TEXT", "a name for this run, for finding and comparing it", 0},
            {"device", "DEVICE",
             "device to use instead of the experiment's: auto, emulator, cuda, cuda:N, cpu, opencl or opencl:N", 'd'},
            {"devices", "LIST", "several devices of the same model: cuda:0,cuda:1, or all; see docs/clusters.md", 0},
            {"set", "NAME=VALUES", "replaces a parameter or a setting of the experiment; may be repeated", 's'},
            {"page", "FILE.html", "a page that shows progress and tables while the sweep runs, and stays as its record",
             0},
            {"until", "HH:MM", "start nothing after this time of day", 0},
            {"shard", "I/N", "run only the I-th of N shares of the trials, into its own database; see merge", 0},
            {"shared-device", NULL, "measure even while other programs use the GPU; such results are kept separate", 0},
            {"retry-failed", NULL, "retry executions whose failure would otherwise be final", 0},
            {"quiet", NULL, "no progress; the summary is still printed", 'q'},
        },
    .least_words = 1,
    .most_words = COMMAND_VALUES,
    .run = run_experiments,
};
