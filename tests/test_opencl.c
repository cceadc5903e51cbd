// SPDX-License-Identifier: MIT
// The device opencl: memory, streams, events, selection and sort; what it cannot do is refused in words. Whether its kernels
// give the emulator's bits is verify's to say.
#include "check.h"
#include "device/opencl/warps.kernel.h"
#include "device_contract.h"

static struct device *device;

static void it_says_what_it_is(void **state)
{
    const struct device_properties *properties = device->ops->properties(device);
    const uint32_t width = properties->warp_width;
    assert_true(width == 1 || (width >= 4 && width <= 64 && (width & (width - 1)) == 0));
    assert_true(properties->times && properties->no_cooperation);
    assert_true(properties->max_block > 0 && properties->multiprocessors > 0 && properties->memory > 0);
    assert_int_equal(strncmp(properties->name, "OpenCL", 6), 0);
    assert_true(device_is("opencl", DEVICE_PROCESSOR) && device_is("opencl:3", DEVICE_PROCESSOR));
}

static void memory_keeps_what_is_written(void **state)
{
    struct device_stream *stream = device->ops->create_stream(device, NULL);
    assert_true(contract_memory(device, stream, 1001));
    assert_true(contract_memory(device, NULL, 1001));
    device->ops->destroy_stream(device, stream);
    device->ops->destroy_stream(device, NULL);
}

static void events_are_in_order(void **state)
{
    struct device_stream *stream = device->ops->create_stream(device, NULL);
    struct device_event *from = device->ops->create_event(device, NULL), *to = device->ops->create_event(device, NULL);
    const size_t bytes = (size_t)1 << 26;
    uint8_t *memory = device->ops->alloc(device, bytes, NULL);
    double seconds = -1;
    refused(device->ops->elapsed(device, from, to, &seconds, &why), "", "");
    assert_int_equal(why.kind, ERROR_USE);
    assert_true(device->ops->record(device, stream, from, NULL));
    assert_true(device->ops->fill(device, stream, memory, 7, bytes, NULL)); // takes 0.1 ms or more
    assert_true(device->ops->record(device, stream, to, NULL));
    assert_true(device->ops->wait(device, NULL, to, NULL));
    assert_true(device->ops->synchronize(device, stream, NULL));
    assert_true(device->ops->elapsed(device, from, to, &seconds, NULL));
    assert_true(seconds > 1e-5 && seconds < 60);
    device->ops->release(device, memory);
    device->ops->destroy_event(device, from);
    device->ops->destroy_event(device, to);
    device->ops->destroy_stream(device, stream);
}

// ---- selection and sort

static void flagged_items_are_selected_in_order(void **state)
{
    struct device_stream *stream = device->ops->create_stream(device, NULL);
    for (uint32_t n = 0; n < 2000000; n = n * 5 + 1) {
        assert_true(contract_select(device, NULL, n, 97, false));
        assert_true(contract_select(device, stream, n, 128, true));
    }
    device->ops->destroy_stream(device, stream);
}

static void pairs_are_sorted_stably(void **state)
{
    static const uint32_t bits[] = {0, 1, 3, 8, 9, 16, 31, 32};
    struct device_stream *stream = device->ops->create_stream(device, NULL);
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        for (uint32_t n = 0; n < 100000; n = n * 7 + 1)
            assert_true(contract_sort(device, i % 2 ? stream : NULL, n, bits[i]));
    device->ops->destroy_stream(device, stream);
    refused(device->ops->sort_pairs(device, NULL, NULL, NULL, NULL, NULL, 1, 33, &why), "", "");
    assert_int_equal(why.kind, ERROR_USE);
}

// ---- warps

