// SPDX-License-Identifier: MIT
#include "made_tables.h"

#include <math.h>

#include "check.h"
#include "folder_support.h"
#include "report/write/escape.h"

// ---- what is expected

static bool is_relation(const char *word)
{
    static const char *const relations[] = {"=", "~", "is", "has", "lacks", "as"};
    for (size_t i = 0; i < sizeof relations / sizeof *relations; ++i)
        if (!strcmp(relations[i], word))
            return true;
    return false;
}

// What stands behind the relation; of a number "7.1 +- 0.05", too.
static void relation_read(struct arena *memory, struct expected *expected, const char *text)
{
    const bool number = expected->relation[0] == '=' || expected->relation[0] == '~';
    const char *spread = number ? strstr(text, " +- ") : NULL;
    const size_t length = spread ? (size_t)(spread - text) : strlen(text);
    expected->expression = strcmp(text, "\"\"") ? arena_format(memory, "%.*s", (int)length, text) : "";
    expected->relative = expected->relation[0] == '~' ? 1e-4 : spread ? 0 : 1e-9;
    expected->absolute = spread ? strtod(spread + 4, NULL) : 1e-12;
}

struct expected expected_read(struct arena *memory, const char *text)
{
    struct expected expected = {.words = {"", "", "", ""}, .place = "", .relation = "", .expression = ""};
    for (size_t count = 0; *(text += strspn(text, " "));) {
        if (*text == '[') {
            const size_t length = strcspn(text, "]");
            expected.place = arena_format(memory, "%.*s", (int)length - 1, text + 1);
            text += length + (text[length] == ']');
            continue;
        }
        const char *word = made_word(memory, &text);
        if (is_relation(word)) {
            expected.relation = word;
            relation_read(memory, &expected, text + strspn(text, " "));
            break;
        }
        if (count == 4)
            fail_msg("too many words before %s%s", word, text);
        expected.words[count++] = word;
    }
    return expected;
}

bool expected_value(struct made_scope *scope, const struct expected *expected, double value, double *wanted)
{
    const bool none = !strcmp(expected->expression, "none");
    *wanted = none ? NAN : made_number(scope, expected->expression);
    if (isnan(*wanted))
        return none && isnan(value);
    return fabs(value - *wanted) <= expected->relative * fabs(*wanted) + expected->absolute;
}

// ---- tables

bool made_tables_take(struct made_tables *tables, struct expected *expected)
{
    const char **words = expected->words;
    if (strcmp(words[0], "table") != 0) {
        if (!tables->table || !strchr("abcdefghijklmnopqrstuvwxyz", words[0][0]))
            return false;
        const char *const moved[4] = {"table", tables->table, words[0], words[1]};
        memcpy(words, moved, sizeof moved);
        expected->place = expected->place[0] ? expected->place : tables->place;
    }
    tables->table = words[1];
    tables->place = expected->place;
    return true;
}

// Options behind a table's name: "table1,all,scene=cornell,panel=2"; the panel, from 0.
static size_t table_build(struct made_tables *tables, const char *words)
{
    char *copy = arena_format(tables->scope->memory, "%s", words), *rest = copy;
    const char *name = strtok_r(copy, ",", &rest), *word, *option, *value;
    struct report_options options = {NULL, NULL, false};
    size_t panel = 0;
    while ((word = strtok_r(NULL, ",", &rest))) {
        if (!made_split(tables->scope->memory, word, &option, &value))
            option = word;
        if (!strcmp(option, "all"))
            options.all = true;
        else if (!strcmp(option, "scene"))
            options.scene = value;
        else if (!strcmp(option, "run"))
            options.run = value;
        else if (!strcmp(option, "panel"))
            panel = strtoul(value, NULL, 10) - 1;
        else
            fail_msg("%s is no option of a table", word);
    }
    if (!tables->built || strcmp(tables->built, words) != 0) {
        bench_table(tables->bench, name, options);
        if (getenv("SHOW_REPORTS")) {
            char *text = bench_render(tables->bench, doc_write_text);
            puts(text);
            free(text);
        }
    }
    tables->built = words;
    return panel;
}

