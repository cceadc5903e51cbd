// SPDX-License-Identifier: MIT
#include "made_rows.h"

#include <math.h>

#include "check.h"
#include "frame/counts.h"
#include "report_support.h"

// ---- names and words

static const char name_letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && !*end;
}

// As SQL writes it: a number always with a fraction, so that dividing it leaves one. What is written so already stays.
static const char *value_literal(struct arena *memory, const char *text)
{
    if (text[0] == '\'')
        return text;
    if (!is_number(text))
        return arena_format(memory, "'%s'", text);
    return arena_format(memory, strpbrk(text, ".eE") ? "%s" : "%s.0", text);
}

void made_set(struct made_scope *scope, const char *name, const char *value)
{
    struct made_name *row = ARENA_ADD(scope->memory, scope->names, scope->count);
    *row = (struct made_name){name, value_literal(scope->memory, value)};
}

void made_set_list(struct made_scope *scope, const char *name, const char *list, int index)
{
    char *copy = arena_format(scope->memory, "%s", list), *rest = copy, *element = copy;
    for (int i = 0; i <= index && element; ++i)
        element = strtok_r(i ? NULL : copy, ",", &rest);
    if (!element)
        fail_msg("%s has no element %d", list, index);
    if (index >= 0)
        made_set(scope, name, element);
    else
        made_set(scope, name, arena_format(scope->memory, "[%s]", list));
}

// NULL where there is no such name.
static const char *made_value(const struct made_scope *scope, const char *name)
{
    for (size_t i = scope->count; i > 0; --i)
        if (!strcmp(scope->names[i - 1].name, name))
            return scope->names[i - 1].value;
    return NULL;
}

// A literal as a reader writes it.
static void value_print(FILE *stream, const char *literal)
{
    if (literal[0] == '\'')
        fprintf(stream, "%.*s", (int)strlen(literal) - 2, literal + 1);
    else
        fprintf(stream, "%.15g", strtod(literal, NULL));
}

const char *made_replace(const struct made_scope *scope, const char *text)
{
    char *made, *kept;
    size_t size;
    FILE *stream = memory_stream(&made, &size);
    for (; *text; ++text)
        if (*text == '$') {
            const int length = (int)strspn(text + 1, name_letters);
            const char *name = arena_format(scope->memory, "%.*s", length, text + 1), *value = made_value(scope, name);
            if (!value)
                fail_msg("there is no %s for %s", name, text);
            value_print(stream, value);
            text += length;
        } else {
            fputc(*text, stream);
        }
    memory_close(stream);
    kept = arena_format(scope->memory, "%s", made);
    free(made);
    return kept;
}

const char *made_word(struct arena *memory, const char **at)
{
    const char *from = *at + strspn(*at, " ");
    char *word = arena_format(memory, "%s", from), *to = word;
    bool quoted = false;
    for (; *from && (quoted || *from != ' '); ++from)
        if (*from == '"')
            quoted = !quoted;
        else
            *to++ = *from;
    *to = '\0';
    *at = from;
    return to > word ? word : NULL;
}

bool made_split(struct arena *memory, const char *word, const char **name, const char **value)
{
    const size_t length = strspn(word, name_letters);
    if (!length || word[length] != '=')
        return false;
    *name = arena_format(memory, "%.*s", (int)length, word);
    *value = word + length + 1;
    return true;
}

// ---- expressions

// "SELECT EXPRESSIONS FROM (SELECT VALUE AS NAME, ...)", of those names that stand in the expressions.
static char *query_text(const struct made_scope *scope, const char *expressions, const char *each, const char *where)
{
    char *sql;
    size_t size;
    FILE *stream = memory_stream(&sql, &size);
    fprintf(stream, "SELECT %s FROM (SELECT 1 AS one", expressions);
    for (size_t i = 0; i < scope->count; ++i) {
        const struct made_name *row = &scope->names[i];
        if ((strstr(expressions, row->name) || strstr(each, row->name) || strstr(where, row->name)) &&
            made_value(scope, row->name) == row->value)
            fprintf(stream, ", %s AS \"%s\"", row->value, row->name);
    }
    fprintf(stream, ")%s WHERE %s", each, where);
    memory_close(stream);
    return sql;
}

static void query_run(struct made_scope *scope, char *sql, bool (*visit)(void *, const struct store_row *), void *to)
{
    if (!store_query(scope->store, sql, NULL, visit, to, &why))
        fail_msg("%s: %s", why.message, sql);
    free(sql);
}

struct evaluation {
    struct arena *memory;
    const char *literal;
};

static bool evaluation_take(void *context, const struct store_row *row)
{
    struct evaluation *evaluation = context;
    const struct store_value *value = row->values;
    evaluation->literal = value->type == STORE_NULL   ? "NULL"
                          : value->type == STORE_TEXT ? arena_format(evaluation->memory, "'%s'", value->text)
                                                      : value_literal(evaluation->memory, value->text);
    return true;
}

