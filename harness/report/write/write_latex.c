// SPDX-License-Identifier: MIT
// LaTeX with booktabs' rules: a table of numbers that is wider than the page is scaled to it, and a long one is several;
// columns of words share the page by how much stands in them.
#include <math.h>
#include <string.h>

#include "report/write/document.h"
#include "report/write/escape.h"

enum { LINES_MAX = 52 }; // of a table that cannot be broken over pages

static void put_titled(const char *before, const char *text, const char *after, FILE *stream)
{
    fputs(before, stream);
    latex_text(text, stream);
    fputs(after, stream);
}

// ---- tables of numbers

static const struct doc_markup markup = {latex_text, " {[}", "{]}", "(", ")"};

// A word a line.
static void put_title(const char *title, FILE *stream)
{
    fputs(" & \\shortstack[r]{", stream);
    for (; *title; title += strspn(title, " ")) {
        char word[80];
        const int length = (int)strcspn(title, " ");
        snprintf(word, sizeof word, "%.*s", length, title);
        put_titled("", word, title[length] ? "\\\\" : "", stream);
        title += length;
    }
    fputs("}", stream);
}

static void put_head(const struct doc_table *table, FILE *stream)
{
    fputs("\\noindent\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{\\footnotesize\\begin{"
          "tabular}{@{}ll",
          stream);
    for (size_t i = 0; i < table->column_count; ++i)
        fputc('r', stream);
    fputs("@{}}\n\\toprule\n &", stream);
    for (size_t i = 0; i < table->column_count; ++i)
        put_title(table->columns[i].title, stream);
    put_titled(" \\\\\n", table->key, " &", stream);
    for (size_t i = 0; i < table->column_count; ++i)
        put_titled(doc_has(table->columns[i].unit) ? " & \\textit{" : " & {", table->columns[i].unit, "}", stream);
    fputs(" \\\\\n\\midrule\n", stream);
}

// "% trials of naive: 232, 250"
static void put_trials(const struct doc_table *table, const struct doc_row *row, FILE *stream)
{
    for (size_t i = 0; i < table->column_count; ++i) {
        if (!doc_has(row->cells[i].trials))
            continue;
        fputs("% trials of ", stream);
        latex_comment(table->columns[i].title, stream);
        fputs(": ", stream);
        latex_comment(row->cells[i].trials, stream);
        fputc('\n', stream);
    }
}

static void put_line(const struct doc_table *table, const struct doc_row *row, enum doc_line line, FILE *stream)
{
    latex_text(doc_row_begins(row, line) ? row->key : "", stream);
    put_titled(" & ", table->lined ? doc_line_names[line] : "", "", stream);
    for (size_t i = 0; i < table->column_count; ++i) {
        fputs(" & ", stream);
        doc_put_value(&row->cells[i].lines[line], row->cells[i].lines[line].value, &markup, stream);
        if (line == DOC_HERE && doc_has(row->cells[i].marks))
            fprintf(stream, "\\textsuperscript{%s}", row->cells[i].marks);
    }
    fputs(" \\\\\n", stream);
}

static void put_numbers(const struct doc_table *table, FILE *stream)
{
    size_t lines = 0;
    put_head(table, stream);
    for (size_t i = 0; i < table->row_count; ++i) {
        if (lines > LINES_MAX - DOC_LINES) {
            fputs("\\bottomrule\n\\end{tabular}}\\par\\medskip\n", stream);
            put_head(table, stream);
            lines = 0;
        }
        fputs(lines ? "\\addlinespace\n" : "", stream);
        put_trials(table, &table->rows[i], stream);
        for (int line = 0; line < DOC_LINES; ++line)
            if (doc_row_has(table, &table->rows[i], (enum doc_line)line)) {
                put_line(table, &table->rows[i], (enum doc_line)line, stream);
                ++lines;
            }
    }
    fputs("\\bottomrule\n\\end{tabular}}\\par\\smallskip\n", stream);
}

// ---- tables with words

static double length_of(const char *text)
{
    return text ? (double)strlen(text) : 0;
}

// How much of the page a column wants: more where more stands in it.
static double write_latex_wish(const struct doc_table *table, size_t column)
{
    double length = length_of(table->columns[column].title);
    if (table->columns[column].detail)
        return 0;
    for (size_t i = 0; i < table->row_count; ++i)
        length += length_of(table->rows[i].cells[column].lines[DOC_HERE].value);
    return sqrt(length / (double)(table->row_count + 1)) + 1.5;
}

static void put_words_head(const struct doc_table *table, FILE *stream)
{
    double wishes = 0, key = length_of(table->key), left = 1;
    for (size_t i = 0; i < table->row_count; ++i)
        key = fmax(key, length_of(table->rows[i].key));
    key = fmin(key * 0.01, 0.3);
    for (size_t i = 0; i < table->column_count; ++i) {
        wishes += write_latex_wish(table, i);
        left -= table->columns[i].detail ? 0 : 0.024; // between columns
    }
    fprintf(stream, "{\\footnotesize\\sloppy\\setlength{\\tabcolsep}{6pt}\n\\begin{longtable}{@{}p{%.3f\\textwidth}",
            key);
    for (size_t i = 0; i < table->column_count; ++i)
        if (!table->columns[i].detail)
            fprintf(stream, ">{\\ragged%s\\arraybackslash}p{%.3f\\textwidth}",
                    table->columns[i].words ? "right" : "left", (left - key) * write_latex_wish(table, i) / wishes);
    put_titled("@{}}\n\\toprule\n", table->key, "", stream);
    for (size_t i = 0; i < table->column_count; ++i) {
        if (table->columns[i].detail)
            continue;
        put_titled(" & ", table->columns[i].title, doc_has(table->columns[i].unit) ? ", " : "", stream);
        latex_text(table->columns[i].unit, stream);
    }
    fputs(" \\\\\n\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", stream);
}

