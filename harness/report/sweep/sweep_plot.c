// SPDX-License-Identifier: MIT
#include "report/sweep/sweep_plot.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/papers/paper.h"
#include "report/plot.h"
#include "report/staging.h"

enum { SERIES_MOST = 16, PANELS_MOST = 100 };

struct drawing {
    const struct sweep_rows *rows;
    const struct sweep_axis *x;
    struct sweep_layout layout; // across: series; down: panels
    const char *series[SERIES_MOST], *panels[PANELS_MOST];
    size_t series_count, panel_count;
    const char **series_of, **panel_of; // of each row
    struct document texts;              // holds them
};

// ---- what is drawn

// Whether a list of names with commas between has it; of NULL nothing.
static bool lists(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = names; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && !strncmp(at, name, length))
            return true;
    return false;
}

// Of what is not named for anything else, the number with most values, else the last; NULL: nothing is left.
static const struct sweep_axis *standard_x(const struct sweep_rows *rows, const struct sweep_figure *figure)
{
    const struct sweep_axis *best = NULL;
    for (size_t i = 0; i < rows->axis_count; ++i) {
        const struct sweep_axis *axis = &rows->axes[i];
        if (lists(figure->series, axis->name) || lists(figure->panels, axis->name))
            continue;
        if (!best || (axis->numbers ? !best->numbers || axis->value_count > best->value_count : !best->numbers))
            best = axis;
    }
    return best;
}

static bool no_x(const struct sweep_rows *rows, const struct sweep_figure *figure, struct error *error)
{
    struct sweep_layout layout; // finds the words for a name that does not vary
    if (!figure->x)
        return error_set(error, ERROR_USE,
                         "all that varies in %s is named in series and panels, and nothing is left for x",
                         rows->experiment);
    return sweep_layout_of(rows, figure->x, NULL, &layout, error) &&
           error_set(error, ERROR_USE, "x takes one parameter, not '%s'", figure->x);
}

static bool some_lack(const struct sweep_rows *rows, size_t axis)
{
    for (size_t i = 0; i < rows->row_count; ++i)
        if (!rows->rows[i].at[axis][0])
            return true;
    return false;
}

// variant, and what only some variants have; without a variant the first that is not x. As many as can be told
// apart.
static const char *standard_series(const struct sweep_rows *rows, const struct sweep_axis *x, const char *panels,
                                   struct document *texts)
{
    const struct sweep_axis *variant = sweep_axis_find(rows, "variant");
    const char *names = variant && variant != x && !lists(panels, "variant") ? "variant" : NULL;
    size_t count = names ? variant->value_count : 1;
    for (size_t i = 0; i < rows->axis_count; ++i) {
        const struct sweep_axis *axis = &rows->axes[i];
        if (axis == x || axis == variant || lists(panels, axis->name) ||
            (names && (!some_lack(rows, i) || count + axis->value_count > SERIES_MOST)))
            continue;
        names = names ? doc_text(texts, "%s,%s", names, axis->name) : axis->name;
        count += axis->value_count;
    }
    return names;
}

// x runs nowhere: it is taken out of what the layout lets run down.
static bool lay_out(struct drawing *drawing, const struct sweep_figure *figure, struct error *error)
{
    const struct sweep_rows *rows = drawing->rows;
    if (!rows->axis_count)
        return error_set(error, ERROR_USE, "nothing varies in %s: it has one setting", rows->experiment);
    drawing->x = figure->x ? sweep_axis_find(rows, figure->x) : standard_x(rows, figure);
    struct sweep_layout *layout = &drawing->layout;
    if (!drawing->x)
        return no_x(rows, figure, error);
    const char *series =
        figure->series ? figure->series : standard_series(rows, drawing->x, figure->panels, &drawing->texts);
    if (!sweep_layout_of(rows, figure->panels, series ? series : drawing->x->name, layout, error))
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < layout->down_count; ++i)
        if (layout->down[i] != drawing->x)
            layout->down[kept++] = layout->down[i];
    layout->down_count = kept;
    if (!series)
        layout->across_count = 0;
    for (size_t i = 0; i < layout->across_count; ++i)
        if (layout->across[i] == drawing->x)
            return error_set(error, ERROR_USE, "%s is both x and series", drawing->x->name);
    return !lists(figure->panels, drawing->x->name) ||
           error_set(error, ERROR_USE, "%s is both x and panels", drawing->x->name);
}

