// SPDX-License-Identifier: MIT
#include "plan/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/device.h"
#include "store/attempt.h"
#include "store/query.h"

// Executions of one collection of one setting.
struct execution_times {
    struct trial_spec spec;
    enum collection kind;
    char *made_by; // words of the measurement policy, of counters and timeline besides
    int64_t count;
    double seconds; // of one execution; 0: unknown
    double cost;    // of these, the seconds a unit of work that are above `start`
};

struct past {
    struct execution_times *rows; // newest settings first
    size_t count;
    double start[COLLECTION_KINDS]; // the shortest execution: what each takes, however little work it has
};

// ---- work

// Extensions of paths of which four in five go on at each bounce, as in the scenes of the papers. Arithmetic that is
// added to each makes them as much longer as on an H200, where 15,000 operations take as long as the rest.
static double work_of(const struct parameters *parameters)
{
    enum { OPERATIONS = 15000 };
    const double paths = (double)parameters->width * (double)parameters->height * (double)parameters->spp;
    const double extensions = (1 - pow(0.8, (double)parameters->max_bounces + 1)) / (1 - 0.8);
    return paths * extensions * (1 + (double)parameters->dummy_flops / OPERATIONS);
}

// ---- likeness

// Whichever of several equal ones.
static bool same_device(const struct trial_spec *a, const struct trial_spec *b)
{
    char one[DEVICE_NAME_TEXT], other[DEVICE_NAME_TEXT];
    device_name_of(a->device, one);
    device_name_of(b->device, other);
    return !strcmp(one, other);
}

static bool same_spec(const struct trial_spec *a, const struct trial_spec *b)
{
    return !strcmp(a->scene, b->scene) && !strcmp(a->camera, b->camera) && !strcmp(a->variant, b->variant) &&
           same_device(a, b) && !memcmp(&a->parameters, &b->parameters, sizeof a->parameters);
}

// In units of one parameter that differs, or of work by a factor of two.
static double distance_of(const struct trial_spec *a, const struct trial_spec *b)
{
    enum { OTHER_SCENE = 3, OTHER_VARIANT = 8 };
    double distance = fabs(log2(work_of(&a->parameters) / work_of(&b->parameters)));
    distance += strcmp(a->scene, b->scene) ? OTHER_SCENE : strcmp(a->camera, b->camera) ? OTHER_SCENE / 2. : 0;
    distance += strcmp(a->variant, b->variant) ? OTHER_VARIANT : 0;
    for (size_t i = 0; i < parameter_count; ++i)
        distance +=
            parameter_get(&a->parameters, &parameter_table[i]) != parameter_get(&b->parameters, &parameter_table[i]);
    return distance;
}

// ---- estimates

enum { NEAR = 1 }; // how much farther than the nearest rows still count

// The newest executions of the setting that were made by all these words.
static const struct execution_times *find_same(const struct past *past, const struct trial_spec *spec,
                                               enum collection kind, const char *made_by)
{
    for (size_t i = 0; past && i < past->count; ++i)
        if (past->rows[i].kind == kind && same_spec(&past->rows[i].spec, spec) &&
            store_covers(past->rows[i].made_by, made_by))
            return &past->rows[i];
    return NULL;
}

// From the mean cost of the nearest rows. False where there are none.
static bool estimate_near(const struct past *past, const struct trial_spec *spec, enum collection kind,
                          struct estimate *found)
{
    double *distances = memory_new(past->count, sizeof *distances), best = INFINITY;
    double sum = 0, squares = 0, weight = 0;
    for (size_t i = 0; i < past->count; ++i) {
        const struct execution_times *row = &past->rows[i];
        const bool usable = row->kind == kind && row->seconds > 0 && same_device(&row->spec, spec);
        distances[i] = usable ? distance_of(&row->spec, spec) : INFINITY;
        best = fmin(best, distances[i]);
    }
    for (size_t i = 0; i < past->count && isfinite(best); ++i)
        if (distances[i] <= best + NEAR) {
            const double cost = log(past->rows[i].cost);
            sum += cost;
            squares += cost * cost;
            weight += 1;
        }
    free(distances);
    if (!weight)
        return false;
    // A second of a factor of 1.6: with few times, little is known.
    const double mean = sum / weight, variance = (squares - weight * mean * mean + 0.25) / weight;
    const double seconds = work_of(&spec->parameters) * exp(mean), factor = exp(sqrt(variance));
    const double start = past->start[kind];
    *found = (struct estimate){ESTIMATE_NEAR, start + seconds, start + seconds / factor, start + seconds * factor};
    return true;
}

// Without times: between what fast and slow devices take for an extension, and their counters for a frame.
static struct estimate estimate_by_rule(const struct trial_spec *spec, enum collection kind,
                                        const struct policy *policy)
{
    static const struct {
        double low, high;
    } gpu = {1 / 3e9, 1 / 2e8}, cpu = {1 / 5e6, 1 / 2e5}, start = {0.005, 0.05},
      frames[COLLECTION_KINDS] = {{1, 2}, {1, 1}, {1, 1}, {50, 500}, {5, 50}, {10, 50}};
    const bool on_cpu = device_is(spec->device, DEVICE_MODEL) || device_is(spec->device, DEVICE_PROCESSOR);
    const double work = work_of(&spec->parameters);
    double low = work * (on_cpu ? cpu : gpu).low * frames[kind].low,
           high = work * (on_cpu ? cpu : gpu).high * frames[kind].high;
    if (policy && (kind == COLLECTION_FRAME || kind == COLLECTION_LAUNCHES)) {
        low *= policy->warmups + policy->min_repetitions;
        high = high * (policy->warmups + policy->min_repetitions) + policy->max_seconds;
    }
    return (struct estimate){ESTIMATE_RULE, sqrt((start.low + low) * (start.high + high)), start.low + low,
                             start.high + high};
}

