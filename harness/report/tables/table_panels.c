// SPDX-License-Identifier: MIT
// Panels as a reader wants them: the stand-in of the paper's own scene first, of each scene the largest image, which
// decides claims, before those that do not fill the device; each named by what tells it from the others.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/tables/table.h"
#include "device/device.h"

static uint64_t whole_fact(const struct report_panel *panel, const char *name)
{
    return strtoull(report_fact(panel, name), NULL, 10);
}

// ---- what another device counted the same

static bool same_fact(const struct report_panel *a, const struct report_panel *b, const char *name)
{
    return !strcmp(report_fact(a, name), report_fact(b, name));
}

static const struct report_row *row_of(const struct report_panel *panel, const char *key)
{
    return ARRAY_FIND(panel->rows, panel->row_count, key);
}

// Whether `b` has every row and value that `a` has, which are some.
static bool holds_all(const struct report_table *table, const struct report_panel *a, const struct report_panel *b)
{
    bool any = false;
    for (size_t i = 0; i < a->row_count; ++i) {
        const struct report_row *row = row_of(b, a->rows[i].key);
        for (size_t j = 0; row && j < table->definition->column_count; ++j) {
            const double value = a->rows[i].cells[j].value;
            any = any || !isnan(value);
            if (!isnan(value) && value != row->cells[j].value)
                return false;
        }
        if (!row)
            return false;
    }
    return any;
}

static bool says_the_same(const struct report_table *table, const struct report_panel *a, const struct report_panel *b)
{
    static const char *const facts[] = {"scene", "camera", "width", "height",   "spp",
                                        "seed",  "work",   "paths", "schedule", "max_bounces"};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i)
        if (!same_fact(a, b, facts[i]))
            return false;
    return !same_fact(a, b, "device_name") && holds_all(table, a, b);
}

static const char *table_panels_join(struct report_table *table, const char *list, const char *more)
{
    return more[0] ? arena_join(&table->memory, list, ", ", more) : list;
}

// The trials of a panel that goes stand at the cells of the one that stays.
static void absorb(struct report_table *table, struct report_panel *panel, const struct report_panel *other)
{
    struct report_fact *trials = ARRAY_FIND(panel->facts, panel->fact_count, "trials");
    if (trials)
        trials->text = table_panels_join(table, trials->text, report_fact(other, "trials"));
    *ARENA_ADD(&table->memory, panel->facts, panel->fact_count) =
        (struct report_fact){"counted_too", report_fact(other, "device_name")};
    for (size_t i = 0; i < panel->row_count; ++i) {
        const struct report_row *row = row_of(other, panel->rows[i].key);
        for (size_t j = 0; row && j < table->definition->column_count; ++j) {
            struct report_cell *cell = &panel->rows[i].cells[j];
            if (!isnan(row->cells[j].value))
                cell->trials = table_panels_join(table, cell->trials, row->cells[j].trials);
        }
    }
}

static void drop_repeated(struct report_table *table)
{
    size_t kept = 0;
    for (size_t i = 0; table->panels && i < table->panel_count; ++i) {
        struct report_panel *panel = &table->panels[i], *stays = NULL;
        for (size_t j = 0; j < table->panel_count && !stays; ++j) {
            struct report_panel *other = &table->panels[j];
            const bool earlier = j < kept;
            const bool later = j > i && !says_the_same(table, other, panel);
            if ((earlier || later || (j > i && device_is(report_fact(panel, "device"), DEVICE_MODEL))) &&
                says_the_same(table, panel, other))
                stays = other;
        }
        if (stays)
            absorb(table, stays, panel);
        else
            table->panels[kept++] = *panel;
    }
    table->panel_count = kept;
}

// ---- order

// The scene that the paper shows its own tables of.
static const char *own_scene(const struct report_table *table)
{
    const struct published *published = table->paper->published;
    if (table->published && table->published->scene[0])
        return table->published->scene;
    for (size_t i = 0; i < published->table_count; ++i)
        if (published->tables[i].scene[0])
            return published->tables[i].scene;
    return "";
}

static int scene_rank(const struct report_table *table, const struct report_panel *panel)
{
    const bool own = panel->scene.stands_for[0] && !strcmp(panel->scene.stands_for, own_scene(table));
    return !own ? 2 : panel->scene.fitted;
}

static bool goes_before(const struct report_table *table, const struct report_panel *a, const struct report_panel *b)
{
    const int64_t limit = (int64_t)table->paper->published->max_bounces;
    const int scenes = scene_rank(table, a) - scene_rank(table, b),
              names = strcmp(report_fact(a, "scene"), report_fact(b, "scene"));
    const int64_t bounces = llabs((int64_t)whole_fact(a, "max_bounces") - limit) -
                            llabs((int64_t)whole_fact(b, "max_bounces") - limit),
                  pixels = (int64_t)(whole_fact(a, "width") * whole_fact(a, "height")) -
                           (int64_t)(whole_fact(b, "width") * whole_fact(b, "height"));
    return scenes ? scenes < 0 : names ? names < 0 : bounces ? bounces < 0 : pixels > 0;
}

static void table_panels_sort(struct report_table *table)
{
    for (size_t i = 1; i < table->panel_count; ++i) {
        const struct report_panel panel = table->panels[i];
        size_t to = i;
        for (; to && goes_before(table, &panel, &table->panels[to - 1]); --to)
            table->panels[to] = table->panels[to - 1];
        table->panels[to] = panel;
    }
}

