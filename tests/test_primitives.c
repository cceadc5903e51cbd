// SPDX-License-Identifier: MIT
// Programs of the emulator by name; selection and sort.
#include "check.h"
#include "device_contract.h"
#include "emulator_rig.h"

TEST(programs_are_looked_up)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1, .portable = true}, true);
    assert_non_null(strstr(rig.device->ops->provenance(rig.program), "counting for any"));
    refused(rig.device->ops->kernel(rig.program, "covet", &why), "did you mean 'cover'", "");
    assert_int_equal(why.kind, ERROR_USE);
    const struct device_build unknown = {.variant = "tset"};
    refused(rig.device->ops->build(rig.device, &unknown, &why), "", "");
    assert_int_equal(why.kind, ERROR_USE);
    const struct device_kernel *kernel = rig.device->ops->kernel(rig.program, "cover", &why);
    assert_int_equal(rig.device->ops->facts(kernel).registers, -1);
    rig_close(&rig);
}

TEST(flagged_items_are_selected_in_order)
{
    struct device *device = device_open("emulator", &(struct device_settings){.threads = 1}, NULL);
    for (uint32_t n = 0; n < 5000; n = n * 3 + 1)
        for (uint32_t of_256 = 0; of_256 <= 256; of_256 += 64) {
            assert_true(contract_select(device, NULL, n, of_256, false));
            assert_true(contract_select(device, NULL, n, of_256, true));
        }
    device_close(device);
}

TEST(pairs_are_sorted_stably)
{
    static const uint32_t bits[] = {0, 1, 3, 8, 9, 16, 31, 32};
    struct device *device = device_open("emulator", &(struct device_settings){.threads = 1}, NULL);
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        for (uint32_t n = 0; n < 1500; n = n * 3 + 1)
            assert_true(contract_sort(device, NULL, n, bits[i]));
    device_close(device);
}
