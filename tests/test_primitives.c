// SPDX-License-Identifier: MIT
// Programs of the emulator by name; selection and sort.
#include "check.h"
#include "base/random.h"
#include "emulator_rig.h"

TEST(programs_are_looked_up)
{
    struct error error = {0};
    struct rig rig = rig_open((struct device_settings){.threads = 1, .portable = true}, true);
    assert_non_null(strstr(rig.device->ops->provenance(rig.program), "counting for any"));
    assert_null(rig.device->ops->kernel(rig.program, "covet", &error));
    assert_int_equal(error.kind, ERROR_USE);
    assert_non_null(strstr(error.message, "did you mean 'cover'"));
    const struct device_build unknown = {.variant = "tset"};
    assert_null(rig.device->ops->build(rig.device, &unknown, &error));
    assert_int_equal(error.kind, ERROR_USE);
    const struct device_kernel *kernel = rig.device->ops->kernel(rig.program, "cover", &error);
    assert_int_equal(rig.device->ops->facts(kernel).registers, -1);
    rig_close(&rig);
}

static void check_select(struct rig *rig, uint32_t n, bool from_list)
{
    uint32_t *out = malloc((n + 1) * sizeof *out), count = 99, expected = 0;
    uint8_t *flags = malloc(n + 1);
    rig_reserve(rig, n + 1);
    for (uint32_t i = 0; i < n; i++)
        flags[i] = rig->args.in[i] & 4 ? (uint8_t)(rig->args.in[i] | 1) : 0;
    const uint32_t *in = from_list ? rig->args.in : NULL;
    assert_true(rig->device->ops->select_flagged(rig->device, NULL, in, flags, out, &count, n, NULL));
    for (uint32_t i = 0; i < n; i++)
        if (flags[i]) {
            assert_true(expected < count);
            assert_int_equal(out[expected++], from_list ? rig->args.in[i] : i);
        }
    assert_int_equal(count, expected);
    free(out);
    free(flags);
}

TEST(flagged_items_are_selected_in_order)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    for (uint32_t n = 0; n < 5000; n = n * 3 + 1) {
        check_select(&rig, n, false);
        check_select(&rig, n, true);
    }
    rig_close(&rig);
}

// Insertion keeps equal keys in order.
static void sort_naively(uint32_t *keys, uint32_t *values, uint32_t n, uint32_t key_bits)
{
    const uint32_t mask = key_bits == 32 ? UINT32_MAX : (1u << key_bits) - 1;
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t j = i; j > 0 && (keys[j - 1] & mask) > (keys[j] & mask); j--) {
            const uint32_t key = keys[j], value = values[j];
            keys[j] = keys[j - 1], values[j] = values[j - 1];
            keys[j - 1] = key, values[j - 1] = value;
        }
}

static void check_sort(struct rig *rig, uint32_t n, uint32_t key_bits)
{
    uint32_t *keys = malloc((n + 1) * sizeof *keys), *values = malloc((n + 1) * sizeof *values);
    uint32_t *sorted_keys = malloc((n + 1) * sizeof *keys), *sorted_values = malloc((n + 1) * sizeof *values);
    uint64_t random = n + key_bits;
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = random_below(&random, 1u << 31) * 2 + random_below(&random, 2);
        values[i] = i;
    }
    const struct device_ops *ops = rig->device->ops;
    assert_true(ops->sort_pairs(rig->device, NULL, keys, sorted_keys, values, sorted_values, n, key_bits, NULL));
    sort_naively(keys, values, n, key_bits);
    assert_memory_equal(keys, sorted_keys, n * sizeof *keys);
    assert_memory_equal(values, sorted_values, n * sizeof *values);
    free(keys), free(values), free(sorted_keys), free(sorted_values);
}

TEST(pairs_are_sorted_stably)
{
    static const uint32_t bits[] = {1, 3, 8, 9, 16, 31, 32};
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        for (uint32_t n = 0; n < 1500; n = n * 3 + 1)
            check_sort(&rig, n, bits[i]);
    rig_close(&rig);
}
