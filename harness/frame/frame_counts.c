// SPDX-License-Identifier: MIT
// Counting: what instrumented kernels count, read and summed after each launch.
#include "frame/frame_parts.h"

#include <string.h>

static size_t counts_bytes(const struct frame *frame, uint32_t stripes)
{
    return (size_t)stripes * frame->args.count_rows * sizeof(struct bounce_counts);
}

// Those that a launch's blocks write to, the first: kernels/lib/counting.h.
static uint32_t stripes_of(const struct frame_launch *launch)
{
    return launch->grid < COUNT_STRIPES ? launch->grid : COUNT_STRIPES;
}

bool frame_counts_open(struct frame *frame, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    internal->counts_device = frame_memory(frame, counts_bytes(frame, COUNT_STRIPES), error);
    if (internal->counts_device)
        internal->counts_host = frame_state(frame, counts_bytes(frame, COUNT_STRIPES), error);
    if (internal->counts_host)
        internal->lockstep = frame_state(
            frame, FRAME_LOCKSTEP_KINDS * (size_t)(frame->args.count_rows - 1) * sizeof *internal->lockstep, error);
    return internal->lockstep != NULL;
}

static void *next_counts_row(struct frame_rows *rows, struct error *error)
{
    void *counts = rows->counts;
    const bool grown = frame_grow(&counts, rows->count_count, &rows->count_room, sizeof *rows->counts, error);
    rows->counts = counts;
    return grown ? &rows->counts[rows->count_count++] : NULL;
}

static void *next_lockstep_row(struct frame_rows *rows, struct error *error)
{
    void *lockstep = rows->lockstep;
    const bool grown = frame_grow(&lockstep, rows->lockstep_count, &rows->lockstep_room, sizeof *rows->lockstep, error);
    rows->lockstep = lockstep;
    return grown ? &rows->lockstep[rows->lockstep_count++] : NULL;
}

static bool is_zero(const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    return byte[0] == 0 && memcmp(byte, byte + 1, size - 1) == 0;
}

// Launches whose rounds share a row: of one stage, or of all (stage "").
struct frame_bin {
    const char *stage;
    uint32_t bin, launch; // launch: the first
};

// In whose rows a launch is counted: itself, or of late rounds of a pipeline the first of its stage, and by bounce the
// first of all.
struct places {
    uint32_t totals, bounces;
    bool late;
};

// The first launch of that bin, which is this one if there was none.
static bool find_bin(struct frame_internal *internal, struct frame_bin row, uint32_t *first, struct error *error)
{
    for (size_t i = 0; i < internal->bin_count; ++i)
        if (internal->bins[i].bin == row.bin && !strcmp(internal->bins[i].stage, row.stage)) {
            *first = internal->bins[i].launch;
            return true;
        }
    void *bins = internal->bins;
    const bool grown = frame_grow(&bins, internal->bin_count, &internal->bin_room, sizeof row, error);
    internal->bins = bins;
    *first = row.launch;
    if (grown)
        internal->bins[internal->bin_count++] = row;
    return grown;
}

static bool find_places(const struct frame *frame, const struct frame_launch *launch, uint32_t index,
                        struct places *places, struct error *error)
{
    const uint32_t exact = (uint32_t)frame->parameters->exact_rounds, round = (uint32_t)launch->iteration;
    *places = (struct places){index, index, launch->stage && round >= exact};
    const uint32_t bin = measured_round(round, exact);
    return !places->late ||
           (find_bin(frame->internal, (struct frame_bin){launch->stage, bin, index}, &places->totals, error) &&
            find_bin(frame->internal, (struct frame_bin){"", bin, index}, &places->bounces, error));
}

static bool keep_counts(struct frame_internal *internal, const struct measured_counts *row, bool merge,
                        struct error *error)
{
    for (size_t i = internal->rows.count_count; merge && i-- > 0;) {
        struct measured_counts *there = &internal->rows.counts[i];
        if (there->launch != row->launch || there->bounce != row->bounce)
            continue;
        count_add(&there->counts, &row->counts);
        return true;
    }
    struct measured_counts *place = next_counts_row(&internal->rows, error);
    if (place)
        *place = *row;
    return place != NULL;
}

static struct bounce_counts sum_stripes(const struct frame_internal *internal, uint32_t stripes, uint32_t rows,
                                        uint32_t bin)
{
    struct bounce_counts sum = internal->counts_host[bin];
    for (uint32_t stripe = 1; stripe < stripes; ++stripe)
        count_add(&sum, &internal->counts_host[stripe * rows + bin]);
    return sum;
}

// Where the device traverses a tree of its own, kernels that trace know neither their warps nor its steps: only what paths do is
// counted.
static void drop_uncounted(const struct frame *frame, struct bounce_counts *counts)
{
    if (frame->parameters->tree != TREE_OPTIX)
        return;
    for (size_t word = 0; word < COUNT_WORDS; ++word)
        if (count_words()[word].class != COUNT_PATH)
            count_clear(counts, word);
}

