// SPDX-License-Identifier: MIT
#include "run/tally.h"

#include <string.h>

#include "base/utf8.h"

static void add_reason(struct tally *tally, enum attempt_status status, const char *reason, const char *example,
                       int64_t times)
{
    for (size_t i = 0; i < tally->reason_count; ++i)
        if (tally->reasons[i].status == status &&
            !strncmp(tally->reasons[i].text, reason, sizeof tally->reasons[i].text - 1)) {
            tally->reasons[i].count += times;
            return;
        }
    if (tally->reason_count == TALLY_REASONS)
        return;
    struct tally_reason *row = &tally->reasons[tally->reason_count++];
    *row = (struct tally_reason){.status = status, .count = times};
    snprintf(row->text, sizeof row->text, "%s", reason);
    snprintf(row->example, sizeof row->example, "%s", example);
    utf8_line(row->text);
    utf8_line(row->example);
}

void tally_add(struct tally *tally, enum attempt_status status, const char *reason, const char *example)
{
    if (status == ATTEMPT_DONE)
        tally->done += 1;
    else if (status == ATTEMPT_SKIPPED)
        tally->skipped += 1;
    else
        tally->failed += 1;
    if (status != ATTEMPT_DONE)
        add_reason(tally, status, reason, example, 1);
}

void tally_merge(struct tally *total, const struct tally *part)
{
    total->settled += part->settled;
    total->done += part->done;
    total->skipped += part->skipped;
    total->failed += part->failed;
    total->left += part->left;
    total->unknown += part->unknown;
    total->retried += part->retried;
    total->failed_before += part->failed_before;
    total->skipped_before += part->skipped_before;
    total->busy_seconds += part->busy_seconds;
    for (size_t i = 0; i < part->reason_count; ++i) {
        const struct tally_reason *row = &part->reasons[i];
        add_reason(total, row->status, row->text, row->example, row->count);
    }
}

static void print_reasons(const struct tally *tally, bool skips, FILE *stream)
{
    for (size_t i = 0; i < tally->reason_count; ++i) {
        const struct tally_reason *row = &tally->reasons[i];
        if ((row->status == ATTEMPT_SKIPPED) != skips)
            continue;
        fprintf(stream, "    %lld x %s%s%s\n        first: %s\n", (long long)row->count,
                skips ? "" : attempt_status_names[row->status], skips ? "" : ": ", row->text, row->example);
    }
}

void tally_print_skips(const struct tally *tally, FILE *stream)
{
    print_reasons(tally, true, stream);
}

void tally_print(const struct tally *tally, FILE *stream)
{
    fprintf(stream, "  done     %lld", (long long)tally->done);
    if (tally->settled > tally->skipped_before + tally->failed_before)
        fprintf(stream, " (and %lld before)",
                (long long)(tally->settled - tally->skipped_before - tally->failed_before));
    if (tally->retried)
        fprintf(stream, ", %lld of them after a retry", (long long)tally->retried);
    fputc('\n', stream);
    fprintf(stream, "  skipped  %lld", (long long)tally->skipped);
    fprintf(stream, tally->skipped_before ? " (and %lld before)\n" : "\n", (long long)tally->skipped_before);
    print_reasons(tally, true, stream);
    fprintf(stream, "  failed   %lld", (long long)tally->failed);
    fprintf(stream, tally->failed_before ? " (and %lld before)\n" : "\n", (long long)tally->failed_before);
    print_reasons(tally, false, stream);
    if (tally->left)
        fprintf(stream, "  not run  %lld\n", (long long)tally->left);
}
