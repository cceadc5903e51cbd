// SPDX-License-Identifier: MIT
#include "report/sweep/sweep_rows.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "frame/parameters.h"
#include "frame/variant.h"
#include "report/papers/sql_rows.h"
#include "store/query.h"
#include "store/tables.h"

// What a trial has besides its parameters. device_name: its model.
static const char *const others[] = {"variant", "scene", "camera", "device", "device_name"};
enum { OTHERS = sizeof others / sizeof *others, AXES_MOST = 16 };

// ---- which experiment

struct chosen {
    char *name, *study, *text;
    struct arena *memory;
};

static bool take_chosen(void *context, const struct store_row *row)
{
    struct chosen *chosen = context;
    chosen->name = arena_format(chosen->memory, "%s", row->values[0].text);
    chosen->study = arena_format(chosen->memory, "%s", row->values[1].text);
    chosen->text = arena_format(chosen->memory, "%s", row->values[2].text);
    return false;
}

struct names {
    const char *list[100];
    size_t count;
    struct arena *memory;
};

static bool take_name(void *context, const struct store_row *row)
{
    struct names *names = context;
    names->list[names->count++] = arena_format(names->memory, "%s", row->values[0].text);
    return names->count + 1 < sizeof names->list / sizeof *names->list;
}

static bool choose(struct store *store, const char *experiment, struct chosen *chosen, struct error *error)
{
    const char *const bindings[] = {"name", experiment ? experiment : "", NULL};
    if (!store_query(store,
                     "SELECT e.name, e.study, e.text FROM run AS r JOIN experiment AS e ON e.id = r.experiment "
                     "WHERE :name = '' OR e.name = :name OR e.path = :name ORDER BY r.id DESC LIMIT 1",
                     bindings, take_chosen, chosen, error))
        return false;
    if (chosen->name)
        return true;
    struct names names = {.memory = chosen->memory};
    if (!store_query(store, "SELECT DISTINCT name FROM experiment ORDER BY id DESC", NULL, take_name, &names, error))
        return false;
    if (!experiment) {
        error_set(error, ERROR_USE, "%s holds no run", store_path(store));
        return error_remedy(error, "warpstudy run EXPERIMENT.yaml makes one");
    }
    error_set(error, ERROR_USE, "no run of the database is of an experiment '%s'", experiment);
    return error_near(error, experiment, names.list, NULL);
}

// ---- its settings, and what varies in them

static const char *column_name(size_t index)
{
    return index < OTHERS ? others[index] : parameter_table[index - OTHERS].name;
}

static size_t column_count(void)
{
    return OTHERS + parameter_count;
}

// sweep_trial: all trials of the specifications that the runs asked for, whichever program measured them; number: of their setting. Of a
// setting whose scene has changed, those that do the work of the latest trial with results.
// sweep_setting: a row a setting, with all its parameters; timed: the latest of its keys with times; counted, metered: its latest attempts.
static bool make_settings(struct store *store, const struct chosen *chosen, struct arena *memory, struct error *error)
{
    const char *const bindings[] = {"experiment", chosen->name, NULL};
    const char *columns = "";
    for (size_t i = 0; i < column_count(); ++i)
        columns = arena_format(memory, "%s%st.\"%s\"", columns, i ? ", " : "", column_name(i));
    const char *script = arena_format(
        memory,
        "CREATE TEMP TABLE sweep_asked AS SELECT t.id, t.setting AS key, t.work, t.last_run, min(l.run * 1000000 + "
        "l.point) AS "
        "place, "
        "dense_rank() OVER (ORDER BY %s) AS number, %s FROM experiment_trial AS l JOIN trial_record AS o ON o.id = "
        "l.trial "
        "JOIN trial_record AS t ON t.spec = o.spec WHERE l.experiment = :experiment GROUP BY t.id;\n"
        "CREATE TEMP TABLE sweep_trial AS SELECT * FROM (SELECT t.*, first_value(work) OVER (PARTITION BY number ORDER "
        "BY EXISTS "
        "(SELECT 1 FROM done_attempt WHERE trial = t.id) DESC, last_run DESC, id DESC) AS work_now FROM sweep_asked AS "
        "t) "
        "WHERE work = work_now ORDER BY id;\n"
        "CREATE TEMP TABLE sweep_seconds AS SELECT * FROM frame_seconds WHERE times AND setting IN (SELECT key FROM "
        "sweep_trial);\n"
        "CREATE TEMP TABLE sweep_attempt AS SELECT t.number, a.id, a.trial, a.collection, "
        "row_number() OVER (PARTITION BY t.number, a.collection ORDER BY t.last_run DESC, a.id DESC) AS nth "
        "FROM sweep_trial AS t JOIN done_attempt AS a ON a.trial = t.id WHERE a.collection IN ('counts', 'counters');\n"
        "CREATE TEMP TABLE sweep_setting AS SELECT t.number AS setting, min(t.place) AS place, "
        "(SELECT k.key FROM sweep_trial AS k JOIN sweep_seconds AS f ON f.setting = k.key WHERE k.number = t.number "
        "ORDER BY k.last_run DESC, k.id DESC LIMIT 1) AS timed, "
        "(SELECT a.id FROM sweep_attempt AS a WHERE a.number = t.number AND a.collection = 'counts' AND a.nth = 1) AS "
        "counted, "
        "(SELECT a.id FROM sweep_attempt AS a WHERE a.number = t.number AND a.collection = 'counters' AND a.nth = 1) "
        "AS metered, "
        "t.work, %s FROM sweep_trial AS t GROUP BY t.number;\n",
        columns, columns, columns);
    return store_make_tables(store, script, "sweep", bindings, error);
}