const char *made_literal(struct made_scope *scope, const char *expression)
{
    const char *known = is_number(expression) ? expression : made_value(scope, expression);
    struct evaluation evaluation = {scope->memory, "NULL"};
    if (known)
        return known;
    query_run(scope, query_text(scope, expression, "", "1"), evaluation_take, &evaluation);
    return evaluation.literal;
}

double made_number(struct made_scope *scope, const char *expression)
{
    const char *literal = made_literal(scope, expression);
    return is_number(literal) ? strtod(literal, NULL) : NAN;
}

// ---- columns

enum field_type { FIELD_REAL, FIELD_U32, FIELD_I32, FIELD_U64, FIELD_FLAG, FIELD_TEXT, FIELD_SITE };

struct field {
    const char *name;
    enum field_type type;
    size_t offset, size;
};
#define FIELD(of, name, member, type)                                                                                  \
    {                                                                                                                  \
        name, type, offsetof(struct of, member), sizeof(((struct of *)NULL)->member)                                   \
    }
#define STEPS(of)                                                                                                      \
    FIELD(of, "inner_steps", steps.inner_steps, FIELD_U64), FIELD(of, "inner_live", steps.inner_live, FIELD_U64),      \
        FIELD(of, "triangle_steps", steps.triangle_steps, FIELD_U64),                                                  \
        FIELD(of, "triangle_live", steps.triangle_live, FIELD_U64), FIELD(of, "warps", steps.warps, FIELD_U64)
#define SUM(name) FIELD(measured_sample, #name, sums.name, FIELD_U64)

enum { FIELDS = 12 };
static const struct field launch_fields[FIELDS] = {FIELD(measured_launch, "repetition", repetition, FIELD_U32),
                                                   FIELD(measured_launch, "index", index, FIELD_U32),
                                                   FIELD(measured_launch, "iteration", iteration, FIELD_I32),
                                                   FIELD(measured_launch, "bounce", bounce, FIELD_I32),
                                                   FIELD(measured_launch, "kernel", kernel, FIELD_TEXT),
                                                   FIELD(measured_launch, "stage", stage, FIELD_TEXT),
                                                   FIELD(measured_launch, "grid", grid, FIELD_U32),
                                                   FIELD(measured_launch, "block", block, FIELD_U32),
                                                   FIELD(measured_launch, "seconds", seconds, FIELD_REAL),
                                                   FIELD(measured_launch, "more", more, FIELD_U32),
                                                   FIELD(measured_launch, "auxiliary", auxiliary, FIELD_FLAG)},
                          count_fields[FIELDS] = {FIELD(measured_counts, "launch", launch, FIELD_U32),
                                                  FIELD(measured_counts, "bounce", bounce, FIELD_U32)},
                          lockstep_fields[FIELDS] = {FIELD(measured_lockstep, "launch", launch, FIELD_U32),
                                                     FIELD(measured_lockstep, "bounce", bounce, FIELD_U32),
                                                     FIELD(measured_lockstep, "kind", kind, FIELD_U32),
                                                     STEPS(measured_lockstep)},
                          entry_fields[FIELDS] = {FIELD(measured_entry, "lanes", lanes, FIELD_U32),
                                                  STEPS(measured_entry)},
                          repetition_fields[FIELDS] = {FIELD(measured_repetition, "seconds", host_seconds, FIELD_REAL),
                                                       FIELD(measured_repetition, "gap", gap_seconds, FIELD_REAL),
                                                       FIELD(measured_repetition, "sm_mhz", sm_mhz, FIELD_REAL)},
                          kernel_fields[FIELDS] = {FIELD(measured_kernel, "kernel", kernel, FIELD_TEXT),
                                                   FIELD(measured_kernel, "registers", facts.registers, FIELD_I32),
                                                   FIELD(measured_kernel, "spills", facts.spill_bytes, FIELD_I32),
                                                   FIELD(measured_kernel, "static", facts.static_shared_bytes,
                                                         FIELD_I32),
                                                   FIELD(measured_kernel, "auxiliary", auxiliary, FIELD_FLAG),
                                                   FIELD(measured_kernel, "block", block, FIELD_U32),
                                                   FIELD(measured_kernel, "shared", shared_bytes, FIELD_U64),
                                                   FIELD(measured_kernel, "resident", resident_warps, FIELD_U32)},
                          metric_fields[FIELDS] = {FIELD(measured_metric, "launch", launch, FIELD_U32),
                                                   FIELD(measured_metric, "metric", metric, FIELD_TEXT),
                                                   FIELD(measured_metric, "is", value, FIELD_REAL)},
                          site_fields[FIELDS] = {FIELD(measured_site, "launch", launch, FIELD_U32),
                                                 FIELD(measured_site, "site", site, FIELD_SITE),
                                                 FIELD(measured_site, "copies", copies, FIELD_U32),
                                                 FIELD(measured_site, "instructions", instructions, FIELD_U64),
                                                 FIELD(measured_site, "lanes", thread_instructions, FIELD_U64)},
                          stall_fields[FIELDS] = {FIELD(measured_stall, "launch", launch, FIELD_U32),
                                                  FIELD(measured_stall, "kernel", kernel, FIELD_TEXT),
                                                  FIELD(measured_stall, "reason", reason, FIELD_TEXT),
                                                  FIELD(measured_stall, "file", file, FIELD_TEXT),
                                                  FIELD(measured_stall, "line", line, FIELD_U32),
                                                  FIELD(measured_stall, "samples", samples, FIELD_U64)},
                          sample_fields[FIELDS] = {FIELD(measured_sample, "start", start, FIELD_U64),
                                                   FIELD(measured_sample, "end", end, FIELD_U64),
                                                   SUM(cycles),
                                                   SUM(active_cycles),
                                                   SUM(instructions),
                                                   SUM(thread_instructions),
                                                   SUM(warp_cycles)},
                          measured_fields[FIELDS] = {FIELD(measurement, "passes", passes, FIELD_U32),
                                                     FIELD(measurement, "dropped", dropped, FIELD_U64),
                                                     FIELD(measurement, "gate", gate_seconds, FIELD_REAL),
                                                     FIELD(measurement, "uuid", uuid, FIELD_TEXT),
                                                     FIELD(measurement, "card", card, FIELD_U32),
                                                     FIELD(measurement, "image", image.high, FIELD_U64),
                                                     FIELD(measurement, "path_hash", path_hash, FIELD_U64)},
                          span_fields[FIELDS] = {FIELD(measured_span, "launch", launch, FIELD_U32),
                                                 FIELD(measured_span, "start", start, FIELD_U64),
                                                 FIELD(measured_span, "end", end, FIELD_U64)};
