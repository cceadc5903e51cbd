// SPDX-License-Identifier: MIT
#include "plan/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/attempt.h"
#include "store/query.h"

// Executions of one collection of one setting.
struct execution_times {
    struct trial_spec spec;
    enum collection kind;
    char *made_by; // words of the measurement policy, of counters and timeline besides
    int64_t count;
    double seconds;        // of one execution
    double frames;         // in it, warm-ups included
    double spread;         // squared coefficient of variation of its repetitions
    double cost;           // logarithm of the seconds a frame and unit of work
    size_t schedule, view; // the first row of the same, whatever the view, and the same scene and camera
    double view_cost;      // of the first row of a view: how much more a unit of work costs there
};

struct mean {
    double sum, weight;
};

struct past {
    struct execution_times *rows;
    size_t count;
    double start[COLLECTION_KINDS]; // the shortest execution: what each takes, however little work it has
    double variance;                // of the logarithm of an estimate, over the time that was measured
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

static bool is_timed(enum collection kind)
{
    return kind == COLLECTION_FRAME || kind == COLLECTION_LAUNCHES;
}

// Frames that a policy will have rendered, where repetitions vary so much. Its interval is Student's: 2.26 deviations
// with the usual ten repetitions.
static double frames_of(const struct policy *policy, double frame_seconds, double spread)
{
    const double block = policy->min_repetitions ? policy->min_repetitions : 1;
    const double ci = policy->relative_ci > 0 ? policy->relative_ci : 1e-9;
    const double wanted = 2.26 * 2.26 * spread / (ci * ci), affordable = policy->max_seconds / frame_seconds;
    const double blocks = fmax(1, ceil(fmin(wanted, affordable) / block));
    return policy->warmups + fmin(blocks * block, policy->max_repetitions);
}

// ---- likeness

static bool same_spec(const struct trial_spec *a, const struct trial_spec *b)
{
    return !strcmp(a->scene, b->scene) && !strcmp(a->camera, b->camera) && !strcmp(a->variant, b->variant) &&
           !strcmp(a->device, b->device) && !memcmp(&a->parameters, &b->parameters, sizeof a->parameters);
}

// What work_of() knows, and the seed, are no difference of schedules.
static bool is_work(const struct parameter *row)
{
    static const char *const names[] = {"width", "height", "spp", "seed", "max_bounces"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        found |= !strcmp(row->name, names[i]);
    return found;
}

static double schedule_distance(const struct parameters *a, const struct parameters *b)
{
    double differences = 0;
    if (!memcmp(a, b, sizeof *a))
        return 0;
    for (size_t i = 0; i < parameter_count; ++i)
        if (parameter_get(a, &parameter_table[i]) != parameter_get(b, &parameter_table[i]))
            differences += !is_work(&parameter_table[i]);
    return differences + fabs(log2(work_of(a) / work_of(b)));
}

// In units of one parameter that differs.
static double distance(const struct trial_spec *a, const struct trial_spec *b)
{
    enum { OTHER_SCENE = 3, OTHER_VARIANT = 8 };
    const double scene = strcmp(a->scene, b->scene) ? OTHER_SCENE : strcmp(a->camera, b->camera) ? OTHER_SCENE / 2. : 0;
    return scene + (strcmp(a->variant, b->variant) ? OTHER_VARIANT : 0) +
           schedule_distance(&a->parameters, &b->parameters);
}

// ---- views

static bool same_view(const struct trial_spec *a, const struct trial_spec *b)
{
    return !strcmp(a->scene, b->scene) && !strcmp(a->camera, b->camera);
}

// Of a view without times the mean of what was executed, of seconds and not of logarithms: of the scene, else of all.
static double view_cost(const struct past *past, const struct trial_spec *spec)
{
    struct mean scene = {0}, all = {0};
    for (size_t i = 0; i < past->count; ++i) {
        const struct execution_times *row = &past->rows[i];
        const double cost = past->rows[row->view].view_cost;
        const bool same_scene = !strcmp(row->spec.scene, spec->scene);
        if (same_view(&row->spec, spec))
            return cost;
        scene.sum += same_scene ? exp(cost) : 0;
        scene.weight += same_scene;
        all.sum += exp(cost);
        all.weight += 1;
    }
    return log(scene.weight > 0 ? scene.sum / scene.weight : all.sum / all.weight);
}

static void find_firsts(struct past *past, size_t index)
{
    struct execution_times *rows = past->rows, *one = &rows[index];
    one->view = one->schedule = 0;
    while (!same_view(&rows[one->view].spec, &one->spec))
        ++one->view;
    while (rows[one->schedule].kind != one->kind || strcmp(rows[one->schedule].spec.variant, one->spec.variant) ||
           memcmp(&rows[one->schedule].spec.parameters, &one->spec.parameters, sizeof one->spec.parameters))
        ++one->schedule;
}

// A cost is its schedule's plus its view's: each in turn is the mean of what the other leaves.
static void fit_views(struct past *past)
{
    enum { ROUNDS = 12 };
    struct mean *schedules = memory_new(past->count, sizeof *schedules),
                *views = memory_new(past->count, sizeof *views);
    for (int round = 0; round < ROUNDS; ++round) {
        for (size_t i = 0; i < past->count; ++i) {
            schedules[i] = (struct mean){0};
            views[i] = (struct mean){.weight = 0.3}; // a view with few times is taken for a usual one
        }
        for (size_t i = 0; i < past->count; ++i) {
            const struct execution_times *row = &past->rows[i];
            schedules[row->schedule].sum += row->cost - past->rows[row->view].view_cost;
            schedules[row->schedule].weight += 1;
        }
        for (size_t i = 0; i < past->count; ++i) {
            const struct execution_times *row = &past->rows[i];
            views[row->view].sum += row->cost - schedules[row->schedule].sum / schedules[row->schedule].weight;
            views[row->view].weight += 1;
        }
        for (size_t i = 0; i < past->count; ++i)
            past->rows[i].view_cost = views[i].sum / views[i].weight;
    }
    free(schedules);
    free(views);
}

// ---- estimates

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

// Mean cost and spread of the nearest rows, but for those of the setting itself. False where there are none.
static bool find_near(const struct past *past, const struct trial_spec *spec, enum collection kind, double *cost,
                      double *spread)
{
    double *distances = memory_new(past->count, sizeof *distances), best = INFINITY, weight = 0;
    for (size_t i = 0; i < past->count; ++i) {
        const struct execution_times *row = &past->rows[i];
        const bool usable =
            row->kind == kind && !strcmp(row->spec.device, spec->device) && !same_spec(&row->spec, spec);
        distances[i] = usable ? distance(&row->spec, spec) : INFINITY;
        best = fmin(best, distances[i]);
    }
    *cost = *spread = 0;
    for (size_t i = 0; i < past->count && isfinite(best); ++i)
        if (distances[i] <= best + 1) {
            *cost += past->rows[i].cost - past->rows[past->rows[i].view].view_cost;
            *spread += past->rows[i].spread;
            weight += 1;
        }
    free(distances);
    *cost = *cost / weight + view_cost(past, spec) + past->variance / 2;
    *spread /= weight;
    return weight > 0;
}

static double seconds_of(const struct past *past, const struct trial_spec *spec, enum collection kind,
                         const struct policy *policy, double cost, double spread)
{
    const double frame = work_of(&spec->parameters) * exp(cost);
    return past->start[kind] + frame * (is_timed(kind) && policy ? frames_of(policy, frame, spread) : 1);
}

// Without times: between what fast and slow devices take for an extension, and their counters for a frame.
static struct estimate by_rule(const struct trial_spec *spec, enum collection kind, const struct policy *policy)
{
    static const struct {
        double low, high;
    } gpu = {1 / 3e9, 1 / 2e8}, cpu = {1 / 5e6, 1 / 2e5}, start = {0.005, 0.05},
      frames[COLLECTION_KINDS] = {{1, 2}, {1, 1}, {1, 1}, {50, 500}, {5, 50}, {10, 50}};
    const bool on_cpu = !strcmp(spec->device, "emulator") || !strcmp(spec->device, "cpu");
    const double work = work_of(&spec->parameters);
    const double fast = work * (on_cpu ? cpu : gpu).low, slow = work * (on_cpu ? cpu : gpu).high;
    const bool repeats = is_timed(kind) && policy;
    const double low = start.low + fast * frames[kind].low * (repeats ? frames_of(policy, fast, 0) : 1);
    const double high = start.high + slow * frames[kind].high * (repeats ? frames_of(policy, slow, 2e-4) : 1);
    return (struct estimate){ESTIMATE_RULE, sqrt(low * high), low, high};
}

struct estimate estimate_execution(const struct past *past, const struct trial_spec *spec, enum collection kind,
                                   const char *made_by, const struct policy *policy)
{
    double cost, spread;
    const struct execution_times *row = find_same(past, spec, kind, made_by);
    const struct execution_times *other = row ? NULL : find_same(past, spec, kind, "");
    if (row || other) {
        const double seconds = row ? row->seconds : seconds_of(past, spec, kind, policy, other->cost, other->spread);
        return (struct estimate){ESTIMATE_SAME, seconds, seconds * 0.9, seconds * 1.1};
    }
    if (!past || !find_near(past, spec, kind, &cost, &spread))
        return by_rule(spec, kind, policy);
    const double seconds = seconds_of(past, spec, kind, policy, cost, spread), factor = exp(sqrt(past->variance));
    return (struct estimate){ESTIMATE_NEAR, seconds, seconds / factor, seconds * factor};
}

int64_t past_done(const struct past *past, const struct trial_spec *spec, enum collection kind, const char *made_by)
{
    const struct execution_times *row = find_same(past, spec, kind, made_by);
    return row ? row->count : 0;
}

// ---- reading

// Of each kind of device the model that was measured last; newest settings first.
static const char past_sql[] =
    "WITH one AS (SELECT a.id, a.trial, a.collection, iif(collection IN ('counters', 'timeline'), ' ' || made_by, '') "
    "AS words, 86400 "
    "* (julianday(finished) - julianday(started)) AS seconds, "
    "iif(collection IN ('frame', 'launches') AND times, 2 + count(r.attempt), 1) AS frames, "
    "iif(count(r.attempt) > 2, (avg(host_seconds * host_seconds) / (avg(host_seconds) * avg(host_seconds)) - 1) "
    "* count(r.attempt) / (count(r.attempt) - 1), 0) AS spread FROM attempt a LEFT JOIN repetition r "
    "ON r.attempt = a.id WHERE status = 'done' AND superseded = 0 GROUP BY a.id), "
    "model AS (SELECT t.device, t.device_name, max(o.id) FROM one o JOIN trial_record t ON t.id = o.trial GROUP BY 1) "
    "SELECT t.scene, t.camera, t.variant, t.device, o.collection, q.name || coalesce(o.words, ''), count(*), "
    "avg(o.seconds), avg(o.frames), "
    "avg(o.spread)%s FROM one o JOIN trial_record t ON t.id = o.trial JOIN model USING (device, device_name) "
    "JOIN long_text q ON q.id = t.policy_text "
    "GROUP BY t.setting, o.collection, o.words ORDER BY max(o.id) DESC";

enum { COLUMN_KIND = 4, COLUMN_MADE_BY, COLUMN_COUNT, COLUMN_SECONDS, COLUMN_FRAMES, COLUMN_SPREAD, COLUMN_PARAMETERS };

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
    row.frames = values[COLUMN_FRAMES].real;
    row.spread = values[COLUMN_SPREAD].real;
    row.spec.parameters = parameters_default(); // NULL: ignored or automatic, which is its default
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct store_value *value = &values[COLUMN_PARAMETERS + i];
        // What this program no longer knows is like nothing that it plans.
        if (value->text && !parameter_set(&row.spec.parameters, &parameter_table[i], value->text, &ignored))
            return true;
    }
    row.made_by = memory_copy(values[COLUMN_MADE_BY].text);
    if (row.kind < COLLECTION_KINDS && row.seconds > 0)
        *ARRAY_ADD(past->rows, past->count) = row;
    return true;
}