// ---- titles

// "seven scenes": what the rows of a table name that has no scene of its own. Behind a comma stands how one was run.
static const char *rows_text(struct report_table *table, const struct report_panel *panel)
{
    static const char *const numbers[] = {"no",    "one",   "two",  "three", "four",   "five",  "six",
                                          "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    size_t scenes = 0;
    for (size_t i = 0; i < panel->row_count; ++i) {
        const size_t length = strcspn(panel->rows[i].key, ",");
        bool before = false;
        for (size_t j = 0; j < i && !before; ++j)
            before =
                strcspn(panel->rows[j].key, ",") == length && !strncmp(panel->rows[j].key, panel->rows[i].key, length);
        scenes += !before;
    }
    if (strncmp(table->definition->row_title, "scene", strlen("scene")) != 0)
        return "";
    if (scenes == 1)
        return arena_format(&table->memory, "%.*s", (int)strcspn(panel->rows[0].key, ","), panel->rows[0].key);
    return scenes < sizeof numbers / sizeof *numbers ? arena_format(&table->memory, "%s scenes", numbers[scenes])
                                                     : arena_format(&table->memory, "%zu scenes", scenes);
}

static const char *scene_text(struct report_table *table, const struct report_panel *panel)
{
    const char *scene = report_fact(panel, "scene"), *stands_for = panel->scene.stands_for;
    if (!scene[0])
        return rows_text(table, panel);
    return stands_for[0] ? arena_format(&table->memory, "%s (stands in for %s)", scene, stands_for) : scene;
}

static bool varies(const struct report_table *table, const char *fact)
{
    for (size_t i = 1; i < table->panel_count; ++i)
        if (!same_fact(&table->panels[0], &table->panels[i], fact))
            return true;
    return false;
}

// Whether "a" is among "a, b, c".
static bool among(const char *part, size_t length, const char *list)
{
    for (; *list; list += strcspn(list, ","), list += strspn(list, ", "))
        if (strcspn(list, ",") == length && !strncmp(list, part, length))
            return true;
    return false;
}

// Adds those parts of a list of settings that another panel lacks.
static const char *add_parts(struct report_table *table, const char *title, const char *list, const char *fact)
{
    for (; *list; list += strcspn(list, ","), list += strspn(list, ", ")) {
        const size_t length = strcspn(list, ",");
        bool everywhere = true;
        for (size_t i = 0; i < table->panel_count; ++i)
            everywhere = everywhere && among(list, length, report_fact(&table->panels[i], fact));
        if (!everywhere)
            title = table_panels_join(table, title, arena_format(&table->memory, "%.*s", (int)length, list));
    }
    return title;
}

static bool underfilled(const struct report_table *table, const struct report_panel *panel)
{
    size_t rows = 0;
    for (size_t i = 0; i < panel->row_count; ++i) {
        char flag[REPORT_FLAG_TEXT];
        bool any = false;
        for (size_t j = 0; j < table->definition->column_count; ++j)
            for (const char *flags = panel->rows[i].cells[j].flags; report_next_flag(&flags, flag, sizeof flag);)
                any = any || !strncmp(report_flag_text(table, flag), "underfilled", strlen("underfilled"));
        rows += any;
    }
    return rows && rows == panel->row_count;
}

static const char *title_of(struct report_table *table, const struct report_panel *panel)
{
    const char *title = scene_text(table, panel), *width = report_fact(panel, "width"),
               *limit = report_fact(panel, "max_bounces");
    const bool only = table->panel_count == 1;
    if (!panel->fact_count)
        return "what the paper prints";
    if (report_fact(panel, "scene")[0] && (only || varies(table, "camera")))
        title = arena_format(&table->memory, "%s, camera %s", title,
                             panel->scene.camera[0] ? panel->scene.camera : "the scene's first");
    if (width[0])
        title = arena_format(&table->memory, "%s%s%sx%s", title,
                             !title[0]                        ? ""
                             : report_fact(panel, "scene")[0] ? ", "
                                                              : " at ",
                             width, report_fact(panel, "height"));
    if (limit[0] && varies(table, "max_bounces"))
        title = arena_format(&table->memory, "%s, bounce limit %s", title, limit);
    if (only || !title[0] || varies(table, "device_name"))
        title = table_panels_join(table, title, report_device(panel));
    title = add_parts(table, title, report_fact(panel, "work"), "work");
    title = add_parts(table, title, report_fact(panel, "schedule"), "schedule");
    return !only && panel->underfilled ? arena_format(&table->memory, "%s, underfilled", title) : title;
}

// The first panel, and the first of the same scene and device that the device is too large for.
static void choose_open(struct report_table *table)
{
    for (size_t i = 0, open = 0; i < table->panel_count && open < 2; ++i) {
        struct report_panel *first = table->panels, *panel = &first[i];
        panel->open = !i || (panel->underfilled && !first->underfilled && same_fact(first, panel, "scene") &&
                             same_fact(first, panel, "device_name") && same_fact(first, panel, "max_bounces"));
        open += panel->open;
    }
}

void report_arrange(struct report_table *table, bool all)
{
    if (!all)
        drop_repeated(table);
    table_panels_sort(table);
    for (size_t i = 0; i < table->panel_count; ++i) {
        table->panels[i].underfilled = underfilled(table, &table->panels[i]);
        table->panels[i].title = title_of(table, &table->panels[i]);
    }
    choose_open(table);
}
