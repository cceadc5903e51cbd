// SPDX-License-Identifier: MIT
#include "report/sweep/sweep_page.h"

#include <stdio.h>

#include "report/sweep/sweep_choice.h"
#include "report/sweep/sweep_plot.h"
#include "store/query.h"

struct sweep_names {
    const char **list;
    size_t count;
    struct document *document;
};

static bool take_name(void *context, const struct store_row *row)
{
    struct sweep_names *names = context;
    *ARENA_ADD(doc_memory(names->document), names->list, names->count) =
        doc_text(names->document, "%s", row->values[0].text);
    return true;
}

static void add_pictures(const struct sweep_picture *pictures, size_t count, struct document *document)
{
    if (!count || !pictures->stem[0])
        return;
    doc_add(document, DOC_PICTURES, DOC_PLAIN, NULL);
    for (size_t i = 0; i < count; ++i) {
        const char *stem = doc_text(document, "sweeps/%s", pictures[i].stem);
        struct doc_item *item = doc_item(document, stem, pictures[i].heading);
        item->shown = doc_text(document, "%s.svg", stem);
        item->printed = doc_text(document, "%s.pdf", stem);
        item->files = doc_text(document, "%s.svg %s.pdf %s.png %s.gp", stem, stem, stem, stem);
    }
}

// Where nothing varies, or too much for a figure, there is the table alone.
static bool add_figures(const struct sweep_rows *rows, const struct experiment_report *report, struct staging *staging,
                        struct document *document, bool *no_gnuplot)
{
    const struct sweep_figure figure = {.x = sweep_word(report->x),
                                        .series = sweep_word(report->series),
                                        .panels = sweep_word(report->panels),
                                        .log = sweep_word(report->log)};
    struct sweep_picture *pictures;
    size_t count = 0;
    struct error why = {.kind = ERROR_NONE};
    snprintf(staging->prefix, sizeof staging->prefix, "sweeps/");
    const bool done =
        sweep_plot_into(rows, &figure, staging, doc_memory(document), &pictures, &count, no_gnuplot, &why);
    staging->prefix[0] = '\0';
    if (done)
        add_pictures(pictures, count, document);
    else
        doc_add(document, DOC_TEXT, DOC_ASIDE, doc_text(document, "No figure: %s.", why.message));
    return true;
}

static bool add_sweep(struct store *store, const char *name, struct staging *staging, struct document *document,
                      bool *no_gnuplot, struct error *error)
{
    struct experiment_report report;
    struct sweep_rows rows = {.experiment = NULL};
    struct sweep_layout layout;
    const char *remark;
    bool done = sweep_choice_read(store, name, NULL, &report, &rows, &remark, error) &&
                sweep_layout_of(&rows, report.rows, report.columns, &layout, error);
    if (done) {
        sweep_document(&rows, &layout, document);
        if (remark[0])
            doc_add(document, DOC_TEXT, DOC_ASIDE, doc_text(document, "%s.", remark));
        add_figures(&rows, &report, staging, document, no_gnuplot);
    } else if (error->kind == ERROR_USE) { // nothing was measured yet
        doc_heading(document, 2, name, name);
        doc_add(document, DOC_TEXT, DOC_ASIDE, doc_text(document, "No table: %s.", error->message));
        error_clear(error);
        done = true;
    }
    sweep_rows_finish(&rows);
    return done;
}

bool sweep_sections(struct store *store, struct staging *staging, struct document *document, size_t *count,
                    bool *no_gnuplot, struct error *error)
{
    struct sweep_names names = {.document = document};
    bool done =
        store_query(store,
                    "SELECT e.name FROM run AS r JOIN experiment AS e ON e.id = r.experiment WHERE e.study = '' "
                    "GROUP BY e.name ORDER BY max(r.id) DESC",
                    NULL, take_name, &names, error);
    *count = names.count;
    if (done && names.count)
        doc_heading(document, 1, NULL, "Sweeps of one's own");
    for (size_t i = 0; done && i < names.count; ++i)
        done = add_sweep(store, names.list[i], staging, document, no_gnuplot, error);
    return done;
}