static bool cell_number(const struct report_cell *cell, const char *field, double *number)
{
    const struct {
        const char *name;
        double number;
    } fields[] = {
        {"", cell->value},
        {"cumulative", cell->cumulative},
        {"published", cell->published},
        {"published_cumulative", cell->published_cumulative},
        {"ratio", cell->ratio},
        {"ratio_cumulative", cell->ratio_cumulative},
        {"within", cell->within},
        {"low", cell->low},
        {"high", cell->high},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        if (!strcmp(fields[i].name, field)) {
            *number = fields[i].number;
            return true;
        }
    return false;
}

// Half of the last digit of what the paper prints there, corrected where it is a misprint; below 0 where it prints nothing.
static double printed_half(const struct made_tables *tables, const char *row, const char *column)
{
    const struct published_table *table = tables->bench->table->published;
    const struct published_cell *cell = published_cell(table, row, column);
    const char *text = cell ? cell->corrected ? cell->corrected : cell->printed : NULL,
               *point = text ? strchr(text, '.') : NULL;
    return text ? 0.5 * pow(10, point ? -(double)strlen(point + 1) : 0) * published_column(table, column)->scale : -1;
}

// Whether the value, rounded, is what the paper prints in that cell.
static const char *printed_check(struct made_tables *tables, const char *row, const char *column, double value)
{
    const double half = printed_half(tables, row, column);
    const struct published_cell *cell = published_cell(tables->bench->table->published, row, column);
    if (half >= 0 && fabs(value - cell->value) <= half * 1.000001)
        return NULL;
    return arena_format(tables->scope->memory, "%.12g is not printed", value);
}

static const char *number_check(struct made_tables *tables, const struct expected *expected, double value)
{
    double wanted;
    if (expected_value(tables->scope, expected, value, &wanted))
        return NULL;
    return arena_format(tables->scope->memory, "%.12g, not %.12g (%s)", value, wanted, expected->expression);
}

static const char *text_check(struct made_tables *tables, const struct expected *expected, const char *text)
{
    const char *relation = expected->relation, *wanted = made_replace(tables->scope, expected->expression);
    text = text ? text : "";
    const bool equal = !strcmp(text, wanted), holds = strstr(text, wanted) != NULL;
    if (!strcmp(relation, "is")
            ? equal
            : wanted[0] && (!strcmp(relation, "has") ? holds : !strcmp(relation, "lacks") && !holds))
        return NULL;
    return arena_format(tables->scope->memory, "'%s', which not %s '%s'", text, relation, wanted);
}

// "COLUMN[.FIELD]"
static const char *cell_check(struct made_tables *tables, const struct expected *expected, size_t panel)
{
    const char *field = strchr(expected->words[2], '.');
    const char *column =
        arena_format(tables->scope->memory, "%.*s", (int)strcspn(expected->words[2], "."), expected->words[2]);
    const struct report_cell *cell =
        bench_cell(tables->bench, panel, bench_row(tables->bench, panel, expected->place), column);
    double number;
    field = field ? field + 1 : "";
    if (!strcmp(expected->expression, "printed") && cell_number(cell, field, &number))
        return printed_check(tables, expected->place,
                             arena_join(tables->scope->memory, column, field[0] ? "_" : "", field), number);
    if (cell_number(cell, field, &number))
        return number_check(tables, expected, number);
    if (!strcmp(field, "flags") || !strcmp(field, "trials"))
        return text_check(tables, expected, !strcmp(field, "flags") ? cell->flags : cell->trials);
    return arena_format(tables->scope->memory, "no field %s", field);
}

// Compares with a file of tests/report/ and shows how they differ; or writes it.
static const char *file_check(const struct made_tables *tables, const char *name, const char *text)
{
    char root[600];
    need(paper_root(root, sizeof root, &why));
    const char *path = arena_format(tables->scope->memory, "%s/../tests/report/%s", root, name);
    if (tables->refresh) {
        folder_write_text(NULL, path, text);
        return NULL;
    }
    const char *folder = folder_new();
    folder_write_text(folder, "now", text);
    const int differs = system(arena_format(tables->scope->memory, "diff -u '%s' %s/now >&2", path, folder));
    return differs ? "it is written otherwise: see above, or claims_fixtures --refresh if that is meant" : NULL;
}

static const char *rendered_check(struct made_tables *tables, const struct expected *expected,
                                  const struct report_format *format)
{
    char *text = bench_render(tables->bench, format->write);
    const char *wrong = strcmp(expected->relation, "as") != 0 ? text_check(tables, expected, text)
                                                              : file_check(tables, expected->expression, text);
    free(text);
    return wrong;
}

// Lines of the table as a text that are too wide, commands left out.
static size_t wide_lines(const struct made_tables *tables)
{
    char *text = bench_render(tables->bench, doc_write_text), *rest = text;
    size_t count = 0;
    for (const char *line; (line = strtok_r(rest, "\n", &rest));)
        count += strlen(line) > TEXT_WIDTH && !strstr(line, "warpstudy ");
    free(text);
    return count;
}

static const struct report_format *format_find(const char *name)
{
    static const struct report_format html = {"html", "html", doc_write_html};
    const struct report_format *format = report_formats;
    while (format->name && strcmp(format->name, name) != 0)
        ++format;
    return format->name ? format : !strcmp(name, html.name) ? &html : NULL;
}

const char *made_tables_check(struct made_tables *tables, const struct expected *expected)
{
    const char *what = expected->words[2], *which = expected->words[3];
    const size_t panel = table_build(tables, expected->words[1]);
    const struct report_table *table = tables->bench->table;
    if (!strcmp(what, "drawn")) {
        bench_draw(tables->bench, which);
        return NULL;
    }
    if (!expected->relation[0])
        return "nothing is expected of it";
    if (!strcmp(what, "panels"))
        return number_check(tables, expected, (double)table->panel_count);
    if (!strcmp(what, "left_out"))
        return number_check(tables, expected, (double)table->left_out);
    if (!strcmp(what, "wide_lines"))
        return number_check(tables, expected, (double)wide_lines(tables));
    if (format_find(what))
        return rendered_check(tables, expected, format_find(what));
    if (panel >= table->panel_count)
        return "there is no such panel";
    if (!strcmp(what, "rows"))
        return number_check(tables, expected, (double)table->panels[panel].row_count);
    if (!strcmp(what, "fact"))
        return text_check(tables, expected, report_fact(&table->panels[panel], which));
    if (!strcmp(what, "row")) {
        const size_t row = strtoul(which, NULL, 10) - 1;
        return text_check(tables, expected,
                          row < table->panels[panel].row_count ? table->panels[panel].rows[row].key : "");
    }
    return cell_check(tables, expected, panel);
}
