// SPDX-License-Identifier: MIT
// What a result is compared by: counts of a class, path hash and image.
#include "verify/verify.h"

// The first count of a class that differs between two rows; COUNT_WORDS where none does.
static size_t first_difference(const struct bounce_counts *wanted, const struct bounce_counts *found,
                               enum count_class class)
{
    size_t word = 0;
    while (word < COUNT_WORDS &&
           (count_words()[word].class != class || count_get(wanted, word) == count_get(found, word)))
        ++word;
    return word;
}

// Counts of one class; NULL where all are equal. How many launches there are, and so their totals, is the schedule's.
static const char *compare_counts(const struct verify_result *wanted, const struct verify_result *found,
                                  enum count_class class, char *text, size_t size)
{
    for (uint32_t bin = 0; bin < COUNT_BINS + (class != COUNT_PATH); ++bin) {
        const bool all = bin == COUNT_BINS;
        const struct bounce_counts *a = all ? &wanted->totals : &wanted->bounces[bin],
                                   *b = all ? &found->totals : &found->bounces[bin];
        const size_t word = first_difference(a, b, class);
        char where[32] = "all launches";
        if (word == COUNT_WORDS)
            continue;
        if (!all)
            snprintf(where, sizeof where, "bounce %u", count_bin_first(bin));
        snprintf(text, size, "%s of %s: %llu, not %llu", count_words()[word].name, where,
                 (unsigned long long)count_get(b, word), (unsigned long long)count_get(a, word));
        return text;
    }
    return NULL;
}

const char *verify_compare(const struct verify_result *reference, const struct verify_result *result, char *text,
                           size_t size)
{
    const char *why = result->counted ? compare_counts(reference, result, COUNT_PATH, text, size) : NULL;
    if (why)
        return why;
    if (result->counted && reference->path_hash != result->path_hash)
        return "the path hash differs";
    if (hash_equal(reference->image, result->image))
        return NULL;
    return result->counted ? "the image differs, though all counts agree" : "the image differs";
}

// Whether two counts of paths could be those of two frames with other random numbers: within four standard errors, of Poisson's.
static bool same_number(uint64_t a, uint64_t b)
{
    enum { SIGMAS = 4 };
    const double difference = (double)a - (double)b;
    return difference * difference <= SIGMAS * SIGMAS * ((double)a + (double)b + 1);
}

// Whether two frames' radiance is equal but for a share of the noise that the reference has: a standard error of its mean.
static bool same_light(const struct bounce_counts *wanted, const struct bounce_counts *found, uint64_t paths)
{
    const double unit = 1.0 / (1 << 24), sum = unit * (double)wanted->radiance,
                 squares = unit * (double)wanted->squares;
    const double difference = sum - unit * (double)found->radiance;
    const double variance = squares - sum * sum / (3.0 * (double)(paths ? paths : 1));
    return difference * difference <= variance + unit;
}

const char *verify_compare_traced(const struct verify_result *reference, const struct verify_result *result, char *text,
                                  size_t size)
{
    for (uint32_t bin = 0; bin < COUNT_BINS; ++bin) {
        const uint64_t wanted = reference->bounces[bin].active_paths, found = result->bounces[bin].active_paths;
        if (same_number(wanted, found))
            continue;
        snprintf(text, size, "%llu paths at bounce %u, not about %llu", (unsigned long long)found, count_bin_first(bin),
                 (unsigned long long)wanted);
        return text;
    }
    const uint64_t paths = reference->bounces[0].active_paths;
    return same_light(&reference->totals, &result->totals, paths) ? NULL
                                                                  : "the image's mean differs by more than its noise";
}

const char *verify_compare_schedule(const struct verify_result *wanted, const struct verify_result *found, char *text,
                                    size_t size)
{
    return compare_counts(wanted, found, COUNT_SCHEDULE, text, size);
}
