// SPDX-License-Identifier: MIT
#include "check.h"
#include "device/emulator/faults.h"
#include "device_contract.h"

TEST(devices_open_by_name)
{
    static const char *const specs[] = {"emulator", "null", "auto"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct device *device = made(device_open(specs[i], NULL, &why));
        assert_true(device->ops->properties(device)->warp_width > 0);
        device_close(device);
    }
    device_close(NULL);
}

TEST(auto_never_picks_null)
{
    struct device *device = device_open("auto", NULL, NULL);
    assert_non_null(device);
    assert_string_not_equal(device->ops->properties(device)->name, "null");
    device_close(device);
    size_t last = 0;
    while (device_backends[last + 1])
        last++;
    assert_string_equal(device_backends[last]->name, "null");
}

static void refuse(const char *spec, const struct device_settings *settings, const char *part)
{
    refused(device_open(spec, settings, &why), "", "");
    assert_int_equal(why.kind, ERROR_USE);
    if (!strstr(why.message, part) && !strstr(why.remedy, part))
        fail_msg("'%s' and '%s' do not contain '%s'", why.message, why.remedy, part);
}

TEST(wrong_specs_are_refused)
{
    refuse("emulater", NULL, "did you mean 'emulator'");
    refuse("", NULL, "no device ''");
    refuse("opencly:N", NULL, "did you mean 'opencl:N'");
    refuse("cudda:N", NULL, "did you mean 'cuda:N'");
    refuse("emulator:1", NULL, "emulator takes no number");
    refuse("emulator", &(struct device_settings){.warp_width = 33}, "not 33");
    refuse("emulator", &(struct device_settings){.warp_width = 2}, "not 2");
    refuse("emulator", &(struct device_settings){.threads = 5000}, "not 5000");
    refuse("emulator", &(struct device_settings){.spin_seconds = -1}, "above 0");
}

// By what it is, with or without an ordinal; a name that only begins or ends like one is none.
TEST(rows_say_what_devices_are)
{
    assert_true(device_is("cuda", DEVICE_GPU));
    assert_true(device_is("cuda:12", DEVICE_GPU));
    assert_true(device_is("cpu", DEVICE_PROCESSOR));
    assert_true(device_is("emulator", DEVICE_MODEL));
    assert_true(device_is("null", DEVICE_NOTHING));
    assert_false(device_is("emulator", DEVICE_GPU));
    static const char *const unknown[] = {"", "auto", ":1", "cud", "cudas", "cuda:", "cuda:x", "cuda:1x"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; ++i)
        assert_null(device_find(unknown[i]));
    assert_true(device_find("emulator")->options != NULL && !device_find("emulator")->has_times);
    assert_true(device_has_option("emulator", "warp_width") && device_has_option("emulator", "lane_order"));
    assert_false(device_has_option("emulator", "block"));
    assert_false(device_has_option("cuda", "warp_width") || device_has_option("cpu", "threads"));
}

TEST(emulator_says_what_it_is)
{
    struct device *device = device_open("emulator", &(struct device_settings){.warp_width = 8, .threads = 3}, NULL);
    const struct device_properties *properties = device->ops->properties(device);
    assert_int_equal(properties->warp_width, 8);
    assert_int_equal(properties->multiprocessors, 4);
    assert_int_equal(properties->max_block, 1024);
    assert_int_equal(properties->max_warps_per_multiprocessor, 128);
    assert_false(properties->times);
    device_close(device);
}

TEST(memory_keeps_what_is_written)
{
    static const char *const specs[] = {"emulator", "null"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct device *device = device_open(specs[i], NULL, NULL);
        struct device_stream *stream = device->ops->create_stream(device, NULL);
        assert_non_null(stream);
        assert_true(contract_memory(device, stream, 1001));
        assert_true(contract_memory(device, NULL, 1001));
        device->ops->destroy_stream(device, stream);
        device->ops->destroy_stream(device, NULL);
        device_close(device);
    }
}

TEST(memory_that_is_not_there_is_an_error)
{
    if (faults_left_to_sanitizer()) // which takes the request for a mistake, and ends the process
        skip();
    struct device *device = device_open("emulator", NULL, NULL);
    refused(device->ops->alloc(device, (size_t)1 << 60, &why), "", "");
    assert_int_equal(why.kind, ERROR_SYSTEM);
    device_close(device);
}

TEST(events_are_in_order)
{
    struct device *device = device_open("emulator", NULL, NULL);
    struct device_event *from = device->ops->create_event(device, NULL), *to = device->ops->create_event(device, NULL);
    double seconds = -1;
    refused(device->ops->elapsed(device, from, to, &seconds, &why), "", "");
    assert_int_equal(why.kind, ERROR_USE);
    assert_true(device->ops->record(device, NULL, from, NULL));
    assert_true(device->ops->record(device, NULL, to, NULL));
    assert_true(device->ops->elapsed(device, from, to, &seconds, NULL));
    assert_true(seconds >= 0 && seconds < 60);
    device->ops->destroy_event(device, from);
    device->ops->destroy_event(device, to);
    device_close(device);
}

TEST(null_accepts_any_program)
{
    struct device *device = device_open("null", NULL, NULL);
    const struct device_build build = {.variant = "what is not there", .counting = true};
    struct device_program *program = device->ops->build(device, &build, NULL);
    const struct device_kernel *kernel = device->ops->kernel(program, "nor this", NULL);
    assert_non_null(kernel);
    assert_non_null(device->ops->provenance(program));
    uint32_t *memory = device->ops->alloc(device, sizeof *memory, NULL), count = 7;
    const uint32_t five = 5;
    const uint8_t flag = 1;
    device->ops->upload(device, NULL, memory, &five, sizeof five, NULL);
    const struct device_launch launch = {
        .kernel = kernel, .grid = 1, .block = 32, .args = &memory, .args_size = sizeof memory};
    assert_true(device->ops->launch(device, NULL, &launch, NULL));
    assert_int_equal(*memory, 5);
    assert_true(device->ops->select_flagged(device, NULL, NULL, &flag, memory, &count, 1, NULL));
    assert_int_equal(count, 0);
    assert_null(device->ops->take_lockstep);
    device->ops->release(device, memory);
    device->ops->release_program(device, program);
    device_close(device);
}

// One process may hold several devices; each removes only what it installed.
TEST(devices_live_side_by_side)
{
    struct device *first = device_open("emulator", NULL, NULL), *second = device_open("emulator", NULL, NULL);
    assert_non_null(first);
    assert_non_null(second);
    device_close(first);
    assert_true(contract_memory(second, NULL, 1001));
    device_close(second);
}
