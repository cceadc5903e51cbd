// SPDX-License-Identifier: MIT
#include "report/claims_words.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void claim_bounds_text(struct claim_bounds bounds, bool outside, char *text, size_t size)
{
    const bool low = isfinite(bounds.least), high = isfinite(bounds.most);
    if (low && high && bounds.least == bounds.most)
        snprintf(text, size, "%s%g", outside ? "other than " : "", bounds.least);
    else if (low && high)
        snprintf(text, size, outside ? "below %g or above %g" : "%g to %g", bounds.least, bounds.most);
    else if (low)
        snprintf(text, size, "%s %g", outside ? "below" : "at least", bounds.least);
    else
        snprintf(text, size, "%s %g", outside ? "above" : "at most", bounds.most);
}

enum { SOME_PLACES = 6 };

char *claim_some_places(const char *places)
{
    size_t count = places[0] != '\0', length = strlen(places);
    for (const char *at = places; (at = strstr(at, "; ")); at += 2)
        if (count++ == SOME_PLACES)
            length = (size_t)(at - places);
    char *text = NULL;
    if (count <= SOME_PLACES + 1) // to say "and 1 more" takes as much room as the place
        return strdup(places);
    return asprintf(&text, "%.*s; and %zu more", (int)length, places, count - SOME_PLACES) < 0 ? NULL : text;
}

static int compare_ids(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool was_measured(const struct claim_result *result, const struct claim_case *at)
{
    for (size_t i = 0; i < result->claim->test_count; ++i)
        if (!isnan(at->value[i]))
            return true;
    return false;
}

// Room for every id of all cases.
static int64_t *list_ids(const struct claim_result *result, size_t *count)
{
    size_t room = 1;
    for (size_t i = 0; i < result->case_count; ++i)
        room += strlen(result->cases[i].trials);
    int64_t *ids = malloc(room * sizeof *ids);
    *count = 0;
    for (size_t i = 0; ids && i < result->case_count; ++i) {
        const char *text = was_measured(result, &result->cases[i]) ? result->cases[i].trials : "";
        while (*(text += strcspn(text, "0123456789")))
            ids[(*count)++] = strtoll(text, (char **)&text, 10);
    }
    return ids;
}

char *claim_trials(const struct claim_result *result)
{
    size_t count, size;
    int64_t *ids = list_ids(result, &count);
    char *text = NULL;
    FILE *stream = ids ? open_memstream(&text, &size) : NULL;
    if (stream) {
        qsort(ids, count, sizeof *ids, compare_ids);
        for (size_t i = 0; i < count; ++i)
            if (!i || ids[i] != ids[i - 1])
                fprintf(stream, "%s%lld", i ? ", " : "", (long long)ids[i]);
        fclose(stream);
    }
    free(ids);
    return text;
}

void claim_counts_text(const struct claim_results *results, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < VERDICT_COUNT && used < size; ++i)
        if (results->of[i])
            used += (size_t)snprintf(text + used, size - used, "%s%zu %s", used ? ", " : "", results->of[i],
                                     claim_verdict_names[i]);
}
