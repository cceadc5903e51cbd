// SPDX-License-Identifier: MIT
#include "run/watch.h"

#include <stdio.h>

#include "base/clock.h"

static const double least_interval = 2, most_share = 0.02; // seconds; of the time

static void watch_complain(struct run_watch *watch, struct progress *progress, const struct error *error)
{
    char text[2200];
    if (watch->told)
        return;
    watch->told = true;
    progress_clear(progress);
    error_format(error, text, sizeof text);
    fprintf(stderr, "the page is not up to date: %s\n", text);
}

void watch_look(struct run_watch *watch, struct progress *progress, const char *doing, const char *ended)
{
    const double begun = clock_seconds();
    if (!watch || (!ended && begun < watch->next))
        return;
    watch->state.doing = doing;
    watch->state.ended = ended;
    watch->state.total = progress->total;
    watch->state.finished = progress->finished;
    watch->state.seconds = begun - progress->started;
    struct error error = {.kind = ERROR_NONE};
    if (!watch->show(watch, &watch->state, &error))
        watch_complain(watch, progress, &error);
    const double end = clock_seconds(), rest = (end - begun) / most_share;
    watch->next = end + (rest > least_interval ? rest : least_interval);
}