static bool name_all(const char *text, const char **list, size_t *count, size_t most)
{
    for (size_t i = 0; i < *count; ++i)
        if (!strcmp(list[i], text))
            return true;
    if (*count == most)
        return false;
    list[(*count)++] = text;
    return true;
}

static bool name_series(struct drawing *drawing, struct error *error)
{
    const struct sweep_rows *rows = drawing->rows;
    const struct sweep_layout *layout = &drawing->layout;
    struct arena *memory = doc_memory(&drawing->texts);
    drawing->series_of = arena_new(memory, rows->row_count + 1, sizeof *drawing->series_of);
    drawing->panel_of = arena_new(memory, rows->row_count + 1, sizeof *drawing->panel_of);
    for (size_t i = 0; i < rows->row_count; ++i) {
        const struct sweep_row *row = &rows->rows[i];
        if (isnan(row->value) || !row->at[drawing->x - rows->axes][0])
            continue;
        drawing->series_of[i] = sweep_side_text(rows, row, layout->across, layout->across_count, &drawing->texts);
        drawing->panel_of[i] = sweep_side_text(rows, row, layout->down, layout->down_count, &drawing->texts);
        if (!name_all(drawing->series_of[i], drawing->series, &drawing->series_count, SERIES_MOST)) {
            error_set(error, ERROR_USE, "more than %d series", SERIES_MOST);
            return error_remedy(error,
                                "let one of their parameters choose the panel: --panels PARAMETER --series PARAMETER");
        }
        if (!name_all(drawing->panel_of[i], drawing->panels, &drawing->panel_count, PANELS_MOST)) {
            error_set(error, ERROR_USE, "more than %d panels", PANELS_MOST);
            return error_remedy(error, "name more of the parameters in --series");
        }
    }
    return true;
}

// ---- the CSV

static size_t place_of(const char *const *list, size_t count, const char *text)
{
    size_t i = 0;
    while (i < count && strcmp(list[i], text) != 0)
        ++i;
    return i;
}

static double x_of(const struct drawing *drawing, const struct sweep_row *row)
{
    const struct sweep_axis *x = drawing->x;
    const char *value = row->at[x - drawing->rows->axes];
    return x->numbers ? strtod(value, NULL) : (double)(1 + place_of(x->values, x->value_count, value));
}

struct ordered {
    size_t row, panel, series;
    double x;
};