struct varying {
    bool list[256];
    bool height_follows, model_follows; // each width has one height, each device one model
};

static bool take_varying(void *context, const struct store_row *row)
{
    struct varying *varying = context;
    for (size_t i = 0; i < row->count && i < sizeof varying->list; ++i)
        varying->list[i] = row->values[i].integer > 1;
    varying->height_follows = row->values[row->count - 2].integer <= 1;
    varying->model_follows = row->values[row->count - 1].integer <= 1;
    return false;
}

// A parameter varies if it has two values in settings; of one that may be `auto`, which is stored as NULL, within one variant, since
// it is NULL too where a variant has no such parameter.
static bool find_varying(struct store *store, struct varying *varying, struct arena *memory, struct error *error)
{
    const char *sql = "SELECT ";
    for (size_t i = 0; i < column_count(); ++i) {
        const char *name = column_name(i);
        const bool automatic = i >= OTHERS && parameter_table[i - OTHERS].automatic;
        sql = arena_format(memory,
                           automatic ? "%s%s(SELECT max(n) FROM (SELECT count(DISTINCT coalesce(\"%s\", 'auto')) AS n "
                                       "FROM sweep_setting GROUP BY variant))"
                                     : "%s%s(SELECT count(DISTINCT \"%s\") FROM sweep_setting)",
                           sql, i ? ", " : "", name);
    }
    sql = arena_format(
        memory,
        "%s, (SELECT max(n) FROM (SELECT count(DISTINCT height) AS n FROM sweep_setting GROUP BY width)), "
        "(SELECT max(n) FROM (SELECT count(DISTINCT device_name) AS n FROM sweep_setting GROUP BY device))",
        sql);
    return store_query(store, sql, NULL, take_varying, varying, error);
}

// Where the experiment's file names it.
static size_t place_in_file(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length)
        if (at[length] == ':' && (at == text || strchr(" \n{,", at[-1])))
            return (size_t)(at - text);
    return strlen(text);
}

static bool follows(const struct varying *varying, const char *name)
{
    return (varying->height_follows && !strcmp(name, "height")) ||
           (varying->model_follows && !strcmp(name, "device_name"));
}

static void add_axes(struct sweep_rows *rows, const struct varying *varying, const char *text)
{
    for (size_t i = 0; i < column_count(); ++i) {
        if (!varying->list[i] || follows(varying, column_name(i)))
            continue;
        struct sweep_axis axis = {.name = column_name(i)};
        ARENA_ADD(&rows->memory, rows->axes, rows->axis_count);
        size_t at = rows->axis_count - 1;
        for (; at > 0 && place_in_file(text, rows->axes[at - 1].name) > place_in_file(text, axis.name); --at)
            rows->axes[at] = rows->axes[at - 1];
        rows->axes[at] = axis;
    }
}

// ---- the table sweep

struct metrics {
    const char *columns;
    struct arena *memory;
};