static bool read_counts(struct frame *frame, uint32_t stripes, const struct places *places, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    struct device *device = internal->device;
    const uint32_t rows = frame->args.count_rows;
    if (!device->ops->download(device, internal->stream, internal->counts_host, internal->counts_device,
                               counts_bytes(frame, stripes), error) ||
        !device->ops->synchronize(device, internal->stream, error))
        return false;
    for (uint32_t bin = 0; bin < rows; ++bin) {
        const bool totals = bin + 1 == rows;
        struct measured_counts row = {totals ? places->totals : places->bounces,
                                      totals ? MEASURED_TOTALS : count_bin_first(bin),
                                      sum_stripes(internal, stripes, rows, bin)};
        drop_uncounted(frame, &row.counts);
        if (totals) {
            count_add(&row.counts, &internal->noted);
            internal->noted = (struct bounce_counts){0};
        }
        internal->path_hash += row.counts.path_hash;
        if (!is_zero(&row.counts, sizeof row.counts) && !keep_counts(internal, &row, places->late, error))
            return false;
    }
    return true;
}

static void add_steps(struct device_lockstep *to, const struct device_lockstep *from)
{
    to->inner_steps += from->inner_steps;
    to->inner_live += from->inner_live;
    to->triangle_steps += from->triangle_steps;
    to->triangle_live += from->triangle_live;
    to->warps += from->warps;
}

static bool keep_lockstep(struct frame_internal *internal, const struct measured_lockstep *row, bool merge,
                          struct error *error)
{
    for (size_t i = internal->rows.lockstep_count; merge && i-- > 0;) {
        struct measured_lockstep *there = &internal->rows.lockstep[i];
        if (there->launch != row->launch || there->kind != row->kind || there->bounce != row->bounce)
            continue;
        add_steps(&there->steps, &row->steps);
        return true;
    }
    struct measured_lockstep *place = next_lockstep_row(&internal->rows, error);
    if (place)
        *place = *row;
    return place != NULL;
}

// What the model knows besides steps and live lanes is a count of the launch, at the bounce.
static bool keep_model(struct frame_internal *internal, const struct measured_lockstep *row, uint32_t launch,
                       struct error *error)
{
    const struct device_lockstep *steps = &row->steps;
    const struct measured_counts counts = {
        launch,
        row->bounce,
        {.node_lines = steps->node_lines,
         .node_sectors = steps->node_sectors,
         .triangle_lines = steps->triangle_lines,
         .parted_steps = {steps->parted_steps[0], steps->parted_steps[1], steps->parted_steps[2]},
         .full_inner_steps = steps->full_inner_steps,
         .full_inner_live = steps->full_inner_live,
         .full_triangle_steps = steps->full_triangle_steps,
         .full_triangle_live = steps->full_triangle_live}};
    return row->kind != 0 || keep_counts(internal, &counts, true, error);
}

static bool read_lockstep(struct frame *frame, const struct places *places, struct error *error)
{
    struct frame_internal *internal = frame->internal;
    const uint32_t bounces = frame->args.count_rows - 1;
    struct device_lockstep entered[DEVICE_ENTRY_LANES];
    memset(internal->lockstep, 0, FRAME_LOCKSTEP_KINDS * bounces * sizeof *internal->lockstep);
    if (!internal->device->ops->take_lockstep ||
        !internal->device->ops->take_lockstep(internal->device, internal->lockstep, FRAME_LOCKSTEP_KINDS, bounces,
                                              entered))
        return true;
    for (uint32_t i = 0; i < DEVICE_ENTRY_LANES; ++i)
        add_steps(&internal->rows.entered[i], &entered[i]);
    for (uint32_t i = 0; i < FRAME_LOCKSTEP_KINDS * bounces; ++i) {
        if (is_zero(&internal->lockstep[i], sizeof internal->lockstep[i]))
            continue;
        const struct measured_lockstep row = {places->totals, i / bounces, count_bin_first(i % bounces),
                                              internal->lockstep[i]};
        if (!keep_lockstep(internal, &row, places->late, error) || !keep_model(internal, &row, places->bounces, error))
            return false;
    }
    return true;
}

static bool clear_counts(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    (void)index;
    struct frame_internal *internal = frame->internal;
    return launch->auxiliary || internal->device->ops->fill(internal->device, internal->stream, internal->counts_device,
                                                            0, counts_bytes(frame, stripes_of(launch)), error);
}

static bool take_counts(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    struct places places;
    return launch->auxiliary ||
           (find_places(frame, launch, index, &places, error) &&
            read_counts(frame, stripes_of(launch), &places, error) && read_lockstep(frame, &places, error));
}

const struct frame_hooks frame_count_hooks = {.before = clear_counts, .after = take_counts};
