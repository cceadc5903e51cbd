// SPDX-License-Identifier: MIT
#include "measure_support.h"

#include <math.h>

#include "check.h"

struct executor *executor;

int measure_open(void **state)
{
    executor = executor_create();
    return 0;
}

int measure_close(void **state)
{
    executor_destroy(executor);
    return 0;
}

bool measure_try(const char *scene, const char *variant, const char *settings, struct measurement *measurement,
                 struct error *error)
{
    struct trial_spec spec = {.device = "emulator", .parameters = parameters_default()};
    char text[256];
    *error = (struct error){0};
    *measurement = (struct measurement){0};
    snprintf(spec.scene, sizeof spec.scene, "%s", scene);
    snprintf(spec.variant, sizeof spec.variant, "%s", variant);
    snprintf(text, sizeof text, "width=%d height=%d %s", MEASURE_WIDTH, MEASURE_HEIGHT, settings);
    for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest));) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        assert_true(parameter_set(&spec.parameters, parameter_find(word), equals + 1, error));
    }
    const struct execute_request request = {
        .spec = &spec, .collection = COLLECTION_COUNTS, .policy = policy_once(), .keep_film = true};
    return execute(executor, &request, measurement, error);
}

struct measurement measure(const char *scene, const char *variant, const char *settings)
{
    struct measurement measurement;
    need(measure_try(scene, variant, settings, &measurement, &why));
    return measurement;
}

struct bounce_counts measure_sum(const struct measurement *measurement)
{
    struct bounce_counts sum = {0};
    for (size_t i = 0; i < measurement->count_count; ++i)
        count_add(&sum, &measurement->counts[i].counts);
    return sum;
}

uint32_t measure_launches(const struct measurement *measurement, const char *kernel)
{
    uint32_t count = 0;
    for (size_t i = 0; i < measurement->launch_count; ++i)
        count += strcmp(measurement->launches[i].kernel, kernel) ? 0 : 1 + measurement->launches[i].more;
    return count;
}

void measure_alike(const char *scene, const char *variant, const char *settings, const char *reference)
{
    struct measurement wanted = measure(scene, "naive", reference), found = measure(scene, variant, settings);
    if (!hash_equal(wanted.image, found.image) || wanted.path_hash != found.path_hash)
        fail_msg("%s, %s: another image or other paths than naive", variant, settings);
    measurement_finish(&wanted);
    measurement_finish(&found);
}

struct hash measure_image(const char *scene, const char *settings)
{
    struct measurement measurement = measure(scene, "naive", settings);
    const struct hash image = measurement.image;
    measurement_finish(&measurement);
    return image;
}

void measure_mean(const char *scene, const char *common, const char *settings, int spp, double *mean, double *error)
{
    const int seeds = 8;
    double sum = 0, squares = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        char text[256];
        snprintf(text, sizeof text, "%s %s spp=%d seed=%d", common, settings, spp, seed);
        struct measurement measurement = measure(scene, "naive", text);
        const size_t count = 3 * (size_t)measurement.film_width * measurement.film_height;
        double value = 0;
        for (size_t i = 0; i < count; ++i)
            value += (double)measurement.film[i] * 0x1p-32 / spp / (double)count;
        measurement_finish(&measurement);
        sum += value;
        squares += value * value;
    }
    *mean = sum / seeds;
    *error = sqrt(fmax(squares / seeds - *mean * *mean, 0) / (seeds - 1));
}
