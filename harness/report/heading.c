// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdlib.h>

#include "report/notes.h"
#include "report/number_text.h"

// Said only where the panel has the fact.
struct heading_part {
    const char *fact, *before, *after;
};
static const struct heading_part setting_parts[] = {
    {"spp", ", paths per pixel ", ""},
    {"max_bounces", ", bounce limit ", ""},
    {"seed", ", seed ", ""},
    {"work", ", ", ""},
    {NULL, NULL, NULL},
};
static const struct heading_part machine_parts[] = {
    {"warp_width", ", warp width S = ", ""},
    {"paths", ", N = ", " paths"},
    {"padding", ", grid padding ", " lanes"},
    {"schedule", ", ", ""},
    {"clock", ", multiprocessors at ", " MHz"},
    {"driver", ", driver ", ""},
    {"conditions", ", ", ""},
    {NULL, NULL, NULL},
};

static void put_parts(const struct report_panel *panel, const struct heading_part *part, FILE *stream)
{
    for (; part->fact; ++part) {
        char text[400];
        const char *fact = report_fact(panel, part->fact);
        report_thousands(fact, text, sizeof text);
        if (fact[0])
            fprintf(stream, "%s%s%s", part->before, text, part->after);
    }
}

static void put_scene(const struct report_panel *panel, FILE *stream)
{
    const struct scene_words *words = &panel->scene;
    fprintf(stream, "scene %s", report_fact(panel, "scene"));
    if (words->title[0])
        fprintf(stream, " (%s; %s%s)", words->title, words->stands_for[0] ? "stands in for " : "not a stand-in",
                words->stands_for);
    fprintf(stream, ", %s%s", words->camera[0] ? "camera " : "the scene's first camera", words->camera);
}

static void put_setting(const struct report_panel *panel, FILE *stream)
{
    fputs("here: ", stream);
    if (report_fact(panel, "scene")[0])
        put_scene(panel, stream);
    else
        fputs("scenes as the rows name them, each by its first camera where no other is named", stream);
    if (report_fact(panel, "width")[0])
        fprintf(stream, ", %sx%s", report_fact(panel, "width"), report_fact(panel, "height"));
    put_parts(panel, setting_parts, stream);
}

static void put_machine(const struct report_panel *panel, FILE *stream)
{
    const char *device = report_fact(panel, "device"), *name = report_fact(panel, "device_name");
    fprintf(stream, "on %s (%s)", device[0] ? device : "?", name[0] ? name : "?");
    put_parts(panel, machine_parts, stream);
}

// Who wrote it, where; its title where that is not known.
static void put_origin(const struct published *published, FILE *stream)
{
    fprintf(stream, "paper: %s", published->authors[0] ? published->authors : published->title);
    if (published->venue[0])
        fprintf(stream, ", %s", published->venue);
    else if (published->year)
        fprintf(stream, ", %" PRIu64, published->year);
}

// What the paper ran, as far as it tells.
static void put_paper(const struct report_table *table, FILE *stream)
{
    const struct published *published = table->paper->published;
    const char *scene = table->published ? table->published->scene : "", *separator = "; ";
    put_origin(published, stream);
    if (scene[0]) {
        fprintf(stream, "%sscene %s", separator, scene);
        separator = ", ";
    }
    if (published->width) {
        fprintf(stream, "%s%" PRIu64 "x%" PRIu64, separator, published->width, published->height);
        separator = ", ";
    }
    if (published->max_bounces) {
        fprintf(stream, "%sbounce limit %" PRIu64, separator, published->max_bounces);
        separator = ", ";
    }
    if (published->gpu[0])
        fprintf(stream, "%s%s", separator, published->gpu);
    if (published->warp_width)
        fprintf(stream, ", S = %" PRIu64, published->warp_width);
    if (published->width) {
        char pixels[32], paths[40];
        snprintf(pixels, sizeof pixels, "%" PRIu64, published->width * published->height);
        report_thousands(pixels, paths, sizeof paths);
        fprintf(stream, ", N = %s paths", paths);
    }
}

void report_heading(const struct report_table *table, const struct report_panel *panel, struct report_lines *lines)
{
    FILE *stream = report_fact(panel, "scene")[0] || report_fact(panel, "width")[0] ? report_line_begin(lines) : NULL;
    if (stream)
        put_setting(panel, stream);
    report_line_end(stream);
    stream = report_fact(panel, "device_name")[0] || report_fact(panel, "device")[0] ? report_line_begin(lines) : NULL;
    if (stream)
        put_machine(panel, stream);
    report_line_end(stream);
    stream = table->published || table->definition->cited_count ? report_line_begin(lines) : NULL;
    if (stream)
        put_paper(table, stream);
    report_line_end(stream);
    if (panel->scene.fitted)
        report_line(lines, "The scene is fitted to the published curve: this table decides no claim.");
}