struct estimate estimate_execution(const struct past *past, const struct trial_spec *spec, enum collection kind,
                                   const char *made_by, const struct policy *policy)
{
    struct estimate found;
    const struct execution_times *row = find_same(past, spec, kind, made_by);
    if (row && row->seconds > 0)
        return (struct estimate){ESTIMATE_SAME, row->seconds, row->seconds * 0.9, row->seconds * 1.1};
    return past && estimate_near(past, spec, kind, &found) ? found : estimate_by_rule(spec, kind, policy);
}

int64_t past_done(const struct past *past, const struct trial_spec *spec, enum collection kind, const char *made_by)
{
    const struct execution_times *row = find_same(past, spec, kind, made_by);
    return row ? row->count : 0;
}

// ---- reading

// Of each kind of device the model that was measured last; newest settings first. Where the clock was set meanwhile, an execution seems
// to have taken no time at all, or more than any time limit.
static const char past_sql[] =
    "WITH one AS (SELECT id, trial, collection, iif(collection IN ('counters', 'timeline'), ' ' || made_by, '') "
    "AS words, 86400 * (julianday(finished) - julianday(started)) AS seconds "
    "FROM done_attempt), "
    "model AS (SELECT t.device, t.device_name, max(o.id) FROM one o JOIN trial_record t ON t.id = o.trial GROUP BY 1) "
    "SELECT t.scene, t.camera, t.variant, t.device, o.collection, q.name || coalesce(o.words, ''), count(*), "
    "avg(iif(o.seconds > 0 AND o.seconds < 7 * 86400, o.seconds, NULL))%s FROM one o JOIN trial_record t ON t.id = "
    "o.trial "
    "JOIN model USING (device, device_name) "
    "JOIN long_text q ON q.id = t.policy_text "
    "GROUP BY t.setting, o.collection, o.words ORDER BY max(o.id) DESC";

enum { COLUMN_KIND = 4, COLUMN_MADE_BY, COLUMN_COUNT, COLUMN_SECONDS, COLUMN_PARAMETERS };

static void copy_text(char *to, size_t size, const struct store_value *value)
{
    snprintf(to, size, "%s", value->text ? value->text : "");
}

static enum collection kind_of(const char *name)
{
    int kind = 0;
    while (kind < COLLECTION_KINDS && strcmp(collection_names[kind], name))
        ++kind;
    return (enum collection)kind;
}

static bool add_row(void *context, const struct store_row *from)
{
    struct past *past = context;
    const struct store_value *values = from->values;
    struct execution_times row = {.kind = kind_of(values[COLUMN_KIND].text), .count = values[COLUMN_COUNT].integer};
    struct error ignored;
    copy_text(row.spec.scene, sizeof row.spec.scene, &values[0]);
    copy_text(row.spec.camera, sizeof row.spec.camera, &values[1]);
    copy_text(row.spec.variant, sizeof row.spec.variant, &values[2]);
    copy_text(row.spec.device, sizeof row.spec.device, &values[3]);
    row.seconds = values[COLUMN_SECONDS].real;
    row.spec.parameters = parameters_default(); // NULL: ignored or automatic, which is its default
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct store_value *value = &values[COLUMN_PARAMETERS + i];
        // What this program no longer knows is like nothing that it plans.
        if (value->text && !parameter_set(&row.spec.parameters, &parameter_table[i], value->text, &ignored))
            return true;
    }
    row.made_by = memory_copy(values[COLUMN_MADE_BY].text);
    if (row.kind < COLLECTION_KINDS)
        *ARRAY_ADD(past->rows, past->count) = row;
    return true;
}

static void find_costs(struct past *past)
{
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind)
        past->start[kind] = INFINITY;
    for (size_t i = 0; i < past->count; ++i)
        if (past->rows[i].seconds > 0)
            past->start[past->rows[i].kind] = fmin(past->start[past->rows[i].kind], past->rows[i].seconds);
    for (size_t i = 0; i < past->count; ++i) {
        struct execution_times *row = &past->rows[i];
        row->cost = fmax(row->seconds - past->start[row->kind], 0.02 * row->seconds) / work_of(&row->spec.parameters);
    }
}

struct past *past_read(struct store *store, struct error *error)
{
    struct past *past = memory_new(1, sizeof *past);
    char *columns = NULL;
    size_t size;
    FILE *stream = memory_stream(&columns, &size);
    for (size_t i = 0; i < parameter_count; ++i)
        fprintf(stream, ", t.\"%s\"", parameter_table[i].name);
    memory_close(stream);
    char *sql = memory_format(past_sql, columns);
    const bool done = store_query(store, sql, NULL, add_row, past, error);
    free(columns);
    free(sql);
    if (!done) {
        past_free(past);
        return NULL;
    }
    find_costs(past);
    return past;
}

void past_free(struct past *past)
{
    for (size_t i = 0; past && i < past->count; ++i)
        free(past->rows[i].made_by);
    if (past)
        free(past->rows);
    free(past);
}