static int by_place(const void *a, const void *b)
{
    const struct ordered *p = a, *q = b;
    if (p->panel != q->panel)
        return p->panel < q->panel ? -1 : 1;
    if (p->series != q->series)
        return p->series < q->series ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

static void put_number(double value, FILE *stream)
{
    char text[32] = "";
    for (int digits = 15; digits <= 17 && !isnan(value) && (!text[0] || strtod(text, NULL) != value); ++digits)
        snprintf(text, sizeof text, "%.*g", digits, value);
    fprintf(stream, ",%s", text);
}

static void put_quoted(const char *text, FILE *stream)
{
    fputc('"', stream);
    for (; *text; ++text)
        *text == '"' ? fputs("\"\"", stream) : fputc(*text, stream);
    fputc('"', stream);
}

// panel and series are numbers from 1; x that is no number is the place of its value. Then the axes, and the trials.
static void write_csv(const struct drawing *drawing, FILE *stream)
{
    const struct sweep_rows *rows = drawing->rows;
    struct ordered *order = memory_new(rows->row_count + 1, sizeof *order);
    size_t count = 0;
    for (size_t i = 0; i < rows->row_count; ++i)
        if (drawing->series_of[i])
            order[count++] =
                (struct ordered){i, 1 + place_of(drawing->panels, drawing->panel_count, drawing->panel_of[i]),
                                 1 + place_of(drawing->series, drawing->series_count, drawing->series_of[i]),
                                 x_of(drawing, &rows->rows[i])};
    qsort(order, count, sizeof *order, by_place);
    fputs("panel,series,x,y,low,high,underfilled", stream);
    for (size_t i = 0; i < rows->axis_count; ++i)
        fprintf(stream, ",%s", rows->axes[i].name);
    fputs(",flags,trials\r\n", stream);
    for (size_t k = 0; k < count; ++k) {
        const struct sweep_row *row = &rows->rows[order[k].row];
        fprintf(stream, "%zu,%zu", order[k].panel, order[k].series);
        put_number(order[k].x, stream);
        put_number(row->value, stream);
        put_number(row->low, stream);
        put_number(row->high, stream);
        fprintf(stream, ",%d", strstr(row->flags, "underfilled") != NULL);
        for (size_t i = 0; i < rows->axis_count; ++i) {
            fputc(',', stream);
            put_quoted(row->at[i], stream);
        }
        fputc(',', stream);
        put_quoted(row->flags, stream);
        fputc(',', stream);
        put_quoted(row->trials, stream);
        fputs("\r\n", stream);
    }
    free(order);
}

// ---- the script

// A string of gnuplot.
static void put_string(const char *text, FILE *stream)
{
    fputc('\'', stream);
    for (; *text; ++text)
        *text == '\'' ? fputs("''", stream) : fputc(*text, stream);
    fputc('\'', stream);
}

static bool asks_log(const struct sweep_figure *figure, char axis)
{
    return figure->log && strcmp(figure->log, "none") != 0 && strchr(figure->log, axis);
}

// Whether values are positive and each at least 1.5 times the one before, or y of a factor of 100.
static bool is_log_x(const struct drawing *drawing, const struct sweep_figure *figure)
{
    const struct sweep_axis *x = drawing->x;
    bool powers = x->numbers && x->value_count > 2;
    for (size_t i = 0; powers && i < x->value_count; ++i)
        powers = strtod(x->values[i], NULL) > 0 &&
                 (i == 0 || strtod(x->values[i], NULL) >= 1.5 * strtod(x->values[i - 1], NULL));
    return figure->log ? asks_log(figure, 'x') : powers;
}

static bool is_log_y(const struct drawing *drawing, const struct sweep_figure *figure)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < drawing->rows->row_count; ++i) {
        const double value = drawing->rows->rows[i].value;
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    return figure->log ? asks_log(figure, 'y') : least > 0 && most >= 100 * least;
}

// A logarithmic axis that was asked for shows all values.
static bool check_log(const struct drawing *drawing, const struct sweep_figure *figure, struct error *error)
{
    const struct sweep_axis *x = drawing->x;
    const char *without = NULL;
    if (asks_log(figure, 'x') && (!x->numbers || strtod(x->values[0], NULL) <= 0))
        without = x->name;
    for (size_t i = 0; asks_log(figure, 'y') && !without && i < drawing->rows->row_count; ++i)
        if (drawing->series_of[i] && drawing->rows->rows[i].value <= 0)
            without = drawing->rows->measure.name;
    if (!without)
        return true;
    error_set(error, ERROR_USE, "a logarithmic axis shows numbers above 0, and %s has other values", without);
    return error_remedy(error, "--log %s, or `log` in the experiment file's `report`",
                        without == x->name && asks_log(figure, 'y') ? "y" : "none");
}

