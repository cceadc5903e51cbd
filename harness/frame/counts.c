// SPDX-License-Identifier: MIT
#include "frame/counts.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct count_field {
    const char *field, *names; // names: NULL, or those of an array's entries
    size_t size;
    enum count_class class;
    const char *unit, *meaning;
};

static const struct count_field fields[] = {
#define COUNT(field, class, unit, meaning) {#field, NULL, 1, COUNT_##class, unit, meaning},
#define COUNT_LIST(field, size, names, class, unit, meaning) {#field, names, size, COUNT_##class, unit, meaning},
#include "lib/counts.def"
#undef COUNT
#undef COUNT_LIST
};

const char *const count_class_names[] = {"path", "tree", "schedule", "model"};

_Static_assert((int)COUNT_KINDS == MATERIAL_BLEND + 1, "`shaded` has a name for each kind of material");

static struct count_word words[COUNT_WORDS];

static void fill_words(void)
{
    struct count_word *word = words;
    for (const struct count_field *row = fields; row < fields + sizeof fields / sizeof *fields; ++row) {
        const char *name = row->names;
        for (size_t i = 0; i < row->size; ++i, ++word) {
            *word = (struct count_word){.class = row->class, .unit = row->unit, .meaning = row->meaning};
            if (!name) {
                snprintf(word->name, sizeof word->name, "%s", row->field);
                continue;
            }
            snprintf(word->name, sizeof word->name, "%s_%.*s", row->field, (int)strcspn(name, "|"), name);
            name += strcspn(name, "|") + 1;
        }
    }
}

const struct count_word *count_words(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_words);
    return words;
}

uint64_t count_get(const struct bounce_counts *counts, size_t word)
{
    uint64_t value;
    memcpy(&value, (const char *)counts + word * sizeof value, sizeof value);
    return value;
}

void count_clear(struct bounce_counts *counts, size_t word)
{
    memset((char *)counts + word * sizeof(uint64_t), 0, sizeof(uint64_t));
}

void count_add(struct bounce_counts *to, const struct bounce_counts *from)
{
    uint64_t sum[COUNT_WORDS], more[COUNT_WORDS];
    memcpy(sum, to, sizeof sum);
    memcpy(more, from, sizeof more);
    for (size_t i = 0; i < COUNT_WORDS;
         ++i) // by vectors: instrumented frames of many launches spend much of their time here
        sum[i] += more[i];
    memcpy(to, sum, sizeof sum);
}
