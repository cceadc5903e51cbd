// SPDX-License-Identifier: MIT
#include "commands/plan_demand.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "commands/shared.h"
#include "plan/device_choice.h"

static struct past *read_file(const char *path, struct error *error)
{
    struct store *store = store_open(path, STORE_READ, error);
    struct past *past = store ? past_read(store, error) : NULL;
    store_close(store);
    return past;
}

bool demands_open(struct demands *demands, const struct command_line *line, struct error *error)
{
    const char *database = command_database(line), *times = command_option(line, "times");
    if (!access(database, F_OK) && !(demands->stored = read_file(database, error)))
        return false;
    demands->times = times ? read_file(times, error) : demands->stored;
    return demands->times || !times;
}

void demands_close(struct demands *demands)
{
    hash_index_free(&demands->index);
    free(demands->rows);
    if (demands->times != demands->stored)
        past_free(demands->times);
    past_free(demands->stored);
}

static struct demand *find_demand(struct demands *demands, const struct trial_spec *spec, enum collection kind,
                                  const char *made_by)
{
    struct hash_state *state = hash_begin();
    hash_add_text(state, collection_names[kind]);
    hash_add_text(state, spec->scene);
    hash_add_text(state, spec->camera);
    hash_add_text(state, spec->variant);
    hash_add_text(state, spec->device);
    hash_add_text(state, made_by);
    hash_add(state, &spec->parameters, sizeof spec->parameters);
    bool fresh;
    const size_t number = hash_index_add(&demands->index, hash_end(state), &fresh);
    return fresh ? ARRAY_ADD(demands->rows, demands->count) : &demands->rows[number];
}

void demands_add(struct demands *demands, const struct experiment *experiment, const struct keys_terms *terms,
                 const struct trial_row *row, enum collection kind)
{
    const bool clock = device_has_clock(row->spec.device);
    const struct policy policy = keys_policy(experiment);
    char *made_by = keys_terms_words(terms, row->spec.device, kind);
    struct demand *demand = find_demand(demands, &row->spec, kind, made_by);
    if (!demand->replicates) {
        demand->each = estimate_execution(demands->times, &row->spec, kind, made_by, clock ? &policy : NULL);
        demand->done = past_done(demands->stored, &row->spec, kind, made_by);
    }
    if (demand->replicates <= row->replicate)
        demand->replicates = row->replicate + 1;
    demands->untimed |= !clock && (kind == COLLECTION_FRAME || kind == COLLECTION_LAUNCHES);
    free(made_by);
}

// ---- words

struct total {
    int64_t executions, done, basis[ESTIMATE_RULE + 1];
    double seconds, low, high, left; // left: without what is done
};

static void add_up(const struct demands *demands, struct total *total)
{
    for (const struct demand *row = demands->rows; row < demands->rows + demands->count; ++row) {
        const double count = (double)row->replicates;
        const int64_t done = row->done < row->replicates ? row->done : row->replicates;
        total->executions += row->replicates;
        total->done += done;
        total->basis[row->each.basis] += row->replicates;
        total->seconds += count * row->each.seconds;
        total->low += count * row->each.low;
        total->high += count * row->each.high;
        total->left += (count - (double)done) * row->each.seconds;
    }
}

// "0.4 s", "27 min", "8.0 h".
static const char *format_duration(double seconds, char text[32])
{
    const double minute = 60, hour = 3600;
    if (seconds < 100)
        snprintf(text, 32, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    else if (seconds < 100 * minute)
        snprintf(text, 32, seconds < 10 * minute ? "%.1f min" : "%.0f min", seconds / minute);
    else
        snprintf(text, 32, seconds < 100 * hour ? "%.1f h" : "%.0f h", seconds / hour);
    return text;
}

void demands_print(const struct demands *demands)
{
    static const char *const bases[] = {"from past executions of the same settings", "from similar executions",
                                        "by a rule of thumb: nothing similar is stored (--times names a database)"};
    struct total total = {0};
    char text[3][32];
    add_up(demands, &total);
    printf("%lld executions", (long long)total.executions);
    if (total.executions && total.basis[ESTIMATE_RULE] < total.executions)
        printf(": about %s (%s to %s)\n", format_duration(total.seconds, text[0]), format_duration(total.low, text[1]),
               format_duration(total.high, text[2]));
    else
        printf(": %s to %s\n", format_duration(total.low, text[0]), format_duration(total.high, text[1]));
    for (int basis = 0; basis <= ESTIMATE_RULE; ++basis)
        if (total.basis[basis])
            printf("  %lld estimated %s\n", (long long)total.basis[basis], bases[basis]);
    if (total.done)
        printf("  %lld done already, unless kernels, scenes or the driver have changed: about %s left\n",
               (long long)total.done, format_duration(total.left, text[0]));
    if (demands->untimed)
        printf("warning: frame or launches requested on a device without a clock: each renders one frame, and its time "
               "is meaningless\n");
}