static bool take_metric(void *context, const struct store_row *row)
{
    struct metrics *metrics = context;
    const char *name = row->values[0].text;
    metrics->columns =
        arena_format(metrics->memory,
                     "%s, (SELECT v.value FROM metric_value AS v JOIN metric_name AS n ON n.id = v.metric "
                     "WHERE v.attempt = s.metered AND v.launch = -1 AND n.name = '%s') AS \"%s\"",
                     metrics->columns, name, name);
    return true;
}

// Variants that have no such parameter, each with a comma before it.
static const char *variants_without(const struct parameter *parameter, struct arena *memory)
{
    const char *without = "";
    for (size_t i = 0; variant_table[i]; ++i)
        if (!variant_uses(variant_table[i], parameter))
            without = arena_format(memory, "%s, '%s'", without, variant_table[i]->name);
    return without;
}

// `auto` is stored as NULL, which a variant without that parameter has too.
static const char *axis_value(const char *name, struct arena *memory)
{
    const struct parameter *parameter = parameter_find(name);
    if (!parameter || !parameter->automatic)
        return arena_format(memory, "s.\"%s\"", name);
    return arena_format(memory, "coalesce(s.\"%s\", iif(s.variant IN (''%s), NULL, 'auto')) AS \"%s\"", name,
                        variants_without(parameter, memory), name);
}

// That the naive setting has no such parameter.
static const char *naive_without(const char *name, struct arena *memory)
{
    const struct parameter *parameter = parameter_find(name);
    if (!parameter || !parameter->automatic)
        return arena_format(memory, "n.\"%s\" IS NULL", name);
    return arena_format(memory, "n.variant IN (''%s)", variants_without(parameter, memory));
}

// The naive setting that does the same work and is alike in all that varies but the variant, and in what that uses.
static const char *naive_join(const struct sweep_rows *rows, struct arena *memory)
{
    const char *alike = "";
    for (size_t i = 0; i < rows->axis_count; ++i) {
        const char *name = rows->axes[i].name;
        if (strcmp(name, "variant") != 0)
            alike = arena_format(memory, "%s AND (%s OR n.\"%s\" IS s.\"%s\")", alike, naive_without(name, memory),
                                 name, name);
    }
    return arena_format(memory,
                        "(SELECT n.setting FROM sweep_setting AS n WHERE n.variant IN ('naive', 'volume_naive') AND "
                        "n.work = s.work%s LIMIT 1)",
                        alike);
}

static bool make_sweep(struct store *store, const struct sweep_rows *rows, struct arena *memory, struct error *error)
{
    struct metrics metrics = {.columns = "", .memory = memory};
    const char *axes = "";
    if (!store_query(store,
                     "SELECT DISTINCT n.name FROM metric_value AS v JOIN metric_name AS n ON n.id = v.metric "
                     "WHERE v.launch = -1 AND v.attempt IN (SELECT metered FROM sweep_setting) AND n.name NOT GLOB "
                     "'*[^a-z0-9_]*' "
                     "ORDER BY n.id",
                     NULL, take_metric, &metrics, error))
        return false;
    for (size_t i = 0; i < rows->axis_count; ++i)
        axes = arena_format(memory, "%s%s, ", axes, axis_value(rows->axes[i].name, memory));
    // 0 warps are those of a device that does not count them. Naive over itself is 1, without an interval.
    const char *script = arena_format(
        memory,
        "CREATE TEMP TABLE sweep_time AS SELECT s.setting, f.seconds, f.relative_ci, f.noise_floor, f.replicates "
        "FROM sweep_setting AS s JOIN sweep_seconds AS f ON f.setting = s.timed;\n"
        "CREATE TEMP TABLE sweep_count AS SELECT s.setting, sum(c.active_paths) AS paths, nullif(sum(c.active_warps), "
        "0) AS "
        "warps, a.warp_width "
        "FROM sweep_setting AS s JOIN attempt AS a ON a.id = s.counted JOIN bounce_counts AS c ON c.attempt = a.id AND "
        "c.bounce >= 0 "
        "GROUP BY s.setting;\n"
        "CREATE TEMP TABLE sweep AS SELECT %s"
        "1e3 * f.seconds AS frame_ms, 1e3 * f.seconds * (1 - f.relative_ci) AS frame_ms_low, "
        "1e3 * f.seconds * (1 + f.relative_ci) AS frame_ms_high, 100 * f.noise_floor AS noise_floor, f.replicates, "
        "b.seconds / f.seconds AS speedup, "
        "b.seconds / f.seconds * (1 - iif(b.setting = s.setting, NULL, sqrt(f.relative_ci * f.relative_ci + "
        "b.relative_ci * b.relative_ci))) AS "
        "speedup_low, "
        "b.seconds / f.seconds * (1 + iif(b.setting = s.setting, NULL, sqrt(f.relative_ci * f.relative_ci + "
        "b.relative_ci * b.relative_ci))) AS "
        "speedup_high, "
        "100.0 * c.paths / (c.warps * c.warp_width) AS live_lanes, 1.0 * m.warps / c.warps AS "
        "saved_warps%s, "
        "coalesce((SELECT q.flags FROM frame_quality AS q WHERE q.setting = s.timed), '') AS flags, "
        "(SELECT group_concat(t.id) FROM sweep_trial AS t WHERE t.number = s.setting AND (t.key = s.timed OR t.id IN "
        "(SELECT trial FROM sweep_attempt WHERE number = s.setting AND nth = 1))) AS trials, s.setting "
        "FROM sweep_setting AS s LEFT JOIN sweep_time AS f ON f.setting = s.setting "
        "LEFT JOIN sweep_time AS b ON b.setting = %s LEFT JOIN sweep_count AS c ON c.setting = s.setting "
        "LEFT JOIN sweep_count AS m ON m.setting = %s ORDER BY s.place;\n",
        axes, metrics.columns, naive_join(rows, memory), naive_join(rows, memory));
    return store_make_tables(store, script, "sweep", NULL, error);
}