static void warps_are_what_kernels_take_for_granted(void **state)
{
    enum { BLOCKS = 3 };
    const uint32_t block = device->ops->properties(device)->warp_width * 9 / 2;
    uint32_t right[WARPS_QUESTIONS] = {0};
    const struct device_build build = {.variant = "opencl/warps"};
    struct device_program *program = made(device->ops->build(device, &build, &why));
    const struct warps_args args = {device->ops->alloc(device, sizeof right, NULL)};
    const struct device_launch launch = {.kernel = device->ops->kernel(program, "warps_ask", &why),
                                         .grid = BLOCKS,
                                         .block = block,
                                         .args = &args,
                                         .args_size = sizeof args};
    assert_true(device->ops->upload(device, NULL, args.right, right, sizeof right, NULL));
    assert_true(device->ops->launch(device, NULL, &launch, &why));
    assert_true(device->ops->download(device, NULL, right, args.right, sizeof right, NULL));
    for (int question = 0; question < WARPS_QUESTIONS; ++question)
        assert_int_equal(right[question], BLOCKS * block);
    device->ops->release(device, args.right);
    device->ops->release_program(device, program);
}

// ---- what is refused

static void unknown_kernels_are_refused(void **state)
{
    const struct device_build build = {.variant = "nothing"};
    refused(device->ops->build(device, &build, &why), "", "");
    assert_int_equal(why.kind, ERROR_USE);
    const struct device_build primitives = {.variant = "opencl/primitives"};
    struct device_program *program = made(device->ops->build(device, &primitives, &why));
    refused(device->ops->kernel(program, "select_nothing", &why), "no kernel \"select_nothing\"", "");
    assert_int_equal(why.kind, ERROR_USE);
    assert_non_null(strstr(device->ops->provenance(program), "code "));
    device->ops->release_program(device, program);
}

// The options of a variant are missing: what the compiler says is told, with file and line.
static void what_does_not_compile_is_told(void **state)
{
    const struct device_build build = {.variant = "naive"};
    refused(device->ops->build(device, &build, &why), "kernels of naive", "");
    assert_int_equal(why.kind, ERROR_FAILED);
    if (!strstr(why.message, ".h:") || !strstr(why.message, "CONFIG_"))
        fail_msg("%s", why.message);
}

static void expect_refused(const struct device_launch *launch, const char *part)
{
    refused(device->ops->launch(device, NULL, launch, &why), part, "");
    assert_int_equal(why.kind, ERROR_UNSUPPORTED);
}

static void launches_that_do_not_fit_are_refused(void **state)
{
    const struct device_build build = {.variant = "opencl/primitives"};
    const uint64_t args[8] = {0};
    struct device_program *program = made(device->ops->build(device, &build, &why));
    const struct device_launch one = {.kernel = device->ops->kernel(program, "select_count", &why),
                                      .grid = 1,
                                      .block = 1,
                                      .args = args,
                                      .args_size = sizeof args};
    struct device_launch launch = one;
    launch.cooperative = true;
    expect_refused(&launch, "needs a cooperative launch");
    launch = one;
    launch.block = 1u << 20;
    expect_refused(&launch, "a block of 1048576 lanes does not fit");
    launch = one;
    launch.shared_bytes = (size_t)1 << 40;
    expect_refused(&launch, "bytes of shared memory");
    launch = one;
    launch.grid = 0; // nothing is launched, and OpenCL takes no buffer without bytes
    launch.args_size = 0;
    assert_true(device->ops->launch(device, NULL, &launch, NULL));
    launch.block = 0;
    expect_refused(&launch, "a block of 0 lanes");
    device->ops->release_program(device, program);
    assert_null(device_open("opencl:31", NULL, &why));
    assert_int_equal(why.kind, ERROR_USE);
}

int main(void)
{
    const char *lacks = device_unavailable(device_find("opencl"));
    if (lacks) {
        printf("skipped: %s\n", lacks);
        return 77;
    }
    device = device_open("opencl", NULL, &why);
    if (!device) {
        printf("skipped: %s; %s\n", why.message, why.remedy);
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_what_it_is),
        cmocka_unit_test(memory_keeps_what_is_written),
        cmocka_unit_test(events_are_in_order),
        cmocka_unit_test(flagged_items_are_selected_in_order),
        cmocka_unit_test(pairs_are_sorted_stably),
        cmocka_unit_test(warps_are_what_kernels_take_for_granted),
        cmocka_unit_test(unknown_kernels_are_refused),
        cmocka_unit_test(what_does_not_compile_is_told),
        cmocka_unit_test(launches_that_do_not_fit_are_refused),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    device_close(device);
    return failed;
}
