// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <string.h>

#include "report/tables/table_document.h"

// Said only where the panel has the fact.
struct part {
    const char *fact, *before, *after;
};
static const struct part setting_parts[] = {
    {"spp", "paths per pixel ", ""}, {"max_bounces", "bounce limit ", ""}, {"seed", "seed ", ""}, {"work", "", ""}, {0},
};
// The same where `work` says how many paths per pixel, and which seed.
static const struct part work_parts[] = {{"max_bounces", "bounce limit ", ""}, {"work", "", ""}, {0}};
static const struct part machine_parts[] = {
    {"warp_width", "warp width S = ", ""},
    {"paths", "N = ", " paths"},
    {"padding", "grid padding ", " lanes"},
    {"schedule", "", ""},
    {"clock", "multiprocessors at ", " MHz"},
    {"driver", "driver ", ""},
    {"counted_too", "same counts on ", ""},
    {"conditions", "", ""},
    {0},
};

static const char *add_parts(struct document *document, const struct report_panel *panel, const char *text,
                             const struct part *part)
{
    for (; part->fact; ++part) {
        const char *fact = report_fact(panel, part->fact);
        if (fact[0])
            text = doc_text(document, "%s, %s%s%s", text, part->before, report_thousands(document, fact), part->after);
    }
    return text;
}

static const char *scene_text(struct document *document, const struct report_panel *panel)
{
    const struct scene_words *words = &panel->scene;
    const char *text = doc_text(document, "scene %s", report_fact(panel, "scene"));
    if (words->title[0])
        text = doc_text(document, "%s (%s; %s%s)", text, words->title,
                        words->stands_for[0] ? "stands in for " : "not a stand-in", words->stands_for);
    return doc_text(document, "%s, %s%s", text, words->camera[0] ? "camera " : "the scene's first camera",
                    words->camera);
}

// Who wrote it, where, and what the paper ran, as far as it tells.
static const char *paper_text(struct document *document, const struct report_table *table)
{
    const struct published *published = table->paper->published;
    const char *text = published->authors[0] ? published->authors : published->title, *ran = NULL;
    if (published->venue[0] || published->year)
        text = published->venue[0] ? doc_text(document, "%s, %s", text, published->venue)
                                   : doc_text(document, "%s, %" PRIu64, text, published->year);
    if (table->published && table->published->scene[0])
        ran = doc_text(document, "scene %s", table->published->scene);
    if (published->width)
        ran = doc_join(document, ran, ", ",
                       doc_text(document, "%" PRIu64 "x%" PRIu64, published->width, published->height));
    if (published->max_bounces)
        ran = doc_join(document, ran, ", ", doc_text(document, "bounce limit %" PRIu64, published->max_bounces));
    if (published->gpu[0])
        ran = doc_join(document, ran, ", ", published->gpu);
    if (published->warp_width)
        ran = doc_join(document, ran, ", ", doc_text(document, "S = %" PRIu64, published->warp_width));
    if (published->width) {
        const char *paths = doc_text(document, "%" PRIu64, published->width * published->height);
        ran = doc_join(document, ran, ", ", doc_text(document, "N = %s paths", report_thousands(document, paths)));
    }
    return doc_text(document, "paper: %s%s%s", text, ran ? "; " : "", ran ? ran : "");
}

void report_setting(struct document *document, const struct report_table *table, const struct report_panel *panel)
{
    const char *scene = report_fact(panel, "scene"), *width = report_fact(panel, "width"),
               *device = report_fact(panel, "device"), *name = report_fact(panel, "device_name");
    doc_add(document, DOC_LIST, DOC_SETTING, NULL);
    if (scene[0] || width[0]) {
        const char *what =
            scene[0] ? scene_text(document, panel) : "each scene seen by its first camera unless another is named";
        if (width[0])
            what = doc_text(document, "%s, %sx%s", what, width, report_fact(panel, "height"));
        doc_item(document, NULL,
                 add_parts(document, panel, doc_text(document, "here: %s", what),
                           strstr(report_fact(panel, "work"), " per pixel") ? work_parts : setting_parts));
    }
    if (name[0] || device[0])
        doc_item(document, NULL,
                 add_parts(document, panel,
                           device[0] && name[0] ? doc_text(document, "on %s (%s)", device, name)
                                                : doc_text(document, "on %s", device[0] ? device : name),
                           machine_parts));
    if (table->published || table->definition->cited_count)
        doc_item(document, NULL, paper_text(document, table));
    // Only papers with words for it leave such scenes out: those that print the curve.
    if (panel->scene.fitted && strcmp(report_flag_text(table, "fitted"), "fitted") != 0)
        doc_item(document, NULL, "The scene is fitted to the published curve: this table is excluded from claims.");
}