// ---- values

struct reading {
    struct sweep_rows *rows;
};

static double real_of(const struct store_value *value)
{
    return value->type == STORE_NULL ? NAN : value->type == STORE_INTEGER ? (double)value->integer : value->real;
}

static bool take_row(void *context, const struct store_row *from)
{
    struct sweep_rows *rows = ((struct reading *)context)->rows;
    struct arena *memory = &rows->memory;
    const size_t n = rows->axis_count;
    struct sweep_row *row = ARENA_ADD(memory, rows->rows, rows->row_count);
    row->at = arena_new(memory, n + 1, sizeof *row->at);
    row->rank = arena_new(memory, n + 1, sizeof *row->rank);
    for (size_t i = 0; i < n; ++i) {
        row->at[i] = from->values[i].type == STORE_NULL ? "" : arena_format(memory, "%s", from->values[i].text);
        row->rank[i] = SIZE_MAX;
    }
    row->value = real_of(&from->values[n]);
    row->low = real_of(&from->values[n + 1]);
    row->high = real_of(&from->values[n + 2]);
    row->flags = arena_format(memory, "%s", from->values[n + 3].type == STORE_NULL ? "" : from->values[n + 3].text);
    row->trials = arena_format(memory, "%s", from->values[n + 4].type == STORE_NULL ? "" : from->values[n + 4].text);
    return true;
}

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return text[0] && !*end;
}

// A value of an axis; run: of rows with the same.
struct value {
    const char *text;
    size_t row, run;
};

