// SPDX-License-Identifier: MIT
#include "run/made_by.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "device/counters.h"
#include "run/environment.h"

enum { HASH_DIGITS = 8 };

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

// The first digits are enough: they only have to tell a metric's expressions apart.
static void print_word(FILE *to, const char *before, const char *name)
{
    const struct device_metric *row = device_metric_find(name);
    const char *meaning = row ? row->expression : "";
    char hash[HASH_TEXT];
    hash_text(hash_bytes(meaning, strlen(meaning)), hash);
    fprintf(to, "%s%s:%.*s", before, name, HASH_DIGITS, hash);
}

// Words of the names in their order, each once; sorts `names`.
static char *words_of(const char **names, size_t count)
{
    char *text = NULL;
    size_t size;
    FILE *to = memory_stream(&text, &size);
    if (count)
        qsort(names, count, sizeof *names, compare_texts);
    for (size_t i = 0; i < count; ++i)
        if (!i || strcmp(names[i - 1], names[i]))
            print_word(to, i ? " " : "", names[i]);
    memory_close(to);
    return text;
}

char *made_by_counters(const struct experiment *experiment)
{
    size_t count = experiment->counter_count, rows = 0;
    while (device_metrics[rows].name)
        ++rows;
    const char **names = memory_new(count + rows, sizeof *names);
    for (size_t i = 0; i < count; ++i)
        names[i] = experiment->counters[i].text;
    for (size_t i = 0; !experiment->counter_count && i < rows; ++i)
        names[count++] = device_metrics[i].name;
    char *text = words_of(names, count);
    free(names);
    return text;
}

char *made_by_timeline(const struct experiment *experiment)
{
    const struct timeline_policy timeline = experiment_timeline(experiment);
    return memory_format("interval:%llu window:%llu code:%.*s", (unsigned long long)timeline.interval,
                         (unsigned long long)timeline.window, HASH_DIGITS, environment_timeline());
}

size_t made_by_count(const char *words)
{
    size_t count = *words != 0;
    for (; *words; ++words)
        count += *words == ' ';
    return count;
}

size_t made_by_names(char *words, const char **names)
{
    size_t count = 0;
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *end = strrchr(word, ':');
        if (end)
            *end = 0;
        names[count++] = word;
    }
    return count;
}

// Cuts the name out of a word; whether it still stands for what it stood for then.
static bool still_means(char *word)
{
    char *end = strrchr(word, ':'), *now;
    if (!end)
        return false;
    *end = 0;
    now = words_of((const char *[]){word}, 1);
    const bool same = !strcmp(now + (end - word) + 1, end + 1);
    free(now);
    return same;
}

char *made_by_join(const char *wanted, const char *made)
{
    const char **names = memory_new(made_by_count(wanted) + made_by_count(made), sizeof *names);
    char *first = memory_copy(wanted), *second = memory_copy(made);
    size_t count = made_by_names(first, names);
    for (char *word = strtok(second, " "); word; word = strtok(NULL, " "))
        if (still_means(word))
            names[count++] = word;
    char *joined = words_of(names, count);
    free(names);
    free(first);
    free(second);
    return joined;
}