static const struct field condition_fields[FIELDS] = {
    FIELD(measured_conditions, "temperature", at.temperature, FIELD_REAL),
    FIELD(measured_conditions, "power", at.power, FIELD_REAL),
    FIELD(measured_conditions, "sm_mhz", at.sm_mhz, FIELD_REAL),
    FIELD(measured_conditions, "throttle", at.throttle, FIELD_U32),
};
static const struct measured_conditions initial_conditions = {true, {NAN, NAN, NAN, NAN, 0, -1}};

// ---- tables

struct made_table {
    const char *name;
    const struct field *fields;
    size_t size, rows, count; // of a row; where the measurement has the rows, and their number: 0 of what there is once
    const void *initial;      // NULL: what is there stays
};
#define TABLE(name, fields, type, plural, number, ...)                                                                 \
    {                                                                                                                  \
        name, fields, sizeof(struct type), offsetof(struct measurement, plural), offsetof(struct measurement, number), \
            &(const struct type)                                                                                       \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

static const struct made_table tables[] = {
    TABLE("launch", launch_fields, measured_launch, launches, launch_count, .bounce = -1, .kernel = "kernel", .grid = 1,
          .block = 64, .seconds = NAN),
    TABLE("count", count_fields, measured_counts, counts, count_count, .bounce = 0),
    TABLE("total", count_fields, measured_counts, counts, count_count, .bounce = MEASURED_TOTALS),
    TABLE("lockstep", lockstep_fields, measured_lockstep, lockstep, lockstep_count, .steps.warps = 1),
    TABLE("entry", entry_fields, measured_entry, entries, entry_count, .lanes = 0),
    TABLE("repetition", repetition_fields, measured_repetition, repetitions, repetition_count, .host_seconds = NAN,
          .device_seconds = NAN, .gap_seconds = NAN, .sm_mhz = NAN, .launches_path = 1),
    TABLE("kernel", kernel_fields, measured_kernel, kernels, kernel_count, .kernel = "kernel", .facts.registers = 64,
          .block = 64),
    TABLE("metric", metric_fields, measured_metric, metrics, metric_count, .launch = MEASURED_FRAME, .value = NAN),
    TABLE("site", site_fields, measured_site, sites, site_count, .launch = MEASURED_FRAME, .copies = 1),
    TABLE("stall", stall_fields, measured_stall, stalls, stall_count, .launch = MEASURED_FRAME, .kernel = "kernel",
          .reason = "wait"),
    TABLE("sample", sample_fields, measured_sample, samples, sample_count, .window = 0),
    {"measured", measured_fields, 0, 0, 0, NULL}, // of the whole
    {"before", condition_fields, sizeof initial_conditions, offsetof(struct measurement, before), 0,
     &initial_conditions},
    {"after", condition_fields, sizeof initial_conditions, offsetof(struct measurement, after), 0, &initial_conditions},
    TABLE("span", span_fields, measured_span, spans, span_count, .launch = 0),
};

static const struct made_table *table_find(const char *name)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i)
        if (!strcmp(tables[i].name, name))
            return &tables[i];
    fail_msg("no table %s", name);
    return NULL;
}