static int by_text(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    const int order = strcmp(x->text, y->text);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int by_row(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

static int by_number(const void *a, const void *b)
{
    const double x = strtod(((const struct value *)a)->text, NULL), y = strtod(((const struct value *)b)->text, NULL);
    return (x > y) - (x < y);
}

static void collect_values(struct sweep_rows *rows, size_t index)
{
    struct sweep_axis *axis = &rows->axes[index];
    struct value *all = arena_new(&rows->memory, 2 * rows->row_count + 1, sizeof *all), *first = all + rows->row_count;
    size_t *rank = arena_new(&rows->memory, rows->row_count + 1, sizeof *rank), count = 0;
    axis->numbers = true;
    axis->value_count = 0;
    for (size_t i = 0; i < rows->row_count; ++i) {
        if (!rows->rows[i].at[index][0])
            continue;
        all[count++] = (struct value){rows->rows[i].at[index], i, 0};
        axis->numbers = axis->numbers && is_number(rows->rows[i].at[index]);
    }
    qsort(all, count, sizeof *all, by_text);
    for (size_t i = 0; i < count; ++i) {
        if (i == 0 || strcmp(all[i].text, all[i - 1].text) != 0) {
            first[axis->value_count] = all[i];
            first[axis->value_count].run = axis->value_count;
            ++axis->value_count;
        }
        all[i].run = axis->value_count - 1;
    }
    qsort(first, axis->value_count, sizeof *first, axis->numbers ? by_number : by_row);
    axis->values = arena_new(&rows->memory, axis->value_count + 1, sizeof *axis->values);
    for (size_t k = 0; k < axis->value_count; ++k) {
        axis->values[k] = first[k].text;
        rank[first[k].run] = k;
    }
    for (size_t i = 0; i < count; ++i)
        rows->rows[all[i].row].rank[index] = rank[all[i].run];
}

static bool read_values(struct store *store, struct sweep_rows *rows, const struct sweep_source *source,
                        struct error *error)
{
    struct reading reading = {rows};
    const char *axes = "";
    for (size_t i = 0; i < rows->axis_count; ++i)
        axes = arena_format(&rows->memory, "%sw.\"%s\", ", axes, rows->axes[i].name);
    rows->measure = source->measure;
    rows->rows = NULL;
    rows->row_count = 0;
    const char *name = source->measure.name;
    rows->sql = arena_format(
        &rows->memory,
        "SELECT %s%s AS \"%s\", %s AS \"%s_low\", %s AS \"%s_high\", w.flags, replace(w.trials, ',', ', ') AS trials "
        "FROM sweep AS w JOIN sweep_setting AS s ON s.setting = w.setting ORDER BY w.rowid",
        axes, source->value, name, source->low, name, source->high, name);
    if (!store_query(store, rows->sql, NULL, take_row, &reading, error))
        return false;
    for (size_t i = 0; i < rows->axis_count; ++i)
        collect_values(rows, i);
    return true;
}

static bool is_measured(const struct sweep_rows *rows)
{
    for (size_t i = 0; i < rows->row_count; ++i)
        if (!isnan(rows->rows[i].value))
            return true;
    return false;
}

// The first of these that was measured.
static bool read_standard(struct store *store, struct sweep_rows *rows, struct error *error)
{
    static const char *const order[] = {"frame_ms", "live_lanes", "instructions", "active_paths"};
    for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
        struct sweep_source source;
        if (!sweep_source_find(order[i], &rows->memory, &source, error) || !read_values(store, rows, &source, error))
            return false;
        if (is_measured(rows))
            return true;
    }
    return true;
}

static bool prepare(struct store *store, const char *experiment, struct sweep_rows *rows, struct error *error)
{
    struct chosen chosen = {.memory = &rows->memory};
    struct varying varying = {.height_follows = false};
    if (!choose(store, experiment, &chosen, error) || !make_settings(store, &chosen, &rows->memory, error) ||
        !find_varying(store, &varying, &rows->memory, error))
        return false;
    rows->experiment = chosen.name;
    rows->study = chosen.study;
    add_axes(rows, &varying, chosen.text);
    return make_sweep(store, rows, &rows->memory, error);
}

bool sweep_rows_read(struct store *store, const char *experiment, const char *measure, struct sweep_rows *rows,
                     struct error *error)
{
    struct sweep_source source;
    if (measure && !sweep_source_find(measure, &rows->memory, &source, error))
        return false;
    if (!store_forget_tables(store, error) || !prepare(store, experiment, rows, error) ||
        !(measure ? read_values(store, rows, &source, error) : read_standard(store, rows, error)))
        return false;
    if (is_measured(rows))
        return true;
    error_set(error, ERROR_USE, "%s has no %s in any of its %zu settings", rows->experiment, rows->measure.name,
              rows->row_count);
    if (!strcmp(rows->measure.name, "frame_ms") || !strcmp(rows->measure.name, "speedup"))
        return error_remedy(
            error, "times need `collect: [frame]` and a device with a clock; another measure: --value live_lanes");
    return error_remedy(
        error, "`collect:` of the experiment file must name what measures it: counts, frame or counters; what failed: "
               "warpstudy status");
}

void sweep_rows_finish(struct sweep_rows *rows)
{
    arena_free(&rows->memory);
}

const struct sweep_axis *sweep_axis_find(const struct sweep_rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->axis_count; ++i)
        if (!strcmp(rows->axes[i].name, name))
            return &rows->axes[i];
    return NULL;
}

bool sweep_rows_load_if_named(struct store *store, const char *sql, struct error *error)
{
    static const struct sql_rows names[] = {{.table = "sweep"}, {.table = NULL}};
    struct sweep_rows rows = {.experiment = NULL};
    const bool done = !sql_rows_named(names, sql) || prepare(store, NULL, &rows, error);
    sweep_rows_finish(&rows);
    return done;
}