static void put_axes(const struct drawing *drawing, const struct sweep_figure *figure, FILE *stream)
{
    const struct sweep_axis *x = drawing->x;
    const bool log = is_log_x(drawing, figure);
    fprintf(stream, "axes_set = \"");
    if (log)
        fprintf(stream, "set logscale x; ");
    fprintf(stream, is_log_y(drawing, figure) ? "set logscale y; " : "set yrange [0:*]; ");
    fprintf(stream, "set xtics (");
    for (size_t i = 0; i < x->value_count; ++i) {
        fprintf(stream, "%s", i ? ", " : "");
        put_string(x->values[i], stream);
        x->numbers ? fprintf(stream, " %s", x->values[i]) : fprintf(stream, " %zu", i + 1);
    }
    fprintf(stream, ") noenhanced; ");
    if (!x->numbers) {
        fprintf(stream, "set xrange [0.5:%zu.5]; ", x->value_count);
    } else if (x->value_count > 1) {
        const double least = strtod(x->values[0], NULL), most = strtod(x->values[x->value_count - 1], NULL);
        const double room = log ? pow(most / least, 0.04) : 0.04 * (most - least);
        fprintf(stream, "set xrange [%.9g:%.9g]; ", log ? least / room : least - room, log ? most * room : most + room);
    }
    fprintf(stream, "\"\n");
}

static void put_settings(const struct drawing *drawing, const struct sweep_figure *figure, const char *csv,
                         const char *stem, size_t panel, const char *heading, FILE *stream)
{
    const struct sweep_measure *measure = &drawing->rows->measure;
    fprintf(stream, "# SPDX-License-Identifier: MIT\nstandard_csv = ");
    put_string(csv, stream);
    fprintf(stream, "\nstandard_stem = ");
    put_string(stem, stream);
    fprintf(stream, "\nstandard_panel = %zu\nstandard_heading = ", panel);
    put_string(heading, stream);
    fprintf(stream, "\nx_title = ");
    put_string(drawing->x->name, stream);
    fprintf(stream, "\ny_title = ");
    put_string(doc_text((struct document *)&drawing->texts, "%s%s%s", measure->title, measure->unit[0] ? ", " : "",
                        measure->unit),
               stream);
    fprintf(stream, "\nseries = %zu\narray series_names[%zu] = [", drawing->series_count, drawing->series_count);
    for (size_t i = 0; i < drawing->series_count; ++i) {
        fprintf(stream, "%s", i ? ", " : "");
        put_string(drawing->series[i], stream);
    }
    fprintf(stream, "]\n");
    put_axes(drawing, figure, stream);
}

static bool write_script(const struct drawing *drawing, const struct sweep_figure *figure, struct staging *staging,
                         const char *csv, const char *stem, size_t panel, const char *heading, char *script,
                         size_t size, struct error *error)
{
    char name[300], body[PATH_MAX];
    snprintf(name, sizeof name, "%.200s.gp", stem);
    FILE *stream = paper_path(body, sizeof body, error, "sweep.gp") && staging_path(staging, name, script, size, error)
                       ? fopen(script, "w")
                       : NULL;
    if (!stream)
        return error->kind ? false : error_set_errno(error, "write", script);
    put_settings(drawing, figure, csv, stem, panel, heading, stream);
    const struct paper_figure drawn = {.id = stem, .title = stem, .script = body};
    const bool done = plot_write_script(&drawn, "", stream, error);
    return staging_close(staging, stream, error) && done;
}

// ---- files

// Of what may stand in a file's name.
static void file_name(const char *text, char *name, size_t size)
{
    size_t n = 0;
    for (; *text && n + 1 < size && n < 100; ++text)
        name[n++] = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.", *text) ? *text : '_';
    name[n] = '\0';
}

// Of panels that would have one name, the second ends in -2.
static void panel_name(const struct drawing *drawing, size_t panel, char *name, size_t size)
{
    char other[120];
    size_t same = 1;
    file_name(drawing->panels[panel], name, size);
    for (size_t i = 0; i < panel; ++i) {
        file_name(drawing->panels[i], other, sizeof other);
        same += !strcmp(other, name);
    }
    if (same > 1)
        snprintf(name + strlen(name), size - strlen(name), "-%zu", same);
}

