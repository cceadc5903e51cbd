// SPDX-License-Identifier: MIT
#include "report/tables/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

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

void report_table_free(struct report_table *table)
{
    if (table)
        arena_free(&table->memory);
    free(table);
}

const char *report_keep(struct arena *memory, const char *text, const char *before)
{
    if (!text[0])
        return "";
    return strcmp(text, before) ? arena_format(memory, "%s", text) : before;
}

bool report_published_only(const struct report_table *table)
{
    return !table->definition->sql;
}

const char *report_published_flag(const struct report_table *table)
{
    static const char measured[] = "not measured";
    const bool could_be = table->definition->sql || !strncmp(table->definition->missing, measured, strlen(measured));
    return could_be ? PAPER_NOT_MEASURED : PAPER_NOT_IMPLEMENTED;
}

const char *report_flag_text(const struct report_table *table, const char *flag)
{
    if (report_published_only(table) && !strcmp(flag, report_published_flag(table)))
        return table->definition->missing;
    return paper_flag_text(table->paper, flag);
}

const char *report_fact(const struct report_panel *panel, const char *name)
{
    const struct report_fact *fact = ARRAY_FIND(panel->facts, panel->fact_count, name);
    return fact ? fact->text : "";
}

const char *report_device(const struct report_panel *panel)
{
    static const char opencl_gpu[] = "OpenCL on a GPU: "; // as in the view trial_device
    const char *device = report_fact(panel, "device"), *name = report_fact(panel, "device_name");
    return device_is(device, DEVICE_GPU) || !strncmp(name, opencl_gpu, strlen(opencl_gpu)) ? name : device;
}

bool report_measured(const struct report_panel *panel, size_t column)
{
    for (size_t i = 0; i < panel->row_count; ++i)
        if (!isnan(panel->rows[i].cells[column].value))
            return true;
    return false;
}

const char *report_thousands(struct document *document, const char *digits)
{
    const struct published_column plain = {.suffix = ""};
    const bool sign = digits[0] == '-' || digits[0] == '+';
    char text[400];
    published_text(&plain, digits + sign, text, sizeof text);
    return doc_text(document, "%.*s%s", (int)sign, digits, text);
}
