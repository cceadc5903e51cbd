// SPDX-License-Identifier: MIT
// The device cpu: the images of the emulator, with times; what it cannot run is refused in words.
#include "check.h"
#include "measure_support.h"

static bool run(const char *device, const char *variant, const char *scene, enum collection collection, int64_t block,
                struct measurement *measurement, struct error *error)
{
    struct trial_spec spec = {.parameters = parameters_default()};
    snprintf(spec.device, sizeof spec.device, "%s", device);
    snprintf(spec.variant, sizeof spec.variant, "%s", variant);
    snprintf(spec.scene, sizeof spec.scene, "%s", scene);
    spec.parameters.width = 37;
    spec.parameters.height = 23;
    spec.parameters.spp = 2;
    spec.parameters.block = block;
    const struct execute_request request = {.spec = &spec, .collection = collection, .policy = policy_once()};
    *measurement = (struct measurement){0};
    return execute(executor, &request, measurement, error);
}

static void expect_same(const char *variant, const char *scene, enum collection collection, int64_t block)
{
    struct measurement cpu, emulator;
    need(run("cpu", variant, scene, collection, block, &cpu, &why) &&
         run("emulator", variant, scene, COLLECTION_COUNTS, 64, &emulator, &why));
    assert_memory_equal(&cpu.image, &emulator.image, sizeof cpu.image);
    if (collection == COLLECTION_COUNTS)
        assert_true(cpu.path_hash == emulator.path_hash && cpu.path_hash != 0);
    measurement_finish(&cpu);
    measurement_finish(&emulator);
}

TEST(images_are_the_emulators)
{
    static const char *const scenes[] = {"open", "cornell", "mirror_corridor", "materials", "interior"};
    static const char *const variants[] = {"naive", "whole_frame", "two_stage", "two_stage_pixel", "three_stage"};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i)
        for (size_t j = 0; j < sizeof variants / sizeof *variants; ++j)
            expect_same(variants[j], scenes[i], COLLECTION_FRAME, 64);
    expect_same("naive", "cornell", COLLECTION_COUNTS, 64);
    expect_same("volume_naive", "fog", COLLECTION_FRAME, 32);
    expect_same("tiled_global", "cornell", COLLECTION_FRAME, 1); // a block of one lane waits for nobody
}

TEST(frames_have_times)
{
    struct measurement found;
    assert_true(run("cpu", "naive", "cornell", COLLECTION_FRAME, 64, &found, &why));
    assert_true(found.repetition_count > 0 && found.repetitions[0].host_seconds > 0);
    assert_true(
        execute_device(executor, &(struct trial_spec){.device = "cpu", .parameters = parameters_default()}, NULL)
            ->times);
    measurement_finish(&found);
}

static void expect_refused(const char *variant, const char *scene, int64_t block, const char *words)
{
    struct measurement found;
    refused(run("cpu", variant, scene, COLLECTION_FRAME, block, &found, &why), words, "");
    assert_int_equal(why.kind, ERROR_UNSUPPORTED);
    measurement_finish(&found);
}

TEST(lanes_that_wait_for_each_other_are_refused)
{
    expect_refused("tiled_shared", "cornell", 64, "lanes of a block that wait for each other");
    expect_refused("tiled_global", "cornell", 2, "lanes of a block that wait for each other");
    expect_refused("regenerate_thread", "fog", 64, "blocks that wait for each other");
    expect_same("naive", "cornell", COLLECTION_FRAME, 64); // the device works on
}

TEST_GROUP(measure_open, measure_close)