// A word of struct bounce_counts counts as a column, too.
static struct field field_find(const struct made_table *table, const char *name)
{
    for (size_t i = 0; i < FIELDS && table->fields[i].name; ++i)
        if (!strcmp(table->fields[i].name, name))
            return table->fields[i];
    for (size_t i = 0; table->fields == count_fields && i < COUNT_WORDS; ++i)
        if (!strcmp(count_words()[i].name, name))
            return (struct field){name, FIELD_U64, offsetof(struct measured_counts, counts) + i * sizeof(uint64_t), 8};
    fail_msg("no column %s in %s", name, table->name);
    return (struct field){0};
}

// ---- rows

enum { COLUMNS = 40 };
struct rows_made {
    const struct made_table *table;
    struct measurement *measurement;
    struct field columns[COLUMNS];
    size_t column_count;
};

static uint32_t site_find(const char *name)
{
    for (uint32_t i = 0; device_site_names[i]; ++i)
        if (!strcmp(device_site_names[i], name))
            return i;
    fail_msg("no site %s", name);
    return 0;
}

static void field_put(void *row, const struct field *field, const struct store_value *value)
{
    void *to = (char *)row + field->offset;
    const double number = value->type == STORE_INTEGER ? (double)value->integer : value->real;
    if (value->type == STORE_NULL && field->type == FIELD_REAL)
        return;
    if (value->type == STORE_NULL)
        fail_msg("no value for %s", field->name);
    switch (field->type) {
    case FIELD_REAL: *(double *)to = number; break;
    case FIELD_U32: *(uint32_t *)to = (uint32_t)number; break;
    case FIELD_I32: *(int32_t *)to = (int32_t)number; break;
    case FIELD_U64: *(uint64_t *)to = (uint64_t)number; break;
    case FIELD_FLAG: *(bool *)to = number != 0; break;
    case FIELD_SITE: *(uint32_t *)to = site_find(value->text); break;
    case FIELD_TEXT: snprintf(to, field->size, "%s", value->text); break;
    }
}

static bool row_take(void *context, const struct store_row *from)
{
    struct rows_made *made = context;
    const struct made_table *table = made->table;
    struct measurement *measurement = made->measurement;
    size_t *count = (size_t *)((char *)measurement + table->count);
    void *place = (char *)measurement + table->rows,
         *row = table->count ? memory_add(place, count, table->size) : place;
    if (table->initial)
        memcpy(row, table->initial, table->size);
    if (table->fields == launch_fields)
        ((struct measured_launch *)row)->index = (uint32_t)*count - 1;
    if (table->fields == count_fields && measurement->launch_count)
        ((struct measured_counts *)row)->launch = measurement->launches[measurement->launch_count - 1].index;
    for (size_t i = 0; i < made->column_count; ++i)
        field_put(row, &made->columns[i], &from->values[i + 1]);
    return true;
}

// Numbers from 0 as a list.
static const char *list_of(struct arena *memory, int count)
{
    const char *list = "";
    for (int i = 0; i < count; ++i)
        list = arena_join(memory, list, ",", arena_format(memory, "%d", i));
    return arena_format(memory, "'[%s]'", list);
}

void made_rows(struct made_scope *scope, const char *text, struct measurement *measurement)
{
    struct arena *memory = scope->memory;
    const char *name, *value, *each = "", *where = "1", *columns = "0", *word = made_word(memory, &text);
    struct rows_made made = {.table = table_find(word), .measurement = measurement};
    while ((word = made_word(memory, &text))) {
        if (!made_split(memory, word, &name, &value))
            fail_msg("%s: no expression", word);
        if (!strcmp(name, "each")) {
            each = arena_format(memory, ", json_each(%s)", value);
        } else if (!strcmp(name, "times")) {
            each = arena_format(memory, ", json_each(%s)", list_of(memory, (int)made_number(scope, value)));
        } else if (!strcmp(name, "if")) {
            where = value;
        } else {
            struct field *column = &made.columns[made.column_count++];
            assert_true(made.column_count < COLUMNS);
            *column = field_find(made.table, name);
            const bool is_text = (column->type == FIELD_TEXT || column->type == FIELD_SITE) && value[0] != '$';
            value = arena_format(memory, is_text ? "'%s'" : "%s", value + (value[0] == '$'));
            columns = arena_join(memory, columns, ", ", value);
        }
    }
    query_run(scope, query_text(scope, columns, each, where), row_take, &made);
}