static void put_words(const struct doc_table *table, FILE *stream)
{
    put_words_head(table, stream);
    for (size_t i = 0; i < table->row_count; ++i) {
        const struct doc_row *row = &table->rows[i];
        latex_text(row->key, stream);
        for (size_t j = 0; j < table->column_count; ++j) {
            const struct doc_value *lines = row->cells[j].lines;
            if (table->columns[j].detail)
                continue;
            put_titled(" & ", lines[DOC_HERE].value, "", stream);
            if (doc_has(lines[DOC_INTERVAL].value))
                put_titled(" (", lines[DOC_INTERVAL].value, ")", stream);
        }
        fputs(" \\\\\\addlinespace\n", stream);
    }
    fputs("\\end{longtable}}\n", stream);
}

// ---- blocks

static void put_list(const struct doc_block *block, FILE *stream)
{
    const bool above = block->role == DOC_SETTING || block->role == DOC_FACTS;
    fprintf(stream, "\\begingroup\\%s\\setlength{\\parindent}{0pt}\\sloppy%s\n", above ? "footnotesize" : "scriptsize",
            block->role == DOC_SETTING ? "\\interlinepenalty10000" : "");
    for (size_t i = 0; i < block->item_count; ++i) {
        const struct doc_item *item = &block->items[i];
        fputs(block->role == DOC_SETTING ? "\\par\\nopagebreak " : "\\par ", stream);
        if (doc_has(item->label)) {
            fputs(block->role == DOC_FOOTNOTES ? "\\textsuperscript{" : "\\textit{", stream);
            latex_text(item->label, stream);
            fputs("} ", stream);
        }
        latex_text(item->text, stream);
        fputc('\n', stream);
    }
    fputs(block->role == DOC_SETTING ? "\\par\\endgroup\\nopagebreak\n" : "\\par\\endgroup\n", stream);
}

// By \drawn of page_write.c: three beside each other, or a wide one alone, each with its own words below.
static void put_pictures(const struct doc_block *block, FILE *stream)
{
    fputs("{\\raggedright\n", stream);
    for (size_t i = 0; i < block->item_count; ++i) {
        if (!block->items[i].printed)
            continue;
        fprintf(stream, "\\drawn{%s}", block->items[i].printed);
        put_titled("{", block->items[i].text, "}%\n", stream);
    }
    fputs("\\par}\n", stream);
}

// A page with little left is ended: a title stays with what it is of.
static const char room[] = "\\par\\ifdim\\dimexpr\\pagegoal-\\pagetotal\\relax<170pt \\newpage\\fi\n";

static void put_heading(const struct doc_block *block, FILE *stream)
{
    static const char *const levels[] = {"", "\\noindent{\\LARGE\\bfseries ", "\\section{", "\\subsection*{"};
    fputs(block->level > 1 ? room : "", stream);
    put_titled(levels[block->level & 3], block->text, block->level > 1 ? "}\n" : "}\\par\\medskip\n", stream);
}

// `part`: of a document with headings, so that its title need not say all.
static void put_fold(const struct doc_block *block, bool part, bool headed, FILE *stream)
{
    fputs(headed ? "" : room, stream);
    put_titled("\\noindent{\\footnotesize\\textbf{", part || !block->alone ? block->text : block->alone,
               "}}\\nopagebreak\n", stream);
}

static void put_block(const struct doc_block *block, bool part, bool headed, FILE *stream)
{
    switch (block->kind) {
    case DOC_HEADING: put_heading(block, stream); break;
    case DOC_FOLD: put_fold(block, part, headed, stream); break;
    case DOC_TEXT: put_titled("\\par\\smallskip\\noindent ", block->text, "\\par\n", stream); break;
    case DOC_LIST:
        if (block->role != DOC_SOURCES) // each row tells its trials in a comment
            put_list(block, stream);
        break;
    case DOC_TABLE: (doc_has_words(block->table) ? put_words : put_numbers)(block->table, stream); break;
    case DOC_UNFOLD: fputs("\\bigskip\n", stream); break;
    case DOC_CONTENTS: fputs("\\tableofcontents\n", stream); break;
    case DOC_PICTURES: put_pictures(block, stream); break;
    default: break; // what only a page has
    }
}

void doc_write_latex(const struct document *document, FILE *stream)
{
    bool part = false, headed = false;
    for (size_t i = 0; i < document->count; ++i) {
        const struct doc_block *block = &document->blocks[i];
        part = part || block->kind == DOC_HEADING;
        put_block(block, part, headed, stream);
        headed = block->kind == DOC_HEADING || (headed && block->kind == DOC_LINKS);
    }
}
