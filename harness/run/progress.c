// SPDX-License-Identifier: MIT
#include "run/progress.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/terminal.h"
#include "base/utf8.h"

static const double terminal_interval = 0.2, plain_interval = 5; // seconds

void progress_duration(double seconds, char *text, unsigned size)
{
    const long whole = (long)(seconds + 0.5);
    if (seconds < 0.1)
        snprintf(text, size, "%.0f ms", 1e3 * seconds);
    else if (seconds < 60)
        snprintf(text, size, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    else if (whole < 3600)
        snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
    else
        snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
}

void progress_start(struct progress *progress, int64_t total, bool quiet)
{
    const char *term = getenv("TERM"), *wanted = getenv("WARPSTUDY_PROGRESS");
    quiet = quiet || (wanted && strcmp(wanted, "no") == 0);
    *progress = (struct progress){.quiet = quiet, .total = total, .started = clock_seconds()};
    progress->terminal = isatty(2) && term && strcmp(term, "dumb");
    progress->printed =
        progress->started - (progress->terminal ? terminal_interval : 0); // a terminal's first line at once
}

// The terminal's line anew; "" clears it.
static void draw_line(const char *line)
{
    fprintf(stderr, "\r%s\033[K", line);
}

void progress_clear(struct progress *progress)
{
    if (progress->drawn)
        draw_line("");
    progress->drawn = false;
}

static void format_left(const struct progress *progress, char *text, size_t size)
{
    const double spent = clock_seconds() - progress->started;
    const int64_t left = progress->total - progress->finished;
    char duration[32];
    if (!progress->finished || spent <= 0) {
        progress_duration(spent > 0 ? spent : 0, duration, sizeof duration);
        snprintf(text, size, "%s so far, time left unknown", duration);
        return;
    }
    const double rate = (double)progress->finished / spent;
    progress_duration((double)left / rate, duration, sizeof duration);
    if (rate >= 1)
        snprintf(text, size, "%.1f/s, %s left", rate, duration);
    else
        snprintf(text, size, "%.1f/min, %s left", 60 * rate, duration);
}

static void draw_progress(struct progress *progress)
{
    enum { BAR = 24 };
    const double share = progress->total ? (double)progress->finished / (double)progress->total : 1;
    const int filled = (int)(share * BAR);
    const char turning =
        "|/-\\"[(long)(clock_seconds() / terminal_interval) % 4]; // something moves, however long one takes
    char left[64], line[512];
    format_left(progress, left, sizeof left);
    if (progress->total)
        snprintf(line, sizeof line, "%c [%.*s%*s] %lld/%lld, %s  %s", turning, filled, "########################",
                 BAR - filled, "", (long long)progress->finished, (long long)progress->total, left, progress->doing);
    else if (progress->finished)
        snprintf(line, sizeof line, "%c %lld  %s", turning, (long long)progress->finished, progress->doing);
    else
        snprintf(line, sizeof line, "%c %s", turning, progress->doing);
    line[strnlen(line, (size_t)terminal_width(2) - 1)] = 0;
    draw_line(line);
    progress->drawn = true;
}

void progress_tick(struct progress *progress)
{
    const double now = clock_seconds();
    if (progress->quiet || !progress->doing[0] ||
        now - progress->printed < (progress->terminal ? terminal_interval : plain_interval))
        return;
    progress->printed = now;
    if (progress->terminal) {
        draw_progress(progress);
        return;
    }
    if (!progress->total) {
        if (progress->finished)
            fprintf(stderr, "%lld: ", (long long)progress->finished);
        fprintf(stderr, "%s\n", progress->doing);
        return;
    }
    char left[64];
    format_left(progress, left, sizeof left);
    fprintf(stderr, "%lld/%lld (%.0f %%), %s: %s\n", (long long)progress->finished, (long long)progress->total,
            progress->total ? 100.0 * (double)progress->finished / (double)progress->total : 100.0, left,
            progress->doing);
}

void progress_doing(struct progress *progress, const char *doing)
{
    snprintf(progress->doing, sizeof progress->doing, "%s", doing);
    utf8_line(progress->doing);
    progress_tick(progress);
}

void progress_step(struct progress *progress)
{
    progress->finished += 1;
    progress_tick(progress);
}

void progress_scene(void *context, const char *step, double fraction)
{
    struct progress *progress = context;
    const double now = clock_seconds();
    if (progress->quiet || now - progress->printed < (progress->terminal ? terminal_interval : plain_interval))
        return;
    progress->printed = now;
    char line[512];
    snprintf(line, sizeof line, "%s: %.0f %%", step, 100 * fraction);
    if (progress->terminal)
        draw_line(line);
    else
        fprintf(stderr, "%s\n", line);
    progress->drawn = progress->terminal;
}
