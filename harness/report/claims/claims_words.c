// SPDX-License-Identifier: MIT
#include "report/claims/claims_words.h"

#include <math.h>
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

static bool same_side(double value, double printed, double bound)
{
    return (value < bound) == (printed < bound) && (value > bound) == (printed > bound);
}

void claim_value_text(const struct claim_test *test, double value, char text[CLAIM_VALUE_TEXT])
{
    enum { DIGITS_MORE = 3 };
    const double bounds[] = {test->accept.least, test->accept.most, test->has_refute ? test->refute.least : INFINITY,
                             test->has_refute ? test->refute.most : INFINITY};
    snprintf(text, CLAIM_VALUE_TEXT, "-");
    for (int more = 0, apart = 0; !isnan(value) && !apart && more <= DIGITS_MORE; ++more) {
        snprintf(text, CLAIM_VALUE_TEXT, "%.*f", (int)test->decimals + more, value);
        apart = 1;
        for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; ++i)
            apart = apart && same_side(value, strtod(text, NULL), bounds[i]);
    }
}

void claim_test_text(const struct claim_test *test, char *text, size_t size)
{
    char accept[80], refute[80];
    claim_bounds_text(test->accept, false, accept, sizeof accept);
    claim_bounds_text(test->refute, test->refute_outside, refute, sizeof refute);
    const char *unit = test->unit;
    const int used =
        snprintf(text, size, "%s: %s%s%s on %s", test->title, accept, unit[0] ? " " : "", unit, test->on.words);
    if (test->has_refute && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "; refuted: %s on %s", refute, test->refuted_on.words);
}

const char *claim_join(struct arena *arena, const char *const *words, size_t count)
{
    const char *text = "";
    for (size_t i = 0; i < count; ++i)
        text = arena_join(arena, text, ", ", words[i]);
    return text;
}

enum { SOME_PLACES = 6 };

const char *claim_some_places(struct arena *arena, const char *places)
{
    size_t count = places[0] != '\0', length = strlen(places);
    for (const char *at = places; (at = strstr(at, "; ")); at += 2)
        if (count++ == SOME_PLACES)
            length = (size_t)(at - places);
    if (count <= SOME_PLACES + 1) // to say "and 1 more" takes as much room as the place
        return places;
    return arena_format(arena, "%.*s; and %zu more", (int)length, places, count - SOME_PLACES);
}

void claim_counts_text(const struct claim_results *results, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < VERDICT_COUNT && used < size; ++i)
        if (results->of[i])
            used += (size_t)snprintf(text + used, size - used, "%s%zu %s", used ? ", " : "", results->of[i],
                                     claim_verdict_names[i]);
    if (results->arithmetic && used < size)
        snprintf(text + used, size - used, "%s%zu by arithmetic", used ? ", " : "", results->arithmetic);
}

const char *claim_case_word(struct arena *arena, const struct claim_test *test, const struct claim_case *at,
                            size_t index)
{
    const char *word = claim_outcome_word(test, claim_case_outcome(test, at, index));
    if (at->votes[index] || at->excluded[0] || isnan(at->value[index]))
        return word;
    return arena_format(arena, "%s, %s", word, at->elsewhere ? "also seen" : "another setting counts");
}
