// SPDX-License-Identifier: MIT
#include "commands/bench.h"

#include <string.h>

// What one of the two takes and the other does not.
static const char *const rays_alone[] = {"mesh", "rays",        "from",   "count", "bound",
                                         "size", "repetitions", "format", NULL};
static const char *const rounds_alone[] = {"variant", "camera", "output", "packed", NULL};

static bool has_none_of(const struct command_line *line, const char *const *options, struct error *error)
{
    for (; *options; ++options)
        if (command_flag(line, *options)) {
            error_set(error, ERROR_USE, "bench %s: --%s is an option of bench %s alone", line->words[0], *options,
                      strcmp(line->words[0], "rays") ? "rays" : "rounds");
            return error_remedy(error, "leave it out; see warpstudy bench --help");
        }
    return true;
}

static bool bench_run(const struct command_line *line, struct error *error)
{
    if (!strcmp(line->words[0], "rays"))
        return has_none_of(line, rounds_alone, error) && bench_rays(line, error);
    if (!strcmp(line->words[0], "rounds"))
        return has_none_of(line, rays_alone, error) && bench_rounds(line, error);
    error_set(error, ERROR_USE, "bench: there is no '%s'", line->words[0]);
    return error_remedy(error, "choose rays or rounds");
}

const struct command command_bench = {
    .name = "bench",
    .arguments = "rays|rounds",
    .summary = "measures traversal: rays per second on five ray sets, with published results, or in a pipeline",
    .details = "The rays are generated each time, bit for bit the same everywhere; every hit is checked in double\n"
               "precision.\n"
               "rays: --set takes what determines the tree (see scene --help), and\n" TRAVERSAL_PARAMETERS ".",
    .options =
        {
            {COMMAND_OPTION_DEVICE},
            {COMMAND_OPTION_SET},
            {"mesh", "FILE", "trace the triangles of a mesh file, such as the published Sponza", 0},
            {"scene", "NAME", "trace a scene; default cornell", 0},
            {"rays", "primary|diffuse1|diffuse2|diffuse1-sorted|diffuse1-shuffled",
             "ray sets to trace; may be repeated; default all", 0},
            {"from", "FILE", "trace the rays of a file instead: records of eight floats, in the kernels' input format",
             0},
            {"count", NULL,
             "rays: also count inner nodes, rounds of warps, and the share of these in which few rays are unfinished; "
             "on CUDA idle multiprocessors",
             0},
            {"bound", "N",
             "rays: a warp leaves its unfinished rays after N rounds, and a second kernel finishes each with a whole "
             "warp; needs tree=wide4 and traversal=voted; default no bound",
             0},
            {"variant", "VARIANT", "rounds: the pipeline", 0},
            {"camera", "NAME", "rounds: camera; default the scene's first", 0},
            {"output", "FOLDER",
             "rounds: write the rays of the first, median and last round in which at least half of the slots are alive",
             'o'},
            {"packed", NULL,
             "rounds: also trace the live rays of nine rounds alone, densely packed, and those from the camera apart "
             "from the others",
             'p'},
            {"size", "N", "pixels per side, a power of two; default 1024", 0},
            {"repetitions", "N",
             "timed runs, after a quarter as many warm-up runs; default 20, or 1 on a device without a clock", 0},
            {COMMAND_OPTION_FORMAT},
        },
    .least_words = 1,
    .most_words = 1,
    .run = bench_run,
};
