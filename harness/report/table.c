// SPDX-License-Identifier: MIT
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool report_stands_in(const struct report_table *table, const struct report_panel *panel)
{
    const char *scene = table->published ? table->published->scene : "", *stands_for = panel->scene.stands_for;
    if (!report_fact(panel, "scene")[0])
        return true;
    return stands_for[0] && (!scene[0] || !strcmp(scene, stands_for));
}

bool report_next_flag(const char **flags, char *text, size_t size)
{
    *flags += strspn(*flags, "|");
    const size_t length = strcspn(*flags, "|");
    snprintf(text, size, "%.*s", (int)length, *flags);
    *flags += length;
    return length > 0;
}

size_t report_flag_index(const struct report_panel *panel, const char *flag)
{
    size_t i = 0;
    while (i < panel->flag_count && strcmp(panel->flags[i], flag) != 0)
        ++i;
    return i;
}

static void finish_panel(struct report_panel *panel)
{
    for (size_t i = 0; i < panel->fact_count; ++i) {
        free(panel->facts[i].name);
        free(panel->facts[i].text);
    }
    for (size_t i = 0; i < panel->row_count; ++i)
        free(panel->rows[i].cells);
    free(panel->facts);
    free(panel->rows);
}

void report_table_free(struct report_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->panel_count; ++i)
        finish_panel(&table->panels[i]);
    for (size_t i = 0; i < table->text_count; ++i)
        free(table->texts[i]);
    free(table->texts);
    free(table->panels);
    free(table);
}

const char *report_fact(const struct report_panel *panel, const char *name)
{
    for (size_t i = 0; i < panel->fact_count; ++i)
        if (!strcmp(panel->facts[i].name, name))
            return panel->facts[i].text;
    return "";
}

bool report_measured(const struct report_panel *panel, size_t column)
{
    for (size_t i = 0; i < panel->row_count; ++i)
        if (!isnan(panel->rows[i].cells[column].value))
            return true;
    return false;
}
