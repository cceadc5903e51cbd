// SPDX-License-Identifier: MIT
#include "run/summary.h"

#include <string.h>

#include "base/shell.h"
#include "store/query.h"

static void print_option(const char *option, const char *value)
{
    if (!value)
        return;
    printf(" %s ", option);
    shell_put(value, stdout);
}

// Of a sweep that is of no study its own table and figure, else the report.
static void print_done(const struct sweep *sweeps, const struct run_options *options)
{
    static const char *const own[] = {"table", "plot"}, *const study[] = {"report"};
    const bool is_own = !sweeps->experiment->study[0];
    printf("  next    ");
    for (size_t i = 0; i < (is_own ? 2 : 1); ++i) {
        printf("%s warpstudy %s", i ? ", then" : "", is_own ? own[i] : study[i]);
        print_option("--db", options->database);
    }
    putchar('\n');
}

// What to type next.
static void print_next(const struct sweep *sweeps, const struct tally *tally, const struct run_options *options,
                       const char *reason)
{
    const int64_t before = tally->settled - tally->skipped_before - tally->failed_before;
    if (tally->left || tally->unknown || !strcmp(reason, "error") || !strcmp(reason, "interrupted")) {
        printf("  next     run the same command again to continue\n");
    } else if (tally->failed + tally->failed_before) {
        printf("  next     warpstudy status");
        print_option("--db", options->database);
        printf(", then warpstudy run --retry-failed");
        print_option("--db", options->database);
        print_option("--device", options->devices ? NULL : options->device);
        print_option("--devices", options->devices);
        if (options->shared_device)
            printf(" --shared-device");
        for (size_t i = 0; i < options->set_count; ++i)
            print_option("--set", options->sets[i]);
        for (size_t i = 0; i < options->experiment_count; ++i) {
            putchar(' ');
            shell_put(options->experiments[i], stdout);
        }
        putchar('\n');
    } else if (tally->done + before) {
        print_done(sweeps, options);
    } else {
        printf("  next     warpstudy status");
        print_option("--db", options->database);
        putchar('\n');
    }
}

const char *summary_reason(const struct sweep *sweep, const char *reason)
{
    return !sweep->found || sweep->tally.left ? reason : sweep->tally.unknown ? "incomplete" : "complete";
}

static const char *words_of(const char *reason)
{
    return strcmp(reason, "until") ? reason : "stopped by the clock";
}

// A line for each of several experiments.
static void print_sweep(const struct sweep *sweep, const char *reason)
{
    const struct tally *tally = &sweep->tally;
    if (!sweep->run) {
        printf("  %-20s not begun\n", sweep->experiment->name);
        return;
    }
    printf("  %-20s run %lld %s: %lld done, %lld skipped, %lld failed", sweep->experiment->name, (long long)sweep->run,
           words_of(summary_reason(sweep, reason)),
           (long long)(tally->done + tally->settled - tally->skipped_before - tally->failed_before),
           (long long)(tally->skipped + tally->skipped_before), (long long)(tally->failed + tally->failed_before));
    if (tally->left)
        printf(", %lld not run", (long long)tally->left);
    putchar('\n');
}

static void print_devices(const struct session *session)
{
    for (size_t i = 0; session->device_count > 1 && i < session->device_count; ++i) {
        const struct run_device *device = &session->devices[i];
        printf("  %-8s %s: %lld done%s%s\n", i ? "" : "devices", device->name, (long long)device->done,
               device->lost ? "; lost: " : "", device->cause);
    }
}

static bool print_deviating(void *context, const struct store_row *row)
{
    (void)context;
    const struct store_value *values = row->values; // as the query below has them
    printf("  deviates device %lld of %s (%s): %+.2f %% from the median over devices, noise %.2f %%\n",
           (long long)values[0].integer, values[1].text, values[2].text, 100 * values[3].real, 100 * values[4].real);
    return true;
}

// Those of this database, also of other runs: cards are compared by all that they measured.
static void print_deviations(struct store *store)
{
    struct error ignored = {0};
    store_query(store, "SELECT ordinal, node, uuid, deviation, card_noise FROM cards WHERE deviates", NULL,
                print_deviating, NULL, &ignored);
}

void summary_print(const struct sweep *sweeps, size_t count, const struct tally *total,
                   const struct run_options *options, const char *reason, double seconds)
{
    char took[32], busy[32], date[64];
    const time_t now = time(NULL);
    struct tm local;
    strftime(date, sizeof date, "%Y-%m-%d %H:%M", localtime_r(&now, &local));
    progress_duration(seconds, took, sizeof took);
    progress_duration(total->busy_seconds, busy, sizeof busy);
    if (count == 1)
        printf("%s: run %lld", sweeps->experiment->name, (long long)sweeps->run);
    else
        printf("%zu experiments:", count);
    printf(" %s at %s after %s (%s in workers)\n", words_of(reason), date, took, busy);
    for (size_t i = 0; count > 1 && i < count; ++i)
        print_sweep(&sweeps[i], reason);
    tally_print(total, stdout);
    print_devices(sweeps->session);
    if (sweeps->session->device_count > 1)
        print_deviations(sweeps->session->store);
    printf("  database %s\n", store_path(sweeps->session->store));
    print_next(sweeps, total, options, reason);
}
