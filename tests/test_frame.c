// SPDX-License-Identifier: MIT
// A frame by itself: its streams, on a device whose commands end as late as streams and events allow (fills are kept
// with the set of those that certainly ended before them), and launches that none takes.
#include "check.h"
#include "frame/frame_internal.h"

struct device_stream {
    uint64_t done; // bits: fills that must have ended before what follows here begins
};
struct device_event {
    uint64_t done;
};

static uint64_t before[64]; // of each fill, named by its value
static int objects;

static struct device_stream *create_stream(struct device *device, struct error *error)
{
    ++objects;
    return calloc(1, sizeof(struct device_stream));
}

static void destroy_stream(struct device *device, struct device_stream *stream)
{
    --objects;
    free(stream);
}

static struct device_event *create_event(struct device *device, struct error *error)
{
    ++objects;
    return calloc(1, sizeof(struct device_event));
}

static void destroy_event(struct device *device, struct device_event *event)
{
    --objects;
    free(event);
}

static bool synchronize(struct device *device, struct device_stream *stream, struct error *error)
{
    return true;
}

static bool record(struct device *device, struct device_stream *stream, struct device_event *event, struct error *error)
{
    event->done = stream->done;
    return true;
}

static bool wait(struct device *device, struct device_stream *stream, struct device_event *event, struct error *error)
{
    stream->done |= event->done;
    return true;
}

static bool fill(struct device *device, struct device_stream *stream, void *to, uint8_t value, size_t bytes,
                 struct error *error)
{
    before[value] = stream->done;
    stream->done |= (uint64_t)1 << value;
    return true;
}

static const struct device_ops several = {.create_stream = create_stream,
                                          .destroy_stream = destroy_stream,
                                          .create_event = create_event,
                                          .destroy_event = destroy_event,
                                          .synchronize = synchronize,
                                          .record = record,
                                          .wait = wait,
                                          .fill = fill};

static bool on(struct frame *frame, uint32_t stream, uint8_t value)
{
    return frame_stream(frame, stream, NULL) && frame_clear(frame, NULL, value, 1, 0, NULL);
}

// Fills 0 and 5 on stream 0, 1 and 3 on stream 1, 2 and 4 on stream 31; then all are joined, and 6 comes.
static void run_frame(struct frame *frame, const struct frame_hooks *hooks)
{
    memset(before, 0xFF, sizeof before);
    frame_begin(frame, hooks, false, 0);
    assert_true(on(frame, 0, 0) && on(frame, 1, 1) && on(frame, 31, 2) && on(frame, 1, 3) && on(frame, 31, 4) &&
                on(frame, 0, 5) && frame_join(frame, NULL) && frame_clear(frame, NULL, 6, 1, 0, NULL));
}

TEST(streams_are_ordered_by_fork_and_join_alone)
{
    struct device device = {&several};
    struct frame_internal internal = {.device = &device, .collection = COLLECTION_FRAME};
    struct frame frame = {.internal = &internal};
    assert_true(frame_open(&frame, NULL));
    for (int round = 0; round < 2; ++round) {
        for (uint32_t i = 0; i < FRAME_STREAMS; ++i)
            if (internal.streams[i])
                internal.streams[i]->done = 0;
        run_frame(&frame, NULL);
        static const uint64_t wanted[] = {0, 1, 1, 1 | 1 << 1, 1 | 1 << 2, 1, 0x3F};
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
            assert_int_equal(before[i], wanted[i]);
        assert_int_equal(internal.totals.launches_aux, 7);
    }
    assert_false(frame_stream(&frame, FRAME_STREAMS, &why));
    frame_close(&frame);
    assert_int_equal(objects, 0);
}

static bool nothing(struct frame *frame, const struct frame_launch *launch, uint32_t index, struct error *error)
{
    return true;
}

// What copies, as fill 2 and 4, comes behind what it copies, and nothing but the end of the frame behind it.
TEST(a_stream_follows_another)
{
    struct device device = {&several};
    struct frame_internal internal = {.device = &device, .collection = COLLECTION_FRAME};
    struct frame frame = {.internal = &internal};
    assert_true(frame_open(&frame, NULL));
    frame_begin(&frame, NULL, false, 0);
    assert_true(on(&frame, 0, 0) && on(&frame, 1, 1) && frame_follow(&frame, 1, 32, NULL) &&
                frame_clear(&frame, NULL, 2, 1, 0, NULL) && on(&frame, 0, 3) && frame_follow(&frame, 0, 32, NULL) &&
                frame_clear(&frame, NULL, 4, 1, 0, NULL) && on(&frame, 1, 5) && on(&frame, 0, 6) &&
                frame_join(&frame, NULL) && frame_clear(&frame, NULL, 7, 1, 0, NULL));
    static const uint64_t wanted[] = {0, 1, 3, 1, 0xF, 3, 9, 0x7F};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
        assert_int_equal(before[i], wanted[i]);
    assert_false(frame_follow(&frame, 0, FRAME_STREAMS, &why));
    frame_close(&frame);
    assert_int_equal(objects, 0);
}

// With counts or times around each launch, or on a device without wait(), one stream holds all.
TEST(what_is_watched_runs_one_after_another)
{
    static const struct frame_hooks hooks = {.before = nothing, .after = nothing};
    struct device_ops single = several;
    single.wait = NULL;
    for (int watched = 0; watched < 2; ++watched) {
        struct device device = {watched ? &several : &single};
        struct frame_internal internal = {.device = &device, .collection = COLLECTION_FRAME};
        struct frame frame = {.internal = &internal};
        assert_true(frame_open(&frame, NULL));
        run_frame(&frame, watched ? &hooks : NULL);
        for (int value = 0; value < 7; ++value)
            assert_int_equal(before[value], ((uint64_t)1 << value) - 1);
        assert_int_equal(objects, 1);
        frame_close(&frame);
    }
    assert_int_equal(objects, 0);
}

// A grid of more blocks than CUDA launches is refused before a device sees it, as what a trial is skipped for.
TEST(a_grid_beyond_31_bits_is_unsupported)
{
    struct frame frame = {0};
    refused(frame_launch(&frame, &(struct frame_launch){.kernel = "none", .grid = 1u << 31, .block = 1}, &why), "", "");
    assert_int_equal(why.kind, ERROR_UNSUPPORTED);
}
