// SPDX-License-Identifier: MIT
// What a result is compared by: counts of a class, path hash and image.
#include <stdio.h>

#include "run/verify.h"

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

static void say_difference(const struct bounce_counts *wanted, const struct bounce_counts *found, size_t word,
                           const char *where, char *text, size_t size)
{
    snprintf(text, size, "%s of %s: %llu, not %llu", count_words()[word].name, where,
             (unsigned long long)count_get(found, word), (unsigned long long)count_get(wanted, word));
}

// Counts of one class; NULL where all are equal.
static const char *compare_counts(const struct verify_result *wanted, const struct verify_result *found,
                                  enum count_class class, char *text, size_t size)
{
    for (uint32_t bin = 0; bin < COUNT_BINS; ++bin) {
        const size_t word = first_difference(&wanted->bounces[bin], &found->bounces[bin], class);
        char where[32];
        if (word == COUNT_WORDS)
            continue;
        snprintf(where, sizeof where, "bounce %u", count_bin_first(bin));
        say_difference(&wanted->bounces[bin], &found->bounces[bin], word, where, text, size);
        return text;
    }
    const size_t word = first_difference(&wanted->totals, &found->totals, class);
    if (word == COUNT_WORDS || class == COUNT_PATH)
        return NULL;
    say_difference(&wanted->totals, &found->totals, word, "all launches", text, size);
    return text;
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

const char *verify_compare_schedule(const struct verify_result *wanted, const struct verify_result *found, char *text,
                                    size_t size)
{
    return compare_counts(wanted, found, COUNT_SCHEDULE, text, size);
}