static bool draw_panel(const struct drawing *drawing, const struct sweep_figure *figure, struct staging *staging,
                       struct plots *plots, const char *csv, size_t panel, struct sweep_picture *picture,
                       bool *no_gnuplot, struct error *error)
{
    char stem[260], script[PATH_MAX], base[120], part[120];
    struct document *texts = (struct document *)&drawing->texts;
    file_name(drawing->rows->experiment, base, sizeof base);
    panel_name(drawing, panel, part, sizeof part);
    snprintf(stem, sizeof stem, "%s%s%s", base, drawing->panel_count > 1 ? "-" : "",
             drawing->panel_count > 1 ? part : "");
    const char *heading = doc_text(texts, "%s%s%s", drawing->rows->experiment, drawing->panels[panel][0] ? ": " : "",
                                   drawing->panels[panel]);
    if (!write_script(drawing, figure, staging, csv, stem, panel + 1, heading, script, sizeof script, error))
        return false;
    const struct paper_figure drawn_as = {.id = stem, .title = stem, .script = script};
    const enum plot_result drawn = plot_begin(plots, staging, &drawn_as, csv, stem, panel + 1, heading, error);
    *no_gnuplot = *no_gnuplot || drawn == PLOT_NO_GNUPLOT;
    picture->stem = drawn == PLOT_DONE ? doc_text(texts, "%s", stem) : "";
    picture->heading = heading;
    return drawn != PLOT_FAILED;
}

static bool draw_all(struct drawing *drawing, const struct sweep_figure *figure, struct staging *staging,
                     struct sweep_picture *pictures, bool *no_gnuplot, struct error *error)
{
    struct plots plots = {0};
    char base[120], csv[160];
    file_name(drawing->rows->experiment, base, sizeof base);
    snprintf(csv, sizeof csv, "%s.csv", base);
    FILE *stream = staging_open(staging, csv, error);
    if (!stream)
        return false;
    write_csv(drawing, stream);
    bool done = staging_close(staging, stream, error);
    for (size_t i = 0; done && i < drawing->panel_count; ++i)
        done = draw_panel(drawing, figure, staging, &plots, csv, i, &pictures[i], no_gnuplot, error);
    return plot_finish(&plots, done ? error : NULL) == PLOT_DONE && done;
}

bool sweep_plot_into(const struct sweep_rows *rows, const struct sweep_figure *figure, struct staging *staging,
                     struct arena *memory, struct sweep_picture **pictures, size_t *count, bool *no_gnuplot,
                     struct error *error)
{
    struct drawing drawing = {.rows = rows};
    bool done = lay_out(&drawing, figure, error) && name_series(&drawing, error) && check_log(&drawing, figure, error);
    *pictures = arena_new(memory, drawing.panel_count + 1, sizeof **pictures);
    done = done && draw_all(&drawing, figure, staging, *pictures, no_gnuplot, error);
    *count = done ? drawing.panel_count : 0;
    for (size_t i = 0; i < *count; ++i) {
        (*pictures)[i].stem = arena_format(memory, "%s", (*pictures)[i].stem);
        (*pictures)[i].heading = arena_format(memory, "%s", (*pictures)[i].heading);
    }
    document_finish(&drawing.texts);
    return done;
}

bool sweep_plot(const struct sweep_rows *rows, const struct sweep_figure *figure, FILE *stream, FILE *remarks,
                struct error *error)
{
    struct staging staging = {.lock = -1};
    struct arena memory = {NULL};
    struct sweep_picture *pictures;
    size_t count;
    bool no_gnuplot = false;
    const bool done = staging_begin(&staging, figure->folder, error) &&
                      sweep_plot_into(rows, figure, &staging, &memory, &pictures, &count, &no_gnuplot, error) &&
                      staging_commit(&staging, error);
    for (size_t i = 0; done && i < staging.count; ++i)
        fprintf(stream, "%s/%s\n", figure->folder, staging.names[i]);
    if (done && no_gnuplot)
        fprintf(remarks, "gnuplot is not installed (apt-get install gnuplot-nox): the data and the script are written, "
                         "no picture\n");
    staging_abandon(&staging);
    arena_free(&memory);
    return done;
}
