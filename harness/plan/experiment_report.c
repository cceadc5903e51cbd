// SPDX-License-Identifier: MIT
// The key `report`: how `table` and `plot` show the sweep where their command lines do not say.
#include <string.h>

#include "plan/reader.h"
#include "store/sweep_measures.h"

static char *place_of(struct experiment_report *report, const char *name)
{
    const struct {
        const char *name;
        char *text;
    } places[] = {{"x", report->x},           {"series", report->series},   {"panels", report->panels},
                  {"rows", report->rows},     {"columns", report->columns}, {"y", report->measure},
                  {"value", report->measure}, {"log", report->log}};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
        if (!strcmp(places[i].name, name))
            return places[i].text;
    return NULL;
}

static bool add_word(struct reader *reader, const yaml_node_t *node, const char *what)
{
    char *text = place_of(&reader->experiment->report, what);
    const char *word = yaml_word(&reader->yaml, node, what, reader->error);
    if (!word)
        return false;
    const size_t used = strlen(text);
    if (used + strlen(word) + 2 > EXPERIMENT_REPORT_TEXT)
        return yaml_fail(&reader->yaml, node, reader->error, "%s: more than %d characters", what,
                         EXPERIMENT_REPORT_TEXT);
    strcat(strcpy(text + used, used ? "," : ""), word);
    return true;
}

static bool check_measure(struct reader *reader, const yaml_node_t *node, const char *name)
{
    struct arena memory = {NULL};
    struct sweep_source source;
    const bool found = sweep_source_find(name, &memory, &source, reader->error);
    arena_free(&memory);
    return found || reader_stands_at(reader, yaml_line(node));
}

static bool check_log(struct reader *reader, const yaml_node_t *node, const char *text)
{
    static const char *const choices[] = {"x", "y", "xy", "none", NULL};
    for (size_t i = 0; choices[i]; ++i)
        if (!strcmp(choices[i], text))
            return true;
    return yaml_unknown(&reader->yaml, node, "log", text, choices, reader->error);
}

static bool read_entry(struct reader *reader, yaml_node_t *value, const char *name, int line)
{
    static const char *const keys[] = {"x", "y", "series", "panels", "rows", "columns", "value", "log", NULL};
    struct experiment_report *report = &reader->experiment->report;
    char *text = place_of(report, name);
    (void)line;
    if (!text)
        return yaml_unknown(&reader->yaml, value, "report", name, keys, reader->error);
    if (text[0])
        return yaml_fail(&reader->yaml, value, reader->error, "report: y and value are the same measure: give one");
    if (!each_value(reader, value, name, add_word))
        return false;
    return text == report->measure ? check_measure(reader, value, text)
           : text == report->log   ? check_log(reader, value, text)
                                   : true;
}

bool read_report(struct reader *reader, yaml_node_t *node, const char *name)
{
    reader->experiment->report.line = yaml_line(node);
    return each_entry(reader, node, name, read_entry);
}

static bool check_names(struct reader *reader, const char *what, const char *names)
{
    const struct experiment *experiment = reader->experiment;
    while (names[0]) {
        char name[64];
        const char *known[EXPERIMENT_AXES_MAX + 1] = {NULL};
        const size_t length = strcspn(names, ",");
        bool found = false;
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        for (size_t i = 0; i < experiment->axis_count; ++i) {
            known[i] = experiment->axes[i].name;
            found = found || !strcmp(known[i], name);
        }
        if (!found) {
            reader_fail(reader, experiment->report.line, "report: %s: '%s' is not in `fixed` or `sweep`", what, name);
            return error_near(reader->error, name, known, NULL);
        }
        names += length + (names[length] == ',');
    }
    return true;
}

bool check_report(struct reader *reader)
{
    const struct experiment_report *report = &reader->experiment->report;
    if (strchr(report->x, ',')) {
        reader_fail(reader, report->line, "report: x: '%s' is more than one parameter", report->x);
        return error_remedy(reader->error, "keep one of them; the others may be `series` or `panels`");
    }
    return check_names(reader, "x", report->x) && check_names(reader, "series", report->series) &&
           check_names(reader, "panels", report->panels) && check_names(reader, "rows", report->rows) &&
           check_names(reader, "columns", report->columns);
}