static void find_costs(struct past *past)
{
    for (int kind = 0; kind < COLLECTION_KINDS; ++kind)
        past->start[kind] = INFINITY;
    for (size_t i = 0; i < past->count; ++i)
        past->start[past->rows[i].kind] = fmin(past->start[past->rows[i].kind], past->rows[i].seconds);
    for (size_t i = 0; i < past->count; ++i) {
        struct execution_times *row = &past->rows[i];
        const double busy = fmax(row->seconds - past->start[row->kind], 0.02 * row->seconds);
        row->cost = log(busy / row->frames / work_of(&row->spec.parameters));
        find_firsts(past, i);
    }
}

// How far off estimates are: some of the settings are estimated from all others.
static void find_variance(struct past *past)
{
    enum { TESTS = 400 };
    struct mean squares = {.sum = 0.5 * 0.5,
                           .weight = 1}; // a second of a factor of 1.6: with few times, little is known
    for (size_t i = 0; i < past->count; i += 1 + past->count / TESTS) {
        const struct execution_times *row = &past->rows[i];
        double cost, spread;
        if (!find_near(past, &row->spec, row->kind, &cost, &spread))
            continue;
        const double estimate = past->start[row->kind] + exp(cost) * row->frames * work_of(&row->spec.parameters);
        const double off = log(estimate / row->seconds), weight = row->seconds * (double)row->count;
        squares.sum += weight * off * off;
        squares.weight += weight;
    }
    past->variance = fmin(squares.sum / squares.weight, 1);
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
    fit_views(past);
    find_variance(past);
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
